"""Items that are not taken: how they ended, and what is published of them (DESIGN.md rule 8)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from pydantic import Field

from arcs.items import ItemPlan
from inject.drafts import FactAudit
from inject.graph import LoopResult
from inject.splice import Accepted
from locomo_patch.released import CHECK
from twistcore.errors import ReleaseError
from twistcore.fingerprints import fingerprint
from twistcore.stored import read_rows
from twistcore.verdicts import Stored, Verdict

REJECTS_A = "rejects/track_a.jsonl"
PARTNER_REJECTED = "its partner was rejected"
_GAVE_WAY = "gave its place to "


class Place(Stored):
    """Where a gold turn of a rejected item would have stood, after which source turn, and how its partner would have answered."""

    seam: str
    after: int
    reply: str


class Rejected(Stored):
    """A published reject: the proposal, every attempt's verdict, and why the item is not in the release.

    `places` are those of its gold turns, where the prose is a model's: a person who reviews it reads it in its place.
    """

    id: str
    pair_id: str
    family: str
    sample_id: str
    attempts: list[Verdict]
    opinion: str | None
    reason: str
    proposal: dict[str, object]
    places: list[Place] | None = Field(default=None, exclude_if=lambda value: value is None)

    @property
    def given_up(self) -> bool:
        """Whether the item itself was not good enough; one that followed its partner, or made room, is nobody's to judge."""
        return self.reason != PARTNER_REJECTED and not self.reason.startswith(_GAVE_WAY)

    @property
    def sha256(self) -> str:
        """Fingerprint of what a person judges: the proposal with its places and answers, whatever was said of it."""
        return fingerprint({"proposal": self.proposal, "places": [place.model_dump() for place in self.places or ()]})


def read_rejects(folder: Path) -> tuple[Rejected, ...]:
    """What a release's loop gave up on; raises ReleaseError naming the line that is none."""
    return tuple(row for _, row in read_rows(folder / REJECTS_A, Rejected.model_validate, ReleaseError, CHECK))


@dataclass(frozen=True)
class Ended:
    """An item of a refused pair: how the loop ended for it, and what is published."""

    plan: ItemPlan
    result: LoopResult
    audit: FactAudit | None
    rejected: Rejected


def end(
    plan: ItemPlan, result: LoopResult, reason: str | None = None, audit: FactAudit | None = None, *, placed: bool = False
) -> Ended:
    """An item that is not taken. `placed` publishes its places and answers too."""
    last = result.last
    reason = reason or (PARTNER_REJECTED if result.accepted else "three attempts failed")
    places = [
        Place(seam=exchange.planned.slot.kind.value, after=exchange.planned.slot.after, reply=exchange.reply)
        for exchange in last.draft.exchanges
    ]
    rejected = Rejected(
        id=plan.id,
        pair_id=plan.pair_id,
        family=plan.family.value,
        sample_id=plan.sample_id,
        attempts=[attempt.verdict for attempt in result.attempts],
        opinion=last.opinion.reason if last.opinion else None,
        reason=reason,
        proposal=last.draft.proposal.model_dump(mode="json"),
        places=places if placed else None,
    )
    return Ended(plan, result, audit, rejected)


def refusal(own: bool, touched: Sequence[str]) -> str:
    """Why an accepted item is not taken: its own turns would perturb questions, or its partner's."""
    if not own:
        return PARTNER_REJECTED
    return f"would perturb {len(touched)} of LoCoMo's questions: {', '.join(touched[:3])}"


def displaced(entry: Accepted, pair_id: str) -> Rejected:
    """An accepted item whose pair made room for one that a person took."""
    plan = entry.draft.plan
    return Rejected(
        id=plan.id,
        pair_id=plan.pair_id,
        family=plan.family.value,
        sample_id=plan.sample_id,
        attempts=[entry.verdict],
        opinion=None,
        reason=f"{_GAVE_WAY}the pair {pair_id}, which a person took",
        proposal=entry.draft.proposal.model_dump(mode="json"),
    )

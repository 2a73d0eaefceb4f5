"""Gold-key items of Track A (SCHEMAS.md, "Turns and keys")."""

from __future__ import annotations

from datetime import date
from enum import StrEnum
from typing import Annotated, Literal

from pydantic import Field, StringConstraints, model_validator

from arcs.taxonomy import Family, Gold, Role, Transition
from twistcore.verdicts import Stored

KEY_VERSION_A = "TWIST-A-v0.1"
KEYS_A = "keys/track_a.jsonl"
MAX_EVIDENCE = 3

Evidence = Annotated[list[str], Field(max_length=MAX_EVIDENCE)]


class GoldTurn(Stored):
    """A turn that an item rests on. `start` and `end` are the span of `quote` in the released turn's text, in characters."""

    role: Role
    dia_id: str
    source_dia_id: str | None
    session: int
    date: str
    quote: Annotated[str, Field(min_length=1)]
    start: Annotated[int, Field(ge=0)]
    end: int

    @model_validator(mode="after")
    def _span_fits(self) -> GoldTurn:
        if self.end - self.start != len(self.quote):
            raise ValueError("the span is not as long as the quote")
        return self


class Decided(StrEnum):
    """What a person decides about an item that the loop gave up on."""

    ACCEPT = "accept"
    EDIT = "edit"
    REJECT = "reject"


class Review(Stored):
    """Who took an item that the loop had given up, when and why. `overruled` are the checks that it does not pass."""

    by: Annotated[str, StringConstraints(pattern=r"\S")]
    decision: Literal[Decided.ACCEPT, Decided.EDIT]
    reason: Annotated[str, StringConstraints(pattern=r"\S")]
    date: date
    overruled: list[str]

    @property
    def in_short(self) -> str:
        """The review in one line, for people."""
        how = "taken as it was" if self.decision is Decided.ACCEPT else "taken with new words"
        passed = f"; does not pass {', '.join(self.overruled)}" if self.overruled else ""
        return f"{how} by {self.by} on {self.date}: {self.reason}{passed}"


class Provenance(Stored):
    """What made an item: writer, model, prompt, seed, the attempt that was accepted, and the gates that it passed, but for those
    that a person overruled in a `review`."""

    writer: str
    model: str | None
    prompt_sha256: str | None
    seed: int
    attempt: Annotated[int, Field(ge=1)]
    gates: dict[str, str]
    review: Review | None = Field(default=None, exclude_if=lambda value: value is None)


class TrackAKey(Stored):
    """One arc or hard negative with its evidence sets (at most three turns count each; TWIST paper section 3.2)."""

    id: str
    key_version: str = KEY_VERSION_A
    track: Literal["A"] = "A"
    family: Family
    sample_id: str
    holder: str
    pair_id: str
    history_turns: Annotated[int, Field(ge=1)]
    topic: str
    old_belief: str
    new_belief: str | None
    gold: Gold
    transition: Transition
    turns: Annotated[list[GoldTurn], Field(min_length=2)]
    claim_evidence: Evidence
    new_evidence: Evidence
    drift_evidence: list[str]
    gap_days: int
    gap_sessions: int
    provenance: Provenance

    @model_validator(mode="after")
    def _label_follows_family(self) -> TrackAKey:
        if self.gold is not self.family.gold or self.transition is not self.family.transition:
            raise ValueError(
                f"gold and transition of {self.family.value} must be {self.family.gold.value}, {self.family.transition.value}"
            )
        if (self.new_belief is not None) != self.family.is_arc:
            raise ValueError("new_belief is given for arcs and only for them")
        return self

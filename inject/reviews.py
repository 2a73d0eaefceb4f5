"""What people decide about items that the loop gave up on: accept, edit, reject; with who, when and why.

Decisions are lines of a file beside a release and change none of its bytes. They take effect in a run that is given the file.
"""

from __future__ import annotations

import fcntl
import os
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date
from pathlib import Path
from typing import Annotated, Self

from pydantic import StringConstraints, model_validator

from arcs.keys import Decided
from inject.rejects import Rejected
from locomo_patch.released import CHECK
from twistcore.errors import ReleaseError, StorageError, UsageError
from twistcore.fingerprints import sha256_bytes
from twistcore.folders import refuse_file
from twistcore.store import dump_lines
from twistcore.stored import read_rows
from twistcore.verdicts import Stored

SCHEMA = "twist-review/1"
REVIEWS_A = "reviews/track_a.jsonl"
AS_SEEN = "as_seen"
# What no person may overrule, and why. All other checks read language, and there a person reads better.
BINDING: Mapping[str, str] = {
    "ids": "roles, sessions and speakers are what the key is made of",
    "spacing": "three weeks and four sessions apart is what an arc is",
    "quote": "a turn that cannot be quoted is no evidence",
    "format": "a label or markup shows that a turn was put in",
    "pii": "no release holds personal data",
    "seam": "an exchange stands only where the talk around it still holds together",
    "duplicate": "no line stands twice",
    "pair_independent": "it would change the gold of another item, which was not under review",
    "surface_match": "no single item shows whether likeness tells arcs from their partners",
}

Said = Annotated[str, StringConstraints(strip_whitespace=True, min_length=1)]


class ReviewDecision(Stored):
    """What one person decided about one item as it was proposed. For an edit `turns` are all gold turns anew, in order, and
    `replies` the partner's answers; answers that are not given stay."""

    schema_version: str = SCHEMA
    id: str
    decision: Decided
    by: Said
    reason: str = ""
    date: date
    proposal_sha256: str
    turns: list[Said] | None = None
    replies: list[Said] | None = None

    @model_validator(mode="after")
    def _whole(self) -> Self:
        if self.decision is not Decided.REJECT and not self.reason.strip():
            raise ValueError(f"{self.decision.value} needs a reason")
        if (self.turns is not None) != (self.decision is Decided.EDIT) or (self.turns is None and self.replies is not None):
            raise ValueError("turns are given for an edit and only for one")
        if self.replies is not None and self.turns is not None and len(self.replies) != len(self.turns):
            raise ValueError("as many replies as turns are wanted")
        return self

    def same_as(self, other: ReviewDecision) -> bool:
        """Whether another decision says the same, whenever it was made."""
        return self.model_copy(update={"date": other.date}) == other


class UsedReview(Stored):
    """A decision that had its effect in a release, with the item as it was given up: rejects are published (DESIGN.md rule 8)."""

    decision: ReviewDecision
    judged: Rejected


@dataclass(frozen=True)
class Reviews:
    """The decisions of a file: the last one about an item, as it was proposed, stands."""

    decisions: tuple[ReviewDecision, ...] = ()
    sha256: str | None = None
    _last: dict[tuple[str, str], ReviewDecision] = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "_last", {(each.id, each.proposal_sha256): each for each in self.decisions})

    def last(self, rejected: Rejected) -> ReviewDecision | None:
        """What was decided last about an item with that very text."""
        return self._last.get((rejected.id, rejected.sha256))

    def taking(self, rejected: Rejected) -> ReviewDecision | None:
        """The standing decision that takes an item; None where nobody took it."""
        last = self.last(rejected)
        return last if last is not None and last.decision is not Decided.REJECT else None

    def cover(self, rejects: Sequence[Rejected]) -> bool:
        """Whether somebody took every item of a pair that was given up."""
        given_up = [each for each in rejects if each.given_up]
        return bool(given_up) and all(self.taking(each) is not None for each in given_up)

    @property
    def takes(self) -> tuple[ReviewDecision, ...]:
        """All standing decisions that take an item."""
        return tuple(each for each in self._last.values() if each.decision is not Decided.REJECT)


NO_REVIEWS = Reviews()


def reviews_beside(release: Path) -> Path:
    """Where the decisions about a release's rejects are kept."""
    folder = release.resolve()
    return folder.with_name(f"{folder.name}.reviews.jsonl")


def read_reviews(path: Path) -> Reviews:
    """The decisions of a file; raises UsageError naming the line that is none."""
    rows = read_rows(path, ReviewDecision.model_validate, UsageError, "see docs/review.md")
    decisions = []
    for number, row in rows:
        if row.schema_version != SCHEMA:
            raise UsageError(f"is of {row.schema_version}, not {SCHEMA}", file=path, place=f"line {number}")
        decisions.append(row)
    return Reviews(tuple(decisions), sha256_bytes(path.read_bytes()))


def read_used(folder: Path) -> tuple[UsedReview, ...]:
    """The decisions that had their effect in a release that was given some; raises ReleaseError naming the line that is none."""
    return tuple(row for _, row in read_rows(folder / REVIEWS_A, UsedReview.model_validate, ReleaseError, CHECK))


def append_decisions(path: Path, decisions: Iterable[ReviewDecision]) -> None:
    """Put decisions after those of a file; raises UsageError inside a release or for no file, StorageError when the disk refuses.

    They are on the disk when this returns, and another process that reviews at the same time loses nothing.
    """
    refuse_file(path)
    data = dump_lines(decisions)
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        with path.open("ab") as stream:
            fcntl.flock(stream, fcntl.LOCK_EX)
            stream.write(data)
            stream.flush()
            os.fsync(stream.fileno())
    except OSError as error:
        raise StorageError(f"cannot be written ({error.strerror or error})", file=path) from error


def without_effect(reviews: Reviews, used: Iterable[UsedReview], rejects: Sequence[Rejected]) -> list[tuple[str, str]]:
    """Decisions that took an item and had no effect, by id, with the reason as far as the rejects tell."""
    had = {(each.decision.id, each.decision.proposal_sha256) for each in used}
    still = {(each.id, each.sha256): each for each in rejects}
    out = []
    for decision in reviews.takes:
        place = decision.id, decision.proposal_sha256
        if place in had:
            continue
        reject = still.get(place)
        if reject is None:
            out.append((decision.id, "no item with that very text was given up in this run"))
            continue
        missing = [each.id for each in rejects if each.pair_id == reject.pair_id and each.given_up and reviews.taking(each) is None]
        out.append((decision.id, f"nobody took its partner {missing[0]}" if missing else reject.reason))
    return out

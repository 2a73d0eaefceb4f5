"""Items that the loop gave up on, as a person needs them: the dated lines in their places, what was found, the partner."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date
from pathlib import Path

from pydantic import ValidationError

from arcs.keys import Decided
from inject.proposals import Proposal, ProposedTurn
from inject.rejects import REJECTS_A, Place, Rejected, read_rejects
from inject.reviews import AS_SEEN, ReviewDecision, Reviews, Said
from inject.revised_release import open_files
from locomo_patch.dates import format_day
from locomo_patch.reader import type_corpus
from locomo_patch.released import CHECK
from twistcore.corpus import Conversation, Corpus, Turn
from twistcore.errors import ReleaseError, UsageError
from twistcore.stored import read_rows
from twistcore.verdicts import Finding, Outcome, Stored


@dataclass(frozen=True)
class ReviewTurn:
    """One gold turn as retrieved (`line`) and, where its place is known, with the answer and the source's turns around it."""

    role: str
    session: int
    line: str
    text: str
    place: Place | None
    before: tuple[Turn, ...]
    after: tuple[Turn, ...]


@dataclass(frozen=True)
class ReviewItem:
    """One item to decide on. `partner` is its pair's other item, where that is among the rejects."""

    rejected: Rejected
    proposal: Proposal
    turns: tuple[ReviewTurn, ...]
    partner: Rejected | None

    @property
    def findings(self) -> list[Finding]:
        """What the last attempt failed, or could not be judged by."""
        last = self.rejected.attempts[-1] if self.rejected.attempts else None
        found = [*last.failed, *last.undecided] if last is not None else []
        if last is not None and last.verdict is Outcome.PASS and self.rejected.opinion is not None:
            found.append(Finding(gate=AS_SEEN, version="1", reason=self.rejected.opinion))
        return found

    @property
    def replies(self) -> list[str] | None:
        """The partner's answers, where they were kept."""
        places = self.rejected.places
        return [place.reply for place in places] if places is not None else None


class PreparedDecision(Stored):
    """A decision as a file brings it; who and when are said once for the whole file. With `proposal_sha256` it holds for that text
    only."""

    id: str
    decision: Decided
    reason: str = ""
    proposal_sha256: str | None = None
    turns: list[Said] | None = None
    replies: list[Said] | None = None


def read_items(folder: Path, around: int) -> list[ReviewItem]:
    """Every item of a release that was given up, once; raises ReleaseError where the release does not hold together."""
    release = open_files(folder)
    version, sha256 = release.manifest.source.version, release.manifest.source.sha256
    source, whole = (type_corpus(each, version, sha256, folder / "corpus") for each in (release.source, release.whole))
    rejects = read_rejects(folder)
    given_up = {(reject.id, reject.sha256): reject for reject in rejects if reject.given_up}
    return [_item(reject, rejects, source, whole, around, folder) for reject in given_up.values()]


def _item(reject: Rejected, rejects: Sequence[Rejected], source: Corpus, whole: Corpus, around: int, folder: Path) -> ReviewItem:
    try:
        proposal = Proposal.model_validate(reject.proposal)
        conversation, released = source.conversation(reject.sample_id), whole.conversation(reject.sample_id)
    except (ValidationError, KeyError) as error:
        raise ReleaseError(f"the reject {reject.id} cannot be read", file=folder / REJECTS_A, remedy=CHECK) from error
    # Appended sessions have a date of their own, and no turns of the source.
    days = {session.number: format_day(session.date) for session in released.sessions}
    places: Sequence[Place | None] = reject.places or [None] * len(proposal.turns)
    turns = tuple(
        _turn(turn, f"[{days.get(turn.session, 'no date')}] {turn.speaker}: {turn.text}", place, conversation, around)
        for turn, place in zip(proposal.turns, places, strict=False)
    )
    partners = [other for other in rejects if other.pair_id == reject.pair_id and other.id != reject.id]
    return ReviewItem(reject, proposal, turns, partners[-1] if partners else None)


def _turn(turn: ProposedTurn, line: str, place: Place | None, conversation: Conversation, around: int) -> ReviewTurn:
    session = next((session for session in conversation.sessions if session.number == turn.session), None)
    before: tuple[Turn, ...] = ()
    after: tuple[Turn, ...] = ()
    if session is not None and place is not None:
        before = session.turns[max(0, place.after - around) : place.after]
        after = session.turns[place.after : place.after + around]
    return ReviewTurn(turn.role.value, turn.session, line, turn.text, place, before, after)


def decide(
    item: ReviewItem,
    decision: Decided,
    *,
    by: str,
    day: date,
    reason: str = "",
    turns: list[str] | None = None,
    replies: list[str] | None = None,
) -> ReviewDecision:
    """A decision about an item as it was proposed; raises UsageError for one that says nothing, or has too few texts."""
    wanted = len(item.turns)
    if turns is not None and len(turns) != wanted:
        raise UsageError(f"the edit of {item.rejected.id} has {len(turns)} turns, {wanted} are wanted")
    try:
        return ReviewDecision(
            id=item.rejected.id,
            decision=decision,
            by=by,
            reason=reason.strip(),
            date=day,
            proposal_sha256=item.rejected.sha256,
            turns=turns,
            replies=replies,
        )
    except ValidationError as problem:
        raise UsageError(f"the decision on {item.rejected.id}: {problem.errors()[0]['msg']}") from problem


def read_prepared(path: Path, items: list[ReviewItem], reviews: Reviews, by: str, day: date) -> list[ReviewDecision]:
    """The decisions of a file, all checked before one is kept; without those that stand already in the same words.

    Raises UsageError naming the line that is none, or whose item was not given up.
    """
    out = []
    rows = read_rows(path, PreparedDecision.model_validate, UsageError, "see docs/review.md")
    for number, row in rows:
        found = [item for item in items if item.rejected.id == row.id and row.proposal_sha256 in (None, item.rejected.sha256)]
        if len(found) != 1:
            what = "was not given up, with that text, in this release" if not found else "was given up with several texts"
            remedy = "name the proposal_sha256 that is meant" if found else "`twist review` shows what there is to decide"
            raise UsageError(f"the item {row.id} {what}", file=path, place=f"line {number}", remedy=remedy)
        try:
            decision = decide(found[0], row.decision, by=by, day=day, reason=row.reason, turns=row.turns, replies=row.replies)
        except UsageError as error:
            raise UsageError(error.message, file=path, place=f"line {number}") from error
        last = reviews.last(found[0].rejected)
        if last is None or not last.same_as(decision):
            out.append(decision)
    return out

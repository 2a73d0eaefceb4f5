"""What people took of the loop's rejects: every such item has its decision, its very text, and overrules nothing that binds.

A key cannot claim a review that nobody made, and a release cannot hide one behind a passing verdict.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence

from arcs.keys import KEYS_A, Decided, Review, TrackAKey
from inject.check.broken import Broken, Rule
from inject.check.gold import turn_at
from inject.check.opened import Corpora, Opened
from inject.check.rejects import faults_of
from inject.gates.registry import NAMES
from inject.manifest import ReviewRecord
from inject.proposals import Proposal
from inject.rejects import Rejected
from inject.reviews import AS_SEEN, BINDING, REVIEWS_A, SCHEMA, ReviewDecision, UsedReview
from locomo_patch.edits import InsertExchange
from twistcore.corpus import Conversation
from twistcore.store import EDITS, MARKER


def check_reviews(opened: Opened, corpora: Corpora) -> list[Broken]:
    """Reviewed keys without a decision, decisions without a key, texts that nobody decided on, and overruled checks that bind."""
    broken = list(_manifest(opened))
    lines = Counter(line.decision.id for line in opened.reviews)
    keys = {key.id: key for key in opened.keys if key.provenance.review is not None}
    for ident, key in keys.items():
        if lines[ident] != 1:
            wrong = f"says that a person took it, and {lines[ident]} decisions in {REVIEWS_A} are about it"
            broken.append(Broken(Rule.REJECTS, KEYS_A, f"{key.sample_id} {ident}", wrong))
    known = {conversation.sample_id: conversation for conversation in corpora.released.conversations}
    for number, line in enumerate(opened.reviews, start=1):
        found = keys.get(line.decision.id)
        place = f"line {number} {line.decision.id}"
        if found is None or found.provenance.review is None:
            broken.append(Broken(Rule.REJECTS, REVIEWS_A, place, "is about an item that has no key with a review"))
            continue
        faults = [
            *_judged(line),
            *_said(line.decision, found.provenance.review),
            *_overruled(opened, found, found.provenance.review),
        ]
        if found.sample_id in known:
            faults += _text(line, found, known[found.sample_id])
        faults += _places(line.judged, opened, found)
        broken += [Broken(Rule.REJECTS, REVIEWS_A, place, wrong) for wrong in faults]
    return broken


def _manifest(opened: Opened) -> Iterator[Broken]:
    """The manifest names the decisions' file and counts what came of it, where there was one."""
    said, given = opened.manifest.reviews, opened.manifest.config.reviews_sha256
    if (said.sha256 if said is not None else None) != given:
        yield Broken(Rule.MANIFEST, MARKER, "reviews.sha256", "is not that of the decisions in the configuration")
    kinds = Counter(key.provenance.review.decision for key in opened.keys if key.provenance.review is not None)
    counted = ReviewRecord(sha256=said.sha256 if said else "", accepted=kinds[Decided.ACCEPT], edited=kinds[Decided.EDIT])
    if said is None:
        if kinds:
            yield Broken(Rule.MANIFEST, MARKER, "reviews", f"is missing, and {kinds.total()} keys say that a person took them")
    elif said != counted:
        wrong = f"says {said.accepted} accepted and {said.edited} edited, the keys have {counted.accepted} and {counted.edited}"
        yield Broken(Rule.MANIFEST, MARKER, "reviews", wrong)


def _judged(line: UsedReview) -> Iterator[str]:
    """The item as it was given up: it is the one that was decided on, and carries its verdicts."""
    if line.decision.schema_version != SCHEMA:
        yield f"is of {line.decision.schema_version}, not {SCHEMA}"
    if line.judged.id != line.decision.id:
        yield f"shows the item {line.judged.id}"
    if line.judged.sha256 != line.decision.proposal_sha256:
        yield "was decided on another text: proposal_sha256 is not the hash of the item that it shows"
    if not line.judged.given_up:
        yield f"takes an item that was not given up itself: {line.judged.reason}"
    yield from faults_of(line.judged)


def _said(decision: ReviewDecision, review: Review) -> Iterator[str]:
    for name in ("by", "decision", "reason", "date"):
        if getattr(decision, name) != getattr(review, name):
            yield f"{name} is {str(getattr(decision, name))!r}, the key says {str(getattr(review, name))!r}"


def _overruled(opened: Opened, key: TrackAKey, review: Review) -> Iterator[str]:
    """Only what a person may overrule, and neither more nor less than what the item failed."""
    for gate in review.overruled:
        if gate in BINDING:
            yield f"overrules {gate}, which no person may: {BINDING[gate]}"
        elif gate not in (*NAMES, AS_SEEN):
            yield f"overrules {gate}, which is no check"
    for edit in opened.edits:
        for verdict in edit.verdicts:
            failed = [finding.gate for finding in (*verdict.failed, *verdict.undecided)]
            if verdict.id == key.id and failed != review.overruled:
                held, found = (", ".join(gates) or "nothing" for gates in (review.overruled, failed))
                yield f"overrules {held}, the verdict in {EDITS} fails {found}"


def _text(line: UsedReview, key: TrackAKey, released: Conversation) -> Iterator[str]:
    """The released turns are those that were decided on, and so are the answers where they were shown or given."""
    proposal = Proposal.model_validate(line.judged.proposal) if not list(faults_of(line.judged)) else None
    if proposal is None:
        return
    turns: Sequence[str] = line.decision.turns or [turn.text for turn in proposal.turns]
    replies = line.decision.replies or [place.reply for place in line.judged.places or ()]
    about = (proposal.holder, proposal.topic, proposal.old_belief, proposal.new_belief)
    if about != (key.holder, key.topic, key.old_belief, key.new_belief):
        yield "was decided on another holder, topic or belief than the key's"
    if len(turns) != len(key.turns):
        yield f"decides on {len(turns)} gold turns, the key has {len(key.turns)}"
        return
    for number, gold in enumerate(key.turns):
        session, _, position = gold.dia_id.partition(":")
        turn = turn_at(released, gold.dia_id)
        if turn is None or turn.text != " ".join(turns[number].split()):
            yield f"{gold.dia_id} is not the {gold.role.value} that was decided on"
        answer = turn_at(released, f"{session}:{int(position) + 1}") if position.isdigit() else None
        if number < len(replies) and (answer is None or answer.text != " ".join(replies[number].split())):
            yield f"the answer to {gold.dia_id} is not the one that was decided on"


def _places(judged: Rejected, opened: Opened, key: TrackAKey) -> Iterator[str]:
    """The item stands where it was judged."""
    stands = {
        edit.session: (edit.seam, edit.after) for edit in opened.edits if isinstance(edit, InsertExchange) and key.id in edit.items
    }
    for gold, place in zip(key.turns, judged.places or (), strict=False):
        found = stands.get(gold.session)
        if found is not None and found != (place.seam, place.after):
            where = f"session {gold.session} after turn {found[1]}"
            yield f"its {gold.role.value} stands in {where}, it was judged after turn {place.after}"

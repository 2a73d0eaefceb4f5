"""A second look at a pair that the loop gave up and that people took: as it was or with their own words, under the gates that bind.

Pure. Nothing is asked of a model again: what nobody audited or verified is undecided, and the person stands for it.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from arcs.items import PairPlan
from arcs.keys import Decided, Review
from arcs.plan import PairNeed
from arcs.schedule import room_for
from inject.answers import answer_faults
from inject.drafts import Draft, FactAudit, Relation, WrittenExchange
from inject.gates.case import Record
from inject.graph import LoopResult, agrees
from inject.judging import Gates, judge_with
from inject.naming import object_of, phrase_of
from inject.rejects import Ended
from inject.reviews import AS_SEEN, BINDING, ReviewDecision, Reviews, UsedReview
from inject.splice import Accepted
from twistcore.verdicts import Finding, Outcome, Verdict

AS_SEEN_VERSION = "1"


@dataclass(frozen=True)
class Waiting:
    """A refused pair whose given-up items people took. `before` are the pairs that stood when it was refused."""

    pair: PairPlan
    ended: tuple[Ended, ...]
    before: frozenset[str]

    @property
    def about(self) -> frozenset[str]:
        """Hashes of the items that were given up."""
        return frozenset(each.rejected.sha256 for each in self.ended if each.rejected.given_up)


@dataclass(frozen=True)
class Objection:
    """Why a pair is not taken all the same, and which rejects that is about, by their hashes."""

    about: frozenset[str]
    reason: str


@dataclass(frozen=True)
class Taken:
    """Both items of a pair, with the decisions that took them, and the pair that makes room for it where none was missing."""

    pair: PairPlan
    stand_in: PairPlan | None
    entries: tuple[Accepted, ...]
    used: tuple[UsedReview, ...]

    @property
    def planned(self) -> PairPlan:
        """The pair as it was told."""
        first, second = (entry.draft.plan for entry in self.entries)
        return PairPlan(self.pair.id, first, second)


@dataclass(frozen=True)
class SecondTable:
    """A conversation after its rounds: what stands there, what people decided, and what judges."""

    kept: Sequence[PairPlan]
    accepted: Sequence[Accepted]
    reviews: Reviews
    record: Record
    gates: Gates


def need_of(pair: PairPlan) -> PairNeed:
    """What a pair was planned for."""
    return PairNeed(pair.arc.family, pair.control.family, len(pair.arc.turns) - 2)


def take_together(waiting: Sequence[Waiting], needs: Sequence[PairNeed], table: SecondTable) -> tuple[list[Taken], list[Objection]]:
    """Take as many pairs as stand beside each other where `needs` are open, or in the stead of pairs that were planned later.

    They were planned to fit together, so all are tried at once, and those that object drop out one by one. A pair makes room only
    for one that is taken.
    """
    going, left = list(waiting), list[Objection]()
    while True:
        trying, unplaced = _give_stand_ins(going, table.kept, needs)
        taken = _try(trying, table)
        if not isinstance(taken, tuple):
            full = "a person took it, and all pairs that were asked for of its families stand already"
            return taken, [*left, *(Objection(each.about, full) for each in unplaced)]
        dropped, objection = taken
        left.append(objection)
        going.remove(dropped)


def _give_stand_ins(
    waiting: Sequence[Waiting], kept: Sequence[PairPlan], needs: Sequence[PairNeed]
) -> tuple[list[tuple[Waiting, PairPlan | None]], list[Waiting]]:
    """Each pair with the one that was planned for its families after it was refused, the latest first; with None where one is
    missing. Beside them those that have neither."""
    open_needs, given = list(needs), set[str]()
    placed: list[tuple[Waiting, PairPlan | None]] = []
    unplaced = []
    for each in waiting:
        need = need_of(each.pair)
        if need in open_needs:
            open_needs.remove(need)
            placed.append((each, None))
            continue
        later = (pair for pair in reversed(kept) if pair.id not in each.before | given and need_of(pair) == need)
        stand_in = next(later, None)
        if stand_in is None:
            unplaced.append(each)
        else:
            given.add(stand_in.id)
            placed.append((each, stand_in))
    return placed, unplaced


def _try(going: Sequence[tuple[Waiting, PairPlan | None]], table: SecondTable) -> list[Taken] | tuple[Waiting, Objection]:
    out_of_place = {stand_in.id for _, stand_in in going if stand_in is not None}
    kept = [pair for pair in table.kept if pair.id not in out_of_place]
    standing = [entry for entry in table.accepted if entry.draft.plan.pair_id not in out_of_place]
    taken: list[Taken] = []
    for each, stand_in in going:
        found = look_again(each, stand_in, standing, table)
        if isinstance(found, Taken):
            full = _no_room(each.pair, kept, standing, found.entries)
            found = Objection(each.about, f"a person took it, and {full}") if full is not None else found
        if isinstance(found, Objection):
            return each, found
        taken.append(found)
        kept.append(found.planned)
        standing.extend(found.entries)
    return taken


def look_again(each: Waiting, stand_in: PairPlan | None, standing: Sequence[Accepted], table: SecondTable) -> Taken | Objection:
    """Both items of a pair beside what stands in the conversation, or the first reason against one of them."""
    looks = []
    for item in each.ended:
        decision = table.reviews.taking(item.rejected) if item.rejected.given_up else None
        draft = item.result.last.draft
        if decision is not None and decision.turns is not None:
            if len(decision.turns) != len(draft.exchanges):
                wrong = f"its edit has {len(decision.turns)} turns, the item has {len(draft.exchanges)} gold turns"
                return Objection(frozenset({item.rejected.sha256}), wrong)
            draft = rewrite(draft, decision.turns, decision.replies)
        looks.append((item, decision, draft))
    entries, used = [], []
    neighbours = tuple(entry.draft.proposal for entry in standing)
    for item, decision, draft in looks:
        others = (*neighbours, *(other.proposal for _, _, other in looks if other.plan.id != item.plan.id))
        edited = draft is not item.result.last.draft
        verdict = judge_with(table.gates, table.record, others)(draft, _audit(item, edited=edited))
        if decision is None:
            if found := [*verdict.failed, *verdict.undecided]:
                wrong = f"a person took it, and its partner does not stand beside it: {found[0].gate}: {found[0].reason}"
                return Objection(each.about, wrong)
            entries.append(Accepted(draft, item.result.last.attempt, verdict))
            continue
        verdict = _with_as_seen(verdict, item.result, edited=edited, is_arc=item.plan.family.is_arc)
        findings = [*verdict.failed, *verdict.undecided]
        for finding in [*(found for found in findings if found.gate in BINDING), *_binding_answers(draft, table.record)]:
            why = f"no person may overrule {finding.gate} ({BINDING[finding.gate]}): {finding.reason}"
            return Objection(frozenset({item.rejected.sha256}), f"a person took it, and {why}")
        entries.append(Accepted(draft, item.result.last.attempt, verdict, _review(decision, findings)))
        used.append(UsedReview(decision=decision, judged=item.rejected))
    return Taken(each.pair, stand_in, tuple(entries), tuple(used))


def _no_room(pair: PairPlan, kept: Sequence[PairPlan], standing: Sequence[Accepted], entries: Sequence[Accepted]) -> str | None:
    """Why a pair cannot stand among the pairs of its conversation: its places are taken, its topic is, or words touch."""
    taken = tuple(turn.slot for other in kept for item in other.items for turn in item.turns)
    if not room_for([turn.slot for item in pair.items for turn in item.turns], taken):
        return "its places are taken by now"
    if any(other.arc.frame_id == pair.arc.frame_id for other in kept):
        return "another pair tells of the same matter by now"
    own, spoken = _spoken(entries), _spoken(standing)
    named = next(_named(own, (*own, *spoken)), None) or next(_named(spoken, own), None)
    return f"{named[0]!r} is named by another item: {named[1][:60]!r}" if named else None


def _spoken(entries: Sequence[Accepted]) -> list[tuple[str, str]]:
    """Every text of some items, each with its item's topic."""
    return [
        (entry.draft.plan.topic, text)
        for entry in entries
        for exchange in entry.draft.exchanges
        for text in (exchange.text, exchange.reply)
    ]


def _named(owners: Sequence[tuple[str, str]], texts: Sequence[tuple[str, str]]) -> Iterator[tuple[str, str]]:
    for topic in dict.fromkeys(topic for topic, _ in owners):
        pattern = phrase_of(object_of(topic))
        yield from ((topic, text) for other, text in texts if other != topic and pattern.search(text))


def rewrite(draft: Draft, turns: Sequence[str], replies: Sequence[str] | None) -> Draft:
    """A draft with a person's words in it, on one line each."""
    said = replies if replies is not None else [exchange.reply for exchange in draft.exchanges]
    exchanges = tuple(
        _rewrite(exchange, " ".join(text.split()), " ".join(reply.split()))
        for exchange, text, reply in zip(draft.exchanges, turns, said, strict=True)
    )
    proposed = [
        turn.model_copy(update={"text": exchange.text}) for turn, exchange in zip(draft.proposal.turns, exchanges, strict=True)
    ]
    return Draft(draft.plan, draft.proposal.model_copy(update={"turns": proposed}), exchanges)


def _rewrite(exchange: WrittenExchange, text: str, reply: str) -> WrittenExchange:
    lead = exchange.text[: exchange.start]
    start = len(lead) if text.startswith(lead) and len(text) > len(lead) else 0
    handback = exchange.handback
    if handback and not reply.endswith(handback):
        # Which part of a new answer hands the floor back nobody says; the seam gate reads all of it.
        handback = reply
    return replace(exchange, text=text, start=start, end=len(text), reply=reply, handback=handback)


def _audit(each: Ended, *, edited: bool) -> FactAudit | None:
    """What the facts gate goes by: no finding on a model's words holds for a person's."""
    if each.audit is None or not edited:
        return each.audit
    return each.audit.model_copy(
        update={"omitted": [], "invented": [], "d": None, "reason": "a person wrote the text, and no auditor read it"}
    )


def _with_as_seen(verdict: Verdict, result: LoopResult, *, edited: bool, is_arc: bool) -> Verdict:
    """The verdict, with what the verifier thought among its findings."""
    opinion = result.last.opinion
    failed, undecided = list(verdict.failed), list(verdict.undecided)
    if edited or opinion is None:
        why = "a person wrote the text, and no verifier read it" if edited else "no verifier read it, since gates had stopped it"
        undecided.append(Finding(gate=AS_SEEN, version=AS_SEEN_VERSION, reason=why))
    elif not agrees(opinion, is_arc=is_arc):
        unsure = opinion.relation is Relation.CANNOT_TELL
        (undecided if unsure else failed).append(Finding(gate=AS_SEEN, version=opinion.version, reason=opinion.reason))
    outcome = Outcome.FAIL if failed else Outcome.UNDECIDED if undecided else Outcome.PASS
    return verdict.model_copy(update={"verdict": outcome, "failed": failed, "undecided": undecided})


def _binding_answers(draft: Draft, record: Record) -> list[Finding]:
    """What binds the partner's answers, whoever wrote them."""
    return [finding for finding in answer_faults(draft, record) if finding.gate in BINDING]


def _review(decision: ReviewDecision, findings: Sequence[Finding]) -> Review:
    if decision.decision is Decided.REJECT:
        raise ValueError(f"the decision on {decision.id} takes nothing")
    return Review(
        by=decision.by,
        decision=decision.decision,
        reason=decision.reason,
        date=decision.date,
        overruled=[finding.gate for finding in findings],
    )

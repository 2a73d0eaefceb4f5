"""A second look at a pair that the loop gave up and that people took: as it was or with their own words, under the gates that bind.

Pure. Nothing is asked of a model again: what nobody audited or verified is undecided, and the person stands for it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace

from arcs.items import PairPlan
from arcs.keys import Decided, Review
from arcs.schedule import room_for
from inject.drafts import Draft, FactAudit, Relation, WrittenExchange
from inject.gates import format as form
from inject.gates import pii, quote
from inject.gates.case import Case, Record
from inject.graph import Judge, LoopResult, agrees
from inject.naming import object_of, phrase_of
from inject.proposals import Proposal
from inject.rejects import Ended
from inject.reviews import AS_SEEN, BINDING, ReviewDecision, Reviews, UsedReview
from inject.splice import Accepted
from twistcore.verdicts import Finding, Outcome, Verdict

AS_SEEN_VERSION = "1"
# Gates that read words alone, and so can read an answer too.
_OF_ANSWERS = (quote, form, pii)


@dataclass(frozen=True)
class Waiting:
    """A refused pair whose given-up items people took. `before` are the pairs that stood when it was refused."""

    pair: PairPlan
    ended: tuple[Ended, ...]
    before: frozenset[str]


@dataclass(frozen=True)
class Objection:
    """Why a pair is not taken all the same, and which of its items that is about."""

    item: str
    reason: str


@dataclass(frozen=True)
class Taken:
    """Both items of a pair, with the decisions that took them."""

    entries: tuple[Accepted, ...]
    used: tuple[UsedReview, ...]


def look_again(
    ended: Sequence[Ended],
    reviews: Reviews,
    record: Record,
    neighbours: Sequence[Proposal],
    judge_beside: Callable[[tuple[Proposal, ...]], Judge],
) -> Taken | Objection:
    """Both items of a pair beside what stands in the conversation, or the first reason against one of them."""
    looks = []
    for each in ended:
        decision = reviews.taking(each.rejected) if each.rejected.given_up else None
        draft = each.result.last.draft
        if decision is not None and decision.turns is not None:
            if len(decision.turns) != len(draft.exchanges):
                return Objection(
                    each.plan.id, f"its edit has {len(decision.turns)} turns, the item has {len(draft.exchanges)} gold turns"
                )
            draft = rewrite(draft, decision.turns, decision.replies)
        looks.append((each, decision, draft))
    entries, used = [], []
    for each, decision, draft in looks:
        others = (*neighbours, *(other.proposal for _, _, other in looks if other.plan.id != each.plan.id))
        edited = draft is not each.result.last.draft
        verdict = judge_beside(others)(draft, _audit(each, edited=edited))
        if decision is None:
            if found := [*verdict.failed, *verdict.undecided]:
                return Objection(each.plan.id, f"does not stand beside the other items: {found[0].gate}: {found[0].reason}")
            entries.append(Accepted(draft, each.result.last.attempt, verdict))
            continue
        verdict = _with_as_seen(verdict, each.result, edited=edited, is_arc=each.plan.family.is_arc)
        findings = [*verdict.failed, *verdict.undecided]
        for finding in [*(found for found in findings if found.gate in BINDING), *_of_answers(draft, record)]:
            why = f"no person may overrule {finding.gate} ({BINDING[finding.gate]}): {finding.reason}"
            return Objection(each.plan.id, f"a person took it, and {why}")
        entries.append(Accepted(draft, each.result.last.attempt, verdict, _review(decision, findings)))
        used.append(UsedReview(decision=decision, judged=each.rejected))
    return Taken(tuple(entries), tuple(used))


def no_room(pair: PairPlan, kept: Sequence[PairPlan], spoken: Sequence[tuple[str, str]], drafts: Sequence[Draft]) -> str | None:
    """Why a pair cannot stand among the pairs of its conversation: its places are taken, its topic is, or words touch.

    `spoken` are the texts of what stands there, each with its item's topic.
    """
    taken = tuple(turn.slot for other in kept for item in other.items for turn in item.turns)
    if not room_for([turn.slot for item in pair.items for turn in item.turns], taken):
        return "its places are taken by now"
    if any(other.arc.frame_id == pair.arc.frame_id for other in kept):
        return "another pair tells of the same matter by now"
    own = [(draft.plan.topic, text) for draft in drafts for exchange in draft.exchanges for text in (exchange.text, exchange.reply)]
    named = next(_named(own, (*own, *spoken)), None) or next(_named(spoken, own), None)
    return f"{named[0]!r} is named by another item: {named[1][:60]!r}" if named else None


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


def _of_answers(draft: Draft, record: Record) -> Iterator[Finding]:
    """What binds the partner's answers, which the loop's gates do not read."""
    for exchange in draft.exchanges:
        if exchange.reply.rstrip(" \"')").endswith("?"):
            yield Finding(gate="seam", version="1", reason=f"the answer ends in a question: {exchange.reply[-60:]!r}")
    said = [
        turn.model_copy(update={"speaker": draft.plan.partner, "text": exchange.reply})
        for turn, exchange in zip(draft.proposal.turns, draft.exchanges, strict=True)
    ]
    case = Case(draft.proposal.model_copy(update={"turns": said}), record, record.parser)
    for gate in _OF_ANSWERS:
        result = gate.judge(case)
        if result.outcome in (Outcome.FAIL, Outcome.UNDECIDED):
            yield result.finding.model_copy(update={"reason": f"in the answer: {result.reason}"})


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

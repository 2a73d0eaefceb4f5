"""Rounds: the pairs of all conversations at once through the loop, and then settled in their order.

What comes out does not depend on which answer came first: an item is judged against what stood before its round, and pairs are
taken one after another in the order of plan and corpus.
"""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from langchain_core.runnables import RunnableConfig

from arcs.items import ItemPlan, PairPlan
from inject.agents.asking import NO_REPLY
from inject.agents.judges import AwaitedJudge, Judges, JudgesHere
from inject.agents.nodes import ItemEvent, ItemStage, Tell
from inject.agents.told import ModelBrief, ToldVoice, tell_pair
from inject.conversation import OpenConversation, Refused, ReleaseMemory, count_pair
from inject.drafts import FactAudit
from inject.graph import RECURSION_LIMIT, Judge, LoopResult, LoopState, feedback_of
from inject.judging import judge_with
from inject.rejects import end, refusal
from inject.splice import Accepted
from twistcore.errors import EndpointDownError, LimitReachedError, ModelFailedError
from twistcore.fingerprints import fingerprint

# Original questions that an item may perturb, by round: fewer rounds than offline, since each one is paid for.
ALLOWED = (0, 0, 2, 8, 1_000)
# Graphs under way for each call that may be in flight: while some wait for their gates the others' calls are out, and at a round's
# end few are left that are still to be begun.
WAITING = 4


@dataclass(frozen=True)
class Table:
    """What the rounds of a run work with. `run` is the run's fingerprint: checkpoints of another run are not its own."""

    loop: Any
    run: str
    concurrency: int
    rounds: int
    tell: Tell
    judges: Judges = field(default_factory=JudgesHere)


@dataclass(frozen=True, slots=True)
class AskedItem:
    """One item to take through the loop: what it is to say, who judges it, and the number of its round."""

    brief: ModelBrief
    judge: Judge | AwaitedJudge
    number: int


@dataclass(frozen=True, slots=True)
class EndedItem:
    """How an item ended, with the finding of its last audit."""

    brief: ModelBrief
    result: LoopResult
    audit: FactAudit | None


async def place_pairs(
    table: Table,
    conversations: Sequence[OpenConversation],
    voices: Mapping[str, Mapping[str, ToldVoice]],
    memory: ReleaseMemory,
) -> None:
    """Take the conversations' pairs through the loop, round after round, until all are placed or no round is left.

    Raises LimitReachedError, EndpointDownError or ModelFailedError after a round in which items could not be finished: what was
    answered is kept, and the same run goes on from there. ModelFailedError too where no item of any round got usable replies.
    """
    ended: list[EndedItem] = []
    going = [(conversation, conversation.rounds(ALLOWED)) for conversation in conversations]
    for number in range(1, table.rounds + 1):
        planned = []
        for conversation, rounds in going:
            current = next(rounds, None)
            if current is None:
                continue
            planned.append((conversation, current))
            for pair in current.pairs:
                count_pair(memory, pair)
        if not any(current.pairs for _, current in planned):
            if not planned:
                return
            continue
        asked = []
        for conversation, current in planned:
            judge, told = table.judges.beside(conversation, conversation.neighbours()), voices[conversation.sample_id]
            for pair in current.pairs:
                briefs = tell_pair(pair, conversation.frame_of(pair), conversation.record, told)
                asked += [AskedItem(brief, judge, number) for brief in briefs]
        results = await run_items(table, asked)
        ended += results.values()
        _require_replies(ended)
        for conversation, current in planned:
            for pair in current.pairs:
                _settle(table, conversation, pair, current.allowed, results, memory)


async def run_items(table: Table, asked: Sequence[AskedItem]) -> dict[str, EndedItem]:
    """Every item's end, by its id. All are waited for, also when one fails: their answers are paid for.

    Raises LimitReachedError, EndpointDownError or ModelFailedError where items could not be finished.
    """
    for each in asked:
        table.tell(ItemEvent(ItemStage.PLANNED, each.brief.plan.sample_id, each.brief.plan.id))
    room = asyncio.Semaphore(WAITING * table.concurrency)

    async def within(each: AskedItem) -> EndedItem:
        async with room:
            return await _run_one(table, each)

    ends = await asyncio.gather(*(within(each) for each in asked), return_exceptions=True)
    failures = [ended for ended in ends if isinstance(ended, BaseException)]
    for kind in (LimitReachedError, EndpointDownError):
        if stopped := next((failure for failure in failures if isinstance(failure, kind)), None):
            raise stopped
    if other := next((failure for failure in failures if not isinstance(failure, ModelFailedError)), None):
        raise other
    if failures:
        raise ModelFailedError(
            f"{len(failures)} of {len(asked)} items could not be finished ({failures[0]})",
            remedy="run the same command again: what was answered is kept",
        )
    return {each.brief.plan.id: ended for each, ended in zip(asked, ends, strict=True) if not isinstance(ended, BaseException)}


def _require_replies(ended: Sequence[EndedItem]) -> None:
    """An item may be lost to a model that refuses it. Where all are, the model is not fit for the work, and there is no release."""
    silent = [why for each in ended if (why := _silence(each)) is not None]
    if silent and len(silent) == len(ended):
        raise ModelFailedError(
            f"none of {len(ended)} items could be judged for want of usable replies ({silent[0]})",
            remedy="try another model, or a longer --max-tokens, with another --out",
        )


def _silence(each: EndedItem) -> str | None:
    """Why an item's last attempt was not judged, where a model gave no usable reply."""
    opinion = each.result.last.opinion
    for reason in (each.audit.reason if each.audit else "", opinion.reason if opinion else ""):
        if reason.startswith(NO_REPLY):
            return reason
    return None


async def _run_one(table: Table, each: AskedItem) -> EndedItem:
    plan = each.brief.plan
    config: RunnableConfig = {
        "configurable": {
            "thread_id": fingerprint([table.run, each.number, plan.id]),
            "brief": each.brief,
            "judge": each.judge,
        },
        "recursion_limit": RECURSION_LIMIT,
    }
    known = await table.loop.aget_state(config)
    start: LoopState | None = None if known.values else {"attempt": 0, "history": []}
    try:
        state: LoopState = known.values if known.values and not known.next else await table.loop.ainvoke(start, config=config)
    except (ModelFailedError, LimitReachedError) as error:
        table.tell(ItemEvent(ItemStage.UNFINISHED, plan.sample_id, plan.id, reason=str(error)))
        raise
    ended = EndedItem(each.brief, LoopResult.of(state), state["audit"])
    failed = "" if ended.result.accepted else _failed_at(ended.result)
    table.tell(ItemEvent(ItemStage.ENDED, plan.sample_id, plan.id, len(ended.result.attempts), failed))
    return ended


def _settle(
    table: Table,
    conversation: OpenConversation,
    pair: PairPlan,
    allowed: int,
    results: Mapping[str, EndedItem],
    memory: ReleaseMemory,
) -> None:
    outcome = _outcome(conversation, pair, allowed, results)
    if isinstance(outcome, Refused):
        count_pair(memory, pair, -1)
    conversation.settle(pair, outcome)
    refused = {each.id: each.reason for each in outcome.rejects} if isinstance(outcome, Refused) else {}
    for item in pair.items:
        stage = ItemStage.REJECTED if isinstance(outcome, Refused) else ItemStage.ACCEPTED
        attempts = len(results[item.id].result.attempts)
        table.tell(ItemEvent(stage, item.sample_id, item.id, attempts, refused.get(item.id, "")))


def _outcome(
    conversation: OpenConversation,
    pair: PairPlan,
    allowed: int,
    results: Mapping[str, EndedItem],
) -> list[Accepted] | Refused:
    """A pair whose items both ended well, beside each other and beside what was taken before them in this round."""
    items = [results[item.id] for item in pair.items]
    ended: list[tuple[ItemPlan, LoopResult]] = [(item.brief.plan, item.result) for item in items]

    def refused(reasons: Sequence[str | None], touched: int = 0) -> Refused:
        told = zip(items, reasons, strict=True)
        return Refused(tuple(end(each.brief.plan, each.result, why, each.audit, placed=True) for each, why in told), touched)

    if not all(result.accepted for _, result in ended):
        return refused([None if result.accepted else _why(result) for _, result in ended])
    entries: list[Accepted] = []
    for plan, result in ended:
        others = (*conversation.neighbours(), *(other.last.draft.proposal for each, other in ended if each.id != plan.id))
        judge = judge_with(conversation.tools.judge, conversation.judged, others)
        verdict = judge(result.last.draft, results[plan.id].audit)
        if verdict.failed or verdict.undecided:
            found = [*verdict.failed, *verdict.undecided][0]
            why = f"does not stand beside the other items: {found.gate}: {found.reason}"
            return refused([why if each.id == plan.id else None for each, _ in ended])
        entries.append(Accepted(result.last.draft, result.last.attempt, verdict))
    touched = {plan.id: conversation.tools.perturbs(result.last.draft) for plan, result in ended}
    most = max(len(each) for each in touched.values())
    if most > allowed:
        return refused([refusal(len(touched[plan.id]) > allowed, touched[plan.id]) for plan, _ in ended], most)
    return entries


def _why(result: LoopResult) -> str:
    return f"{len(result.attempts)} attempts failed, the last at {_failed_at(result)}"


def _failed_at(result: LoopResult) -> str:
    return ", ".join(dict.fromkeys(finding.gate for finding in feedback_of(result.last)))

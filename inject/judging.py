"""Judging a draft in its place: the gates beside the other items of a conversation, with what its plan has wrong itself."""

from __future__ import annotations

from collections.abc import Callable

from arcs.items import SlotKind
from arcs.schedule import far_enough
from inject.answers import with_answers
from inject.drafts import Draft, FactAudit, WrittenExchange
from inject.gates.case import Case, Record
from inject.graph import Judge
from inject.handbacks import hands_back
from inject.proposals import Proposal
from twistcore.verdicts import Verdict

# All gates folded into one verdict (`inject.gates.registry.verdict`).
Gates = Callable[[Case], Verdict]


def judge_with(gates: Gates, record: Record, others: tuple[Proposal, ...]) -> Judge:
    """The judge of an item beside the other items of its conversation. An audit says that a model wrote it, answers and all."""

    def judge(draft: Draft, audit: FactAudit | None) -> Verdict:
        verdict = gates(case_of(draft, record, others, audit))
        return with_answers(verdict, draft, record, others) if audit is not None else verdict

    return judge


def case_of(draft: Draft, record: Record, neighbours: tuple[Proposal, ...], audit: FactAudit | None) -> Case:
    """A draft as gates judge it, with what the plan itself has wrong."""
    problems = tuple(
        f"turn {exchange.planned.role.value} stands at a {exchange.planned.slot.kind.value} seam {wrong}"
        for exchange in draft.exchanges
        if exchange.planned.slot.kind is SlotKind.BRIDGE and (wrong := _unreturned(exchange, record))
    )
    if not far_enough(draft.plan.anchor.slot, draft.plan.later.slot):
        problems = (*problems, "anchor and later turn are too close")
    return Case(draft.proposal, record, record.parser, draft.plan, neighbours, problems, audit)


def _unreturned(exchange: WrittenExchange, record: Record) -> str | None:
    """How a bridge fails to give the floor back."""
    if not exchange.hands_back:
        return "without a handback"
    slot = exchange.planned.slot
    before, following = record.conversation.session(slot.session).turns[slot.after - 1 : slot.after + 1]
    if hands_back(before.text, exchange.reply, following.text, record.conversation.speakers):
        return None
    return f'and its reply names nothing of what the turn before was about ("{before.text[-60:]}")'

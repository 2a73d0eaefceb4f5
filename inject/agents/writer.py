"""Writer and reviser: prose for a brief, and the same prose mended after what checks found. The reviser is not told the gold."""

from __future__ import annotations

import re
from collections.abc import Sequence

from arcs.items import PlannedTurn
from inject.agents.asking import Desk
from inject.agents.prompt_set import Agent, load_parts
from inject.agents.replies import WrittenItem, WrittenTurn, written_item
from inject.agents.told import ModelBrief, ToldTurn
from inject.drafts import Draft, WrittenExchange
from twistcore.chat.usage import CallLabel
from twistcore.verdicts import Finding

_QUOTES = str.maketrans({"‘": "'", "’": "'", "“": '"', "”": '"', "–": "-", "—": "-", "…": "...", "\xa0": " "})


async def write(desk: Desk, brief: ModelBrief) -> Draft:
    """The first draft of an item."""
    found = await desk.ask(Agent.WRITER, written_item(len(brief.turns)), _label(Agent.WRITER, brief, 1), **writer_values(brief))
    return draft_of(brief, found)


async def revise(desk: Desk, brief: ModelBrief, draft: Draft, findings: Sequence[Finding], attempt: int) -> Draft:
    """The next draft, after findings against the one before."""
    values = reviser_values(brief, draft, findings)
    found = await desk.ask(Agent.REVISER, written_item(len(brief.turns)), _label(Agent.REVISER, brief, attempt), **values)
    return draft_of(brief, found)


def unwritten(brief: ModelBrief) -> Draft:
    """The draft where a writer's every reply was unusable: it says nothing, so that gates stop it and the reviser has a try."""
    nothing = WrittenTurn(answer="", statement="", reply="", handback="", states=[])
    return draft_of(brief, WrittenItem(turns=[nothing] * len(brief.turns)))


def is_unwritten(draft: Draft) -> bool:
    """Whether a draft says nothing at all."""
    return not any(exchange.text or exchange.reply for exchange in draft.exchanges)


def writer_values(brief: ModelBrief) -> dict[str, object]:
    """What the writer's prompt is filled with: the whole plan, in words."""
    parts = [load_parts().of(turn, brief.plan) for turn in brief.plan.turns]
    return {"holder": brief.holder, "partner": brief.partner, "turns": brief.turns, "parts": parts, "taboo": brief.taboo}


def reviser_values(brief: ModelBrief, draft: Draft, findings: Sequence[Finding]) -> dict[str, object]:
    """What the reviser's prompt is filled with: no family, no belief, no label."""
    written = [_written(exchange, told) for exchange, told in zip(draft.exchanges, brief.turns, strict=True)]
    return {
        "holder": brief.holder,
        "partner": brief.partner,
        "turns": brief.turns,
        "written": written,
        "findings": findings,
        "taboo": brief.taboo,
    }


def _written(exchange: WrittenExchange, told: ToldTurn) -> WrittenTurn:
    reply = exchange.reply.removesuffix(exchange.handback).rstrip()
    return WrittenTurn(
        answer=exchange.text[: exchange.start].rstrip(),
        statement=exchange.quote,
        reply=reply,
        handback=exchange.handback,
        states=[fact.id for fact in told.facts if fact.claim],
    )


def draft_of(brief: ModelBrief, found: WrittenItem) -> Draft:
    """A reply as a draft: white space and quotation marks evened out, and nothing else. What is wrong with it is for the gates."""
    plan = brief.plan
    exchanges = tuple(_exchange(*each) for each in zip(plan.turns, brief.turns, found.turns, strict=True))
    return Draft.of(plan, exchanges)


def _exchange(planned: PlannedTurn, told: ToldTurn, turn: WrittenTurn) -> WrittenExchange:
    # What a place has no room for is not told: an answer to nobody, a handback to nothing.
    answer = even(turn.answer) if told.before is not None else ""
    handback = even(turn.handback) if told.bridge else ""
    statement, reply = even(turn.statement), even(turn.reply)
    text = f"{answer} {statement}".strip()
    return WrittenExchange(planned, text, len(text) - len(statement), len(text), f"{reply} {handback}".strip(), handback)


def _label(agent: Agent, brief: ModelBrief, attempt: int) -> CallLabel:
    return CallLabel(agent.value, brief.plan.sample_id, brief.plan.id, attempt)


def even(text: str) -> str:
    """A model's text on one line, in ASCII quotation marks and dashes."""
    return re.sub(r"\s+", " ", text.translate(_QUOTES)).strip()

"""The fact auditor: the atomic facts of a turn and its answer against those of the plan (DESIGN.md rule 7). It sees nothing else.

A model may wave everything through. Names and figures need no judgement, so those that nobody told of are counted by plain code.
"""

from __future__ import annotations

import asyncio
import re
from collections.abc import Sequence

from inject.agents.asking import NO_REPLY, Desk
from inject.agents.prompt_set import Agent
from inject.agents.replies import AuditReply
from inject.agents.told import ModelBrief, ToldTurn
from inject.drafts import Draft, FactAudit, WrittenExchange
from inject.facts import INVENTED_WEIGHT, OMITTED_WEIGHT
from twistcore.chat.usage import CallLabel
from twistcore.errors import NoUsableReplyError

VERSION = "2"
# What the turn before said may be taken up.
BEFORE = "before"
_FIGURE = re.compile(r"\d+")
# A capital where no sentence, quotation or aside begins.
_NAME = re.compile(r"(?<=[a-z0-9,'] )[A-Z][a-z]+")
_WORD = re.compile(r"[a-z]+|\d+")


async def audit(desk: Desk, brief: ModelBrief, draft: Draft, attempt: int) -> FactAudit:
    """The finding on a draft: that of its worst turn, each being audited by itself; `d` is None where one could not be told."""
    label = CallLabel(Agent.AUDITOR.value, brief.plan.sample_id, brief.plan.id, attempt)
    people = (brief.holder.name, brief.partner.name)

    async def of(exchange: WrittenExchange, told: ToldTurn) -> FactAudit:
        try:
            reply = await desk.ask(Agent.AUDITOR, AuditReply, label, **auditor_values(exchange, told))
        except NoUsableReplyError as error:
            return unaudited(error.message)
        return weigh_audit(reply, told, unlisted(exchange, told, people))

    return _worst(await asyncio.gather(*(of(*each) for each in zip(draft.exchanges, brief.turns, strict=True))))


def unaudited(why: str) -> FactAudit:
    """The finding where a model's every reply was unusable."""
    return _finding((), (), None, f"{NO_REPLY}: {why}")


def auditor_values(exchange: WrittenExchange, told: ToldTurn) -> dict[str, object]:
    """What the auditor's prompt is filled with: never frame, slot or template, and not which facts make up the claim."""
    return {
        "before": told.before.text if told.before else None,
        "facts": told.facts,
        "text": exchange.text,
        "reply": exchange.reply,
    }


def unlisted(exchange: WrittenExchange, told: ToldTurn, people: Sequence[str]) -> tuple[str, ...]:
    """Names and figures of a turn and its answer that stand in no fact, nor in the turns beside it, and are no speaker's."""
    beside = [said.text for said in (told.before, told.after) if said is not None]
    known = set(_WORD.findall(" ".join([*(fact.text for fact in told.facts), *told.times, *beside, *people]).lower()))
    said = f"{exchange.text} {exchange.reply}"
    found = dict.fromkeys(_NAME.findall(said) + _FIGURE.findall(said))
    return tuple(each for each in found if each.lower() not in known)


def weigh_audit(reply: AuditReply, told: ToldTurn, names: Sequence[str] = ()) -> FactAudit:
    """The divergence of one turn. A claim fact counts as stated only where a fact of the text is said to say it, and an id that
    is not in the list supports nothing. `names` are invented whatever the auditor says of them."""
    if reply.cannot_tell:
        return _finding((), (), None, "the auditor could not tell")
    known = {fact.id for fact in told.facts} | ({BEFORE} if told.before is not None else set())
    stated = {each for said in reply.said for each in said.supported_by} - set(reply.left_out)
    claim = [fact for fact in told.facts if fact.claim]
    omitted = tuple(fact.text for fact in claim if fact.id not in stated)
    unsupported = [said.fact for said in reply.said if not known.intersection(said.supported_by)]
    unseen = [name for name in names if not any(name.lower() in fact.lower() for fact in unsupported)]
    invented = (*unsupported, *(f"{name!r}, which no listed fact names" for name in unseen))
    if not reply.said:
        return _finding(omitted, (), None, "the auditor found no fact in the text")
    d = OMITTED_WEIGHT * (len(omitted) / len(claim) if claim else 0.0) + INVENTED_WEIGHT * len(invented) / (
        len(reply.said) + len(unseen)
    )
    return _finding(omitted, invented, d, "")


def _finding(omitted: tuple[str, ...], invented: tuple[str, ...], d: float | None, reason: str) -> FactAudit:
    return FactAudit(
        auditor=Agent.AUDITOR.value, version=VERSION, omitted=list(omitted), invented=list(invented), d=d, reason=reason
    )


def _worst(audits: list[FactAudit]) -> FactAudit:
    unsure = [each for each in audits if each.d is None]
    return unsure[0] if unsure else max(audits, key=lambda each: each.d or 0.0)

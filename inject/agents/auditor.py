"""The fact auditor: the atomic facts of a text against those of its plan (DESIGN.md rule 7). It sees text and fact list only."""

from __future__ import annotations

import asyncio

from inject.agents.asking import Desk
from inject.agents.prompt_set import Agent
from inject.agents.replies import AuditReply
from inject.agents.told import ModelBrief, ToldTurn
from inject.drafts import Draft, FactAudit, WrittenExchange
from inject.facts import INVENTED_WEIGHT, OMITTED_WEIGHT
from twistcore.chat.usage import CallLabel

VERSION = "1"
# What the turn before said may be taken up.
BEFORE = "before"


async def audit(desk: Desk, brief: ModelBrief, draft: Draft, attempt: int) -> FactAudit:
    """The finding on a draft: that of its worst turn, each being audited by itself; `d` is None where one could not be told."""
    label = CallLabel(Agent.AUDITOR.value, brief.plan.sample_id, brief.plan.id, attempt)
    replies = await asyncio.gather(
        *(
            desk.ask(Agent.AUDITOR, AuditReply, label, **auditor_values(exchange, told))
            for exchange, told in zip(draft.exchanges, brief.turns, strict=True)
        )
    )
    return _worst([weigh_audit(reply, told) for reply, told in zip(replies, brief.turns, strict=True)])


def auditor_values(exchange: WrittenExchange, told: ToldTurn) -> dict[str, object]:
    """What the auditor's prompt is filled with: never frame, slot or template, and not which facts make up the claim."""
    return {"before": told.before.text if told.before else None, "facts": told.facts, "text": exchange.text}


def weigh_audit(reply: AuditReply, told: ToldTurn) -> FactAudit:
    """The divergence of one turn. A claim fact counts as stated only where a fact of the text is said to say it, and an id that
    is not in the list supports nothing."""
    if reply.cannot_tell:
        return _finding((), (), None, "the auditor could not tell")
    known = {fact.id for fact in told.facts} | ({BEFORE} if told.before is not None else set())
    stated = {each for said in reply.said for each in said.supported_by} - set(reply.left_out)
    claim = [fact for fact in told.facts if fact.claim]
    omitted = tuple(fact.text for fact in claim if fact.id not in stated)
    invented = tuple(said.fact for said in reply.said if not known.intersection(said.supported_by))
    if not reply.said:
        return _finding(omitted, (), None, "the auditor found no fact in the text")
    d = OMITTED_WEIGHT * (len(omitted) / len(claim) if claim else 0.0) + INVENTED_WEIGHT * len(invented) / len(reply.said)
    return _finding(omitted, invented, d, "")


def _finding(omitted: tuple[str, ...], invented: tuple[str, ...], d: float | None, reason: str) -> FactAudit:
    return FactAudit(
        auditor=Agent.AUDITOR.value, version=VERSION, omitted=list(omitted), invented=list(invented), d=d, reason=reason
    )


def _worst(audits: list[FactAudit]) -> FactAudit:
    unsure = [each for each in audits if each.d is None]
    return unsure[0] if unsure else max(audits, key=lambda each: each.d or 0.0)

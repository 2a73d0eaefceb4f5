"""The loop's nodes where a model writes, audits, verifies and revises. Gates, routes and acceptance are the loop's own."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from enum import StrEnum

from langchain_core.runnables import RunnableConfig

from inject.agents.asking import Desk
from inject.agents.auditor import audit, unaudited
from inject.agents.prompt_set import Agent
from inject.agents.told import ModelBrief
from inject.agents.verifier import verify
from inject.agents.writer import is_unwritten, revise, unwritten, write
from inject.graph import LoopState, Nodes, feedback_of, seen_lines, with_opinion
from twistcore.chat.usage import CallLabel
from twistcore.errors import NoUsableReplyError


class ItemStage(StrEnum):
    """Where an item stands, for whoever watches a run."""

    PLANNED = "planned"
    WRITING = "writing"
    REVISING = "revising"
    ENDED = "ended"
    ACCEPTED = "accepted"
    REJECTED = "rejected"
    UNFINISHED = "unfinished"


@dataclass(frozen=True, slots=True)
class ItemEvent:
    """An item came to a stage; `reason` says why it is revised, rejected or unfinished. One that ended in the loop is not settled
    yet beside the others: its reason names the checks that it failed, and is empty where it passed."""

    stage: ItemStage
    sample_id: str
    item: str
    attempt: int = 1
    reason: str = ""


Tell = Callable[[ItemEvent], None]


def agent_nodes(desk: Desk, tell: Tell) -> Nodes:
    """Nodes that ask through `desk`. The item's brief comes in as `configurable.brief`."""

    async def written(state: LoopState, config: RunnableConfig) -> LoopState:
        brief = _brief(config)
        tell(ItemEvent(ItemStage.WRITING, brief.plan.sample_id, brief.plan.id))
        try:
            return {"attempt": 1, "draft": await write(desk, brief), "opinion": None}
        except NoUsableReplyError as error:
            return {"attempt": 1, "draft": unwritten(brief), "audit": unaudited(error.message), "opinion": None}

    async def revised(state: LoopState, config: RunnableConfig) -> LoopState:
        brief, attempt, findings = _brief(config), state["attempt"] + 1, feedback_of(state["history"][-1])
        tell(ItemEvent(ItemStage.REVISING, brief.plan.sample_id, brief.plan.id, attempt, ", ".join(each.gate for each in findings)))
        try:
            return {"attempt": attempt, "draft": await revise(desk, brief, state["draft"], findings, attempt), "opinion": None}
        except NoUsableReplyError:
            # The attempt is spent on the draft as it was.
            return {"attempt": attempt, "draft": state["draft"], "opinion": None}

    async def audited(state: LoopState, config: RunnableConfig) -> LoopState:
        if is_unwritten(state["draft"]):
            # Nobody is asked about nothing; why nothing was written stands in the audit already.
            return {"audit": state.get("audit") or unaudited("the writer wrote nothing")}
        return {"audit": await audit(desk, _brief(config), state["draft"], state["attempt"])}

    async def verified(state: LoopState, config: RunnableConfig) -> LoopState:
        plan = _brief(config).plan
        label = CallLabel(Agent.VERIFIER.value, plan.sample_id, plan.id, state["attempt"])
        return with_opinion(state, await verify(desk, seen_lines(state["draft"]), label))

    return Nodes(written, revised, audited, verified)


def _brief(config: RunnableConfig) -> ModelBrief:
    found: ModelBrief = config["configurable"]["brief"]
    return found

"""How an agent asks: one model with its prompts, accounted to the item that it is asked for."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Protocol

from inject.agents.prompt_set import Agent, PromptSet
from twistcore.chat.dialect import Message, Sampling
from twistcore.chat.replies import ReplyT
from twistcore.chat.usage import CallLabel

# How often a call is tried. An item takes a dozen calls and is lost with any one of them: at three attempts an endpoint that fails
# one call in five would lose one item in fifteen, at six one in two thousand.
ATTEMPTS = 6


# How the reason of an audit or an opinion begins where its agent's every reply was unusable.
NO_REPLY = "no usable reply"


class Asks(Protocol):
    """Whoever answers: `twistcore.chat.asynchronous.AsyncChat`."""

    async def ask_json(
        self, sampling: Sampling, messages: Sequence[Message], schema: type[ReplyT], *, label: CallLabel
    ) -> ReplyT: ...


@dataclass(frozen=True)
class Models:
    """Which model plays which part. The writer's also scouts and revises, the verifier's also audits facts."""

    writer: Sampling
    verifier: Sampling

    def of(self, agent: Agent) -> Sampling:
        """An agent's model."""
        return self.verifier if agent in (Agent.AUDITOR, Agent.VERIFIER) else self.writer


@dataclass(frozen=True)
class Desk:
    """What all agents of a run share."""

    asks: Asks
    models: Models
    prompts: PromptSet

    async def ask(self, agent: Agent, schema: type[ReplyT], label: CallLabel, **values: Any) -> ReplyT:
        """One answer; raises what the client raises, and FrameError where the prompt cannot be filled."""
        return await self.asks.ask_json(self.models.of(agent), self.prompts[agent].render(**values), schema, label=label)

"""What a run with models would ask, without asking: the first round's plans, its prompts, and how many tokens they come to.

The writer's and the scout's prompts are those that a run sends. What the auditor and the verifier are shown is not written yet:
the facts of the plan stand in for it, so that their prompts have about the length that they will have.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import chain

from arcs.frames import Frame
from inject.agents.auditor import auditor_values
from inject.agents.prompt_set import Agent, PromptSet
from inject.agents.replies import WrittenItem, WrittenTurn
from inject.agents.scout import scout_values
from inject.agents.told import ModelBrief, ToldTurn, tell_pair, tell_voices
from inject.agents.verifier import verifier_values
from inject.agents.writer import draft_of, reviser_values, writer_values
from inject.conversation import OpenConversation, ReleaseMemory, count_pair
from inject.drafts import Draft
from inject.graph import MAX_ATTEMPTS, seen_lines
from inject.opening import Hosted
from twistcore.chat.dialect import Message
from twistcore.verdicts import Finding

# English text has about four characters a token.
CHARACTERS_A_TOKEN = 4
# Keys, quotation marks and reasons of a reply, in tokens beside the text itself.
_FRAME_TOKENS = {Agent.SCOUT: 180, Agent.WRITER: 90, Agent.REVISER: 90, Agent.AUDITOR: 60, Agent.VERIFIER: 60}
_STAND_IN = Finding(gate="voice", version="", reason="it sounds like nobody in this conversation")


@dataclass(frozen=True, slots=True)
class ForecastCall:
    """One call to come. `certain`: it is made for every item that goes well at once; others only where a draft is revised."""

    agent: Agent
    sample_id: str
    item: str
    messages: tuple[Message, ...]
    reply_tokens: int
    certain: bool

    @property
    def prompt_tokens(self) -> int:
        """About how many tokens the prompt has."""
        return -(-sum(len(message.content) for message in self.messages) // CHARACTERS_A_TOKEN)


def plan_first_round(conversations: Sequence[tuple[OpenConversation, Hosted]], memory: ReleaseMemory) -> list[ModelBrief]:
    """The briefs of every item that the first round takes up, in the order of corpus and plan."""
    briefs: list[ModelBrief] = []
    for conversation, host in conversations:
        voices = tell_voices(host.personas, host.record)
        current = next(conversation.rounds())
        for pair in current.pairs:
            count_pair(memory, pair)
            briefs += tell_pair(pair, conversation.frame_of(pair), conversation.record, voices)
    return briefs


def forecast_scouts(hosts: Sequence[Hosted], prompts: PromptSet, frames: Sequence[Frame], wanted: int) -> Iterator[ForecastCall]:
    """A call for every speaker."""
    for persona in chain.from_iterable(host.personas.values() for host in hosts):
        messages = tuple(prompts[Agent.SCOUT].render(**scout_values(persona, frames, wanted)))
        yield ForecastCall(Agent.SCOUT, persona.sample_id, persona.name, messages, _FRAME_TOKENS[Agent.SCOUT], certain=True)


def forecast_item(brief: ModelBrief, prompts: PromptSet) -> Iterator[ForecastCall]:
    """Every call that an item can take: those of its first attempt, and those of all further ones."""
    draft = draft_of(brief, WrittenItem(turns=[_stand_in(turn) for turn in brief.turns]))
    written = _tokens(" ".join(f"{exchange.text} {exchange.reply}" for exchange in draft.exchanges))
    for attempt in range(1, MAX_ATTEMPTS + 1):
        agent = Agent.WRITER if attempt == 1 else Agent.REVISER
        values = writer_values(brief) if attempt == 1 else reviser_values(brief, draft, [_STAND_IN])
        yield _call(agent, brief, prompts, values, written, certain=attempt == 1)
        yield from _judging(brief, draft, prompts, certain=attempt == 1)


def _judging(brief: ModelBrief, draft: Draft, prompts: PromptSet, *, certain: bool) -> Iterator[ForecastCall]:
    for exchange, told in zip(draft.exchanges, brief.turns, strict=True):
        yield _call(Agent.AUDITOR, brief, prompts, auditor_values(exchange, told), _tokens(exchange.text), certain=certain)
    yield _call(Agent.VERIFIER, brief, prompts, verifier_values(seen_lines(draft)), 0, certain=certain)


def _call(
    agent: Agent, brief: ModelBrief, prompts: PromptSet, values: dict[str, object], text_tokens: int, *, certain: bool
) -> ForecastCall:
    messages = tuple(prompts[agent].render(**values))
    return ForecastCall(agent, brief.plan.sample_id, brief.plan.id, messages, _FRAME_TOKENS[agent] + text_tokens, certain)


def _stand_in(turn: ToldTurn) -> WrittenTurn:
    return WrittenTurn(
        answer="That is good to hear, it made me smile.",
        statement=". ".join(fact.text for fact in turn.facts),
        reply="Sounds like you thought that through, good for you.",
        handback="And that thing you told me about is still on my mind.",
        states=[fact.id for fact in turn.facts],
    )


def _tokens(text: str) -> int:
    return -(-len(text) // CHARACTERS_A_TOKEN)

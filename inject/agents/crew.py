"""The crew: the models that scout, write, audit, verify and revise for a run, and the one call that sets them to work."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping, Sequence
from contextlib import AbstractAsyncContextManager
from dataclasses import dataclass
from pathlib import Path

from arcs.frames import load_frames
from inject.agents.asking import Asks, Desk, Models
from inject.agents.checkpoints import open_checkpoints
from inject.agents.judges import open_judges
from inject.agents.nodes import ItemEvent, ItemStage, Tell, agent_nodes
from inject.agents.prompt_set import PromptSet
from inject.agents.rounds import Table, place_pairs
from inject.agents.scout import prefer, scout
from inject.agents.told import tell_voices
from inject.config import InjectConfig
from inject.conversation import ConversationResult, OpenConversation, ReleaseMemory
from inject.graph import build_loop
from inject.opening import Fits, Hosted, Styles, open_conversation
from inject.reviews import NO_REVIEWS, Reviews
from locomo_patch.revalidation.questions import ConversationQuestions
from twistcore.cost import NO_COST, Cost
from twistcore.fingerprints import fingerprint

NAME = "llm"
# A scout picks from the whole catalogue; fewer than this leave the planner no choice where the record objects.
FEWEST_PICKS = 6


def picks_wanted(pairs: int) -> int:
    """How many topics a scout may pick for one speaker."""
    return max(FEWEST_PICKS, pairs)


@dataclass(frozen=True)
class ModelAuthor:
    """Who stands in the provenance of a key: the writer's model, and one hash over all prompts that had a part in it."""

    model: str | None
    prompt_sha256: str | None
    name: str = NAME


@dataclass(frozen=True)
class Crew:
    """The models of a run and how they are reached. `open_chat` gives a client that is closed when the run is
    over, `spent` what all calls of the run came to, in this process and in those before it; both take the run's account.
    """

    open_chat: Callable[[str], AbstractAsyncContextManager[Asks]]
    models: Models
    prompts: PromptSet
    concurrency: int
    rounds: int
    scouting: bool
    tell: Tell
    spent: Callable[[str], Cost] = lambda _account: NO_COST

    @property
    def author(self) -> ModelAuthor:
        """The author of everything that the crew writes."""
        return ModelAuthor(self.models.writer.model, fingerprint(self.prompts.hashes))

    async def inject(
        self,
        hosts: Sequence[Hosted],
        config: InjectConfig,
        styles: Styles,
        questions: Mapping[str, ConversationQuestions | None],
        checkpoints: Path,
        account: str,
        reviews: Reviews = NO_REVIEWS,
    ) -> list[ConversationResult]:
        """Place the pairs of all conversations; raises ModelFailedError or LimitReachedError when the run has to stop and can be
        gone on with."""
        async with self.open_chat(account) as asks, open_checkpoints(checkpoints) as saver:
            desk = Desk(asks, self.models, self.prompts)
            fits = await self._scout(desk, hosts, config) if self.scouting and config.pairs_per_conversation else {}
            memory = ReleaseMemory()
            conversations = [
                open_conversation(host, config, memory, styles, questions.get(sample_id), fits.get(sample_id), reviews)
                for host in hosts
                for sample_id in (host.record.conversation.sample_id,)
            ]
            voices = {host.record.conversation.sample_id: tell_voices(host.personas, host.record) for host in hosts}
            loop = build_loop(agent_nodes(desk, self.tell), saver, asynchronous=True)
            async with open_judges(conversations) as judges:
                table = Table(loop, fingerprint(config.basis), self.concurrency, self.rounds, self.tell, judges)
                await place_pairs(table, conversations, voices, memory)
            return [self._finish(conversation) for conversation in conversations]

    def _finish(self, conversation: OpenConversation) -> ConversationResult:
        """The result of a conversation; whoever watches hears of what people changed in it."""
        before = {entry.draft.plan.id for entry in conversation.accepted}
        result = conversation.finish(self.author)
        after = {key.id for key in result.keys}
        for item in sorted(after - before):
            self.tell(ItemEvent(ItemStage.ACCEPTED, result.sample_id, item, reason="people took its pair"))
        for reject in result.rejects:
            if reject.id in before:
                self.tell(ItemEvent(ItemStage.REJECTED, result.sample_id, reject.id, reason=reject.reason))
        return result

    async def _scout(self, desk: Desk, hosts: Sequence[Hosted], config: InjectConfig) -> dict[str, Fits]:
        frames = load_frames()
        wanted = picks_wanted(config.pairs_per_conversation)
        people = [(host, name) for host in hosts for name in host.record.conversation.speakers]
        found = await asyncio.gather(*(scout(desk, host.personas[name], frames, wanted) for host, name in people))
        fits: dict[str, dict[str, Callable[..., float]]] = {}
        for (host, name), picks in zip(people, found, strict=True):
            fits.setdefault(host.record.conversation.sample_id, {})[name] = prefer(host.fits[name], picks)
        return dict(fits)

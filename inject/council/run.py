"""Holds the council: every member is asked about every item, each by itself. A failed call is counted as failed, and is no vote."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import AsyncExitStack
from dataclasses import dataclass, field

from inject.agents.asking import Asks
from inject.council.ballots import Answer, Ballot, CouncilItem, render_lines, shorten_reason
from twistcore.chat.asynchronous import AsyncChat
from twistcore.chat.budget import Budget
from twistcore.chat.dialect import Message, Sampling
from twistcore.chat.endpoint import Endpoint
from twistcore.chat.journal import Journal
from twistcore.chat.prompts import Prompt
from twistcore.chat.sending import ChatLimits
from twistcore.chat.usage import CallEvent, CallLabel
from twistcore.errors import LimitReachedError, ModelFailedError

AGENT = "council"
LEAST_MEMBERS = 2


@dataclass
class _Sitting:
    """What the workers of one council share."""

    members: Mapping[str, Asks]
    todo: Iterator[tuple[CouncilItem, str]]
    messages: Mapping[str, list[Message]]
    told: Callable[[int], None]
    ballots: list[Ballot] = field(default_factory=list)
    stopped: LimitReachedError | None = None

    async def work(self) -> None:
        """Cast ballots until none is left or a limit is reached; a call in flight is let end, since it is paid for."""
        for item, member in self.todo:
            if self.stopped is not None:
                return
            try:
                self.ballots.append(await self._cast(item, member))
            except LimitReachedError as limit:
                self.stopped = limit
                return
            self.told(len(self.ballots))

    async def _cast(self, item: CouncilItem, member: str) -> Ballot:
        label = CallLabel(AGENT, item.sample_id, item.id)
        try:
            answer = await self.members[member].ask_json(Sampling(member), self.messages[item.id], Answer, label=label)
        except ModelFailedError as error:
            return Ballot(item=item.id, member=member, vote=None, reason=error.message, gold=item.gold)
        return Ballot(item=item.id, member=member, vote=answer.vote, reason=shorten_reason(answer.reason), gold=item.gold)


async def hold_council(
    items: Sequence[CouncilItem],
    members: Mapping[str, Asks],
    prompt: Prompt,
    *,
    concurrency: int = 8,
    told: Callable[[int], None] = lambda _: None,
) -> list[Ballot]:
    """Every member's ballot on every item, at most `concurrency` asked at once; `told` hears how many are cast.

    All prompts are filled before the first call. A member's failed call makes a ballot without a vote. Raises LimitReachedError,
    which says how far the council came, once no call is in flight any more; what was answered is in the clients' journal.
    """
    messages = {item.id: render_lines(prompt, item.lines) for item in items}
    # Item by item, so that a council that is cut short has whole items behind it.
    todo = ((item, member) for item in items for member in sorted(members))
    sitting = _Sitting(members, todo, messages, told)
    try:
        async with asyncio.TaskGroup() as group:
            for _ in range(min(concurrency, len(items) * len(members))):
                group.create_task(sitting.work())
    except ExceptionGroup as failures:
        # Of the errors of all workers one is enough: they share journal and disk.
        raise failures.exceptions[0] from None
    if sitting.stopped is not None:
        raise LimitReachedError(
            f"{sitting.stopped.message}; {len(sitting.ballots)} of {len(items) * len(members)} ballots are cast",
            remedy=sitting.stopped.remedy,
        )
    return sitting.ballots


async def convene_council(
    items: Sequence[CouncilItem],
    models: Sequence[str],
    prompt: Prompt,
    endpoint: Endpoint,
    *,
    limits: ChatLimits,
    journal: Journal | None = None,
    budget: Budget | None = None,
    told: Callable[[int], None] = lambda _: None,
    on_event: Callable[[CallEvent], None] | None = None,
) -> list[Ballot]:
    """A council of models behind one endpoint; `limits.concurrency` is for all of them together. Raises as `hold_council` does.

    Journal and budget are shared. Breaker and rate limiter are each member's own, so that a model that is not there ends nobody
    else's part.
    """
    async with AsyncExitStack() as open_clients:
        members: dict[str, Asks] = {}
        for model in models:
            # What got no usable reply is asked again by the next sitting: a failed ballot is to be mended, not kept.
            client = AsyncChat(endpoint, limits, journal=journal, budget=budget, on_event=on_event, insist=True)
            members[model] = await open_clients.enter_async_context(client)
        return await hold_council(items, members, prompt, concurrency=limits.concurrency, told=told)

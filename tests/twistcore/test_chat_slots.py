"""Slots: never more in flight than there are, first comers of each kind first, and none lost with a waiter that gives up."""

from __future__ import annotations

import asyncio

from hypothesis import given
from hypothesis import strategies as st

from twistcore.chat.slots import Slots


def test_those_who_ask_first_go_before_all_others_each_in_its_order() -> None:
    order: list[str] = []

    async def work() -> None:
        slots = Slots(1)

        async def ask(name: str, first: bool) -> None:
            async with slots.one(first=first):
                order.append(name)
                await asyncio.sleep(0)

        asked = [("a", False), ("b", False), ("x", True), ("c", False), ("y", True)]
        await asyncio.gather(*(ask(name, first) for name, first in asked))

    asyncio.run(work())
    assert order == ["a", "x", "y", "b", "c"]


@given(
    count=st.integers(1, 4),
    asked=st.lists(st.tuples(st.booleans(), st.integers(0, 3), st.booleans()), max_size=20),
)
def test_no_slot_is_lost_or_given_twice_whoever_gives_up(count: int, asked: list[tuple[bool, int, bool]]) -> None:
    async def work() -> None:
        slots, held, most = Slots(count), 0, 0

        async def ask(first: bool, turns: int) -> None:
            nonlocal held, most
            async with slots.one(first=first):
                held += 1
                most = max(most, held)
                try:
                    for _ in range(turns):
                        await asyncio.sleep(0)
                finally:
                    held -= 1

        async def forget(task: asyncio.Task[None], turns: int) -> None:
            for _ in range(turns):
                await asyncio.sleep(0)
            task.cancel()

        tasks = [asyncio.create_task(ask(first, turns)) for first, turns, _ in asked]
        quitting = [forget(task, turns) for task, (_, turns, leaves) in zip(tasks, asked, strict=True) if leaves]
        await asyncio.gather(*quitting)
        await asyncio.gather(*tasks, return_exceptions=True)
        assert most <= count
        # All slots are free again: so many can be held at once, without waiting.
        async with asyncio.timeout(1):
            inside = [slots.one(first=False) for _ in range(count)]
            for each in inside:
                await each.__aenter__()
            for each in inside:
                await each.__aexit__(None, None, None)

    asyncio.run(work())

"""How many requests may be in flight, and who is next when one has ended."""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager


class Slots:
    """So many slots, from one event loop. Those who ask `first` go before all others, each kind in the order of asking.

    Requests to a model that was never answered go first: whether it is there is found out before the rest is paid for.
    """

    def __init__(self, count: int) -> None:
        self._free = count
        self._first: deque[asyncio.Future[None]] = deque()
        self._others: deque[asyncio.Future[None]] = deque()

    @asynccontextmanager
    async def one(self, *, first: bool) -> AsyncIterator[None]:
        """A slot for the length of a block."""
        if self._free:
            self._free -= 1
        else:
            await self._wait(self._first if first else self._others)
        try:
            yield
        finally:
            self._pass_on()

    async def _wait(self, line: deque[asyncio.Future[None]]) -> None:
        waiter = asyncio.get_running_loop().create_future()
        line.append(waiter)
        try:
            await waiter
        except asyncio.CancelledError:
            # A waiter that gave up is passed over; one that was given its slot in that moment gives it on.
            if not waiter.cancelled():
                self._pass_on()
            raise

    def _pass_on(self) -> None:
        for line in (self._first, self._others):
            while line:
                waiter = line.popleft()
                if not waiter.done():
                    waiter.set_result(None)
                    return
        self._free += 1

"""The rate limiter: when an endpoint says wait, all that share it wait."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Awaitable, Callable, Mapping

_LIMITED = ("requests", "tokens")
_SPAN = re.compile(r"(?P<number>\d+(?:\.\d+)?)(?P<unit>ms|h|m|s)")
_UNITS = {"h": 3600.0, "m": 60.0, "s": 1.0, "ms": 0.001}
# Answers to requests sent after a refused one that show it to have been refused alone, and how many of them to each further
# refusal.
_PROOF, _PROOF_SHARE = 8, 3
# Refusals in a row that show the contrary.
_DOUBT = 3


class Limiter:
    """Holds back everything that would be sent to one endpoint while a pause lasts.

    A refusal with `Retry-After` pauses all until then. Some endpoints refuse single requests while they serve the rest (a busy
    replica, a gateway that sheds load): once eight requests that were sent *after* the refused one are answered, the pause is
    lifted, and further refusals hold only the request that they refuse, until three come in a row. `sleep` is passed in so that a
    test need not wait; `on_change` hears the seconds of a pause, and None when it ends.
    """

    def __init__(
        self,
        *,
        sleep: Callable[[float], Awaitable[object]] = asyncio.sleep,
        clock: Callable[[], float],
        longest_wait: float = 60.0,
        on_change: Callable[[float | None], None] | None = None,
    ) -> None:
        self._sleep, self._clock, self._longest_wait = sleep, clock, longest_wait
        self.on_change = on_change
        self._until = float("-inf")
        self._pausing: asyncio.Task[None] | None = None
        self._open = asyncio.Event()
        self._open.set()
        self._sent = 0
        self._first_refused: int | None = None
        self._served = self._refusals = self._in_a_row = 0
        self._alone = False
        self._stopped = False

    async def admit(self) -> int:
        """Wait until something may be sent; returns the request's number, for `answered` and `refused`."""
        while not self._open.is_set():
            await self._open.wait()
        self._sent += 1
        return self._sent

    def answered(self, number: int, headers: Mapping[str, str]) -> None:
        """A request was served. Its rate headers pause everybody where nothing is left until a reset."""
        self._in_a_row = 0
        if self._first_refused is not None and number > self._first_refused:
            self._served += 1
            if self._served >= max(_PROOF, _PROOF_SHARE * self._refusals):
                self._alone, self._first_refused = True, None
                self._end()
        wait = read_exhausted(headers)
        if wait is not None:
            self._pause(min(wait, self._longest_wait))

    def refused(self, number: int, seconds: float) -> None:
        """A request was refused and is to wait so long."""
        self._in_a_row += 1
        if self._in_a_row >= _DOUBT:
            self._alone = False
        if self._alone:
            return
        if self._first_refused is None:
            self._first_refused, self._served, self._refusals = number, 0, 0
        self._refusals += 1
        self._pause(seconds)

    def stop(self) -> None:
        """Let everything through: what waits is to end, not to be sent."""
        self._stopped = True
        self._end()

    def _pause(self, seconds: float) -> None:
        until = self._clock() + seconds
        if seconds <= 0 or self._stopped or (self._pausing is not None and until <= self._until):
            return
        self._until = until
        if self._pausing is not None:
            self._pausing.cancel()
        self._open.clear()
        self._pausing = asyncio.get_running_loop().create_task(self._last(seconds))
        if self.on_change is not None:
            self.on_change(seconds)

    async def _last(self, seconds: float) -> None:
        await self._sleep(seconds)
        self._pausing = None
        self._first_refused = None
        self._end()

    def _end(self) -> None:
        if self._pausing is not None:
            self._pausing.cancel()
            self._pausing = None
        if not self._open.is_set():
            self._open.set()
            if self.on_change is not None:
                self.on_change(None)


def read_exhausted(headers: Mapping[str, str]) -> float | None:
    """The seconds until requests or tokens are there again, where a response's rate headers say that none is left; the longer of
    the two. Spans are read as seconds or as `1m30s`, `20ms`."""
    waits = [
        wait
        for what in _LIMITED
        if headers.get(f"x-ratelimit-remaining-{what}", "").strip() == "0"
        and (wait := _read_span(headers.get(f"x-ratelimit-reset-{what}", ""))) is not None
    ]
    return max(waits, default=None)


def _read_span(text: str) -> float | None:
    given = text.strip().lower()
    try:
        plain = float(given)
    except ValueError:
        parts = list(_SPAN.finditer(given))
        if not parts or "".join(part.group() for part in parts) != given:
            return None
        return sum(float(part["number"]) * _UNITS[part["unit"]] for part in parts)
    # Larger numbers are points in time, not spans.
    return plain if 0 <= plain < 1e6 else None

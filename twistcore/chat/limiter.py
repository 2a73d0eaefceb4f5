"""The rate limiter: when an endpoint says wait, all that share it wait."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Awaitable, Callable, Mapping

_LIMITED = ("requests", "tokens")
_SPAN = re.compile(r"(?P<number>\d+(?:\.\d+)?)(?P<unit>ms|h|m|s)")
_UNITS = {"h": 3600.0, "m": 60.0, "s": 1.0, "ms": 0.001}
# So many refusals hold everybody before one is put to the test, over so many requests sent after it, of which so many must be
# served.
_BELIEVED, _TESTED, _SERVED = 2, 8, 6
# So many refusals in a row are put to the test again.
_DOUBTED = 3


class Limiter:
    """Holds back everything that would be sent to one endpoint while a pause lasts.

    A refusal with `Retry-After` pauses all until then. Some endpoints, though, refuse single requests while they serve the rest (a
    busy replica, a gateway that sheds load), and a pause of all for each would take most of a run. So after two pauses the next
    refusal is put to the test: sending goes on, and where at least six of the eight requests sent after the refused one are
    served, a refusal holds only the request that it refuses, until three come in a row; where they are not, all pause. The refused
    request itself always waits. `sleep` is passed in so that a test need not wait; `on_change` hears the seconds of a pause, and
    None when it ends.
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
        self._believed = self._in_a_row = 0
        self._alone = False
        # The refused request that is put to the test, and how those sent after it fared.
        self._refused: int | None = None
        self._fared: dict[int, bool] = {}
        self._stopped = False

    async def admit(self) -> None:
        """Wait until something may be sent."""
        while not self._open.is_set():
            await self._open.wait()

    def number(self) -> int:
        """The number of a request that is sent now, by which its end is told: `answered` or `refused`, and `ended` in any case."""
        self._sent += 1
        return self._sent

    def answered(self, number: int, headers: Mapping[str, str]) -> None:
        """A request was served. Its rate headers pause everybody where nothing is left until a reset."""
        self._in_a_row = 0
        self._weigh(number, True)
        wait = read_exhausted(headers)
        if wait is not None:
            self._pause(min(wait, self._longest_wait))

    def refused(self, number: int, seconds: float) -> None:
        """A request was refused and is to wait so long."""
        self._in_a_row += 1
        if self._refused is not None:
            if self._weigh(number, False) is False:
                self._pause(seconds)
        elif (self._alone and self._in_a_row >= _DOUBTED) or (not self._alone and self._believed >= _BELIEVED):
            self._refused, self._fared = number, {}
        elif not self._alone:
            self._believed += self._pausing is None
            self._pause(seconds)

    def ended(self, number: int) -> None:
        """A request came to its end, whatever it was: what was not refused was let through."""
        if number not in self._fared:
            self._weigh(number, True)

    def stop(self) -> None:
        """Let everything through: what waits is to end, not to be sent."""
        self._stopped = True
        self.lift()

    def lift(self) -> None:
        """End a pause at once."""
        if self._pausing is not None:
            self._pausing.cancel()
            self._pausing = None
        if not self._open.is_set():
            self._open.set()
            if self.on_change is not None:
                self.on_change(None)

    def _weigh(self, number: int, served: bool) -> bool | None:
        """Count a request in the test; once it is over, whether refusals are of single requests."""
        if self._refused is None or not self._refused < number <= self._refused + _TESTED:
            return None
        self._fared[number] = served
        refusals = len(self._fared) - sum(self._fared.values())
        if len(self._fared) < _TESTED and refusals <= _TESTED - _SERVED:
            return None
        self._alone, self._refused, self._believed, self._in_a_row = refusals <= _TESTED - _SERVED, None, 0, 0
        return self._alone

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
        self.lift()


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

"""Limits on what a run may spend. What a call is expected to take is reserved before it is sent and settled when it has ended."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass
from math import ceil

from twistcore.chat.prices import Prices
from twistcore.chat.replies import Tokens
from twistcore.errors import LimitReachedError

# What a call is expected to take before any reply has come; after that, what calls took on average. English text has about four
# characters a token.
_A_CHARACTER, _A_REPLY = 0.25, 256


@dataclass(frozen=True, slots=True)
class Reservation:
    """What one call is expected to take."""

    characters: int
    tokens: Tokens
    cost: float


class Budget:
    """At most `max_calls` requests and about `max_cost`, over all clients that share it; None sets no limit.

    Promised: never more than `max_calls` requests are sent, however many are in flight, since each is counted before it is sent,
    retries and requests for another form too. For cost, no request is sent while what was spent, what those in flight are expected
    to cost and its own expectation pass `max_cost` together; the limit is overshot by no more than what the requests in flight at
    that moment cost beyond their expectation. A request that was cut off (time limit, dropped connection) says no tokens and
    counts for nothing. Where an endpoint reports no tokens, the expectation counts. To be used from one event loop.
    """

    def __init__(
        self,
        *,
        max_calls: int | None = None,
        max_cost: float | None = None,
        prices: Prices | None = None,
        calls: int = 0,
        cost: float = 0.0,
    ) -> None:
        """`calls` and `cost` are what earlier runs spent, where the limits are to cover them too."""
        self.prices = prices or Prices()
        self.calls, self.cost = calls, cost
        self._max_calls, self._max_cost = max_calls, max_cost
        self._reserved, self._in_flight = 0.0, 0
        self._replies = self._characters = 0
        self._used = Tokens()
        self._waiting: list[asyncio.Future[None]] = []

    async def reserve(self, model: str, characters: int, longest_reply: int | None) -> Reservation:
        """Count a call before it is sent; waits where calls in flight might leave enough. Raises LimitReachedError where the limits
        allow no further call, and UsageError where cost is limited and the model has no price."""
        if self._max_cost is not None:
            self.prices.require(model)
        expected = self.expect(model, characters, longest_reply)
        while self._max_cost is not None and self.cost + self._reserved + expected.cost > self._max_cost:
            if not self._in_flight:
                raise LimitReachedError(
                    f"the limit of cost is reached: {self.cost:.4g} of {self._max_cost:g} spent",
                    remedy="run the same command again with a higher --max-cost",
                )
            waiter = asyncio.get_running_loop().create_future()
            self._waiting.append(waiter)
            await waiter
        if self._max_calls is not None and self.calls >= self._max_calls:
            raise LimitReachedError(
                f"the limit of {self._max_calls} calls is reached", remedy="run the same command again with a higher --max-calls"
            )
        self.calls += 1
        self._in_flight += 1
        self._reserved += expected.cost
        return expected

    def expect(self, model: str, characters: int, longest_reply: int | None) -> Reservation:
        """What a call is expected to take, by the length of its prompt and by what replies took so far."""
        a_character = self._used.prompt / self._characters if self._characters else _A_CHARACTER
        reply = self._used.completion / self._replies if self._replies else _A_REPLY
        longest = reply if longest_reply is None else longest_reply
        tokens = Tokens(ceil(characters * a_character), ceil(min(reply, longest)))
        return Reservation(characters, tokens, self.prices.cost(model, tokens))

    def settle(self, model: str, reserved: Reservation, used: Tokens | None) -> float:
        """Put what a call used in the place of what was expected; None where it brought no reply. Returns its cost."""
        self._in_flight -= 1
        # Sums of fractions leave a rest.
        self._reserved = self._reserved - reserved.cost if self._in_flight else 0.0
        cost = 0.0
        if used is not None:
            taken = used if used.prompt or used.completion else reserved.tokens
            cost = self.prices.cost(model, taken)
            self._replies, self._characters = self._replies + 1, self._characters + reserved.characters
            self._used = Tokens(self._used.prompt + taken.prompt, self._used.completion + taken.completion)
        self.cost += cost
        waiting, self._waiting = self._waiting, []
        for waiter in waiting:
            if not waiter.done():
                waiter.set_result(None)
        return cost

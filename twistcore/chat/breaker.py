"""The circuit breaker: stops a run whose every call fails, with one line."""

from __future__ import annotations

import asyncio
from collections import Counter

from twistcore.chat.faults import CallFault
from twistcore.errors import EndpointDownError


class Breaker:
    """Counts questions that failed one after another for want of an answer; replies that cannot be used are answers.

    Opens after `at_first` of them to a model that never answered (a wrong key, no such model, no route), after `later` to one that
    did, or to all models together. Models are counted apart, so that one that answers does not hide another that is not there. It
    stays open: what is behind it ends at once, unsent.
    """

    def __init__(self, *, at_first: int = 3, later: int = 20) -> None:
        self._at_first, self._later = at_first, later
        self._in_a_row = 0
        self._by_model: Counter[str] = Counter()
        self._answered: set[str] = set()
        self._why: EndpointDownError | None = None
        self.opened = asyncio.Event()

    @property
    def is_open(self) -> bool:
        """Whether nothing is sent any more."""
        return self._why is not None

    def check(self) -> None:
        """Raise EndpointDownError where it is open."""
        if self._why is not None:
            # A new one each time: raised from many tasks, one error would gather all their tracebacks.
            raise EndpointDownError(self._why.message, remedy=self._why.remedy)

    def answered(self, model: str) -> None:
        """A reply of a model came."""
        self._answered.add(model)
        self._by_model[model] = self._in_a_row = 0

    def failed(self, model: str, fault: CallFault) -> bool:
        """A question was given up; returns whether this opened the breaker."""
        self._in_a_row += 1
        self._by_model[model] += 1
        own, known = self._by_model[model], model in self._answered
        if self._why is not None or (own < (self._later if known else self._at_first) and self._in_a_row < self._later):
            return False
        since = "" if known else ", and none was ever answered"
        self._why = EndpointDownError(
            f"stopped: {own} questions to model {model} failed in a row{since}; last reason: {fault.reason}",
            remedy=fault.remedy,
        )
        self.opened.set()
        return True

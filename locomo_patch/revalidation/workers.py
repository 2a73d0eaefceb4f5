"""Decides conversations side by side: deciding is plain computing, and one process computes on one core only.

What is decided does not depend on how many work: each conversation is decided whole, by the same code, and the decisions are taken
in the order in which they were begun. Only questions and read turns go to a worker; parses, models and judges stay here.
"""

from __future__ import annotations

import multiprocessing
import os
import signal
import threading
from collections.abc import Callable, Sequence
from concurrent.futures import ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from dataclasses import replace
from types import TracebackType

from locomo_patch.revalidation.decide import decide_all
from locomo_patch.revalidation.questions import ConversationQuestions
from locomo_patch.revalidation.states import Decision
from locomo_patch.revalidation.turns import TurnReading

MOST = 2
# Pairs of a question and a turn from which a conversation is worth sending to another process (about half a second of deciding).
WORTH = 4000


def usable_cores() -> int:
    """How many workers are used where nothing else is said: the cores that this process may use, two at most."""
    cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    return min(MOST, cores)


class Workers:
    """Decides what is begun in up to `count` further processes (None: `usable_cores`); with one, here and when it is asked for.

    Use it as a context: on the way out nothing of it is left running. Workers end with the process that started them, however that
    ends.
    """

    def __init__(self, count: int | None = None, worth: int = WORTH) -> None:
        self._count = usable_cores() if count is None else count
        self._worth = worth
        self._pool: ProcessPoolExecutor | None = None

    def __enter__(self) -> Workers:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        if self._pool is not None:
            self._pool.shutdown(cancel_futures=True)

    def begin(self, context: ConversationQuestions, turns: Sequence[TurnReading]) -> Callable[[], list[Decision]]:
        """Begin to decide a conversation; what comes back waits for its decisions, and raises what deciding raised.

        What a worker cannot finish because the system ended it is decided here.
        """
        if self._count < 2 or len(context.readings) * len(turns) < self._worth:
            return lambda: decide_all(context, turns)
        # What is kept goes by the identity of objects, which a copy in another process does not have.
        sent = replace(context, kept={}), [replace(reading, kept={}) for reading in turns]
        try:
            future = self._started().submit(decide_all, *sent)
        except BrokenProcessPool:
            return lambda: decide_all(context, turns)

        def wait() -> list[Decision]:
            try:
                return future.result()
            except BrokenProcessPool:
                return decide_all(context, turns)

        return wait

    def _started(self) -> ProcessPoolExecutor:
        if self._pool is None:
            self._pool = ProcessPoolExecutor(self._count, multiprocessing.get_context(_start_method()), _prepare)
        return self._pool


def _start_method() -> str:
    """A fork has the dictionaries already; beside other threads it could inherit a lock that nobody opens."""
    forks = "fork" in multiprocessing.get_all_start_methods() and threading.active_count() == 1
    return "fork" if forks else "spawn"


def _prepare() -> None:
    """In a worker: an interrupt is the parent's to handle, and the parent's end is the worker's."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    threading.Thread(target=_end_with_parent, daemon=True).start()


def _end_with_parent() -> None:
    parent = multiprocessing.parent_process()
    if parent is not None:
        parent.join()
        os._exit(1)

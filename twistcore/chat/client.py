"""The client for callers that are not asynchronous: the same sending core, on an event loop in a thread of its own."""

from __future__ import annotations

import asyncio
import random
import threading
import time
from collections.abc import Callable, Coroutine, Sequence
from types import TracebackType
from typing import Any, Self, TypeVar

from twistcore.chat.asynchronous import AsyncChat
from twistcore.chat.breaker import Breaker
from twistcore.chat.budget import Budget
from twistcore.chat.dialect import Dialect, Message, Sampling
from twistcore.chat.endpoint import Endpoint
from twistcore.chat.journal import Journal
from twistcore.chat.replies import ReplyT
from twistcore.chat.sending import ChatLimits
from twistcore.chat.usage import CallEvent, CallLabel, Usage
from twistcore.errors import UsageError

Done = TypeVar("Done")
# Whoever asks one question after the other counts failures for himself.
_NEVER = 1_000_000_000


class ChatClient:
    """Asks one model behind one endpoint; may be shared by threads. Nothing is sent, no thread is started and no SDK is loaded
    before the first question. What it promises of an answer, a `journal` and a `budget` is what AsyncChat does; it has no breaker.

    `sleep` and `clock` are passed in, so that a test need not wait. `on_event` hears of everything that happens, in the thread that
    sends.
    """

    def __init__(
        self,
        endpoint: Endpoint,
        sampling: Sampling,
        limits: ChatLimits | None = None,
        *,
        journal: Journal | None = None,
        budget: Budget | None = None,
        sleep: Callable[[float], None] | None = None,
        clock: Callable[[], float] = time.monotonic,
        jitter: random.Random | None = None,
        on_event: Callable[[CallEvent], None] | None = None,
        insist: bool = False,
    ) -> None:
        self.sampling = sampling

        async def nap(seconds: float) -> None:
            if sleep is None:
                await asyncio.sleep(seconds)
            else:
                sleep(seconds)

        self._chat = AsyncChat(
            endpoint,
            limits,
            journal=journal,
            budget=budget,
            breaker=Breaker(at_first=_NEVER, later=_NEVER),
            sleep=nap,
            clock=clock,
            jitter=jitter,
            on_event=on_event,
            insist=insist,
        )
        self._lock = threading.Lock()
        self._loop: asyncio.AbstractEventLoop | None = None
        self._thread: threading.Thread | None = None
        self._closed = False

    @property
    def model(self) -> str:
        """The model's name."""
        return self.sampling.model

    @property
    def usage(self) -> Usage:
        """What was spent so far."""
        return self._chat.usage

    @property
    def dialect(self) -> Dialect:
        """What the endpoint was found to take."""
        return self._chat.dialect_of(self.model)

    def ask_json(self, messages: Sequence[Message], schema: type[ReplyT], *, label: CallLabel | str = "") -> ReplyT:
        """The model's answer as an instance of `schema`; `messages` end with the user's. Raises what AsyncChat.ask_json does."""
        whose = CallLabel(label) if isinstance(label, str) else label
        return self._run(self._chat.ask_json(self.sampling, messages, schema, label=whose))

    def close(self) -> None:
        """Close the connections and end the thread; the client cannot be asked again."""
        with self._lock:
            loop, self._loop, self._closed = self._loop, None, True
        if loop is None or self._thread is None:
            return
        asyncio.run_coroutine_threadsafe(self._end(loop), loop).result()
        loop.call_soon_threadsafe(loop.stop)
        self._thread.join()
        loop.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        self.close()

    def _run(self, work: Coroutine[Any, Any, Done]) -> Done:
        with self._lock:
            if self._closed:
                work.close()
                raise UsageError("the model client is closed", remedy="make another")
            if self._loop is None:
                self._loop = asyncio.new_event_loop()
                self._thread = threading.Thread(target=self._loop.run_forever, name="chat", daemon=True)
                self._thread.start()
            running = asyncio.run_coroutine_threadsafe(work, self._loop)
        try:
            return running.result()
        except BaseException:
            # An interrupted caller (Ctrl-C) no longer wants the answer.
            running.cancel()
            raise

    async def _end(self, loop: asyncio.AbstractEventLoop) -> None:
        await self._chat.close()
        # Names of hosts are looked up in threads of the loop's own.
        await loop.shutdown_default_executor()

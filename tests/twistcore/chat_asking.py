"""What the tests of the asynchronous client share: a shape, a question, and a client of the scripted server."""

from __future__ import annotations

import asyncio
import random
from collections.abc import Iterable
from pathlib import Path
from typing import Any, Literal

from pydantic import BaseModel, ConfigDict
from scripted_server import Answer, Received, ScriptedServer, say

from twistcore.chat.asynchronous import AsyncChat
from twistcore.chat.dialect import Message, Sampling
from twistcore.chat.endpoint import Endpoint
from twistcore.chat.journal import Journal
from twistcore.chat.sending import ChatLimits
from twistcore.chat.usage import CallEvent, CallLabel, EventKind
from twistcore.errors import TwistError

KEY = "sk-secret-0123456789abcdef"
GOOD = {"colour": "red", "count": 2, "note": None}
TINY = Sampling("tiny")


class Found(BaseModel):
    """What the tests ask for."""

    model_config = ConfigDict(extra="forbid")

    colour: Literal["red", "blue"]
    count: int
    note: str | None


def ask_about(item: object) -> list[Message]:
    """A question of its own for each item."""
    return [Message("system", "Be brief."), Message("user", f"Which colour, how many? <{item}>")]


def echo(received: Received) -> Answer:
    """Answers with the item of the question, so that a mixed-up answer would show."""
    return say({**GOOD, "note": item_of(received)})


def item_of(received: Received) -> str:
    """Which item a request is about."""
    return received.text.rpartition("<")[2].partition(">")[0]


class Clock:
    """A clock that only sleeping moves."""

    def __init__(self) -> None:
        self.now = 0.0
        self.slept: list[float] = []

    def __call__(self) -> float:
        return self.now

    async def sleep(self, seconds: float) -> None:
        self.slept.append(seconds)
        self.now += seconds
        await asyncio.sleep(0)


def make_chat(server: ScriptedServer, journal: Journal | None = None, **given: Any) -> AsyncChat:
    """A client of the scripted server with short waits."""
    limits = given.pop("limits", ChatLimits(timeout=5.0, first_wait=0.02, longest_wait=5.0, concurrency=16))
    return AsyncChat(Endpoint(server.base_url, KEY), limits, journal=journal, jitter=random.Random(1), **given)


def run_all(
    server: ScriptedServer, items: Iterable[object], journal: Path | None = None, *, nonce: str | int = "", **given: Any
) -> dict[str, Found | TwistError]:
    """Ask about all items at once, each answer or error under its item."""

    async def work() -> dict[str, Found | TwistError]:
        kept = Journal(journal, run=given.pop("run", "")) if journal is not None else None
        try:
            async with make_chat(server, kept, **given) as chat:
                listed = [str(item) for item in items]
                asked = (
                    chat.ask_json(TINY, ask_about(item), Found, label=CallLabel("writer", "conv-1", item, nonce=nonce))
                    for item in listed
                )
                found = await asyncio.gather(*asked, return_exceptions=True)
        finally:
            if kept is not None:
                kept.close()
        for each in found:
            if not isinstance(each, Found | TwistError):
                raise each
        return dict(zip(listed, found, strict=True))  # type: ignore[arg-type] - checked just above

    return asyncio.run(work())


def ended(events: Iterable[CallEvent]) -> list[CallEvent]:
    """The requests that were sent, as they ended."""
    return [event for event in events if event.kind in (EventKind.ANSWERED, EventKind.FAULTED)]

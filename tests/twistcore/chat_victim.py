"""A run of the client that a test kills: asks questions 0 to N-1 and prints each item as it is answered."""

from __future__ import annotations

import asyncio
import sys
from pathlib import Path

from chat_asking import KEY, TINY, Found, ask_about

from twistcore.chat.asynchronous import AsyncChat
from twistcore.chat.endpoint import Endpoint
from twistcore.chat.journal import Journal
from twistcore.chat.sending import ChatLimits
from twistcore.chat.usage import CallLabel


async def run(base_url: str, journal: Path, count: int, concurrency: int) -> None:
    """Ask everything at once."""
    limits = ChatLimits(timeout=10.0, first_wait=0.05, concurrency=concurrency)
    with Journal(journal) as kept:
        async with AsyncChat(Endpoint(base_url, KEY), limits, journal=kept) as chat:

            async def ask(item: int) -> None:
                found = await chat.ask_json(TINY, ask_about(item), Found, label=CallLabel("writer", item=str(item)))
                print(item, found.model_dump_json(), flush=True)

            await asyncio.gather(*(ask(item) for item in range(count)))


if __name__ == "__main__":
    asyncio.run(run(sys.argv[1], Path(sys.argv[2]), int(sys.argv[3]), int(sys.argv[4])))

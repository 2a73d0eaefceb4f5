"""How fast model calls are: `python -m benchmarks.llm_client [--calls 2000] [--in-flight 64] [--latency 0.05]`.

One scripted server in a process of its own answers everything; each line is one way to ask it the same number of questions: the
bare SDK on the same transport, our client without and with its journal, a rerun out of the journal, and other tools where an
environment variable names a Python that has them (TWIST_CURATOR, TWIST_DESIGNER, TWIST_DISTILABEL). All in one run, one after the
other. The ideal is calls x latency / in flight. CPU is that of the asking process.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Awaitable, Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import httpx2
import openai
from pydantic import BaseModel, ConfigDict
from rich.console import Console
from rich.table import Table

from twistcore.chat.asynchronous import AsyncChat
from twistcore.chat.dialect import Dialect, Message, Sampling, build_body
from twistcore.chat.endpoint import Endpoint
from twistcore.chat.journal import Journal
from twistcore.chat.sending import ChatLimits
from twistcore.chat.usage import CallLabel

PEERS = {
    "bespokelabs-curator": ("TWIST_CURATOR", "ask_curator.py"),
    "data-designer": ("TWIST_DESIGNER", "ask_designer.py"),
    "distilabel": ("TWIST_DISTILABEL", "ask_distilabel.py"),
}
ROOT = Path(__file__).parents[1]
TINY = Sampling("tiny")


class Reply(BaseModel):
    """What is asked for."""

    model_config = ConfigDict(extra="forbid")

    colour: str
    count: int
    note: str | None


CONTENT = Reply(colour="red", count=2, note=None).model_dump_json()


@dataclass(frozen=True)
class Timed:
    """One line of the table."""

    name: str
    wall: float
    cpu: float
    calls: int
    note: str = ""


def _ask(number: int) -> list[Message]:
    return [Message("system", "Be brief."), Message("user", f"{number} " + "What colour is it, and how many are there? " * 20)]


async def _at_once(ask: Callable[[int], Awaitable[object]], calls: int, in_flight: int) -> tuple[float, float]:
    """Wall and CPU seconds of so many questions, after one that is not timed and opens what has to be opened."""
    numbers = iter(range(calls))

    async def work() -> None:
        for number in numbers:
            await ask(number)

    await ask(-1)
    wall, cpu = time.perf_counter(), time.process_time()
    await asyncio.gather(*(work() for _ in range(in_flight)))
    return time.perf_counter() - wall, time.process_time() - cpu


async def _bare(base_url: str, calls: int, in_flight: int, *, aiohttp: bool, typed: bool) -> tuple[float, float]:
    """A plain loop over the SDK: its typed method, or its `post` as our client uses it."""
    http = openai.DefaultAioHttpClient() if aiohttp else None
    async with openai.AsyncOpenAI(base_url=base_url, api_key="none", max_retries=0, http_client=http) as sdk:

        async def ask(number: int) -> None:
            body = build_body(TINY, Dialect(), _ask(number), Reply, spell_out=False)
            if typed:
                completion = await sdk.chat.completions.create(**body)
                Reply.model_validate_json(completion.choices[0].message.content)
            else:
                response = await sdk.post("/chat/completions", content=json.dumps(body).encode(), cast_to=httpx2.Response)
                Reply.model_validate_json(json.loads(response.content)["choices"][0]["message"]["content"])

        return await _at_once(ask, calls, in_flight)


async def _ours(base_url: str, calls: int, in_flight: int, path: Path | None) -> tuple[float, float]:
    journal = Journal(path) if path is not None else None
    limits = ChatLimits(timeout=60.0, concurrency=in_flight)
    try:
        async with AsyncChat(Endpoint(base_url, "none"), limits, journal=journal) as chat:
            return await _at_once(
                lambda number: chat.ask_json(TINY, _ask(number), Reply, label=CallLabel("bench", item=str(number))),
                calls,
                in_flight,
            )
    finally:
        if journal is not None:
            journal.close()


def _peer(name: str, base_url: str, calls: int, in_flight: int) -> Timed | None:
    variable, script = PEERS[name]
    python = os.environ.get(variable)
    if not python:
        return None
    with tempfile.TemporaryDirectory() as folder:
        command = [python, str(ROOT / "benchmarks" / "peers" / script), base_url, str(calls), str(in_flight), folder]
        ran = subprocess.run(command, capture_output=True, text=True, check=False, timeout=600)
    lines = [line for line in ran.stdout.splitlines() if line.startswith('{"wall"')]
    if not lines:
        return Timed(name, float("nan"), float("nan"), calls, f"failed: {ran.stderr.strip().splitlines()[-1:]}")
    found = json.loads(lines[-1])
    return Timed(f"{name} {found['version']}", found["wall"], found["cpu"], calls, f"{found['rows']} rows")


@contextmanager
def _server(latency: float) -> Iterator[str]:
    command = [sys.executable, "-m", "tests.scripted_server", "--latency", str(latency), "--content", CONTENT]
    process = subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, text=True)
    try:
        if process.stdout is None:
            raise RuntimeError("the server has no output")
        yield process.stdout.readline().strip()
    finally:
        process.terminate()
        process.wait()


def _measure(base_url: str, calls: int, in_flight: int, folder: Path) -> Iterator[Timed]:
    def timed(name: str, figures: tuple[float, float], note: str = "") -> Timed:
        return Timed(name, *figures, calls, note)

    bare = {"base_url": base_url, "calls": calls, "in_flight": in_flight}
    yield timed("AsyncOpenAI, httpx2, typed", asyncio.run(_bare(**bare, aiohttp=False, typed=True)))
    yield timed("AsyncOpenAI, aiohttp, typed", asyncio.run(_bare(**bare, aiohttp=True, typed=True)), "bare loop")
    floor = asyncio.run(_bare(**bare, aiohttp=True, typed=False))
    yield timed("AsyncOpenAI, aiohttp, post", floor, "what the client layer sends through")
    yield timed("client layer, no journal", asyncio.run(_ours(**bare, path=None)), "limiter, retries, breaker, parsing")
    yield timed("client layer, journal", asyncio.run(_ours(**bare, path=folder / "calls.sqlite")), "each answer on disk first")
    yield timed("client layer, all kept", asyncio.run(_ours(**bare, path=folder / "calls.sqlite")), "sends nothing")
    for name in PEERS:
        found = _peer(name, base_url, calls, in_flight)
        if found is not None:
            yield found


def main(arguments: Sequence[str] | None = None) -> int:
    """Print the table."""
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--calls", type=int, default=2000)
    options.add_argument("--in-flight", type=int, default=64)
    options.add_argument("--latency", type=float, default=0.05, help="seconds")
    given = options.parse_args(arguments)
    for name in ("HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY", "http_proxy", "https_proxy", "all_proxy"):
        os.environ.pop(name, None)
    ideal = given.calls * given.latency / given.in_flight
    table = Table(title=f"{given.calls} calls of {given.latency:g} s, {given.in_flight} in flight: ideal {ideal:.2f} s")
    for column in ("", "wall s", "CPU ms a call", "calls a second", "of ideal", ""):
        table.add_column(column)
    with _server(given.latency) as base_url, tempfile.TemporaryDirectory() as folder:
        for each in _measure(base_url, given.calls, given.in_flight, Path(folder)):
            cpu = 1000 * each.cpu / each.calls
            table.add_row(
                each.name, f"{each.wall:.2f}", f"{cpu:.2f}", f"{each.calls / each.wall:.0f}", f"{each.wall / ideal:.2f}", each.note
            )
    Console().print(table)
    return 0


if __name__ == "__main__":
    sys.exit(main())

"""One measured run of calls in a process of its own: a bare SDK loop, the client layer, or the whole loop, printed as JSON.

    python -m benchmarks.llm_loop bare|client|loop --url URL --corpus PATH [--items N] [--calls N] [--concurrency N] [--folder DIR]

`bare` and `client` send the calls that the loop would make for as many items, so that all three send the same bodies.
"""

from __future__ import annotations

import argparse
import asyncio
import gc
import json
import resource
import sys
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import asdict, dataclass, field, replace
from itertools import cycle, islice
from pathlib import Path
from typing import Any

from langgraph.checkpoint.memory import InMemorySaver
from pydantic import BaseModel
from scripted_server import Received

from benchmarks.llm_author import BenchAuthor, mark
from benchmarks.llm_items import VERIFIER, WRITER, Marking, Planned, read_planned, repeat
from inject.agents.asking import ATTEMPTS, Desk, Models
from inject.agents.checkpoints import open_checkpoints
from inject.agents.judges import JudgesHere, open_judges
from inject.agents.nodes import agent_nodes
from inject.agents.prompt_set import load_prompts
from inject.agents.rounds import EndedItem, Table, run_items
from inject.graph import build_loop
from twistcore.chat.asynchronous import AsyncChat
from twistcore.chat.dialect import Dialect, Message, Sampling, build_body
from twistcore.chat.endpoint import Endpoint
from twistcore.chat.journal import Journal
from twistcore.chat.replies import ReplyT, parse_text
from twistcore.chat.sending import ChatLimits
from twistcore.chat.usage import CallLabel
from twistcore.fingerprints import canonical_json, sha256_bytes

KEY = "benchmark"
JOURNAL, CHECKPOINTS = "journal.sqlite", "graph.sqlite"


@dataclass(frozen=True, slots=True)
class Question:
    """One call that the loop makes."""

    sampling: Sampling
    messages: tuple[Message, ...]
    schema: type[BaseModel]
    label: CallLabel


@dataclass
class Figures:
    """What a run came to, in its timed part: seconds of wall clock, and of processor time here (`cpu`) and where drafts are judged
    (`gates`); megabytes are the peaks of both."""

    calls: int = 0
    cached: int = 0
    wall: float = 0.0
    cpu: float = 0.0
    gates: float = 0.0
    items: int = 0
    ended: dict[str, int] = field(default_factory=dict)
    digest: str = ""
    megabytes: float = 0.0
    gates_megabytes: float = 0.0


@contextmanager
def timed(figures: Figures) -> Iterator[None]:
    """Times what is done inside."""
    gc.collect()
    wall, cpu = time.perf_counter(), time.process_time()
    yield
    figures.wall, figures.cpu = time.perf_counter() - wall, time.process_time() - cpu
    ended = resource.getrusage(resource.RUSAGE_CHILDREN)
    figures.gates, figures.gates_megabytes = ended.ru_utime + ended.ru_stime, ended.ru_maxrss / 1024


class InProcess:
    """Answers without a server, and remembers what it was asked."""

    def __init__(self) -> None:
        self._author = BenchAuthor()
        self.asked: list[Question] = []

    async def ask_json(self, sampling: Sampling, messages: Sequence[Message], schema: type[ReplyT], *, label: CallLabel) -> ReplyT:
        """The author's answer."""
        self.asked.append(Question(sampling, tuple(messages), schema, label))
        answer = self._author(Received("", {}, {"model": "", "messages": [asdict(message) for message in messages]}))
        return parse_text(json.loads(answer.raw or b"")["choices"][0]["message"]["content"], schema)


async def record_questions(planned: Sequence[Planned]) -> list[Question]:
    """The calls that the loop makes for each planned item once; it brings everything to working temperature too."""
    asks = InProcess()
    loop = build_loop(agent_nodes(desk_of(Marking(asks)), lambda _: None), InMemorySaver(), asynchronous=True)
    table = Table(loop, "", 1, 1, lambda _: None)
    await run_items(table, repeat(planned, len(planned), JudgesHere()))
    return asks.asked


def desk_of(asks: Any) -> Desk:
    """A desk with the prompts that ship."""
    return Desk(asks, Models(WRITER, VERIFIER), load_prompts())


def vary(questions: Sequence[Question], calls: int) -> list[Question]:
    """So many calls: the recorded ones over and over, each under a mark of its own."""
    out = []
    for number, each in enumerate(islice(cycle(questions), calls)):
        *before, last = each.messages
        said = f"{last.content.rpartition(chr(10))[0]}\n{mark(f'bare-{number}', 2)}"
        out.append(replace(each, messages=(*before, replace(last, content=said))))
    return out


async def send_bare(url: str, questions: Sequence[Question], concurrency: int, figures: Figures) -> None:
    """The calls through `AsyncOpenAI` on the aiohttp transport, with nothing around it."""
    from openai import AsyncOpenAI, DefaultAioHttpClient

    async with AsyncOpenAI(base_url=url, api_key=KEY, max_retries=0, http_client=DefaultAioHttpClient()) as client:
        bodies = iter([build_body(each.sampling, Dialect(), each.messages, each.schema, spell_out=False) for each in questions])

        async def work() -> None:
            for body in bodies:
                completion = await client.chat.completions.create(**body)
                json.loads(completion.choices[0].message.content or "")
                figures.calls += 1

        with timed(figures):
            await asyncio.gather(*(work() for _ in range(concurrency)))


async def send_through_client(url: str, questions: Sequence[Question], concurrency: int, folder: Path, figures: Figures) -> None:
    """The calls through the client layer with a journal."""
    waiting = iter(questions)
    with Journal(folder / JOURNAL) as journal:
        async with AsyncChat(Endpoint(url, KEY), ChatLimits(concurrency=concurrency), journal=journal) as chat:

            async def work() -> None:
                for each in waiting:
                    await chat.ask_json(each.sampling, each.messages, each.schema, label=each.label)

            with timed(figures):
                await asyncio.gather(*(work() for _ in range(concurrency)))
            figures.calls, figures.cached = chat.usage.calls, chat.usage.cached


async def run_loop(
    url: str, planned: Sequence[Planned], items: int, limits: ChatLimits, folder: Path, figures: Figures
) -> dict[str, EndedItem]:
    """Items through graph, checkpoints and gates, with a journal."""
    conversations = list({id(each.conversation): each.conversation for each in planned}.values())
    with timed(figures), Journal(folder / JOURNAL) as journal:
        async with (
            AsyncChat(Endpoint(url, KEY), limits, journal=journal) as chat,
            open_checkpoints(folder / CHECKPOINTS) as saver,
            open_judges(conversations) as judges,
        ):
            loop = build_loop(agent_nodes(desk_of(Marking(chat)), lambda _: None), saver, asynchronous=True)
            table = Table(loop, "bench", limits.concurrency, 1, lambda _: None, judges)
            ends = await run_items(table, repeat(planned, items, judges))
            figures.calls, figures.cached = chat.usage.calls, chat.usage.cached
    figures.items = len(ends)
    ways = Counter((ended.result.accepted, len(ended.result.attempts)) for ended in ends.values())
    figures.ended = {f"{'accepted' if ok else 'rejected'} {attempts}": count for (ok, attempts), count in sorted(ways.items())}
    figures.digest = digest(ends)
    return ends


def digest(ends: dict[str, EndedItem]) -> str:
    """A hash over how every item ended: the same for a run that was killed and gone on with."""
    told = [
        [ident, ended.result.accepted, [each.verdict.model_dump(mode="json") for each in ended.result.attempts]]
        + [[exchange.text, exchange.reply] for exchange in ended.result.last.draft.exchanges]
        for ident, ended in sorted(ends.items())
    ]
    return sha256_bytes(canonical_json(told).encode("ascii"))


async def measure(chosen: argparse.Namespace) -> Figures:
    """What the command line asks for."""
    figures = Figures()
    planned = read_planned(chosen.corpus)
    questions = await record_questions(planned)
    if chosen.what == "loop":
        limits = ChatLimits(timeout=chosen.timeout, attempts=ATTEMPTS, concurrency=chosen.concurrency)
        await run_loop(chosen.url, planned, chosen.items, limits, chosen.folder, figures)
    elif chosen.what == "client":
        await send_through_client(chosen.url, vary(questions, chosen.calls), chosen.concurrency, chosen.folder, figures)
    else:
        await send_bare(chosen.url, vary(questions, chosen.calls), chosen.concurrency, figures)
    figures.megabytes = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    return figures


def main() -> None:
    """Measure and print."""
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("what", choices=["bare", "client", "loop"])
    options.add_argument("--url", required=True)
    options.add_argument("--corpus", type=Path, required=True)
    options.add_argument("--items", type=int, default=24)
    options.add_argument("--calls", type=int, default=200)
    options.add_argument("--concurrency", type=int, default=64)
    options.add_argument("--timeout", type=float, default=120.0)
    options.add_argument("--folder", type=Path, default=Path())
    json.dump(asdict(asyncio.run(measure(options.parse_args()))), sys.stdout)


if __name__ == "__main__":
    main()

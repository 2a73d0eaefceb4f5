"""Who judges drafts while models are asked: a process of its own, so that gates hold up no call in flight.

Gates parse every text, which takes more time than all else that is done for a call. The process is forked with the records that it
judges against; where a system cannot fork, drafts are judged between calls. The verdicts are the same.
"""

from __future__ import annotations

import asyncio
import gc
import multiprocessing
import os
import pickle
import signal
import socket
import struct
from collections import deque
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator, Mapping, Sequence
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass
from typing import Any, NoReturn, Protocol

from inject.conversation import OpenConversation
from inject.drafts import Draft, FactAudit
from inject.graph import Judge
from inject.judging import judge_with
from inject.proposals import Proposal
from twistcore.errors import StorageError
from twistcore.verdicts import Verdict

# Parses of drafts that are held at most; those of records stay.
HELD = 1024
# Drafts that are parsed together at most: more of them gain nothing, and the first would wait for the last.
TOGETHER = 16
_LENGTH = struct.Struct("!I")
_CHUNK = 1 << 20

AwaitedJudge = Callable[[Draft, FactAudit | None], Awaitable[Verdict]]


class Judges(Protocol):
    """Gives the judge of a conversation's items, beside the other items that stand there."""

    def beside(self, conversation: OpenConversation, others: Sequence[Proposal]) -> Judge | AwaitedJudge: ...


class JudgesHere:
    """Judges where it is asked."""

    def beside(self, conversation: OpenConversation, others: Sequence[Proposal]) -> Judge:
        """A plain judge."""
        return judge_with(conversation.tools.judge, conversation.judged, tuple(others))


@dataclass(frozen=True, slots=True)
class _Case:
    """A draft to judge; `others` is the number under which its neighbours were told."""

    sample_id: str
    others: int
    draft: Draft
    audit: FactAudit | None


@dataclass(frozen=True, slots=True)
class _Others:
    """Proposals that stand in a conversation, told once."""

    number: int
    proposals: tuple[Proposal, ...]


class JudgesApart:
    """Judges in a process of its own. Answers come in the order of questions."""

    def __init__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self._reader, self._writer = reader, writer
        self._waiting: deque[asyncio.Future[Verdict]] = deque()
        self._told: dict[tuple[str, ...], int] = {}
        self._hearing = asyncio.get_running_loop().create_task(self._hear())

    def beside(self, conversation: OpenConversation, others: Sequence[Proposal]) -> AwaitedJudge:
        """A judge to wait for; it raises StorageError where the process is gone, and RuntimeError for a fault of a gate."""
        key = (conversation.sample_id, *(other.id for other in others))
        number = self._told.get(key)
        if number is None:
            number = self._told[key] = len(self._told)
            self._send(_Others(number, tuple(others)))

        async def judge(draft: Draft, audit: FactAudit | None) -> Verdict:
            answer: asyncio.Future[Verdict] = asyncio.get_running_loop().create_future()
            if self._hearing.done():
                raise _gone()
            self._waiting.append(answer)
            self._send(_Case(conversation.sample_id, number, draft, audit))
            return await answer

        return judge

    async def close(self) -> None:
        """Let the process end."""
        self._writer.close()
        self._hearing.cancel()
        await asyncio.wait([self._hearing])

    def _send(self, message: _Case | _Others) -> None:
        self._writer.write(_frame(message))

    async def _hear(self) -> None:
        try:
            while True:
                length = _LENGTH.unpack(await self._reader.readexactly(_LENGTH.size))[0]
                found = pickle.loads(await self._reader.readexactly(length))  # noqa: S301 - of our own process
                answer = self._waiting.popleft()
                if answer.done():
                    continue
                if isinstance(found, Verdict):
                    answer.set_result(found)
                else:
                    answer.set_exception(RuntimeError(f"a gate failed: {found}"))
        except (asyncio.IncompleteReadError, OSError):
            for answer in self._waiting:
                if not answer.done():
                    answer.set_exception(_gone())


@asynccontextmanager
async def open_judges(conversations: Sequence[OpenConversation]) -> AsyncIterator[Judges]:
    """Judges for conversations whose records stay as they are."""
    if "fork" not in multiprocessing.get_all_start_methods() or not conversations:
        yield JudgesHere()
        return
    ours, theirs = socket.socketpair()
    pid = os.fork()
    if pid == 0:
        _serve(theirs, {conversation.sample_id: conversation for conversation in conversations})
    theirs.close()
    reader, writer = await asyncio.open_connection(sock=ours)
    judges = JudgesApart(reader, writer)
    try:
        yield judges
    finally:
        await judges.close()
        await asyncio.to_thread(os.waitpid, pid, 0)


def _serve(asked: socket.socket, conversations: Mapping[str, OpenConversation]) -> NoReturn:
    """Answer until nobody asks any more, and leave without a trace of the process that this was forked from."""
    try:
        # Ctrl-C is for the process that asks; this one ends when that closes its end.
        signal.signal(signal.SIGINT, signal.SIG_IGN)
        _close_others(asked.fileno())
        # What came with the fork is shared with the parent until it is touched, and there is nothing to collect in it.
        gc.freeze()
        parsers = {conversation.record.parser: conversation.record.parser.held for conversation in conversations.values()}
        told: dict[int, tuple[Proposal, ...]] = {}
        with suppress(OSError):
            for batch in _batches(asked):
                cases = []
                for message in batch:
                    if isinstance(message, _Others):
                        told[message.number] = message.proposals
                    else:
                        cases.append(message)
                for start in range(0, len(cases), TOGETHER):
                    together = cases[start : start + TOGETHER]
                    asked.sendall(b"".join(_frame(answer) for answer in _judge(together, conversations, told)))
                for parser, own in parsers.items():
                    if parser.held > own + HELD:
                        parser.forget(after=own)
    finally:
        os._exit(0)


def _judge(
    cases: Sequence[_Case], conversations: Mapping[str, OpenConversation], told: Mapping[int, tuple[Proposal, ...]]
) -> list[Verdict | str]:
    """Judge some drafts, their texts parsed together; of a fault, its words."""
    texts: dict[str, list[str]] = {}
    for case in cases:
        texts.setdefault(case.sample_id, []).extend(turn.text for turn in case.draft.proposal.turns)
    for sample_id, said in texts.items():
        conversations[sample_id].record.parser.parse_all(said)
    answers: list[Verdict | str] = []
    for case in cases:
        conversation = conversations[case.sample_id]
        try:
            judge = judge_with(conversation.tools.judge, conversation.judged, told[case.others])
            answers.append(judge(case.draft, case.audit))
        except Exception as error:  # noqa: BLE001 - told to the process that asked, which raises it
            answers.append(f"{type(error).__name__}: {error}")
    return answers


def _batches(asked: socket.socket) -> Iterator[list[Any]]:
    """All messages that have come, as often as some have; ends with the connection."""
    held = b""
    while True:
        received = asked.recv(_CHUNK)
        if not received:
            return
        held += received
        messages = []
        while len(held) >= _LENGTH.size:
            end = _LENGTH.size + _LENGTH.unpack_from(held)[0]
            if len(held) < end:
                break
            messages.append(pickle.loads(held[_LENGTH.size : end]))  # noqa: S301 - of the process that this was forked from
            held = held[end:]
        if messages:
            yield messages


def _frame(message: object) -> bytes:
    packed = pickle.dumps(message, protocol=pickle.HIGHEST_PROTOCOL)
    return _LENGTH.pack(len(packed)) + packed


def _close_others(kept: int) -> None:
    """Let go of the parent's files and connections, which would stay open as long as this process lives."""
    os.closerange(3, kept)
    os.closerange(kept + 1, os.sysconf("SC_OPEN_MAX") if os.sysconf("SC_OPEN_MAX") < 1 << 16 else 1 << 16)


def _gone() -> StorageError:
    return StorageError("the process that judges drafts has ended", remedy="run the same command again: what was answered is kept")

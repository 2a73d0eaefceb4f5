"""The journal of calls: every answer is on disk before anybody sees it, so that no rerun pays for it again. SQLite, one file."""

from __future__ import annotations

import asyncio
import queue
import sqlite3
import threading
from collections.abc import Callable, Collection, Sequence
from contextlib import suppress
from dataclasses import asdict, dataclass
from pathlib import Path
from types import TracebackType
from typing import Any, Self

from pydantic import TypeAdapter, ValidationError

from twistcore.chat.dialect import Dialect
from twistcore.chat.usage import CallEvent, EventKind
from twistcore.errors import StorageError, TwistError, UsageError
from twistcore.fingerprints import canonical_json

# "TWJ1", by which a journal is told from another database.
_APPLICATION = 0x54574A31
_VERSION = 1
_TABLES = (
    "CREATE TABLE IF NOT EXISTS answers (address TEXT PRIMARY KEY, model TEXT NOT NULL, raw BLOB NOT NULL)",
    "CREATE TABLE IF NOT EXISTS parsed (address TEXT, shape TEXT, value TEXT NOT NULL, PRIMARY KEY (address, shape)) WITHOUT ROWID",
    "CREATE TABLE IF NOT EXISTS dialects (endpoint TEXT, model TEXT, dialect TEXT NOT NULL, PRIMARY KEY (endpoint, model))",
    "CREATE TABLE IF NOT EXISTS calls (run TEXT NOT NULL, agent TEXT NOT NULL, sample_id TEXT NOT NULL, item TEXT NOT NULL, "
    "attempt INTEGER NOT NULL, model TEXT NOT NULL, cached INTEGER NOT NULL, outcome TEXT NOT NULL, status INTEGER, "
    "seconds REAL NOT NULL, prompt_tokens INTEGER NOT NULL, completion_tokens INTEGER NOT NULL, cost REAL NOT NULL)",
)
_FIND = (
    "SELECT raw, value FROM answers LEFT JOIN parsed ON parsed.address = answers.address AND shape = ? WHERE answers.address = ?"
)
_KEEP = "INSERT INTO answers VALUES (?, ?, ?) ON CONFLICT DO NOTHING"
_PARSED = "INSERT INTO parsed VALUES (?, ?, ?) ON CONFLICT DO NOTHING"
_LEARN = "INSERT INTO dialects VALUES (?, ?, ?) ON CONFLICT DO UPDATE SET dialect = excluded.dialect"
_CALL = "INSERT INTO calls VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)"
_GROUPS = ("run", "agent", "sample_id", "item", "attempt", "model", "outcome")
_DIALECT = TypeAdapter(Dialect)
_MOVE = "move the file away to start a new journal; what it answered is then asked again"
_HELD = "is held by another process", "wait until that has ended, or give this run a journal of its own"
_SAID = {
    sqlite3.SQLITE_BUSY: _HELD,
    sqlite3.SQLITE_LOCKED: _HELD,
    sqlite3.SQLITE_CORRUPT: ("is damaged", _MOVE),
    sqlite3.SQLITE_NOTADB: ("is no journal of model calls, or is damaged", _MOVE),
    sqlite3.SQLITE_FULL: ("cannot be written: the disk is full", "make room, then run the same command again"),
    sqlite3.SQLITE_READONLY: ("cannot be written", "see who owns the file"),
    sqlite3.SQLITE_CANTOPEN: ("cannot be opened", "see that its folder can be written"),
}


@dataclass(frozen=True, slots=True)
class KeptAnswer:
    """A response as it came, by the address of what was asked; `value` is what it was parsed to for the schema asked about."""

    raw: bytes
    value: str | None


@dataclass(frozen=True, slots=True)
class CallTotals:
    """Calls of one group. `calls` counts requests, whatever came of them, `answered` those that brought a reply that could be used,
    `cached` replies out of the journal, which are no calls and cost nothing."""

    group: tuple[str | int, ...]
    calls: int
    answered: int
    cached: int
    prompt_tokens: int
    completion_tokens: int
    cost: float
    seconds: float


_Done = Callable[[TwistError | None, bytes | None], None]


@dataclass(frozen=True, slots=True)
class _Work:
    """What the writer is to put on disk: any part may be missing. `done` hears, in the writer's thread, how it went."""

    answer: tuple[str, str, bytes] | None = None
    parsed: tuple[str, str, str] | None = None
    call: tuple[Any, ...] | None = None
    dialect: tuple[str, str, str] | None = None
    done: _Done | None = None


class Journal:
    """Answers by address, what they were parsed to, which dialect an endpoint takes, and an account of every call.

    Answers that arrive together are committed together (one fsync) by a thread of its own, and each is handed out after its
    commit. Any number of clients may share a journal, and two processes too. `run` names the run in the account. Raises
    StorageError for a file that is damaged, is held by another process for longer than `busy` seconds, or is no journal.
    """

    def __init__(self, path: Path, *, run: str = "", busy: float = 10.0) -> None:
        self._path, self._run, self._busy = path, run, busy
        self._lock = threading.Lock()
        self._broken: TwistError | None = None
        self._closed = False
        self._reader = self._open()
        self._queue: queue.SimpleQueue[_Work | None] = queue.SimpleQueue()
        self._writer = threading.Thread(target=self._write_all, name="journal", daemon=True)
        self._writer.start()

    def find(self, address: str, shape: str) -> KeptAnswer | None:
        """The answer to what has this address, with its value for the schema that hashes to `shape`."""
        row = self._read(_FIND, (shape, address))
        return KeptAnswer(bytes(row[0][0]), row[0][1]) if row else None

    async def keep(self, address: str, raw: bytes, call: CallEvent, parsed: tuple[str, str] | None = None) -> bytes:
        """Put an answer on disk with its account and, as (shape, value), what it was parsed to. Returns the answer that stands:
        where another process was first, its own."""
        loop = asyncio.get_running_loop()
        waiter: asyncio.Future[bytes] = loop.create_future()

        def settle(error: TwistError | None, stands: bytes) -> None:
            if waiter.done():
                return
            if error is not None:
                waiter.set_exception(error)
            else:
                waiter.set_result(stands)

        def done(error: TwistError | None, earlier: bytes | None) -> None:
            # A loop that was closed meanwhile has nobody left who waits.
            with suppress(RuntimeError):
                loop.call_soon_threadsafe(settle, error, raw if earlier is None else earlier)

        shaped = (address, *parsed) if parsed is not None else None
        self._put(_Work((address, call.model, raw), shaped, self._row(call), done=done))
        return await waiter

    def note(self, call: CallEvent) -> None:
        """Account for a call that brought no new answer. Written soon, and at the latest by `close`."""
        self._put(_Work(call=self._row(call)))

    def dialect(self, endpoint: str, model: str) -> Dialect | None:
        """What an endpoint was found to take for a model; None where that is not known, or said in words of another version."""
        rows = self._read("SELECT dialect FROM dialects WHERE endpoint = ? AND model = ?", (endpoint, model))
        try:
            return _DIALECT.validate_json(rows[0][0]) if rows else None
        except ValidationError:
            return None

    def learn(self, endpoint: str, model: str, dialect: Dialect) -> None:
        """Remember what an endpoint takes. `endpoint` is a hash: no address of a host is kept."""
        self._put(_Work(dialect=(endpoint, model, canonical_json(asdict(dialect)))))

    def totals(self, *by: str, run: str | None = None) -> list[CallTotals]:
        """Calls summed by columns of the account (run, agent, sample_id, item, attempt, model, outcome), of one run or of all;
        with no column, one row. Sums over any grouping are the same."""
        if unknown := sorted(set(by) - set(_GROUPS)):
            raise UsageError(f"calls have no {', '.join(unknown)}", remedy=f"they have {', '.join(_GROUPS)}")
        self.flush()
        columns = ", ".join(by)
        rows = self._read(
            f"SELECT {columns + ',' if by else ''} sum(NOT cached), sum(NOT cached AND outcome = 'ok'), sum(cached), "  # noqa: S608 - of _GROUPS
            f"sum(prompt_tokens), sum(completion_tokens), total(cost), total(seconds) FROM calls WHERE ? IS NULL OR run = ? "
            f"{f'GROUP BY {columns} ORDER BY {columns}' if by else ''}",
            (run, run),
        )
        return [CallTotals(tuple(row[: len(by)]), *(each or 0 for each in row[len(by) :])) for row in rows]

    def flush(self) -> None:
        """Wait until everything that was put is on disk; raises StorageError where it could not be written."""
        written = threading.Event()
        self._put(_Work(done=lambda *_: written.set()))
        written.wait()
        self._check()

    def close(self) -> None:
        """Write what is left and let go of the file."""
        if self._closed:
            return
        self._closed = True
        self._queue.put(None)
        self._writer.join()
        self._reader.close()
        self._check()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        self.close()

    def _put(self, work: _Work) -> None:
        self._check()
        if self._closed:
            raise StorageError("is closed", file=self._path)
        self._queue.put(work)

    def _check(self) -> None:
        if self._broken is not None:
            raise StorageError(self._broken.message, file=self._path, remedy=self._broken.remedy)

    def _row(self, call: CallEvent) -> tuple[Any, ...]:
        label, tokens = call.label, call.tokens
        whose = (self._run, label.agent, label.sample_id, label.item, label.attempt, call.model)
        came = (call.kind is EventKind.CACHED, call.outcome, call.status, call.seconds)
        return (*whose, *came, tokens.prompt, tokens.completion, call.cost)

    def _read(self, query: str, values: Collection[Any]) -> list[tuple[Any, ...]]:
        # What can no longer be kept is not to be asked for.
        self._check()
        try:
            with self._lock:
                return self._reader.execute(query, tuple(values)).fetchall()
        except sqlite3.Error as error:
            raise self._explain(error) from error

    def _write_all(self) -> None:
        connection: sqlite3.Connection | None = None
        going = True
        while going:
            batch, going = self._gather()
            earlier: list[bytes | None] = [None] * len(batch)
            if self._broken is None:
                try:
                    connection = connection or self._connect()
                    earlier = _commit(connection, batch)
                except sqlite3.Error as error:
                    # Not raised here: those who wait hear of it, and whoever comes next.
                    self._broken = self._explain(error)
            for work, raw in zip(batch, earlier, strict=True):
                if work.done is not None:
                    work.done(self._broken, raw)
        if connection is not None:
            connection.close()

    def _gather(self) -> tuple[list[_Work], bool]:
        """Everything that waits to be written, at least one, and whether more is to come."""
        batch: list[_Work] = []
        work = self._queue.get()
        while work is not None:
            batch.append(work)
            if self._queue.empty():
                return batch, True
            work = self._queue.get()
        return batch, False

    def _open(self) -> sqlite3.Connection:
        """The file, made or checked; raises StorageError."""
        try:
            self._path.parent.mkdir(parents=True, exist_ok=True)
            connection = self._connect()
        except OSError as error:
            raise StorageError(f"cannot be made ({error.strerror})", file=self._path) from error
        except sqlite3.Error as error:
            raise self._explain(error) from error
        try:
            self._prepare(connection)
        except sqlite3.Error as error:
            connection.close()
            raise self._explain(error) from error
        except StorageError:
            connection.close()
            raise
        return connection

    def _prepare(self, connection: sqlite3.Connection) -> None:
        found = _pragma(connection, "application_id"), _pragma(connection, "user_version")
        # A file without tables has just been made, here or by a process that was killed.
        if found != (_APPLICATION, _VERSION) and (found != (0, 0) or _pragma(connection, "schema_version")):
            raise StorageError("is no journal of model calls, or one of another version", file=self._path, remedy=_MOVE)
        if _pragma(connection, "quick_check") != "ok":
            raise StorageError("is damaged", file=self._path, remedy=_MOVE)
        connection.execute("PRAGMA journal_mode = WAL")
        connection.execute("BEGIN IMMEDIATE")
        for statement in _TABLES:
            connection.execute(statement)
        connection.execute(f"PRAGMA application_id = {_APPLICATION}")
        connection.execute(f"PRAGMA user_version = {_VERSION}")
        connection.execute("COMMIT")

    def _connect(self) -> sqlite3.Connection:
        connection = sqlite3.connect(self._path, timeout=self._busy, isolation_level=None, check_same_thread=False)
        # In WAL mode this makes every commit wait for the disk.
        connection.execute("PRAGMA synchronous = FULL")
        return connection

    def _explain(self, error: sqlite3.Error) -> StorageError:
        # The low byte is the primary code.
        code = getattr(error, "sqlite_errorcode", 0) & 0xFF
        said, remedy = _SAID.get(code, (f"cannot be used ({error})", "see that the disk can be written"))
        return StorageError(said, file=self._path, remedy=remedy)


def _pragma(connection: sqlite3.Connection, name: str) -> Any:
    return connection.execute(f"PRAGMA {name}").fetchone()[0]


def _commit(connection: sqlite3.Connection, batch: Sequence[_Work]) -> list[bytes | None]:
    """Write a batch in one transaction; for each, the answer that stood already, where one did."""
    connection.execute("BEGIN IMMEDIATE")
    try:
        earlier = [_write(connection, work) for work in batch]
        connection.execute("COMMIT")
    except sqlite3.Error:
        if connection.in_transaction:
            connection.execute("ROLLBACK")
        raise
    return earlier


def _write(connection: sqlite3.Connection, work: _Work) -> bytes | None:
    if work.call is not None:
        connection.execute(_CALL, work.call)
    if work.dialect is not None:
        connection.execute(_LEARN, work.dialect)
    if work.answer is not None and connection.execute(_KEEP, work.answer).rowcount == 0:
        return bytes(connection.execute("SELECT raw FROM answers WHERE address = ?", work.answer[:1]).fetchone()[0])
    if work.parsed is not None:
        connection.execute(_PARSED, work.parsed)
    return None

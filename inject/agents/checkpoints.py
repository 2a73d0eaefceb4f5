"""Where each item stands: LangGraph's SQLite checkpointer, one file a run."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from inject.agents.packing import StateSerializer
from twistcore.errors import StorageError

if TYPE_CHECKING:
    from langgraph.checkpoint.sqlite.aio import AsyncSqliteSaver


@asynccontextmanager
async def open_checkpoints(path: Path) -> AsyncIterator[AsyncSqliteSaver]:
    """The checkpoints of one run; raises StorageError for a file that cannot be used."""
    import sqlite3

    import aiosqlite
    from langgraph.checkpoint.sqlite.aio import AsyncSqliteSaver

    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        async with aiosqlite.connect(path) as connection:
            # What a checkpoint lost in a power cut would have held is in the journal of answers.
            await connection.execute("PRAGMA synchronous=OFF")
            saver = AsyncSqliteSaver(connection, serde=StateSerializer())
            await saver.setup()
            yield saver
    except (sqlite3.Error, OSError) as error:
        raise StorageError(f"cannot be used as checkpoints ({error})", file=path, remedy="remove it and run again") from error

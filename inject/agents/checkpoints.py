"""Where each item of a run stands, in one SQLite file."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from twistcore.errors import StorageError

if TYPE_CHECKING:
    from inject.agents.grouped_saver import GroupedSaver


@asynccontextmanager
async def open_checkpoints(path: Path) -> AsyncIterator[GroupedSaver]:
    """The checkpoints of one run; raises StorageError for a file that cannot be used."""
    import aiosqlite

    # An offline run needs neither of them.
    from inject.agents.grouped_saver import GroupedSaver

    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        async with aiosqlite.connect(path) as connection:
            # What a checkpoint lost in a power cut would have held is in the journal of answers.
            await connection.execute("PRAGMA synchronous=OFF")
            saver = GroupedSaver(connection)
            await saver.setup()
            try:
                yield saver
            finally:
                await saver.close()
    except (aiosqlite.Error, OSError) as error:
        raise StorageError(f"cannot be used as checkpoints ({error})", file=path, remedy="remove it and run again") from error

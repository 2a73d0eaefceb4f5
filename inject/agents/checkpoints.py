"""Where each item stands: LangGraph's SQLite checkpointer, reading back only the types that the loop puts into its state."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from arcs.items import ItemPlan, PlannedTime, PlannedTurn, Slot, SlotKind
from arcs.taxonomy import Family, Role
from inject.drafts import Draft, FactAudit, Opinion, Relation, WrittenExchange
from inject.graph import Attempt
from inject.proposals import Proposal, ProposedTurn
from twistcore.errors import StorageError
from twistcore.verdicts import Finding, Outcome, Verdict

if TYPE_CHECKING:
    from langgraph.checkpoint.sqlite.aio import AsyncSqliteSaver

STATE_TYPES = (
    *(Attempt, Draft, FactAudit, Family, Finding, ItemPlan, Opinion, PlannedTime, PlannedTurn, Proposal, ProposedTurn),
    *(Outcome, Relation, Role, Slot, SlotKind, Verdict, WrittenExchange),
)


@asynccontextmanager
async def open_checkpoints(path: Path) -> AsyncIterator[AsyncSqliteSaver]:
    """The checkpoints of one run; raises StorageError for a file that cannot be used."""
    import sqlite3

    import aiosqlite
    from langgraph.checkpoint.serde.jsonplus import JsonPlusSerializer
    from langgraph.checkpoint.sqlite.aio import AsyncSqliteSaver

    serializer = JsonPlusSerializer(allowed_msgpack_modules=STATE_TYPES)
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        async with aiosqlite.connect(path) as connection:
            # What a checkpoint lost in a power cut would have held is in the journal of answers.
            await connection.execute("PRAGMA synchronous=OFF")
            saver = AsyncSqliteSaver(connection, serde=serializer)
            await saver.setup()
            yield saver
    except (sqlite3.Error, OSError) as error:
        raise StorageError(f"cannot be used as checkpoints ({error})", file=path, remedy="remove it and run again") from error

"""LangGraph's SQLite checkpointer, written in groups.

The checkpointer waits for a commit after each step of each item. Here steps are kept until a moment has passed and are committed
together. A run that is killed loses that moment's steps and takes them again: what they asked is in the journal of answers.
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import Sequence
from typing import Any

import aiosqlite
from langchain_core.runnables import RunnableConfig
from langgraph.checkpoint.base import (
    WRITES_IDX_MAP,
    ChannelVersions,
    Checkpoint,
    CheckpointMetadata,
    CheckpointTuple,
    get_checkpoint_metadata,
)
from langgraph.checkpoint.sqlite.aio import AsyncSqliteSaver

from inject.agents.packing import StateSerializer

# Seconds that a step may wait for others to be committed with.
GATHER = 0.1
_PUT = (
    "INSERT OR REPLACE INTO checkpoints "
    "(thread_id, checkpoint_ns, checkpoint_id, parent_checkpoint_id, type, checkpoint, metadata) "
    "VALUES (?, ?, ?, ?, ?, ?, ?)"
)


class GroupedSaver(AsyncSqliteSaver):
    """Keeps steps for a moment and commits them together; `flush` commits what is kept."""

    def __init__(self, connection: aiosqlite.Connection) -> None:
        super().__init__(connection, serde=StateSerializer())
        self._kept: list[tuple[Any, ...]] = []
        self._threads: set[str] = set()
        self._flushing: asyncio.Task[None] | None = None

    async def setup(self) -> None:
        """Make the tables, and learn which items stand in them."""
        if self.is_setup:
            return
        await super().setup()
        async with self.lock, self.conn.execute("SELECT DISTINCT thread_id FROM checkpoints") as rows:
            self._threads = {row[0] async for row in rows}

    async def aget_tuple(self, config: RunnableConfig) -> CheckpointTuple | None:
        """The last step of an item, None for one that has none."""
        await self.setup()
        if str(config["configurable"]["thread_id"]) not in self._threads:
            return None
        await self.flush()
        return await super().aget_tuple(config)

    async def aput(
        self, config: RunnableConfig, checkpoint: Checkpoint, metadata: CheckpointMetadata, new_versions: ChannelVersions
    ) -> RunnableConfig:
        """Keep a step."""
        inside = config["configurable"]
        thread, namespace = str(inside["thread_id"]), inside["checkpoint_ns"]
        told = json.dumps(get_checkpoint_metadata(config, metadata), ensure_ascii=False).encode("utf-8", "ignore")
        row = (thread, namespace, checkpoint["id"], inside.get("checkpoint_id"), *self.serde.dumps_typed(checkpoint), told)
        self._threads.add(thread)
        self._kept.append(row)
        if self._flushing is None:
            self._flushing = asyncio.get_running_loop().create_task(self._flush_soon())
        return {"configurable": {"thread_id": thread, "checkpoint_ns": namespace, "checkpoint_id": checkpoint["id"]}}

    async def aput_writes(
        self, config: RunnableConfig, writes: Sequence[tuple[str, Any]], task_id: str, task_path: str = ""
    ) -> None:
        """Write what a step tells beside its result. Results are left out: a step is one node, so they stand in the checkpoint
        after it."""
        special = [(channel, value) for channel, value in writes if channel in WRITES_IDX_MAP]
        if special:
            await self.flush()
            await super().aput_writes(config, special, task_id, task_path)

    async def flush(self) -> None:
        """Commit what is kept; raises sqlite3.Error."""
        async with self.lock:
            kept, self._kept = self._kept, []
            if kept:
                await self.conn.executemany(_PUT, kept)
                await self.conn.commit()

    async def close(self) -> None:
        """Commit what is kept, and hear of whatever went wrong with earlier groups."""
        if self._flushing is not None:
            self._flushing.cancel()
            await asyncio.wait([self._flushing])
            if not self._flushing.cancelled():
                self._flushing.result()
        await self.flush()

    async def _flush_soon(self) -> None:
        while self._kept:
            await asyncio.sleep(GATHER)
            await self.flush()
        self._flushing = None

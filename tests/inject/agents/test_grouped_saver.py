"""Checkpoints in groups: nothing is lost on the way to the disk, and what is read is never behind what was kept."""

from __future__ import annotations

import asyncio
import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Any

from langchain_core.runnables import RunnableConfig

from inject.agents import grouped_saver
from inject.agents.checkpoints import open_checkpoints
from inject.graph import LoopState, Nodes, build_loop
from twistcore.verdicts import Finding, Outcome, Verdict


def nodes() -> Nodes:
    async def fails(state: LoopState, config: RunnableConfig) -> Any:
        raise RuntimeError("the model is gone")

    async def nothing(state: LoopState, config: RunnableConfig) -> Any:
        return {"audit": None, "draft": None, "attempt": 3}

    return Nodes(nothing, nothing, nothing, fails)


FINDING = Finding(gate="facts", version="1", reason="invents a boat")


def rows(path: Path, table: str) -> int:
    with closing(sqlite3.connect(path)) as connection:
        found: int = connection.execute(f"SELECT count(*) FROM {table}").fetchone()[0]  # noqa: S608 - a name of this test's
        return found


def test_a_step_that_is_not_committed_yet_is_read(tmp_path: Path, monkeypatch: Any) -> None:
    monkeypatch.setattr(grouped_saver, "GATHER", 60.0)
    config: Any = {"configurable": {"thread_id": "t", "checkpoint_ns": ""}}
    checkpoint: Any = {"v": 4, "id": "1", "ts": "", "channel_values": {"attempt": 1}, "channel_versions": {}, "versions_seen": {}}

    async def run() -> None:
        async with open_checkpoints(tmp_path / "g.sqlite") as saver:
            await saver.aput(config, checkpoint, {}, {})
            assert rows(tmp_path / "g.sqlite", "checkpoints") == 0
            found = await saver.aget_tuple(config)
            assert found is not None
            assert found.checkpoint["channel_values"] == {"attempt": 1}
            await saver.aput(config, {**checkpoint, "id": "2"}, {}, {})
        assert rows(tmp_path / "g.sqlite", "checkpoints") == 2

    asyncio.run(run())


def test_an_item_whose_model_is_gone_goes_on_where_it_stood(tmp_path: Path) -> None:
    config: Any = {"configurable": {"thread_id": "t", "judge": lambda *_: Verdict(id="x", verdict=Outcome.PASS)}}

    async def run() -> None:
        async with open_checkpoints(tmp_path / "g.sqlite") as saver:
            loop = build_loop(nodes(), saver, asynchronous=True)
            told = await asyncio.gather(loop.ainvoke({"attempt": 0, "history": []}, config=config), return_exceptions=True)
            assert str(told[0]) == "the model is gone"
        async with open_checkpoints(tmp_path / "g.sqlite") as saver:
            known = await build_loop(nodes(), saver, asynchronous=True).aget_state(config)
            assert known.next == ("verify",)
            assert known.values["attempt"] == 3

    asyncio.run(run())


def test_an_asynchronous_loop_takes_judges_that_are_waited_for(tmp_path: Path) -> None:
    async def judge(_draft: Any, _audit: Any) -> Verdict:
        await asyncio.sleep(0)
        return Verdict(id="x", verdict=Outcome.FAIL, failed=[FINDING])

    async def run() -> Any:
        loop = build_loop(nodes(), asynchronous=True)
        return await loop.ainvoke({"attempt": 0, "history": []}, config={"configurable": {"judge": judge}})

    ended = asyncio.run(run())
    assert ended["accepted"] is False
    assert [attempt.verdict.failed for attempt in ended["history"]] == [[FINDING]]

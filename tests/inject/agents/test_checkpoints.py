"""Checkpoints: a state comes back as it was, and only of the types that the loop knows."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any

import pytest
from agent_material import brief, written
from langchain_core.runnables import RunnableConfig
from langgraph.checkpoint.serde.jsonplus import JsonPlusSerializer

from inject.agents.checkpoints import open_checkpoints
from inject.agents.packing import StateSerializer
from inject.agents.writer import draft_of
from inject.drafts import Draft, FactAudit, Opinion, Relation
from inject.graph import Attempt, LoopResult, LoopState, Nodes, build_loop, with_opinion
from twistcore.errors import StorageError
from twistcore.verdicts import Finding, Outcome, Verdict

AUDIT = FactAudit(auditor="auditor", version="1", omitted=[], invented=["x"], d=0.6, reason="")
AGREES = Opinion(verifier="v", version="1", relation=Relation.CONTRADICTS, unstated=[], reason="so")
UNSURE = AGREES.model_copy(update={"relation": Relation.CANNOT_TELL})


class Crew:
    """Nodes that count how often they are entered; the first verification is unsure, and `stop` breaks the run off there."""

    def __init__(self) -> None:
        self.entered: list[str] = []
        self.stop = False

    def nodes(self) -> Nodes:
        async def write(state: LoopState, config: RunnableConfig) -> LoopState:
            self.entered.append("write")
            return {"attempt": state["attempt"] + 1, "draft": draft_of(brief(), written()), "opinion": None}

        async def audit(state: LoopState, config: RunnableConfig) -> LoopState:
            self.entered.append("audit")
            return {"audit": AUDIT}

        async def verify(state: LoopState, config: RunnableConfig) -> LoopState:
            self.entered.append("verify")
            if self.stop:
                raise RuntimeError("killed")
            return with_opinion(state, UNSURE if state["attempt"] == 1 else AGREES)

        return Nodes(write, write, audit, verify)


def passing(draft: Draft, audit: FactAudit | None) -> Verdict:
    return Verdict(id=draft.plan.id, verdict=Outcome.PASS, not_applicable=["time_wrong"])


def test_a_finished_item_is_read_back_as_it_was(tmp_path: Path) -> None:
    crew = Crew()
    config: Any = {"configurable": {"thread_id": "t", "judge": passing}}

    async def run() -> tuple[LoopState, LoopState]:
        async with open_checkpoints(tmp_path / "graph.sqlite") as saver:
            made = await build_loop(crew.nodes(), saver).ainvoke({"attempt": 0, "history": []}, config=config)
        async with open_checkpoints(tmp_path / "graph.sqlite") as saver:
            known = await build_loop(crew.nodes(), saver).aget_state(config)
        assert known.next == ()
        return made, known.values

    made, known = asyncio.run(run())
    assert made == known
    result = LoopResult.of(known)
    assert result.accepted
    assert [attempt.attempt for attempt in result.attempts] == [1, 2]
    assert isinstance(result.last.draft.plan.turns, tuple)


def test_an_item_that_was_broken_off_goes_on_at_its_node(tmp_path: Path) -> None:
    crew = Crew()
    crew.stop = True
    config: Any = {"configurable": {"thread_id": "t", "judge": passing}}

    async def run() -> None:
        async with open_checkpoints(tmp_path / "graph.sqlite") as saver:
            with pytest.raises(RuntimeError, match="killed"):
                await build_loop(crew.nodes(), saver).ainvoke({"attempt": 0, "history": []}, config=config)
        crew.stop = False
        async with open_checkpoints(tmp_path / "graph.sqlite") as saver:
            loop = build_loop(crew.nodes(), saver)
            assert (await loop.aget_state(config)).next == ("verify",)
            await loop.ainvoke(None, config=config)

    asyncio.run(run())
    assert crew.entered == ["write", "audit", "verify", "verify", "write", "audit", "verify"]


def test_only_the_loops_own_types_are_read_back() -> None:
    draft = draft_of(brief(before="a shed", after="thanks"), written())
    verdict = Verdict(id="x", verdict=Outcome.FAIL, failed=[Finding(gate="g", version="1", reason="r")])
    state = {"history": [Attempt(1, draft, verdict, AGREES)], "audit": AUDIT, "opinion": None, "attempt": 1}
    serializer = StateSerializer()
    assert serializer.loads_typed(serializer.dumps_typed(state)) == state
    foreign = JsonPlusSerializer().dumps_typed({"path": Finding(gate="g", version="1", reason="r")})
    assert not isinstance(serializer.loads_typed(foreign)["path"], Finding)


def test_a_file_that_is_no_database_is_named(tmp_path: Path) -> None:
    path = tmp_path / "graph.sqlite"
    path.write_bytes(b"no database at all, but long enough to be read as one" * 20)

    async def run() -> None:
        async with open_checkpoints(path):
            pass

    with pytest.raises(StorageError, match="checkpoints"):
        asyncio.run(run())

"""Killed at any point: the rerun sends nothing whose answer is in the journal, and nothing that was handed out is lost."""

from __future__ import annotations

import os
import signal
import sqlite3
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import pytest
from chat_asking import GOOD, echo, item_of
from scripted_server import ScriptedServer

TESTS = Path(__file__).parents[1]
COUNT, CONCURRENCY = 120, 8


@pytest.fixture
def server() -> Iterator[ScriptedServer]:
    with ScriptedServer() as running:
        running.otherwise = echo
        running.latency = 0.03
        yield running


def start(server: ScriptedServer, journal: Path) -> subprocess.Popen[str]:
    places = [str(TESTS.parent), str(TESTS), str(TESTS / "twistcore")]
    environ = {name: value for name, value in os.environ.items() if "proxy" not in name.lower()}
    return subprocess.Popen(
        [sys.executable, str(TESTS / "twistcore" / "chat_victim.py"), server.base_url, str(journal), str(COUNT), str(CONCURRENCY)],
        env=environ | {"PYTHONPATH": os.pathsep.join(places)},
        stdout=subprocess.PIPE,
        text=True,
    )


def answered(journal: Path) -> set[str]:
    """The items whose answers are on disk."""
    connection = sqlite3.connect(journal)
    try:
        return {row[0] for row in connection.execute("SELECT item FROM calls WHERE outcome = 'ok' AND NOT cached")}
    finally:
        connection.close()


@pytest.mark.slow
@pytest.mark.parametrize("kills", [[0], [1], [17], [60], [COUNT - 3], [5, 30, 31, 90]])
def test_a_rerun_after_a_kill_sends_no_call_whose_answer_is_in_the_journal(
    server: ScriptedServer, tmp_path: Path, kills: list[int]
) -> None:
    journal = tmp_path / "calls.sqlite"
    told: dict[str, str] = {}
    for at in kills:
        before = len(server.received)
        process = start(server, journal)
        deadline = time.monotonic() + 60
        # Replayed answers do not reach the server: the run is killed by what is answered in all.
        while len(server.received) - before == 0 or len(Counter(map(item_of, server.received))) < at:
            assert time.monotonic() < deadline
            time.sleep(0.002)
        os.kill(process.pid, signal.SIGKILL)
        said, _ = process.communicate(timeout=30)
        told |= dict(line.split(" ", 1) for line in said.splitlines() if line.endswith("}"))
        kept = answered(journal)
        assert set(told) <= kept
        server.received.clear() if at == kills[-1] else None
    process = start(server, journal)
    said, _ = process.communicate(timeout=60)
    assert process.returncode == 0
    final = dict(line.split(" ", 1) for line in said.splitlines())
    assert set(final) == {str(item) for item in range(COUNT)}
    assert all(final[item] == answer for item, answer in told.items())
    resent = Counter(map(item_of, server.received))
    assert not set(resent) & kept
    assert set(resent.values()) <= {1}
    assert len(resent) == COUNT - len(kept)
    assert GOOD["colour"] in final["0"]


@pytest.mark.slow
def test_no_more_than_what_was_in_flight_is_asked_twice(server: ScriptedServer, tmp_path: Path) -> None:
    journal = tmp_path / "calls.sqlite"
    process = start(server, journal)
    while len(server.received) < 40:
        time.sleep(0.002)
    os.kill(process.pid, signal.SIGKILL)
    process.communicate(timeout=30)
    assert start(server, journal).wait(60) == 0
    assert len(server.received) <= COUNT + CONCURRENCY

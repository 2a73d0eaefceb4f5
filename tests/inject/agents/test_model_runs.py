"""Runs with models from end to end: what they ask, what they keep, how they stop and go on."""

from __future__ import annotations

import json
import shutil
import signal
import threading
import time
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from mock_runs import files_of
from model_runs import KEY, kill, run, start
from scripted_author import ScriptedAuthor, agent_of
from scripted_server import Answer, Received, ScriptedServer, fail, say

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def author() -> ScriptedAuthor:
    """One author for all tests, so that its parses are made once."""
    return ScriptedAuthor()


@pytest.fixture
def server(author: ScriptedAuthor) -> Iterator[ScriptedServer]:
    author.wrap = lambda _agent, _received, value: say(value)
    with ScriptedServer() as running:
        running.otherwise = author
        yield running


@pytest.fixture(scope="module")
def warm(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A cache folder whose parses serve every test; journals are each test's own."""
    return tmp_path_factory.mktemp("model-cache")


def manifest(folder: Path) -> dict[str, Any]:
    found: dict[str, Any] = json.loads((folder / "manifest.json").read_text())
    return found


def addresses(server: ScriptedServer) -> Counter[str]:
    """How often each request was received."""
    return Counter(json.dumps(received.body, sort_keys=True) for received in server.received)


def test_a_run_goes_through_every_agent_and_says_who_wrote(tmp_path: Path, server: ScriptedServer, warm: Path) -> None:
    out = tmp_path / "release"
    ended = run(out, server.base_url, warm, "--journal", str(tmp_path / "j.sqlite"), "--verifier-model", "other-2b")
    assert ended.code == 0, ended.err
    agents = {agent_of(received): received.body["model"] for received in server.received}
    assert {"scout": "tiny-1b", "writer": "tiny-1b", "auditor": "other-2b", "verifier": "other-2b"}.items() <= agents.items()
    key = json.loads((out / "keys/track_a.jsonl").read_text().splitlines()[0])
    assert (key["provenance"]["writer"], key["provenance"]["model"]) == ("llm", "tiny-1b")
    models = manifest(out)["config"]["models"]
    assert (models["writer"], models["verifier"], models["same_family"]) == ("tiny-1b", "other-2b", False)
    assert models["prompts"].keys() == {"scout", "writer", "reviser", "auditor", "verifier", "parts"}
    account = json.loads((out / "cost.json").read_text())
    assert account["calls"] == len(server.received) == sum(row["calls"] for row in account["rows"])
    assert {row["agent"] for row in account["rows"]} == set(agents)


def test_a_full_journal_needs_no_endpoint_and_gives_the_same_bytes(tmp_path: Path, author: ScriptedAuthor, warm: Path) -> None:
    journal = tmp_path / "j.sqlite"
    with ScriptedServer() as server:
        server.otherwise = author
        assert run(tmp_path / "one", server.base_url, warm, "--journal", str(journal), "--concurrency", "16").code == 0
    again = run(tmp_path / "two", server.base_url, warm, "--journal", str(journal), "--concurrency", "1")
    assert again.code == 0, again.err
    assert files_of(tmp_path / "one") == files_of(tmp_path / "two")
    assert json.loads((tmp_path / "two/cost.json").read_text())["calls"] == 0


@pytest.mark.parametrize("after", [1, 5, 9])
def test_a_killed_run_goes_on_and_asks_nothing_twice_that_was_answered(
    tmp_path: Path, server: ScriptedServer, author: ScriptedAuthor, warm: Path, after: int
) -> None:
    reached = threading.Event()

    def slow(_agent: str, _received: Received, value: dict[str, Any]) -> Answer:
        if len(server.received) > after:
            reached.set()
        time.sleep(0.05)
        return say(value)

    author.wrap = slow
    out, journal = tmp_path / "release", str(tmp_path / "j.sqlite")
    process = start(out, server.base_url, warm, "--journal", journal, "--concurrency", "2")
    assert reached.wait(120)
    kill(process)
    assert not out.exists()
    ended = run(out, server.base_url, warm, "--journal", journal, "--concurrency", "2")
    assert ended.code == 0, ended.err
    assert sum(count - 1 for count in addresses(server).values()) <= 2
    assert run(tmp_path / "straight", server.base_url, warm, "--journal", journal).code == 0
    assert files_of(out) == files_of(tmp_path / "straight")


def test_an_interrupt_stops_with_its_code_and_the_rerun_goes_on(
    tmp_path: Path, server: ScriptedServer, author: ScriptedAuthor, warm: Path
) -> None:
    reached = threading.Event()

    def slow(_agent: str, _received: Received, value: dict[str, Any]) -> Answer:
        if len(server.received) > 4:
            reached.set()
        time.sleep(0.2)
        return say(value)

    author.wrap = slow
    process = start(tmp_path / "release", server.base_url, warm, "--journal", str(tmp_path / "j.sqlite"), "--concurrency", "1")
    assert reached.wait(120)
    assert kill(process, signal.SIGINT) == 4
    author.wrap = lambda _agent, _received, value: say(value)
    assert run(tmp_path / "release", server.base_url, warm, "--journal", str(tmp_path / "j.sqlite")).code == 0


def test_a_limit_of_calls_stops_cleanly_and_a_higher_one_goes_on(tmp_path: Path, server: ScriptedServer, warm: Path) -> None:
    out, journal = tmp_path / "release", str(tmp_path / "j.sqlite")
    ended = run(out, server.base_url, warm, "--journal", journal, "--max-calls", "7")
    assert ended.code == 4
    assert len(server.received) == 7
    assert "--max-calls" in ended.err
    assert not out.exists()
    assert run(out, server.base_url, warm, "--journal", journal, "--max-calls", "500").code == 0
    assert max(addresses(server).values()) == 1
    assert json.loads((out / "cost.json").read_text())["calls"] == len(server.received)


def test_a_limit_of_cost_needs_a_price_of_every_model(tmp_path: Path, server: ScriptedServer, warm: Path) -> None:
    prices = tmp_path / "prices.yaml"
    prices.write_text("tiny-1b: {prompt: 0, completion: 1000000}\n")
    extra = ["--journal", str(tmp_path / "j.sqlite"), "--max-cost", "80", "--max-tokens", "64"]
    refused = run(tmp_path / "release", server.base_url, warm, *extra)
    assert refused.code == 2
    assert "tiny-1b" in refused.err
    assert server.received == []
    ended = run(tmp_path / "release", server.base_url, warm, *extra, "--prices", str(prices))
    assert ended.code == 4
    assert "--max-cost" in ended.err
    assert 0 < len(server.received) <= 11


def test_a_dead_endpoint_accepts_nothing_and_leaves_a_run_to_go_on_with(tmp_path: Path, server: ScriptedServer, warm: Path) -> None:
    server.otherwise = lambda _: fail(401, code="invalid_api_key")
    out, journal = tmp_path / "release", str(tmp_path / "j.sqlite")
    ended = run(out, server.base_url, warm, "--journal", journal)
    assert ended.code == 3
    assert len([line for line in ended.err.splitlines() if line.startswith("twist:")]) == 1
    assert "OPENAI_API_KEY" in ended.err
    assert not out.exists()
    server.otherwise = ScriptedAuthor()
    assert run(out, server.base_url, warm, "--journal", journal).code == 0


def test_a_verifier_that_cannot_tell_lets_nothing_pass(
    tmp_path: Path, server: ScriptedServer, author: ScriptedAuthor, warm: Path
) -> None:
    def unsure(agent: str, _received: Received, value: dict[str, Any]) -> Answer:
        return say({**value, "contradicts": "cannot_tell"} if agent == "verifier" else value)

    author.wrap = unsure
    ended = run(tmp_path / "release", server.base_url, warm, "--journal", str(tmp_path / "j.sqlite"), "--rounds", "1")
    assert ended.code == 1
    assert (tmp_path / "release/keys/track_a.jsonl").read_text() == ""
    rejects = [json.loads(line) for line in (tmp_path / "release/rejects/track_a.jsonl").read_text().splitlines()]
    assert rejects
    assert all("as_seen" in reject["reason"] for reject in rejects)
    assert all(len(reject["attempts"]) == 3 for reject in rejects)


def test_an_invented_fact_is_sent_back_and_mended(
    tmp_path: Path, server: ScriptedServer, author: ScriptedAuthor, warm: Path
) -> None:
    def strict(agent: str, received: Received, value: dict[str, Any]) -> Answer:
        if agent == "auditor" and not any(agent_of(each) == "reviser" for each in server.received):
            value = {**value, "said": [*value["said"], {"fact": "it happened in Boston", "supported_by": []}]}
        return say(value)

    author.wrap = strict
    ended = run(tmp_path / "release", server.base_url, warm, "--journal", str(tmp_path / "j.sqlite"))
    assert ended.code == 0, ended.err
    revisions = [received for received in server.received if agent_of(received) == "reviser"]
    assert any("it happened in Boston" in received.text for received in revisions)


def test_an_item_that_a_model_refuses_is_rejected_and_holds_up_no_other(
    tmp_path: Path, server: ScriptedServer, author: ScriptedAuthor, warm: Path
) -> None:
    refused: list[str] = []

    def refusing(agent: str, received: Received, value: dict[str, Any]) -> Answer:
        if agent == "writer" and not refused:
            refused.append(received.text)
        unwilling = agent == "reviser" or (agent == "writer" and received.text.startswith(refused[0]))
        return Answer(content=None, refusal="I will not") if unwilling else say(value)

    author.wrap = refusing
    out, journal = tmp_path / "release", str(tmp_path / "j.sqlite")
    ended = run(out, server.base_url, warm, "--journal", journal, "--rounds", "1")
    assert ended.code == 1, ended.err
    rejects = [json.loads(line) for line in (out / "rejects/track_a.jsonl").read_text().splitlines()]
    given_up = [reject for reject in rejects if "3 attempts failed" in reject["reason"]]
    assert len(given_up) == 1
    assert any("refused" in finding["reason"] for finding in given_up[0]["attempts"][0]["undecided"])
    assert manifest(out)["counts"]["arcs"] == 1


def test_a_model_that_is_always_cut_off_makes_no_release(tmp_path: Path, server: ScriptedServer, warm: Path) -> None:
    server.otherwise = lambda _: Answer(content='{"turns": [', finish_reason="length")
    out, journal = tmp_path / "release", str(tmp_path / "j.sqlite")
    for _ in range(2):
        ended = run(out, server.base_url, warm, "--journal", journal, "--rounds", "1", "--no-scout", "--conversations", "mock-1")
        assert ended.code == 3
        assert "no usable reply" in ended.err
        assert not out.exists()


def test_the_key_is_in_no_file_that_a_run_leaves(tmp_path: Path, server: ScriptedServer, warm: Path) -> None:
    assert run(tmp_path / "release", server.base_url, warm, "--journal", str(tmp_path / "j.sqlite")).code == 0
    files = [path for path in tmp_path.rglob("*") if path.is_file()]
    assert {"manifest.json", "j.sqlite", "release.events.jsonl"} <= {path.name for path in files}
    assert not [path for path in files if KEY.encode() in path.read_bytes()]
    assert any(received.headers["authorization"] == f"Bearer {KEY}" for received in server.received)


def test_another_model_or_prompt_does_not_go_on_with_a_run(tmp_path: Path, server: ScriptedServer, warm: Path) -> None:
    out, journal = tmp_path / "release", str(tmp_path / "j.sqlite")
    assert run(out, server.base_url, warm, "--journal", journal, "--max-calls", "5").code == 4
    refused = run(out, server.base_url, warm, "--journal", journal, "--verifier-model", "other-2b")
    assert refused.code == 2
    assert len(server.received) == 5
    shutil.rmtree(out.with_name("release.partial"))


def test_the_event_log_tells_calls_and_items(tmp_path: Path, server: ScriptedServer, warm: Path) -> None:
    log = tmp_path / "events.jsonl"
    assert run(tmp_path / "release", server.base_url, warm, "--journal", str(tmp_path / "j.sqlite"), "--events", str(log)).code == 0
    rows = [json.loads(line) for line in log.read_text().splitlines()]
    kinds = Counter(row["event"] for row in rows)
    assert kinds["sent"] == kinds["answered"] == len(server.received)
    stages = Counter(row["stage"] for row in rows if row["event"] == "item")
    assert stages["planned"] == stages["accepted"] + stages["rejected"]
    assert stages["accepted"] == manifest(tmp_path / "release")["counts"]["arcs"] * 2

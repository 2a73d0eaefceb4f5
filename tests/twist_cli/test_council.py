"""`twist council` against a real HTTP server: votes, tables, failures, limits, and reruns that send nothing."""

from __future__ import annotations

import json
import re
import shutil
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from cli_runs import Command, files_in, in_process
from scripted_server import Answer, Received, ScriptedServer, fail, say

from arcs.taxonomy import Gold
from inject.council.ballots import CouncilItem, list_items
from inject.council.record import COUNCIL, read_council
from inject.council.tally import Bin
from inject.pipeline import make_config, run_injection
from inject.view import open_release
from locomo_patch.locate import mock_path
from locomo_patch.reader import read_corpus
from twistcore.chat.prompts import escape_text
from twistcore.errors import ReleaseError
from twistcore.text.parses import Parser

KEY = "key-not-to-be-shown"
MODELS = "ann-1,bob-1,cid-1"
OTHER = {"tension": "no_tension", "no_tension": "tension"}


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory, parser: Parser) -> Path:
    out = tmp_path_factory.mktemp("council") / "release"
    loaded = read_corpus(mock_path())
    run_injection(loaded, make_config(loaded, 7, 2, ["mock-1", "mock-2"]), out, parser, lambda *_: None)
    return out


@pytest.fixture
def release(made: Path, tmp_path: Path) -> Path:
    shutil.copytree(made, tmp_path / "release")
    return tmp_path / "release"


@pytest.fixture(scope="module")
def items(made: Path) -> list[CouncilItem]:
    found = list_items(open_release(made))
    assert len(found) >= 6
    return found


@pytest.fixture
def twist(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Command:
    monkeypatch.setenv("TWIST_CACHE", str(tmp_path / "cache"))
    monkeypatch.delenv("TWIST_DEBUG", raising=False)
    monkeypatch.setenv("COLUMNS", "200")
    return in_process(capsys)


@pytest.fixture
def server(monkeypatch: pytest.MonkeyPatch) -> Iterator[ScriptedServer]:
    for name in ("HTTP_PROXY", "http_proxy", "ALL_PROXY", "all_proxy"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("OPENAI_API_KEY", KEY)
    with ScriptedServer() as running:
        monkeypatch.setenv("OPENAI_BASE_URL", running.base_url)
        yield running


def _about(request: Received, items: list[CouncilItem]) -> CouncilItem:
    """The item that a request is about, by its lines."""
    lines = re.findall(r"<line>(.*)</line>", request.text)
    found = [item for item in items if [escape_text(line) for line in item.seen] == lines]
    assert len(found) == 1
    return found[0]


def _voting(items: list[CouncilItem], vote: Callable[[str, CouncilItem], str]) -> Callable[[Received], Answer]:
    return lambda request: say({"vote": vote(request.body["model"], _about(request, items)), "reason": "It says so."})


def _true(_model: str, item: CouncilItem) -> str:
    return item.gold.value


def _stored(release: Path) -> dict[str, Any]:
    found: dict[str, Any] = json.loads((release / COUNCIL).read_text())
    return found


def test_a_council_that_agrees_with_the_key_is_unanimous(
    twist: Command, server: ScriptedServer, release: Path, items: list[CouncilItem]
) -> None:
    server.otherwise = _voting(items, _true)
    before = files_in(release)
    done = twist("council", release, "--models", MODELS)
    assert done.code == 0, done.err
    assert f"{len(items)} of {len(items)} items, 3 members (corpus: mock" in done.out
    assert "Items by bin" in done.out and "Cohen's kappa" in done.out
    assert "majority against the key" not in done.out
    assert "split" not in done.out and "incomplete" not in done.out
    report = read_council(release)
    assert report.figures.bins[Bin.UNANIMOUS] == len(items)
    assert {pair.agreement.kappa for pair in report.figures.pairs} == {1.0}
    assert [ballot.gold for ballot in report.ballots if ballot.member == "ann-1"] == [item.gold for item in items]
    assert len(server.received) == 3 * len(items)
    # Nothing else of the release is touched, and the account is the one file that says what was asked.
    assert {name: data for name, data in files_in(release).items() if name != COUNCIL} == before
    cost = json.loads((release / "cost.json").read_text())
    assert (cost["calls"], cost["prompt_tokens"]) == (3 * len(items), 33 * len(items))
    assert KEY not in done.out + done.err + (release / COUNCIL).read_text()


def test_the_release_still_passes_check(twist: Command, server: ScriptedServer, release: Path, items: list[CouncilItem]) -> None:
    server.otherwise = _voting(items, _true)
    before = twist("check", release).out
    twist("council", release, "--models", MODELS)
    assert twist("check", release).out == before


def test_nothing_that_is_sent_tells_what_an_item_is(
    twist: Command, server: ScriptedServer, release: Path, items: list[CouncilItem]
) -> None:
    server.otherwise = _voting(items, _true)
    twist("council", release, "--models", MODELS)
    assert server.received
    for request in server.received:
        item = _about(request, items)
        sent = json.dumps({**request.body, "messages": []}) + json.dumps(request.headers) + request.text
        for hidden in (item.id, item.pair_id, item.sample_id, "HN-A", "gold", "anchor", "reversal", "control"):
            assert hidden not in sent, hidden
        assert not re.search(r"\bD\d+:\d+\b|\bA[123]\b", sent)
        assert request.text.count("<line>") == len(item.lines)


def test_a_rerun_sends_nothing_and_gives_the_same_bytes_whatever_the_order_of_members(
    twist: Command, server: ScriptedServer, release: Path, items: list[CouncilItem]
) -> None:
    server.otherwise = _voting(items, lambda model, item: OTHER[item.gold.value] if model == "cid-1" else item.gold.value)
    assert twist("council", release, "--models", MODELS).code == 0
    first, sent = (release / COUNCIL).read_bytes(), len(server.received)
    again = twist("council", release, "--models", "cid-1, bob-1,ann-1", "--concurrency", "1")
    assert again.code == 0
    assert len(server.received) == sent
    assert (release / COUNCIL).read_bytes() == first
    assert f"0 calls, {3 * len(items)} answers out of the journal" in again.err


def test_items_with_a_majority_against_the_key_are_shown_with_lines_and_votes(
    twist: Command, server: ScriptedServer, release: Path, items: list[CouncilItem]
) -> None:
    bad, doubtful = items[0], items[1]

    def vote(model: str, item: CouncilItem) -> str:
        if item is bad and model != "cid-1":
            return OTHER[item.gold.value]
        if item is doubtful and model != "ann-1":
            return "cannot_tell"
        return item.gold.value

    server.otherwise = _voting(items, vote)
    done = twist("council", release, "--models", MODELS)
    assert done.code == 0, "what a council finds is no failure of the command"
    shown = done.out[done.out.index("majority against the key, to be looked at first") :]
    assert f"{bad.id} {bad.family.value} gold {bad.gold.value}" in shown
    for line in bad.seen:
        assert " ".join(line.split()) in shown
    assert f"ann-1: {OTHER[bad.gold.value]}: It says so." in shown
    assert f"cid-1: {bad.gold.value}: It says so." in shown
    assert doubtful.id not in shown
    report = read_council(release)
    assert report.figures.against == [bad.id]
    assert {item.id: item.bin for item in report.items if item.bin is not Bin.UNANIMOUS} == {
        bad.id: Bin.AGAINST,
        doubtful.id: Bin.ABSTAIN_HEAVY,
    }
    bob = report.figures.members[1]
    assert (bob.opposed, bob.abstained) == (1, 1)


def test_a_dead_member_is_counted_as_failed_and_asked_again_when_it_is_back(
    twist: Command, server: ScriptedServer, release: Path, items: list[CouncilItem]
) -> None:
    answer = _voting(items, _true)
    server.otherwise = lambda request: fail(404, code="model_not_found") if request.body["model"] == "bob-1" else answer(request)
    done = twist("council", release, "--models", MODELS)
    assert done.code == 3
    assert f"{len(items)} of {3 * len(items)} calls failed" in done.err
    report = read_council(release)
    assert [(member.failed, member.matched) for member in report.figures.members] == [
        (0, len(items)),
        (len(items), 0),
        (0, len(items)),
    ]
    assert report.figures.bins[Bin.INCOMPLETE] == len(items)
    assert "incomplete" in done.out
    assert {ballot.vote for ballot in report.ballots if ballot.member == "bob-1"} == {None}
    asked = Counter(request.body["model"] for request in server.received)
    assert asked["ann-1"] == asked["cid-1"] == len(items)
    assert 3 <= asked["bob-1"] < len(items), "a breaker of its own stops a member that never answered, and nobody else"
    server.received.clear()
    server.otherwise = answer
    again = twist("council", release, "--models", MODELS)
    assert again.code == 0
    assert Counter(request.body["model"] for request in server.received) == {"bob-1": len(items)}
    assert read_council(release).figures.bins[Bin.UNANIMOUS] == len(items)


def test_a_reply_that_is_no_vote_is_a_failure_and_no_abstention(
    twist: Command, server: ScriptedServer, release: Path, items: list[CouncilItem]
) -> None:
    answer = _voting(items, _true)
    server.otherwise = lambda request: say({"vote": "both"}) if request.body["model"] == "cid-1" else answer(request)
    done = twist("council", release, "--models", MODELS, "--limit", "2")
    assert done.code == 3
    cid = read_council(release).figures.members[2]
    assert (cid.failed, cid.abstained) == (2, 0)
    server.received.clear()
    server.otherwise = answer
    assert twist("council", release, "--models", MODELS, "--limit", "2").code == 0, "what failed is asked again, as the docs say"
    assert [request.body["model"] for request in server.received] == ["cid-1", "cid-1"]


def test_a_dead_endpoint_leaves_no_record_and_exits_three(twist: Command, server: ScriptedServer, release: Path) -> None:
    server.otherwise = lambda _: fail(401, code="invalid_api_key", message=f"wrong key {KEY}")
    done = twist("council", release, "--models", MODELS)
    assert done.code == 3
    assert [line for line in done.err.splitlines() if line.startswith("twist: no ballot was cast: ")]
    assert not (release / COUNCIL).exists()
    assert KEY not in done.out + done.err


def test_a_limit_of_calls_stops_cleanly_and_the_next_run_goes_on(
    twist: Command, server: ScriptedServer, release: Path, items: list[CouncilItem]
) -> None:
    server.otherwise = _voting(items, _true)
    done = twist("council", release, "--models", MODELS, "--max-calls", "7")
    assert done.code == 4
    assert len(server.received) == 7
    assert f"7 of {3 * len(items)} ballots are cast" in done.err
    assert not (release / COUNCIL).exists()
    assert json.loads((release / "cost.json").read_text())["calls"] == 7
    again = twist("council", release, "--models", MODELS)
    assert again.code == 0
    assert len(server.received) == 3 * len(items), "what was answered before the limit is not asked again"
    assert json.loads((release / "cost.json").read_text())["calls"] == 3 * len(items)


def test_cost_is_limited_by_the_prices_that_are_given(
    twist: Command, server: ScriptedServer, release: Path, items: list[CouncilItem], tmp_path: Path
) -> None:
    server.otherwise = _voting(items, _true)
    refused = twist("council", release, "--models", MODELS, "--max-cost", "1")
    assert (refused.code, server.received) == (2, [])
    assert "needs the price of ann-1, bob-1, cid-1" in refused.err
    table = tmp_path / "prices.yaml"
    table.write_text("".join(f"{model}: {{prompt: 1000, completion: 2000}}\n" for model in MODELS.split(",")))
    # 11 tokens in and 7 out a call: 0.011 + 0.014.
    done = twist("council", release, "--models", MODELS, "--prices", table, "--max-cost", "1000", "--limit", "2")
    assert done.code == 0, done.err
    assert json.loads((release / "cost.json").read_text())["cost"] == pytest.approx(6 * 0.025)
    stopped = twist("council", release, "--models", MODELS, "--prices", table, "--max-cost", "0.0001")
    assert stopped.code == 4


def test_a_trial_sees_a_limited_number_of_items_in_pairs(
    twist: Command, server: ScriptedServer, release: Path, items: list[CouncilItem]
) -> None:
    server.otherwise = _voting(items, _true)
    done = twist("council", release, "--models", "ann-1,bob-1", "--limit", "4")
    assert done.code == 0
    assert f"4 of {len(items)} items, 2 members" in done.out
    report = read_council(release)
    assert (report.figures.items, report.items_in_key) == (4, len(items))
    assert {sum(bins.values()) for bins in report.figures.by_gold.values()} == {2}


def test_undefined_kappas_are_said_to_be_so(
    twist: Command, server: ScriptedServer, release: Path, items: list[CouncilItem]
) -> None:
    server.otherwise = _voting(items, lambda _model, _item: Gold.TENSION.value)
    done = twist("council", release, "--models", "ann-1,bob-1")
    assert done.code == 0
    assert "kappa of ann-1 and bob-1: undefined: both voted tension on every item" in done.out
    assert _stored(release)["figures"]["pairs"][0]["agreement"]["kappa"] is None


@pytest.mark.parametrize(
    ("models", "said"),
    [
        ("ann-1", "names no council"),
        ("", "names no council"),
        ("ann-1,,bob-1", "names no council"),
        ("ann-1,bob-1,ann-1", "names ann-1 twice"),
    ],
)
def test_models_that_make_no_council_are_refused(
    twist: Command, server: ScriptedServer, release: Path, models: str, said: str
) -> None:
    done = twist("council", release, "--models", models)
    assert (done.code, server.received) == (2, [])
    assert said in done.err


def test_a_directory_that_is_no_release_or_cannot_be_accounted_is_refused_before_anything_is_asked(
    twist: Command, server: ScriptedServer, release: Path, tmp_path: Path
) -> None:
    (tmp_path / "empty").mkdir()
    assert twist("council", tmp_path / "empty", "--models", MODELS).code == 2
    inside = twist("council", release, "--models", MODELS, "--journal", release / "council.sqlite")
    assert (inside.code, "lies inside a release" in inside.err) == (2, True)
    (release / "cost.json").write_text("{}")
    assert twist("council", release, "--models", MODELS).code == 2
    assert server.received == []


def test_no_endpoint_is_a_usage_error(twist: Command, release: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("OPENAI_API_KEY", "OPENAI_BASE_URL"):
        monkeypatch.delenv(name, raising=False)
    done = twist("council", release, "--models", MODELS)
    assert (done.code, "no language model is configured" in done.err) == (2, True)


def test_a_record_whose_figures_do_not_follow_from_its_ballots_is_refused(
    twist: Command, server: ScriptedServer, release: Path, items: list[CouncilItem]
) -> None:
    server.otherwise = _voting(items, _true)
    twist("council", release, "--models", MODELS)
    good = _stored(release)

    def refused(spoil: Callable[[dict[str, Any]], None]) -> str:
        raw = json.loads(json.dumps(good))
        spoil(raw)
        (release / COUNCIL).write_text(json.dumps(raw))
        with pytest.raises(ReleaseError) as caught:
            read_council(release)
        return str(caught.value)

    assert "do not follow" in refused(lambda raw: raw["figures"]["bins"].update(unanimous=0))
    assert "counted otherwise" in refused(lambda raw: raw["ballots"][0].update(vote="cannot_tell"))
    assert "no ballot of cid-1" in refused(lambda raw: raw["ballots"].pop())
    assert "other members" in refused(lambda raw: raw["members"].append("dan-1"))
    assert "schema_version" in refused(lambda raw: raw.update(schema_version="twist-council/0"))
    assert "Extra inputs" in refused(lambda raw: raw.update(more=1))

"""Commands around models: plan, cost, the live view, and options that do not go together."""

from __future__ import annotations

import io
import json
from pathlib import Path

import pytest
from cli_runs import Command, in_process
from rich.console import Console

from inject.agents.nodes import ItemEvent, ItemStage
from locomo_patch.locate import mock_path
from twist_cli.live import RunView, watch
from twistcore.chat.replies import Tokens
from twistcore.chat.usage import CallEvent, CallLabel, EventKind
from twistcore.cost import NO_COST, Cost, CostRow, add_up


@pytest.fixture
def twist(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, cache: Path) -> Command:
    monkeypatch.setenv("TWIST_CACHE", str(cache))
    monkeypatch.delenv("OPENAI_BASE_URL", raising=False)
    monkeypatch.delenv("OPENAI_API_KEY", raising=False)
    return in_process(capsys)


def row(item: str, agent: str = "writer", **counts: float) -> CostRow:
    values = {"calls": 1, "prompt_tokens": 10, "completion_tokens": 5, "cost": 0.25, "cache_hits": 0, **counts}
    return CostRow(sample_id="conv-1", agent=agent, item=item, model="m", **values)


def test_a_plan_sends_nothing_and_writes_every_prompt(twist: Command, tmp_path: Path) -> None:
    prices = tmp_path / "prices.yaml"
    prices.write_text("w: {prompt: 2, completion: 4}\nv: {prompt: 1, completion: 1}\n")
    out = tmp_path / "plan.jsonl"
    arguments = ["--arcs", "1", "--model", "w", "--verifier-model", "v", "--prices", prices, "--out", out, "--show", "1"]
    done = twist("plan", "--corpus", mock_path(), *arguments)
    assert done.code == 0, done.err
    rows = [json.loads(line) for line in out.read_text().splitlines()]
    assert [each["agent"] for each in rows] == ["scout"] * 4 + ["writer"] * 4
    assert all(each["prompt"][0]["role"] == "system" for each in rows)
    assert all(turn["facts"] for each in rows[4:] for turn in each["turns"])
    assert "You write short turns" in done.out
    assert "no --prices" not in done.out


def test_the_writer_needs_a_model_and_a_model_the_writer(twist: Command, tmp_path: Path) -> None:
    inject = ("inject", "--corpus", mock_path(), "--out", tmp_path / "release")
    assert "--model" in twist(*inject, "--writer", "llm").err
    assert "--writer llm" in twist(*inject, "--model", "m").err
    ended = twist(*inject, "--writer", "llm", "--model", "m")
    assert ended.code == 2
    assert "OPENAI_API_KEY" in ended.err
    assert not (tmp_path / "release").exists()
    assert not (tmp_path / "release.partial").exists()


@pytest.mark.parametrize(
    "places",
    [
        ("--events", "log", "--journal", "log"),
        ("--journal", "release.events.jsonl"),
        ("--journal", "release/j.sqlite"),
        ("--journal", "release.partial/graph.sqlite"),
        ("--events", "release.partial/e.jsonl"),
        ("--events", "release"),
        ("--events", "CACHE/journal.sqlite"),
    ],
)
def test_journal_event_log_and_release_keep_out_of_each_others_way(
    twist: Command, tmp_path: Path, cache: Path, places: tuple[str, ...]
) -> None:
    named = [each if each.startswith("--") else tmp_path / each.replace("CACHE", str(cache)) for each in places]
    model = ("--writer", "llm", "--model", "m")
    ended = twist("inject", "--corpus", mock_path(), "--out", tmp_path / "release", *model, *named)
    assert ended.code == 2
    assert "this command makes" in ended.err
    assert list(tmp_path.iterdir()) == []


def test_a_plan_of_nothing_asks_nobody(twist: Command) -> None:
    done = twist("plan", "--corpus", mock_path(), "--arcs", "0", "--conversations", "mock-1")
    assert done.code == 0, done.err
    assert "all 0 / 0" in " ".join(done.out.split())


def test_an_account_that_does_not_add_up_is_refused() -> None:
    good = add_up([row("a"), row("b", calls=2)])
    assert (good.calls, good.cost) == (3, 0.5)
    for field, value in (("calls", 4), ("prompt_tokens", 1), ("completion_tokens", 0), ("cost", 0.6), ("cache_hits", 1)):
        with pytest.raises(ValueError, match="sum of the rows"):
            Cost.model_validate({**good.model_dump(), field: value})


def test_rows_of_one_group_become_one() -> None:
    account = NO_COST.with_rows([row("a"), row("b")]).with_rows([row("a", calls=3)])
    assert [(each.item, each.calls) for each in account.rows] == [("a", 4), ("b", 1)]
    assert account.calls == 5


def test_cost_of_a_folder_that_is_no_release_is_refused(twist: Command, tmp_path: Path) -> None:
    assert twist("cost", tmp_path).code == 2


def call(kind: EventKind, cost: float = 0.0) -> CallEvent:
    return CallEvent(kind, CallLabel("writer", "conv-1", "a"), "m", "ok", 200, 1.0, Tokens(10, 5), cost)


def test_the_view_counts_items_calls_and_projects_cost() -> None:
    now = [0.0]
    view = RunView(asked=10, clock=lambda: now[0])
    assert view.projected is None
    for number in range(4):
        view.on_item(ItemEvent(ItemStage.PLANNED, "conv-1", str(number)))
        view.on_call(call(EventKind.SENT))
        now[0] += 1.0
        view.on_call(call(EventKind.ANSWERED, 0.5))
    view.on_item(ItemEvent(ItemStage.ACCEPTED, "conv-1", "0"))
    view.on_item(ItemEvent(ItemStage.ACCEPTED, "conv-1", "1"))
    view.on_item(ItemEvent(ItemStage.REVISING, "conv-1", "2", 2, "no_flip"))
    view.on_item(ItemEvent(ItemStage.REJECTED, "conv-1", "3", 3, "3 attempts failed, the last at no_flip"))
    line = view.line()
    for told in ("2 accepted", "1 in revision", "no_flip 1", "4 sent (1.0/s)", "40 in, 20 out", "2.0000 of about 10.0000"):
        assert told in line
    now[0] += 100
    assert view.rate == 0.0


def test_where_no_terminal_watches_lines_are_plain_and_seldom_and_all_events_are_logged(tmp_path: Path) -> None:
    shown, now = io.StringIO(), [0.0]
    console = Console(file=shown, force_terminal=False, soft_wrap=True)
    with watch(2, tmp_path / "deep" / "log.jsonl", console, lambda: now[0]) as watchers:
        for _ in range(25):
            watchers.on_event(call(EventKind.CACHED))
            watchers.tell(ItemEvent(ItemStage.PLANNED, "conv-1", "a"))
            now[0] += 1.0
    assert len(shown.getvalue().splitlines()) == 3
    assert "\x1b" not in shown.getvalue()
    assert len((tmp_path / "deep" / "log.jsonl").read_text().splitlines()) == 50


def test_on_a_terminal_the_view_is_live(tmp_path: Path) -> None:
    shown = io.StringIO()
    with watch(2, tmp_path / "log.jsonl", Console(file=shown, force_terminal=True, width=120)) as watchers:
        watchers.tell(ItemEvent(ItemStage.ACCEPTED, "conv-1", "a"))
    assert "1 accepted" in shown.getvalue()
    assert "\x1b[" in shown.getvalue()

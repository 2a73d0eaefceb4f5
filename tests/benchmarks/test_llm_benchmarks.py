"""The benchmarks of runs with models, on a few items: they measure what they say that they measure."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from benchmarks.llm import Bench, answers_kept, measure_kills, serving
from benchmarks.llm import Report as FigureReport
from benchmarks.llm_author import own_words
from benchmarks.llm_loop import CHECKPOINTS, JOURNAL
from benchmarks.llm_smoke import count, read_events
from locomo_patch.locate import mock_path


def test_no_two_turns_of_some_thousand_items_have_the_same_words() -> None:
    said = {own_words(number, attempt, turn) for number in range(3000) for attempt in (1, 2, 3) for turn in range(4)}
    assert len(said) == 36_000


def test_the_yield_is_what_the_events_tell(tmp_path: Path) -> None:
    log = tmp_path / "run.events.jsonl"
    call = '{"event": "answered", "agent": "%s", "item": "%s", "outcome": "%s", "prompt_tokens": 5, "completion_tokens": 2}'
    item = '{"event": "item", "stage": "%s", "item": "%s", "reason": "%s"}'
    lines = [
        *(item % ("planned", ident, "") for ident in "abc"),
        call % ("writer", "a", "ok"),
        call % ("writer", "b", "truncated"),
        item % ("revising", "a", "facts, voice"),
        call % ("verifier", "a", "ok"),
        item % ("ended", "a", ""),
        item % ("ended", "b", "facts"),
        item % ("accepted", "a", ""),
        '{"event": "answe',
    ]
    log.write_text("\n".join(lines))
    found = count(read_events(log))
    assert (found.asked, found.written, found.passed) == ({"a", "b", "c"}, {"a"}, {"a"})
    assert (found.verified, found.ended, found.accepted) == ({"a"}, {"a", "b"}, {"a"})
    assert (found.calls, found.prompt_tokens, found.completion_tokens) == (3, 15, 6)
    assert found.reasons == {"facts": 2, "voice": 1}
    assert found.outcomes == {"ok": 2, "truncated": 1}


def test_without_an_endpoint_the_smoke_run_says_what_to_set() -> None:
    bare = {name: value for name, value in os.environ.items() if not name.startswith("OPENAI_")}
    done = subprocess.run([sys.executable, "-m", "benchmarks.llm_smoke"], env=bare, capture_output=True, text=True, check=False)
    assert done.returncode == 2
    assert "set OPENAI_BASE_URL" in done.stderr


@pytest.mark.slow
def test_a_loop_out_of_its_journal_sends_nothing_and_ends_the_same(tmp_path: Path) -> None:
    bench, options = Bench(mock_path(), tmp_path), {"items": 24, "concurrency": 8}
    with serving(0.0) as url:
        first = bench.run("loop", url, "loop", **options)
        (tmp_path / "loop" / CHECKPOINTS).unlink()
        again = bench.run("loop", url, "loop", **options)
    assert first.items == 24
    assert sum(first.ended.values()) == 24
    assert len(first.ended) > 1
    assert len(answers_kept(tmp_path / "loop" / JOURNAL)) == first.calls > 100
    assert first.gates > 0
    assert (again.calls, again.cached, again.digest) == (0, first.calls, first.digest)


@pytest.mark.slow
def test_killed_runs_ask_for_no_answer_again(tmp_path: Path) -> None:
    report = FigureReport()
    measure_kills(Bench(mock_path(), tmp_path), report, 30)
    assert report.met
    assert report.table.row_count == 3

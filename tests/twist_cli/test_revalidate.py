"""`twist revalidate` and `twist errata`: states, scores, policies, a judge over real HTTP, and exit codes."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
import yaml
from cli_runs import Command, files_in, in_process
from scripted_server import Answer, Received, ScriptedServer, fail, say

import inject.pipeline
import locomo_patch.revalidation.decide
from locomo_patch.locate import mock_path
from locomo_patch.reader import LoadedCorpus
from locomo_patch.revalidation.planted import load_planted
from locomo_patch.revalidation.weigh import load_weights


@pytest.fixture
def twist(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, cache: Path) -> Command:
    monkeypatch.setenv("TWIST_CACHE", str(cache))
    monkeypatch.delenv("TWIST_DEBUG", raising=False)
    monkeypatch.setenv("COLUMNS", "200")
    return in_process(capsys)


@pytest.fixture
def unsure(monkeypatch: pytest.MonkeyPatch) -> None:
    """Rules that never decide that anything is perturbed: what bears on a question at all stays undecided."""
    never = replace(load_weights(), undecided=-1e9, perturbed=1e9)
    monkeypatch.setattr(locomo_patch.revalidation.decide, "load_weights", lambda: never)


@pytest.fixture
def server(monkeypatch: pytest.MonkeyPatch) -> Iterator[ScriptedServer]:
    for name in ("HTTP_PROXY", "http_proxy", "ALL_PROXY", "all_proxy"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("OPENAI_API_KEY", "key-not-to-be-shown")
    with ScriptedServer() as running:
        monkeypatch.setenv("OPENAI_BASE_URL", running.base_url)
        yield running


def _then(real: Callable[[Received], Answer]) -> Callable[[Received], Answer]:
    """Knows the planted set, and answers what is real by `real`."""

    def answer(request: Received) -> Answer:
        for item in load_planted():
            if f"<line>{item.pose().injected[0].line}</line>" in request.text:
                said = {"perturbed": "yes" if item.perturbs else "no", "kind": "superseded" if item.perturbs else None}
                return say({**said, "quote": item.new.text, "why": "because"})
        return real(request)

    return answer


def _yes(request: Received) -> Answer:
    new = re.findall(r"<new>(.*?)</new>", request.text, re.DOTALL)[-1]
    return say({"perturbed": "yes", "kind": None, "quote": re.findall(r"<line>(.*?)</line>", new)[-1], "why": "it says so"})


def _cases(path: Path, mock: LoadedCorpus, **labels: Any) -> Path:
    conversation = mock.corpus.conversations[0]
    injection = {
        "session": "append",
        "after": None,
        "speaker": conversation.speaker_a,
        "text": "We brought home a second puppy and named her Pepper.",
    }
    case = {"case_id": "one", "sample_id": conversation.sample_id, "injections": [injection], **labels}
    path.write_text(json.dumps(case) + "\n")
    return path


def _rows(path: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in path.read_text().splitlines()]


def test_every_question_of_a_case_gets_a_verdict(twist: Command, mock: LoadedCorpus, tmp_path: Path) -> None:
    out = tmp_path / "verdicts.jsonl"
    done = twist("revalidate", "--corpus", mock_path(), "--cases", _cases(tmp_path / "c.jsonl", mock), "--out", out)
    rows = _rows(out)
    assert done.code == 0
    assert len(rows) == len(mock.corpus.conversations[0].questions)
    assert set(rows[0]) == {
        "case_id", "question", "occurrence", "category", "state", "state_after_policy", "kind", "reason", "injected",
    }  # fmt: skip
    assert all(row["reason"] for row in rows)


def test_labels_are_scored_with_decided_and_undecided_apart(twist: Command, mock: LoadedCorpus, tmp_path: Path) -> None:
    question = mock.corpus.conversations[0].questions[0].question
    cases = _cases(tmp_path / "c.jsonl", mock, near_miss=[{"question": question, "why": "another matter"}])
    done = twist("revalidate", "--corpus", mock_path(), "--cases", cases, "--out", tmp_path / "v.jsonl")
    assert "0 of 0 perturbed not left valid" in done.out
    assert "1 near misses" in done.out


@pytest.mark.usefixtures("unsure")
def test_undecided_cases_are_retired_by_default_and_block_when_told_to(twist: Command, mock: LoadedCorpus, tmp_path: Path) -> None:
    cases, out = _cases(tmp_path / "c.jsonl", mock), tmp_path / "v.jsonl"
    assert twist("revalidate", "--corpus", mock_path(), "--cases", cases, "--out", out).code == 0
    assert {row["state_after_policy"] for row in _rows(out) if row["state"] == "undecided"} == {"retired"}
    done = twist("revalidate", "--corpus", mock_path(), "--cases", cases, "--out", out, "--undecided", "block")
    assert done.code == 3
    assert {row["state_after_policy"] for row in _rows(out) if row["state"] == "undecided"} == {"undecided"}


@pytest.mark.usefixtures("unsure")
def test_a_judge_settles_what_rules_leave_undecided(
    twist: Command, mock: LoadedCorpus, tmp_path: Path, server: ScriptedServer
) -> None:
    server.otherwise = _then(_yes)
    out = tmp_path / "v.jsonl"
    done = twist(
        "revalidate", "--corpus", mock_path(), "--cases", _cases(tmp_path / "c.jsonl", mock), "--out", out, "--judge-model", "tiny"
    )
    assert done.code == 0, done.err
    judged = [row for row in _rows(out) if "judge tiny says yes" in row["reason"]]
    assert judged and {row["state"] for row in judged} == {"retired"}
    assert "undecided" not in {row["state"] for row in _rows(out)}
    assert "key-not-to-be-shown" not in done.out + done.err


@pytest.mark.usefixtures("unsure")
@pytest.mark.parametrize("policy", ["retire", "block"])
def test_a_judge_that_fails_leaves_its_questions_undecided_and_exits_three_whatever_the_policy(
    twist: Command, mock: LoadedCorpus, tmp_path: Path, server: ScriptedServer, policy: str
) -> None:
    server.otherwise = _then(lambda _: fail(401, message="no such key"))
    cases, out = _cases(tmp_path / "c.jsonl", mock), tmp_path / "v.jsonl"
    done = twist(
        "revalidate", "--corpus", mock_path(), "--cases", cases, "--out", out, "--judge-model", "tiny", "--undecided", policy
    )
    assert done.code == 3
    assert "judge failed" in done.err
    assert {row["state_after_policy"] for row in _rows(out) if row["state"] == "undecided"} == {"undecided"}


@pytest.mark.usefixtures("unsure")
def test_a_judge_that_cannot_tell_is_not_covered_by_the_policy(
    twist: Command, mock: LoadedCorpus, tmp_path: Path, server: ScriptedServer
) -> None:
    server.otherwise = _then(lambda _: say({"perturbed": "cannot_tell", "kind": None, "quote": "", "why": "vague"}))
    cases, out = _cases(tmp_path / "c.jsonl", mock), tmp_path / "v.jsonl"
    order = ("revalidate", "--corpus", mock_path(), "--cases", cases, "--out", out, "--judge-model", "tiny")
    assert twist(*order).code == 0, "a judge that works and cannot tell is no failure"
    assert "undecided" in {row["state_after_policy"] for row in _rows(out)}
    assert twist(*order, "--undecided", "block").code == 3


def _no(_request: Received) -> Answer:
    return say({"perturbed": "no", "kind": None, "quote": "", "why": "never"})


@pytest.mark.parametrize("answers", [_yes, _no, lambda _: say({"perturbed": "cannot_tell", "kind": None, "quote": "", "why": "?"})])
@pytest.mark.parametrize("command", ["cases", "release", "inject"])
def test_a_judge_that_does_not_qualify_stops_the_run_before_anything_is_written(
    twist: Command, mock: LoadedCorpus, tmp_path: Path, server: ScriptedServer, answers: Callable[[Received], Answer], command: str
) -> None:
    server.otherwise = answers
    cases, out = _cases(tmp_path / "c.jsonl", mock), tmp_path / "v.jsonl"
    orders: dict[str, tuple[str | Path, ...]] = {
        "cases": ("revalidate", "--cases", cases, "--out", out),
        "release": ("revalidate", "--release", tmp_path / "release", "--undecided", "retire"),
        "inject": ("inject", "--out", out, "--undecided", "retire"),
    }
    before = files_in(tmp_path)
    done = twist(*orders[command], "--corpus", mock_path(), "--judge-model", "tiny")
    assert done.code == 3
    assert [line for line in done.err.splitlines() if "tiny" in line] == done.err.splitlines()[-1:]
    assert "does not qualify" in done.err and "--judge-model" in done.err
    assert files_in(tmp_path) == before


def test_an_endpoint_that_is_down_stops_the_run_before_anything_is_written(
    twist: Command, mock: LoadedCorpus, tmp_path: Path, server: ScriptedServer
) -> None:
    server.otherwise = lambda _: fail(401, message="no")
    cases, out = _cases(tmp_path / "c.jsonl", mock), tmp_path / "v.jsonl"
    done = twist("revalidate", "--corpus", mock_path(), "--cases", cases, "--out", out, "--judge-model", "tiny")
    assert done.code == 3
    assert not out.exists()


@pytest.mark.usefixtures("unsure")
def test_an_injection_whose_judge_fails_is_resumed_without_doing_the_rest_again(
    twist: Command, tmp_path: Path, server: ScriptedServer
) -> None:
    out = tmp_path / "release"
    order = ("inject", "--corpus", mock_path(), "--out", out, "--judge-model", "tiny", "--conversations", "mock-2")
    server.otherwise = _then(lambda _: fail(401, message="no"))
    stopped = twist(*order)
    assert stopped.code == 3
    assert "run the same command again" in stopped.err
    assert not out.exists()
    server.otherwise = _then(_yes)
    done = twist(*order)
    assert done.code == 0, done.err
    assert json.loads((out / "manifest.json").read_text())["config"]["revalidation"]["judge"] == "tiny"
    assert twist("check", out).code == 0


@pytest.mark.usefixtures("unsure")
def test_a_judge_is_asked_nothing_again_that_it_answered_the_planted_set_included(
    twist: Command, mock: LoadedCorpus, tmp_path: Path, server: ScriptedServer
) -> None:
    cases, out = _cases(tmp_path / "c.jsonl", mock), tmp_path / "v.jsonl"
    order = ("revalidate", "--corpus", mock_path(), "--cases", cases, "--out", out, "--judge-model", "tiny")
    server.otherwise = _then(lambda _: fail(401, message="no"))
    assert twist(*order).code == 3
    server.otherwise = _then(_yes)
    server.received.clear()
    assert twist(*order).code == 0
    verdicts, asked = out.read_bytes(), len(server.received)
    assert 0 < asked < len(load_planted())
    assert not any(item.new.text in request.text for item in load_planted() for request in server.received)
    assert twist(*order).code == 0
    assert len(server.received) == asked
    assert out.read_bytes() == verdicts


def test_a_damaged_journal_of_the_judge_is_named_with_a_remedy(
    twist: Command, mock: LoadedCorpus, tmp_path: Path, server: ScriptedServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("TWIST_CACHE", str(tmp_path))
    (tmp_path / "journal.sqlite").write_text("notes", encoding="utf-8")
    order = ("revalidate", "--corpus", mock_path(), "--cases", _cases(tmp_path / "c.jsonl", mock), "--out", tmp_path / "v.jsonl")
    done = twist(*order, "--judge-model", "tiny")
    assert done.code == 2
    assert "journal.sqlite" in done.err
    assert "move the file away" in done.err
    assert server.received == []


@pytest.mark.usefixtures("unsure")
def test_undecided_questions_block_a_release_until_a_policy_retires_them(twist: Command, tmp_path: Path) -> None:
    out = tmp_path / "release"
    assert twist("inject", "--corpus", mock_path(), "--out", out, "--no-revalidate").code == 0
    assert not (out / "qa").exists()
    blocked = twist("revalidate", "--corpus", mock_path(), "--release", out)
    assert blocked.code == 3
    assert "undecided questions block it: mock-1 '" in blocked.err and "--undecided retire" in blocked.err
    assert "undecided" in twist("check", out).out
    assert "Not fit to be published" in (out / "DATASHEET.md").read_text()
    refused = twist("patch", "make", out, "-o", tmp_path / "p.json")
    assert (refused.code, (tmp_path / "p.json").exists()) == (3, False)
    retired = twist("revalidate", "--corpus", mock_path(), "--release", out, "--undecided", "retire")
    assert retired.code == 0
    assert "TWIST-QA-v0.2" in retired.out
    assert twist("check", out).code == 0


@pytest.mark.usefixtures("unsure")
@pytest.mark.parametrize("way", ["policy", "judge"])
def test_an_injection_with_undecided_questions_publishes_nothing_and_goes_on_with_another_policy_or_judge(
    twist: Command, tmp_path: Path, server: ScriptedServer, monkeypatch: pytest.MonkeyPatch, way: str
) -> None:
    server.otherwise = _then(_yes)
    order = ("inject", "--corpus", mock_path(), "--seed", "7")
    more = ("--undecided", "retire") if way == "policy" else ("--undecided", "block", "--judge-model", "tiny")
    assert twist(*order, "--out", tmp_path / "straight", *more).code == 0
    out = tmp_path / "release"
    blocked = twist(*order, "--out", out, "--undecided", "block")
    assert blocked.code == 3
    assert not out.exists()
    assert re.search(r"release: is not published, \d+ undecided questions block it: mock-1 '", blocked.err.replace("\n", " "))
    assert twist(*order, "--out", out, "--undecided", "block").err.splitlines()[-1] == blocked.err.splitlines()[-1]
    monkeypatch.setattr(inject.pipeline, "inject_conversation", _not_again)
    done = twist(*order, "--out", out, *more)
    assert done.code == 0, done.err
    assert files_in(out) == files_in(tmp_path / "straight")
    assert not out.with_name("release.partial").exists()


def _not_again(*_: Any) -> Any:
    raise AssertionError("what was injected is injected again")


@pytest.mark.usefixtures("unsure")
def test_a_judge_that_cannot_tell_blocks_an_injection_whatever_the_policy(
    twist: Command, tmp_path: Path, server: ScriptedServer
) -> None:
    server.otherwise = _then(lambda _: say({"perturbed": "cannot_tell", "kind": None, "quote": "", "why": "vague"}))
    out = tmp_path / "release"
    done = twist("inject", "--corpus", mock_path(), "--out", out, "--undecided", "retire", "--judge-model", "tiny")
    assert (done.code, out.exists()) == (3, False)
    assert "another --judge-model" in done.err and "--undecided retire" not in done.err


def test_without_revalidation_a_release_says_nothing_of_questions(twist: Command, tmp_path: Path) -> None:
    out = tmp_path / "release"
    done = twist("inject", "--corpus", mock_path(), "--out", out, "--no-revalidate")
    assert done.code == 0
    assert "TWIST-QA" not in done.out
    assert "not re-validated" in (out / "DATASHEET.md").read_text()


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        ((), "takes --release"),
        (("--cases", "c.jsonl"), "--out"),
        (("--release", "r", "--out", "x"), "--out goes with --cases"),
        (("--release", "nowhere"), "manifest.json"),
    ],
)
def test_what_cannot_be_meant_is_one_line(
    twist: Command, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, arguments: tuple[str, ...], said: str
) -> None:
    monkeypatch.chdir(tmp_path)
    done = twist("revalidate", "--corpus", mock_path(), *arguments)
    assert done.code == 2
    assert said in done.err.splitlines()[-1]


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"sample_id": "conv-99"}, "conv-99"),
        ({"injections": []}, "injections"),
        ({"injections": [{"session": 99, "speaker": "?", "text": "x"}]}, "does not speak"),
        ({"injections": [{"session": "later", "speaker": "?", "text": "x"}]}, "injections.0.session"),
    ],
)
def test_a_malformed_case_names_its_line(
    twist: Command, mock: LoadedCorpus, tmp_path: Path, change: dict[str, Any], said: str
) -> None:
    cases = _cases(tmp_path / "c.jsonl", mock, **change)
    done = twist("revalidate", "--corpus", mock_path(), "--cases", cases, "--out", tmp_path / "v.jsonl")
    assert done.code == 2
    assert "line 1" in done.err and said in done.err
    assert not (tmp_path / "v.jsonl").exists()


def test_a_case_at_a_turn_that_is_not_there_is_refused(twist: Command, mock: LoadedCorpus, tmp_path: Path) -> None:
    speaker = mock.corpus.conversations[0].speaker_a
    wrong = [{"session": 1, "after": "D1:99", "speaker": speaker, "text": "x"}]
    cases = _cases(tmp_path / "c.jsonl", mock, injections=wrong)
    done = twist("revalidate", "--corpus", mock_path(), "--cases", cases, "--out", tmp_path / "v.jsonl")
    assert done.code == 2
    assert "D1:99" in done.err


def test_errata_are_applied_once_and_bad_ones_change_nothing(twist: Command, mock: LoadedCorpus, tmp_path: Path) -> None:
    out = tmp_path / "release"
    assert twist("inject", "--corpus", mock_path(), "--out", out).code == 0
    key = json.loads((out / "keys" / "track_a.jsonl").read_text().splitlines()[0])["id"]
    good = tmp_path / "good.yaml"
    signed = {"reason": "ambiguous", "by": "R. Eader", "date": "2024-05-06"}
    good.write_text(yaml.safe_dump([{"target": key, "action": "retire", **signed}]))
    first = twist("errata", "apply", out, good)
    assert first.code == 0
    assert "TWIST-A-v0.2" in first.out
    before = files_in(out)
    assert "nothing to append" in twist("errata", "apply", out, good).out
    bad = tmp_path / "bad.yaml"
    bad.write_text(yaml.safe_dump([{"target": "nobody", "action": "retire", **signed}]))
    assert twist("errata", "apply", out, bad).code == 2
    assert files_in(out) == before
    assert twist("check", out).code == 0

"""`twist revalidate`, stopped at any point: the same command goes on, and its bytes are those of a run that nobody stopped."""

from __future__ import annotations

import json
import shutil
from pathlib import Path
from typing import Any

import pytest
from cli_runs import Command, assert_refused, files_in, in_subprocess

import inject.revalidate
import locomo_patch.revalidation.case_runs
from locomo_patch.locate import mock_path
from locomo_patch.reader import LoadedCorpus
from twist_cli.main import run

KILLED = """
import os, signal
import twistcore.runs as runs, twistcore.folders as folders, locomo_patch.revalidation.case_runs as cases
left = [{step}]
def stop_at(real):
    def call(*arguments):
        if left[0] == 0:
            {how}
        left[0] -= 1
        return real(*arguments)
    return call
runs.write_atomic, folders.write_atomic, cases.write_atomic = map(stop_at, (runs.write_atomic, folders.write_atomic, cases.write_atomic))
runs.Checkpoints.clear, folders.Path.rename = map(stop_at, (runs.Checkpoints.clear, folders.Path.rename))
"""
KILL, INTERRUPT = "os.kill(os.getpid(), signal.SIGKILL)", "os.kill(os.getpid(), signal.SIGINT)"
GOES_ON = "run the same command again to go on"


@pytest.fixture(scope="module")
def plain(tmp_path_factory: pytest.TempPathFactory, cache: Path) -> Path:
    """A release whose questions have no states yet."""
    folder = tmp_path_factory.mktemp("plain") / "release"
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("TWIST_CACHE", str(cache))
        with pytest.raises(SystemExit):
            run(["inject", "--corpus", str(mock_path()), "--out", str(folder), "--no-revalidate"])
    return folder


@pytest.fixture(scope="module")
def done(plain: Path, tmp_path_factory: pytest.TempPathFactory, cache: Path) -> Path:
    """What re-validation makes of it when nobody stops it."""
    folder = Path(shutil.copytree(plain, tmp_path_factory.mktemp("done") / "release"))
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("TWIST_CACHE", str(cache))
        with pytest.raises(SystemExit) as leaving:
            run([str(word) for word in _order(folder)])
    assert leaving.value.code in (0, None)
    return folder


@pytest.fixture
def release(plain: Path, tmp_path: Path) -> Path:
    return Path(shutil.copytree(plain, tmp_path / "place" / "release"))


@pytest.fixture
def cases(mock: LoadedCorpus, tmp_path: Path) -> Path:
    path = tmp_path / "cases.jsonl"
    rows = [
        {
            "case_id": f"case {number}",
            "sample_id": conversation.sample_id,
            "injections": [{"session": "append", "after": None, "speaker": conversation.speaker_a, "text": text}],
        }
        for number, (conversation, text) in enumerate(
            zip(mock.corpus.conversations, ("We brought home a second puppy, Pepper.", "I moved to Lyon last week."), strict=True)
        )
    ]
    path.write_text("".join(json.dumps(row) + "\n" for row in rows))
    return path


def _order(release: Path, *more: str) -> tuple[str | Path, ...]:
    return ("revalidate", "--corpus", mock_path(), "--release", release, "--undecided", "retire", *more)


def _cases(cases: Path, out: Path, *more: str) -> tuple[str | Path, ...]:
    return ("revalidate", "--corpus", mock_path(), "--cases", cases, "--out", out, *more)


def _not_again(*_: Any, **__: Any) -> Any:
    raise AssertionError("what was decided is decided again")


# Writes of a release: run.json, a checkpoint for each of two conversations, seven files of the copy, two renames, the clearing.
@pytest.mark.parametrize("step", [2, 9, 10, *(pytest.param(step, marks=pytest.mark.slow) for step in (0, 1, 3, 6, 8))])
def test_a_release_whose_re_validation_is_killed_at_any_step_ends_with_the_same_bytes(
    twist: Command, release: Path, done: Path, cache: Path, step: int
) -> None:
    killed = in_subprocess(*_order(release), cache=cache, prelude=KILLED.format(step=step, how=KILL))
    assert killed.code == -9, killed
    assert twist(*_order(release)).code == 0
    assert files_in(release) == files_in(done)
    assert [path.name for path in release.parent.iterdir()] == ["release"]


@pytest.mark.parametrize("step", [2, 4, *(pytest.param(step, marks=pytest.mark.slow) for step in (0, 1, 3))])
def test_cases_that_are_killed_at_any_step_end_with_the_same_bytes(
    twist: Command, cases: Path, tmp_path: Path, cache: Path, step: int
) -> None:
    """Steps: run.json, a checkpoint for each of two cases, the verdicts, the clearing."""
    straight, out = tmp_path / "straight.jsonl", tmp_path / "place" / "v.jsonl"
    assert twist(*_cases(cases, straight)).code == 0
    killed = in_subprocess(*_cases(cases, out), cache=cache, prelude=KILLED.format(step=step, how=KILL))
    assert killed.code == -9, killed
    assert twist(*_cases(cases, out)).code == 0
    assert out.read_bytes() == straight.read_bytes()
    assert [path.name for path in out.parent.iterdir()] == ["v.jsonl"]


def test_an_interrupted_re_validation_says_that_it_goes_on_and_decides_nothing_again(
    twist: Command, release: Path, done: Path, cache: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = files_in(release)
    stopped = in_subprocess(*_order(release), cache=cache, prelude=KILLED.format(step=3, how=INTERRUPT))
    assert (stopped.code, GOES_ON in stopped.err) == (4, True), stopped
    assert files_in(release) == before
    monkeypatch.setattr(inject.revalidate, "begin_conversation", _not_again)
    assert twist(*_order(release)).code == 0
    assert files_in(release) == files_in(done)


def test_interrupted_cases_say_that_they_go_on_and_judge_nothing_again(
    twist: Command, cases: Path, tmp_path: Path, cache: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    straight, out = tmp_path / "straight.jsonl", tmp_path / "v.jsonl"
    assert twist(*_cases(cases, straight)).code == 0
    stopped = in_subprocess(*_cases(cases, out), cache=cache, prelude=KILLED.format(step=3, how=INTERRUPT))
    assert (stopped.code, GOES_ON in stopped.err, out.exists()) == (4, True, False), stopped
    monkeypatch.setattr(locomo_patch.revalidation.case_runs, "judge_cases", _not_again)
    assert twist(*_cases(cases, out)).code == 0
    assert out.read_bytes() == straight.read_bytes()


def test_another_configuration_does_not_go_on_from_what_was_kept(
    twist: Command, cases: Path, release: Path, tmp_path: Path, cache: Path
) -> None:
    out = tmp_path / "v.jsonl"
    assert in_subprocess(*_cases(cases, out), cache=cache, prelude=KILLED.format(step=2, how=INTERRUPT)).code == 4
    refused = twist(*_cases(cases, out, "--undecided", "block"))
    assert (refused.code, "another policy" in refused.err, out.exists()) == (2, True, False), refused
    cases.write_text(cases.read_text().replace("Lyon", "Oslo"))
    assert "another cases_sha256" in twist(*_cases(cases, out)).err
    assert in_subprocess(*_order(release), cache=cache, prelude=KILLED.format(step=2, how=INTERRUPT)).code == 4
    (release / "edits.jsonl").write_text((release / "edits.jsonl").read_text() + "\n")
    refused = twist(*_order(release))
    assert refused.code == 2
    assert "another edits_sha256" in refused.err and "remove the directory" in refused.err and "--out" not in refused.err


def test_a_policy_may_change_between_an_interrupted_re_validation_of_a_release_and_its_rerun(
    twist: Command, release: Path, done: Path, cache: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Decisions come before the policy, so that what was kept holds for another one."""
    blocking = (*_order(release)[:-1], "block")
    assert in_subprocess(*blocking, cache=cache, prelude=KILLED.format(step=3, how=INTERRUPT)).code == 4
    monkeypatch.setattr(inject.revalidate, "begin_conversation", _not_again)
    assert twist(*_order(release)).code == 0
    assert files_in(release) == files_in(done)


def test_verdicts_that_another_process_is_writing_are_left_to_it(twist: Command, cases: Path, tmp_path: Path) -> None:
    out = tmp_path / "v.jsonl"
    kept = locomo_patch.revalidation.case_runs.Checkpoints(out.with_name("v.jsonl.partial"), {}, out)
    with kept.lock():
        assert_refused(twist(*_cases(cases, out)), 2, out, "another process")
    assert not out.exists()

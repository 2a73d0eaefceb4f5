"""Bad input: one line that names the file and the place, the exit code of SCHEMAS.md, nothing half-written, no traceback."""

from __future__ import annotations

import json
import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from cli_runs import Command, assert_refused, in_process, in_subprocess, lines_of, mock_raw, nothing_left, write_corpus

from locomo_patch.locate import mock_path


@pytest.fixture
def twist(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, cache: Path) -> Command:
    monkeypatch.setenv("TWIST_CACHE", str(cache))
    monkeypatch.delenv("TWIST_DEBUG", raising=False)
    return in_process(capsys)


def no_sessions(raw: Any) -> None:
    raw[0]["conversation"] = {"speaker_a": "Ingrid", "speaker_b": "Tobias"}


def no_date(raw: Any) -> None:
    del raw[1]["conversation"]["session_3_date_time"]


def bad_date(raw: Any) -> None:
    raw[1]["conversation"]["session_3_date_time"] = "a while later"


def repeated_id(raw: Any) -> None:
    raw[0]["conversation"]["session_2"][4]["dia_id"] = "D2:4"


def third_speaker(raw: Any) -> None:
    raw[0]["conversation"]["session_2"][4]["speaker"] = "Mallory"


def twice_running(raw: Any) -> None:
    raw[0]["conversation"]["session_2"][4]["speaker"] = raw[0]["conversation"]["session_2"][3]["speaker"]


def repeated_conversation(raw: Any) -> None:
    raw[1]["sample_id"] = "mock-1"


def no_block(raw: Any) -> None:
    del raw[0]["event_summary"]


def no_summary(raw: Any) -> None:
    del raw[0]["session_summary"]["session_3_summary"]


def odd_turn(raw: Any) -> None:
    raw[0]["conversation"]["session_2"][4] = None


CORPORA = [
    (no_sessions, "mock-1: has no session"),
    (no_date, "mock-2 session_3: has no date"),
    (bad_date, "mock-2 session_3: date cannot be parsed"),
    (repeated_id, "mock-1 session_2 turn 5: repeats the id D2:4"),
    (third_speaker, "mock-1 session_2 turn 5: is spoken by a third speaker, Mallory"),
    (twice_running, "mock-1 session_2 turn 5: Tobias speaks twice running"),
    (repeated_conversation, "repeats the sample_id mock-1"),
    (no_block, "conversation 0: lacks event_summary"),
    (no_summary, "mock-1 session_3: has no summary"),
    (odd_turn, "mock-1 session_2 turn 5: is no object"),
]


@pytest.mark.parametrize(("breakage", "place"), CORPORA)
def test_a_broken_corpus_is_refused(twist: Command, tmp_path: Path, breakage: Callable[[Any], None], place: str) -> None:
    raw = mock_raw()
    breakage(raw)
    path = write_corpus(tmp_path / "broken.json", raw)
    done = twist("inject", "--corpus", path, "--allow-unknown", "--out", tmp_path / "release")
    assert_refused(done, 2, path, place)
    assert not (tmp_path / "release").exists()
    if breakage is not no_summary:
        # That one is found when its conversation is reached: the checkpoint directory of a run that can go on is there by then.
        nothing_left(tmp_path, "broken.json")


@pytest.mark.parametrize("command", ["inject", "gate"])
def test_a_file_of_another_hash_is_refused_by_every_command(twist: Command, tmp_path: Path, command: str) -> None:
    path = write_corpus(tmp_path / "locomo10.json", mock_raw()[:1])
    (tmp_path / "p.jsonl").write_text("")
    extra = ["--proposals", tmp_path / "p.jsonl"] if command == "gate" else []
    done = twist(command, "--corpus", path, *extra, "--out", tmp_path / "release")
    assert_refused(done, 2, path, "is no known version of LoCoMo (sha256 ", "--allow-unknown")
    nothing_left(tmp_path, "locomo10.json", "p.jsonl")


def test_truncated_json_is_refused_with_line_and_column(twist: Command, tmp_path: Path) -> None:
    path = tmp_path / "locomo10.json"
    path.write_bytes(mock_path().read_bytes()[:5000])
    assert_refused(twist("inject", "--corpus", path, "--out", tmp_path / "release"), 2, path, "line ", "column ", "is no JSON")
    nothing_left(tmp_path, "locomo10.json")


def test_an_absent_corpus_is_named(twist: Command, tmp_path: Path) -> None:
    done = twist("inject", "--corpus", tmp_path / "none.json", "--out", tmp_path / "release")
    assert_refused(done, 2, tmp_path / "none.json", "does not exist", "--corpus")


GOOD: dict[str, Any] = {
    "id": "p1",
    "family": "A1",
    "sample_id": "mock-1",
    "holder": "Ingrid",
    "topic": "parrot",
    "old_belief": "Ingrid would never keep a parrot",
    "new_belief": "Ingrid keeps a parrot",
    "turns": [
        {"role": "anchor", "session": 1, "speaker": "Ingrid", "text": "I'd never keep a parrot."},
        {"role": "reversal", "session": 8, "speaker": "Ingrid", "text": "My parrot wakes me up every morning."},
    ],
}


@pytest.mark.parametrize(
    ("second", "place"),
    [
        *[(json.dumps({key: value for key, value in GOOD.items() if key != field}), f"field {field}: ") for field in GOOD],
        (json.dumps({**GOOD, "turns": []}), "field turns: "),
        (json.dumps({**GOOD, "turns": [{"role": "anchor", "session": 1, "speaker": "Ingrid"}]}), "field turns.0.text: "),
        (json.dumps({**GOOD, "family": "A9"}), "field family: "),
        (json.dumps(GOOD)[:40], "is no JSON"),
        ("[]", "is no JSON object"),
        ("null", "is no JSON object"),
        ("not json", "is no JSON"),
    ],
)
def test_a_proposal_line_that_lacks_something_ends_the_run_with_its_number(
    twist: Command, tmp_path: Path, second: str, place: str
) -> None:
    path = tmp_path / "proposals.jsonl"
    path.write_text(lines_of([GOOD]) + second + "\n")
    done = twist("gate", "--corpus", mock_path(), "--proposals", path, "--out", tmp_path / "verdicts.jsonl")
    assert_refused(done, 2, path, "line 2", place)
    nothing_left(tmp_path, "proposals.jsonl")


def test_proposals_that_are_not_there_or_not_text_are_named(twist: Command, tmp_path: Path) -> None:
    done = twist("gate", "--corpus", mock_path(), "--proposals", tmp_path / "none.jsonl", "--out", tmp_path / "v.jsonl")
    assert_refused(done, 2, tmp_path / "none.jsonl", "cannot be read")
    (tmp_path / "bytes.jsonl").write_bytes(b"\xff\xfe\x00")
    done = twist("gate", "--corpus", mock_path(), "--proposals", tmp_path / "bytes.jsonl", "--out", tmp_path / "v.jsonl")
    assert_refused(done, 2, tmp_path / "bytes.jsonl", "cannot be read")
    nothing_left(tmp_path, "bytes.jsonl")


def test_a_directory_that_holds_something_else_is_refused_untouched(twist: Command, tmp_path: Path) -> None:
    out = tmp_path / "thesis"
    out.mkdir()
    (out / "chapter.txt").write_text("years of work")
    assert_refused(twist("inject", "--corpus", mock_path(), "--out", out), 2, out, "holds something that is no release")
    nothing_left(tmp_path, "thesis/chapter.txt")
    assert (out / "chapter.txt").read_text() == "years of work"


def test_a_partial_directory_that_holds_something_else_is_refused_untouched(twist: Command, tmp_path: Path) -> None:
    staging = tmp_path / "release.partial"
    staging.mkdir()
    (staging / "chapter.txt").write_text("years of work")
    done = twist("inject", "--corpus", mock_path(), "--out", tmp_path / "release")
    assert_refused(done, 2, staging, "no interrupted run")
    nothing_left(tmp_path, "release.partial/chapter.txt")


def test_a_file_as_output_is_refused_untouched(twist: Command, tmp_path: Path) -> None:
    out = tmp_path / "notes.txt"
    out.write_text("mine")
    assert_refused(twist("inject", "--corpus", mock_path(), "--out", out), 2, out, "is not a directory")
    assert out.read_text() == "mine"
    nothing_left(tmp_path, "notes.txt")


def test_an_output_below_a_file_is_refused(twist: Command, tmp_path: Path) -> None:
    (tmp_path / "notes.txt").write_text("mine")
    done = twist("inject", "--corpus", mock_path(), "--out", tmp_path / "notes.txt" / "release")
    assert_refused(done, 2, tmp_path / "notes.txt")
    nothing_left(tmp_path, "notes.txt")


@pytest.mark.parametrize(
    ("arguments", "parts"),
    [
        (["--conversations", "mock-1,mock-7"], ["no conversation mock-7", "it has mock-1, mock-2"]),
        (["--conversations", ""], ["--conversations names none"]),
        (["--conversations", " , "], ["--conversations names none"]),
        (["--track", "Z"], ["track Z"]),
        (["--seed", "seven"], ["--seed"]),
        (["--arcs", "-1"], ["--arcs"]),
        (["--arc", "1"], ["No such option"]),
    ],
)
def test_a_command_that_cannot_be_meant_is_refused(twist: Command, tmp_path: Path, arguments: list[str], parts: list[str]) -> None:
    assert_refused(twist("inject", "--corpus", mock_path(), "--out", tmp_path / "release", *arguments), 2, *parts)
    nothing_left(tmp_path)


def test_an_unknown_track_of_proposals_is_refused(twist: Command, tmp_path: Path) -> None:
    (tmp_path / "p.jsonl").write_text(lines_of([GOOD]))
    done = twist(
        "gate", "--track", "Z", "--corpus", mock_path(), "--proposals", tmp_path / "p.jsonl", "--out", tmp_path / "v.jsonl"
    )
    assert_refused(done, 2, "track Z")


@pytest.mark.parametrize("command", ["check", "show", "audit"])
def test_a_directory_that_is_no_release_is_refused(twist: Command, tmp_path: Path, command: str) -> None:
    assert_refused(twist(command, tmp_path), 2, tmp_path, "holds no manifest.json")
    assert_refused(twist(command, tmp_path / "absent"), 2, tmp_path / "absent")
    for text, place in (("{}", ""), ("{", "line 1 column 2")):
        (tmp_path / "manifest.json").write_text(text)
        done = twist(command, tmp_path)
        if command == "check":
            # A directory with a manifest is a release, though a broken one: that is what check reports.
            assert (done.code, f"manifest.json, {place}" in done.out) == (1, True)
        else:
            assert_refused(done, 2, "manifest.json", place)
    nothing_left(tmp_path, "manifest.json")


def test_a_changed_seed_or_count_on_the_same_output_is_refused_with_the_reason(twist: Command, tmp_path: Path) -> None:
    out = tmp_path / "release"
    assert twist("inject", "--corpus", mock_path(), "--out", out, "--conversations", "mock-2", "--seed", "7").code == 0
    kept = {path: path.read_bytes() for path in out.rglob("*") if path.is_file()}
    done = twist("inject", "--corpus", mock_path(), "--out", out, "--conversations", "mock-2", "--seed", "8")
    assert_refused(done, 2, out, "another seed")
    done = twist("inject", "--corpus", mock_path(), "--out", out, "--conversations", "mock-2", "--arcs", "1")
    assert_refused(done, 2, out, "another pairs_per_conversation")
    done = twist("inject", "--corpus", mock_path(), "--out", out, "--seed", "7")
    assert_refused(done, 2, out, "another conversations")
    assert {path: path.read_bytes() for path in out.rglob("*") if path.is_file()} == kept
    assert not (tmp_path / "release.partial").exists()


def test_a_full_disk_is_one_line_and_leaves_no_release(twist: Command, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(_descriptor: int) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fsync", full)
    done = twist("inject", "--corpus", mock_path(), "--conversations", "mock-2", "--out", tmp_path / "release")
    assert_refused(done, 2, "No space left on device", "free space")
    nothing_left(tmp_path)


def test_a_full_disk_at_the_last_rename_leaves_no_release(twist: Command, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    out = tmp_path / "release"
    rename = Path.rename

    def full(self: Path, target: Path) -> Path:
        if Path(target) == out:
            raise OSError(28, "No space left on device")
        return rename(self, target)

    monkeypatch.setattr(Path, "rename", full)
    done = twist("inject", "--corpus", mock_path(), "--conversations", "mock-2", "--out", out)
    assert_refused(done, 2, out, "No space left on device")
    assert not out.exists()
    monkeypatch.setattr(Path, "rename", rename)
    assert twist("inject", "--corpus", mock_path(), "--conversations", "mock-2", "--out", out).code == 0
    assert (out / "manifest.json").is_file()
    assert not out.with_name("release.partial").exists()


def test_debug_shows_the_traceback_wherever_it_stands(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from twist_cli.main import run
    from twistcore.errors import CorpusError

    monkeypatch.delenv("TWIST_DEBUG", raising=False)
    arguments = ["inject", "--corpus", str(tmp_path / "none.json"), "--out", str(tmp_path / "r")]
    for placed in (["--debug", *arguments], [*arguments, "--debug"]):
        with pytest.raises(CorpusError):
            run(placed)


def test_an_interrupt_says_that_the_run_can_go_on(twist: Command, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupt(*_arguments: object, **_named: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("twist_cli.inject.run_injection", interrupt)
    assert_refused(twist("inject", "--corpus", mock_path(), "--out", tmp_path / "r"), 4, "run the same command again")


@pytest.mark.slow
@pytest.mark.parametrize(("breakage", "place"), CORPORA[:6])
def test_a_broken_corpus_is_refused_by_the_installed_command(
    tmp_path: Path, cache: Path, breakage: Callable[[Any], None], place: str
) -> None:
    raw = mock_raw()
    breakage(raw)
    path = write_corpus(tmp_path / "broken.json", raw)
    done = in_subprocess("inject", "--corpus", path, "--allow-unknown", "--out", tmp_path / "release", cache=cache)
    assert_refused(done, 2, path, place)
    nothing_left(tmp_path, "broken.json")


@pytest.mark.slow
def test_debug_gives_the_traceback_of_the_installed_command(tmp_path: Path, cache: Path) -> None:
    done = in_subprocess("inject", "--corpus", tmp_path / "none.json", "--out", tmp_path / "r", "--debug", cache=cache)
    assert done.code == 1
    assert "Traceback" in done.err
    assert "CorpusError" in done.err


@pytest.mark.slow
@pytest.mark.parametrize("limit", [300, 4_000, 60_000])
def test_files_that_the_system_cuts_off_are_one_line_and_the_run_goes_on_later(tmp_path: Path, limit: int) -> None:
    prelude = f"import resource; resource.setrlimit(resource.RLIMIT_FSIZE, ({limit}, {limit}))"
    out = tmp_path / "out" / "release"
    arguments = ("inject", "--corpus", mock_path(), "--conversations", "mock-2", "--out", out)
    done = in_subprocess(*arguments, cache=tmp_path / "cache", prelude=prelude)
    assert_refused(done, 2, "File too large", "free space")
    assert not out.exists()
    assert in_subprocess(*arguments, cache=tmp_path / "cache").code == 0
    straight = tmp_path / "straight" / "release"
    assert in_subprocess(*arguments[:-1], straight, cache=tmp_path / "cache").code == 0
    assert {path.name: path.read_bytes() for path in out.rglob("*.json*")} == {
        path.name: path.read_bytes() for path in straight.rglob("*.json*")
    }

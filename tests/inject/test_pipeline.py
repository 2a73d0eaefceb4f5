"""The pipeline: same inputs same bytes, whatever happens on the way (DESIGN.md rules 4, 10, 11; PRECEDENTS.md 13, 18, 28, 42, 53-55)."""

from __future__ import annotations

import json
import random
import re
import shutil
import signal
import subprocess
import time
from pathlib import Path

import pytest
from mock_runs import ROOT, Made, command_line, environment, files_of, finish, made_release, room, roomy, run_mock, silent

import inject.conversation
import twistcore.runs
from inject.pipeline import make_config, run_injection
from inject.report import write_report
from locomo_patch.locate import mock_path
from locomo_patch.reader import LoadedCorpus, read_corpus
from twistcore.errors import ConfigMismatchError, StorageError, UsageError
from twistcore.runs import RunStore
from twistcore.store import read_json
from twistcore.text.parses import Parser

FILES = {
    "DATASHEET.md",
    "corpus/locomo_mock.json",
    "edits.jsonl",
    "id_map.json",
    "keys/track_a.jsonl",
    "manifest.json",
    "rejects/track_a.jsonl",
}


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory, parser: Parser) -> Made:
    return made_release(tmp_path_factory, parser)


class Killed(BaseException):
    """Stands for a kill: nothing in the pipeline may catch it."""


def test_a_release_has_the_files_of_the_contract(made: Made) -> None:
    assert set(made.files) == FILES
    assert (made.folder / "cost.json").is_file()
    assert not made.folder.with_name("release.partial").exists()
    assert made.outcome.arcs == 4 == made.outcome.asked
    assert made.outcome.shortfall == {}


def test_the_bundled_mock_corpus_hosts_arcs_as_it_is(tmp_path: Path, mock: LoadedCorpus, parser: Parser) -> None:
    outcome = run_injection(mock, make_config(mock, 7, 6, None), tmp_path / "r", parser, silent)
    assert outcome.arcs >= 1, f"a mock release must show what an arc looks like: {outcome.shortfall}"


def test_the_same_seed_gives_the_same_bytes_and_another_seed_others(made: Made, tmp_path: Path, parser: Parser) -> None:
    run_mock(tmp_path / "again", parser)
    assert files_of(tmp_path / "again") == made.files
    run_mock(tmp_path / "other", parser, seed=8)
    other = files_of(tmp_path / "other")
    assert other["edits.jsonl"] != made.files["edits.jsonl"]
    assert other["keys/track_a.jsonl"] != made.files["keys/track_a.jsonl"]


def test_a_fresh_parse_gives_the_bytes_of_a_kept_one(made: Made, tmp_path: Path) -> None:
    run_mock(tmp_path / "fresh", Parser(tmp_path / "cache"))
    run_mock(tmp_path / "kept", Parser(tmp_path / "cache"))
    assert files_of(tmp_path / "fresh") == files_of(tmp_path / "kept") == made.files


@pytest.mark.parametrize("step", [0, 1, 2])
def test_a_run_killed_between_conversations_goes_on_to_the_same_bytes(
    made: Made, tmp_path: Path, parser: Parser, step: int
) -> None:
    def kill(_name: str, done: int, _total: int) -> None:
        if done == step:
            raise Killed

    out = tmp_path / "release"
    with pytest.raises(Killed):
        run_mock(out, parser, progress=kill)
    assert not out.exists(), "nothing half-written"
    run_mock(out, parser)
    assert files_of(out) == made.files
    assert not out.with_name("release.partial").exists()


@pytest.mark.parametrize("write", range(0, 12, 2))
def test_a_run_killed_at_any_write_goes_on_to_the_same_bytes(
    made: Made, tmp_path: Path, parser: Parser, monkeypatch: pytest.MonkeyPatch, write: int
) -> None:
    """Writes: run.json, two checkpoints, then the files of the release."""
    left = [write]
    write_atomic = twistcore.runs.write_atomic

    def kill(path: Path, data: bytes) -> None:
        if left[0] == 0:
            path.parent.mkdir(parents=True, exist_ok=True)
            path.with_name(f".{path.name}.1.tmp").write_bytes(data[: len(data) // 2])
            raise Killed
        left[0] -= 1
        write_atomic(path, data)

    out = tmp_path / "release"
    with monkeypatch.context() as patch:
        patch.setattr(twistcore.runs, "write_atomic", kill)
        try:
            run_mock(out, parser)
        except Killed:
            assert not out.exists()
    run_mock(out, parser)
    assert files_of(out) == made.files
    assert not out.with_name("release.partial").exists()


def test_a_run_killed_after_its_release_is_in_place_leaves_nothing_to_do(
    made: Made, tmp_path: Path, parser: Parser, monkeypatch: pytest.MonkeyPatch
) -> None:
    def kill(_self: RunStore) -> None:
        raise Killed

    out = tmp_path / "release"
    with monkeypatch.context() as patch:
        patch.setattr(RunStore, "clear", kill)
        with pytest.raises(Killed):
            run_mock(out, parser)
    assert files_of(out) == made.files
    (out / ".report.html.1.tmp").write_text("half")
    shutil.rmtree(out.with_name("release.partial") / "checkpoints")
    assert run_mock(out, parser).reused
    assert files_of(out) == made.files
    assert not out.with_name("release.partial").exists()


def test_a_checkpoint_that_was_cut_off_is_made_again(made: Made, tmp_path: Path, parser: Parser) -> None:
    def kill(_name: str, done: int, total: int) -> None:
        if done == total:
            raise Killed

    out = tmp_path / "release"
    with pytest.raises(Killed):
        run_mock(out, parser, progress=kill)
    for path in (out.with_name("release.partial") / "checkpoints").iterdir():
        path.write_bytes(path.read_bytes()[:100])
    run_mock(out, parser)
    assert files_of(out) == made.files


def test_a_second_run_is_a_no_op(made: Made, parser: Parser) -> None:
    stamps = {path: path.stat().st_mtime_ns for path in made.folder.rglob("*")}
    outcome = run_mock(made.folder, parser)
    assert outcome.reused
    assert (outcome.arcs, outcome.asked, outcome.shortfall) == (made.outcome.arcs, made.outcome.asked, made.outcome.shortfall)
    assert {path: path.stat().st_mtime_ns for path in made.folder.rglob("*")} == stamps


def test_another_configuration_is_refused_while_running_and_when_done(made: Made, tmp_path: Path, parser: Parser) -> None:
    with pytest.raises(ConfigMismatchError, match="another seed"):
        run_mock(made.folder, parser, seed=8)
    with pytest.raises(ConfigMismatchError, match="another conversations"):
        run_mock(made.folder, parser, only=["mock-1"])

    def kill(_name: str, done: int, _total: int) -> None:
        if done == 1:
            raise Killed

    out = tmp_path / "release"
    with pytest.raises(Killed):
        run_mock(out, parser, progress=kill)
    with pytest.raises(ConfigMismatchError, match=r"release\.partial: .*another pairs_per_conversation"):
        run_mock(out, parser, pairs=1)
    run_mock(out, parser)
    assert files_of(out) == made.files


def test_a_changed_data_file_gate_or_corpus_changes_the_configuration(mock: LoadedCorpus, monkeypatch: pytest.MonkeyPatch) -> None:
    first = make_config(mock, 7, 6, None)
    assert first.fingerprint == make_config(mock, 7, 6, None).fingerprint
    assert first.corpus_sha256 == mock.sha256
    for name, value in (("hash_data", lambda: "0" * 64), ("versions", lambda: {"ids": "99"})):
        with monkeypatch.context() as patch:
            patch.setattr(f"inject.pipeline.{name}", value)
            assert make_config(mock, 7, 6, None).fingerprint != first.fingerprint


def test_conversations_are_taken_in_the_order_of_the_corpus_and_must_exist(mock: LoadedCorpus) -> None:
    assert make_config(mock, 7, 1, ["mock-2", "mock-1"]).conversations == ["mock-1", "mock-2"]
    with pytest.raises(UsageError, match="no conversation mock-9; it has mock-1, mock-2"):
        make_config(mock, 7, 1, ["mock-1", "mock-9"])


def test_a_conversation_that_is_left_out_stays_as_it_was(mock: LoadedCorpus, tmp_path: Path, parser: Parser) -> None:
    run_mock(tmp_path / "r", parser, only=["mock-2"])
    released = json.loads((tmp_path / "r" / "corpus" / "locomo_mock.json").read_bytes())
    assert released[0] == mock.document.objects[0]
    assert released[1] != mock.document.objects[1]


def test_what_does_not_fit_is_in_the_outcome_and_the_manifest_by_reason(
    tmp_path: Path, mock: LoadedCorpus, parser: Parser, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(inject.conversation, "find_seams", lambda _session, _docs: [])
    outcome = run_injection(mock, make_config(mock, 7, 3, None), tmp_path / "r", parser, silent)
    assert (outcome.arcs, outcome.asked) == (0, 6)
    manifest = read_json(tmp_path / "r" / "manifest.json", StorageError)
    assert (
        manifest["shortfall"]
        == outcome.shortfall
        == {"mock-1": {"no place far enough apart": 3}, "mock-2": {"no place far enough apart": 3}}
    )
    assert manifest["counts"]["arcs"] == 0


def test_more_than_fits_gives_what_fits(tmp_path: Path, parser: Parser) -> None:
    outcome = run_mock(tmp_path / "r", parser, pairs=30, only=["mock-2"])
    assert 0 < outcome.arcs < 30 == outcome.asked
    assert sum(outcome.shortfall["mock-2"].values()) == 30 - outcome.arcs


def test_a_mock_release_says_so_everywhere(made: Made, tmp_path: Path) -> None:
    folder = tmp_path / "r"
    shutil.copytree(made.folder, folder)
    write_report(folder)
    manifest = read_json(folder / "manifest.json", StorageError)
    assert manifest["corpus"] == manifest["config"]["corpus"] == manifest["source"]["version"] == "mock"
    assert manifest["licence"] == "MIT"
    assert "corpus: mock" in (folder / "DATASHEET.md").read_text()
    assert (folder / "report.html").read_text().count("corpus: mock") >= 2


def test_nothing_under_corpus_marks_an_injection(made: Made) -> None:
    text = made.files["corpus/locomo_mock.json"].decode()
    source = mock_path().read_text()
    keys = {key for pair in re.findall(r'"(\w[\w-]*)":', text) for key in [pair] if not re.search(r"\d", key)}
    assert keys == {key for key in re.findall(r'"(\w[\w-]*)":', source) if not re.search(r"\d", key)}
    ids = {key.id for key in made.opened.keys} | {key.pair_id for key in made.opened.keys} | {edit.id for edit in made.opened.edits}
    assert not [ident for ident in ids if ident in text]


def test_the_clock_appears_nowhere(made: Made) -> None:
    year = str(time.localtime().tm_year)
    if year in mock_path().read_text():
        pytest.skip("the year is one of the corpus's own")
    assert not [name for name, data in made.files.items() if f"{year}-" in data.decode() or f" {year}" in data.decode()]


@pytest.mark.slow
@pytest.mark.parametrize(
    "more",
    [
        {"LC_ALL": "C", "LANG": "C", "PYTHONUTF8": "0", "PYTHONHASHSEED": "1"},
        {"PYTHONIOENCODING": "cp1252", "PYTHONHASHSEED": "4242", "TZ": "Pacific/Kiritimati"},
        {"COLUMNS": "20", "NO_COLOR": "1", "PYTHONHASHSEED": "7", "OMP_NUM_THREADS": "1"},
    ],
    ids=["locale", "cp1252", "terminal"],
)
def test_the_environment_changes_no_byte(made: Made, tmp_path: Path, cache: Path, more: dict[str, str]) -> None:
    done = finish(tmp_path / "release", cache, **more)
    assert done.returncode == 0, done.stderr
    found = files_of(tmp_path / "release")
    assert "report.html" in found
    assert {name: data for name, data in found.items() if name != "report.html"} == made.files


@pytest.mark.slow
def test_a_clock_frozen_in_2030_changes_no_byte(made: Made, tmp_path: Path, cache: Path) -> None:
    command = command_line(tmp_path / "release")
    frozen = "import time, datetime\ntime.time = lambda: 1893456000.0\ntime.time_ns = lambda: 1893456000 * 10**9\n"
    frozen += "class Late(datetime.datetime):\n    now = classmethod(lambda cls, tz=None: cls(2030, 1, 1, tzinfo=tz))\n    today = utcnow = now\n"
    frozen += "class Day(datetime.date):\n    today = classmethod(lambda cls: cls(2030, 1, 1))\n"
    frozen += "datetime.datetime, datetime.date = Late, Day\n"
    # The libraries are loaded with the true classes, since they subclass them, and so is what stores dates; the rest of ours after.
    loaded = "pydantic, spacy, holidays, langgraph.graph, rich.console, typer"
    loaded += ", locomo_patch.errata.disputes, locomo_patch.revalidation.planted, arcs.keys, inject.reviews"
    command[2] = f"import {loaded}\n" + frozen + command[2]
    done = subprocess.run(
        command,
        cwd=ROOT,
        env=environment(cache),
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    assert {name: data for name, data in files_of(tmp_path / "release").items() if name != "report.html"} == made.files


@pytest.mark.slow
def test_killed_at_twenty_random_moments_it_still_ends_in_the_same_bytes(made: Made, tmp_path: Path, cache: Path) -> None:
    started = time.monotonic()
    assert finish(tmp_path / "straight", cache).returncode == 0
    whole = time.monotonic() - started
    straight = files_of(tmp_path / "straight")
    rng = random.Random(20)
    kills = rounds = 0
    out = tmp_path / "release"
    while kills < 20 and rounds < 30:
        rounds += 1
        process = subprocess.Popen(
            command_line(out), cwd=ROOT, env=environment(cache), stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
        )
        try:
            process.wait(timeout=rng.uniform(0.2, 0.9) * whole)
            assert files_of(out) == straight
        except subprocess.TimeoutExpired:
            process.send_signal(signal.SIGKILL)
            process.wait()
            kills += 1
        if (out / "manifest.json").exists():
            # Killed or not, what stands is whole; the report is made after it. The next round starts anew.
            found = {name: data for name, data in files_of(out).items() if not name.endswith((".tmp", "report.html"))}
            assert found == made.files
            shutil.rmtree(out)
    assert finish(out, cache).returncode == 0
    assert files_of(out) == straight
    assert not out.with_name("release.partial").exists()
    assert kills >= 10


def test_room_is_for_these_tests_only(mock: LoadedCorpus) -> None:
    real_finder = vars(inject.conversation)["find_seams"]
    with room():
        assert vars(inject.conversation)["find_seams"] is roomy
    assert vars(inject.conversation)["find_seams"] is real_finder is not roomy
    assert read_corpus(mock_path()).sha256 == mock.sha256

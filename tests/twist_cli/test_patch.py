"""`twist patch`: what is written, what is refused, exit codes. The release is one that `twist inject` made of the mock corpus."""

from __future__ import annotations

import gzip
import json
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from cli_runs import ROOT, Command, assert_refused, files_in, in_subprocess, mock_raw, nothing_left, write_corpus

import locomo_patch.patch.files
from locomo_patch.locate import mock_path
from locomo_patch.patch.models import SCHEMA, VERSION
from twist_cli.main import run
from twistcore.errors import StorageError

MOCK = mock_path()


@pytest.fixture(scope="module")
def injected(tmp_path_factory: pytest.TempPathFactory, cache: Path) -> Path:
    """A release as `twist inject` leaves it."""
    folder = tmp_path_factory.mktemp("injected") / "release"
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("TWIST_CACHE", str(cache))
        with pytest.raises(SystemExit) as leaving:
            run(["inject", "--corpus", str(MOCK), "--out", str(folder), "--seed", "7"])
    assert leaving.value.code in (0, 1)
    return folder


@pytest.fixture
def release(injected: Path, tmp_path: Path) -> Path:
    return Path(shutil.copytree(injected, tmp_path / "work" / "release"))


@pytest.fixture
def patch_file(release: Path, tmp_path: Path, twist: Command) -> Path:
    target = tmp_path / "work" / "release.patch.json"
    assert twist("patch", "make", release, "-o", target).code == 0
    return target


def apply_to(twist: Command, file: Path, out: Path, corpus: Path = MOCK) -> Any:
    return twist("patch", "apply", file, "--corpus", corpus, "--out", out)


def test_a_patch_applied_to_the_source_gives_the_release_back(
    twist: Command, release: Path, patch_file: Path, tmp_path: Path
) -> None:
    done = apply_to(twist, patch_file, tmp_path / "out")
    assert (done.code, done.err) == (0, "")
    assert files_in(tmp_path / "out") == files_in(release)
    nothing_left(tmp_path / "out", *files_in(release), "cost.json")


def test_a_rebuilt_release_is_one_that_check_passes_as_it_passes_the_first(
    twist: Command, release: Path, patch_file: Path, tmp_path: Path
) -> None:
    apply_to(twist, patch_file, tmp_path / "out")
    first, again = twist("check", release), twist("check", tmp_path / "out")
    assert first.code == again.code
    assert first.out.replace(str(release), "DIR") == again.out.replace(str(tmp_path / "out"), "DIR")


def test_a_patch_named_gz_is_gzipped_without_a_time(twist: Command, release: Path, patch_file: Path, tmp_path: Path) -> None:
    zipped = tmp_path / "p.json.gz"
    assert twist("patch", "make", release, "-o", zipped, "--corpus", MOCK).code == 0
    assert zipped.read_bytes()[4:8] == bytes(4)
    assert gzip.decompress(zipped.read_bytes()) == patch_file.read_bytes()
    assert apply_to(twist, zipped, tmp_path / "out").code == 0
    assert files_in(tmp_path / "out") == files_in(release)


def test_making_a_patch_twice_writes_the_same_bytes(twist: Command, release: Path, patch_file: Path) -> None:
    before = patch_file.read_bytes()
    (release / "cost.json").write_text('{"calls": 9}')
    assert twist("patch", "make", release, "-o", patch_file).code == 0
    assert patch_file.read_bytes() == before
    assert not before.count(b"\n") > 1


def test_a_patch_inside_the_release_or_over_the_source_is_refused(twist: Command, release: Path, tmp_path: Path) -> None:
    before = files_in(release)
    for target in (release / "p.json", release / "new" / "p.json", release / ".." / "release" / "p.json"):
        assert_refused(twist("patch", "make", release, "-o", target), 2, "inside a release", target)
    link = tmp_path / "link"
    link.symlink_to(release)
    assert_refused(twist("patch", "make", release, "-o", link / "p.json"), 2, "inside a release")
    assert_refused(twist("patch", "make", release, "-o", release), 2, "is not written over")
    assert files_in(release) == before
    copied = write_corpus(tmp_path / "corpus.json", mock_raw())
    assert_refused(twist("patch", "make", release, "-o", copied, "--corpus", copied), 2, "is not written over")


def test_a_directory_that_is_no_release_is_refused(twist: Command, tmp_path: Path) -> None:
    (tmp_path / "r").mkdir()
    assert_refused(twist("patch", "make", tmp_path / "r", "-o", tmp_path / "p.json"), 2, tmp_path / "r", "manifest.json")
    (tmp_path / "r" / "manifest.json").write_text("{}")
    assert_refused(twist("patch", "make", tmp_path / "r", "-o", tmp_path / "p.json"), 2, tmp_path / "r", "no LoCoMo corpus")
    nothing_left(tmp_path, "r/manifest.json")


def test_a_release_with_a_link_or_a_wrong_edit_is_refused(twist: Command, release: Path, tmp_path: Path) -> None:
    (release / "more").symlink_to(tmp_path)
    assert_refused(twist("patch", "make", release, "-o", tmp_path / "p.json"), 2, release / "more", "link")
    (release / "more").unlink()
    (release / "edits.jsonl").write_text("{}\n")
    assert_refused(twist("patch", "make", release, "-o", tmp_path / "p.json"), 2, release / "edits.jsonl", "line 1")
    (release / "edits.jsonl").unlink()
    assert_refused(twist("patch", "make", release, "-o", tmp_path / "p.json"), 2, release, "edits.jsonl")


@pytest.mark.parametrize("text", ["[]", "{", '{"source": 1, "files": [1]}'])
def test_a_manifest_that_is_none_is_refused_or_says_nothing(twist: Command, release: Path, tmp_path: Path, text: str) -> None:
    (release / "manifest.json").write_text(text)
    done = twist("patch", "make", release, "-o", tmp_path / "p.json")
    if text.startswith('{"'):
        assert done.code == 0
    else:
        assert_refused(done, 2, release / "manifest.json")


def test_another_corpus_is_refused_and_the_file_named(twist: Command, patch_file: Path, tmp_path: Path) -> None:
    raw = mock_raw()
    raw[0]["qa"][0]["answer"] = "never"
    other = write_corpus(tmp_path / "other.json", raw)
    assert_refused(apply_to(twist, patch_file, tmp_path / "out", other), 2, other, "sha256", "made from")
    assert_refused(apply_to(twist, patch_file, tmp_path / "out", tmp_path / "none.json"), 2, tmp_path / "none.json")
    assert not (tmp_path / "out").exists()


def test_an_output_that_is_not_empty_is_refused_and_an_empty_one_is_used(twist: Command, patch_file: Path, tmp_path: Path) -> None:
    out = tmp_path / "out"
    out.mkdir()
    (out / "mine.txt").write_text("mine")
    assert_refused(apply_to(twist, patch_file, out), 2, out, "not empty")
    (out / "mine.txt").unlink()
    assert apply_to(twist, patch_file, out).code == 0
    assert_refused(apply_to(twist, patch_file, out), 2, out, "not empty")
    (tmp_path / "file").write_text("mine")
    assert_refused(apply_to(twist, patch_file, tmp_path / "file"), 2, "not a directory")
    assert_refused(apply_to(twist, patch_file, Path("..")), 2, "no directory")


def test_nothing_is_written_into_another_release(twist: Command, release: Path, patch_file: Path, tmp_path: Path) -> None:
    other = Path(shutil.copytree(release, tmp_path / "other"))
    assert_refused(apply_to(twist, patch_file, other / "out"), 2, other / "out", "inside a release")
    assert_refused(twist("patch", "make", release, "-o", other / "p.json"), 2, other / "p.json", "inside a release")
    assert files_in(other) == files_in(release)


def change(path: Path, edit: Callable[[dict[str, Any]], Any]) -> None:
    value = json.loads(path.read_text())
    edit(value)
    path.write_text(json.dumps(value))


def other_hash(value: dict[str, Any]) -> None:
    value["files"][-1]["sha256"] = "0" * 64


def other_text(value: dict[str, Any]) -> None:
    next(file for file in value["files"] if file["path"] == "DATASHEET.md")["parts"][0] += "x"


def other_place(value: dict[str, Any]) -> None:
    value["places"][0] = "mock-1/D99:9/text"


def other_question(value: dict[str, Any]) -> None:
    value["left_corpus"] = [{"sample_id": "mock-1", "question_key": "f" * 16, "occurrence": 1}]


def outside(value: dict[str, Any]) -> None:
    value["files"][0]["path"] = "../outside"


def no_edits(value: dict[str, Any]) -> None:
    value["files"] = [file for file in value["files"] if file["path"] != "edits.jsonl"]


@pytest.mark.parametrize(
    ("edit", "said"),
    [
        (other_hash, "the patch says 000000000000"),
        (other_text, "DATASHEET.md: comes out with sha256"),
        (other_place, "points at a place that the source lacks"),
        (other_question, "a question that left the corpus is not in the source"),
        (outside, "no file name inside a release"),
        (no_edits, "holds no edits.jsonl"),
        (lambda value: value.update(more=1), "more: is damaged"),
        (lambda value: value.pop("places"), "places: is damaged"),
        (lambda value: value["files"].append(value["files"][0]), "twice"),
        (lambda value: value["files"][0].update(made="corpus"), "is damaged"),
        (lambda value: value.update(schema_version=f"twist-patch/{VERSION + 1}"), f"newer version (twist-patch/{VERSION + 1}"),
        (lambda value: value.update(schema_version="twist-patch/x"), "damaged"),
        (lambda value: value.update(schema_version="twist-edit/1"), "is no patch"),
        (lambda value: value.update(schema_version=7), "is no patch"),
    ],
)
def test_a_damaged_foreign_or_newer_patch_is_one_line(
    twist: Command, patch_file: Path, tmp_path: Path, edit: Callable[[dict[str, Any]], Any], said: str
) -> None:
    change(patch_file, edit)
    assert_refused(apply_to(twist, patch_file, tmp_path / "new" / "out"), 2, patch_file, said)
    assert not (tmp_path / "new").exists()


@pytest.mark.parametrize(
    "data",
    [
        b"",
        b"{",
        b"[]",
        b"null",
        b"\xff\xfe\x00",
        b"\x1f\x8b",
        b"\x1f\x8bnonsense that is no gzip",
        b"[" * 100_000,
        b'{"a": ' + b"9" * 5000,
    ],
)
def test_a_file_that_is_no_patch_is_one_line(twist: Command, tmp_path: Path, data: bytes) -> None:
    file = tmp_path / "p.json"
    file.write_bytes(data)
    assert_refused(apply_to(twist, file, tmp_path / "out"), 2, file)
    (tmp_path / "folder").mkdir()
    assert_refused(apply_to(twist, tmp_path / "folder", tmp_path / "out"), 2, "cannot be read")
    assert_refused(apply_to(twist, tmp_path / "none", tmp_path / "out"), 2, "cannot be read")
    nothing_left(tmp_path, "p.json")


@pytest.mark.parametrize("zipped", [False, True])
def test_a_patch_cut_off_anywhere_is_one_line(twist: Command, patch_file: Path, tmp_path: Path, *, zipped: bool) -> None:
    data = patch_file.read_bytes()
    data = gzip.compress(data, mtime=0) if zipped else data
    file = tmp_path / "cut"
    for size in (11, len(data) // 2, len(data) - 5):
        file.write_bytes(data[:size])
        assert_refused(apply_to(twist, file, tmp_path / "out"), 2, file, "cut off")


def test_a_full_disk_leaves_nothing_behind(
    twist: Command, patch_file: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    real = locomo_patch.patch.files.write_atomic

    def full(path: Path, data: bytes) -> None:
        if path.name == "manifest.json":
            raise StorageError("cannot write (no space)", file=path)
        real(path, data)

    monkeypatch.setattr(locomo_patch.patch.files, "write_atomic", full)
    (tmp_path / "there").mkdir()
    assert_refused(apply_to(twist, patch_file, tmp_path / "there" / "out"), 2, "no space")
    assert list((tmp_path / "there").iterdir()) == []


def test_an_interrupt_leaves_nothing_behind(
    twist: Command, patch_file: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    real = locomo_patch.patch.files.write_atomic

    def stopped(path: Path, data: bytes) -> None:
        if path.name == "manifest.json":
            raise KeyboardInterrupt
        real(path, data)

    monkeypatch.setattr(locomo_patch.patch.files, "write_atomic", stopped)
    (tmp_path / "there").mkdir()
    assert apply_to(twist, patch_file, tmp_path / "there" / "out").code == 4
    assert list((tmp_path / "there").iterdir()) == []


def test_a_patch_says_what_it_is_and_under_which_licence(patch_file: Path) -> None:
    value = json.loads(patch_file.read_text())
    assert (value["schema_version"], value["notice"], value["source"]["version"]) == (SCHEMA, "MIT", "mock")
    assert value["tool"].startswith("twist-corpus ")


def test_the_command_explains_itself(twist: Command) -> None:
    assert "apply" in twist("patch", "--help").out
    assert_refused(twist("patch", "apply", "x"), 2, "--corpus")


KILLED = """
import os, signal
import locomo_patch.patch.files as files, twistcore.folders as folders
left = [{}]
def kill_at(real):
    def call(*arguments):
        if left[0] == 0:
            os.kill(os.getpid(), signal.SIGKILL)
        left[0] -= 1
        return real(*arguments)
    return call
files.write_atomic = kill_at(files.write_atomic)
folders.Path.rename = kill_at(folders.Path.rename)
"""


@pytest.mark.parametrize("step", [0, 5, 12, 13])
def test_an_apply_that_is_killed_at_any_step_leaves_nothing_once_it_is_run_again(
    twist: Command, patch_file: Path, release: Path, tmp_path: Path, cache: Path, step: int
) -> None:
    """Steps: the files of the release one by one, then the rename. Somebody else's directory beside it is left alone."""
    folder = tmp_path / "place"
    (folder / "out").mkdir(parents=True)
    (folder / ".other.twist-making").mkdir()
    order = ("patch", "apply", patch_file, "--corpus", MOCK, "--out", folder / "out")
    steps = len(files_in(release)) + 1
    assert in_subprocess(*order, cache=cache, prelude=KILLED.format(min(step, steps))).code == -9
    assert not any((folder / "out").glob("*")), "whole or absent"
    assert apply_to(twist, patch_file, folder / "out").code == 0
    assert files_in(folder / "out") == files_in(release)
    assert sorted(path.name for path in folder.iterdir()) == [".other.twist-making", "out"]


def test_two_applies_of_one_directory_do_not_clash(twist: Command, patch_file: Path, tmp_path: Path) -> None:
    out = tmp_path / "place" / "out"
    out.parent.mkdir()
    holder = (
        "import sys; from pathlib import Path; from twistcore.folders import lock_folder\n"
        "with lock_folder(Path(sys.argv[1])):\n    print('mine', flush=True); sys.stdin.read()"
    )
    with subprocess.Popen(
        [sys.executable, "-c", holder, str(out)], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, cwd=ROOT
    ) as other:
        assert other.stdout is not None and other.stdout.readline() == "mine\n"
        assert_refused(apply_to(twist, patch_file, out), 2, out, "another process")
        other.kill()
    assert apply_to(twist, patch_file, out).code == 0
    assert [path.name for path in out.parent.iterdir()] == ["out"]

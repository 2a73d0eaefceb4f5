"""The run store: whole files or none, and no mixing of configurations."""

from __future__ import annotations

import fcntl
import os
import subprocess
import sys
from pathlib import Path

import pytest

from twistcore.errors import ConfigMismatchError, ProposalError, StorageError, UsageError
from twistcore.folders import lock_folder, making_folder, recover_folder, replace_files
from twistcore.runs import RunStore
from twistcore.store import dump_json, dump_lines, read_json, read_lines, write_atomic


def test_a_file_is_written_whole_or_not_at_all(tmp_path: Path) -> None:
    path = tmp_path / "deep" / "file.json"
    write_atomic(path, b"first")
    write_atomic(path, b"second")
    assert path.read_bytes() == b"second"
    assert list(path.parent.iterdir()) == [path]


def test_a_refused_write_names_the_file_and_leaves_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(_descriptor: int) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(StorageError, match=r"file\.json.*No space left"):
        write_atomic(tmp_path / "file.json", b"data")
    assert list(tmp_path.iterdir()) == []


def test_dumps_are_ascii_whatever_the_locale() -> None:
    assert dump_json({"a": "\u00e9"}).isascii()
    assert dump_lines([{"a": "\u2019"}, {"b": 1}]).count(b"\n") == 2


def test_a_changed_configuration_refuses_to_resume_and_says_what_changed(tmp_path: Path) -> None:
    out = tmp_path / "release"
    first = RunStore(out, {"seed": 7})
    first.open()
    first.save("conv-1", {"x": 1})
    again = RunStore(out, {"seed": 7})
    again.open()
    assert again.load("conv-1") == {"x": 1}
    with pytest.raises(ConfigMismatchError, match="another seed"):
        RunStore(out, {"seed": 8}).open()


def test_a_finished_release_of_another_configuration_is_refused(tmp_path: Path) -> None:
    out = tmp_path / "release"
    store = RunStore(out, {"seed": 7})
    store.open()
    store.publish({"manifest.json": dump_json({"config": {"seed": 7}}), "keys/a.jsonl": b"{}\n"})
    assert not store.staging.exists()
    RunStore(out, {"seed": 7}).open()
    assert RunStore(out, {"seed": 7}).finished()
    with pytest.raises(ConfigMismatchError, match="another seed"):
        RunStore(out, {"seed": 8}).open()


def test_an_output_directory_that_holds_something_else_is_refused_untouched(tmp_path: Path) -> None:
    out = tmp_path / "mine"
    out.mkdir()
    (out / "thesis.txt").write_text("years of work")
    with pytest.raises(ConfigMismatchError, match="no release"):
        RunStore(out, {}).open()
    assert (out / "thesis.txt").read_text() == "years of work"
    with pytest.raises(ConfigMismatchError, match="not a directory"):
        RunStore(out / "thesis.txt", {}).open()


def test_an_empty_output_directory_is_used(tmp_path: Path) -> None:
    out = tmp_path / "empty"
    out.mkdir()
    store = RunStore(out, {"a": 1})
    store.open()
    store.publish({"manifest.json": dump_json({"config": {"a": 1}})})
    assert (out / "manifest.json").is_file()


def test_reading_lines_names_the_line_that_is_no_object(tmp_path: Path) -> None:
    path = tmp_path / "x.jsonl"
    path.write_text('{"a": 1}\n\n{"a": \n')
    with pytest.raises(ProposalError, match="line 3"):
        list(read_lines(path, ProposalError))
    path.write_text("[1]\n")
    with pytest.raises(ProposalError, match=r"line 1.*object"):
        list(read_lines(path, ProposalError))
    with pytest.raises(ProposalError, match="cannot be read"):
        list(read_lines(tmp_path / "missing", ProposalError))


def test_reading_json_names_the_place(tmp_path: Path) -> None:
    path = tmp_path / "x.json"
    path.write_text('{"a": 1,\n "b" 2}')
    with pytest.raises(ProposalError, match="line 2 column"):
        read_json(path, ProposalError)


def test_a_checkpoint_never_leaves_its_directory_whatever_its_name(tmp_path: Path) -> None:
    store = RunStore(tmp_path / "release", {"seed": 7})
    store.open()
    store.save("../../outside", {"x": 1})
    assert store.load("../../outside") == {"x": 1}
    assert [path.name for path in tmp_path.iterdir()] == ["release.partial"]


@pytest.mark.parametrize("out", [Path(), Path("/"), Path("..")])
def test_an_output_without_a_name_is_refused(out: Path) -> None:
    with pytest.raises(UsageError, match="name a directory"):
        RunStore(out, {})


def test_a_name_that_the_system_cannot_hold_is_one_line(tmp_path: Path) -> None:
    with pytest.raises(StorageError, match="choose another"):
        RunStore(tmp_path / ("a" * 300), {}).open()


def test_writing_over_a_directory_is_refused(tmp_path: Path) -> None:
    with pytest.raises(StorageError, match="is a directory"):
        write_atomic(tmp_path, b"data")


@pytest.mark.parametrize("line", ["[" * 100_000, '{"a": ' + "9" * 5000 + "}"])
def test_json_that_no_reader_can_hold_names_its_line(tmp_path: Path, line: str) -> None:
    path = tmp_path / "x.jsonl"
    path.write_text(f"{{}}\n{line}\n")
    with pytest.raises(ProposalError, match="line 2"):
        list(read_lines(path, ProposalError))
    path.write_text(line)
    with pytest.raises(ProposalError, match="is no JSON"):
        read_json(path, ProposalError)


def test_a_second_process_is_refused_while_the_first_is_at_work(tmp_path: Path) -> None:
    out = tmp_path / "out"
    script = (
        "import sys; from pathlib import Path; from twistcore.runs import RunStore\n"
        "with RunStore(Path(sys.argv[1]), {'a': 1}).lock():\n    print('mine', flush=True); sys.stdin.read()"
    )
    with subprocess.Popen([sys.executable, "-c", script, str(out)], stdin=subprocess.PIPE, stdout=subprocess.PIPE) as other:
        assert other.stdout is not None and other.stdout.readline() == b"mine\n"
        with pytest.raises(ConfigMismatchError, match="another process"), RunStore(out, {"a": 1}).lock():
            pass
        other.kill()
    with RunStore(out, {"a": 1}).lock():
        pass
    assert not out.with_name("out.partial").exists()


def test_a_lock_leaves_an_interrupted_run_as_it_is(tmp_path: Path) -> None:
    store = RunStore(tmp_path / "out", {"a": 1})
    with store.lock():
        store.open()
        store.save("one", [1])
    with store.lock():
        store.open()
        assert store.load("one") == [1]


def test_an_output_inside_a_release_is_refused(tmp_path: Path) -> None:
    (tmp_path / "manifest.json").write_text("{}")
    (tmp_path / "edits.jsonl").write_text("")
    with pytest.raises(UsageError, match="inside a release"):
        RunStore(tmp_path / "audits" / "out", {}).open()


def test_files_of_a_finished_directory_change_together_or_not_at_all(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = tmp_path / "release"
    folder.mkdir()
    (folder / "a").write_text("old")
    (folder / "b").write_text("kept")
    replace_files(folder, {"a": b"new", "sub/c": b"more"})
    assert {p.name: p.read_text() for p in folder.rglob("*") if p.is_file()} == {"a": "new", "b": "kept", "c": "more"}
    monkeypatch.setattr(Path, "replace", _refuse)
    with pytest.raises(StorageError):
        replace_files(folder, {"a": b"newer"})
    assert (folder / "a").read_text() == "new"
    assert [path.name for path in tmp_path.iterdir()] == ["release"]


def _refuse(*_: object) -> None:
    raise OSError(28, "No space left on device")


def test_a_cut_off_replacing_is_put_back(tmp_path: Path) -> None:
    folder = tmp_path / "release"
    old = tmp_path / ".release.twist-replaced"
    old.mkdir()
    (old / "manifest.json").write_text("{}")
    (tmp_path / ".release.twist-changing").mkdir()
    recover_folder(folder)
    assert [path.name for path in tmp_path.iterdir()] == ["release"]
    assert (folder / "manifest.json").is_file()


def test_recovering_touches_nothing_of_anybody_elses(tmp_path: Path) -> None:
    for name in ("release.replaced", ".release.twist-replaced", "release"):
        (tmp_path / name).mkdir()
        (tmp_path / name / "mine").write_text("x")
    recover_folder(tmp_path / "release")
    assert sorted(path.name for path in tmp_path.iterdir()) == [".release.twist-replaced", "release", "release.replaced"]


def test_a_replacing_killed_between_its_renames_is_whole_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = tmp_path / "release"
    folder.mkdir()
    (folder / "manifest.json").write_text("old")
    rename = Path.rename

    def once(path: Path, target: Path) -> Path:
        if path == folder:
            return rename(path, target)
        raise KeyboardInterrupt

    monkeypatch.setattr(Path, "rename", once)
    with pytest.raises(KeyboardInterrupt):
        replace_files(folder, {"manifest.json": b"new"})
    monkeypatch.undo()
    assert not folder.exists()
    recover_folder(folder)
    assert (folder / "manifest.json").read_text() == "old"
    assert [path.name for path in tmp_path.iterdir()] == ["release"]


@pytest.mark.skipif(os.getuid() == 0, reason="root writes everywhere")
@pytest.mark.parametrize("change", ["replace", "make", "lock"])
def test_a_parent_that_cannot_be_written_is_named_in_one_line(tmp_path: Path, change: str) -> None:
    folder = tmp_path / "shelf" / "release"
    folder.mkdir(parents=True)
    folder.parent.chmod(0o500)
    try:
        _assert_parent_is_named(folder, change)
    finally:
        folder.parent.chmod(0o700)


@pytest.mark.parametrize("change", ["replace", "make", "lock"])
def test_a_parent_that_takes_no_more_names_is_named_in_one_line(tmp_path: Path, change: str) -> None:
    """What root can be refused as well: a name for the copy that no file system takes."""
    folder = tmp_path / "shelf" / ("r" * 250)
    folder.mkdir(parents=True)
    _assert_parent_is_named(folder, change)


def _assert_parent_is_named(folder: Path, change: str) -> None:
    def attempt() -> None:
        if change == "replace":
            replace_files(folder, {"one.txt": b"1"})
        elif change == "make":
            with making_folder(folder):
                pass
        else:
            with lock_folder(folder):
                pass

    with pytest.raises(StorageError) as refused:
        attempt()
    assert refused.value.file == str(folder)
    assert f"see that {folder.parent} can be written to" in str(refused.value)
    assert "\n" not in str(refused.value)
    assert [path.name for path in folder.parent.iterdir()] == [folder.name]
    assert list(folder.iterdir()) == []


def test_a_lock_whose_file_another_process_removed_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """One that was opened before its owner let go of it, and removed it, would lock nothing that others see."""
    flock = fcntl.flock

    def late(descriptor: int, how: int) -> None:
        (tmp_path / ".out.twist-lock").unlink()
        flock(descriptor, how)

    monkeypatch.setattr(fcntl, "flock", late)
    with pytest.raises(ConfigMismatchError, match="another process"), lock_folder(tmp_path / "out"):
        pass

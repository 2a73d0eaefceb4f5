"""The run store: whole files or none, and no mixing of configurations."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from twistcore.errors import ConfigMismatchError, ProposalError, StorageError, UsageError
from twistcore.store import RunStore, dump_json, dump_lines, read_json, read_lines, write_atomic


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

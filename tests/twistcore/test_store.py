"""The run store: whole files or none, and no mixing of configurations."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from twistcore.errors import ConfigMismatchError, ProposalError, StorageError
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

"""Checkpoints and left-overs: what a killed run leaves is taken up, and only that."""

from __future__ import annotations

from pathlib import Path

import pytest

from twistcore.errors import ConfigMismatchError, StorageError
from twistcore.runs import RunStore
from twistcore.store import dump_json, write_atomic

RELEASE = {"manifest.json": dump_json({"config": {"seed": 7}}), "keys/a.jsonl": b"{}\n"}


def opened(out: Path) -> RunStore:
    store = RunStore(out, {"seed": 7})
    store.open()
    return store


def test_a_checkpoint_comes_back_with_its_keys_in_their_order(tmp_path: Path) -> None:
    value = {"zebra": 1, "apple": {"y": [1, None], "b": "\u00e9"}}
    store = opened(tmp_path / "release")
    store.save("one", value)
    loaded = store.load("one")
    assert loaded == value
    assert (list(loaded), list(loaded["apple"])) == (["zebra", "apple"], ["y", "b"]), (
        "a resumed run must write what a straight one does"
    )


def test_a_checkpoint_that_was_cut_off_is_none(tmp_path: Path) -> None:
    store = opened(tmp_path / "release")
    store.save("one", {"a": 1})
    (path,) = (store.staging / "checkpoints").iterdir()
    path.write_bytes(path.read_bytes()[:4])
    assert store.load("one") is None
    assert store.load("two") is None


def test_a_place_below_a_file_is_a_storage_error(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("x")
    with pytest.raises(StorageError, match="cannot write"):
        write_atomic(tmp_path / "file" / "deep" / "a.json", b"{}")


def test_what_is_left_of_a_run_whose_release_stands_is_swept(tmp_path: Path) -> None:
    out = tmp_path / "release"
    store = opened(out)
    store.save("one", {"a": 1})
    store.publish(dict(RELEASE))
    left = opened(tmp_path / "other")
    left.staging.rename(store.staging)
    (store.staging / ".run.json.1.tmp").write_text("half")
    (out / ".report.html.1.tmp").write_text("half")
    assert opened(out).finished()
    assert [path.name for path in tmp_path.iterdir()] == ["release"]
    assert sorted(path.name for path in out.iterdir()) == ["keys", "manifest.json"]


def test_a_foreign_partial_directory_beside_a_release_is_left_alone(tmp_path: Path) -> None:
    out = tmp_path / "release"
    opened(out).publish(dict(RELEASE))
    foreign = tmp_path / "release.partial"
    foreign.mkdir()
    (foreign / "chapter.txt").write_text("years of work")
    assert opened(out).finished()
    assert (foreign / "chapter.txt").read_text() == "years of work"


def test_a_partial_directory_of_another_configuration_is_refused(tmp_path: Path) -> None:
    out = tmp_path / "release"
    opened(out)
    with pytest.raises(ConfigMismatchError, match=r"release\.partial: .*another seed"):
        RunStore(out, {"seed": 8}).open()

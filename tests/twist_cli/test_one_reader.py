"""Every command that reads a release refuses the same broken file, in the same words."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import yaml
from cli_runs import Command, files_in

from locomo_patch.locate import mock_path
from twist_cli.main import run


@pytest.fixture(scope="module")
def injected(tmp_path_factory: pytest.TempPathFactory, cache: Path) -> Path:
    """A release as `twist inject` leaves it."""
    folder = tmp_path_factory.mktemp("injected") / "release"
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("TWIST_CACHE", str(cache))
        with pytest.raises(SystemExit):
            run(["inject", "--corpus", str(mock_path()), "--out", str(folder)])
    return folder


def _row(name: str, change: Callable[[dict[str, Any]], dict[str, Any]]) -> Callable[[Path], None]:
    def spoil(folder: Path) -> None:
        rows = [json.loads(line) for line in (folder / name).read_text().splitlines()]
        (folder / name).write_text("".join(json.dumps(row) + "\n" for row in [change(rows[0]), *rows[1:]]))

    return spoil


def _no_ids(folder: Path) -> None:
    (folder / "id_map.json").write_text(json.dumps({**json.loads((folder / "id_map.json").read_text()), "mock-1": None}))


def _ids_of_one(folder: Path) -> None:
    ids = json.loads((folder / "id_map.json").read_text())
    (folder / "id_map.json").write_text(json.dumps({"mock-2": ids["mock-2"]}))


def _odd_id(folder: Path) -> None:
    ids = json.loads((folder / "id_map.json").read_text())
    ids["mock-1"]["old_to_new"]["D1:1"] = "first"
    (folder / "id_map.json").write_text(json.dumps(ids))


def _no_corpus(folder: Path) -> None:
    for path in (folder / "corpus").iterdir():
        path.unlink()


READERS = ("show", "audit", "review", "errata", "revalidate", "diff")
BROKEN: dict[str, tuple[str, Callable[[Path], None], tuple[str, ...]]] = {
    "an edit without a session": ("edits.jsonl", _row("edits.jsonl", lambda row: {**row, "session": None}), READERS),
    "an edit of nobody": ("edits.jsonl", _row("edits.jsonl", lambda row: {**row, "sample_id": "mock-9"}), READERS),
    "an id map that is none": ("id_map.json", _no_ids, READERS),
    "an id map of one": ("id_map.json", _ids_of_one, READERS),
    "an id that is none": ("id_map.json", _odd_id, READERS),
    "no corpus": ("corpus", _no_corpus, READERS),
    "a key without a holder": (
        "keys/track_a.jsonl", _row("keys/track_a.jsonl", lambda row: {**row, "holder": None}), READERS[:5],
    ),
    "a state that rests on no turn": (
        "qa/revisions.jsonl", _row("qa/revisions.jsonl", lambda row: {**row, "injected": ["D99:9"]}), READERS[2:],
    ),
    "a reject without a reason": (
        "rejects/track_a.jsonl", _row("rejects/track_a.jsonl", lambda row: {**row, "reason": None}), ("review", "cost"),
    ),
    "half of the states": ("qa/versioned_out.jsonl", lambda folder: (folder / "qa/versioned_out.jsonl").unlink(), READERS[2:]),
}  # fmt: skip


@pytest.mark.parametrize("fault", list(BROKEN))
def test_a_broken_file_is_refused_in_the_same_words_by_every_command_that_reads_it(
    twist: Command, injected: Path, tmp_path: Path, fault: str
) -> None:
    release = Path(shutil.copytree(injected, tmp_path / "release"))
    errata = tmp_path / "e.yaml"
    signed = {"reason": "ambiguous", "by": "R. Eader", "date": "2024-05-06"}
    ident = json.loads((release / "keys" / "track_a.jsonl").read_text().splitlines()[0])["id"]
    errata.write_text(yaml.safe_dump([{"target": ident, "action": "retire", **signed}]))
    prepared = tmp_path / "prepared.jsonl"
    prepared.touch()
    name, spoil, readers = BROKEN[fault]
    spoil(release)
    before = files_in(release)
    lines: dict[str, tuple[str | Path, ...]] = {
        "show": ("show", release),
        "audit": ("audit", release),
        "review": ("review", release, "--by", "Ann", "--decisions", prepared),
        "cost": ("cost", release),
        "errata": ("errata", "apply", release, errata),
        "revalidate": ("revalidate", "--corpus", mock_path(), "--release", release),
        "diff": ("diff", mock_path(), release),
    }
    said = {reader: twist(*lines[reader]) for reader in readers}
    assert {done.code for done in said.values()} == {2}
    complaints = {done.err.splitlines()[-1] for done in said.values()}
    assert len(complaints) == 1, complaints
    assert str(release / name) in complaints.pop()
    assert files_in(release) == before

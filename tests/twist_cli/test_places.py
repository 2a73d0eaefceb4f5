"""Where commands may write: one rule for every file or directory that a user names, whichever command it is given to."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import typer.main
from cli_runs import Command, assert_refused

from locomo_patch.locate import mock_path
from twist_cli.main import app

# What every path on a command line is for. A command that is added must say so here.
WRITES = {
    "inject --out", "inject --events", "inject --journal", "plan --out", "council --journal", "gate --out", "diff --html",
    "revalidate --out", "review --reviews", "patch make --out", "patch apply --out",
}  # fmt: skip
READS = {
    "inject --corpus", "inject --errata", "inject --prices", "inject --prompts", "inject --reviews", "plan --corpus", "plan --prices", "plan --prompts",
    "cost folder", "council folder", "council --prices", "council --prompts", "check folder", "show folder", "audit folder", "gate --proposals", "gate --corpus", "review folder", "review --decisions",
    "revalidate --corpus", "revalidate --release", "revalidate --cases", "revalidate --errata", "diff old", "diff new",
    "patch make folder", "patch make --corpus", "patch apply file", "patch apply --corpus", "errata apply release",
    "errata apply disputes",
}  # fmt: skip
_WITH_MODEL = (
    "inject", "--writer", "llm", "--model", "m", "--corpus", "CORPUS", "--errata", "ERRATA", "--prices", "PRICES",
    "--prompts", "PROMPTS", "--reviews", "REVIEWS", "--out", "no-such-release",
)  # fmt: skip
# A line for each that writes; every name in capitals is a file or directory that is read.
LINES = {
    "inject --out": (
        "inject", "--corpus", "CORPUS", "--errata", "ERRATA", "--prices", "PRICES", "--prompts", "PROMPTS",
        "--reviews", "REVIEWS", "--out",
    ),
    "inject --events": (*_WITH_MODEL, "--events"),
    "inject --journal": (*_WITH_MODEL, "--journal"),
    "plan --out": ("plan", "--corpus", "CORPUS", "--prices", "PRICES", "--prompts", "PROMPTS", "--out"),
    "council --journal": ("council", "FOLDER", "--models", "a,b", "--prices", "PRICES", "--prompts", "PROMPTS", "--journal"),
    "gate --out": ("gate", "--corpus", "CORPUS", "--proposals", "PROPOSALS", "--out"),
    "diff --html": ("diff", "CORPUS", "FOLDER", "--html"),
    "revalidate --out": ("revalidate", "--corpus", "CORPUS", "--cases", "CASES", "--out"),
    "review --reviews": ("review", "FOLDER", "--by", "Ann", "--decisions", "DECISIONS", "--reviews"),
    "patch make --out": ("patch", "make", "FOLDER", "--corpus", "CORPUS", "-o"),
    "patch apply --out": ("patch", "apply", "PATCH", "--corpus", "CORPUS", "--out"),
}  # fmt: skip


@pytest.fixture
def files(tmp_path: Path) -> Path:
    """Inputs by their names, and a release that no command of these is about."""
    folder = tmp_path / "work"
    (folder / "FOLDER").mkdir(parents=True)
    (folder / "PROMPTS").mkdir()
    shutil.copy(mock_path(), folder / "CORPUS")
    for name in ("ERRATA", "PROPOSALS", "CASES", "PATCH", "PRICES", "REVIEWS", "DECISIONS", "FOLDER/edits.json"):
        (folder / name).write_text("{}")
    (folder / "other" / "audits").mkdir(parents=True)
    for name in ("manifest.json", "edits.jsonl"):
        (folder / "other" / name).write_text("{}")
    return folder


def _paths(command: Any, words: tuple[str, ...] = ()) -> Iterator[str]:
    """Every parameter of every command that names a file or directory."""
    for name, inner in getattr(command, "commands", {}).items():
        yield from _paths(inner, (*words, name))
    if not hasattr(command, "commands"):
        for parameter in command.params:
            if "Path" in str(parameter.type_descriptor.annotation) or parameter.metavar in ("OLD", "NEW"):
                longest = max(parameter.opts, key=len)
                yield " ".join((*words, longest))


def _kept(folder: Path) -> dict[str, bytes]:
    return {path.relative_to(folder).as_posix(): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


def _line(files: Path, which: str) -> list[str | Path]:
    return [files / word if word.isupper() else word for word in LINES[which]]


def test_every_path_of_every_command_is_known_to_be_read_or_written() -> None:
    assert sorted(_paths(typer.main.get_command(app))) == sorted(WRITES | READS)
    assert set(LINES) == WRITES


@pytest.mark.parametrize("place", ["new", "edits.jsonl", "audits/new", "deeper/still/new", "link/new"])
@pytest.mark.parametrize("which", sorted(WRITES))
def test_nothing_is_written_into_a_release_that_the_command_is_not_about(
    twist: Command, files: Path, which: str, place: str
) -> None:
    (files / "link").symlink_to(files / "other" / "audits")
    target = files / place if place.startswith("link") else files / "other" / place
    before = _kept(files)
    assert_refused(twist(*_line(files, which), target), 2, target, "lies inside a release")
    assert _kept(files) == before


@pytest.mark.parametrize("how", ["itself", "symbolic link", "hard link", "inside"])
@pytest.mark.parametrize(("which", "read"), [(which, word) for which in sorted(LINES) for word in LINES[which] if word.isupper()])
def test_nothing_that_a_command_reads_is_written_over(twist: Command, files: Path, which: str, read: str, how: str) -> None:
    target = files / read
    if how == "symbolic link":
        target = files / "another-name"
        target.symlink_to(files / read)
    elif how == "hard link" and (files / read).is_file():
        target = files / "another-name"
        os.link(files / read, target)
    elif how == "inside":
        target = files / read / "new"
    before = _kept(files)
    assert_refused(twist(*_line(files, which), target), 2, target, "is not written over")
    assert _kept(files) == before


@pytest.mark.parametrize("which", ["gate --out", "revalidate --out"])
def test_the_corpus_that_is_taken_when_none_is_named_is_not_written_over(
    twist: Command, files: Path, which: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    corpus = files / "CORPUS"
    monkeypatch.setattr("twist_cli.corpora.locate_corpus", lambda *_: type("Located", (), {"path": corpus}))
    (files / "PROPOSALS").write_text("")
    line = [word for word in _line(files, which) if word not in ("--corpus", corpus)]
    before = _kept(files)
    assert_refused(twist(*line, corpus), 2, corpus, "is not written over")
    assert _kept(files) == before

"""Runs of the pipeline on the mock corpus, with room for exchanges whatever the seam finder thinks of its small talk.

The seam finder has tests of its own; what is tested here (checkpoints, bytes, edits, keys) must not hang on how strict it is.
"""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import pytest

import inject.conversation
from arcs.items import SlotKind
from inject.pipeline import RunOutcome, make_config, run_injection
from inject.seams import Seam
from inject.view import OpenRelease, open_release
from locomo_patch.locate import mock_path
from locomo_patch.reader import LoadedCorpus, read_corpus
from twistcore.corpus import Session
from twistcore.text.parses import Parser

ROOT = Path(__file__).resolve().parents[2]
Progress = Callable[[str, int, int], None]
PRELUDE = "import sys; sys.path.insert(0, {folder!r}); import mock_runs; mock_runs.make_room()"


def roomy(session: Session, _docs: object) -> list[Seam]:
    """An open seam after every third turn; the speaker of the turn after it has the floor."""
    return [
        Seam(session.number, turn.position, SlotKind.OPEN, session.turns[turn.position].speaker, 1.0)
        for turn in session.turns[2:-2:3]
    ]


def make_room() -> None:
    """Let exchanges stand anywhere, for good: for a process of its own."""
    setattr(inject.conversation, "find_seams", roomy)  # noqa: B010 - the module exports no such name


@contextmanager
def room() -> Iterator[None]:
    """Let exchanges stand anywhere, inside this block."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(inject.conversation, "find_seams", roomy)
        yield


def silent(_name: str, _done: int, _total: int) -> None:
    """No progress."""


def run_mock(
    out: Path, parser: Parser, *, seed: int = 7, pairs: int = 2, only: list[str] | None = None, progress: Progress = silent
) -> RunOutcome:
    """A run on the mock corpus with room."""
    loaded = read_corpus(mock_path())
    with room():
        return run_injection(loaded, make_config(loaded, seed, pairs, only), out, parser, progress)


def files_of(folder: Path) -> dict[str, bytes]:
    """Every file of a release with its bytes, but the one that "same bytes" leaves out."""
    return {
        path.relative_to(folder).as_posix(): path.read_bytes()
        for path in sorted(folder.rglob("*"))
        if path.is_file() and path.name != "cost.json"
    }


@dataclass(frozen=True)
class Made:
    """A release on the mock corpus, its source, and what the run came to."""

    folder: Path
    source: LoadedCorpus
    opened: OpenRelease
    outcome: RunOutcome
    files: dict[str, bytes]


_MADE: dict[str, Made] = {}


def made_release(factory: pytest.TempPathFactory, parser: Parser) -> Made:
    """The release that tests read; made once a session."""
    if "release" not in _MADE:
        folder = factory.mktemp("mock") / "release"
        outcome = run_mock(folder, parser)
        _MADE["release"] = Made(folder, read_corpus(mock_path()), open_release(folder), outcome, files_of(folder))
    return _MADE["release"]


def command_line(out: Path, *extra: str) -> list[str]:
    """`twist inject` on the mock corpus with room, in a process of its own."""
    prelude = PRELUDE.format(folder=str(Path(__file__).parent))
    start = f"{prelude}\nfrom twist_cli.main import run\nrun()"
    return [
        sys.executable,
        "-c",
        start,
        "inject",
        "--no-revalidate",
        "--corpus",
        str(mock_path()),
        "--out",
        str(out),
        "--arcs",
        "2",
        *extra,
    ]


def environment(cache: Path, **more: str) -> dict[str, str]:
    """The environment of such a process."""
    return {**os.environ, "PYTHONPATH": str(ROOT), "TWIST_CACHE": str(cache), **more}


def finish(out: Path, cache: Path, **more: str) -> subprocess.CompletedProcess[str]:
    """Run it to its end."""
    return subprocess.run(
        command_line(out), cwd=ROOT, env=environment(cache, **more), capture_output=True, text=True, timeout=300, check=False
    )

"""Running the command in this process, or in one of its own."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from locomo_patch.locate import mock_path
from twist_cli.main import run

ROOT = Path(__file__).resolve().parents[2]


@dataclass(frozen=True)
class Finished:
    """Exit code and output of a command."""

    code: int
    out: str
    err: str


Command = Callable[..., Finished]


def in_process(capsys: pytest.CaptureFixture[str]) -> Command:
    """Runs the command here; an exception that is no exit fails the test, as a traceback would a user."""

    def call(*arguments: str | Path) -> Finished:
        capsys.readouterr()
        with pytest.raises(SystemExit) as leaving:
            run([str(argument) for argument in arguments])
        said = capsys.readouterr()
        return Finished(int(leaving.value.code or 0), said.out, said.err)

    return call


def in_subprocess(*arguments: str | Path, cache: Path, env: dict[str, str] | None = None, prelude: str = "") -> Finished:
    """`python -m twist_cli …` with a cache of its own and nothing that reaches the network; `prelude` is run before it."""
    start = ["-m", "twist_cli"] if not prelude else ["-c", f"{prelude}\nfrom twist_cli.main import run\nrun()"]
    done = subprocess.run(
        [sys.executable, *start, *map(str, arguments)],
        cwd=ROOT,
        env={**os.environ, "PYTHONPATH": str(ROOT), "TWIST_CACHE": str(cache), **(env or {})},
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
    )
    return Finished(done.returncode, done.stdout, done.stderr)


def mock_raw() -> Any:
    """The mock corpus as raw JSON, to be broken."""
    return json.loads(mock_path().read_bytes())


def write_corpus(path: Path, raw: Any) -> Path:
    """A corpus file in LoCoMo's layout."""
    path.write_bytes(json.dumps(raw, indent=2).encode("ascii"))
    return path


def files_in(folder: Path) -> dict[str, bytes]:
    """Every file below a folder with its bytes, but the one that "same bytes" leaves out."""
    return {
        path.relative_to(folder).as_posix(): path.read_bytes()
        for path in sorted(folder.rglob("*"))
        if path.is_file() and path.name != "cost.json"
    }


def assert_refused(done: Finished, code: int, *parts: str | Path) -> None:
    """One line on standard error, which names the file and the place, and no traceback."""
    complaints = [line for line in done.err.splitlines() if line.startswith("twist: ")]
    others = [line for line in done.err.splitlines() if not line.startswith(("twist: ", "inject: ", "gate: ", "audit: "))]
    assert (done.code, len(complaints), others) == (code, 1, []), done
    assert "Traceback" not in done.err + done.out
    for part in parts:
        assert str(part) in complaints[0], (part, complaints[0])


def nothing_left(folder: Path, *allowed: str) -> None:
    """No file in the folder but those named: nothing half-written."""
    found = sorted(path.relative_to(folder).as_posix() for path in folder.rglob("*") if path.is_file())
    assert found == sorted(allowed)


def lines_of(values: Sequence[object]) -> str:
    """JSON Lines."""
    return "".join(json.dumps(value) + "\n" for value in values)

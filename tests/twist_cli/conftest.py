"""What tests of commands share."""

from __future__ import annotations

from pathlib import Path

import pytest
from cli_runs import Command, in_process


@pytest.fixture
def twist(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, cache: Path) -> Command:
    """The command, run in this process with the session's cache of parses; a file that needs another environment has its own."""
    monkeypatch.setenv("TWIST_CACHE", str(cache))
    return in_process(capsys)

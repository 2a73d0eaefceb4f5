"""Whole runs with models on the mock corpus, over real HTTP, in processes of their own."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

from locomo_patch.locate import mock_path

ROOT = Path(__file__).resolve().parents[3]
KEY = "sk-test-0123456789abcdef"


@dataclass(frozen=True)
class Ended:
    """How a run ended."""

    code: int
    out: str
    err: str


def command(out: Path, *extra: str) -> list[str]:
    """`twist inject --writer llm` for one pair a conversation."""
    fixed = ["--corpus", str(mock_path()), "--arcs", "1", "--no-revalidate", "--writer", "llm", "--model", "tiny-1b"]
    return [sys.executable, "-m", "twist_cli", "inject", "--out", str(out), *fixed, *extra]


def environment(base_url: str, cache: Path, key: str = KEY) -> dict[str, str]:
    return {**os.environ, "OPENAI_BASE_URL": base_url, "OPENAI_API_KEY": key, "TWIST_CACHE": str(cache), "PYTHONPATH": str(ROOT)}


def run(out: Path, base_url: str, cache: Path, *extra: str) -> Ended:
    """A run to its end."""
    done = subprocess.run(
        command(out, *extra), cwd=ROOT, env=environment(base_url, cache), capture_output=True, text=True, timeout=300, check=False
    )
    return Ended(done.returncode, done.stdout, done.stderr)


def start(out: Path, base_url: str, cache: Path, *extra: str) -> subprocess.Popen[bytes]:
    """A run that goes on in the background."""
    return subprocess.Popen(
        command(out, *extra), cwd=ROOT, env=environment(base_url, cache), stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
    )


def kill(process: subprocess.Popen[bytes], how: signal.Signals = signal.SIGKILL) -> int:
    """Stop a run and wait for it."""
    process.send_signal(how)
    return process.wait(timeout=60)

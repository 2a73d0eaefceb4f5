"""Whole runs with a scripted author over HTTP that gives up on some items, and people's decisions on them.

In mock-1 the verifier cannot tell of any arc; in mock-2 the writer always gives a phone number away, which no person may overrule.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from locomo_patch.locate import mock_path
from locomo_patch.reader import read_corpus
from tests.scripted_author import ScriptedAuthor
from tests.scripted_server import Answer, Received, ScriptedServer, say
from twist_cli.main import run

PHONE = "My number is 555-0142."
DAY = "2024-05-31"


def doubting(agent: str, received: Received, value: dict[str, Any]) -> Answer:
    """Spoils what the author says."""
    if agent == "verifier" and value["contradicts"] == "yes":
        return say({**value, "contradicts": "cannot_tell", "why": "too vague"})
    second = read_corpus(mock_path()).corpus.conversation("mock-2").speakers
    if agent in ("writer", "reviser") and all(name in received.text for name in second):
        return say({"turns": [{**turn, "statement": f"{turn['statement']} {PHONE}"} for turn in value["turns"]]})
    return say(value)


@dataclass
class ReviewRuns:
    """A release with rejects, and the means to review it and to run again."""

    base: Path
    server: ScriptedServer

    @property
    def release(self) -> Path:
        return self.base / "release"

    def twist(self, *arguments: str | Path) -> int:
        """Run a command here; its exit code."""
        with pytest.raises(SystemExit) as leaving:
            run([str(argument) for argument in arguments])
        return int(leaving.value.code or 0)

    def inject(self, out: Path, *extra: str | Path) -> int:
        options = ("--corpus", mock_path(), "--arcs", "1", "--writer", "llm", "--model", "tiny", "--rounds", "1", "--no-scout")
        return self.twist("inject", *options, "--no-revalidate", "--out", out, *extra)

    def rejects(self, release: Path | None = None) -> list[dict[str, Any]]:
        return lines(release or self.release, "rejects/track_a.jsonl")

    def given_up(self, sample_id: str) -> list[dict[str, Any]]:
        """Rejects of a conversation whose own fault it was."""
        return [r for r in self.rejects() if r["sample_id"] == sample_id and not r["reason"].startswith("its partner")]

    def decide(self, folder: Path, *decisions: dict[str, Any], by: str = "Ann") -> Path:
        """A file of decisions, made by the command."""
        prepared, path = folder / "prepared.jsonl", folder / "decided.jsonl"
        prepared.write_text("".join(json.dumps(decision) + "\n" for decision in decisions))
        assert self.twist("review", self.release, "--by", by, "--reviews", path, "--decisions", prepared, "--date", DAY) == 0
        return path


def lines(release: Path, name: str) -> list[dict[str, Any]]:
    """Rows of a file of a release."""
    return [json.loads(line) for line in (release / name).read_text().splitlines()]


def accept(reject: dict[str, Any], reason: str = "anybody sees it") -> dict[str, Any]:
    """The decision to take an item as it is."""
    return {"id": reject["id"], "decision": "accept", "reason": reason}


def edit(reject: dict[str, Any], change: Callable[[str], str]) -> dict[str, Any]:
    """The decision to take an item with other turns."""
    turns = [change(turn["text"]) for turn in reject["proposal"]["turns"]]
    return {"id": reject["id"], "decision": "edit", "reason": "put right", "turns": turns}


@contextmanager
def serving(base: Path, cache: Path) -> Iterator[ReviewRuns]:
    """The runs, with a first release made."""
    with ScriptedServer() as server, pytest.MonkeyPatch.context() as patch:
        server.otherwise = ScriptedAuthor(doubting)
        patch.setenv("OPENAI_BASE_URL", server.base_url)
        patch.setenv("OPENAI_API_KEY", "none")
        patch.setenv("TWIST_CACHE", str(cache))
        runs = ReviewRuns(base, server)
        assert runs.inject(runs.release) == 1, "what was asked for is not met"
        yield runs

"""`make llm-smoke`: a run with a real model behind OPENAI_BASE_URL, ten arcs of the mock corpus, and what came of them.

    OPENAI_BASE_URL=http://127.0.0.1:8091/v1 python -m benchmarks.llm_smoke [--model NAME] [--arcs 10] [--max-calls 200] [--out DIR]

Proves the plumbing, not the quality: a small model writes poorly and judges at chance. The yield is printed as it is, also that of
a run that a limit stopped; the same command with a higher limit goes on. Exit code: that of `twist inject`, 1 where nothing was
written.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import httpx2
from rich.console import Console
from rich.table import Table

from locomo_patch.locate import mock_path
from twistcore.chat.endpoint import BASE_URL, Endpoint, read_endpoint
from twistcore.errors import TwistError, UsageError

# The mock corpus has two conversations.
CONVERSATIONS = 2
SHOWN_REASONS = 8


@dataclass
class Yield:
    """What became of a run's items, by its event log. Sets hold ids of items."""

    asked: set[str] = field(default_factory=set)
    written: set[str] = field(default_factory=set)
    passed: set[str] = field(default_factory=set)
    verified: set[str] = field(default_factory=set)
    ended: set[str] = field(default_factory=set)
    accepted: set[str] = field(default_factory=set)
    reasons: Counter[str] = field(default_factory=Counter)
    outcomes: Counter[str] = field(default_factory=Counter)
    calls: int = 0
    cached: int = 0
    prompt_tokens: int = 0
    completion_tokens: int = 0


def count(events: Iterable[Mapping[str, Any]]) -> Yield:
    """The yield that events tell of. Only drafts that pass all gates come before the verifier."""
    found = Yield()
    for event in events:
        item = event.get("item", "")
        if event["event"] == "item":
            _count_stage(found, event["stage"], item, event["reason"])
            continue
        got = event.get("outcome") == "ok" and event["event"] in ("answered", "cached")
        if got and event["agent"] == "writer":
            found.written.add(item)
        if got and event["agent"] == "verifier":
            found.passed.add(item)
        if event["event"] in ("answered", "faulted"):
            found.calls += 1
            found.outcomes[event["outcome"]] += 1
            found.prompt_tokens += event["prompt_tokens"]
            found.completion_tokens += event["completion_tokens"]
        found.cached += event["event"] == "cached"
    return found


def _count_stage(found: Yield, stage: str, item: str, reason: str) -> None:
    if stage == "planned":
        found.asked.add(item)
    elif stage == "accepted":
        found.accepted.add(item)
    elif stage == "revising":
        found.reasons.update(reason.split(", "))
    elif stage == "ended":
        found.ended.add(item)
        if reason:
            found.reasons.update(reason.split(", "))
        else:
            found.verified.add(item)


def read_events(log: Path) -> list[dict[str, Any]]:
    """The events of a run; a line that was cut off at the end is none."""
    lines = log.read_text(encoding="utf-8").splitlines() if log.is_file() else []
    out = []
    for line in lines:
        try:
            out.append(json.loads(line))
        except ValueError:
            continue
    return out


def find_model(endpoint: Endpoint) -> str:
    """The first model that an endpoint says it has; raises UsageError where it does not say."""
    try:
        headers = {"Authorization": f"Bearer {endpoint.api_key}"}
        listed = httpx2.get(f"{endpoint.base_url.rstrip('/')}/models", headers=headers, timeout=30).json()
        return str(listed["data"][0]["id"])
    except (httpx2.HTTPError, ValueError, LookupError, TypeError) as error:
        raise UsageError("the endpoint does not say which models it has", remedy="name one with --model") from error


def show(found: Yield, seconds: float, model: str) -> Table:
    """The yield as a table."""
    table = Table("figure", "items", title=f"yield of {model}")
    for name, items in (
        ("asked (arcs and hard negatives)", found.asked),
        ("written", found.written),
        ("passed all gates at least once", found.passed),
        ("ended in the loop", found.ended),
        ("verified as seen", found.verified),
        ("accepted beside their partners", found.accepted),
    ):
        table.add_row(name, str(len(items)))
    table.add_section()
    table.add_row("calls sent", f"{found.calls} ({', '.join(f'{n} {why}' for why, n in found.outcomes.most_common())})")
    table.add_row("answers out of the journal", str(found.cached))
    table.add_row("tokens in, out", f"{found.prompt_tokens}, {found.completion_tokens}")
    table.add_row("seconds", f"{seconds:.0f}")
    table.add_section()
    for reason, times in found.reasons.most_common(SHOWN_REASONS):
        table.add_row(f"sent back or rejected at {reason}", str(times))
    return table


def main() -> int:
    """Run and tell."""
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--model", help="the first that the endpoint lists, if not given")
    options.add_argument("--arcs", type=int, default=10, help="arcs, each with its hard negative; an even number")
    options.add_argument("--max-calls", type=int, default=200)
    options.add_argument("--max-tokens", type=int, default=700)
    options.add_argument("--concurrency", type=int, default=1)
    options.add_argument("--timeout", type=float, default=300.0)
    options.add_argument("--out", type=Path, default=Path("out/llm-smoke"))
    chosen = options.parse_args()
    if not os.environ.get(BASE_URL):
        print(f"set {BASE_URL} to an OpenAI-compatible endpoint, such as http://127.0.0.1:8091/v1", file=sys.stderr)
        return 2
    try:
        model = chosen.model or find_model(read_endpoint(os.environ))
    except TwistError as error:
        print(error, file=sys.stderr)
        return int(error.exit_code)
    began = time.perf_counter()
    code = subprocess.run(_command(chosen, model), check=False).returncode
    seconds = time.perf_counter() - began
    found = count(read_events(chosen.out.with_name(f"{chosen.out.name}.events.jsonl")))
    Console().print(show(found, seconds, model))
    return code or (0 if found.written else 1)


def _command(chosen: argparse.Namespace, model: str) -> list[str]:
    return [
        *(sys.executable, "-m", "twist_cli", "inject", "--corpus", str(mock_path()), "--track", "A"),
        *("--writer", "llm", "--model", model, "--arcs", str(chosen.arcs // CONVERSATIONS), "--rounds", "1", "--no-scout"),
        *("--no-revalidate", "--concurrency", str(chosen.concurrency), "--timeout", str(chosen.timeout)),
        *("--max-tokens", str(chosen.max_tokens), "--max-calls", str(chosen.max_calls), "--out", str(chosen.out)),
        *("--journal", str(chosen.out.with_name(f"{chosen.out.name}.journal.sqlite"))),
    ]


if __name__ == "__main__":
    sys.exit(main())

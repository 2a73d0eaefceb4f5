"""Scores the Track A gates on labelled proposals: `python -m benchmarks.gates FILE [FILE ...] --corpus PATH [--wrong]`.

A labelled line is a proposal with `expect` (pass or fail), `defect` and `why`. An undecided verdict counts as wrong on both sides.
"""

from __future__ import annotations

import argparse
import json
import sys
import time
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from inject.gates.batch import judge_proposals
from inject.proposals import Proposal
from locomo_patch.reader import read_corpus
from twistcore.text.parses import Parser, cache_folder
from twistcore.verdicts import Outcome, Verdict


@dataclass(frozen=True, slots=True)
class Labelled:
    """A proposal with what somebody decided about it."""

    proposal: Proposal
    expect: str
    defect: str | None
    why: str


def read_labelled(path: Path) -> list[Labelled]:
    """Labelled proposals of a JSON Lines file."""
    rows = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines() if line.strip()]
    return [Labelled(Proposal.model_validate(row), row["expect"], row.get("defect"), row.get("why", "")) for row in rows]


def is_right(labelled: Labelled, verdict: Verdict) -> bool:
    """Whether the verdict is what was expected."""
    return verdict.verdict is (Outcome.PASS if labelled.expect == "pass" else Outcome.FAIL)


def report(name: str, rows: Sequence[Labelled], verdicts: Sequence[Verdict], seconds: float, *, wrong: bool) -> None:
    """Print the shares, by defect, and on demand every wrong verdict."""
    right: Counter[str] = Counter()
    total: Counter[str] = Counter()
    caught: Counter[str] = Counter()
    for row, verdict in zip(rows, verdicts, strict=True):
        key = row.defect or "good"
        total[key] += 1
        right[key] += is_right(row, verdict)
        caught[key] += any(finding.gate == row.defect for finding in verdict.failed)
    good = total.pop("good", 0)
    bad = sum(total.values())
    failed = sum(right[key] for key in total)
    print(f"{name}: good passed {right['good']}/{good} ({right['good'] / max(1, good):.1%}), bad failed {failed}/{bad} ({failed / max(1, bad):.1%}), "
          f"{seconds / max(1, len(rows)) * 1000:.0f} ms each")
    for key in sorted(total):
        print(f"  {key}: {right[key]}/{total[key]} failed, {caught[key]} by that gate")
    if not wrong:
        return
    for row, verdict in zip(rows, verdicts, strict=True):
        if not is_right(row, verdict):
            reasons = "; ".join(f"{finding.gate}: {finding.reason}" for finding in [*verdict.failed, *verdict.undecided])
            print(f"\n{row.proposal.id} {row.proposal.family.value} expected {row.expect} ({row.defect}), got {verdict.verdict.value}: {reasons}\n  {row.why}")
            for turn in row.proposal.turns:
                print(f"  {turn.role.value} S{turn.session} {turn.speaker}: {turn.text}")


def main() -> int:
    """Score the named files."""
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("files", type=Path, nargs="+")
    options.add_argument("--corpus", type=Path, required=True)
    options.add_argument("--wrong", action="store_true")
    chosen = options.parse_args()
    corpus = read_corpus(chosen.corpus).corpus
    parser = Parser(cache_folder())
    for path in chosen.files:
        rows = read_labelled(path)
        began = time.perf_counter()
        verdicts = judge_proposals([row.proposal for row in rows], corpus, parser, lambda *_: None)
        report(path.name, rows, verdicts, time.perf_counter() - began, wrong=chosen.wrong)
    return 0


if __name__ == "__main__":
    sys.exit(main())

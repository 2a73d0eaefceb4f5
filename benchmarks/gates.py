"""How the gates do on labelled proposals: `python -m benchmarks.gates FILE [--corpus PATH]`.

A label file has the lines of SCHEMAS.md, "Proposals and verdicts", with `expect` (pass or fail) and `defect`. Prints how
many good lines pass all gates and how many bad ones fail any, by defect, and lists the wrong ones. An undecided verdict is
neither a pass nor a fail.
"""

from __future__ import annotations

import argparse
import json
import time
from collections import Counter
from collections.abc import Sequence
from pathlib import Path

from inject.gates.case import Case, Record
from inject.gates.registry import judge_all
from inject.proposals import Proposal
from locomo_patch.reader import read_corpus
from twistcore.text.parses import Parser, cache_folder
from twistcore.verdicts import Outcome, combine

MOCK = Path(__file__).parents[1] / "locomo_patch" / "corpora" / "mock" / "locomo_mock.json"


def main(arguments: Sequence[str] | None = None) -> int:
    """Judge the file's lines and print the score."""
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("file", type=Path)
    options.add_argument("--corpus", type=Path, default=MOCK)
    given = options.parse_args(arguments)
    parser = Parser(cache_folder())
    corpus = read_corpus(given.corpus, allow_unknown=True).corpus
    records = {conversation.sample_id: Record(conversation, parser) for conversation in corpus.conversations}
    lines = [json.loads(line) for line in given.file.read_text(encoding="utf-8").splitlines() if line.strip()]
    cases = [Case(proposal, records.get(proposal.sample_id), parser) for proposal in map(Proposal.model_validate, lines)]
    parser.parse_all(turn.text for case in cases for turn in case.proposal.turns)
    for sample_id in {case.proposal.sample_id for case in cases}:
        if sample_id in records:
            _ = records[sample_id].docs
    start = time.perf_counter()
    total: Counter[str] = Counter()
    right: Counter[str] = Counter()
    own: Counter[str] = Counter()
    wrong: list[str] = []
    for line, case in zip(lines, cases, strict=True):
        verdict = combine(case.proposal.id, judge_all(case))
        expected = Outcome.PASS if line["expect"] == "pass" else Outcome.FAIL
        label = str(line.get("defect") or "good")
        total[label] += 1
        own[label] += any(finding.gate == label for finding in verdict.failed)
        if verdict.verdict is expected:
            right[label] += 1
            continue
        findings = "; ".join(f"{found.gate}: {found.reason}" for found in (*verdict.failed, *verdict.undecided)) or "no gate fails"
        wrong.append(f"{line['id']} {line['family']} {label}: {verdict.verdict.value}: {findings}")
    spent = time.perf_counter() - start
    _report(total, right, own)
    print(f"{1000 * spent / max(1, len(lines)):.0f} ms a proposal")
    print("\n".join(wrong))
    return 0


def _report(total: Counter[str], right: Counter[str], own: Counter[str]) -> None:
    bad = sum(count for label, count in total.items() if label != "good")
    hit = sum(count for label, count in right.items() if label != "good")
    print(f"good passed {right['good']}/{total['good']} ({_share(right['good'], total['good'])})")
    print(f"bad failed {hit}/{bad} ({_share(hit, bad)})")
    for label in sorted(label for label in total if label != "good"):
        print(f"  {label}: {right[label]}/{total[label]} failed, {own[label]} by the gate of that name")


def _share(part: int, whole: int) -> str:
    return f"{100 * part / whole:.1f} %" if whole else "none"


if __name__ == "__main__":
    raise SystemExit(main())

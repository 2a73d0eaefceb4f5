"""The labelled sets (tests/inject/data) against all gates on the real corpus, where TWIST_SHARED names it; prints the figures.

`kinds` holds four good and four bad short proposals for each kind of defect that a blind set slipped past the gates.
"""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from inject.gates.batch import judge_proposals
from inject.proposals import Proposal
from locomo_patch.reader import LoadedCorpus
from twistcore.text.parses import Parser

DATA = Path(__file__).parents[1] / "data"
GOOD, BAD = 0.95, 0.9


@pytest.mark.parametrize("name", ["dev", "test", "third", "fourth", "fifth", "kinds"])
def test_the_set_is_told_apart(name: str, real: LoadedCorpus, parser: Parser) -> None:
    lines = [json.loads(line) for line in (DATA / f"gate_proposals_{name}.jsonl").read_text(encoding="utf-8").splitlines()]
    proposals = [Proposal.model_validate(line) for line in lines]
    verdicts = judge_proposals(proposals, real.corpus, parser, lambda *_: None)
    right = dict.fromkeys(("pass", "fail"), 0)
    for line, verdict in zip(lines, verdicts, strict=True):
        right[line["expect"]] += verdict.verdict.value == line["expect"]
    total = {kind: sum(line["expect"] == kind for line in lines) for kind in right}
    print(name, right, total)
    assert right["pass"] >= GOOD * total["pass"]
    assert right["fail"] >= BAD * total["fail"]

"""The probe set (tests/inject/data): short proposals of one defect each, against the gates that read a turn by itself.

Record and calendar gates need the real corpus; `test_the_set_is_told_apart` reads it where TWIST_SHARED names it.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from topic_case import the_parser

from inject.gates import (
    absence,
    acknowledged_in_arc,
    no_flip,
    not_acknowledged,
    off_topic_pair,
    pii,
    pronoun,
    question_form,
    role_flip,
)
from inject.gates import (
    format as format_gate,
)
from inject.gates.case import Case, Record
from inject.gates.registry import verdict
from inject.proposals import Proposal
from locomo_patch.reader import LoadedCorpus
from twistcore.text.parses import Parser
from twistcore.verdicts import Outcome

SET = Path(__file__).parents[1] / "data" / "gate_proposals_probe.jsonl"
ALONE = {
    gate.GATE.name: gate
    for gate in (
        absence,
        acknowledged_in_arc,
        format_gate,
        no_flip,
        not_acknowledged,
        off_topic_pair,
        pii,
        pronoun,
        question_form,
        role_flip,
    )
}
# A later turn in words far from the topic; a flip undone by what only the world tells.
KNOWN_GAPS = {"t031", "t032", "t060", "t110"}
LINES: list[dict[str, Any]] = [json.loads(line) for line in SET.read_text(encoding="utf-8").splitlines()]


def failing(line: dict[str, Any]) -> list[str]:
    """The gates that fail a line without its conversation."""
    case = Case(Proposal.model_validate(line), None, the_parser())
    return [name for name, gate in ALONE.items() if gate.judge(case).outcome is Outcome.FAIL]


@pytest.mark.parametrize(
    "line", [entry for entry in LINES if entry["expect"] == "pass" and entry["id"] not in KNOWN_GAPS], ids=lambda entry: entry["id"]
)
def test_a_good_line_passes_what_reads_it_alone(line: dict[str, Any]) -> None:
    assert failing(line) == []


@pytest.mark.parametrize(
    "line", [entry for entry in LINES if entry["defect"] in ALONE and entry["id"] not in KNOWN_GAPS], ids=lambda entry: entry["id"]
)
def test_a_bad_line_fails_what_reads_it_alone(line: dict[str, Any]) -> None:
    assert failing(line) != []


def test_the_set_is_told_apart(real: LoadedCorpus, parser: Parser) -> None:
    records = {conversation.sample_id: Record(conversation, parser) for conversation in real.corpus.conversations}
    right = dict.fromkeys(("pass", "fail"), 0)
    for line in LINES:
        proposal = Proposal.model_validate(line)
        outcome = verdict(Case(proposal, records.get(proposal.sample_id), parser)).verdict
        right[line["expect"]] += outcome.value == line["expect"]
    total = {kind: sum(line["expect"] == kind for line in LINES) for kind in right}
    print(right, total)
    assert right["pass"] >= 0.9 * total["pass"]
    assert right["fail"] >= 0.9 * total["fail"]

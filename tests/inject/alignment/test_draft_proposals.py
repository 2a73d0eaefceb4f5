"""Drafts as they are read from a file, and the closed sets that they are read into."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from arcs.draft_families import DraftFamily, DraftType
from inject.alignment.proposals import DraftProposal, read_drafts
from inject.alignment.registry import NAMES, gates, versions
from twistcore.errors import ProposalError

LINE = {
    "id": "a",
    "conv": "conv-1",
    "speaker": "Sam",
    "type": "contradicting",
    "family": "B1",
    "draft": "Sam, hi.",
    "evidence": ["D1:1"],
    "contradicted_quote": "hello",
}


def test_the_gates_are_the_closed_set_in_their_order() -> None:
    assert tuple(gates()) == NAMES == ("ids", "speaker", "quote", "absence", "question_form", "self_contained")
    assert all(name == gate.name for name, (gate, _) in gates().items())
    assert set(versions()) == set(NAMES)


@pytest.mark.parametrize("written", ["HN-B2", "HN-B2 acknowledged-pause", "hn-b2 something else"])
def test_a_family_is_matched_by_its_first_word_and_written_long(written: str) -> None:
    read = DraftProposal.model_validate({**LINE, "type": "hard_negative", "family": written})
    assert read.model_dump(mode="json")["family"] == "HN-B2 acknowledged-pause"


def test_each_family_has_the_type_of_its_name() -> None:
    assert [family.type for family in DraftFamily] == [DraftType.CONTRADICTING] * 3 + [DraftType.ALIGNED] * 2 + [
        DraftType.HARD_NEGATIVE
    ] * 3


def test_rationale_and_history_may_be_missing_and_others_fields_are_ignored(tmp_path: Path) -> None:
    (tmp_path / "p.jsonl").write_text(json.dumps({**LINE, "_verdict": "no"}) + "\n")
    (read,) = read_drafts(tmp_path / "p.jsonl")
    assert (read.rationale, read.history_turns) == (None, None)


@pytest.mark.parametrize("change", [{"family": "B9 odd"}, {"family": ""}, {"type": "neutral"}, {"evidence": "D1:1"}, {"draft": ""}])
def test_a_line_outside_the_schema_names_file_line_and_field(tmp_path: Path, change: dict[str, object]) -> None:
    (tmp_path / "p.jsonl").write_text(json.dumps(LINE) + "\n" + json.dumps({**LINE, **change}) + "\n")
    with pytest.raises(ProposalError) as raised:
        list(read_drafts(tmp_path / "p.jsonl"))
    assert "line 2" in str(raised.value) and f"field {next(iter(change))}" in str(raised.value)

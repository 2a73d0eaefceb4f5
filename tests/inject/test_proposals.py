"""Proposals read from somebody else's file."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from inject.proposals import read_proposals
from twistcore.errors import ProposalError

GOOD = {
    "id": "x",
    "family": "A1",
    "sample_id": "conv-1",
    "holder": "Sam",
    "topic": "parrots",
    "old_belief": "Sam would never keep a parrot",
    "new_belief": "Sam keeps a parrot",
    "turns": [{"role": "anchor", "session": 1, "speaker": "Sam", "text": "No parrots for me."}],
    "expect": "pass",
}


def write(path: Path, *rows: object) -> Path:
    path.write_text("".join(json.dumps(row) + "\n" for row in rows))
    return path


def test_fields_of_others_are_ignored(tmp_path: Path) -> None:
    (proposal,) = read_proposals(write(tmp_path / "p.jsonl", GOOD))
    assert proposal.id == "x"


@pytest.mark.parametrize("field", ["family", "holder", "turns", "new_belief"])
def test_a_line_that_lacks_a_field_is_named(tmp_path: Path, field: str) -> None:
    short = {key: value for key, value in GOOD.items() if key != field}
    with pytest.raises(ProposalError, match=rf"line 2.*{field}"):
        list(read_proposals(write(tmp_path / "p.jsonl", GOOD, short)))


def test_half_a_surrogate_pair_is_refused_by_line(tmp_path: Path) -> None:
    odd = {**GOOD, "topic": "\ud800"}
    with pytest.raises(ProposalError, match=r"line 2.*surrogate"):
        list(read_proposals(write(tmp_path / "p.jsonl", GOOD, odd)))

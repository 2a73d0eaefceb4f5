"""Faults reported upstream set a flag, by identity, and never a state."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from locomo_patch.errata.upstream import find_broken, read_upstream
from locomo_patch.reader import LoadedCorpus
from locomo_patch.revalidation.identity import identify_document
from twistcore.errors import UsageError


def _entry(loaded: LoadedCorpus, index: int, kind: str) -> dict[str, object]:
    sample_id = loaded.document.sample_ids[0]
    item = loaded.document.blocks(sample_id).qa[index]
    return {
        "sample_id": sample_id,
        "question": item["question"],
        "category": item["category"],
        "error_type": kind,
        "cited_evidence": item["evidence"],
        "correct_answer": "another",
    }


def _file(path: Path, entries: object) -> Path:
    path.write_text(json.dumps(entries))
    return path


def test_a_wrong_gold_sets_the_flag_and_a_wrong_citation_does_not(mock: LoadedCorpus, tmp_path: Path) -> None:
    path = _file(tmp_path / "e.json", [_entry(mock, 0, "HALLUCINATION"), _entry(mock, 1, "WRONG_CITATION")])
    broken = find_broken(mock.document, read_upstream(path), path)
    first = identify_document(mock.document)[0].identity
    assert broken == {first.parts}


def test_a_fault_of_another_version_is_refused_with_its_place(mock: LoadedCorpus, tmp_path: Path) -> None:
    path = _file(tmp_path / "e.json", [{**_entry(mock, 0, "TEMPORAL_ERROR"), "question": "Never asked?"}])
    with pytest.raises(UsageError, match="entry 0"):
        find_broken(mock.document, read_upstream(path), path)


def test_a_malformed_file_is_one_line_with_its_place(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match=r"0\.question"):
        read_upstream(_file(tmp_path / "e.json", [{"sample_id": "x", "category": 1, "error_type": "A", "cited_evidence": []}]))


def test_of_the_public_audit_ninety_nine_set_the_flag(real: LoadedCorpus, shared: Path) -> None:
    path = shared / "data" / "locomo_errata.json"
    faults = read_upstream(path)
    assert (len(faults), sum(fault.breaks_gold for fault in faults)) == (156, 99)
    broken = find_broken(real.document, faults, path)
    assert len({identity[:2] for identity in broken}) == 99

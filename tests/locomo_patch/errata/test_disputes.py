"""Accepted disputes append lines; applying them again appends nothing."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
import yaml

from locomo_patch.errata.disputes import read_disputes, revise_disputed
from locomo_patch.reader import LoadedCorpus
from locomo_patch.revalidation.states import Decision, Policy, QuestionRevision, Rule, State
from locomo_patch.revalidation.versioning import revise
from twistcore.errors import FrameError, UsageError


@pytest.fixture
def lines(mock: LoadedCorpus) -> list[QuestionRevision]:
    """Every question valid."""
    valid = Decision(State.VALID, None, Rule.UNRELATED, "")
    return revise(mock.document, {c.sample_id: [valid] * len(c.questions) for c in mock.corpus.conversations}, Policy.RETIRE)


def _dispute(loaded: LoadedCorpus, action: str, **more: Any) -> dict[str, Any]:
    sample_id = loaded.document.sample_ids[0]
    item = loaded.document.blocks(sample_id).qa[0]
    target = {
        "sample_id": sample_id,
        "question": item["question"],
        "category": item["category"],
        "cited_evidence": item["evidence"],
    }
    return {"target": target, "action": action, "reason": "the turn says otherwise", "by": "R. Eader", "date": "2024-05-06", **more}


def _file(path: Path, entries: object) -> Path:
    path.write_text(yaml.safe_dump(entries))
    return path


@pytest.mark.parametrize(
    ("action", "more", "state", "broken"),
    [
        ("revise", {"new": "seven"}, State.REVISED, False),
        ("retire", {}, State.RETIRED, False),
        ("mark_broken", {}, State.VALID, True),
    ],
)
def test_a_dispute_appends_a_dated_and_signed_line(
    mock: LoadedCorpus, lines: list[QuestionRevision], tmp_path: Path, action: str, more: dict[str, Any], state: State, broken: bool
) -> None:
    path = _file(tmp_path / "e.yaml", [_dispute(mock, action, **more)])
    (line,) = revise_disputed(mock.document, lines, read_disputes(path), path)
    assert (line.state, line.already_broken, line.new) == (state, broken, more.get("new"))
    assert (line.by, line.date, line.old) == ("R. Eader", "2024-05-06", lines[0].old)
    assert line.reason == ("unrelated" if action == "mark_broken" else "errata: the turn says otherwise")
    assert revise_disputed(mock.document, [*lines, line], read_disputes(path), path) == []


def test_a_category_may_be_named(mock: LoadedCorpus, lines: list[QuestionRevision], tmp_path: Path) -> None:
    dispute = _dispute(mock, "retire")
    dispute["target"]["category"] = lines[0].category.value
    path = _file(tmp_path / "e.yaml", [dispute])
    assert len(revise_disputed(mock.document, lines, read_disputes(path), path)) == 1


def test_an_unknown_question_is_refused_with_the_question(
    mock: LoadedCorpus, lines: list[QuestionRevision], tmp_path: Path
) -> None:
    dispute = _dispute(mock, "retire")
    dispute["target"]["question"] = "Who framed the door?"
    path = _file(tmp_path / "e.yaml", [dispute])
    with pytest.raises(UsageError, match="Who framed the door"):
        revise_disputed(mock.document, lines, read_disputes(path), path)


@pytest.mark.parametrize(
    "change",
    [{"action": "delete"}, {"new": "x"}, {"date": "soon"}, {"date": ""}, {"date": None}, {"colour": "red"}, {"target": 7}]
    + [{field: blank} for field in ("by", "reason") for blank in ("", "   ", "\t\n ", "\u200b\u200b\u200b", "---", None)],
)
def test_a_malformed_dispute_is_refused(mock: LoadedCorpus, tmp_path: Path, change: dict[str, Any]) -> None:
    with pytest.raises(UsageError):
        read_disputes(_file(tmp_path / "e.yaml", [{**_dispute(mock, "retire"), **change}]))


def test_a_revision_without_a_new_gold_is_refused(mock: LoadedCorpus, tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="new"):
        read_disputes(_file(tmp_path / "e.yaml", [_dispute(mock, "revise")]))


def test_a_file_that_is_no_yaml_is_refused_with_its_line(tmp_path: Path) -> None:
    path = tmp_path / "e.yaml"
    path.write_text("- target: [\n")
    with pytest.raises(FrameError, match="line"):
        read_disputes(path)


def test_an_empty_file_disputes_nothing(tmp_path: Path) -> None:
    found = read_disputes(_file(tmp_path / "e.yaml", None))
    assert (found.items, found.questions) == ((), ())


def test_a_retired_question_keeps_no_revised_gold_and_a_marked_one_its_reason(
    mock: LoadedCorpus, lines: list[QuestionRevision], tmp_path: Path
) -> None:
    path = _file(
        tmp_path / "e.yaml", [_dispute(mock, "revise", new="seven"), _dispute(mock, "retire"), _dispute(mock, "mark_broken")]
    )
    revised, retired, marked = revise_disputed(mock.document, lines, read_disputes(path), path)
    assert (revised.new, retired.new, retired.state) == ("seven", None, State.RETIRED)
    assert (marked.state, marked.reason, marked.already_broken) == (State.RETIRED, retired.reason, True)
    assert revise_disputed(mock.document, [*lines, revised, retired, marked], read_disputes(path), path) == []

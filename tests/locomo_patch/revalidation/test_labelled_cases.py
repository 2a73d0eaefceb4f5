"""Labelled cases of every kind, of our own: how many perturbed questions are caught and how many near misses are alarmed.

The files name questions by their keys, since LoCoMo's text is not the project's to hand out. Rules and weights were made with all files
in view, so the figures guard against getting worse and say little about new cases (docs/revalidation.md).
"""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from locomo_patch.reader import LoadedCorpus
from locomo_patch.revalidation.cases import CaseFile, judge_cases
from locomo_patch.revalidation.identity import identify_document
from locomo_patch.revalidation.score import Labelled, Labels, Scores, score
from locomo_patch.revalidation.states import Kind, Policy
from twistcore.text.parses import Parser

DATA = Path(__file__).parent / "data"
FILES = ("cases_first.jsonl", "cases_second.jsonl", "cases_third.jsonl")


def _rows(name: str) -> list[dict[str, Any]]:
    return [json.loads(line) for line in (DATA / name).read_text(encoding="utf-8").splitlines()]


def _labels(row: dict[str, Any], texts: dict[tuple[str, str], str]) -> Labels:
    def label(entry: dict[str, Any]) -> Labelled:
        return Labelled(question=texts[row["sample_id"], entry["question_key"]], kind=entry.get("kind"))

    return Labels(
        case_id=row["case_id"],
        perturbed=[label(entry) for entry in row["perturbed"]],
        near_miss=[label(entry) for entry in row["near_miss"]],
    )


def score_file(name: str, loaded: LoadedCorpus, parser: Parser) -> Scores:
    """The scores of one file."""
    texts = {q.identity.parts[:2]: str(q.item["question"]) for q in identify_document(loaded.document)}
    rows = _rows(name)
    cases = [CaseFile.model_validate(row) for row in rows]
    verdicts = judge_cases(loaded.corpus, cases, parser, Policy.RETIRE)
    return score([_labels(row, texts) for row in rows], verdicts)


def test_the_cases_have_a_hundred_and_more_of_every_sort() -> None:
    rows = [row for name in FILES for row in _rows(name)]
    kinds = Counter(entry["kind"] for row in rows for entry in row["perturbed"])
    assert len(rows) >= 200
    assert set(kinds) == {kind.value for kind in Kind}
    assert min(kinds.values()) >= 40
    assert len({row["sample_id"] for row in rows}) == 10
    assert sum(not row["perturbed"] for row in rows) >= 40
    assert len({row["case_id"] for row in rows}) == len(rows)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "recall", "alarms"),
    [("cases_first.jsonl", 0.82, 0.12), ("cases_second.jsonl", 0.84, 0.18), ("cases_third.jsonl", 0.4, 0.07)],
)
def test_labelled_cases_are_judged_no_worse_than_they_were(
    real: LoadedCorpus, parser: Parser, name: str, recall: float, alarms: float
) -> None:
    found = score_file(name, real, parser)
    print(
        f"{name}: {found.caught}/{found.perturbed} caught ({found.caught_decided} decided), {found.alarms}/{found.near_misses} alarms "
        f"({found.alarms_decided} decided), kinds {found.kinds_right}/{found.caught}"
    )
    assert found.recall >= recall
    assert found.alarm_rate <= alarms
    assert found.kind_rate >= 0.8

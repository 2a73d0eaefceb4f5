"""`twist gate --track B`: drafts in, verdicts out."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from cli_runs import Command, in_process, lines_of

from locomo_patch.locate import mock_path

DRAFT = {
    "id": "d1",
    "conv": "mock-1",
    "speaker": "Ingrid",
    "type": "contradicting",
    "family": "B2 negated-commitment",
    "draft": "Ingrid, a pity that you never bought a printing press.",
    "evidence": ["D1:2"],
    "contradicted_quote": "I bought a printing press last Saturday",
}


@pytest.fixture
def twist(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, cache: Path) -> Command:
    monkeypatch.setenv("TWIST_CACHE", str(cache))
    monkeypatch.setenv("COLUMNS", "200")
    return in_process(capsys)


def test_every_draft_gets_a_verdict_of_its_own(twist: Command, tmp_path: Path) -> None:
    drafts = [
        DRAFT,
        {**DRAFT, "id": "d2", "evidence": ["D1:1"]},
        {**DRAFT, "id": "d3", "conv": "mock-9"},
        {**DRAFT, "id": "d4", "draft": "Ingrid, are you still looking for a printing press?"},
        {
            **DRAFT,
            "id": "d5",
            "draft": "Ingrid, have fun with the printing press!",
            "type": "aligned",
            "family": "B-AL",
            "contradicted_quote": "",
        },
    ]
    (tmp_path / "p.jsonl").write_text(lines_of(drafts))
    done = twist(
        "gate", "--track", "B", "--corpus", mock_path(), "--proposals", tmp_path / "p.jsonl", "--out", tmp_path / "v.jsonl"
    )
    assert done.code == 0, done.err
    assert "5 proposals, 2 pass, 3 fail, 0 undecided" in done.out
    verdicts = [json.loads(line) for line in (tmp_path / "v.jsonl").read_text().splitlines()]
    assert [verdict["verdict"] for verdict in verdicts] == ["pass", "fail", "fail", "fail", "pass"]
    failed = [[finding["gate"] for finding in verdict["failed"]] for verdict in verdicts]
    assert failed[1][0] == "speaker" and failed[2] == ["ids"] and "question_form" in failed[3]
    assert verdicts[4]["not_applicable"] == ["quote", "absence", "question_form"]


def test_a_draft_of_no_family_ends_the_run_and_leaves_nothing(twist: Command, tmp_path: Path) -> None:
    (tmp_path / "p.jsonl").write_text(lines_of([{**DRAFT, "family": "B7"}]))
    done = twist(
        "gate", "--track", "b", "--corpus", mock_path(), "--proposals", tmp_path / "p.jsonl", "--out", tmp_path / "v.jsonl"
    )
    assert (done.code, "line 1" in done.err, (tmp_path / "v.jsonl").exists()) == (2, True, False)

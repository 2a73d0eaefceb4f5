"""Decisions of people take effect in a run that is given them, under the gates that bind (DESIGN.md rules 7, 8 and 11)."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from mock_runs import files_of

from inject.check import check_release
from locomo_patch.locate import mock_path
from tests.review_runs import DAY, PHONE, ReviewRuns, accept, edit, lines, serving
from twistcore.text.parses import Parser

KEYS, REJECTS, REVIEWS = "keys/track_a.jsonl", "rejects/track_a.jsonl", "reviews/track_a.jsonl"


@pytest.fixture(scope="module")
def runs(tmp_path_factory: pytest.TempPathFactory, cache: Path) -> Iterator[ReviewRuns]:
    with serving(tmp_path_factory.mktemp("runs"), cache) as made:
        yield made


def without_phone(text: str) -> str:
    return text.replace(PHONE, "").strip()


def reviewed(key: dict[str, Any]) -> dict[str, Any] | None:
    found: dict[str, Any] | None = key["provenance"].get("review")
    return found


def faults(release: Path, cache: Path) -> list[str]:
    return [str(broken) for broken in check_release(release, Parser(cache))]


def test_an_accepted_item_comes_with_its_partner_and_no_call_is_made(runs: ReviewRuns, tmp_path: Path, cache: Path) -> None:
    (item,) = runs.given_up("mock-1")
    decided, asked = runs.decide(tmp_path, accept(item)), len(runs.server.received)
    out = tmp_path / "out"
    assert runs.inject(out, "--reviews", decided) == 1, "mock-2 is still short"
    assert len(runs.server.received) == asked
    keys = {key["id"]: key for key in lines(out, KEYS)}
    assert {key["pair_id"] for key in keys.values()} == {item["pair_id"]} and len(keys) == 2
    said = {"by": "Ann", "decision": "accept", "reason": "anybody sees it", "date": DAY, "overruled": ["as_seen"]}
    assert reviewed(keys.pop(item["id"])) == said
    assert [reviewed(key) for key in keys.values()] == [None], "the partner passed by itself"
    verdicts = {v["id"]: v for each in lines(out, "edits.jsonl") for v in each["verdicts"]}
    assert [each["gate"] for each in verdicts[item["id"]]["undecided"]] == ["as_seen"]
    (used,) = lines(out, REVIEWS)
    assert used["judged"] == item, "what was rejected is published, with its verdicts"
    assert not any(reject["sample_id"] == "mock-1" for reject in lines(out, REJECTS))
    assert faults(out, cache) == []


def test_a_release_says_who_took_what_wherever_it_is_read(
    runs: ReviewRuns, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (item,) = runs.given_up("mock-1")
    out, patch, again = tmp_path / "out", tmp_path / "patch.json", tmp_path / "again"
    runs.inject(out, "--reviews", runs.decide(tmp_path, accept(item)))
    said = f"taken as it was by Ann on {DAY}: anybody sees it; does not pass as_seen"
    capsys.readouterr()
    assert runs.twist("show", out, item["id"]) == 0
    assert said in " ".join(capsys.readouterr().out.split())
    assert said in (out / "report.html").read_text()
    assert "taken as it was" not in (runs.release / "report.html").read_text()
    assert runs.twist("patch", "make", out, "-o", patch) == 0
    assert runs.twist("patch", "apply", patch, "--corpus", mock_path(), "--out", again) == 0
    assert files_of(again) == files_of(out)


def test_an_edit_mends_what_no_person_may_overrule(
    runs: ReviewRuns, tmp_path: Path, cache: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    both = runs.given_up("mock-2")
    assert len(both) == 2 and all(any(f["gate"] == "pii" for f in item["attempts"][-1]["failed"]) for item in both)
    out = tmp_path / "accepted"
    runs.inject(out, "--reviews", runs.decide(tmp_path, *map(accept, both)))
    assert lines(out, KEYS) == []
    reasons = [reject["reason"] for reject in lines(out, REJECTS) if reject["id"] == both[0]["id"]]
    assert len(reasons) == 1 and "no person may overrule pii" in reasons[0]
    assert "had no effect: a person took it, and no person may overrule pii" in capsys.readouterr().out
    out = tmp_path / "edited"
    runs.inject(out, "--reviews", runs.decide(tmp_path, *(edit(item, without_phone) for item in both)))
    keys = lines(out, KEYS)
    assert {key["id"] for key in keys} == {item["id"] for item in both}
    found = [reviewed(key) for key in keys]
    assert all(each is not None and {"facts", "as_seen"} <= set(each["overruled"]) for each in found), "nobody audited new words"
    said = [turn["text"] for each in lines(out, "edits.jsonl") for turn in each["turns"]]
    assert all(without_phone(turn["text"]) in said for item in both for turn in item["proposal"]["turns"])
    assert not any(PHONE in text for text in said)
    assert faults(out, cache) == []


def test_a_pair_is_taken_as_a_whole_or_not_at_all(runs: ReviewRuns, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    first, second = runs.given_up("mock-2")
    out = tmp_path / "out"
    runs.inject(out, "--reviews", runs.decide(tmp_path, edit(first, without_phone)))
    assert lines(out, KEYS) == [] == lines(out, REVIEWS)
    assert f"nobody took its partner {second['id']}" in capsys.readouterr().out


def test_a_later_rejection_takes_a_decision_back(runs: ReviewRuns, tmp_path: Path) -> None:
    (item,) = runs.given_up("mock-1")
    runs.decide(tmp_path, accept(item))
    decided = runs.decide(tmp_path, {"id": item["id"], "decision": "reject", "reason": "on second thoughts"}, by="Bob")
    assert [line["by"] for line in lines(tmp_path, decided.name)] == ["Ann", "Bob"], "the first one is not overwritten"
    out = tmp_path / "out"
    runs.inject(out, "--reviews", decided)
    assert lines(out, KEYS) == []


def test_a_decision_holds_for_the_text_that_was_judged(runs: ReviewRuns, tmp_path: Path) -> None:
    (item,) = runs.given_up("mock-1")
    decided = runs.decide(tmp_path, accept(item))
    (line,) = lines(tmp_path, decided.name)
    decided.write_text(decided.read_text().replace(line["proposal_sha256"], "0" * 64))
    out = tmp_path / "out"
    runs.inject(out, "--reviews", decided)
    assert lines(out, KEYS) == []
    assert [reject["reason"] for reject in lines(out, REJECTS)] == [reject["reason"] for reject in runs.rejects()]


def test_the_answers_are_the_reviewers_too_and_are_held_to_what_binds(runs: ReviewRuns, tmp_path: Path, cache: Path) -> None:
    (item,) = runs.given_up("mock-1")
    turns = [turn["text"] for turn in item["proposal"]["turns"]]
    kept = [place["reply"] for place in item["places"]]
    decision = {"id": item["id"], "decision": "edit", "reason": "warmer", "turns": turns}
    asking = {**decision, "replies": [f"{kept[0]} Is that so?", *kept[1:]]}
    out = tmp_path / "asking"
    runs.inject(out, "--reviews", runs.decide(tmp_path, asking))
    assert lines(out, KEYS) == []
    assert any("the answer ends in a question" in reject["reason"] for reject in lines(out, REJECTS))
    out = tmp_path / "warmer"
    warmer = [*kept[:-1], f"{kept[-1]} Really good."]
    runs.inject(out, "--reviews", runs.decide(tmp_path, {**decision, "replies": warmer}))
    assert warmer[-1] in [turn["text"] for each in lines(out, "edits.jsonl") for turn in each["turns"]]
    assert faults(out, cache) == []


def test_a_run_goes_on_with_its_own_decisions_only(runs: ReviewRuns, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (item,) = runs.given_up("mock-1")
    decided, out = runs.decide(tmp_path, accept(item)), tmp_path / "out"
    runs.inject(out, "--reviews", decided)
    before = files_of(out)
    runs.inject(out, "--reviews", decided)
    assert files_of(out) == before
    runs.decide(tmp_path, accept(item, "for another reason"))
    capsys.readouterr()
    assert runs.inject(out, "--reviews", decided) == 2
    assert "another reviews_sha256" in capsys.readouterr().err


def test_a_run_without_decisions_says_nothing_of_them(runs: ReviewRuns) -> None:
    manifest = (runs.release / "manifest.json").read_text()
    assert "review" not in manifest.replace("revised", "") and not (runs.release / REVIEWS).exists()

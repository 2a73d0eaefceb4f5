"""A release that people had a part in proves it: every forged or missing decision is found (`inject.check.reviews`)."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from release_copy import Copy

from inject.check import Rule
from inject.revised_release import apply_errata
from locomo_patch.errata.disputes import read_disputes
from tests.review_runs import ReviewRuns, accept, serving
from twistcore.text.parses import Parser

KEYS, REVIEWS, EDITS = "keys/track_a.jsonl", "reviews/track_a.jsonl", "edits.jsonl"
Row = dict[str, Any]


@pytest.fixture(scope="module")
def taken(tmp_path_factory: pytest.TempPathFactory, cache: Path) -> Iterator[Path]:
    """A release with one item that a person took."""
    with serving(tmp_path_factory.mktemp("forged"), cache) as runs:
        yield _take(runs)


def _take(runs: ReviewRuns) -> Path:
    out = runs.base / "taken"
    runs.inject(out, "--reviews", runs.decide(runs.base, *map(accept, runs.given_up("mock-1"))))
    return out


@pytest.fixture
def release(taken: Path, parser: Parser, tmp_path: Path) -> Copy:
    return Copy(Path(shutil.copytree(taken, tmp_path / "release")), parser)


def review_of(rows: list[Row]) -> Row:
    """The review in the one key that has any."""
    (found,) = [row["provenance"]["review"] for row in rows if "review" in row["provenance"]]
    review: Row = found
    return review


def test_a_release_with_decisions_proves_itself(release: Copy) -> None:
    assert [str(broken) for broken in release.broken()] == []


def _drop_review(rows: list[Row]) -> None:
    for row in rows:
        row["provenance"].pop("review", None)


def _give_review(rows: list[Row]) -> None:
    review = review_of(rows)
    for row in rows:
        row["provenance"].setdefault("review", {**review, "overruled": []})


FORGED_KEYS: dict[str, tuple[Callable[[list[Row]], Any], Rule, str]] = {
    "another's name": (lambda rows: review_of(rows).update(by="Eve"), Rule.REJECTS, "by is 'Ann', the key says 'Eve'"),
    "another reason": (lambda rows: review_of(rows).update(reason="why not"), Rule.REJECTS, "the key says 'why not'"),
    "another day": (lambda rows: review_of(rows).update(date="2020-01-01"), Rule.REJECTS, "the key says '2020-01-01'"),
    "an edit that was none": (lambda rows: review_of(rows).update(decision="edit"), Rule.REJECTS, "the key says 'edit'"),
    "nobody": (lambda rows: review_of(rows).update(by="  "), Rule.SCHEMA, "provenance.review.by"),
    "no reason": (lambda rows: review_of(rows).update(reason=""), Rule.SCHEMA, "provenance.review.reason"),
    "a gate that binds": (
        lambda rows: review_of(rows)["overruled"].append("pii"),
        Rule.REJECTS,
        "overrules pii, which no person may",
    ),
    "what it did not fail": (lambda rows: review_of(rows)["overruled"].append("voice"), Rule.REJECTS, "overrules as_seen, voice"),
    "no check": (lambda rows: review_of(rows)["overruled"].append("taste"), Rule.REJECTS, "which is no check"),
    "nothing overruled": (lambda rows: review_of(rows)["overruled"].clear(), Rule.REJECTS, "overrules nothing"),
    "a review hidden": (_drop_review, Rule.EVIDENCE, "is no pass"),
    "a review hidden leaves its line": (_drop_review, Rule.REJECTS, "no key with a review"),
    "a review made up": (_give_review, Rule.REJECTS, "0 decisions"),
}


@pytest.mark.parametrize("name", FORGED_KEYS)
def test_a_forged_key_is_found(release: Copy, name: str) -> None:
    change, rule, wrong = FORGED_KEYS[name]
    release.change_keys(change)
    release.assert_names(rule, wrong)


FORGED_LINES: dict[str, tuple[Callable[[list[Row]], Any], str]] = {
    "no line": (lambda rows: rows.clear(), "0 decisions"),
    "two lines": (lambda rows: rows.append(rows[0]), "2 decisions"),
    "another hash": (lambda rows: rows[0]["decision"].update(proposal_sha256="0" * 64), "was decided on another text"),
    "another text": (
        lambda rows: rows[0]["judged"]["proposal"]["turns"][0].update(text="I never said so."),
        "is not the anchor that was decided on",
    ),
    "another answer": (lambda rows: rows[0]["judged"]["places"][0].update(reply="Well."), "is not the one that was decided on"),
    "another place": (lambda rows: rows[0]["judged"]["places"][0].update(after=1), "it was judged after turn 1"),
    "another belief": (lambda rows: rows[0]["judged"]["proposal"].update(old_belief="None."), "topic or belief"),
    "not given up": (lambda rows: rows[0]["judged"].update(reason="its partner was rejected"), "was not given up itself"),
    "no verdicts": (lambda rows: rows[0]["judged"].update(attempts=[]), "carries 0 verdicts"),
}


@pytest.mark.parametrize("name", FORGED_LINES)
def test_a_forged_decision_is_found(release: Copy, name: str) -> None:
    change, wrong = FORGED_LINES[name]
    release.change_rows(REVIEWS, change)
    release.assert_names(Rule.REJECTS, wrong)


def test_words_that_nobody_decided_on_are_found(release: Copy) -> None:
    (line,) = release.rows(REVIEWS)
    old = line["judged"]["proposal"]["turns"][0]["text"]
    new = old.replace("Thanks", "Cheers")

    def reword(rows: list[Row]) -> None:
        for turn in (turn for row in rows for turn in row["turns"] if turn["text"] == old):
            turn["text"] = new

    assert new != old
    release.change_edits(reword)
    release.assert_names(Rule.REJECTS, "is not the anchor that was decided on")


def test_the_manifest_counts_what_people_took(release: Copy) -> None:
    assert release.manifest["reviews"] | {"sha256": ""} == {"sha256": "", "accepted": 1, "edited": 0}
    release.change_manifest(lambda manifest: manifest["reviews"].update(accepted=2))
    release.assert_names(Rule.MANIFEST, "says 2 accepted and 0 edited, the keys have 1 and 0")


def test_a_datasheet_that_counts_otherwise_is_found(release: Copy) -> None:
    said = (release.folder / "DATASHEET.md").read_text()
    assert "gates named in its key, but for those\nthat people took" in said
    release.put("DATASHEET.md", said.replace("People took 1 items", "People took 2 items").encode())
    release.assert_names(Rule.MANIFEST, "does not say 'People took 1 items", where="DATASHEET.md")


def test_errata_leave_the_decisions_as_they_were(release: Copy, tmp_path: Path) -> None:
    (taken,) = [row for row in release.rows(KEYS) if "review" in row["provenance"]]
    disputes = tmp_path / "disputes.yaml"
    signed = {"reason": "ambiguous", "by": "R. Eader", "date": "2024-06-06"}
    disputes.write_text(json.dumps([{"target": taken["id"], "action": "retire", **signed}]))
    apply_errata(release.folder, read_disputes(disputes), disputes)
    assert release.rows(KEYS) == [], "its partner goes with it"
    assert "People took 1 items" in (release.folder / "DATASHEET.md").read_text()
    assert [str(broken) for broken in release.broken()] == []


def test_the_manifest_names_the_decisions_of_the_run(release: Copy) -> None:
    release.change_manifest(lambda manifest: manifest["reviews"].update(sha256="0" * 64))
    release.assert_names(Rule.MANIFEST, "is not that of the decisions in the configuration")


def test_a_manifest_that_knows_of_no_decisions_is_found(release: Copy) -> None:
    release.change_manifest(lambda manifest: manifest.pop("reviews"))
    release.assert_names(Rule.MANIFEST, "1 keys say that a person took them")

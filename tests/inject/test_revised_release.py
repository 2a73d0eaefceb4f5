"""A finished release's questions and keys change by appended lines, and the release still proves itself."""

from __future__ import annotations

import json
import re
import shutil
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import yaml
from mock_runs import room, silent

from inject.check.run import check_release
from inject.manifest import read_manifest
from inject.pipeline import make_config, run_injection
from inject.qa import configure_revalidation
from inject.report import write_report
from inject.revalidate import revalidate_release
from inject.revised_release import apply_errata, open_files
from locomo_patch.errata.disputes import read_disputes
from locomo_patch.reader import LoadedCorpus
from locomo_patch.revalidation.states import Policy
from twistcore.errors import UsageError
from twistcore.fingerprints import sha256_file
from twistcore.text.parses import Parser


@pytest.fixture(scope="module")
def made(mock: LoadedCorpus, parser: Parser, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A re-validated release of the mock corpus."""
    out = tmp_path_factory.mktemp("revised") / "release"
    config = make_config(mock, 7, 2, None, configure_revalidation(Policy.RETIRE))
    with room():
        run_injection(mock, config, out, parser, silent)
    return out


@pytest.fixture
def release(made: Path, tmp_path: Path) -> Iterator[Path]:
    """A copy that may be changed."""
    yield Path(shutil.copytree(made, tmp_path / "release"))


def _broken(folder: Path, parser: Parser) -> list[str]:
    """What is broken beyond the seams, which `room` lets stand anywhere."""
    return [str(found) for found in check_release(folder, parser) if found.rule.value != "rule 3"]


def _write(path: Path, *disputes: dict[str, Any]) -> Path:
    signed = [{"reason": "the turn says otherwise", "by": "R. Eader", "date": "2024-05-06", **dispute} for dispute in disputes]
    path.write_text(yaml.safe_dump(signed))
    return path


def _first_question(loaded: LoadedCorpus) -> dict[str, Any]:
    sample_id = loaded.document.sample_ids[0]
    item = loaded.document.blocks(sample_id).qa[0]
    return {
        "sample_id": sample_id,
        "question": item["question"],
        "category": item["category"],
        "cited_evidence": item["evidence"],
    }


def _bytes(folder: Path) -> dict[str, bytes]:
    return {path.relative_to(folder).as_posix(): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


def test_every_question_of_a_release_has_a_state_and_the_release_holds(made: Path, parser: Parser, mock: LoadedCorpus) -> None:
    record = read_manifest(made).qa
    assert record is not None
    assert sum(record.by_state.values()) == record.questions.all == sum(len(c.questions) for c in mock.corpus.conversations)
    assert _broken(made, parser) == []


def test_release_minus_edits_with_what_left_put_back_is_the_source(made: Path, mock: LoadedCorpus) -> None:
    assert open_files(made).source.dump() == mock.document.dump()


def test_revalidating_again_with_the_same_settings_changes_no_byte(release: Path, mock: LoadedCorpus, parser: Parser) -> None:
    before = _bytes(release)
    revalidate_release(mock, release, configure_revalidation(Policy.RETIRE), None, parser, silent)
    assert _bytes(release) == before


def test_a_release_of_another_corpus_is_refused(release: Path, mock: LoadedCorpus, parser: Parser) -> None:
    manifest = json.loads((release / "manifest.json").read_bytes())
    manifest["source"]["sha256"] = "0" * 64
    (release / "manifest.json").write_text(json.dumps(manifest))
    with pytest.raises(UsageError, match="another corpus"):
        revalidate_release(mock, release, configure_revalidation(Policy.RETIRE), None, parser, silent)


def test_a_release_made_without_revalidation_gets_it_later(mock: LoadedCorpus, parser: Parser, tmp_path: Path) -> None:
    out = tmp_path / "plain"
    with room():
        run_injection(mock, make_config(mock, 7, 2, None), out, parser, silent)
    assert read_manifest(out).qa is None
    assert _broken(out, parser) == []
    revalidate_release(mock, out, configure_revalidation(Policy.RETIRE), None, parser, silent)
    record = read_manifest(out).qa
    assert record is not None and record.key_version == "TWIST-QA-v0.1"
    assert _broken(out, parser) == []


def test_a_disputed_question_leaves_under_the_next_key_version(release: Path, mock: LoadedCorpus, parser: Parser) -> None:
    sample_id = mock.document.sample_ids[0]
    item = mock.document.blocks(sample_id).qa[0]
    target = {
        "sample_id": sample_id,
        "question": item["question"],
        "category": item["category"],
        "cited_evidence": item["evidence"],
    }
    path = _write(release.parent / "e.yaml", {"target": target, "action": "revise", "new": "twelve"})
    outcome = apply_errata(release, read_disputes(path), path)
    assert (outcome.questions, outcome.qa_version) == (1, "TWIST-QA-v0.2")
    corpus = json.loads(next((release / "corpus").iterdir()).read_bytes())
    left_corpus = next(each for each in corpus if each["sample_id"] == sample_id)["qa"]
    assert item["question"] not in {q["question"] for q in left_corpus}
    left = [json.loads(line) for line in (release / "qa" / "versioned_out.jsonl").read_text().splitlines()]
    assert any(row["item"] == item and row["new"] == "twelve" for row in left)
    assert _broken(release, parser) == []
    before = _bytes(release)
    assert apply_errata(release, read_disputes(path), path).questions == 0
    assert _bytes(release) == before


def test_a_retired_item_takes_its_partner_along_and_both_can_be_had_back(release: Path, parser: Parser) -> None:
    key = open_files(release).keys[0]
    path = _write(release.parent / "e.yaml", {"target": key.id, "action": "retire"})
    outcome = apply_errata(release, read_disputes(path), path)
    assert (outcome.items, outcome.key_version) == (2, "TWIST-A-v0.2")
    assert key.pair_id not in {other.pair_id for other in open_files(release).keys}
    assert _broken(release, parser) == []


def _held(folder: Path) -> Counter[str]:
    return Counter(key.family.value for key in open_files(folder).keys)


def _assert_tells_what_it_holds(folder: Path) -> None:
    """Datasheet, report and manifest count the key that is there, and the states that are there."""
    held, sheet = _held(folder), (folder / "DATASHEET.md").read_text()
    page = " ".join((folder / "report.html").read_text().split())
    arcs = sum(count for family, count in held.items() if not family.startswith("HN"))
    assert f"{arcs} reversal arcs and {held.total() - arcs} hard negatives" in sheet
    assert f"<tr><td>{arcs}</td><td>{held.total() - arcs}</td>" in page
    assert re.findall(r"^\| (\S+) \| (\d+) \|$", sheet, re.MULTILINE) == [(name, str(held[name])) for name in sorted(held)]
    assert page.count("<details ") == held.total()
    record = read_manifest(folder).qa
    if record is not None:
        assert f"{record.by_state['retired']} retired" in sheet and f"Key {record.key_version}:" in sheet
        assert f"retired {record.by_state['retired']}</span>" in page and record.key_version in page


@pytest.mark.parametrize("questions", [True, False])
def test_datasheet_and_report_tell_what_a_release_holds_after_errata_and_after_re_validation(
    mock: LoadedCorpus, parser: Parser, tmp_path: Path, questions: bool
) -> None:
    out = tmp_path / "release"
    states = configure_revalidation(Policy.RETIRE) if questions else None
    with room():
        run_injection(mock, make_config(mock, 7, 2, None, states), out, parser, silent)
    write_report(out)
    _assert_tells_what_it_holds(out)
    injected = _held(out).total()
    disputes: list[dict[str, Any]] = [{"target": open_files(out).keys[0].id, "action": "retire"}]
    path = _write(tmp_path / "e.yaml", *disputes, *([{"target": _first_question(mock), "action": "retire"}] if questions else []))
    apply_errata(out, read_disputes(path), path)
    assert _held(out).total() == injected - 2
    _assert_tells_what_it_holds(out)
    assert _broken(out, parser) == []
    revalidate_release(mock, out, configure_revalidation(Policy.BLOCK), None, parser, silent)
    _assert_tells_what_it_holds(out)
    assert _broken(out, parser) == []
    sheet = (out / "DATASHEET.md").read_text()
    assert f"{1 if questions else 'none'} by people" in sheet
    (out / "DATASHEET.md").write_text(sheet.replace(" reversal arcs", "1 reversal arcs"))
    assert any("does not say" in found for found in _broken(out, parser))


def test_the_wording_of_an_item_is_revised_and_its_label_is_not(release: Path, parser: Parser) -> None:
    key = open_files(release).keys[0]
    path = _write(release.parent / "e.yaml", {"target": key.id, "action": "revise", "new": {"topic": "another word"}})
    apply_errata(release, read_disputes(path), path)
    assert {k.topic for k in open_files(release).keys if k.id == key.id} == {"another word"}
    assert _broken(release, parser) == []
    wrong = _write(release.parent / "w.yaml", {"target": key.id, "action": "revise", "new": {"gold": "tension"}})
    with pytest.raises(UsageError, match="takes a mapping"):
        apply_errata(release, read_disputes(wrong), wrong)


def test_a_broken_item_is_marked_and_stays(release: Path, parser: Parser) -> None:
    key = open_files(release).keys[0]
    path = _write(release.parent / "e.yaml", {"target": key.id, "action": "mark_broken"})
    assert apply_errata(release, read_disputes(path), path).items == 1
    assert apply_errata(release, read_disputes(path), path).items == 0
    assert key.id in {other.id for other in open_files(release).keys}
    assert _broken(release, parser) == []


def test_an_unknown_item_is_refused_and_nothing_is_written(release: Path) -> None:
    before = _bytes(release)
    path = _write(release.parent / "e.yaml", {"target": "0123456789ab", "action": "retire"})
    with pytest.raises(UsageError, match="0123456789ab"):
        apply_errata(release, read_disputes(path), path)
    assert _bytes(release) == before


@pytest.mark.parametrize(
    ("name", "change", "wrong"),
    [
        (name, change, wrong)
        for name, prefix in (("qa/revisions.jsonl", "errata:"), ("keys/revisions.jsonl", "retire:"))
        for change, wrong in (
            ({"by": ""}, "who accepted it"),
            ({"by": " \u200b"}, "who accepted it"),
            ({"reason": f"{prefix} "}, "has no reason"),
            ({"reason": " "}, "has no reason"),
            ({"date": ""}, "not dated"),
            ({"date": "some day"}, "not dated"),
        )
    ]
    + [("keys/revisions.jsonl", {"date": None}, "not dated"), ("qa/revisions.jsonl", {"date": None}, "not dated")],
)
def test_a_line_that_an_erratum_appended_is_signed_dated_and_reasoned(
    release: Path, mock: LoadedCorpus, parser: Parser, name: str, change: dict[str, Any], wrong: str
) -> None:
    ident = open_files(release).keys[0].id
    target = {"target": _first_question(mock), "action": "retire"}
    errata = _write(release.parent / "e.yaml", target, {"target": ident, "action": "retire"})
    apply_errata(release, read_disputes(errata), errata)
    rows = [json.loads(line) for line in (release / name).read_text().splitlines()]
    (release / name).write_text("".join(json.dumps(row) + "\n" for row in [*rows[:-1], {**rows[-1], **change}]))
    assert any(wrong in found and name in found for found in _broken(release, parser))


def test_every_stored_line_names_its_schema_and_another_one_is_found(release: Path, mock: LoadedCorpus, parser: Parser) -> None:
    target = {"target": _first_question(mock), "action": "retire"}
    errata = _write(release.parent / "e.yaml", target, {"target": open_files(release).keys[0].id, "action": "retire"})
    apply_errata(release, read_disputes(errata), errata)
    for name in ("edits.jsonl", "qa/revisions.jsonl", "qa/versioned_out.jsonl", "keys/revisions.jsonl"):
        path = release / name
        before = path.read_text()
        rows = [json.loads(line) for line in before.splitlines()]
        assert rows and all(row["schema_version"].startswith("twist-") and row["schema_version"].endswith("/1") for row in rows)
        path.write_text("".join(json.dumps(row) + "\n" for row in [*rows[:-1], {**rows[-1], "schema_version": "twist-x/9"}]))
        assert any(name in found and "twist-x/9" in found for found in _broken(release, parser))
        path.write_text(before)


def test_lines_that_are_older_than_their_schema_version_are_read_as_the_first(release: Path, parser: Parser) -> None:
    manifest = json.loads((release / "manifest.json").read_bytes())
    for name in ("qa/revisions.jsonl", "qa/versioned_out.jsonl"):
        rows = [json.loads(line) for line in (release / name).read_text().splitlines()]
        old = [{field: value for field, value in row.items() if field != "schema_version"} for row in rows]
        (release / name).write_text("".join(json.dumps(row) + "\n" for row in old))
        manifest["files"][name] = sha256_file(release / name)
    (release / "manifest.json").write_text(json.dumps(manifest, indent=2) + "\n")
    assert _broken(release, parser) == []


@pytest.mark.parametrize(
    ("name", "change", "wrong"),
    [
        ("qa/revisions.jsonl", lambda rows: rows[1:-1], "has no state"),
        ("qa/revisions.jsonl", lambda rows: [{**rows[0], "old": "x"}, *rows[1:]], "gold"),
        ("qa/revisions.jsonl", lambda rows: [{**rows[0], "injected": ["D1:1"]}, *rows[1:]], "no edit brought in"),
        ("qa/revisions.jsonl", lambda rows: [*rows[:-1], {**rows[-1], "state": "undecided"}], "which blocks a release"),
        ("qa/versioned_out.jsonl", lambda rows: rows[1:], "rule 1:"),
    ],
)
def test_a_tampered_state_is_found(release: Path, mock: LoadedCorpus, parser: Parser, name: str, change: Any, wrong: str) -> None:
    errata = _write(release.parent / "e.yaml", {"target": _first_question(mock), "action": "retire"})
    apply_errata(release, read_disputes(errata), errata)
    path = release / name
    rows = [json.loads(line) for line in path.read_text().splitlines()]
    path.write_text("".join(json.dumps(row) + "\n" for row in change(rows)))
    assert any(wrong in found for found in _broken(release, parser))

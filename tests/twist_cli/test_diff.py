"""`twist diff`: what is printed, what is written, exit codes. Two corpora, and a release that `twist inject` made."""

from __future__ import annotations

import json
import shutil
from pathlib import Path
from typing import Any

import pytest
from cli_runs import Command, assert_refused, files_in, in_process, mock_raw, nothing_left, write_corpus

from inject.view import open_release
from locomo_patch.apply import apply_edits
from locomo_patch.diff.models import DiffReport
from locomo_patch.locate import mock_path
from locomo_patch.reader import read_document
from locomo_patch.revalidation.identity import identify_document
from locomo_patch.revalidation.states import Kind, QuestionRevision, State, VersionedOut
from twist_cli.main import run
from twistcore.corpus import Category
from twistcore.store import dump_lines

# conversation, index: two copies and their mirror
TOGETHER = (("mock-2", 15), ("mock-2", 22), ("mock-2", 24))


@pytest.fixture
def twist(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, cache: Path) -> Command:
    monkeypatch.setenv("TWIST_CACHE", str(cache))
    monkeypatch.delenv("TWIST_DEBUG", raising=False)
    monkeypatch.setenv("COLUMNS", "200")
    return in_process(capsys)


@pytest.fixture(scope="module")
def unchecked(tmp_path_factory: pytest.TempPathFactory, cache: Path) -> Path:
    """A release as `twist inject` makes it, without `qa/`."""
    out = tmp_path_factory.mktemp("inject") / "release"
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("TWIST_CACHE", str(cache))
        with pytest.raises(SystemExit) as leaving:
            run(["inject", "--corpus", str(mock_path()), "--out", str(out), "--arcs", "2"])
    assert leaving.value.code == 0
    # Whatever the run found perturbed is put back, so that these tests do not hang on how it decides.
    shutil.rmtree(out / "qa", ignore_errors=True)
    released, _ = apply_edits(read_document(mock_path()), open_release(out).edits)
    for name, data in released.dump().items():
        (out / "corpus" / name).write_bytes(data)
    return out


@pytest.fixture(scope="module")
def checked(unchecked: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The same release with states: three questions rest on its first injected turn of mock-2."""
    out = tmp_path_factory.mktemp("states") / "release"
    shutil.copytree(unchecked, out)
    injected = open_release(out).id_map["mock-2"].inserted[0]
    lines, left = [], []
    for found in identify_document(read_document(mock_path())):
        identity, item = found.identity, found.item
        hit = (identity.sample_id, found.index) in TOGETHER
        kind = (Kind.NOW_ANSWERABLE if item["category"] == 5 else Kind.SUPERSEDED) if hit else None
        common: dict[str, Any] = {
            "sample_id": identity.sample_id,
            "question_key": identity.question_key,
            "occurrence": identity.occurrence,
            "state": State.RETIRED if hit else State.VALID,
            "kind": kind,
            "reason": f"{kind.value}: the choir changed" if kind else "unrelated",
            "injected": [injected] if hit else [],
            "new": None,
        }
        gold = item.get("adversarial_answer" if item["category"] == 5 else "answer")
        category = Category.of_number(item["category"])
        lines.append(QuestionRevision(**common, category=category, already_broken=False, by="revalidate/1", date=None, old=gold))
        if hit:
            left.append(VersionedOut(**common, index=found.index, item=item))
    (out / "qa").mkdir()
    (out / "qa" / "revisions.jsonl").write_bytes(dump_lines(lines))
    (out / "qa" / "versioned_out.jsonl").write_bytes(dump_lines(left))
    path = out / "corpus" / "locomo_mock.json"
    raw = json.loads(path.read_bytes())
    raw[1]["qa"] = [item for index, item in enumerate(raw[1]["qa"]) if ("mock-2", index) not in TOGETHER]
    write_corpus(path, raw)
    return out


def test_a_corpus_and_itself_do_not_differ(twist: Command) -> None:
    done = twist("diff", mock_path(), mock_path())
    assert done.code == 0
    assert "questions: 0 modified, 0 removed, 0 added; outside qa: no differences" in done.out
    found = json.loads(twist("diff", mock_path(), mock_path(), "--json").out)
    assert (found["qa"], found["outside_qa"], found["states"]) == ([], [], [])


def test_official_against_the_fork_as_json(twist: Command, shared: Path) -> None:
    done = twist("diff", shared / "data" / "locomo10.json", shared / "data" / "locomo10_fork.json", "--json")
    found = json.loads(done.out)
    assert (done.code, done.err) == (0, "")
    assert found["counts"] == {"modified": 25, "removed": 2, "added": 1}
    assert (found["outside_qa"], found["states"], found["schema_version"]) == ([], [], "twist-diff/1")
    assert len(found["qa"]) == 28
    DiffReport.model_validate(found)


def test_official_against_the_fork_as_text_names_its_denominators(twist: Command, shared: Path) -> None:
    done = twist("diff", shared / "data" / "locomo10.json", shared / "data" / "locomo10_fork.json")
    assert "questions: 25 modified, 2 removed, 1 added; outside qa: no differences" in done.out
    for row in (
        "all 1986 1985",
        "with evidence 1982 1981",
        "answerable (categories 1-4) 1540 1539",
        "distinct answerable 1529 1528",
    ):
        assert row in [" ".join(line.split()) for line in done.out.splitlines()]
    assert "    answer: six months -> five months" in done.out
    assert "removed  conv-42  open-domain  What alternative career might Nate consider after gaming?" in done.out


def test_a_release_shows_what_it_perturbed_and_why(twist: Command, checked: Path) -> None:
    done = twist("diff", mock_path(), checked)
    assert done.code == 0
    lines = [" ".join(line.split()) for line in done.out.splitlines()]
    assert "questions: 0 modified, 0 removed, 0 added; 3 perturbed" in done.out
    assert "all 57 57 54 (94.7%)" in lines
    assert "answerable (categories 1-4) 47 47 45 (95.7%)" in lines
    assert "all 54 0 3 0" in lines
    assert "single-hop 15 0 2 0" in lines
    assert {"superseded 2", "now_answerable 1", "contradicted 0"} <= set(lines)
    start = lines.index("3 together (mirror, names swapped):")
    shown = lines[start + 1 : start + 12]
    assert shown[0] == "retired (superseded) mock-2 single-hop What part does Leila sing in the choir?"
    assert "gold: Alto" in shown
    assert "trap: Alto" in shown
    assert "why: now_answerable: the choir changed" in shown
    quoted = [line for line in shown if line.startswith("injected: D")]
    assert len(quoted) == 1, "what three questions rest on is quoted once"
    assert ", session " in quoted[0] and ", 2023, " in quoted[0]
    assert "unrelated" not in done.out


def test_all_lists_the_valid_questions_too(twist: Command, checked: Path) -> None:
    done = twist("diff", mock_path(), checked, "--all")
    assert "57 listed" in done.out
    assert done.out.count("why: unrelated") == 54


def test_two_releases_show_states_that_differ(twist: Command, checked: Path, tmp_path: Path) -> None:
    other = tmp_path / "other"
    shutil.copytree(checked, other)
    revisions = other / "qa" / "revisions.jsonl"
    lines = [json.loads(line) for line in revisions.read_text().splitlines()]
    lines.append({**lines[0], "state": "revised", "kind": "contradicted", "new": "2 May", "reason": "errata: a typo"})
    revisions.write_bytes(dump_lines(lines))
    done = twist("diff", checked, other)
    assert "1 whose states differ" in done.out
    assert "valid -> revised (contradicted)  mock-1  temporal  When did Ingrid buy her printing press?" in done.out
    assert "new gold: 2 May" in done.out
    assert "3 whose states differ" not in twist("diff", checked, checked).out


def test_a_release_that_was_not_revalidated_says_so(twist: Command, unchecked: Path) -> None:
    done = twist("diff", mock_path(), unchecked)
    assert done.code == 0
    assert "note: NEW was not re-validated (it has no qa/): the states of its questions are unknown" in done.out
    assert "mock-1, by edits: added: " in done.out
    assert "perturbed" not in done.out


def test_html_is_one_file_and_one_line_is_printed(twist: Command, checked: Path, tmp_path: Path) -> None:
    before = files_in(checked)
    done = twist("diff", mock_path(), checked, "--html", tmp_path / "out" / "diff.html")
    assert (done.code, len(done.out.splitlines())) == (0, 1)
    assert (tmp_path / "out" / "diff.html").read_bytes().startswith(b"<!doctype html>")
    nothing_left(tmp_path, "out/diff.html")
    assert files_in(checked) == before


def test_text_is_no_markup(twist: Command, tmp_path: Path) -> None:
    raw = mock_raw()
    raw[0]["qa"][0]["answer"] = "[bold]1 May[/bold] [/red]"
    raw[0]["session_summary"]["session_1_summary"] = "[b]They met."
    done = twist("diff", mock_path(), write_corpus(tmp_path / "c.json", raw))
    assert "mock-1 session_summary session_1_summary modified: " in done.out
    assert "-> [b]They met.\n" in done.out
    assert "answer: 28 January 2023 -> [bold]1 May[/bold] [/red]" in done.out


def test_json_and_html_exclude_each_other(twist: Command, tmp_path: Path) -> None:
    done = twist("diff", mock_path(), mock_path(), "--json", "--html", tmp_path / "d.html")
    assert_refused(done, 2, "--json and --html")
    nothing_left(tmp_path)


def test_what_is_compared_is_not_written_over(twist: Command, unchecked: Path, tmp_path: Path) -> None:
    path = write_corpus(tmp_path / "c.json", mock_raw())
    before = path.read_bytes()
    assert_refused(twist("diff", mock_path(), path, "--html", path), 2, path, "is not written over")
    assert path.read_bytes() == before
    assert_refused(twist("diff", mock_path(), unchecked, "--html", unchecked / "diff.html"), 2, "lies inside a release")
    assert not (unchecked / "diff.html").exists()


def test_bad_input_is_one_line(twist: Command, unchecked: Path, tmp_path: Path) -> None:
    assert_refused(twist("diff", mock_path(), tmp_path / "none.json"), 2, tmp_path / "none.json", "does not exist")
    (tmp_path / "prose.json").write_text("no JSON")
    assert_refused(twist("diff", tmp_path / "prose.json", mock_path(), "--json"), 2, "prose.json", "is no JSON")
    (tmp_path / "empty").mkdir()
    assert_refused(twist("diff", mock_path(), tmp_path / "empty"), 2, "holds no JSON file")
    broken = tmp_path / "release"
    shutil.copytree(unchecked, broken)
    (broken / "id_map.json").write_text('{"mock-1": 3}')
    assert_refused(twist("diff", mock_path(), broken, "--html", tmp_path / "d.html"), 2, "id_map.json", "mock-1")
    assert not (tmp_path / "d.html").exists()
    assert twist("diff", mock_path()).code == 2


def test_locomo_names_the_corpus_that_inject_takes(twist: Command, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("TWIST_CACHE", str(tmp_path))
    monkeypatch.setattr("locomo_patch.locate._fetch", lambda _target, _url, _say: None)
    done = twist("diff", "locomo", mock_path())
    assert done.code == 0
    assert "mock corpus is used" in done.err
    assert "questions: 0 modified, 0 removed, 0 added" in done.out


def test_help_is_printed(twist: Command) -> None:
    done = twist("diff", "--help")
    assert (done.code, "Usage" in done.out) == (0, True)

"""Reading one side: a corpus of either shape, or a release with the questions that left its corpus put back."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from perturbed_release import FATES, Fate, change_lines, make_release

from locomo_patch.diff.sides import read_side
from locomo_patch.locate import mock_path
from locomo_patch.revalidation.identity import identify_document
from locomo_patch.revalidation.states import Kind, State, leaves_corpus
from twistcore.errors import CorpusError, ReleaseError, TwistError


@pytest.fixture(scope="module")
def release(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return make_release(tmp_path_factory.mktemp("release"))


def test_a_release_has_its_sources_questions_in_their_places(release: Path) -> None:
    source, released = read_side(mock_path()), read_side(release)
    for one, other in zip(source.questions, released.questions, strict=True):
        assert (one.identity, one.index, one.item) == (other.identity, other.index, other.item)
    assert sum(not question.in_corpus for question in released.questions) == sum(leaves_corpus(fate.state) for fate in FATES)
    assert released.source.objects[0]["conversation"] == source.source.objects[0]["conversation"]


def test_identities_by_the_id_map_are_those_without_the_edits(release: Path) -> None:
    side = read_side(release)
    kept = [question.identity.question_key for question in side.questions if question.in_corpus]
    assert kept == [found.identity.question_key for found in identify_document(side.source)]


def test_a_copy_that_stays_is_not_taken_for_the_one_that_left(tmp_path: Path) -> None:
    first = Fate("mock-2", 15, State.RETIRED, Kind.SUPERSEDED, "said", ("D5:8",))
    side = read_side(make_release(tmp_path, fates=[first]))
    copies = [question for question in side.questions if (question.sample_id, question.index) in {("mock-2", 15), ("mock-2", 22)}]
    assert [(copy.identity.occurrence, copy.in_corpus, copy.line and copy.line.state) for copy in copies] == [
        (1, False, State.RETIRED),
        (2, True, State.VALID),
    ]


def test_cited_turns_are_those_of_the_released_files_and_what_dangles_is_told(release: Path) -> None:
    source, released = read_side(mock_path()), read_side(release)
    for one, other in zip(source.questions, released.questions, strict=True):
        ids, dangling = source.cited(one)
        moved, still = released.cited(other)
        assert dangling == still
        for before, after in zip(ids, moved, strict=True):
            texts = [
                side.corpus.conversation(one.sample_id).turn(ident).text for side, ident in ((source, before), (released, after))
            ]
            assert texts[0] == texts[1]
    assert source.cited(source.questions[19]) == (["D4:5"], ["D4:36"])


def test_the_flat_folder_reads_as_the_list_file_does(tmp_path: Path) -> None:
    for number, raw in enumerate(json.loads(mock_path().read_bytes()), start=1):
        flat = {"qa": raw["qa"], **raw["conversation"], **raw["event_summary"], **raw["observation"], **raw["session_summary"]}
        (tmp_path / f"{number}.json").write_text(json.dumps(flat))
    flat_side, list_side = read_side(tmp_path), read_side(mock_path())
    assert [question.identity.question_key for question in flat_side.questions] == [
        question.identity.question_key for question in list_side.questions
    ]
    assert read_side(tmp_path / "2.json").corpus.conversations[0].sample_id == "conv-2"


def test_a_release_without_qa_has_no_states(tmp_path: Path) -> None:
    side = read_side(make_release(tmp_path, fates=None))
    assert not side.has_states
    assert all(question.line is None and question.in_corpus for question in side.questions)


def test_a_later_line_supersedes_an_earlier_one(tmp_path: Path) -> None:
    make_release(tmp_path)

    def dispute(rows: list[dict[str, Any]]) -> None:
        rows.append({**rows[0], "state": "retired", "reason": "errata: wrong date", "by": "a reader", "date": "2024-01-01"})

    change_lines(tmp_path / "qa" / "revisions.jsonl", dispute)
    line = read_side(tmp_path).questions[0].line
    assert line is not None
    assert (line.state, line.by) == (State.RETIRED, "a reader")


def drop(name: str) -> Callable[[Path], None]:
    return lambda folder: (folder / name).unlink()


def write(name: str, text: str) -> Callable[[Path], None]:
    def put(folder: Path) -> None:
        (folder / name).write_text(text)

    return put


def rows_of(name: str, change: Callable[[list[dict[str, Any]]], Any]) -> Callable[[Path], None]:
    return lambda folder: change_lines(folder / name, change)


def id_map(change: Callable[[dict[str, Any]], Any]) -> Callable[[Path], None]:
    def put(folder: Path) -> None:
        value = json.loads((folder / "id_map.json").read_text())
        change(value)
        (folder / "id_map.json").write_text(json.dumps(value))

    return put


REVISIONS, OUT = "qa/revisions.jsonl", "qa/versioned_out.jsonl"
FAULTS = [
    (drop("corpus/locomo_mock.json"), "corpus: holds no LoCoMo corpus"),
    (write("corpus/locomo_mock.json", "[]"), "holds no conversation"),
    (drop("edits.jsonl"), "edits.jsonl: cannot be read"),
    (drop("id_map.json"), "id_map.json: cannot be read"),
    (drop(REVISIONS), "revisions.jsonl: is missing, though the release has states"),
    (drop(OUT), "versioned_out.jsonl: is missing, though the release has states"),
    (write(REVISIONS, "prose\n"), "revisions.jsonl, line 1: is no JSON"),
    (write("manifest.json", "[]"), "manifest.json: is no JSON object"),
    (rows_of(REVISIONS, lambda rows: rows[3].update(state="lost")), "revisions.jsonl, line 4, state: Input should be"),
    (rows_of(REVISIONS, lambda rows: rows[3].update(extra=1)), "revisions.jsonl, line 4, extra: Extra inputs"),
    (rows_of(REVISIONS, lambda rows: rows[3].update(injected=["D1:999"])), "line 4: names the turn D1:999, which the corpus lacks"),
    (rows_of(REVISIONS, lambda rows: rows[3].update(sample_id="conv-9")), "line 4: names conv-9, which the corpus lacks"),
    (rows_of(OUT, lambda rows: rows[1]["item"].update(question="Another?")), "line 2: holds an item that is not the question"),
    (rows_of(OUT, lambda rows: rows[1]["item"].update(category=True)), "line 2: holds an item that is not the question"),
    (rows_of(OUT, lambda rows: rows[1]["item"].pop("evidence")), "line 2: holds an item that is not the question"),
    (rows_of("edits.jsonl", lambda rows: rows[0].update(sample_id="conv-9")), "edits.jsonl: name conv-9"),
    (rows_of("edits.jsonl", lambda rows: rows[0]["turns"][0].update(text="Else.")), "the corpus does not hold the turns"),
    (rows_of("edits.jsonl", lambda rows: rows.insert(0, rows[0])), "edits.jsonl: do not fit the corpus"),
    (id_map(lambda value: value.pop("mock-1")), "id_map.json: lacks mock-1"),
    (id_map(lambda value: value["mock-1"]["inserted"].append("D9")), "id_map.json, mock-1: 'D9' is no turn id"),
    (id_map(lambda value: value["mock-1"].pop("inserted")), "id_map.json, mock-1.inserted: Field required"),
]


@pytest.mark.parametrize(("breakage", "said"), FAULTS, ids=[said for _, said in FAULTS])
def test_a_broken_release_is_refused_in_one_line(tmp_path: Path, breakage: Callable[[Path], None], said: str) -> None:
    folder = make_release(tmp_path / "r")
    breakage(folder)
    with pytest.raises(TwistError) as refused:
        read_side(folder)
    assert said in str(refused.value)
    assert "\n" not in str(refused.value)
    assert int(refused.value.exit_code) == 2


def test_what_is_not_there_is_refused(tmp_path: Path) -> None:
    with pytest.raises(CorpusError, match="does not exist"):
        read_side(tmp_path / "nothing.json")
    (tmp_path / "corpus" / "workspace").mkdir(parents=True)
    with pytest.raises(ReleaseError, match="holds no LoCoMo corpus"):
        read_side(tmp_path)

"""The report: what differs, what an injection perturbed, and every number over a denominator that is named."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from perturbed_release import EDITS, FATES, make_release

from locomo_patch.diff.compare import compare, report
from locomo_patch.diff.models import Block, Change, DiffReport, Together
from locomo_patch.diff.sides import read_side
from locomo_patch.locate import mock_path
from locomo_patch.revalidation.states import State, leaves_corpus


def diff(old: Path, new: Path, *, show_all: bool = False) -> DiffReport:
    return report(compare(read_side(old), read_side(new), show_all=show_all))


@pytest.fixture(scope="module")
def release(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return make_release(tmp_path_factory.mktemp("release"))


def changed_corpus(path: Path, change: Any) -> Path:
    raw = json.loads(mock_path().read_bytes())
    change(raw)
    path.write_text(json.dumps(raw, indent=2))
    return path


def is_empty(found: DiffReport) -> bool:
    return (found.qa, found.outside_qa, found.states) == ([], [], []) and set(found.counts.model_dump().values()) == {0}


def test_a_corpus_and_itself_do_not_differ(release: Path, shared: Path) -> None:
    assert is_empty(diff(mock_path(), mock_path()))
    assert is_empty(diff(release, release))
    official = diff(shared / "data" / "locomo10.json", shared / "data" / "locomo10.json")
    assert is_empty(official)
    assert official.old.questions.model_dump() == {
        "all": 1986,
        "with_evidence": 1982,
        "answerable": 1540,
        "distinct_answerable": 1529,
    }


def test_the_fork_differs_in_28_questions_and_nowhere_else(shared: Path) -> None:
    found = diff(shared / "data" / "locomo10.json", shared / "data" / "locomo10_fork.json")
    assert found.counts.model_dump() == {"modified": 25, "removed": 2, "added": 1}
    assert (found.outside_qa, found.states, found.notes) == ([], [], [])
    assert [sum(row.change is change for row in found.qa) for change in Change] == [25, 2, 1]
    assert DiffReport.model_validate_json(found.model_dump_json()) == found


def test_a_release_and_its_source_show_the_perturbed_questions(release: Path) -> None:
    found = diff(mock_path(), release)
    assert found.counts.model_dump() == {"modified": 0, "removed": 0, "added": 0}
    assert [(group.together, len(group.questions)) for group in found.states] == [
        (Together.ALONE, 1),
        (Together.ALONE, 1),
        (Together.ALONE, 1),
        (Together.ALONE, 1),
        (Together.MIRROR, 3),
    ]
    rows = [row for group in found.states for row in group.questions]
    assert {(row.sample_id, row.index) for row in rows} == {(fate.sample_id, fate.index) for fate in FATES}
    age = next(row for row in rows if row.index == 21)
    assert (age.gold, age.old) == ("93", None)
    assert age.new is not None
    assert (age.new.state, age.new.new_gold, age.new.already_broken) == (State.REVISED, "94", True)
    assert age.new.reason == "contradicted: Tobias corrects her age"
    quote = age.new.injected[0]
    assert (quote.dia_id, quote.speaker, quote.session, quote.date) == ("D7:15", "Tobias", 7, "8:03 pm on 2 August, 2023")
    assert quote.text == "I had it wrong about Amalia, she is 94 and not 93."


def test_totals_and_denominators_are_over_all_of_the_sources_questions(release: Path) -> None:
    head = diff(mock_path(), release).new
    assert head.totals is not None
    assert head.still_valid is not None
    assert head.questions == diff(mock_path(), release).old.questions
    assert head.totals.by_state == {"valid": 50, "revised": 1, "retired": 5, "undecided": 1}
    assert sum(sum(states.values()) for states in head.totals.by_category.values()) == head.questions.all == 57
    assert sum(head.totals.by_kind.values()) == 7
    assert (head.totals.unknown, head.totals.already_broken, head.totals.already_broken_and_perturbed) == (0, 1, 1)
    assert head.still_valid.model_dump() == {"all": 50, "with_evidence": 48, "answerable": 41, "distinct_answerable": 41}


def test_what_the_edits_put_in_is_told_and_what_they_moved_is_not(release: Path) -> None:
    found = diff(mock_path(), release)
    assert {row.change for row in found.outside_qa} == {Change.ADDED}
    assert {row.edit for row in found.outside_qa} == {edit.id for edit in EDITS}
    turns = [row.new for row in found.outside_qa if row.block is Block.CONVERSATION]
    assert [turn["dia_id"] for turn in turns] == ["D7:15", "D7:16", "D9:1", "D9:2", "D9:3", "D9:4", "D3:6", "D3:7", "D5:8", "D5:9"]
    facts = [row.new for row in found.outside_qa if row.block is Block.OBSERVATION]
    assert ["Leila sings soprano now.", "D5:8"] in facts
    assert {row.block for row in found.outside_qa} == set(Block) - {Block.OTHER}
    assert {row.change for row in diff(release, mock_path()).outside_qa} == {Change.REMOVED}


def test_the_sides_may_come_in_either_order(release: Path) -> None:
    there, back = diff(mock_path(), release), diff(release, mock_path())
    assert [[row.question for row in group.questions] for group in there.states] == [
        [row.question for row in group.questions] for group in back.states
    ]
    assert [row.new for group in there.states for row in group.questions] == [
        row.old for group in back.states for row in group.questions
    ]


def test_two_releases_show_the_states_that_differ(release: Path, tmp_path: Path) -> None:
    other = make_release(tmp_path, edits=EDITS[:3], fates=FATES[:4])
    found = diff(release, other)
    rows = [row for group in found.states for row in group.questions]
    assert {(row.sample_id, row.index) for row in rows} == {(fate.sample_id, fate.index) for fate in FATES[4:]}
    assert all(row.old is not None and row.new is not None and row.new.state is State.VALID for row in rows)
    assert {(row.edit, row.change) for row in found.outside_qa} == {("s-mock-1-9", Change.REMOVED)}
    assert found.notes == []


def test_valid_questions_are_listed_only_when_asked_for(release: Path) -> None:
    rows = [row for group in diff(mock_path(), release, show_all=True).states for row in group.questions]
    assert len(rows) == 57
    assert sum(row.new is not None and row.new.state is State.VALID for row in rows) == 50


def test_a_release_without_states_says_so(tmp_path: Path) -> None:
    found = diff(mock_path(), make_release(tmp_path, fates=None))
    assert found.notes == ["NEW was not re-validated (it has no qa/): the states of its questions are unknown"]
    assert (found.states, found.new.totals, found.new.still_valid) == ([], None, None)
    assert found.new.inserted is not None
    assert found.new.inserted.model_dump() == {"exchanges": 3, "appended_sessions": 1, "turns": 10}


def test_a_state_that_is_missing_is_unknown_and_counted(tmp_path: Path) -> None:
    folder = make_release(tmp_path)
    lines = (folder / "qa" / "revisions.jsonl").read_text().splitlines(keepends=True)
    (folder / "qa" / "revisions.jsonl").write_text("".join(lines[:-2]))
    found = diff(mock_path(), folder)
    assert found.notes == ["NEW records no state for 2 of its questions"]
    assert found.new.totals is not None
    assert found.new.totals.unknown == 2


def test_a_release_of_another_file_says_so(release: Path, tmp_path: Path) -> None:
    other = changed_corpus(tmp_path / "c.json", lambda raw: raw[0]["qa"].pop(0))
    found = diff(other, release)
    assert found.notes == ["NEW was made from another corpus file than OLD"]
    assert found.counts.model_dump() == {"modified": 0, "removed": 0, "added": 1}


def test_a_released_file_read_without_its_map_joins_by_text(release: Path) -> None:
    found = diff(mock_path(), release / "corpus" / "locomo_mock.json")
    assert found.counts.removed == sum(leaves_corpus(fate.state) for fate in FATES)
    assert {tuple(row.fields) for row in found.qa if row.change is Change.MODIFIED} == {("evidence",)}
    turns = [row for row in found.outside_qa if row.block is Block.CONVERSATION and row.change is Change.ADDED]
    assert len(turns) == 7, "six inserted turns and one session"


def test_every_block_is_compared(tmp_path: Path) -> None:
    def change(raw: list[dict[str, Any]]) -> None:
        talk = raw[0]
        talk["conversation"]["session_2"][3]["text"] += " Indeed."
        talk["event_summary"]["events_session_1"][talk["conversation"]["speaker_a"]].append("Something more.")
        talk["observation"]["session_1_observation"][talk["conversation"]["speaker_a"]][0][0] += " So it was."
        talk["session_summary"]["session_3_summary"] += " The end."
        talk["note"] = "ours"
        del raw[1]["conversation"]["session_1"][0]["text"]
        raw[1]["conversation"]["session_1"][0]["text"] = "Hello."

    found = diff(mock_path(), changed_corpus(tmp_path / "c.json", change))
    assert found.counts.model_dump() == {"modified": 0, "removed": 0, "added": 0}
    assert [(row.sample_id, row.block.value, row.change.value) for row in found.outside_qa] == [
        ("mock-1", "conversation", "modified"),
        ("mock-1", "event_summary", "added"),
        ("mock-1", "observation", "modified"),
        ("mock-1", "session_summary", "modified"),
        ("mock-1", "other", "added"),
        ("mock-2", "conversation", "modified"),
    ]


def test_a_whole_conversation_that_is_missing_is_one_row_and_its_questions(tmp_path: Path) -> None:
    found = diff(mock_path(), changed_corpus(tmp_path / "c.json", lambda raw: raw.pop(0)))
    assert [(row.sample_id, row.change) for row in found.outside_qa] == [("mock-1", Change.REMOVED)]
    assert found.counts.removed == 28


def test_the_two_shapes_of_one_corpus_do_not_differ(tmp_path: Path) -> None:
    raw = json.loads(mock_path().read_bytes())
    for number, talk in enumerate(raw, start=1):
        talk["sample_id"] = f"conv-{number}"
        parts = ("conversation", "event_summary", "observation", "session_summary")
        flat = {"qa": talk["qa"], **{key: value for part in parts for key, value in talk[part].items()}}
        (tmp_path / "flat").mkdir(exist_ok=True)
        (tmp_path / "flat" / f"{number}.json").write_text(json.dumps(flat))
    (tmp_path / "list.json").write_text(json.dumps(raw))
    assert is_empty(diff(tmp_path / "flat", tmp_path / "list.json"))

"""`apply_edits` and `remove_edits`: inverse to each other, and what holds in between (DESIGN.md rules 1 and 2)."""

from __future__ import annotations

import copy
import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from tiny_corpus import SPEAKERS, Raw, appended, document_of, edited, exchange, flatten, raw_conversation

from locomo_patch.apply import AnyEdit, apply_edits, released_position, remove_edits
from locomo_patch.dates import format_date, format_day
from locomo_patch.document import Document, Shape
from locomo_patch.edits import AppendSession, InsertExchange, NewTurn, ObservationRow, SummarySentence
from locomo_patch.evidence import is_well_formed, resolve
from locomo_patch.id_map import ConversationIds
from locomo_patch.reader import LoadedCorpus, read_corpus, type_corpus

ROUNDS = settings(max_examples=120, deadline=None)


def texts_of(document: Document, sample_id: str) -> dict[str, str]:
    conversation = document.blocks(sample_id).conversation
    return {
        turn["dia_id"]: turn["text"]
        for key, turns in conversation.items()
        if key.startswith("session_") and isinstance(turns, list)
        for turn in turns
    }


def row_texts(row: list[Any], texts: dict[str, str]) -> tuple[str, type, list[str]]:
    """An observation row with the texts that its reference, of whichever form, points to."""
    fact, reference = row
    joined = ", ".join(reference) if isinstance(reference, list) else reference
    return fact, type(reference), [texts[dia_id] for dia_id in resolve(joined, texts)[0]]


def assert_map_holds(source: Document, released: Document, sample_id: str, ids: ConversationIds, edits: Sequence[AnyEdit]) -> None:
    """Each old id's text stands under its new id, the map is a bijection on what is not inserted, the rest is the new turns."""
    old, new = texts_of(source, sample_id), texts_of(released, sample_id)
    assert set(ids.old_to_new) == set(old)
    assert {dia_id: new[ids.old_to_new[dia_id]] for dia_id in old} == old
    targets = list(ids.old_to_new.values())
    assert len(set(targets)) == len(targets)
    assert not set(targets) & set(ids.inserted)
    assert set(targets) | set(ids.inserted) == set(new)
    mine = [edit for edit in edits if edit.sample_id == sample_id]
    assert len(ids.inserted) == sum(len(edit.turns) for edit in mine)
    assert sorted(new[dia_id] for dia_id in ids.inserted) == sorted(turn.text for edit in mine for turn in edit.turns)


@given(edited())
@ROUNDS
def test_taking_edits_out_gives_the_source_again_byte_for_byte(case: tuple[Raw, list[AnyEdit]]) -> None:
    raw, edits = case
    source = document_of(raw)
    before = copy.deepcopy(source.objects)
    released, _ = apply_edits(source, edits)
    assert source.objects == before, "the source is never touched"
    kept = copy.deepcopy(released.objects)
    assert remove_edits(released, edits).dump() == source.dump()
    assert released.objects == kept, "neither is the release"


@given(edited())
@ROUNDS
def test_a_release_keeps_the_shape_that_readers_rely_on(case: tuple[Raw, list[AnyEdit]]) -> None:
    raw, edits = case
    source = document_of(raw)
    released, id_map = apply_edits(source, edits)
    # The reader asserts contiguous ids, alternation, speakers and rising dates.
    corpus = type_corpus(released, "unknown", "", Path("released.json"))
    assert_map_holds(source, released, "conv-1", id_map["conv-1"], edits)
    conversation = corpus.conversation("conv-1")
    blocks = released.blocks("conv-1")
    for session in conversation.sessions:
        assert {f"events_session_{session.number}"} <= set(blocks.events)
        assert isinstance(blocks.summary[f"session_{session.number}_summary"], str)
        assert set(blocks.observation[f"session_{session.number}_observation"]) == set(SPEAKERS)
    assert [key.split("_")[1] for key in list(blocks.conversation)[2:]] == sorted(
        (key.split("_")[1] for key in list(blocks.conversation)[2:]), key=int
    )


@given(edited())
@ROUNDS
def test_every_reference_points_to_the_text_that_it_pointed_to(case: tuple[Raw, list[AnyEdit]]) -> None:
    raw, edits = case
    source = document_of(raw)
    released, _ = apply_edits(source, edits)
    old, new = texts_of(source, "conv-1"), texts_of(released, "conv-1")
    for before, after in zip(source.objects[0]["qa"], released.objects[0]["qa"], strict=True):
        assert len(before["evidence"]) == len(after["evidence"])
        for first, second in zip(before["evidence"], after["evidence"], strict=True):
            (resolved, dangling), (moved, still) = resolve(first, old), resolve(second, new)
            assert [old[dia_id] for dia_id in resolved] == [new[dia_id] for dia_id in moved]
            assert len(dangling) == len(still)
            assert (first in old) == (second in new), "by exact membership, as the official scorer matches"
            assert is_well_formed(first) == is_well_formed(second)
    for key, speakers in source.objects[0]["observation"].items():
        for name, rows in speakers.items():
            after = [row_texts(row, new) for row in released.objects[0]["observation"][key][name]]
            kept = [row for row in after if not any(text.startswith("New") for text in row[2])]
            assert kept == [row_texts(row, old) for row in rows], "source rows keep their order, form and text"


@given(edited())
@ROUNDS
def test_new_observations_quote_new_turns_and_stand_in_turn_order(case: tuple[Raw, list[AnyEdit]]) -> None:
    raw, edits = case
    released, id_map = apply_edits(document_of(raw), edits)
    new = texts_of(released, "conv-1")
    for edit in edits:
        if not isinstance(edit, InsertExchange):
            continue
        for row in edit.observations:
            dia_id = f"D{edit.session}:{released_position(edit, edits, row.turn)}"
            assert new[dia_id] == edit.turns[row.turn].text
            assert dia_id in id_map["conv-1"].inserted
            rows = released.blocks("conv-1").observation[f"session_{edit.session}_observation"][row.speaker]
            plain = [
                int(reference.split(":")[1]) for fact, reference in rows if isinstance(reference, str) and "," not in reference
            ]
            assert [row.fact, dia_id] in rows
            assert plain == sorted(plain)


def test_sentences_at_one_offset_stand_in_the_order_of_their_exchanges() -> None:
    raw = raw_conversation(lengths=(6, 5), summaries=["They met. And then she", "Fine."])
    edits = [
        exchange(1, 5, summary=SummarySentence(text=" Third.", at=9)),
        exchange(1, 1, summary=SummarySentence(text=" First.", at=9)),
        exchange(1, 3, summary=SummarySentence(text=" Second.", at=9)),
        exchange(2, 1, summary=SummarySentence(text="Start. ", at=0)),
        exchange(2, 3, summary=SummarySentence(text=" End.", at=5)),
    ]
    source = document_of(raw)
    released, _ = apply_edits(source, edits)
    assert released.blocks("conv-1").summary["session_1_summary"] == "They met. First. Second. Third. And then she"
    assert released.blocks("conv-1").summary["session_2_summary"] == "Start. Fine. End."
    assert remove_edits(released, edits).dump() == source.dump()


@pytest.mark.parametrize(("turn", "grown"), [("D1:05", "D1:010"), ("D1:5", "D1:10"), ("D1:4", "D1:9")])
def test_a_leading_zero_stays_dangling_when_numbers_reach_ten(turn: str, grown: str) -> None:
    source = document_of(raw_conversation(lengths=(6, 2), references=[[turn]]))
    edits = [exchange(1, 1, size=4), exchange(1, 3, size=2)]
    by = {"D1:4": "D1:10", "D1:5": "D1:11", "D1:05": "D1:011"}
    released, _ = apply_edits(source, edits)
    (reference,) = released.objects[0]["qa"][1]["evidence"]
    assert reference == by[turn] != grown
    assert (reference in texts_of(released, "conv-1")) == (turn in texts_of(source, "conv-1"))
    assert remove_edits(released, edits).objects[0]["qa"][1]["evidence"] == [turn]


def test_a_reference_beyond_a_session_moves_with_its_growth() -> None:
    source = document_of(raw_conversation(lengths=(6, 5), references=[["D1:7"], ["D1:36"], ["D2:6"]]))
    edits = [exchange(1, 6, size=4), exchange(2, 2)]
    released, _ = apply_edits(source, edits)
    moved = [item["evidence"] for item in released.objects[0]["qa"][1:]]
    assert moved == [["D1:11"], ["D1:40"], ["D2:8"]]
    assert not any(reference in texts_of(released, "conv-1") for (reference,) in moved)


def test_a_reference_to_a_session_that_an_append_creates_still_dangles() -> None:
    source = document_of(raw_conversation(lengths=(6, 5), references=[["D3:1", "D3:6", "D4:1"]]))
    released, _ = apply_edits(source, [appended(3)])
    evidence = released.objects[0]["qa"][1]["evidence"]
    assert evidence == ["D3:7", "D3:12", "D4:1"]
    assert not set(evidence) & set(texts_of(released, "conv-1"))
    assert remove_edits(released, [appended(3)]).dump() == source.dump()


def test_a_dangling_date_is_taken_up_where_it_stands() -> None:
    source = document_of(raw_conversation(lengths=(4, 4), dangling=3))
    edits = [appended(3, dangling=True), appended(4, dangling=True)]
    released, _ = apply_edits(source, edits)
    keys = list(released.blocks("conv-1").conversation)[2:]
    assert keys == [
        "session_1_date_time",
        "session_1",
        "session_2_date_time",
        "session_2",
        "session_3_date_time",
        "session_3",
        "session_4_date_time",
        "session_4",
        "session_5_date_time",
    ]
    assert remove_edits(released, edits).dump() == source.dump()


def test_edits_of_one_conversation_leave_the_others_alone() -> None:
    source = document_of(raw_conversation("conv-1"), raw_conversation("conv-2"))
    edits: list[AnyEdit] = [exchange(1, 2, sample_id="conv-2"), appended(3, sample_id="conv-2")]
    released, id_map = apply_edits(source, edits)
    assert released.objects[0] == source.objects[0]
    assert released.objects[1] != source.objects[1]
    assert id_map["conv-1"].inserted == []
    assert all(old == new for old, new in id_map["conv-1"].old_to_new.items())


@given(edited())
@settings(max_examples=40, deadline=None)
def test_edits_do_the_same_to_the_flat_shape(case: tuple[Raw, list[AnyEdit]]) -> None:
    raw, edits = case
    listed, _ = apply_edits(document_of(raw), edits)
    flat = document_of(raw)
    flat = Document(Shape.FLAT, flat.files, flat.sample_ids, (flatten(raw),))
    released, id_map = apply_edits(flat, edits)
    assert released.objects[0] == flatten(listed.objects[0])
    assert id_map["conv-1"].inserted == apply_edits(document_of(raw), edits)[1]["conv-1"].inserted
    assert json.dumps(remove_edits(released, edits).objects[0]) == json.dumps(flatten(raw))


def mock_edits(loaded: LoadedCorpus, sample_id: str, seed: int) -> list[AnyEdit]:
    """Exchanges at several seams of every session, and an appended session that agrees with a dangling date where there is one."""
    conversation = loaded.corpus.conversation(sample_id)
    edits: list[AnyEdit] = []
    for session in conversation.sessions:
        for after in sorted({1 + seed % len(session.turns), len(session.turns)}):
            first = conversation.partner_of(session.turns[after - 1].speaker)
            pair = [
                NewTurn(speaker=first, text=f"New {session.number}.{after}."),
                NewTurn(speaker=conversation.partner_of(first), text="Oh!"),
            ]
            summary = SummarySentence(text=" One more.", at=0)
            row = ObservationRow(speaker=first, fact="New.", turn=0)
            edits.append(
                InsertExchange(
                    id=f"{session.number}-{after}",
                    items=[],
                    sample_id=sample_id,
                    session=session.number,
                    after=after,
                    seam="end",
                    turns=pair,
                    observations=[row],
                    summary=summary,
                )
            )
    number = len(conversation.sessions) + 1
    held = conversation.dangling[0] if conversation.dangling else None
    date = held.date if held else conversation.sessions[-1].date.replace(year=conversation.sessions[-1].date.year + 1)
    turns = [NewTurn(speaker=conversation.speakers[place % 2], text=f"Late {place}.") for place in range(4)]
    edits.append(
        AppendSession(
            id="late",
            items=[],
            sample_id=sample_id,
            session=number,
            date_text=held.date_text if held else format_date(date),
            dangling=held is not None,
            event_date=format_day(date),
            turns=turns,
            events={name: [] for name in conversation.speakers},
            observations=[],
            summary="Late.",
        )
    )
    return edits


@given(st.integers(0, 19))
@settings(max_examples=20, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_the_mock_corpus_comes_back_byte_for_byte(mock: LoadedCorpus, seed: int) -> None:
    edits = [edit for conversation in mock.corpus.conversations for edit in mock_edits(mock, conversation.sample_id, seed)]
    released, id_map = apply_edits(mock.document, edits)
    type_corpus(released, "mock", "", mock.path)
    for sample_id, ids in id_map.items():
        assert_map_holds(mock.document, released, sample_id, ids, edits)
    assert remove_edits(released, edits).dump() == mock.document.dump()


@pytest.mark.slow
def test_the_real_file_comes_back_byte_for_byte(real: LoadedCorpus, shared: object) -> None:
    fork = read_corpus(real.path.with_name("locomo10_fork.json"))
    for loaded in (real, fork):
        edits = [edit for conversation in loaded.corpus.conversations for edit in mock_edits(loaded, conversation.sample_id, 4)]
        released, id_map = apply_edits(loaded.document, edits)
        corpus = type_corpus(released, "official", "", loaded.path)
        assert sum(1 for _ in corpus.turns()) == 5882 + sum(len(edit.turns) for edit in edits)
        for sample_id, ids in id_map.items():
            assert_map_holds(loaded.document, released, sample_id, ids, edits)
        assert remove_edits(released, edits).dump() == loaded.document.dump()


def test_what_dangled_in_the_real_file_still_dangles(real: LoadedCorpus) -> None:
    edits = [edit for conversation in real.corpus.conversations for edit in mock_edits(real, conversation.sample_id, 4)]
    released, _ = apply_edits(real.document, edits)
    dangling = 0
    for before, after in zip(real.document.objects, released.objects, strict=True):
        old, new = texts_of(real.document, before["sample_id"]), texts_of(released, before["sample_id"])
        for item, moved in zip(before["qa"], after["qa"], strict=True):
            pairs = list(zip(item["evidence"], moved["evidence"], strict=True))
            assert [first in old for first, _ in pairs] == [second in new for _, second in pairs]
            dangling += sum(first not in old for first, _ in pairs)
            assert {key: value for key, value in item.items() if key != "evidence"} == {
                key: value for key, value in moved.items() if key != "evidence"
            }
    assert dangling == 9

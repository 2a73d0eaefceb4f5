"""Derived blocks: what upstream has beside the conversation, irregular references included (LOCOMO.md section 8)."""

from __future__ import annotations

from collections import Counter
from typing import Any

from tiny_corpus import document_of, exchange, raw_conversation

from locomo_patch.apply import apply_edits, remove_edits
from locomo_patch.evidence import parse_references
from locomo_patch.reader import LoadedCorpus


def observation_rows(loaded: LoadedCorpus) -> list[tuple[str, int, str, list[Any]]]:
    return [
        (sample_id, int(key.split("_")[1]), name, row)
        for sample_id in loaded.document.sample_ids
        for key, speakers in loaded.document.blocks(sample_id).observation.items()
        for name, rows in speakers.items()
        for row in rows
    ]


def test_all_three_blocks_exist_for_exactly_the_sessions_with_turns(real: LoadedCorpus, mock: LoadedCorpus) -> None:
    for loaded in (real, mock):
        for conversation in loaded.corpus.conversations:
            blocks = loaded.document.blocks(conversation.sample_id)
            numbers = [session.number for session in conversation.sessions]
            assert sorted(blocks.events, key=lambda key: int(key.split("_")[-1])) == [
                f"events_session_{number}" for number in numbers
            ]
            assert set(blocks.observation) == {f"session_{number}_observation" for number in numbers}
            assert set(blocks.summary) == {f"session_{number}_summary" for number in numbers}


def test_events_are_669_in_272_with_empty_lists(real: LoadedCorpus) -> None:
    blocks = [(c, real.document.blocks(c.sample_id).events) for c in real.corpus.conversations]
    lists = [events[name] for c, block in blocks for events in block.values() for name in c.speakers]
    assert sum(map(len, lists)) == 669
    assert sum(not listed for listed in lists) == 81
    both = [
        (c.sample_id, key) for c, block in blocks for key, events in block.items() if not any(events[name] for name in c.speakers)
    ]
    assert both == [("conv-30", "events_session_7"), ("conv-30", "events_session_9")]
    assert all(set(events) == {*c.speakers, "date"} for c, block in blocks for events in block.values())


def test_observation_references_have_four_forms(real: LoadedCorpus) -> None:
    rows = observation_rows(real)
    assert len(rows) == 2541
    lists = Counter((sample_id, number) for sample_id, number, _, (_, reference) in rows if isinstance(reference, list))
    assert lists == {
        ("conv-30", 15): 1,
        ("conv-43", 8): 1,
        ("conv-43", 21): 1,
        ("conv-44", 27): 3,
        ("conv-47", 3): 2,
        ("conv-48", 4): 2,
    }
    joined = Counter(
        (sample_id, number) for sample_id, number, _, (_, reference) in rows if isinstance(reference, str) and "," in reference
    )
    assert joined == {("conv-48", 22): 2, ("conv-49", 4): 1, ("conv-44", 26): 1, ("conv-50", 12): 1}
    assert sum(isinstance(reference, str) for *_, (_, reference) in rows) == 2531


def test_observations_never_point_to_another_session(real: LoadedCorpus) -> None:
    for sample_id, number, _, (_, reference) in observation_rows(real):
        found = parse_references(" ".join(reference) if isinstance(reference, list) else reference)
        assert found and {part.session for part in found} == {number}, (sample_id, reference)


def test_some_observations_are_said_by_the_other_person(real: LoadedCorpus) -> None:
    crossed = 0
    for sample_id, _, name, (_, reference) in observation_rows(real):
        parts = parse_references(" ".join(reference) if isinstance(reference, list) else reference)
        speakers = {real.corpus.conversation(sample_id).turn(part.dia_id).speaker for part in parts}
        crossed += name not in speakers
    assert crossed == 63


def test_name_order_and_the_one_empty_list(real: LoadedCorpus) -> None:
    order: Counter[bool] = Counter()
    empty = []
    for conversation in real.corpus.conversations:
        for key, speakers in real.document.blocks(conversation.sample_id).observation.items():
            assert set(speakers) == set(conversation.speakers)
            order[next(iter(speakers)) == conversation.speaker_a] += 1
            empty += [(conversation.sample_id, key, name) for name, rows in speakers.items() if not rows]
    assert order == {True: 147, False: 125}
    assert empty == [("conv-48", "session_6_observation", "Jolene")]


def test_three_summaries_end_in_mid_sentence(real: LoadedCorpus) -> None:
    cut = [
        (sample_id, key)
        for sample_id in real.document.sample_ids
        for key, text in real.document.blocks(sample_id).summary.items()
        if not text.rstrip().endswith((".", "!", "?", '"', "'"))
    ]
    assert cut == [("conv-26", f"session_{number}_summary") for number in (8, 10, 14)]
    texts = [text for sample_id in real.document.sample_ids for text in real.document.blocks(sample_id).summary.values()]
    assert (len(texts), sum(text.count("\n") for text in texts), sum(text != text.strip() for text in texts)) == (272, 5, 2)


def test_irregular_references_move_with_their_turns_and_keep_their_form() -> None:
    source = document_of(raw_conversation(lengths=(6, 5)))
    edits = [exchange(1, 1), exchange(1, 4)]
    released, _ = apply_edits(source, edits)
    rows = released.blocks("conv-1").observation["session_1_observation"]
    assert rows["Ann"][-1] == ["Two turns.", ["D1:1", "D1:10"]]
    assert rows["Bob"][-1] == ["Joined.", "D1:4, D1:10"]
    assert list(rows) == ["Bob", "Ann"], "name order stays"
    assert remove_edits(released, edits).dump() == source.dump()

"""Rule 1, the source is never touched: `inject.check.source` and `inject.check.references`."""

from __future__ import annotations

from typing import Any

import pytest
from release_copy import Copy

from inject.check import Rule

Corpus = list[dict[str, Any]]


def _exchange(release: Copy) -> dict[str, Any]:
    """An exchange that has source turns after it, so that ids moved."""
    return next(row for row in release.rows("edits.jsonl") if row["kind"] == "insert_exchange" and row["seam"] != "end")


def _conversation(corpus: Corpus, sample_id: str) -> dict[str, Any]:
    return next(raw for raw in corpus if raw["sample_id"] == sample_id)


def test_white_space_in_an_original_turn_is_found(release: Copy) -> None:
    def change(corpus: Corpus) -> None:
        corpus[0]["conversation"]["session_1"][2]["text"] += " "

    release.change_corpus(change)
    release.assert_names(Rule.SOURCE, "with the edits taken out has sha256", where="corpus/")


def test_an_int_answer_made_a_string_is_found(release: Copy) -> None:
    def change(corpus: Corpus) -> None:
        item = next(item for raw in corpus for item in raw["qa"] if isinstance(item.get("answer"), int))
        item["answer"] = str(item["answer"])

    release.change_corpus(change)
    release.assert_names(Rule.SOURCE, "with the edits taken out has sha256")


def test_a_question_left_out_is_found(release: Copy) -> None:
    release.change_corpus(lambda corpus: corpus[0]["qa"].pop())
    release.assert_names(Rule.SOURCE, "with the edits taken out has sha256")


def test_the_order_of_keys_is_part_of_the_source(release: Copy) -> None:
    def change(corpus: Corpus) -> None:
        item = corpus[0]["qa"][0]
        corpus[0]["qa"][0] = dict(reversed(item.items()))

    release.change_corpus(change)
    release.assert_names(Rule.SOURCE, "with the edits taken out has sha256")


def test_another_layout_of_the_same_content_is_found(release: Copy) -> None:
    data = (release.folder / release.corpus_name).read_bytes()
    release.put(release.corpus_name, data.replace(b'": "', b'":  "', 1))
    release.assert_names(Rule.SOURCE, "is laid out as no writer does it")


def test_an_inserted_turn_that_differs_from_its_edit_is_found(release: Copy) -> None:
    edit = _exchange(release)

    def change(corpus: Corpus) -> None:
        turns = _conversation(corpus, edit["sample_id"])["conversation"][f"session_{edit['session']}"]
        next(turn for turn in turns if turn["text"] == edit["turns"][1]["text"])["text"] += " Indeed."

    release.change_corpus(change)
    release.assert_names(Rule.SOURCE, "does not hold the turns that edits.jsonl says were added", where=edit["sample_id"])


def test_an_observation_that_an_edit_added_and_the_corpus_lacks_is_found(release: Copy) -> None:
    edit = _exchange(release)
    row = edit["observations"][0]

    def change(corpus: Corpus) -> None:
        block = _conversation(corpus, edit["sample_id"])["observation"][f"session_{edit['session']}_observation"]
        block[row["speaker"]] = [held for held in block[row["speaker"]] if held[0] != row["fact"]]

    release.change_corpus(change)
    release.assert_names(Rule.SOURCE, "the added observation is missing", where=edit["sample_id"])


def test_an_original_observation_left_out_is_found(release: Copy) -> None:
    release.change_corpus(lambda corpus: next(iter(corpus[0]["observation"]["session_1_observation"].values())).pop(0))
    release.assert_names(Rule.SOURCE, "with the edits taken out has sha256")


def test_a_summary_without_its_added_sentence_is_found(release: Copy) -> None:
    edit = _exchange(release)

    def change(corpus: Corpus) -> None:
        block = _conversation(corpus, edit["sample_id"])["session_summary"]
        name = f"session_{edit['session']}_summary"
        block[name] = block[name].replace(edit["summary"]["text"], "")

    release.change_corpus(change)
    release.assert_names(Rule.SOURCE, "the summary does not hold the added sentence")


def test_a_question_that_cites_an_inserted_turn_is_named(release: Copy) -> None:
    edit = _exchange(release)

    def change(corpus: Corpus) -> None:
        raw = _conversation(corpus, edit["sample_id"])
        turns = raw["conversation"][f"session_{edit['session']}"]
        inserted = next(turn["dia_id"] for turn in turns if turn["text"] == edit["turns"][0]["text"])
        raw["qa"][0]["evidence"] = [inserted]

    release.change_corpus(change)
    release.assert_names(Rule.SOURCE, "points at an inserted turn", where=f"{edit['sample_id']} qa 0")


def test_evidence_of_another_text_is_found(release: Copy) -> None:
    def change(corpus: Corpus) -> None:
        item = next(item for item in corpus[0]["qa"] if item["evidence"] == ["D1:4"])
        item["evidence"] = ["D1:3"]

    release.change_corpus(change)
    release.assert_names(Rule.SOURCE, "with the edits taken out has sha256")


def test_a_dangling_reference_that_resolves_is_found(release: Copy) -> None:
    def change(corpus: Corpus) -> None:
        item = next(item for item in corpus[0]["qa"] if "D4:36" in item["evidence"])
        item["evidence"][item["evidence"].index("D4:36")] = "D4:6"

    release.change_corpus(change)
    release.assert_names(Rule.SOURCE, "with the edits taken out has sha256")


def test_a_dangling_reference_that_the_growth_of_its_session_reaches_is_named(release: Copy) -> None:
    """Sessions grow; the map must move what dangles, and what does not move is caught on its own account."""
    edit = _exchange(release)

    def change(corpus: Corpus) -> None:
        raw = _conversation(corpus, edit["sample_id"])
        raw["conversation"][f"session_{edit['session']}"] += [
            {"speaker": raw["conversation"]["speaker_a"], "dia_id": "D0:0", "text": "Hm."} for _ in range(40)
        ]

    release.change_corpus(change)
    release.assert_names(Rule.HIDDEN, "speaks twice running", where=f"session_{edit['session']}")


def test_a_malformed_string_that_is_mended_is_found(release: Copy) -> None:
    def change(corpus: Corpus) -> None:
        item = next(item for item in corpus[0]["qa"] if item["evidence"] == ["D:3:8"])
        item["evidence"] = ["D3:8"]

    release.change_corpus(change)
    release.assert_names(Rule.SOURCE, "with the edits taken out has sha256")


def test_two_source_turns_with_one_released_id_are_named(release: Copy) -> None:
    def change(value: dict[str, Any]) -> None:
        ids = next(iter(value.values()))["old_to_new"]
        ids["D1:2"] = ids["D1:3"]

    release.change_id_map(change)
    release.assert_names(Rule.SOURCE, "is given twice, so the map is no bijection", where="D1:3")
    release.assert_names(Rule.SOURCE, "goes to D1:3, which is another turn", where="D1:2")


def test_swapped_ids_are_named(release: Copy) -> None:
    def change(value: dict[str, Any]) -> None:
        ids = next(iter(value.values()))["old_to_new"]
        ids["D2:1"], ids["D2:2"] = ids["D2:2"], ids["D2:1"]

    release.change_id_map(change)
    release.assert_names(Rule.SOURCE, "goes to D2:2, the edits move it to D2:1", where="D2:1")


def test_an_inserted_turn_that_the_map_hides_is_named(release: Copy) -> None:
    edit = _exchange(release)
    release.change_id_map(lambda value: value[edit["sample_id"]]["inserted"].pop(0))
    release.assert_names(Rule.SOURCE, "differs from what the edits insert", where=edit["sample_id"])


def test_a_conversation_that_the_map_lacks_is_named(release: Copy) -> None:
    release.change_id_map(lambda value: value.pop("mock-1"))
    release.assert_names(Rule.SOURCE, "is missing", where="id_map.json, mock-1")


def test_an_edit_left_out_is_found(release: Copy) -> None:
    edit = _exchange(release)
    release.change_rows("edits.jsonl", lambda rows: rows.remove(edit))
    release.assert_names(Rule.SOURCE, "with the edits taken out has sha256")


def test_an_edit_for_a_conversation_that_is_not_there_is_found(release: Copy) -> None:
    release.change_rows("edits.jsonl", lambda rows: rows.append({**_exchange(release), "sample_id": "conv-0"}))
    release.assert_names(Rule.SOURCE, "is a conversation that the corpus lacks", where="edits.jsonl, conv-0")


@pytest.mark.parametrize("block", ["event_summary", "observation", "session_summary", "conversation"])
def test_a_block_left_out_ends_in_a_line_and_not_in_an_exception(release: Copy, block: str) -> None:
    release.change_corpus(lambda corpus: corpus[0].pop(block))
    assert release.broken()


@pytest.mark.parametrize("value", [None, 3, "text", [], {}])
@pytest.mark.parametrize("block", ["event_summary", "observation", "session_summary", "conversation", "qa"])
def test_a_block_of_another_type_ends_in_a_line_and_not_in_an_exception(release: Copy, block: str, value: Any) -> None:
    release.change_corpus(lambda corpus: corpus[0].update({block: value}))
    assert release.broken()


@pytest.mark.parametrize("value", [None, [None], 3, "text", {}])
@pytest.mark.parametrize(
    "path", [("qa", 2), ("conversation", "session_1", 3), ("observation", "session_1_observation", "Ingrid", 0)]
)
def test_an_entry_of_another_type_ends_in_a_line_and_not_in_an_exception(release: Copy, path: tuple[Any, ...], value: Any) -> None:
    def change(corpus: Corpus) -> None:
        target: Any = corpus[0]
        for step in path[:-1]:
            target = target[step]
        target[path[-1]] = value

    release.change_corpus(change)
    assert release.broken()

"""Rule 2, injection does not show: `inject.check.shape` and `inject.check.marks`."""

from __future__ import annotations

from datetime import datetime
from typing import Any

import pytest
from release_copy import Copy

from inject.check import Rule
from inject.check.shape import read_date

Corpus = list[dict[str, Any]]


def _appended(release: Copy) -> dict[str, Any]:
    return next(row for row in release.rows("edits.jsonl") if row["kind"] == "append_session")


def test_two_turns_running_are_named(release: Copy) -> None:
    def change(corpus: Corpus) -> None:
        turns = corpus[0]["conversation"]["session_3"]
        turns[4]["speaker"] = turns[3]["speaker"]

    release.change_corpus(change)
    release.assert_names(Rule.HIDDEN, "speaks twice running", where="mock-1 session_3 turn 5")


def test_a_third_speaker_is_named(release: Copy) -> None:
    release.change_corpus(lambda corpus: corpus[0]["conversation"]["session_3"][4].update(speaker="Nobody"))
    release.assert_names(Rule.HIDDEN, "is spoken by a third speaker, Nobody", where="session_3 turn 5")


def test_an_id_out_of_place_is_named(release: Copy) -> None:
    def change(corpus: Corpus) -> None:
        turns = corpus[1]["conversation"]["session_2"]
        turns[0]["dia_id"], turns[1]["dia_id"] = turns[1]["dia_id"], turns[0]["dia_id"]

    release.change_corpus(change)
    release.assert_names(Rule.HIDDEN, "has the id D2:2, D2:1 was expected", where="mock-2 session_2 turn 1")


def test_a_session_without_a_date_is_named(release: Copy) -> None:
    release.change_corpus(lambda corpus: corpus[0]["conversation"].pop("session_2_date_time"))
    release.assert_names(Rule.HIDDEN, "has no date", where="mock-1 session_2")


@pytest.mark.parametrize("text", ["27 February 2023", "09:47 am on 27 February, 2023", "9:47 AM on 27 February, 2023", 5])
def test_a_date_of_another_form_is_named(release: Copy, text: Any) -> None:
    release.change_corpus(lambda corpus: corpus[0]["conversation"].update(session_2_date_time=text))
    release.assert_names(Rule.HIDDEN, "is not of the official form", where="mock-1 session_2_date_time")


def test_a_date_that_moved_is_found_by_its_event_summary_and_by_the_hash(release: Copy) -> None:
    release.change_corpus(lambda corpus: corpus[0]["conversation"].update(session_2_date_time="9:47 am on 28 February, 2023"))
    release.assert_names(Rule.TIME, "says 27 February, 2023", where="mock-1 events_session_2")
    release.assert_names(Rule.SOURCE, "with the edits taken out has sha256")


def test_a_date_before_the_session_before_is_named(release: Copy) -> None:
    release.change_corpus(lambda corpus: corpus[0]["conversation"].update(session_2_date_time="9:47 am on 27 January, 2023"))
    release.assert_names(Rule.HIDDEN, "is not after that of session 1", where="session_2_date_time")


@pytest.mark.parametrize(
    ("block", "name", "said"),
    [
        ("event_summary", "events_session_{n}", "no event summary"),
        ("observation", "session_{n}_observation", "no observations"),
        ("session_summary", "session_{n}_summary", "no summary"),
    ],
)
def test_an_appended_session_without_a_derived_block_is_named(release: Copy, block: str, name: str, said: str) -> None:
    session = _appended(release)["session"]
    release.change_corpus(lambda corpus: corpus[0][block].pop(name.format(n=session)))
    release.assert_names(Rule.HIDDEN, said, where=f"mock-1 session_{session}")


def test_a_derived_block_without_turns_is_named(release: Copy) -> None:
    release.change_corpus(lambda corpus: corpus[0]["session_summary"].update(session_40_summary="They talked."))
    release.assert_names(Rule.HIDDEN, "has summary and no turns", where="session_40")


def test_a_session_that_is_not_the_next_one_is_named(release: Copy) -> None:
    def change(corpus: Corpus) -> None:
        talk = corpus[0]["conversation"]
        talk["session_40"], talk["session_40_date_time"] = talk["session_1"], "9:00 am on 1 January, 2025"

    release.change_corpus(change)
    release.assert_names(Rule.HIDDEN, "do not run from 1 without a gap")


def test_more_than_three_appended_sessions_are_named(release: Copy) -> None:
    def change(rows: list[dict[str, Any]]) -> None:
        mine = [row for row in rows if row["kind"] == "append_session" and row["sample_id"] == "mock-1"]
        for step in range(4 - len(mine)):
            number = mine[-1]["session"] + 1 + step
            date = {"date_text": f"9:00 am on {number}  March, 2025".replace("  ", " "), "event_date": f"{number} March, 2025"}
            rows.append(
                {**mine[-1], "id": f"{step}" * 12, "session": number, "dangling": False, "items": [], "verdicts": [], **date}
            )

    release.change_edits(change)
    release.assert_names(Rule.TIME, "has 4 appended sessions, at most 3 are allowed", where="mock-1")


def test_an_unknown_key_of_an_original_turn_is_named(release: Copy) -> None:
    release.change_corpus(lambda corpus: corpus[0]["conversation"]["session_1"][0].update(source="original"))
    release.assert_names(Rule.HIDDEN, "has keys that upstream lacks: source", where="mock-1 D1:1")


def test_a_mark_on_an_inserted_turn_is_named(release: Copy) -> None:
    edit = _appended(release)
    release.change_corpus(lambda corpus: corpus[0]["conversation"][f"session_{edit['session']}"][1].update(query="a picture"))
    release.assert_names(Rule.HIDDEN, "is inserted and has the keys", where=f"D{edit['session']}:2")


def test_the_order_of_keys_of_an_inserted_turn_is_upstreams(release: Copy) -> None:
    edit = _appended(release)

    def change(corpus: Corpus) -> None:
        turns = corpus[0]["conversation"][f"session_{edit['session']}"]
        turns[0] = {name: turns[0][name] for name in ("dia_id", "speaker", "text")}

    release.change_corpus(change)
    release.assert_names(Rule.HIDDEN, "has the keys dia_id, speaker, text")


@pytest.mark.parametrize("block", ["qa", "top", "conversation"])
def test_an_unknown_key_elsewhere_is_named(release: Copy, block: str) -> None:
    def change(corpus: Corpus) -> None:
        target = {"qa": corpus[0]["qa"][0], "top": corpus[0], "conversation": corpus[0]["conversation"]}[block]
        target["injected"] = 1

    release.change_corpus(change)
    release.assert_names(Rule.HIDDEN, "has keys that upstream lacks: injected")


def test_the_id_of_an_item_in_the_corpus_is_named(release: Copy) -> None:
    key = release.rows("keys/track_a.jsonl")[0]
    release.change_corpus(
        lambda corpus: corpus[0]["event_summary"]["events_session_1"][corpus[0]["conversation"]["speaker_a"]].append(key["id"])
    )
    release.assert_names(Rule.HIDDEN, f"holds {key['id']}, the id of an item or edit")


@pytest.mark.parametrize(
    "mark", ["HN-A2 said so.", "This was injected.", "It is {one}.", "A hard negative.", "First line.\\nSecond."]
)
def test_a_label_in_an_inserted_turn_is_named(release: Copy, mark: str) -> None:
    def change(rows: list[dict[str, Any]]) -> None:
        edit = next(row for row in rows if row["kind"] == "append_session")
        edit["turns"][2]["text"] += f" {mark}"

    release.change_edits(change)
    release.assert_names(Rule.HIDDEN, "marks an injection")


def test_dates_read_only_in_the_official_form() -> None:
    assert read_date("12:09 am on 13 September, 2023") == datetime(2023, 9, 13, 0, 9)
    assert read_date("1:56 pm on 08 May, 2023") is None
    assert read_date("13:56 pm on 8 May, 2023") is None
    assert read_date("1:56 pm on 31 June, 2023") is None
    assert read_date(None) is None

"""Corpus files that are not what they should be: refused with the file, the place and one line."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest
from tiny_corpus import Raw, raw_conversation, write_list

from locomo_patch.reader import read_corpus
from twistcore.errors import CorpusError, ExitCode


def no_sessions(raw: Raw) -> None:
    raw["conversation"] = {key: value for key, value in raw["conversation"].items() if not key.startswith("session")}


def only_dates(raw: Raw) -> None:
    raw["conversation"] = {key: value for key, value in raw["conversation"].items() if not isinstance(value, list)}


def empty_session(raw: Raw) -> None:
    raw["conversation"]["session_2"] = []


def no_date(raw: Raw) -> None:
    del raw["conversation"]["session_2_date_time"]


def bad_date(raw: Raw) -> None:
    raw["conversation"]["session_2_date_time"] = "some time in May"


def gap(raw: Raw) -> None:
    del raw["conversation"]["session_1"]


def repeated_id(raw: Raw) -> None:
    raw["conversation"]["session_1"][3]["dia_id"] = "D1:2"


def wrong_id(raw: Raw) -> None:
    raw["conversation"]["session_1"][3]["dia_id"] = "D1:04"


def third_speaker(raw: Raw) -> None:
    raw["conversation"]["session_1"][3]["speaker"] = "Cid"


def twice_running(raw: Raw) -> None:
    raw["conversation"]["session_1"][3]["speaker"] = raw["conversation"]["session_1"][2]["speaker"]


def no_text(raw: Raw) -> None:
    del raw["conversation"]["session_1"][3]["text"]


def text_is_number(raw: Raw) -> None:
    raw["conversation"]["session_1"][3]["text"] = 5


def turn_is_string(raw: Raw) -> None:
    raw["conversation"]["session_1"][3] = "Hello."


def caption_is_list(raw: Raw) -> None:
    raw["conversation"]["session_1"][3]["blip_caption"] = ["a photo"]


def session_is_object(raw: Raw) -> None:
    raw["conversation"]["session_1"] = {"D1:1": "Hello."}


def no_speaker_b(raw: Raw) -> None:
    del raw["conversation"]["speaker_b"]


def no_block(raw: Raw) -> None:
    del raw["observation"]


def block_is_list(raw: Raw) -> None:
    raw["conversation"] = []


def qa_is_object(raw: Raw) -> None:
    raw["qa"] = {}


def id_is_number(raw: Raw) -> None:
    raw["sample_id"] = 26


def item_is_string(raw: Raw) -> None:
    raw["qa"][0] = "Why?"


@pytest.mark.parametrize(
    ("breakage", "place"),
    [
        (no_sessions, "conv-1: has no session"),
        (only_dates, "conv-1: has no session"),
        (empty_session, "conv-1 session_2: has no turns"),
        (no_date, "conv-1 session_2: has no date; add session_2_date_time"),
        (bad_date, r"conv-1 session_2: date cannot be parsed \(not of the form .*'some time in May'"),
        (gap, r"conv-1: session numbers have a gap: \[2\]"),
        (repeated_id, "conv-1 session_1 turn 4: repeats the id D1:2"),
        (wrong_id, "conv-1 session_1 turn 4: has the id D1:04, D1:4 was expected"),
        (third_speaker, "conv-1 session_1 turn 4: is spoken by a third speaker, Cid"),
        (twice_running, "conv-1 session_1 turn 4: Ann speaks twice running"),
        (no_text, "conv-1 session_1 turn 4: lacks text"),
        (text_is_number, "conv-1 session_1 turn 4: lacks text"),
        (turn_is_string, "conv-1 session_1 turn 4: is no object"),
        (caption_is_list, "conv-1 session_1 turn 4: has blip_caption of the wrong type"),
        (session_is_object, "conv-1 session_1: has no turns"),
        (no_speaker_b, "conv-1: lacks speaker_b"),
        (no_block, "conversation 0: lacks observation"),
        (block_is_list, "conversation 0: has conversation of the wrong type"),
        (qa_is_object, "conversation 0: has qa of the wrong type"),
        (id_is_number, "conversation 0: has sample_id of the wrong type"),
        (item_is_string, "conv-1 qa 0: is no object"),
    ],
)
def test_a_broken_conversation_is_refused_with_its_place(tmp_path: Path, breakage: Callable[[Raw], None], place: str) -> None:
    raw = raw_conversation()
    breakage(raw)
    with pytest.raises(CorpusError, match=rf"c\.json, {place}") as caught:
        read_corpus(write_list(tmp_path / "c.json", raw), allow_unknown=True)
    assert "\n" not in str(caught.value)
    assert caught.value.exit_code is ExitCode.REFUSED


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (b'[{"qa": [', r"line 1 column 10: is no JSON .*fetch the file again"),
        (b"", "line 1 column 1: is no JSON"),
        (b"\x1f\x8b\x08\x00\xff", "UTF-8|no JSON"),
        (b'["\xff"]', "byte 2: is not UTF-8"),
        (b"{}", "neither the list file nor a flat"),
        (b"7", "neither the list file nor a flat"),
        (b"[7]", "conversation 0: is no object"),
        (b"[" + b"9" * 5000 + b"]", "is JSON that cannot be read"),
        (b'["caf\xc3\xa9 \\ud83d"]', "near .*holds half of a surrogate pair"),
        (b"[" * 200_000, "is JSON that cannot be read"),
    ],
)
def test_a_file_that_is_no_corpus_is_refused_with_its_place(tmp_path: Path, data: bytes, message: str) -> None:
    path = tmp_path / "locomo10.json"
    path.write_bytes(data)
    with pytest.raises(CorpusError, match=r"locomo10\.json.*(?:" + message + ")"):
        read_corpus(path, allow_unknown=True)


def test_an_empty_list_is_no_corpus_even_if_unknown_ones_are_allowed(tmp_path: Path) -> None:
    path = tmp_path / "locomo10.json"
    path.write_text("[]")
    with pytest.raises(CorpusError, match="holds no conversation"):
        read_corpus(path, allow_unknown=True)


def test_conversations_with_one_id_are_refused(tmp_path: Path) -> None:
    with pytest.raises(CorpusError, match="repeats the sample_id conv-1"):
        read_corpus(write_list(tmp_path / "c.json", raw_conversation(), raw_conversation()), allow_unknown=True)


def test_a_file_that_is_cut_off_anywhere_is_refused(tmp_path: Path) -> None:
    data = write_list(tmp_path / "whole.json", raw_conversation()).read_bytes()
    path = tmp_path / "cut.json"
    for length in range(0, len(data), 97):
        path.write_bytes(data[:length])
        with pytest.raises(CorpusError, match=r"cut\.json, line \d+ column \d+"):
            read_corpus(path, allow_unknown=True)


def test_a_part_of_the_real_file_is_never_taken_for_the_whole(shared: Path, tmp_path: Path) -> None:
    whole = json.loads((shared / "data" / "locomo10.json").read_bytes())
    path = tmp_path / "locomo10.json"
    path.write_bytes(json.dumps(whole[:9], indent=2).encode())
    with pytest.raises(CorpusError, match="no known version"):
        read_corpus(path)
    assert read_corpus(path, allow_unknown=True).corpus.version == "unknown"


def test_a_missing_file_is_named(tmp_path: Path) -> None:
    with pytest.raises(CorpusError, match=r"nowhere\.json: cannot be read .*point --corpus at locomo10\.json"):
        read_corpus(tmp_path / "nowhere.json")

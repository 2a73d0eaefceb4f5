"""Sessions, their dates, and the date keys that have no session (LOCOMO.md section 3)."""

from __future__ import annotations

import re
from collections import Counter
from datetime import datetime, timedelta
from itertools import pairwise
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tiny_corpus import raw_conversation, write_list

from locomo_patch.dates import format_date, format_day, parse_date
from locomo_patch.reader import LoadedCorpus, read_corpus
from twistcore.corpus import Conversation, DanglingDate, Session
from twistcore.errors import CorpusError


def dated(*conversations: Conversation) -> list[Session | DanglingDate]:
    """Every dated entry, with turns or without."""
    out: list[Session | DanglingDate] = []
    for conversation in conversations:
        out += [*conversation.sessions, *conversation.dangling]
    return out


def test_all_288_date_strings_have_the_one_form_and_come_back_as_they_were(real: LoadedCorpus) -> None:
    texts = [entry.date_text for entry in dated(*real.corpus.conversations)]
    assert len(texts) == 288
    assert all(format_date(parse_date(text)) == text for text in texts)


def test_noon_is_labelled_12_am_seventeen_times_and_12_pm_never(real: LoadedCorpus) -> None:
    entries = dated(*real.corpus.conversations)
    midnight = [entry for entry in entries if re.match(r"12:\d\d am", entry.date_text)]
    assert len(midnight) == 17
    assert all(entry.date.hour == 0 for entry in midnight), "read literally"
    assert not any(re.match(r"12:\d\d pm", entry.date_text) for entry in entries)
    with_turns = [
        session for conversation in real.corpus.conversations for session in conversation.sessions if session.date.hour == 0
    ]
    assert len(with_turns) == 14
    assert real.corpus.conversation("conv-26").session(16).date_text == "12:09 am on 13 September, 2023"
    assert {entry.date.hour for entry in entries} == {0, 9, 10, 11, *range(13, 22)}


def test_a_session_at_12_am_keeps_its_string_and_stays_in_order(tmp_path: Path) -> None:
    raw = raw_conversation(lengths=(2, 2, 2))
    raw["conversation"]["session_2_date_time"] = "12:09 am on 2 February, 2023"
    conversation = read_corpus(write_list(tmp_path / "c.json", raw), allow_unknown=True).corpus.conversations[0]
    assert conversation.session(2).date == datetime(2023, 2, 2, 0, 9)
    assert conversation.session(2).date_text == "12:09 am on 2 February, 2023"
    for before, after in pairwise(conversation.sessions):
        # In order under the literal reading and under the likely one (noon).
        assert before.date < after.date
        assert before.date.replace(hour=12) < after.date.replace(hour=12)


def test_sixteen_dates_of_conv_26_dangle_and_no_other(real: LoadedCorpus) -> None:
    dangling = {
        conversation.sample_id: [entry.number for entry in conversation.dangling] for conversation in real.corpus.conversations
    }
    assert dangling.pop("conv-26") == list(range(20, 36))
    assert not any(dangling.values())
    caroline = real.corpus.conversation("conv-26")
    assert [entry.date.date().isoformat() for entry in (caroline.dangling[0], caroline.dangling[-1])] == [
        "2023-10-26",
        "2024-01-04",
    ]
    assert sum(entry.date.hour == 0 for entry in caroline.dangling) == 3


def test_a_session_exists_only_where_its_list_does(tmp_path: Path) -> None:
    path = write_list(tmp_path / "c.json", raw_conversation(lengths=(3, 3), dangling=2))
    conversation = read_corpus(path, allow_unknown=True).corpus.conversations[0]
    assert [session.number for session in conversation.sessions] == [1, 2]
    assert [entry.number for entry in conversation.dangling] == [3, 4]
    with pytest.raises(KeyError):
        conversation.session(3)


def test_numeric_order_is_the_order_of_time(real: LoadedCorpus) -> None:
    for conversation in real.corpus.conversations:
        dates = [entry.date for entry in dated(conversation)]
        assert dates == sorted(dates)
        assert len({date.date() for date in dates}) == len(dates), "never two sessions on one day"
        noon = [date.replace(hour=12) if date.hour == 0 else date for date in dates]
        assert noon == sorted(noon)


def test_sessions_are_ordered_by_number_and_not_by_name(tmp_path: Path) -> None:
    raw = raw_conversation(lengths=(2,) * 10)
    items = sorted(raw["conversation"].items())
    raw["conversation"] = dict(items)
    assert [key for key, _ in items if key.startswith("session_1")][:2] == ["session_1", "session_10"]
    conversation = read_corpus(write_list(tmp_path / "c.json", raw), allow_unknown=True).corpus.conversations[0]
    assert [session.number for session in conversation.sessions] == list(range(1, 11))


def test_sessions_out_of_time_are_refused(tmp_path: Path) -> None:
    raw = raw_conversation(lengths=(2, 2))
    raw["conversation"]["session_2_date_time"] = "1:00 pm on 1 January, 2022"
    with pytest.raises(CorpusError, match=r"conv-1: session_2 \(1:00 pm on 1 January, 2022\) is not after session_1"):
        read_corpus(write_list(tmp_path / "c.json", raw), allow_unknown=True)


def test_a_dangling_date_out_of_time_is_refused(tmp_path: Path) -> None:
    raw = raw_conversation(lengths=(2, 2), dangling=1)
    raw["conversation"]["session_3_date_time"] = "1:00 pm on 1 January, 2022"
    with pytest.raises(CorpusError, match="session_3"):
        read_corpus(write_list(tmp_path / "c.json", raw), allow_unknown=True)


def test_event_dates_are_the_sessions_calendar_days(real: LoadedCorpus) -> None:
    checked = 0
    for conversation in real.corpus.conversations:
        events = real.document.blocks(conversation.sample_id).events
        for session in conversation.sessions:
            assert events[f"events_session_{session.number}"]["date"] == format_day(session.date)
            checked += 1
    assert checked == 272


def test_sessions_hold_ten_to_47_turns(real: LoadedCorpus) -> None:
    lengths = [len(session.turns) for conversation in real.corpus.conversations for session in conversation.sessions]
    assert (min(lengths), max(lengths)) == (10, 47)
    assert Counter(length % 2 for length in lengths) == {1: 140, 0: 132}


@given(st.datetimes(datetime(1900, 1, 1), datetime(2100, 1, 1)))
def test_writing_and_reading_a_date_are_inverse_to_the_minute(moment: datetime) -> None:
    whole = moment.replace(second=0, microsecond=0)
    assert parse_date(format_date(whole)) == whole
    assert format_date(whole).endswith(f" on {format_day(whole)}")
    # Days and hours have no leading zero.
    assert not re.search(r"(?:^| )0\d", format_date(whole))


@given(st.datetimes(datetime(2000, 1, 1), datetime(2030, 1, 1)))
def test_a_minute_later_is_written_otherwise(moment: datetime) -> None:
    assert format_date(moment) != format_date(moment + timedelta(minutes=1))


@pytest.mark.parametrize(
    "text",
    [
        "8 May, 2023",
        "13:00 pm on 8 May, 2023",
        "0:30 am on 8 May, 2023",
        "1:56 PM on 8 May, 2023",
        "1:56 pm on 31 June, 2023",
        "1:75 pm on 8 May, 2023",
        "1:56 pm on 8 Mai, 2023",
        "1:56 pm on 8 May 2023",
        "several months later",
        " 1:56 pm on 8 May, 2023",
        "1:56 pm on 8 May, 2023\n",
        "",
    ],
)
def test_any_other_form_of_date_is_an_error_and_never_a_guess(text: str) -> None:
    with pytest.raises(ValueError, match=r"\S"):
        parse_date(text)

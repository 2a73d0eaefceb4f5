"""Relative time words: they mean the planned days, and nothing else (DESIGN.md rule 4; PRECEDENTS.md 9, 15, 34)."""

from __future__ import annotations

import random
import re
from datetime import date, timedelta

from hypothesis import given
from hypothesis import strategies as st

from arcs.clock import MAX_WEEKS, SLACK_DAYS, recent_day, weeks_since
from arcs.items import PlannedTime
from twistcore.text.parses import Parser
from twistcore.text.times import find_times

DAYS = st.dates(date(2022, 1, 1), date(2024, 12, 31))
NUMBERS = ["zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine"]
WEEKDAYS = ["Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday"]


def meant(words: str, host: date) -> date:
    """An independent reading of the words that the clock uses."""
    if words == "yesterday":
        return host - timedelta(days=1)
    if match := re.fullmatch(r"(\w+) days ago", words):
        return host - timedelta(days=NUMBERS.index(match[1]))
    if match := re.fullmatch(r"on (\w+)", words):
        back = (host.weekday() - WEEKDAYS.index(match[1])) % 7
        assert back, "today's weekday could mean today or a week ago"
        return host - timedelta(days=back)
    match = re.fullmatch(r"(\w+) weeks(?: ago)?", words)
    assert match is not None, words
    return host - timedelta(weeks=NUMBERS.index(match[1]))


@given(DAYS, st.integers())
def test_a_recent_day_means_the_planned_day(host: date, seed: int) -> None:
    planned = recent_day(host, random.Random(seed))
    assert planned.first == planned.last == meant(planned.words, host)
    assert 1 <= (host - planned.first).days <= 6
    assert planned.slot == "day"


@given(DAYS, st.integers(0, 400), st.sampled_from(["ago", "span"]), st.integers())
def test_weeks_lie_after_the_anchor_with_a_week_to_spare(anchor: date, gap: int, slot: str, seed: int) -> None:
    host = anchor + timedelta(days=gap)
    planned = weeks_since(slot, anchor, host, random.Random(seed))
    if planned is None:
        assert gap < 21
        return
    middle = meant(planned.words, host)
    assert middle - anchor >= timedelta(weeks=1)
    assert (planned.first, planned.last) == (middle - timedelta(days=SLACK_DAYS), middle + timedelta(days=SLACK_DAYS))
    assert anchor < planned.first and planned.last < host
    assert planned.words.endswith(" ago") == (slot == "ago")
    assert (host - middle).days <= 7 * MAX_WEEKS


@given(DAYS, st.integers(0, 20), st.sampled_from(["ago", "span"]))
def test_a_gap_too_short_for_weeks_gives_none_and_never_a_zero(anchor: date, gap: int, slot: str) -> None:
    assert weeks_since(slot, anchor, anchor + timedelta(days=gap), random.Random(1)) is None


def test_the_time_reader_understands_every_word_that_the_clock_says(parser: Parser) -> None:
    for offset in range(28):
        host = date(2023, 5, 1) + timedelta(days=offset)
        said: list[tuple[str, PlannedTime]] = []
        for seed in range(6):
            day = recent_day(host, random.Random(seed))
            said.append((f"I bought a parrot {day.words}.", day))
            ago = weeks_since("ago", host - timedelta(days=100), host, random.Random(seed))
            assert ago is not None
            said.append((f"I bought a parrot {ago.words}.", ago))
        for text, planned in said:
            (found,) = find_times(parser.parse(text), host)
            assert not found.ambiguous, text
            assert found.first is not None and found.last is not None
            assert planned.first <= found.last and found.first <= planned.last, (text, host, found)
            assert found.last < host


def test_nothing_that_week_conventions_read_apart_is_said() -> None:
    for seed in range(200):
        words = recent_day(date(2023, 4, 16), random.Random(seed)).words
        assert not re.search(r"\b(?:last|this|next|week|weekend)\b", words)

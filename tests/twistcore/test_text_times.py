from __future__ import annotations

import random
from datetime import date, timedelta

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from twistcore.text.parses import Parser
from twistcore.text.time_patterns import Kind
from twistcore.text.times import Direction, TimeExpression, express, find_times

PARSER = Parser()
SATURDAY = date(2023, 10, 14)


def only(text: str, moment: date = SATURDAY) -> TimeExpression:
    found = find_times(PARSER.parse(text), moment)
    assert len(found) == 1, found
    return found[0]


@pytest.mark.parametrize(
    ("text", "first", "last"),
    [
        ("I sold it yesterday.", date(2023, 10, 13), date(2023, 10, 13)),
        ("I sold it on Tuesday.", date(2023, 10, 10), date(2023, 10, 10)),
        ("I'll sell it on Tuesday.", date(2023, 10, 17), date(2023, 10, 17)),
        ("I sold it three days ago.", date(2023, 10, 11), date(2023, 10, 11)),
        ("I sold it last month.", date(2023, 9, 1), date(2023, 9, 30)),
        ("I'm flying out tomorrow.", date(2023, 10, 15), date(2023, 10, 15)),
        ("I quit back in March.", date(2023, 3, 1), date(2023, 3, 31)),
        ("I started on March 3rd, 2023.", date(2023, 3, 3), date(2023, 3, 3)),
        ("I started on 3 May.", date(2023, 5, 3), date(2023, 5, 3)),
        ("I moved here in 2019.", date(2019, 1, 1), date(2019, 12, 31)),
        ("We carved pumpkins on Halloween.", date(2022, 10, 30), date(2022, 10, 31)),
        ("We'll cook on Thanksgiving.", date(2023, 11, 22), date(2023, 11, 26)),
        ("I visited her on Mother's Day.", date(2023, 5, 14), date(2023, 5, 14)),
    ],
)
def test_an_expression_resolves_from_the_day_it_is_said(text: str, first: date, last: date) -> None:
    found = only(text)
    assert (found.first, found.last) == (first, last)
    assert found.dated


@pytest.mark.parametrize(
    "text", ["I go on Sundays.", "We have lamb every Easter.", "In the winter I always ski.", "My Friday class was fun."]
)
def test_habits_name_no_date(text: str) -> None:
    assert not only(text).dated


@pytest.mark.parametrize(
    "text", ["I may go.", "They march along.", "Mind the fall of the ball in spring rolls.", "My sun hat sat there."]
)
def test_words_that_only_look_like_calendar_words_are_not_found(text: str) -> None:
    assert find_times(PARSER.parse(text), SATURDAY) == ()


@pytest.mark.parametrize(
    ("text", "moment", "ambiguous"),
    [
        ("I sold it last Friday.", date(2023, 10, 11), False),
        ("I sold it last Friday.", date(2023, 10, 14), True),
        ("I sold it last Friday.", date(2023, 10, 15), True),
        ("I'll sell it next Friday.", date(2023, 10, 11), True),
        ("I'll sell it next Friday.", date(2023, 10, 14), False),
        ("I sold it last week.", date(2023, 10, 15), True),
        ("I sold it last month.", date(2023, 10, 15), False),
    ],
)
def test_expressions_that_week_conventions_read_differently_are_marked(text: str, moment: date, ambiguous: bool) -> None:
    assert only(text, moment).ambiguous is ambiguous


def test_a_span_reaches_back_from_the_day_and_a_vague_one_says_so() -> None:
    found = only("I've been riding for three weeks now.")
    assert found.kind is Kind.SPAN
    assert found.began is not None
    assert found.began[0] <= SATURDAY - timedelta(weeks=3) <= found.began[1]
    assert only("I sold it a couple of months ago.").vague


def test_direction_comes_from_the_words_or_from_the_tense() -> None:
    assert only("I sold it on Tuesday.").direction is Direction.PAST
    assert only("I'm selling it on Tuesday.").direction is Direction.FUTURE
    assert only("Since I was ten, books came first.").kind is Kind.LIFE


@settings(max_examples=250, deadline=None)
@given(
    moment=st.dates(date(2022, 1, 1), date(2024, 12, 31)),
    back=st.integers(1, 330),
    kind=st.sampled_from(["day", "ago", "span"]),
    seed=st.integers(0, 9),
)
def test_words_for_a_planned_day_are_found_and_give_the_day_back(moment: date, back: int, kind: str, seed: int) -> None:
    day = moment - timedelta(days=back)
    words = express(kind, day, moment, random.Random(seed))
    if words is None:
        return
    text = f"I've been riding for {words} now." if kind == "span" else f"I sold the camera {words}."
    found = only(text, moment)
    assert not found.ambiguous
    assert not found.vague
    if kind == "day":
        assert (found.first, found.last) == (day, day)
    else:
        assert found.began is not None
        assert found.began[0] <= day <= found.began[1]


@pytest.mark.parametrize("back", [1, 2, 3, 4, 5, 6])
def test_every_day_of_the_last_week_has_words(back: int) -> None:
    assert express("day", SATURDAY - timedelta(days=back), SATURDAY, random.Random(1)) is not None


def test_an_unknown_kind_is_an_error_and_a_far_day_has_no_words() -> None:
    with pytest.raises(ValueError, match="kind"):
        express("hour", SATURDAY, SATURDAY, random.Random(1))
    assert express("day", SATURDAY - timedelta(days=7), SATURDAY, random.Random(1)) is None

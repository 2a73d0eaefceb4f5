"""Injected turns, read: whose each statement is, how it is put forward, and which days it tells of."""

from __future__ import annotations

from datetime import date

import pytest

from locomo_patch.revalidation.turns import Bag, InjectedTurn, Standing, TurnReading, read_turn
from twistcore.text.parses import Parser

DAY = date(2024, 5, 8)


def _read(parser: Parser, text: str, day: date = DAY) -> TurnReading:
    return read_turn(InjectedTurn("new:1", 3, day, "Petra", "Oskar", text), parser.parse(text))


def _facts(parser: Parser, text: str) -> Bag:
    return _read(parser, text).facts("Petra")


def test_a_denial_inside_a_list_denies_only_its_own_phrase(parser: Parser) -> None:
    reading = _read(parser, "One etude, one long sonata and a waltz every evening, no free weekends.")
    assert {"etude", "sonata"} <= reading.facts("Petra").words
    assert "weekend" in reading.bag("Petra", Standing.DENIED).words


def test_a_negated_verb_denies_its_clause(parser: Parser) -> None:
    reading = _read(parser, "I didn't buy the cello.")
    assert "cello" not in reading.facts("Petra").words
    assert "cello" in reading.bag("Petra", Standing.DENIED).words


@pytest.mark.parametrize(
    "text",
    ["There's a piglet in the barn, barely the size of a boot.", "I've never laughed so much at the barn with that piglet."],
)
def test_a_measuring_negator_denies_nothing(parser: Parser, text: str) -> None:
    assert {"piglet", "barn"} <= _facts(parser, text).words


def test_a_plan_is_no_fact(parser: Parser) -> None:
    reading = _read(parser, "We might rent a sailboat in June.")
    assert "sailboat" not in reading.facts("Petra").words


def test_what_an_errand_was_for_was_done_with_it(parser: Parser) -> None:
    assert "lighthouse" in _facts(parser, "On Saturday I drove my nephews up to see the lighthouse.").words


def test_a_wanted_errand_stays_a_plan(parser: Parser) -> None:
    assert "lighthouse" not in _facts(parser, "I want to see the lighthouse.").words


@pytest.mark.parametrize(
    "text",
    [
        "The girl next door won a fencing medal.",
        "Lena from my office won a fencing medal.",
        "My neighbor won a fencing medal.",
        "My boss's son won a fencing medal.",
    ],
)
def test_what_a_third_person_did_is_not_the_speakers(parser: Parser, text: str) -> None:
    reading = _read(parser, text)
    assert "fencing" not in reading.facts("Petra").words
    assert "medal" in reading.bag(None, Standing.FACT).words


def test_what_friends_and_the_speaker_did_is_the_speakers(parser: Parser) -> None:
    assert "raft" in _facts(parser, "The guys and I built a raft on Tuesday.").words


def test_the_second_person_is_the_partner(parser: Parser) -> None:
    assert "oboe" in _read(parser, "You were right to keep the oboe.").facts("Oskar").words


def test_what_only_a_relative_did_is_marked(parser: Parser) -> None:
    reading = _read(parser, "My brother crashed his scooter. I baked a plum tart.")
    assert "scooter" in reading.others
    assert "tart" not in reading.others


def test_a_relative_who_deals_with_the_speaker_is_not_marked(parser: Parser) -> None:
    assert "scooter" not in _read(parser, "My brother gave me his scooter.").others


def test_the_window_is_the_events_and_not_the_findings(parser: Parser) -> None:
    first, last = _read(parser, "Yesterday I found the old ledger. We opened the mill in March 2011.").window()
    assert (first.year, last.year) == (2011, 2011)


def test_the_window_is_the_happening_and_not_the_waiting(parser: Parser) -> None:
    first, _ = _read(parser, "He had been waiting since March. He came home last night.").window()
    assert first >= date(2024, 5, 7)


def test_without_dates_the_window_is_the_turns_own_day(parser: Parser) -> None:
    assert _read(parser, "The kettle is on.").window() == (DAY, DAY)


def test_a_bare_date_behind_the_turn_is_the_past_one(parser: Parser) -> None:
    first, last = _read(parser, "I cleared my desk on the fifth of January.").window()
    assert (first, last) == (date(2024, 1, 5), date(2024, 1, 5))

"""Deeds are read from turns that state them, each as a friend says it back."""

from __future__ import annotations

from datetime import datetime

import pytest

from inject.alignment.deeds import Status, contrary, deeds_of
from inject.gates.case import Record
from twistcore.corpus import Conversation, Session, Turn
from twistcore.text.parses import Parser

FIRST = datetime(2023, 1, 2, 13, 0)
PARSER = Parser()


def record(*said: str) -> Record:
    """Sam says these, Evan nods in between."""
    turns = []
    for text in said:
        turns.append(Turn("conv-1", 1, len(turns) + 1, "Sam", text))
        turns.append(Turn("conv-1", 1, len(turns) + 1, "Evan", "Nice to hear."))
    return Record(Conversation("conv-1", "Sam", "Evan", (Session(1, FIRST, FIRST.isoformat(), tuple(turns)),)), PARSER)


@pytest.mark.parametrize(
    ("said", "status", "past"),
    [
        ("I joined a book club last week.", Status.ON, "joined a book club"),
        ("Last month I signed up for a pottery class.", Status.ON, "signed up for a pottery class"),
        ("I adopted a gray kitten from my aunt.", Status.ON, "adopted a gray kitten"),
        ("I just started playing the violin in June.", Status.ON, "played the violin"),
        ("I've never been to Lisbon, but I'd love to.", Status.NEVER, "visited Lisbon"),
        ("I haven't tried karaoke yet.", Status.NEVER, "tried karaoke"),
        ("I don't like olives at all.", Status.NEVER, "liked olives"),
        ("I used to play the trumpet at school.", Status.ENDED, "played the trumpet"),
        ("I lost my job at the bakery in March.", Status.ENDED, "kept your job at the bakery"),
        ("I had to take a break from pottery for now.", Status.ENDED, "did pottery"),
    ],
)
def test_a_stated_deed_is_read_with_its_state(said: str, status: Status, past: str) -> None:
    assert [(deed.status, deed.past) for deed in deeds_of(record(said))] == [(status, past)]


@pytest.mark.parametrize(
    "said",
    [
        "Did I tell you that I might join a book club?",
        "My sister joined a book club last week.",
        "I would have joined a book club, you know.",
        "I joined it last week, finally.",
        "I'm going to join a book club soon.",
        "If I joined a book club, I would read more.",
        "You joined a book club last week, right?",
    ],
)
def test_what_is_asked_imagined_planned_pointed_at_or_somebody_elses_is_no_deed(said: str) -> None:
    assert list(deeds_of(record(said))) == []


def test_the_quote_is_the_sentence_as_it_stands() -> None:
    said = "Guess what!  I joined a book club last week. More soon."
    (deed,) = deeds_of(record(said))
    assert deed.quote == "I joined a book club last week." and deed.quote in said


def test_a_deed_that_another_turn_puts_the_other_way_round_is_found_out() -> None:
    talk = record("I've never been to Lisbon.", "I spent my holiday in Lisbon.", "My lunch was great.")
    (deed,) = [deed for deed in deeds_of(talk) if deed.status is Status.NEVER]
    found = contrary(talk, deed)
    assert found is not None and "holiday" in found.text


def test_what_was_once_going_on_does_not_gainsay_its_end() -> None:
    talk = record("I play the trumpet every day.", "I used to play the trumpet.")
    ended = next(deed for deed in deeds_of(talk) if deed.status is Status.ENDED)
    assert contrary(talk, ended) is None

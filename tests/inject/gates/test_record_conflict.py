from __future__ import annotations

from datetime import datetime

import pytest
from topic_case import the_parser, topic_case

from inject.gates import record_conflict
from inject.gates.case import Case, Record
from twistcore.corpus import Conversation, Session, Turn
from twistcore.verdicts import Outcome


def record_of(*lines: tuple[str, str]) -> Record:
    turns = tuple(Turn("small", 1, number, speaker, text) for number, (speaker, text) in enumerate(lines, start=1))
    session = Session(1, datetime(2023, 5, 1, 10, 0), "10:00 am on 1 May, 2023", turns)
    return Record(Conversation("small", "Ann", "Bo", (session,)), the_parser())


def instrument(record: Record) -> Case:
    return topic_case(
        "I started cello lessons on Monday.",
        anchor="I've never played an instrument and I never will.",
        topic="playing an instrument",
        old="Ann has never played an instrument and never will",
        record=record,
    )


@pytest.mark.parametrize(
    "line",
    [
        ("Ann", "I play clarinet! Started when I was young."),
        ("Ann", "I used to play the violin with my grandpa on Sundays."),
        ("Ann", "My days are about running, reading, or playing my violin."),
        ("Bo", "Your violin sounded so lovely on the phone!"),
    ],
)
def test_a_record_that_refutes_the_anchor_fails_and_is_cited(line: tuple[str, str]) -> None:
    result = record_conflict.judge(instrument(record_of(line)))
    assert result.outcome is Outcome.FAIL
    assert "D1:1" in result.reason


@pytest.mark.parametrize(
    "line",
    [
        ("Ann", "My brother plays the violin in the city orchestra."),
        ("Ann", "I'd love to play the violin one day."),
        ("Ann", "I listened to a violin concert on Sunday."),
        ("Ann", "Imagine me playing the violin, haha!"),
        ("Bo", "I play the violin every evening."),
        ("Ann", "Do you play the violin, Bo?"),
    ],
)
def test_a_record_that_only_brushes_the_topic_passes(line: tuple[str, str]) -> None:
    assert record_conflict.judge(instrument(record_of(line))).outcome is Outcome.PASS


def test_a_case_without_a_record_is_not_judged() -> None:
    case = topic_case("I play the cello.", anchor="No instruments.", topic="instruments", old="Ann plays no instrument")
    assert record_conflict.judge(case).outcome is Outcome.NOT_APPLICABLE

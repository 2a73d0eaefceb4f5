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


def festival(record: Record) -> Case:
    return topic_case(
        "I spent the weekend at a wine festival and danced in the barrels.",
        anchor="I've never been to a wine festival, Bo, and I never will.",
        topic="going to wine festivals",
        old="Ann has never been to a wine festival and never will",
        record=record,
    )


@pytest.mark.parametrize(
    "lines",
    [
        (
            ("Ann", "There was so much wine in that little town!"),
            ("Bo", "Lucky you."),
            ("Ann", "The festival in Turin was fantastic!"),
        ),
        (("Ann", "We went to a wine festival by the lake in May."),),
        (("Ann", "I had the chance to meet a famous grower at a wine festival in Porto."),),
        (("Bo", "You went to a wine festival last year and came home singing."),),
    ],
)
def test_an_experience_told_in_other_words_fails(lines: tuple[tuple[str, str], ...]) -> None:
    assert record_conflict.judge(festival(record_of(*lines))).outcome is Outcome.FAIL


@pytest.mark.parametrize(
    "lines",
    [
        (("Ann", "The film festival in Turin was fantastic!"),),
        (("Ann", "There was so much wine at dinner."), ("Bo", "A festival?"), ("Ann", "My sister's festival sounded great.")),
        (("Bo", "You would love a wine festival."),),
        (("Bo", "I went to a wine festival on Sunday."),),
        (("Ann", "I'd love the chance to see a wine festival someday."),),
    ],
)
def test_somebody_elses_or_another_festival_passes(lines: tuple[tuple[str, str], ...]) -> None:
    assert record_conflict.judge(festival(record_of(*lines))).outcome is Outcome.PASS


@pytest.mark.parametrize(
    ("line", "outcome"),
    [
        ("That gorge is where I learned to swim and found my passion for climbing.", Outcome.FAIL),
        ("My love for climbing started in that gorge.", Outcome.FAIL),
        ("My cousin's love for climbing is famous in our town.", Outcome.PASS),
        ("I don't understand this passion for climbing.", Outcome.PASS),
    ],
)
def test_a_love_of_what_was_never_done_fails(line: str, outcome: Outcome) -> None:
    case = topic_case(
        "I climb every Saturday.",
        anchor="I've never hung on a rope and I never will.",
        topic="climbing",
        old="Ann has never climbed and never will",
        record=record_of(("Ann", line)),
    )
    assert record_conflict.judge(case).outcome is outcome


@pytest.mark.parametrize(
    ("line", "outcome"),
    [
        ("It's a joy to see my parrot so happy in the new cage.", Outcome.FAIL),
        ("I adopted a parrot from the shelter last month.", Outcome.FAIL),
        ("It's a joy to see my sister's parrot so happy.", Outcome.PASS),
        ("If my parrot existed, it would swear all day.", Outcome.PASS),
        ("We saw a parrot in the park.", Outcome.PASS),
    ],
)
def test_a_first_pet_that_the_record_knows_fails(line: str, outcome: Outcome) -> None:
    case = topic_case(
        "Last week I brought home my very first parrot.",
        anchor="A parrot will never move in with me, Bo.",
        topic="having a parrot",
        old="Ann will not have a parrot",
        new="Ann has a parrot",
        record=record_of(("Ann", line)),
    )
    assert record_conflict.judge(case).outcome is outcome


@pytest.mark.parametrize(
    ("line", "outcome"),
    [
        ("Never been to a flea market before, but it must be fun!", Outcome.FAIL),
        ("I went to a flea market on Sunday.", Outcome.PASS),
        ("My brother has never been to a flea market.", Outcome.PASS),
    ],
)
def test_what_the_anchor_tells_as_done_must_not_be_denied(line: str, outcome: Outcome) -> None:
    case = topic_case(
        "I ordered a new sofa from the store.",
        anchor="All my chairs came from a flea market, and that's how it stays.",
        topic="buying new furniture",
        old="Ann only takes furniture from a flea market",
        new="Ann buys new furniture",
        record=record_of(("Ann", line)),
    )
    assert record_conflict.judge(case).outcome is outcome


def test_a_denial_narrowed_to_the_night_leaves_the_day_free() -> None:
    case = topic_case(
        "I've painted through the night twice since May.",
        anchor="I never paint at night; the lamp stays off after ten.",
        topic="painting all night",
        old="Ann does not paint through the night",
        new="Ann paints through the night",
        record=record_of(("Ann", "I paint in the yard these days, and the light is lovely.")),
    )
    assert record_conflict.judge(case).outcome is Outcome.PASS


def bicycle(record: Record) -> Case:
    return topic_case(
        "I ride my bicycle to the beach every morning.",
        anchor="I haven't sat on a bicycle since I was a girl, and I don't intend to.",
        topic="riding a bicycle",
        old="Ann would never ride a bicycle",
        record=record,
    )


@pytest.mark.parametrize(
    ("line", "outcome"),
    [
        ("Had a blast biking with my neighbor last week.", Outcome.FAIL),
        ("I rode my bike to the lake on Sunday.", Outcome.FAIL),
        ("I've always wanted to ride a bicycle along the coast.", Outcome.FAIL),
        ("Had a blast watching my neighbor's kids on their bikes.", Outcome.PASS),
        ("When I was eight I rode my bike to school every day.", Outcome.PASS),
    ],
)
def test_not_since_childhood_is_refuted_by_last_week(line: str, outcome: Outcome) -> None:
    assert record_conflict.judge(bicycle(record_of(("Ann", line)))).outcome is outcome


def languages(record: Record) -> Case:
    return topic_case(
        "I take Italian lessons twice a week.",
        anchor="English is the only language I'll ever speak. I've got zero interest in learning another.",
        topic="learning languages",
        old="Ann speaks and wants only English",
        new="Ann takes Italian lessons",
        record=record,
    )


@pytest.mark.parametrize(
    ("line", "outcome"),
    [
        ("I know a bit of German, it makes travel so much easier.", Outcome.FAIL),
        ("I've always wanted to learn Spanish.", Outcome.FAIL),
        ("My cousin speaks Spanish at home.", Outcome.PASS),
        ("We had Italian food on Friday.", Outcome.PASS),
    ],
)
def test_a_tongue_of_the_holders_is_a_language(line: str, outcome: Outcome) -> None:
    assert record_conflict.judge(languages(record_of(("Ann", line)))).outcome is outcome

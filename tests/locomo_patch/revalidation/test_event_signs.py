"""Signs for questions about events and times, on a made-up conversation: what moves a date, a length, a count, a yes or no, a
reason."""

from __future__ import annotations

from datetime import date, datetime

import pytest

from locomo_patch.revalidation.alignment import align, event_words
from locomo_patch.revalidation.event_signs import find_event_signs
from locomo_patch.revalidation.kinds import kind_of
from locomo_patch.revalidation.questions import ConversationQuestions, QuestionReading, read_conversation_questions
from locomo_patch.revalidation.scripts import script_match
from locomo_patch.revalidation.signs import find_signs
from locomo_patch.revalidation.spans import (
    counts,
    days_of_month,
    frequencies,
    gold_day,
    gold_range,
    lengths,
    ordinals,
)
from locomo_patch.revalidation.states import Kind
from locomo_patch.revalidation.told import told_of
from locomo_patch.revalidation.turns import InjectedTurn, TurnReading, read_turn
from twistcore.corpus import Category, Conversation, Question, Session, Turn
from twistcore.text.parses import Parser

DAY = date(2024, 5, 8)
SAID = [
    (1, datetime(2024, 1, 10), ["I joined the rowing club in 2019, five years on the river now.", "Wow! I took up the harp."]),
    (1, datetime(2024, 1, 10), ["My two goats, Bim and Bam, ate the hedge.", "Poor hedge!", "Goats will be goats."]),
    (
        2,
        datetime(2024, 2, 14),
        ["We went fishing on Saturday, my husband and I.", "Nice.", "The bakery opens on the first of June."],
    ),
]
QUESTIONS = [
    ("When did Petra join the rowing club?", "2019", 2, "D1:1"),
    ("How long has Petra been rowing?", "five years", 4, "D1:1"),
    ("How many goats does Petra have?", "two", 1, "D1:3"),
    ("When did Petra and her husband go fishing?", "the weekend before February 14, 2024", 2, "D2:1"),
    ("When will Petra open her bakery?", "1 June, 2024", 2, "D2:3"),
    ("How often does Petra water her tomatoes?", "once a week", 4, "D1:1"),
    ("Has Petra tried surfing?", "No", 4, "D1:1"),
    ("Why does Petra bake bread?", "to relax", 4, "D2:3"),
    ("How many races has Petra won by March 2024?", "two", 1, "D1:1"),
    ("When did Petra visit Lisbon?", "April 2023", 2, "D2:1"),
]


def _conversation() -> Conversation:
    sessions = []
    for number in (1, 2):
        texts = [text for session, _, said in SAID if session == number for text in said]
        day = next(day for session, day, _ in SAID if session == number)
        turns = tuple(Turn("c", number, i, "Petra" if i % 2 else "Oskar", text) for i, text in enumerate(texts, start=1))
        sessions.append(Session(number, day, "", turns))
    questions = tuple(
        Question("c", i, text, answer, None, (evidence,), Category.of_number(number))
        for i, (text, answer, number, evidence) in enumerate(QUESTIONS)
    )
    return Conversation("c", "Petra", "Oskar", tuple(sessions), questions=questions)


@pytest.fixture(scope="module")
def context(parser: Parser) -> ConversationQuestions:
    return read_conversation_questions(_conversation(), parser)


def _turn(parser: Parser, text: str, after: str | None = None) -> TurnReading:
    return read_turn(InjectedTurn("new:1", 3, DAY, "Petra", "Oskar", text, after), parser.parse(text))


def _question(context: ConversationQuestions, start: str) -> QuestionReading:
    return next(reading for reading in context.readings if reading.question.question.startswith(start))


def _best(parser: Parser, context: ConversationQuestions, start: str, text: str, after: str | None = None) -> float:
    reading = _turn(parser, text, after)
    return find_event_signs(_question(context, start), reading, reading.facts("Petra"), context, "Petra")["event_best"]


def test_lengths_are_read_with_what_they_replace() -> None:
    found = lengths("It was twelve years, not ten, and the walk took three and a half hours.")
    assert [(length.number, length.unit, length.denied) for length in found] == [
        (12.0, "year", False),
        (10.0, "year", True),
        (3.5, "hour", False),
    ]


def test_numbers_in_a_row_and_of_times_are_read() -> None:
    assert ordinals("my third cup, and number four is coming") == (3, 4)
    assert counts("Three goats") == (3,)
    assert counts("twice") == (2,)


def test_how_often_is_read_as_a_value() -> None:
    assert frequencies("I row every Sunday and twice a week in summer") == ("every sunday", "twice a week")


def test_a_day_of_the_month_is_read_by_its_number() -> None:
    assert days_of_month("last Thursday, the third.") == (3,)
    assert days_of_month("It was the third time.") == ()
    assert gold_day("13 August") == 13
    assert gold_day("the week before 13 August, 2023") is None


def test_relative_golds_are_wide_and_exact_golds_are_not() -> None:
    assert gold_range("19 January, 2023") == (date(2023, 1, 19), date(2023, 1, 19))
    wide = gold_range("the weekend before August 24, 2023")
    assert wide is not None
    assert wide[0] < date(2023, 8, 12) <= wide[1]
    assert gold_range("between October 19 and 24, 2023") == (date(2023, 10, 19), date(2023, 10, 24))
    assert gold_range("when she was ten") is None


def test_an_event_is_known_by_its_script() -> None:
    assert script_match("fish", frozenset({"trout", "bait", "hook"}), "") > script_match("fish", frozenset({"trout"}), "") > 0
    assert script_match("fish", frozenset({"ledger"}), "") == 0


def test_what_an_event_came_after_is_not_part_of_it(parser: Parser, context: ConversationQuestions) -> None:
    conversation = _conversation()
    asked = Question("c", 0, "When did Petra swim after the picnic?", "2020", None, ("D1:1",), Category.of_number(2))
    made = Conversation("c", "Petra", "Oskar", conversation.sessions, questions=(asked,))
    assert "picnic" not in event_words(read_conversation_questions(made, parser).readings[0])


def test_a_found_paper_with_another_year_revises_a_date(parser: Parser, context: ConversationQuestions) -> None:
    text = "I found my rowing club card, and it's dated May 2016. I've been telling everyone the wrong year!"
    assert _best(parser, context, "When did Petra join", text) > 0.4
    assert kind_of(*_kind_parts(parser, context, "When did Petra join", text)) is Kind.CONTRADICTED


def test_the_same_year_said_again_revises_nothing(parser: Parser, context: ConversationQuestions) -> None:
    assert _best(parser, context, "When did Petra join", "I found my rowing club card, and it's dated May 2019.") < 0.15


def test_another_event_of_the_same_turn_keeps_its_date(parser: Parser, context: ConversationQuestions) -> None:
    text = "I found my rowing club card, and it's dated May 2016. I've been telling everyone the wrong year!"
    assert _best(parser, context, "When did Petra and her husband go fishing", text) < 0.15


def test_a_thing_done_again_has_a_second_date(parser: Parser, context: ConversationQuestions) -> None:
    text = "Yesterday my husband and I were back at the lake with our rods, and he pulled out a trout."
    assert _best(parser, context, "When did Petra and her husband", text) > 0.3
    assert kind_of(*_kind_parts(parser, context, "When did Petra and her husband", text)) is Kind.TEMPORAL_SHIFT


def test_a_begin_does_not_happen_again(parser: Parser, context: ConversationQuestions) -> None:
    assert _best(parser, context, "When did Petra join", "Yesterday I was back at the rowing club for a long evening.") < 0.4


def test_a_name_that_the_turn_lacks_makes_it_another_event(parser: Parser, context: ConversationQuestions) -> None:
    named = _best(parser, context, "When did Petra visit Lisbon", "Last weekend I was back in Lisbon and visited the tram museum.")
    other = _best(parser, context, "When did Petra visit Lisbon", "Last weekend I was back in Oslo and visited the ski museum.")
    assert named > 2 * other


def test_a_plan_that_moves_has_a_new_date(parser: Parser, context: ConversationQuestions) -> None:
    text = "The permit is late, so the bakery won't open until September."
    assert _best(parser, context, "When will Petra open", text) > 0.2
    assert kind_of(*_kind_parts(parser, context, "When will Petra open", text)) is Kind.SUPERSEDED


def test_another_length_changes_how_long(parser: Parser, context: ConversationQuestions) -> None:
    text = "I did the math wrong, I've been rowing for eight years, not five."
    assert _best(parser, context, "How long has Petra", text) > 0.5
    assert kind_of(*_kind_parts(parser, context, "How long has Petra", text)) is Kind.TEMPORAL_SHIFT


def test_the_same_length_changes_nothing(parser: Parser, context: ConversationQuestions) -> None:
    assert _best(parser, context, "How long has Petra", "Five years of rowing, and my hands are leather.") < 0.2


def test_a_place_behind_the_evidence_tells_what_is_meant(parser: Parser, context: ConversationQuestions) -> None:
    text = "Hold on, I looked it up. It was 2017!"
    here = _best(parser, context, "When did Petra join", text, after="D1:1")
    elsewhere = _best(parser, context, "When did Petra join", text)
    assert here > elsewhere


def test_an_arrival_changes_how_many_there_are(parser: Parser, context: ConversationQuestions) -> None:
    text = "A third goat followed me home on Friday, and we're calling her Bum."
    assert _best(parser, context, "How many goats", text) > 0.6
    assert kind_of(*_kind_parts(parser, context, "How many goats", text)) is Kind.COUNT_CHANGED


def test_a_departure_changes_how_many_there_are(parser: Parser, context: ConversationQuestions) -> None:
    assert _best(parser, context, "How many goats", "I sold one goat to the mill on Monday.") > 0.4


@pytest.mark.parametrize(
    "text",
    [
        "My two goats are asleep in the sun.",
        "My neighbor bought another goat, the poor man.",
        "I might get a third goat someday, I haven't decided.",
    ],
)
def test_talk_of_goats_counts_none(parser: Parser, context: ConversationQuestions, text: str) -> None:
    assert _best(parser, context, "How many goats", text) < 0.35


def test_what_lies_after_the_window_is_not_counted(parser: Parser, context: ConversationQuestions) -> None:
    assert _best(parser, context, "How many races", "I won another race yesterday!") < 0.1


def test_another_frequency_changes_how_often(parser: Parser, context: ConversationQuestions) -> None:
    assert _best(parser, context, "How often", "It's so hot that I water the tomatoes every day now.") > 0.4
    assert _best(parser, context, "How often", "I water the tomatoes once a week.") < 0.1
    text = "It's so hot that I water the tomatoes every day now."
    assert kind_of(*_kind_parts(parser, context, "How often", text)) is Kind.SUPERSEDED


def test_a_fact_turns_a_no(parser: Parser, context: ConversationQuestions) -> None:
    assert _best(parser, context, "Has Petra", "I stood on a surfboard this morning, and I even caught a wave!") > 0.3


def test_another_reason_for_the_same_act_counts_and_other_news_does_not(parser: Parser, context: ConversationQuestions) -> None:
    said = _best(parser, context, "Why does Petra", "I bake bread because the smell reminds me of my grandmother.")
    other = _best(parser, context, "Why does Petra", "I fixed the fence because the wind took it.")
    assert said > 0.2
    assert said > 3 * other


def test_a_competing_question_lowers_the_fit(parser: Parser, context: ConversationQuestions) -> None:
    reading = _turn(parser, "My husband and I went fishing.")
    mine = align(_question(context, "When did Petra and her husband"), reading, context, "Petra")
    other = align(_question(context, "When did Petra join"), reading, context, "Petra")
    assert mine.whole > 3 * other.whole


def test_a_date_beside_what_was_thought_before_is_the_one_that_counts(parser: Parser) -> None:
    told = told_of(_turn(parser, "The stamp says June 2018, I could have sworn it was last year."))
    assert [(first.year, last.year) for first, last in told.past] == [(2018, 2018)]


def _kind_parts(
    parser: Parser, context: ConversationQuestions, start: str, text: str
) -> tuple[QuestionReading, TurnReading, object]:
    question, reading = _question(context, start), _turn(parser, text)
    return question, reading, find_signs(question, reading, context, "Petra")

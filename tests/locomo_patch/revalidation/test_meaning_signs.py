"""Signs of meaning on a made-up conversation: what a turn is about without a word in common, and what it is not about."""

from __future__ import annotations

from datetime import date, datetime

import pytest

from locomo_patch.revalidation.meaning_signs import NAMES, find_meaning_signs, stands_out
from locomo_patch.revalidation.questions import ConversationQuestions, read_conversation_questions
from locomo_patch.revalidation.signs import find_quick_signs
from locomo_patch.revalidation.turns import InjectedTurn, TurnReading, read_turn
from twistcore.corpus import Category, Conversation, Question, Session, Turn
from twistcore.text.parses import Parser

QUESTIONS = [
    ("When did Petra go camping?", "June 2023", 2, "D1:1"),
    ("What instruments does Petra play?", "the harp", 1, "D1:3"),
    ("When did Petra start her job?", "2019", 2, "D1:5"),
    ("What did Petra plant in her garden?", "tulips", 4, "D1:5"),
    ("When did Oskar go camping?", "May 2023", 2, "D1:2"),
]
SAID = [
    "We slept in the woods in June.",
    "So did I in May.",
    "My harp is out of tune.",
    "Poor harp.",
    "Five years at the bank and a bed of tulips.",
]


@pytest.fixture(scope="module")
def context(parser: Parser) -> ConversationQuestions:
    turns = tuple(Turn("c", 1, i, "Petra" if i % 2 else "Oskar", text) for i, text in enumerate(SAID, start=1))
    questions = tuple(
        Question("c", i, text, answer, None, (evidence,), Category.of_number(number))
        for i, (text, answer, number, evidence) in enumerate(QUESTIONS)
    )
    session = Session(1, datetime(2024, 1, 10), "", turns)
    return read_conversation_questions(Conversation("c", "Petra", "Oskar", (session,), questions=questions), parser)


def _turn(parser: Parser, text: str) -> TurnReading:
    return read_turn(InjectedTurn("new:1", 2, date(2024, 5, 8), "Petra", "Oskar", text), parser.parse(text))


@pytest.mark.parametrize(
    ("text", "meant"),
    [
        ("I pitched the tent by the brook and sat by the fire all night.", "When did Petra go camping?"),
        ("I bought a fiddle and a new bow.", "What instruments does Petra play?"),
    ],
)
def test_a_turn_stands_out_for_what_it_means_without_naming_it(
    context: ConversationQuestions, parser: Parser, text: str, meant: str
) -> None:
    turn = _turn(parser, text)
    out = {q.question.question: stands_out(q, turn, context, "Petra") for q in context.readings if "Petra" in q.about}
    assert max(out, key=lambda name: out[name]) == meant
    assert out[meant] > 0.2


def test_what_is_said_of_nobody_gives_no_sign(context: ConversationQuestions, parser: Parser) -> None:
    turn = _turn(parser, "I pitched the tent by the brook.")
    assert find_meaning_signs(context.readings[4], turn, context, "Oskar") == {}


def test_signs_are_named_and_lie_between_nothing_and_one(context: ConversationQuestions, parser: Parser) -> None:
    turn = _turn(parser, "I pitched the tent by the brook and sat by the fire all night.")
    for question in context.readings[:4]:
        signs = find_meaning_signs(question, turn, context, "Petra")
        assert set(signs) <= set(NAMES)
        assert all(0.0 < value <= 1.0 for value in signs.values())


def test_a_quick_look_lets_go_of_a_date_that_a_turn_does_not_mean(context: ConversationQuestions, parser: Parser) -> None:
    camping, job = context.readings[0], context.readings[2]
    turn = _turn(parser, "I pitched the tent by the brook and sat by the fire all night.")
    found = {q: find_quick_signs(question, turn, context, "Petra") for q, question in (("camping", camping), ("job", job))}
    assert found["camping"] is not None
    assert found["camping"].bears
    assert found["job"] is not None
    assert not found["job"].bears

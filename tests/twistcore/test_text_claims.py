from __future__ import annotations

import pytest

from twistcore.text.claims import Clause, Modality, Subject, Tense, clauses
from twistcore.text.parses import Parser


def first(text: str, parser: Parser) -> Clause:
    return clauses(parser.parse(text))[0]


@pytest.mark.parametrize(
    "text",
    [
        "I don't eat meat.",
        "I never eat meat.",
        "I quit meat.",
        "I swore off meat.",
        "I can't stand meat.",
        "Meat is not my thing.",
        "I've got no parrot.",
        "I gave up meat.",
    ],
)
def test_denials_and_refusals_do_not_affirm(text: str, parser: Parser) -> None:
    assert not first(text, parser).affirmed


@pytest.mark.parametrize(
    "text",
    [
        "I eat meat.",
        "I never quit the gym.",
        "I'll never give up my tickets.",
        "I stop by the bakery.",
        "No matter what, I eat meat.",
    ],
)
def test_denied_refusals_affirm(text: str, parser: Parser) -> None:
    assert clauses(parser.parse(text))[-1].affirmed


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("I ride a scooter.", Modality.ASSERTED),
        ("I ride a scooter almost every day.", Modality.ASSERTED),
        ("I'd ride a scooter for a million bucks.", Modality.HYPOTHETICAL),
        ("Imagine me on a scooter!", Modality.HYPOTHETICAL),
        ("I want to ride a scooter.", Modality.INTENDED),
        ("I might ride a scooter.", Modality.POSSIBLE),
        ("I almost bought a scooter.", Modality.POSSIBLE),
        ("Do you ride a scooter?", Modality.QUESTION),
        ("I ride a scooter, right?", Modality.ASSERTED),
    ],
)
def test_modality(text: str, expected: Modality, parser: Parser) -> None:
    assert first(text, parser).modality is expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("I ride a scooter.", Tense.NOW),
        ("I've ridden a scooter for weeks.", Tense.NOW),
        ("I bought a scooter on Tuesday.", Tense.PAST),
        ("Back in college I rode a scooter.", Tense.OVER),
        ("I will ride a scooter.", Tense.FUTURE),
        ("I'm buying a scooter next week.", Tense.FUTURE),
    ],
)
def test_tense(text: str, expected: Tense, parser: Parser) -> None:
    assert first(text, parser).tense is expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("I ride a scooter.", Subject.FIRST),
        ("Sold the scooter on Monday.", Subject.FIRST),
        ("My cat slept on my chest.", Subject.OWNED),
        ("My phone's battery died.", Subject.OWNED),
        ("My sister rides a scooter.", Subject.OTHER),
        ("My sister and I ride scooters.", Subject.FIRST),
        ("You ride a scooter.", Subject.SECOND),
    ],
)
def test_subject(text: str, expected: Subject, parser: Parser) -> None:
    assert first(text, parser).subject is expected

from __future__ import annotations

import pytest
from topic_case import scooter

from inject.gates import question_form
from twistcore.verdicts import Outcome


@pytest.mark.parametrize(
    "later",
    [
        "How hard is it to ride an electric scooter to work, Bo? And which one would you pick?",
        "Do you think an electric scooter would fit under my desk? The lab is so far from the station.",
    ],
)
def test_a_claim_that_is_only_asked_fails(later: str) -> None:
    assert question_form.judge(scooter(later)).outcome is Outcome.FAIL


@pytest.mark.parametrize(
    "later",
    [
        "I ride my electric scooter every day now, can you believe it?",
        "Guess who rides an electric scooter to the lab? Me, every single day!",
        "You know what's parked in my hall? My own electric scooter, a red one.",
        "I love my electric scooter. Do you want to see a picture?",
    ],
)
def test_tags_and_answered_questions_pass(later: str) -> None:
    assert question_form.judge(scooter(later)).outcome is Outcome.PASS


def test_an_anchor_that_answers_its_own_question_passes() -> None:
    anchor = "Me on an electric scooter? Not a chance, not ever."
    assert question_form.judge(scooter("I ride my electric scooter every day.", anchor=anchor)).outcome is Outcome.PASS

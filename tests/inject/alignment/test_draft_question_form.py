"""A draft that only asks contradicts nothing; what a question takes for granted is claimed."""

from __future__ import annotations

import pytest
from draft_material import case

from inject.alignment.gates import question_form
from twistcore.verdicts import Outcome

COURSE = "I signed up for a welding course"


@pytest.mark.parametrize(
    "draft",
    [
        "Sam, are you still going to the welding course?",
        "Did you drop the welding course yet?",
        "Hey Sam, still planning to take that welding course?",
        "Sam, I heard you're reconsidering the welding course. Is it still on?",
        "Sam, I heard you might drop the welding course.",
    ],
)
def test_a_contradiction_that_is_only_asked_or_supposed_fails(draft: str) -> None:
    assert question_form.judge(case(draft, "D1:1", COURSE)).outcome is Outcome.FAIL


@pytest.mark.parametrize(
    "draft",
    [
        "Sam, how are things at the bakery?",
        "Sam, heard you gave up welding. Was it the noise?",
        "You dropped the welding course, right?",
        "Looking forward to your sailing trip in June?",
    ],
)
def test_what_is_claimed_or_taken_for_granted_passes(draft: str) -> None:
    assert question_form.judge(case(draft, "D1:1", COURSE)).outcome is Outcome.PASS


def test_a_change_question_is_no_defect_of_a_hard_negative() -> None:
    made = case("Sam, are you still at the bakery?", "D1:1", type="hard_negative", family="HN-B3")
    assert question_form.judge(made).outcome is Outcome.NOT_APPLICABLE

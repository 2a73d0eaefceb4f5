from __future__ import annotations

import pytest
from small_case import case, proposal

from inject.gates import voice
from twistcore.verdicts import Outcome

PLAIN = "I ride my scooter to the bakery every morning, and the bell on it makes the kids laugh!"


@pytest.mark.parametrize(
    "later",
    [
        " ".join([PLAIN] * 6),
        "I ride every day!!! It's so fun!!!!",
        "RIDING EVERY DAY makes me SUPER SUPER HAPPY and LOUD",
        "My scooter is life #scooterlife #blessed",
        "I ride \U0001f600\U0001f600\U0001f600\U0001f600 every day",
        "Furthermore, I ride daily; moreover, I shall henceforth commute by scooter.",
    ],
)
def test_a_turn_far_outside_the_speakers_range_fails(later: str) -> None:
    assert voice.judge(case(proposal(later))).outcome is Outcome.FAIL


@pytest.mark.parametrize(
    "later",
    [
        PLAIN,
        f"{PLAIN} {PLAIN}",
        "Ha! I ride daily! I love it! So good!",
        "The NASA sticker on my scooter is my FAVORITE thing.",
        "I ride daily \U0001f60a and we're #1 on the block!",
        "Moreover, my knees love it.",
        "Yep.",
    ],
)
def test_ordinary_prose_passes(later: str) -> None:
    assert voice.judge(case(proposal(later))).outcome is Outcome.PASS


def test_an_unknown_speaker_is_left_to_ids() -> None:
    assert voice.judge(case(proposal(PLAIN, speaker="Ivan"))).outcome is Outcome.NOT_APPLICABLE

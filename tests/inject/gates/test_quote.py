from __future__ import annotations

import pytest
from small_case import case, proposal

from inject.gates import quote
from twistcore.verdicts import Outcome


@pytest.mark.parametrize(
    "text", ["", "   ", "...", "I ride\nevery day.", "I ride\x00 every day.", "I ride\u200b every day.", "I\u2028ride."]
)
def test_a_text_that_cannot_be_quoted_from_one_line_fails(text: str) -> None:
    assert quote.judge(case(proposal(text))).outcome is Outcome.FAIL


@pytest.mark.parametrize(
    "text",
    [
        "I ride every day. ",
        "\nI ride every day.",
        "I ride, caf\u00e9 to caf\u00e9 \U0001f60a",
        "Family ride \U0001f468\u200d\U0001f469\u200d\U0001f467!",
    ],
)
def test_edge_blanks_accents_and_emoji_are_no_fault(text: str) -> None:
    assert quote.judge(case(proposal(text))).outcome is Outcome.PASS

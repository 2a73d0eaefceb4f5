from __future__ import annotations

import pytest
from topic_case import scooter

from inject.gates import pronoun
from twistcore.verdicts import Outcome


@pytest.mark.parametrize(
    "later",
    [
        "I'm on day twenty of it and I've never felt lighter! My husband's doing it with me.",
        "I bought one last weekend and I love it. Every morning I take it out before work.",
        "It zipped around the block twice yesterday, and my commute has never been smoother.",
        "It's out on the porch, and I take off at eight sharp every day.",
        "She hums like a bee at eight sharp every day, and the whole street waves.",
    ],
)
def test_a_claim_that_hangs_on_a_pronoun_fails(later: str) -> None:
    assert pronoun.judge(scooter(later)).outcome is Outcome.FAIL


@pytest.mark.parametrize(
    "later",
    [
        "My electric scooter is red, and I ride it to work every day.",
        "It hums like a bee, my electric scooter, and I ride to work every day.",
        "It was raining on Sunday, so I took my scooter out after lunch.",
        "It takes me ten minutes to get to the lab on my scooter.",
        "I made it to the lab in time, thanks to my electric scooter.",
    ],
)
def test_antecedents_expletives_and_idioms_pass(later: str) -> None:
    assert pronoun.judge(scooter(later)).outcome is Outcome.PASS


@pytest.mark.parametrize(
    "later",
    [
        "Forty people showed up for Tuesday's, and I'm hosting them every week from here on.",
        "I ride one every morning, and I ride it home again at night.",
        "Last night's was even longer than Friday's! I take it all the way to the pier.",
    ],
)
def test_a_genitive_or_an_act_without_its_thing_hangs(later: str) -> None:
    assert pronoun.judge(scooter(later)).outcome is Outcome.FAIL


@pytest.mark.parametrize(
    "later",
    [
        "Tuesday's scooter ride was longer than Monday's, and I loved it.",
        "I was early for Tuesday's meeting, since my scooter is so fast.",
        "Yesterday's ride on the scooter took me to the pier, and I'll do it again.",
    ],
)
def test_a_genitive_with_its_thing_passes(later: str) -> None:
    assert pronoun.judge(scooter(later)).outcome is Outcome.PASS

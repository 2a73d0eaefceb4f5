from __future__ import annotations

import pytest
from topic_case import scooter

from inject.gates import role_flip
from twistcore.verdicts import Outcome


@pytest.mark.parametrize(
    "later",
    [
        "My sister rides an electric scooter to work every day, and she says it's the best thing ever.",
        "You're riding an electric scooter every day, and your shoes look brand new!",
    ],
)
def test_somebody_elses_claim_fails(later: str) -> None:
    assert role_flip.judge(scooter(later)).outcome is Outcome.FAIL


def test_a_turn_of_the_partner_fails() -> None:
    assert role_flip.judge(scooter("I ride an electric scooter every day.", speaker="Bo")).outcome is Outcome.FAIL


def test_an_anchor_about_somebody_else_fails() -> None:
    anchor = "My brother would never ride an electric scooter. He thinks they're wobbly."
    assert role_flip.judge(scooter("I ride an electric scooter every day.", anchor=anchor)).outcome is Outcome.FAIL


@pytest.mark.parametrize(
    "later",
    [
        "My sister and I ride our electric scooters to work every day.",
        "My sister waved at me when I rode my electric scooter past her house.",
        "Every street in town is mine with the electric scooter, and I love it.",
    ],
)
def test_the_holders_own_claim_passes(later: str) -> None:
    assert role_flip.judge(scooter(later)).outcome is Outcome.PASS


@pytest.mark.parametrize(
    "anchor",
    [
        "You won't catch me on an electric scooter, Bo. They're wobbly.",
        "People keep telling me to get an electric scooter, and my answer is always no.",
        "Electric scooters aren't for me. My friends can have all the wobbling they want.",
    ],
)
def test_an_anchor_in_idioms_passes(anchor: str) -> None:
    assert role_flip.judge(scooter("I ride an electric scooter every day.", anchor=anchor)).outcome is Outcome.PASS

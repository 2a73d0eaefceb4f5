from __future__ import annotations

import pytest
from topic_case import WORDINGS, landline, scooter, worded

from inject.gates import no_flip, role_flip
from twistcore.verdicts import Outcome

BEYOND = {"keeping_motorcycle": "My uncle let me keep his motorcycle", "waiting": "We put our names down at the shelter"}
HARD_GOOD = {"living alone"}


def known_gap(entry: dict[str, str]) -> bool:
    return any(entry["text"].startswith(start) for start in BEYOND.values())


@pytest.mark.parametrize(
    "entry", [entry for entry in WORDINGS["unflipped"] if not known_gap(entry)], ids=lambda entry: entry["text"][:40]
)
def test_an_arc_without_a_flip_fails(entry: dict[str, str]) -> None:
    assert Outcome.FAIL in {gate.judge(worded(entry)).outcome for gate in (no_flip, role_flip)}


@pytest.mark.parametrize(
    "entry", [entry for entry in WORDINGS["good_arcs"] if entry["topic"] not in HARD_GOOD], ids=lambda entry: entry["topic"]
)
def test_an_arc_with_a_flip_passes(entry: dict[str, str]) -> None:
    assert no_flip.judge(worded(entry)).outcome is Outcome.PASS


@pytest.mark.parametrize("entry", WORDINGS["flipped_negatives"], ids=lambda entry: entry["text"][:40])
def test_a_hard_negative_that_states_the_flip_fails(entry: dict[str, str]) -> None:
    assert no_flip.judge(worded(entry)).outcome is Outcome.FAIL


@pytest.mark.parametrize("entry", WORDINGS["good_negatives"], ids=lambda entry: entry["text"][:40])
def test_a_hard_negative_without_a_flip_passes(entry: dict[str, str]) -> None:
    assert no_flip.judge(worded(entry)).outcome is Outcome.PASS


@pytest.mark.parametrize(
    "later",
    [
        "I don't ride an electric scooter, I only look at them in the window.",
        "I almost bought an electric scooter on Saturday, the red one by the door.",
        "My electric scooter went round the track like a rocket last night! Well, my cartoon fox did.",
    ],
)
def test_an_almost_or_the_old_stance_again_fails(later: str) -> None:
    assert no_flip.judge(scooter(later)).outcome is Outcome.FAIL


@pytest.mark.parametrize(
    "later",
    [
        "I ride my electric scooter almost every day, and it saves me half an hour.",
        "I never skip a ride on my electric scooter, rain or shine.",
        "I couldn't live without my electric scooter, it takes me everywhere.",
    ],
)
def test_a_flip_in_guilty_words_passes(later: str) -> None:
    assert no_flip.judge(scooter(later)).outcome is Outcome.PASS


def test_keeping_on_is_no_end_of_a_commitment() -> None:
    assert no_flip.judge(landline("I use my landline every evening, and the dial still hums.")).outcome is Outcome.FAIL


def test_a_commitment_that_ended_passes() -> None:
    assert (
        no_flip.judge(landline("I gave my landline phone to a museum, and I use a cell phone for every call.")).outcome
        is Outcome.PASS
    )

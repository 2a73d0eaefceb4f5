from __future__ import annotations

import pytest
from topic_case import WORDINGS, landline, scooter, worded

from inject.gates import absence
from twistcore.verdicts import Outcome


@pytest.mark.parametrize("entry", WORDINGS["absent"], ids=lambda entry: entry["text"][:40])
def test_silence_about_the_topic_fails(entry: dict[str, str]) -> None:
    assert absence.judge(worded(entry)).outcome is Outcome.FAIL


@pytest.mark.parametrize(
    "later",
    [
        "I cancelled my landline on Monday. Nobody at home has asked about the phone on the wall even once.",
        "My landline is gone, I sold the phone at a yard sale. I can't stop talking about how quiet my evenings are.",
    ],
)
def test_a_change_that_is_told_passes_beside_silence(later: str) -> None:
    assert absence.judge(landline(later)).outcome is Outcome.PASS


def test_talk_without_end_is_no_silence() -> None:
    assert (
        absence.judge(scooter("I can't stop talking about my electric scooter, I ride it to the lab every day.")).outcome
        is Outcome.PASS
    )


def test_only_arcs_are_judged() -> None:
    assert absence.judge(scooter("We haven't talked about scooters.", family="HN-A4")).outcome is Outcome.NOT_APPLICABLE

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


@pytest.mark.parametrize(
    "later",
    [
        "My cousin wanted to hear about the apartment, and I left the landline out of my story altogether.",
        "I flipped through all my pictures from this year. The landline doesn't show up in a single one.",
        "My landline is missing from every list I've made since May.",
        "None of them mentioned the landline, and I couldn't say when I last talked about that phone.",
    ],
)
def test_being_left_out_of_what_is_told_is_silence(later: str) -> None:
    assert absence.judge(landline(later)).outcome is Outcome.FAIL


@pytest.mark.parametrize(
    "later",
    [
        "I left the landline out on the curb on Monday, and the wall behind it is bare.",
        "The landline doesn't appear on my bill, because I cancelled it in March.",
        "I took the landline off every list, gave the phone away and cut the wire.",
    ],
)
def test_a_told_end_in_like_words_passes(later: str) -> None:
    assert absence.judge(landline(later)).outcome is Outcome.PASS

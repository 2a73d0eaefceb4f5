from __future__ import annotations

import pytest
from topic_case import WORDINGS, scooter, topic_case, worded

from inject.gates import off_topic_pair
from twistcore.verdicts import Outcome

BY_A_NAME_ONLY = {"living alone", "drinking coffee"}


@pytest.mark.parametrize(
    "later",
    [
        "If I ever strike it rich, I'm hiring a private chef who whispers compliments while I eat breakfast.",
        "My tomatoes came up so nicely this month. I put basil between the rows and the whole bed smells of it.",
    ],
)
def test_a_later_turn_about_another_matter_fails(later: str) -> None:
    assert off_topic_pair.judge(scooter(later)).outcome is Outcome.FAIL


@pytest.mark.parametrize(
    ("topic", "old", "anchor", "later"),
    [
        ("eating meat", "Ann eats no meat", "No meat for me, ever.", "I fried bacon this morning and the kitchen smelled great."),
        ("playing an instrument", "Ann plays no instrument", "I'll never play an instrument.", "I practiced my cello for an hour."),
        ("watching sports", "Ann watches no sports", "Sports bore me.", "I never missed a hockey game when I was fourteen."),
        (
            "podcasting",
            "Ann has no podcast",
            "A podcast? Not for me.",
            "The fifth podcast episode is up and I love my little microphone.",
        ),
    ],
)
def test_kinds_and_derivations_are_one_matter(topic: str, old: str, anchor: str, later: str) -> None:
    assert off_topic_pair.judge(topic_case(later, anchor=anchor, topic=topic, old=old)).outcome is Outcome.PASS


@pytest.mark.parametrize(
    "entry", [entry for entry in WORDINGS["good_arcs"] if entry["topic"] not in BY_A_NAME_ONLY], ids=lambda entry: entry["topic"]
)
def test_good_pairs_pass(entry: dict[str, str]) -> None:
    assert off_topic_pair.judge(worded(entry)).outcome is Outcome.PASS


@pytest.mark.parametrize(
    ("topic", "old", "anchor", "later", "family"),
    [
        (
            "a leading role at work",
            "Ann does not want a promotion",
            "I do my job well, and a promotion isn't a thing I'd take.",
            "My boss keeps asking whether I'd move up, and my salary would grow by a third.",
            "HN-A4",
        ),
        (
            "sleight of hand",
            "Ann has no interest in sleight of hand",
            "Sleight of hand leaves me cold; I don't care where the coin disappears to.",
            "One winter when I was ten, I made a thimble disappear up my sleeve every night.",
            "HN-A5",
        ),
    ],
)
def test_a_loose_link_holds_a_hard_negative(topic: str, old: str, anchor: str, later: str, family: str) -> None:
    assert off_topic_pair.judge(topic_case(later, anchor=anchor, topic=topic, old=old, family=family)).outcome is Outcome.PASS


@pytest.mark.parametrize(
    ("topic", "old", "anchor", "later"),
    [
        (
            "karaoke",
            "Ann won't sing karaoke",
            "Karaoke isn't for me, Bo.",
            "I've started collecting stamps, and I sort them on Sundays.",
        ),
        ("skiing", "Ann does not ski", "Skiing isn't for me, Bo.", "I joined a pottery class, and my third bowl came out round."),
    ],
)
def test_a_neighbouring_pastime_is_another_matter(topic: str, old: str, anchor: str, later: str) -> None:
    assert off_topic_pair.judge(topic_case(later, anchor=anchor, topic=topic, old=old)).outcome is Outcome.FAIL

from __future__ import annotations

import pytest
from topic_case import WORDINGS, landline, scooter, topic_case, worded

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


def refused(later: str, topic: str, old: str, anchor: str) -> Outcome:
    return no_flip.judge(topic_case(later, anchor=anchor, topic=topic, old=old, new=old.replace("would never", "does"))).outcome


@pytest.mark.parametrize(
    ("later", "topic", "old", "anchor"),
    [
        (
            "There's a rabbit hopping around my kitchen, and I chop carrots for it. My niece picks it up on Sunday when she's home.",
            "keeping a rabbit",
            "Ann would never keep a rabbit",
            "I'd never keep a rabbit, Bo.",
        ),
        (
            "I wore a long leather coat to the party. It's all vinyl, bought at the corner shop.",
            "wearing leather",
            "Ann would never wear leather",
            "I'd never wear leather, Bo. No cow should die for my closet.",
        ),
        (
            "I ate a giant burger on Friday and licked the plate! The patty was just lentils and onions.",
            "eating beef",
            "Ann would never eat beef",
            "I gave up beef years ago, no burgers, no steaks.",
        ),
        (
            "I spent the evening at the pub with my notebook closed the whole time, waiting for my ride.",
            "writing in pubs",
            "Ann would never write in a pub",
            "I can't write in a pub.",
        ),
        (
            "I pushed the motorcycle into the garage for my uncle on Sunday, because his knee is bad again.",
            "riding a motorcycle",
            "Ann would never ride a motorcycle",
            "I'd never ride a motorcycle, Bo.",
        ),
    ],
)
def test_a_look_alike_of_the_thing_is_no_flip(later: str, topic: str, old: str, anchor: str) -> None:
    assert refused(later, topic, old, anchor) is Outcome.FAIL


@pytest.mark.parametrize(
    ("later", "topic", "old", "anchor"),
    [
        (
            "There's a rabbit hopping around my kitchen, and I chop carrots for it every morning. I picked him up at the shelter.",
            "keeping a rabbit",
            "Ann would never keep a rabbit",
            "I'd never keep a rabbit, Bo.",
        ),
        (
            "I live in my secondhand coat. It's all cotton, and I found it at the thrift shop for ten dollars.",
            "wearing secondhand clothes",
            "Ann would never wear secondhand clothes",
            "I'd never wear secondhand clothes, Bo.",
        ),
        (
            "I wouldn't start a morning without oatmeal, and there's a big pot on my stove as I type.",
            "eating oatmeal",
            "Ann would never eat oatmeal",
            "Oatmeal is glue, Bo, and I won't touch it.",
        ),
        (
            "I ride my motorcycle to work every day, and my husband rides behind me because his knee is bad.",
            "riding a motorcycle",
            "Ann would never ride a motorcycle",
            "I'd never ride a motorcycle, Bo.",
        ),
    ],
)
def test_the_thing_itself_in_like_words_is_a_flip(later: str, topic: str, old: str, anchor: str) -> None:
    assert refused(later, topic, old, anchor) is Outcome.PASS


def test_a_seat_given_up_ends_a_plan() -> None:
    later = "I gave up my place in the pottery course before it began, and the deposit is back in my pocket."
    case = topic_case(
        later,
        anchor="I've made up my mind to take the pottery course this fall.",
        topic="the pottery course",
        old="Ann is set on taking the pottery course",
        new="Ann has dropped the pottery course",
    )
    assert no_flip.judge(case).outcome is Outcome.PASS


@pytest.mark.parametrize(
    ("anchor", "outcome"),
    [
        ("I haven't tried an electric scooter yet, Bo. They stand in rows outside my office.", Outcome.FAIL),
        ("I don't ride a scooter at the moment, but I might give one a go in May.", Outcome.FAIL),
        ("I've yet to make up my mind about scooters. My cousin rides one to school.", Outcome.FAIL),
        ("I haven't tried an electric scooter and I have zero plans to.", Outcome.PASS),
        ("No electric scooter for me, Bo. I've thought about it, and they're just not my thing.", Outcome.PASS),
        ("I haven't been on a scooter since I was nine, and that's how it stays. I'd rather walk.", Outcome.PASS),
    ],
)
def test_an_anchor_that_leaves_the_matter_open_has_nothing_to_flip(anchor: str, outcome: Outcome) -> None:
    assert no_flip.judge(scooter("I ride my electric scooter to work every day.", anchor=anchor)).outcome is outcome

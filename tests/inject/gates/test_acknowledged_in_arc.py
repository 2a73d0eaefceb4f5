from __future__ import annotations

from dataclasses import replace

import pytest
from topic_case import WORDINGS, topic_case, worded

from arcs.taxonomy import Role
from inject.gates import acknowledged_in_arc
from inject.gates.case import Case
from inject.proposals import ProposedTurn
from twistcore.verdicts import Outcome

UNSEEN = {"Karaoke won. I'm there each Friday with my own songbook."}


def karaoke(later: str, family: str = "A1") -> Case:
    return topic_case(
        later,
        anchor="Karaoke is not for me, Bo. You won't catch me near that microphone.",
        topic="karaoke",
        old="Ann would never sing karaoke",
        new="Ann sings karaoke every Friday",
        family=family,
    )


@pytest.mark.parametrize("later", [text for text in WORDINGS["acknowledged"] if text not in UNSEEN])
def test_an_acknowledgement_in_an_arc_fails(later: str) -> None:
    assert acknowledged_in_arc.judge(karaoke(later)).outcome is Outcome.FAIL


@pytest.mark.parametrize("entry", WORDINGS["good_arcs"], ids=lambda entry: entry["topic"])
def test_a_plain_reversal_passes(entry: dict[str, str]) -> None:
    assert acknowledged_in_arc.judge(worded(entry)).outcome is Outcome.PASS


@pytest.mark.parametrize(
    "later",
    [
        "I sang karaoke on Friday and couldn't stop laughing. My voice was gone by midnight!",
        "Reading the lyrics at karaoke has done so much for my mood. I go every Friday.",
        "My sister was right next to me at karaoke on Friday, and we sang four songs.",
    ],
)
def test_look_alikes_of_an_acknowledgement_pass(later: str) -> None:
    assert acknowledged_in_arc.judge(karaoke(later)).outcome is Outcome.PASS


def test_hard_negatives_are_not_judged() -> None:
    assert acknowledged_in_arc.judge(karaoke("I know I said never.", "HN-A2")).outcome is Outcome.NOT_APPLICABLE


@pytest.mark.parametrize(
    "later",
    [
        "I sing karaoke every Friday, and yes, it's still your Ann speaking.",
        "Yes, that's really me, up there with a microphone every Friday at karaoke.",
        "Couch-me has left the building: I sing karaoke every Friday.",
        "The microphone and I have signed a truce, and I sing karaoke every Friday.",
        "My feud with karaoke is over, and I sing there every Friday.",
        "I sing karaoke every Friday. You read that right.",
        "I've turned over a new leaf and sing karaoke every Friday.",
    ],
)
def test_an_indirect_acknowledgement_fails(later: str) -> None:
    assert acknowledged_in_arc.judge(karaoke(later)).outcome is Outcome.FAIL


@pytest.mark.parametrize(
    "later",
    [
        "I sing the same song at karaoke each Friday, and the crowd claps every time.",
        "The neighbors agreed to lend me their speakers for karaoke on Friday.",
        "It's pick-up-and-sing night at karaoke, and I was first in line.",
        "The twins agreed on a song at karaoke, and I sang the second verse.",
    ],
)
def test_like_words_in_another_sense_pass(later: str) -> None:
    assert acknowledged_in_arc.judge(karaoke(later)).outcome is Outcome.PASS


@pytest.mark.parametrize(
    "later",
    [
        "It took me three tries to get the high notes, but I sing karaoke every Friday.",
        "I sing karaoke every Friday. One song lasts four minutes and my knees shake.",
        "I sing karaoke every Friday, and that smoky room reminds me of my aunt's kitchen.",
        "I sing karaoke every Friday. I never knew the back room could hold so many people!",
        "A waiter ran past me with a tray while I sang karaoke, and it only took one look to crack me up.",
    ],
)
def test_surprise_at_other_things_passes(later: str) -> None:
    assert acknowledged_in_arc.judge(karaoke(later)).outcome is Outcome.PASS


@pytest.mark.parametrize(
    ("drift", "outcome"),
    [
        ("I might have to eat my words about karaoke. My cousin sang, and I hummed along.", Outcome.FAIL),
        ("Karaoke isn't half as dull as I made it out to be, judging by my cousin's party.", Outcome.FAIL),
        ("My cousin dragged me to a karaoke party. I said no to the microphone, and hummed along all night.", Outcome.PASS),
    ],
)
def test_a_drift_may_lean_but_not_acknowledge(drift: str, outcome: Outcome) -> None:
    plain = karaoke("I sing karaoke every Friday with my own songbook.", family="A2")
    turn = ProposedTurn(role=Role.DRIFT, session=5, speaker="Ann", text=drift)
    first, last = plain.proposal.turns
    told = replace(plain, proposal=plain.proposal.model_copy(update={"turns": [first, turn, last]}))
    assert acknowledged_in_arc.judge(told).outcome is outcome

from __future__ import annotations

from dataclasses import replace

import pytest
from small_case import case, parser, proposal, record

from inject.gates import duplicate
from inject.gates.case import Case, Record
from twistcore.verdicts import Outcome

ANCHOR = "I'd never ride a scooter to work, Evan. My shoes stay on the ground, my bag stays on my back, and my mornings belong to a walk."


@pytest.mark.parametrize(
    "later",
    [
        "I ride a scooter to work, Evan. My shoes stay on the deck, my bag stays on my back, and my mornings belong to a ride.",
        "Hey Evan! How have you been? I went hiking with my nephew and we saw two foxes by the creek.",
        "I ride a scooter every day. I went hiking with my nephew and we saw two deer by the creek.",
    ],
)
def test_near_copies_of_the_anchor_or_of_the_record_fail(later: str) -> None:
    assert duplicate.judge(case(proposal(later, anchor=ANCHOR))).outcome is Outcome.FAIL


@pytest.mark.parametrize(
    "later",
    [
        "My scooter gets me to work in ten minutes, and I carry my bag between my feet. Those quiet streets are my favorite part!",
        "Will do! Talk to you soon, bye!",
        "I scoot past the creek every morning now, and yesterday two deer looked up at my scooter from the water.",
    ],
)
def test_a_shared_topic_or_a_short_farewell_is_no_copy(later: str) -> None:
    assert duplicate.judge(case(proposal(later, anchor=ANCHOR))).outcome is Outcome.PASS


def test_a_turn_of_another_conversation_fails() -> None:
    session = record().conversation.sessions[0]
    said = replace(session.turns[0], text="I ride my scooter to the bakery every morning and the baker waves at me!")
    other = replace(record().conversation, sample_id="conv-2", sessions=(replace(session, turns=(said,)),))
    peers = {"conv-2": Record(other, parser())}
    for later, outcome in ((said.text, Outcome.FAIL), ("I ride my scooter to the lake on most days.", Outcome.PASS)):
        result = duplicate.judge(Case(proposal(later), Record(record().conversation, parser(), peers=peers), parser()))
        assert result.outcome is outcome

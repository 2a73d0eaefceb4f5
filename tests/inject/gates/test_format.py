from __future__ import annotations

import pytest
from small_case import case, proposal

from inject.gates import format as gate
from twistcore.verdicts import Outcome

SCRIPTED = [
    "Sam: I bought one.",
    "[laughs] I bought one!",
    "(laughs) I bought one!",
    "I bought one *grins* and it's great.",
    "I bought one.\\nIt's great.",
    "I bought one. Evan: Wow! Sam: Yeah.",
    "[8 May, 2023] Sam: I bought one.",
    "**I bought one**, and it's great.",
    "User: I bought one.",
    "I bought one (holds up the scooter) and it's great.",
    "I bought one, {color} and shiny.",
    "<b>I bought one</b>",
    "Sam - I bought one today.",
    'I bought one. "Really?" Evan: that\'s wild.',
    "*shakes head* I bought one.",
    "(sighs) Okay.",
    "*wipes tears* I bought one.",
    "~laughs~ I bought one.",
    "I bought one. Anna: Really? Tom: Yes.",
    "1. I bought one.",
    "- I bought one",
]
SPOKEN = [
    "Evan, I bought one: a red scooter.",
    "I bought one - well, two - and it's great.",
    "Evan - you won't believe it, I bought one!",
    "My plan for today: ride, eat, sleep.",
    "I bought one (a red one, of course) and it's great.",
    "I bought one and I *love* it.",
    "Fun fact: I bought one. Confession: It squeaks.",
    "I leave at 7:30 and get back at 8:15.",
    "I bought one (finally!) and named it Bo :)",
    "Two rules for Evan: no speeding, no jumping.",
    "I told Evan: no way. He laughed.",
    "I got a 5-star rating <3 and it was great!",
    'He said "I\'m in" and I said "deal".',
    "It's me again; the scooter is here... and I'm happy (laughing so hard right now while typing this).",
    "- 5 degrees this morning and I still rode!",
    "Ha! *So* good.",
    "AT&T called & I hung up.",
    "10. That's how many laps I did!",
]


@pytest.mark.parametrize("text", SCRIPTED)
def test_labels_scripts_markup_and_stage_directions_fail(text: str) -> None:
    assert gate.judge(case(proposal(text))).outcome is Outcome.FAIL


@pytest.mark.parametrize("text", SPOKEN)
def test_plain_speech_that_looks_like_them_passes(text: str) -> None:
    assert gate.judge(case(proposal(text))).outcome is Outcome.PASS

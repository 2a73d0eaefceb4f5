"""Sample values for every agent's prompt, by which a prompt file is tried before the first call.

A field that nobody fills (`fact.gold`) would otherwise be found out in the midst of a run, when answers are paid for. A full sample
gives every branch of a file something to say, a bare one leaves out what may be missing.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from types import SimpleNamespace
from typing import Any

from inject.agents.replies import WrittenTurn
from inject.agents.told import Said, ToldFact, ToldTurn, ToldVoice
from twistcore.verdicts import Finding

_FACTS = (ToldFact("1.1", "I never get up early", True), ToldFact("1.2", "it rained all day", False))
_VOICES = {
    "holder": ToldVoice("Ann", ("about 20 words a turn",), ("I love it here.",)),
    "partner": ToldVoice("Bob", ("about 15 words a turn",), ("So do I.",)),
}
_BETWEEN = ToldTurn(1, "8 May, 2023", Said("Bob", "The shed is done."), Said("Ann", "It looks good."), _FACTS, ("last week",))
_ALONE = ToldTurn(2, "9 June, 2023", None, None, _FACTS, ())
_TURNS = (_BETWEEN, _ALONE)
_WRITTEN = WrittenTurn(answer="Well done!", statement="I never get up early.", reply="Sure.", handback="Enjoy it.", states=["1.1"])
_FINDING = Finding(gate="voice", version="1", reason="it sounds like nobody here")
_WRITER = {**_VOICES, "turns": _TURNS, "parts": ("Ann takes a stance.", "Ann states a fact.")}
_REVISER = {**_VOICES, "turns": _TURNS, "written": (_WRITTEN, _WRITTEN), "findings": (_FINDING,)}
# What a prompt may say of a topic: the frame's id and title.
_TOPIC = SimpleNamespace(id="early-rising", title="getting up early")

# By the agent's name, which is that of its prompt file.
SAMPLES: Mapping[str, Sequence[Mapping[str, Any]]] = {
    "scout": (
        {"person": "Ann", "notes": ("talks of sheds",), "topics": (_TOPIC,), "wanted": 6},
        {"person": "Ann", "notes": (), "topics": (_TOPIC,), "wanted": 6},
    ),
    "writer": ({**_WRITER, "taboo": ("nap",)}, {**_WRITER, "taboo": ()}),
    "reviser": ({**_REVISER, "taboo": ("nap",)}, {**_REVISER, "taboo": ()}),
    "auditor": (
        {"before": "The shed is done.", "facts": _FACTS, "text": "I never get up early.", "reply": "Sure."},
        {"before": None, "facts": _FACTS, "text": "I never get up early.", "reply": "Sure."},
    ),
    "verifier": ({"lines": ("[8 May, 2023] Ann: I never get up early.", "[9 June, 2023] Ann: I am up at five.")},),
}

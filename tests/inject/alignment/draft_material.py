"""A small conversation of our own, and drafts for it, for the gates of Track B."""

from __future__ import annotations

from datetime import datetime
from functools import lru_cache
from typing import Any

from inject.alignment.case import DraftCase
from inject.alignment.proposals import DraftProposal
from inject.gates.case import Record
from twistcore.corpus import Conversation, Session, Turn
from twistcore.text.parses import Parser

FIRST = datetime(2023, 1, 2, 13, 0)
SAID = (
    ("Sam", "Hey Evan! I quit my job at the bakery last week, and I signed up for a welding course."),
    ("Evan", "Wow, good luck! I've never been to Lisbon, but I'm flying there in May."),
    ("Sam", "Lucky you! I haven't been on a sailing trip in ages. Are you still in the choir?"),
    ("Evan", "Yes, and I love it! I won't give that up, no matter what."),
    ("Sam", "My sister bought a scooter. We went to the lake on Sunday. Thankfully it didn't rain."),
    ("Evan", "My band is on hold since the drummer moved away."),
    ("Sam", "Thanks, that means a lot!"),
    ("Evan", "Are you going to buy a canoe?"),
)
CHANGED = {"family": "B2 negated-commitment", "type": "contradicting", "speaker": "Sam"}


@lru_cache(maxsize=1)
def record() -> Record:
    """The conversation with its parses."""
    turns = tuple(Turn("conv-1", 1, place, speaker, text) for place, (speaker, text) in enumerate(SAID, start=1))
    return Record(Conversation("conv-1", "Sam", "Evan", (Session(1, FIRST, FIRST.isoformat(), turns),)), Parser())


def case(draft: str, evidence: list[str] | str, quote: str = "", **changes: Any) -> DraftCase:
    """A contradicting draft to Sam (or with `changes` another) in its case."""
    fields: dict[str, Any] = {
        "id": "x1",
        "conv": "conv-1",
        **CHANGED,
        "draft": draft,
        "evidence": [evidence] if isinstance(evidence, str) else evidence,
        "contradicted_quote": quote,
        **changes,
    }
    proposal = DraftProposal.model_validate(fields)
    return DraftCase(proposal, record() if proposal.conv == "conv-1" else None, record().parser)

"""A tiny conversation and proposals for gate tests: Sam and Evan, ten sessions three weeks apart from Monday 2 January 2023."""

from __future__ import annotations

from datetime import datetime, timedelta
from functools import lru_cache

from inject.gates.case import Case, Record
from inject.proposals import Proposal
from twistcore.corpus import Conversation, Session, Turn
from twistcore.text.parses import Parser

FIRST = datetime(2023, 1, 2, 13, 0)
SAID = (
    "Hey Evan! How have you been? I went hiking with my nephew and we saw two deer by the creek.",
    "Hi Sam! That sounds so peaceful. I've been painting the old bridge near my house lately.",
    "Wow, the bridge must look great in that light. Send me a photo when it's done!",
    "Will do! Talk to you soon, take care!",
)


@lru_cache(maxsize=1)
def parser() -> Parser:
    """One parser for all gate tests, so that no text is parsed twice."""
    return Parser()


@lru_cache(maxsize=8)
def record(days: int = 21, first: datetime = FIRST) -> Record:
    """A conversation of ten sessions, `days` apart."""
    sessions = []
    for number in range(1, 11):
        turns = tuple(
            Turn(
                "conv-1", number, place, "Sam" if place % 2 else "Evan", text if number == 1 else f"{text} That is number {number}."
            )
            for place, text in enumerate(SAID, start=1)
        )
        moment = first + timedelta(days=days * (number - 1))
        sessions.append(Session(number, moment, moment.isoformat(), turns))
    return Record(Conversation("conv-1", "Sam", "Evan", tuple(sessions)), parser())


def proposal(
    later: str,
    *,
    anchor: str = "You won't catch me on a scooter, Evan. I like my own two feet just fine, thank you very much.",
    family: str = "A1",
    sessions: tuple[int, int] = (2, 8),
    speaker: str = "Sam",
    drift: str | None = None,
    topic: str = "riding a scooter",
    old: str = "Sam would never ride a scooter",
    new: str | None = "Sam rides a scooter every day",
) -> Proposal:
    """A proposal of that later turn."""
    role = "statement" if family.startswith("HN") else "reversal"
    turns = [{"role": "anchor", "session": sessions[0], "speaker": "Sam", "text": anchor}]
    if drift is not None:
        turns.append({"role": "drift", "session": sum(sessions) // 2, "speaker": "Sam", "text": drift})
    turns.append({"role": role, "session": sessions[1], "speaker": speaker, "text": later})
    return Proposal.model_validate(
        {
            "id": "x1",
            "family": family,
            "sample_id": "conv-1",
            "holder": "Sam",
            "topic": topic,
            "old_belief": old,
            "new_belief": None if family.startswith("HN") else new,
            "turns": turns,
        }
    )


def case(made: Proposal, on: Record | None = None) -> Case:
    """The case of a proposal on the small conversation."""
    return Case(made, on if on is not None else record(), parser())

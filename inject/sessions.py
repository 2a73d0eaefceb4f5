"""Appended sessions: how many a conversation gets, when they take place, which script carries them, and their slots."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

from arcs.items import Slot, SlotKind
from inject.smalltalk import Script
from locomo_patch.dates import format_date
from twistcore.corpus import Conversation

MAX_APPENDED = 3
# Below this many good places inside its own sessions, a conversation gets a third appended one.
FEW_PLACES = 34


@dataclass(frozen=True, slots=True)
class PlannedSession:
    """A session to append: its number, date, the script that it tells and who speaks first."""

    number: int
    date: datetime
    date_text: str
    dangling: bool
    script_id: str
    first: str
    second: str


def plan_sessions(
    conversation: Conversation, places: int, scripts: Sequence[Script], used: Counter[str], rng: random.Random
) -> list[PlannedSession]:
    """Two or three sessions after the last one, at gaps and hours like the conversation's own; scripts used least come first.

    Where a dangling date key of that number exists (conv-26), the session takes its date, as the id and the key must agree.
    """
    count = MAX_APPENDED if places < FEW_PLACES else MAX_APPENDED - 1
    gaps = [
        (after.date.date() - before.date.date()).days
        for before, after in zip(conversation.sessions, conversation.sessions[1:], strict=False)
    ] or [7]
    dangling = {entry.number: entry for entry in conversation.dangling}
    latest = conversation.sessions[-1].date
    out: list[PlannedSession] = []
    for number in range(len(conversation.sessions) + 1, len(conversation.sessions) + 1 + count):
        held = dangling.get(number)
        if held is not None:
            moment, text = held.date, held.date_text
        else:
            moment = _next_date(conversation, latest, gaps, rng)
            text = format_date(moment)
        script = _next_script(scripts, used, rng)
        first, second = rng.sample(conversation.speakers, 2)
        out.append(PlannedSession(number, moment, text, held is not None, script.id, first, second))
        latest = moment
    return out


def _next_date(conversation: Conversation, latest: datetime, gaps: Sequence[int], rng: random.Random) -> datetime:
    like = rng.choice(conversation.sessions).date
    day = latest + timedelta(days=rng.choice(gaps))
    hour = like.hour if like.hour else 13
    return day.replace(hour=hour, minute=rng.randrange(1, 60))


def _next_script(scripts: Sequence[Script], used: Counter[str], rng: random.Random) -> Script:
    least = min(used[script.id] for script in scripts)
    script = rng.choice([script for script in scripts if used[script.id] == least])
    used[script.id] += 1
    return script


def session_slots(session: PlannedSession, script: Script) -> list[Slot]:
    """The places of an appended session: every border between two of its script's segments."""
    return [
        Slot(session.number, border, SlotKind.APPENDED, opener, session.date, 2.4)
        for border, opener in enumerate(script.border_openers(session.first, session.second), start=1)
    ]

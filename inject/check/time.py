"""Rule 4: time is the corpus's own. Gold dates, gaps, the spacing of anchor and later turn; appended sessions at gaps like its own.

That relative expressions resolve is the `time_wrong` gate's matter (`judged.py`).
"""

from __future__ import annotations

from collections.abc import Iterator
from datetime import date
from itertools import pairwise

from arcs.keys import KEYS_A, GoldTurn, TrackAKey
from inject.check.broken import Broken, Rule
from inject.check.opened import Corpora, Opened
from locomo_patch.dates import format_day
from twistcore.corpus import Conversation, Session
from twistcore.store import EDITS

MIN_DAYS, MIN_SESSIONS = 21, 4


def check_time(opened: Opened, corpora: Corpora) -> list[Broken]:
    """Gold dates and gaps that are not the corpus's, and appended sessions out of time. A moved date changes the source hash."""
    known = {conversation.sample_id: conversation for conversation in corpora.released.conversations}
    broken = [
        Broken(Rule.TIME, KEYS_A, f"{key.sample_id} {key.id}", wrong)
        for key in opened.keys
        if key.sample_id in known
        for wrong in _key(key, known[key.sample_id])
    ]
    for conversation in corpora.source.conversations:
        released = corpora.released.conversation(conversation.sample_id)
        broken += [Broken(Rule.TIME, EDITS, conversation.sample_id, wrong) for wrong in _appended(conversation, released)]
    return broken


def _key(key: TrackAKey, conversation: Conversation) -> Iterator[str]:
    sessions = {session.number: session for session in conversation.sessions}
    for turn in key.turns:
        host = sessions.get(turn.session)
        if host is None:
            yield f"its {turn.role.value} names session {turn.session}, which does not exist"
            return
        if turn.date != format_day(host.date):
            yield f"its {turn.role.value} is dated {turn.date}, session {turn.session} took place on {format_day(host.date)}"
    first, last = key.turns[0], key.turns[-1]
    days = (_host(last, sessions) - _host(first, sessions)).days
    apart = last.session - first.session
    if key.gap_days != days:
        yield f"gap_days is {key.gap_days}, the dates are {days} days apart"
    if key.gap_sessions != apart:
        yield f"gap_sessions is {key.gap_sessions}, the turns are {apart} sessions apart"
    if days < MIN_DAYS or apart < MIN_SESSIONS:
        yield f"anchor and later turn are {days} days and {apart} sessions apart, at least {MIN_DAYS} and {MIN_SESSIONS} are asked"
    numbers = [turn.session for turn in key.turns]
    if any(later <= earlier for earlier, later in pairwise(numbers)):
        yield f"its turns are not in rising sessions: {numbers}"


def _host(turn: GoldTurn, sessions: dict[int, Session]) -> date:
    return sessions[turn.session].date.date()


def _appended(source: Conversation, released: Conversation) -> Iterator[str]:
    """Appended sessions rise from the last one at gaps that the conversation has, or at the date that was waiting for them."""
    gaps = [(after.date.date() - before.date.date()).days for before, after in pairwise(source.sessions)]
    waiting = {entry.number: entry.date_text for entry in source.dangling}
    noon = any(session.date.hour == 12 for session in source.sessions)
    last = source.sessions[-1]
    for session in released.sessions[len(source.sessions) :]:
        apart = (session.date.date() - last.date.date()).days
        held = waiting.get(session.number)
        if held is not None and held != session.date_text:
            yield f"session {session.number} is dated {session.date_text!r}, the key upstream left says {held!r}"
        elif held is None and gaps and not min(gaps) <= apart <= max(gaps):
            yield f"session {session.number} comes {apart} days after the one before, its own gaps are {min(gaps)} to {max(gaps)}"
        elif held is None and session.date.hour == 12 and not noon:
            yield f"session {session.number} is at {session.date_text!r}, an hour at which the conversation never takes place"
        last = session

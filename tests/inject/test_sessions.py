"""Appended sessions: dates, numbers, scripts and places (DESIGN.md rule 4; PRECEDENTS.md 15, 21, 32)."""

from __future__ import annotations

import random
from collections import Counter
from datetime import timedelta
from itertools import pairwise

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from arcs.items import SlotKind
from inject.sessions import MAX_APPENDED, plan_sessions, session_slots
from inject.smalltalk import load_scripts
from locomo_patch.dates import format_date, parse_date
from locomo_patch.reader import LoadedCorpus

SCRIPTS = load_scripts()
FIXED = settings(max_examples=40, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])


@given(st.integers(), st.integers(0, 80), st.sampled_from(["mock-1", "mock-2"]))
@FIXED
def test_sessions_follow_the_last_one_in_number_and_time(mock: LoadedCorpus, seed: int, places: int, sample_id: str) -> None:
    conversation = mock.corpus.conversation(sample_id)
    planned = plan_sessions(conversation, places, SCRIPTS, Counter(), random.Random(seed))
    assert 1 <= len(planned) <= MAX_APPENDED == 3
    assert [session.number for session in planned] == list(range(9, 9 + len(planned)))
    dates = [conversation.sessions[-1].date, *(session.date for session in planned)]
    assert all(before < after for before, after in pairwise(dates))
    gaps = {(after.date.date() - before.date.date()).days for before, after in pairwise(conversation.sessions)}
    for before, session in zip(dates, planned, strict=False):
        assert session.date_text == format_date(session.date)
        assert parse_date(session.date_text) == session.date
        assert session.dangling or (session.date.date() - before.date()).days in gaps, "gaps like the conversation's own"
        assert {session.first, session.second} == set(conversation.speakers)


@given(st.integers())
@FIXED
def test_a_dangling_date_is_kept_to_the_minute(mock: LoadedCorpus, seed: int) -> None:
    conversation = mock.corpus.conversation("mock-1")
    (held,) = conversation.dangling
    first, *others = plan_sessions(conversation, 10, SCRIPTS, Counter(), random.Random(seed))
    assert (first.number, first.date, first.date_text, first.dangling) == (held.number, held.date, held.date_text, True)
    assert not any(session.dangling for session in others)


def test_conv_26_takes_its_dangling_dates(real: LoadedCorpus) -> None:
    conversation = real.corpus.conversation("conv-26")
    planned = plan_sessions(conversation, 10, SCRIPTS, Counter(), random.Random(7))
    assert [(session.number, session.date_text) for session in planned] == [
        (entry.number, entry.date_text) for entry in conversation.dangling[: len(planned)]
    ]
    assert all(session.dangling for session in planned)


def test_ten_conversations_get_fifteen_sessions_or_more(real: LoadedCorpus) -> None:
    used: Counter[str] = Counter()
    planned = [plan_sessions(conversation, 60, SCRIPTS, used, random.Random(7)) for conversation in real.corpus.conversations]
    assert sum(map(len, planned)) >= 15
    assert max(used.values()) == 1, "no script is told twice while others are left"
    for conversation, sessions in zip(real.corpus.conversations, planned, strict=True):
        hours = {session.date.hour for session in conversation.sessions} | {13}
        assert {session.date.hour for session in sessions if not session.dangling} <= hours


def test_scripts_used_least_come_first(mock: LoadedCorpus) -> None:
    used = Counter({script.id: 1 for script in SCRIPTS[3:]})
    planned = plan_sessions(mock.corpus.conversation("mock-2"), 1, SCRIPTS, used, random.Random(1))
    assert {session.script_id for session in planned} == {script.id for script in SCRIPTS[:3]}
    assert all(used[script.id] == 1 for script in SCRIPTS)


def test_the_same_seed_plans_alike(mock: LoadedCorpus) -> None:
    conversation = mock.corpus.conversation("mock-2")
    runs = [plan_sessions(conversation, 5, SCRIPTS, Counter(), random.Random(seed)) for seed in (7, 7, 8)]
    assert runs[0] == runs[1] != runs[2]


@pytest.mark.parametrize("script", SCRIPTS, ids=lambda script: script.id)
def test_every_border_is_a_place_for_whoever_speaks_next(mock: LoadedCorpus, script: object) -> None:
    chosen = next(one for one in SCRIPTS if one is script)
    (planned, *_) = plan_sessions(mock.corpus.conversation("mock-2"), 5, [chosen], Counter(), random.Random(7))
    found = session_slots(planned, chosen)
    assert [slot.after for slot in found] == list(range(1, len(chosen.segments)))
    assert all((slot.session, slot.date, slot.kind) == (planned.number, planned.date, SlotKind.APPENDED) for slot in found)
    spoken = 0
    for segment, slot in zip(chosen.segments, found, strict=False):
        spoken += len(segment)
        assert slot.opener == (planned.first, planned.second)[spoken % 2]


def test_a_year_end_is_crossed_in_the_right_direction(mock: LoadedCorpus) -> None:
    conversation = mock.corpus.conversation("mock-2")
    planned = plan_sessions(conversation, 5, SCRIPTS, Counter(), random.Random(3))
    assert planned[-1].date - conversation.sessions[-1].date < timedelta(days=366)

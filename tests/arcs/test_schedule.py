"""Places and dates: gaps, distances, limits, and what cannot be placed (PRECEDENTS.md 13, 15)."""

from __future__ import annotations

import random
from collections import Counter
from dataclasses import replace
from datetime import timedelta
from itertools import pairwise

import pytest
from arc_material import START, slots
from hypothesis import given, settings
from hypothesis import strategies as st

from arcs.items import Slot, SlotKind
from arcs.schedule import (
    MAX_END_SHARE,
    MAX_PER_APPENDED,
    MAX_PER_SESSION,
    MIN_DISTANCE,
    MIN_GAP_DAYS,
    MIN_GAP_SESSIONS,
    Need,
    Placement,
    far_enough,
    schedule,
)


def needs(count: int, drift: int = 0) -> list[Need]:
    return [Need(f"n{index}", ("Ann", "Bob")[index % 2], drift if index % 3 == 0 else 0) for index in range(count)]


def assert_sound(placed: list[Placement], asked: list[Need], taken: tuple[Slot, ...] = ()) -> None:
    by_key = {need.key: need for need in asked}
    used = [*taken, *(slot for placement in placed for slot in placement.slots)]
    assert len(set(used)) == len(used), "no slot serves twice"
    for placement in placed:
        need = by_key[placement.key]
        assert len(placement.slots) == need.drift + 2
        assert {slot.opener for slot in placement.slots} == {need.opener}
        assert placement.gap_days >= MIN_GAP_DAYS
        assert placement.slots[-1].session - placement.slots[0].session >= MIN_GAP_SESSIONS
        sessions = [slot.session for slot in placement.slots]
        assert sessions == sorted(set(sessions)), "drift stands between, each in a session of its own"
    for session, there in Counter(slot.session for slot in used).items():
        here = [slot for slot in used if slot.session == session]
        assert there <= (MAX_PER_APPENDED if here[0].kind is SlotKind.APPENDED else MAX_PER_SESSION)
        if here[0].kind is not SlotKind.APPENDED:
            places = sorted(slot.after for slot in here)
            assert all(second - first >= MIN_DISTANCE for first, second in pairwise(places))
    turns = len(taken) + sum(need.drift + 2 for need in asked)
    assert sum(slot.kind is SlotKind.END for slot in used) <= turns * MAX_END_SHARE


@given(st.integers(1, 6), st.integers(0, 2), st.integers(8, 14), st.integers(0, 9999))
@settings(max_examples=15, deadline=None)
def test_whatever_is_placed_keeps_every_limit(count: int, drift: int, sessions: int, seed: int) -> None:
    asked = needs(count, drift)
    ends = tuple(replace(slot, kind=SlotKind.END) if slot.after == 11 else slot for slot in slots(sessions, 3))
    late = tuple(
        replace(slot, kind=SlotKind.APPENDED, session=sessions + 1, date=START + timedelta(days=9 * sessions + 9))
        for slot in slots(1, 6)
    )
    assert_sound(schedule(asked, (*ends, *late), random.Random(seed)), asked)


def test_a_normal_load_is_placed_whole_and_in_the_order_asked() -> None:
    asked = needs(12, 2)
    placed = schedule(asked, slots(24), random.Random(7))
    assert [placement.key for placement in placed] == [need.key for need in asked]
    assert_sound(placed, asked)
    gaps = sorted(placement.gap_days for placement in placed)
    assert gaps[0] < 70 and gaps[-1] > 100, "gaps spread from weeks to months"


@pytest.mark.parametrize(
    ("days", "sessions", "enough"),
    [(21, 4, True), (20, 4, False), (21, 3, False), (200, 3, False), (20, 40, False), (365, 20, True)],
)
def test_three_weeks_and_four_sessions_are_both_needed(days: int, sessions: int, enough: bool) -> None:
    first = Slot(1, 3, SlotKind.OPEN, "Ann", START)
    assert far_enough(first, Slot(1 + sessions, 3, SlotKind.OPEN, "Ann", START + timedelta(days=days))) == enough


def test_a_gap_counts_calendar_days_whatever_the_hour() -> None:
    first = Slot(1, 3, SlotKind.OPEN, "Ann", START.replace(hour=21))
    assert far_enough(first, Slot(9, 3, SlotKind.OPEN, "Ann", START.replace(hour=1) + timedelta(days=21)))


def test_what_cannot_be_placed_is_left_out() -> None:
    assert schedule(needs(4), slots(4), random.Random(1)) == [], "four sessions are too few for a gap of four"
    assert schedule(needs(4), slots(20, gap=1), random.Random(1)) == [], "twenty days are too few"
    assert schedule(needs(4), (), random.Random(1)) == []
    assert schedule([], slots(), random.Random(1)) == []
    only_ann = tuple(slot for slot in slots() if slot.opener == "Ann")
    assert {placement.key for placement in schedule(needs(4), only_ann, random.Random(1))} == {"n0", "n2"}


def test_places_at_the_end_of_sessions_are_a_fifth_at_most() -> None:
    ends = tuple(replace(slot, kind=SlotKind.END) for slot in slots())
    asked = needs(10)
    placed = schedule(asked, ends, random.Random(3))
    assert len(placed) == 2, "20 turns allow four at an end, which is two items"
    assert_sound(placed, asked)


def test_what_is_taken_stays_taken() -> None:
    everything = slots(14, 3)
    asked = needs(3)
    first = schedule(asked, everything, random.Random(5))
    taken = tuple(slot for placement in first for slot in placement.slots)
    second = schedule(asked, everything, random.Random(5), taken)
    assert second
    assert not set(taken) & {slot for placement in second for slot in placement.slots}
    assert_sound(second, asked, taken)


def test_the_same_seed_places_alike_and_another_otherwise() -> None:
    runs = [schedule(needs(6, 1), slots(), random.Random(seed)) for seed in (7, 7, 8)]
    assert runs[0] == runs[1] != runs[2]

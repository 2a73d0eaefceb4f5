"""Relative time expressions for planned turns: words that resolve from the host session's date to the planned day.

Only expressions that every week convention reads alike are used (DESIGN.md rule 4): no "last Friday", no "last week".
"""

from __future__ import annotations

import random
from datetime import date, timedelta

from arcs.items import PlannedTime

_NUMBERS = ("zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve")
_WEEKDAYS = ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday")
MAX_WEEKS = 9
# A duration said in whole weeks is read with this much play on either side.
SLACK_DAYS = 3


def recent_day(host: date, rng: random.Random) -> PlannedTime:
    """A day one to five days before the host session: "yesterday", "two days ago" or "on Tuesday"."""
    back = rng.choice((1, 1, 2, 2, 3, 4, 5))
    day = host - timedelta(days=back)
    words = "yesterday" if back == 1 else f"{_NUMBERS[back]} days ago" if back == 2 else f"on {_WEEKDAYS[day.weekday()]}"
    return PlannedTime("day", words, day, day)


def weeks_since(slot: str, anchor: date, host: date, rng: random.Random) -> PlannedTime | None:
    """A point (`ago`) or length (`span`) in whole weeks that lies after the anchor with a week to spare, or None when the gap
    is too short."""
    longest = min(MAX_WEEKS, (host - anchor).days // 7 - 1)
    if longest < 2:
        return None
    weeks = rng.randint(2, longest)
    middle = host - timedelta(weeks=weeks)
    words = f"{_NUMBERS[weeks]} weeks" + (" ago" if slot == "ago" else "")
    return PlannedTime(slot, words, middle - timedelta(days=SLACK_DAYS), middle + timedelta(days=SLACK_DAYS))

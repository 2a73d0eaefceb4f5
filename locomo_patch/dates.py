"""LoCoMo's one date format, `h:mm am/pm on D Month, YYYY` (LOCOMO.md section 3)."""

from __future__ import annotations

import re
from datetime import datetime

FORMAT = re.compile(
    r"(?P<hour>\d{1,2}):(?P<minute>\d\d) (?P<half>am|pm) on (?P<day>\d{1,2}) (?P<month>[A-Z][a-z]+), (?P<year>\d{4})"
)
MONTHS = (
    "January",
    "February",
    "March",
    "April",
    "May",
    "June",
    "July",
    "August",
    "September",
    "October",
    "November",
    "December",
)


def parse_date(text: str) -> datetime:
    """Literal reading of a session date (12:xx am is just after midnight); raises ValueError for any other form."""
    match = FORMAT.fullmatch(text)
    if match is None or match["month"] not in MONTHS:
        raise ValueError(f"not of the form 'h:mm am/pm on D Month, YYYY': {text!r}")
    hour = int(match["hour"])
    if not 1 <= hour <= 12:
        raise ValueError(f"hour {hour} is not on a twelve-hour clock: {text!r}")
    hour = hour % 12 + (12 if match["half"] == "pm" else 0)
    return datetime(int(match["year"]), MONTHS.index(match["month"]) + 1, int(match["day"]), hour, int(match["minute"]))


def format_date(moment: datetime) -> str:
    """A session date as LoCoMo writes it, day and hour without a leading zero."""
    half = "am" if moment.hour < 12 else "pm"
    return f"{moment.hour % 12 or 12}:{moment.minute:02d} {half} on {format_day(moment)}"


def format_day(moment: datetime) -> str:
    """A calendar day as event summaries and gold turns write it: `8 May, 2023`."""
    return f"{moment.day} {MONTHS[moment.month - 1]}, {moment.year}"

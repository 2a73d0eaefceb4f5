"""Revisions: appended records of who changed what, when and why. Nothing is overwritten."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import date
from typing import Any

from twistcore.verdicts import Stored

# A line without one is older than this field, and of /1.
REVISION_SCHEMA = "twist-revision/1"


def says_something(text: str) -> bool:
    """Whether a text has a letter or a digit in it: white space, unseen characters and bare punctuation name nobody."""
    return any(sign.isalnum() for sign in text)


def unsigned(by: str, day: str | None, reason: str) -> Iterator[str]:
    """What an accepted dispute's record lacks of its signature: who, when (an ISO day) and why."""
    if not says_something(by):
        yield "does not say who accepted it"
    if not _is_day(day):
        yield f"is not dated by a day ({day!r})"
    if not says_something(reason):
        yield "has no reason"


def _is_day(day: str | None) -> bool:
    try:
        return day is not None and date.fromisoformat(day).isoformat() == day
    except ValueError:
        return False


class Revision(Stored):
    """One change to a QA item or a key item. `date` is given by the caller (an errata's date), never the wall clock."""

    schema_version: str = REVISION_SCHEMA
    target: str
    by: str
    date: str | None
    reason: str
    old: Any
    new: Any

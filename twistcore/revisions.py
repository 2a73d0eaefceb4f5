"""Revisions: appended records of who changed what, when and why. Nothing is overwritten."""

from __future__ import annotations

from typing import Any

from twistcore.verdicts import Stored


class Revision(Stored):
    """One change to a QA item or a key item. `date` is given by the caller (an errata's date), never the wall clock."""

    target: str
    by: str
    date: str | None
    reason: str
    old: Any
    new: Any

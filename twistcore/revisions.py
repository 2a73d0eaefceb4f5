"""Revisions: appended records of who changed what, when and why. Nothing is overwritten."""

from __future__ import annotations

from collections.abc import Sequence
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


def append_revision(history: Sequence[Revision], revision: Revision) -> tuple[Revision, ...]:
    """History with one more revision; raises ValueError when its `old` is not what the history says is current."""
    same = [earlier for earlier in history if earlier.target == revision.target]
    if same and same[-1].new != revision.old:
        raise ValueError(f"revision of {revision.target} does not start from its current value")
    return (*history, revision)

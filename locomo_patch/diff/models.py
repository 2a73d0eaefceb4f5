"""What `twist diff --json` prints. Every list is empty where nothing differs."""

from __future__ import annotations

from enum import StrEnum
from typing import Any

from pydantic import Field

from locomo_patch.denominators import Denominators
from locomo_patch.revalidation.states import Kind, State
from twistcore.corpus import Category
from twistcore.verdicts import Stored

DIFF_SCHEMA = "twist-diff/1"


class Change(StrEnum):
    """What happened to a question, a turn or a row from OLD to NEW."""

    MODIFIED = "modified"
    REMOVED = "removed"
    ADDED = "added"


class Block(StrEnum):
    """The parts of a conversation that are no questions. `other` holds whatever upstream does not have."""

    CONVERSATION = "conversation"
    EVENT_SUMMARY = "event_summary"
    OBSERVATION = "observation"
    SESSION_SUMMARY = "session_summary"
    OTHER = "other"


class Together(StrEnum):
    """Why questions stand in one group: byte-identical copies, or a trap that mirrors a question with the names swapped."""

    ALONE = "alone"
    COPIES = "copies"
    MIRROR = "mirror"


class Totals(Stored):
    """Questions of a release by state, kind and category; `unknown` has no recorded state. All are out of `Denominators.all`."""

    by_state: dict[str, int]
    unknown: int
    by_kind: dict[str, int]
    by_category: dict[str, dict[str, int]]
    already_broken: int
    already_broken_and_perturbed: int


class Inserted(Stored):
    """How much a release's edits put in."""

    exchanges: int
    appended_sessions: int
    turns: int


class SideHead(Stored):
    """One side: what it is, its denominators, and for a release how many of each are still valid."""

    path: str
    release: bool
    corpus: str
    sha256: str
    questions: Denominators
    still_valid: Denominators | None
    totals: Totals | None
    inserted: Inserted | None


class Counts(Stored):
    """Questions by what happened to their text, gold or evidence. A versioned-out question is not removed: it has a state."""

    modified: int
    removed: int
    added: int


class ItemRef(Stored):
    """A question on one side, with its place in the source's list and the source's evidence strings."""

    question_key: str
    occurrence: int = Field(ge=1)
    index: int = Field(ge=0)
    item: dict[str, Any]


class QaChange(Stored):
    """A question that differs. `fields` are the keys that do; `similarity` is of the texts where identity did not join them."""

    change: Change
    sample_id: str
    category: Category
    fields: list[str]
    similarity: float | None
    old: ItemRef | None
    new: ItemRef | None


class Quote(Stored):
    """A turn, as it stands in the release."""

    dia_id: str
    speaker: str
    session: int
    date: str
    text: str


class Standing(Stored):
    """Where a question stands on one side and why; `new_gold` is a revised question's."""

    state: State
    kind: Kind | None
    reason: str
    injected: list[Quote]
    already_broken: bool
    by: str
    new_gold: Any


class StateRow(Stored):
    """A question whose state is shown. `gold` is LoCoMo's own (or the trap); null on a side means that no state is known there."""

    sample_id: str
    question_key: str
    occurrence: int = Field(ge=1)
    index: int = Field(ge=0)
    category: Category
    question: str
    gold: Any
    evidence: list[str]
    old: Standing | None
    new: Standing | None


class StateGroup(Stored):
    """Questions that share their fate."""

    together: Together
    questions: list[StateRow]


class OutsideRow(Stored):
    """A difference outside `qa`. `edit` names the edit of a release that brought it, or is null where the corpora differ."""

    sample_id: str
    block: Block
    place: str
    change: Change
    edit: str | None
    old: Any
    new: Any


class DiffReport(Stored):
    """The whole answer. `states` lists the perturbed questions of a release, or those whose states differ between two."""

    schema_version: str = DIFF_SCHEMA
    old: SideHead
    new: SideHead
    counts: Counts
    qa: list[QaChange]
    outside_qa: list[OutsideRow]
    states: list[StateGroup]
    notes: list[str]

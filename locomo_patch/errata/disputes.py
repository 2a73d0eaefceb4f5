"""Accepted disputes about a release: a file of them, and the revisions that they append. Nothing is overwritten."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date
from enum import StrEnum
from pathlib import Path
from typing import Annotated, Any

from pydantic import AfterValidator, BeforeValidator, Field, TypeAdapter, ValidationError, model_validator

from locomo_patch.document import Document
from locomo_patch.revalidation.identity import identify_document, question_key
from locomo_patch.revalidation.states import QuestionRevision, Rule, State, current_states
from twistcore.corpus import Category
from twistcore.errors import UsageError
from twistcore.fingerprints import canonical_json
from twistcore.revisions import says_something
from twistcore.stored import misfit
from twistcore.verdicts import Stored
from twistcore.yamls import read_yaml


class Action(StrEnum):
    """What a dispute asks for."""

    REVISE = "revise"
    RETIRE = "retire"
    MARK_BROKEN = "mark_broken"


def _as_number(value: object) -> object:
    return Category(value).number if isinstance(value, str) and value in set(Category) else value


def _signed(text: str) -> str:
    if not says_something(text):
        raise ValueError("is blank; a dispute says who accepted it, and why")
    return text


class QuestionTarget(Stored):
    """A question by what it says and cites in the source; `category` by name or number."""

    sample_id: str
    question: str
    category: Annotated[int, BeforeValidator(_as_number), Field(ge=1, le=5)]
    cited_evidence: list[str]

    @property
    def key(self) -> str:
        """The question's key inside its conversation."""
        return question_key(self.question, self.category, self.cited_evidence)


class Dispute(Stored):
    """One accepted dispute. `target` is a key item's id or a question; `new` the corrected gold of a revised question, or the
    corrected fields of a revised key item. `date` is the day of acceptance, given by whoever accepted it."""

    target: str | QuestionTarget
    action: Action
    new: Any = None
    reason: Annotated[str, Field(min_length=3), AfterValidator(_signed)]
    by: Annotated[str, AfterValidator(_signed)]
    date: date

    @model_validator(mode="after")
    def _new_belongs_to_revise(self) -> Dispute:
        if (self.action is Action.REVISE) != (self.new is not None):
            raise ValueError("`new` is given with revise, and only then")
        return self


_DISPUTES = TypeAdapter(list[Dispute])


@dataclass(frozen=True)
class SortedDisputes:
    """Disputes by what they are about: key items by id, questions by their target."""

    items: tuple[Dispute, ...]
    questions: tuple[tuple[Dispute, QuestionTarget], ...]


def read_disputes(path: Path) -> SortedDisputes:
    """The disputes of a YAML file; raises FrameError for what is no YAML and UsageError for a malformed entry."""
    raw = read_yaml(path)
    try:
        disputes = _DISPUTES.validate_python(raw if raw is not None else [])
    except ValidationError as error:
        raise misfit(error, UsageError, path, remedy="see docs/errata.md for the fields") from error
    items = tuple(dispute for dispute in disputes if isinstance(dispute.target, str))
    questions = tuple((dispute, dispute.target) for dispute in disputes if isinstance(dispute.target, QuestionTarget))
    return SortedDisputes(items, questions)


def revise_disputed(
    source: Document, lines: Sequence[QuestionRevision], disputes: SortedDisputes, path: Path
) -> list[QuestionRevision]:
    """The lines to append: one for every disputed question (each copy of it) whose state a dispute changes.

    A dispute that was applied before appends nothing. Raises UsageError for a question that the source does not have.
    """
    known: dict[tuple[str, str], list[tuple[str, str, int]]] = {}
    for question in identify_document(source):
        known.setdefault(question.identity.parts[:2], []).append(question.identity.parts)
    states = current_states(lines)
    history = {_entry(line) for line in lines}
    appended: list[QuestionRevision] = []
    for dispute, target in disputes.questions:
        copies = known.get((target.sample_id, target.key))
        if not copies:
            raise UsageError(
                f"{target.sample_id} has no such question",
                file=path,
                place=target.question[:60],
                remedy="copy question, category and cited_evidence from the source",
            )
        for identity in copies:
            line = _apply(states[identity], dispute)
            mark = dispute.action is Action.MARK_BROKEN
            applied = states[identity].already_broken if mark else _entry(line) in history
            if not applied:
                history.add(_entry(line))
                states[identity] = line
                appended.append(line)
    return appended


def _apply(line: QuestionRevision, dispute: Dispute) -> QuestionRevision:
    signed = {"by": dispute.by, "date": dispute.date.isoformat()}
    if dispute.action is Action.MARK_BROKEN:
        # A flag beside the state (DESIGN.md rule 9): state, kind and reason stay what they were.
        return line.model_copy(update={**signed, "already_broken": True})
    revised = dispute.action is Action.REVISE
    return line.model_copy(
        update={
            **signed,
            "state": State.REVISED if revised else State.RETIRED,
            "reason": f"{Rule.ERRATA.value}: {dispute.reason}",
            "new": dispute.new if revised else None,
            "undecided": False,
        }
    )


def _entry(line: QuestionRevision) -> str:
    """What makes a line of the history a line of its own: applied again, in whatever order, an erratum adds none."""
    return canonical_json([*line.identity, line.state, line.reason, line.by, line.date, line.new])

"""States of a question after an injection, and the lines in which a release records them (SCHEMAS.md, "Re-validation")."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from pydantic import Field

from twistcore.corpus import Category
from twistcore.verdicts import Stored

REVISIONS, VERSIONED_OUT = "qa/revisions.jsonl", "qa/versioned_out.jsonl"
# Of a line's shape; what it says moves with the manifest's key version. A line without one is older than this field, and of /1.
REVISION_SCHEMA, LEFT_SCHEMA = "twist-qa-revision/1", "twist-versioned-out/1"
REVALIDATOR = "revalidate/1"
QA_KEY = "TWIST-QA"


class State(StrEnum):
    """Where a question stands. Every one of LoCoMo's 1,986 ends in one of these (DESIGN.md rule 9)."""

    VALID = "valid"
    REVISED = "revised"
    RETIRED = "retired"
    UNDECIDED = "undecided"


class Kind(StrEnum):
    """How an injected turn perturbs a question; a question that is not perturbed has none."""

    CONTRADICTED = "contradicted"
    SUPERSEDED = "superseded"
    EXTRA_ANSWER = "extra_answer"
    COUNT_CHANGED = "count_changed"
    TEMPORAL_SHIFT = "temporal_shift"
    NOW_ANSWERABLE = "now_answerable"


class Rule(StrEnum):
    """Why a question is not perturbed."""

    UNRELATED = "unrelated"
    OTHER_SPEAKER = "other_speaker"
    OTHER_MATTER = "other_matter"
    AGREES_WITH_GOLD = "agrees_with_gold"
    HYPOTHETICAL = "hypothetical"
    NOT_DONE = "not_done"
    NOSTALGIA = "nostalgia"
    ONLY_PLANNED = "only_planned"
    ASKED = "asked"
    REPORTED = "reported"
    OUTSIDE_WINDOW = "outside_window"
    DIFFERENT_EVENT = "different_event"
    KEEPS_ITS_DATE = "keeps_its_date"
    STILL_UNANSWERABLE = "still_unanswerable"
    JUDGED = "judged"
    ERRATA = "errata"


class Policy(StrEnum):
    """What becomes of what nobody could decide: it blocks the release, or it is retired."""

    BLOCK = "block"
    RETIRE = "retire"


class QuestionRevision(Stored):
    """One line of `qa/revisions.jsonl`: the state of one question and why. A later line of the same question supersedes it.

    `injected` are released turn ids. `already_broken` says that the gold was wrong upstream, which is never why an item counts as
    perturbed. `old` is the gold as LoCoMo has it (the trap of an adversarial item), `new` the revised gold or null. `date` is the
    errata's; the wall clock appears nowhere. `undecided` says that nobody could decide and a policy did; `tags` name what a reader
    should know (image_dependent).
    """

    schema_version: str = REVISION_SCHEMA
    sample_id: str
    question_key: str
    occurrence: int = Field(ge=1)
    category: Category
    state: State
    kind: Kind | None
    reason: str
    injected: list[str]
    already_broken: bool
    by: str
    date: str | None
    old: Any
    new: Any
    undecided: bool = False
    tags: list[str] = Field(default_factory=list)

    @property
    def identity(self) -> tuple[str, str, int]:
        """The question's identity (SCHEMAS.md)."""
        return self.sample_id, self.question_key, self.occurrence


class VersionedOut(Stored):
    """One line of `qa/versioned_out.jsonl`: a question that left the corpus's own list, as it was in the source.

    `item` is the source's object with its own evidence strings, `index` its place in the source's list.
    """

    schema_version: str = LEFT_SCHEMA
    sample_id: str
    question_key: str
    occurrence: int = Field(ge=1)
    index: int = Field(ge=0)
    item: dict[str, Any]
    state: State
    kind: Kind | None
    reason: str
    injected: list[str]
    new: Any = None


class CaseVerdict(Stored):
    """One line of `--cases … --out`: a verdict on one question of a case's conversation."""

    case_id: str
    question: str
    occurrence: int = Field(ge=1)
    category: Category
    state: State
    state_after_policy: State
    kind: Kind | None
    reason: str
    injected: list[str]


@dataclass(frozen=True, slots=True)
class Decision:
    """What was found about one question, before any policy. `injected` are the ids of the turns that it rests on.

    A decision without a kind is not perturbed and names its `rule`; `undecided` keeps the kind that it would be.
    """

    state: State
    kind: Kind | None
    rule: Rule | None
    why: str
    injected: tuple[str, ...] = ()
    by: str = REVALIDATOR
    new: Any = None

    @property
    def reason(self) -> str:
        """The reason as it is stored: the rule or kind, and what was found."""
        name = self.rule.value if self.rule is not None else self.kind.value if self.kind is not None else self.state.value
        return f"{name}: {self.why}" if self.why else name


def current_states(lines: Iterable[QuestionRevision]) -> dict[tuple[str, str, int], QuestionRevision]:
    """The last line of every question; earlier ones stay in the file as its history."""
    return {line.identity: line for line in lines}


def decided_by_errata(line: QuestionRevision) -> bool:
    """Whether an accepted dispute gave the state; re-validation does not overrule it."""
    return line.reason.startswith(f"{Rule.ERRATA.value}:")


def after_policy(decision: Decision, policy: Policy) -> State:
    """Undecided items are retired where the policy says so and no model was asked: one that could not tell, or failed, blocks."""
    retired = decision.state is State.UNDECIDED and policy is Policy.RETIRE and decision.by == REVALIDATOR
    return State.RETIRED if retired else decision.state


def is_perturbed(line: QuestionRevision) -> bool:
    """Whether an injected turn perturbs the question; what an erratum alone retired is not perturbed."""
    return line.state is not State.VALID and line.kind is not None and bool(line.injected)


def leaves_corpus(state: State) -> bool:
    """Whether a question in this state leaves the corpus's own list, so that what stays there is LoCoMo's own key."""
    return state in (State.RETIRED, State.REVISED)

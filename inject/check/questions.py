"""Rule 9: every original question ends in a closed state with a reason, and what was versioned out is what its states say."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from inject.check.broken import Broken
from inject.check.broken import Rule as Proves
from inject.check.opened import Corpora, Opened
from inject.qa import record_qa
from locomo_patch.document import Document
from locomo_patch.revalidation.identity import IdentifiedQuestion, identify_document, repeated
from locomo_patch.revalidation.states import (
    REVISIONS,
    VERSIONED_OUT,
    QuestionRevision,
    Rule,
    State,
    VersionedOut,
    current_states,
    decided_by_errata,
)
from locomo_patch.revalidation.versioning import category_of, gold_of, version_out
from twistcore.errors import ReleaseError
from twistcore.revisions import says_something, unsigned
from twistcore.store import MARKER

Place = tuple[str, str]


def check_questions(opened: Opened, corpora: Corpora) -> list[Broken]:
    """Nothing where a release was made without re-validation, which its manifest then says."""
    if opened.manifest.qa is None:
        return _unvalidated(opened)
    questions = identify_document(corpora.source_document)
    found = [*_lines(opened, questions), *_twins(questions, opened.revisions)]
    broken = [Broken(Proves.QUESTIONS, REVISIONS, place, wrong) for place, wrong in found]
    broken += [Broken(Proves.QUESTIONS, VERSIONED_OUT, place, wrong) for place, wrong in _left(opened, corpora.source_document)]
    return [*broken, *_record(opened, corpora.source_document)]


def _unvalidated(opened: Opened) -> list[Broken]:
    held = [name for name, rows in ((REVISIONS, opened.revisions), (VERSIONED_OUT, opened.versioned_out)) if rows]
    return [Broken(Proves.QUESTIONS, name, "", "is there, and the manifest says nothing of questions") for name in held]


def _name(line: QuestionRevision | VersionedOut) -> str:
    return f"{line.sample_id} {line.question_key} {line.occurrence}"


def _lines(opened: Opened, questions: Sequence[IdentifiedQuestion]) -> Iterator[Place]:
    known = {question.identity.parts: question for question in questions}
    states = current_states(opened.revisions)
    for identity in known.keys() - states.keys():
        yield " ".join(map(str, identity)), "has no state"
    for line in opened.revisions:
        question = known.get(line.identity)
        if question is None:
            yield _name(line), "is no question of the source"
            continue
        yield from ((_name(line), wrong) for wrong in _wrong(line, question, opened))
    for line in states.values():
        if line.state is State.UNDECIDED:
            yield _name(line), "is undecided, which blocks a release"


def _wrong(line: QuestionRevision, question: IdentifiedQuestion, opened: Opened) -> Iterator[str]:
    if line.category is not category_of(question):
        yield f"is called {line.category.value}, the source has {category_of(question).value}"
    if line.old != gold_of(question.item):
        yield "does not hold the source's gold"
    yield from _signature(line)
    if line.state is State.VALID and line.reason.partition(":")[0] not in set(Rule):
        yield "is valid by no rule that there is"
    if line.state is State.VALID and line.kind is not None:
        yield f"is valid and yet {line.kind.value}"
    if not decided_by_errata(line) and line.state in (State.RETIRED, State.REVISED) and (line.kind is None or not line.injected):
        yield f"is {line.state.value} and names no kind or no injected turn"
    if (line.state is State.REVISED) != (line.new is not None):
        yield "has a new gold that does not go with its state"
    strange = set(line.injected) - opened.inserted.get(line.sample_id, frozenset())
    if strange:
        yield f"rests on {', '.join(sorted(strange))}, which no edit brought in"


def _signature(line: QuestionRevision) -> Iterator[str]:
    """Every line says who and why; one that an accepted dispute appended also says when. Re-validation has no date."""
    by_dispute = line.date is not None or decided_by_errata(line)
    reason = line.reason.removeprefix(f"{Rule.ERRATA.value}:") if decided_by_errata(line) else line.reason
    if by_dispute:
        yield from unsigned(line.by, line.date, reason)
        return
    if not says_something(line.by):
        yield "does not say who decided it"
    if not says_something(reason):
        yield "has no reason"


def _twins(questions: Sequence[IdentifiedQuestion], lines: Sequence[QuestionRevision]) -> Iterator[Place]:
    states = current_states(lines)
    for group in repeated(questions).values():
        found = {states[question.identity.parts].state for question in group if question.identity.parts in states}
        if len(found) > 1:
            yield str(group[0].identity.question_key), "has copies in different states"


def _left(opened: Opened, source: Document) -> Iterator[Place]:
    try:
        expected = {(item.sample_id, item.index): item for item in version_out(source, opened.revisions)}
    except ReleaseError:
        return
    held = {(item.sample_id, item.index): item for item in opened.versioned_out}
    for place in sorted(expected.keys() | held.keys()):
        if expected.get(place) != held.get(place):
            wrong = (
                "is missing"
                if place not in held
                else "left, and its state does not say so"
                if place not in expected
                else "differs from its state"
            )
            yield f"{place[0]} qa {place[1]}", wrong


def _record(opened: Opened, source: Document) -> Iterator[Broken]:
    record = opened.manifest.qa
    if record is None:
        return
    version = record.key_version.rpartition("-")[2]
    counted = record_qa(source, opened.revisions, record.decided_by, version).model_dump()
    for name, value in record.model_dump().items():
        if counted[name] != value:
            yield Broken(Proves.MANIFEST, MARKER, f"qa.{name}", f"is {value}, the release holds {counted[name]}")

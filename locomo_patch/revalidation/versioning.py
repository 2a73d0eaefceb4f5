"""Versions out: turns decisions into states, and takes what no longer holds out of a corpus's own list, and puts it back.

What stays in `qa` is LoCoMo's own key, untouched; what left it stands in `qa/versioned_out.jsonl` as it was (SCHEMAS.md).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from locomo_patch.denominators import Denominators
from locomo_patch.document import Document, RawObject
from locomo_patch.evidence import parse_references
from locomo_patch.id_map import ConversationIds
from locomo_patch.revalidation.identity import IdentifiedQuestion, identify, identify_document
from locomo_patch.revalidation.states import (
    VERSIONED_OUT,
    Decision,
    Kind,
    Policy,
    QuestionRevision,
    State,
    VersionedOut,
    after_policy,
    current_states,
    decided_by_errata,
    is_perturbed,
    leaves_corpus,
)
from twistcore.corpus import Category
from twistcore.errors import ReleaseError

IMAGE_DEPENDENT = "image_dependent"
_CHECK = "run `twist check`"
Key = tuple[str, str, int]


def count_denominators(questions: Sequence[IdentifiedQuestion]) -> Denominators:
    """1986 / 1982 / 1540 / 1529 on the official file."""
    answerable = [question for question in questions if category_of(question).answerable]
    seen = {(q.identity.sample_id, q.identity.question_key, str(q.item.get("answer"))) for q in answerable}
    return Denominators(
        all=len(questions),
        with_evidence=sum(bool(q.evidence) for q in questions),
        answerable=len(answerable),
        distinct_answerable=len(seen),
    )


def category_of(question: IdentifiedQuestion) -> Category:
    """The named category of a raw item."""
    return Category.of_number(int(question.item["category"]))


def gold_of(item: RawObject) -> Any:
    """The gold of an item as the file has it, the trap of an adversarial one."""
    return item["answer"] if "answer" in item else item.get("adversarial_answer")


def revise(
    source: Document,
    decisions: Mapping[str, Sequence[Decision]],
    policy: Policy,
    broken: frozenset[Key] = frozenset(),
) -> list[QuestionRevision]:
    """A line for every question of the source. `decisions` has one for each question of a conversation, in the order of the file.

    Byte-identical items share their fate: when one copy leaves, so does its twin (PRECEDENTS.md 41).
    """
    lines = []
    for sample_id in source.sample_ids:
        questions = identify(sample_id, source.blocks(sample_id).qa)
        images = _image_turns(source, sample_id)
        shared = _share_fate(questions, list(decisions[sample_id]))
        for question, decision in zip(questions, shared, strict=True):
            state = after_policy(decision, policy)
            reason = decision.reason
            if state is State.RETIRED and decision.state is State.UNDECIDED:
                reason = f"undecided, retired by policy; {reason}"
            lines.append(
                QuestionRevision(
                    sample_id=sample_id,
                    question_key=question.identity.question_key,
                    occurrence=question.identity.occurrence,
                    category=category_of(question),
                    state=state,
                    kind=decision.kind,
                    reason=reason,
                    injected=list(decision.injected),
                    already_broken=question.identity.parts in broken,
                    by=decision.by,
                    date=None,
                    old=gold_of(question.item),
                    new=decision.new,
                    undecided=decision.state is State.UNDECIDED,
                    tags=[IMAGE_DEPENDENT] if _cites(question, images) else [],
                )
            )
    return lines


def _share_fate(questions: Sequence[IdentifiedQuestion], decisions: list[Decision]) -> list[Decision]:
    """Copies of one item get the decision of the one that is worst off."""
    order = {State.VALID: 0, State.UNDECIDED: 1, State.REVISED: 2, State.RETIRED: 3}
    worst: dict[str, Decision] = {}
    for question, decision in zip(questions, decisions, strict=True):
        key = question.identity.question_key
        if key not in worst or order[decision.state] > order[worst[key].state]:
            worst[key] = decision
    return [worst[question.identity.question_key] for question in questions]


def _image_turns(document: Document, sample_id: str) -> frozenset[str]:
    """Turns with a picture (LOCOMO.md section 5: 609 answerable items cite one)."""
    return frozenset(
        str(turn["dia_id"])
        for turns in document.blocks(sample_id).conversation.values()
        if isinstance(turns, list)
        for turn in turns
        if isinstance(turn, dict) and "img_url" in turn
    )


def _cites(question: IdentifiedQuestion, turns: frozenset[str]) -> bool:
    # Ids as they are written: of the malformed strings those that hold several count, one that must be repaired first does not.
    found = (reference for text in question.evidence for reference in parse_references(text))
    return any(reference.raw == reference.dia_id and reference.dia_id in turns for reference in found)


def version_out(source: Document, lines: Iterable[QuestionRevision]) -> list[VersionedOut]:
    """What leaves the corpus's own list, by the last line of every question, in the order of the file.

    Raises ReleaseError where a question has no line.
    """
    states = current_states(lines)
    out = []
    for question in identify_document(source):
        line = states.get(question.identity.parts)
        if line is None:
            raise ReleaseError("a question has no state", place=f"{question.identity.sample_id} qa {question.index}")
        if leaves_corpus(line.state):
            out.append(
                VersionedOut(
                    sample_id=line.sample_id,
                    question_key=line.question_key,
                    occurrence=line.occurrence,
                    index=question.index,
                    item=question.item,
                    state=line.state,
                    kind=line.kind,
                    reason=line.reason,
                    injected=line.injected,
                    new=line.new,
                )
            )
    return out


def take_out_questions(released: Document, id_map: Mapping[str, ConversationIds], leaving: Iterable[VersionedOut]) -> Document:
    """The released corpus without the questions that leave."""
    gone = {(item.sample_id, item.question_key, item.occurrence) for item in leaving}
    document = released.copy()
    for sample_id in document.sample_ids:
        qa = document.blocks(sample_id).qa
        kept = [q.item for q in identify(sample_id, qa, id_map.get(sample_id)) if q.identity.parts not in gone]
        qa[:] = kept
    return document


def put_back_questions(source: Document, left: Iterable[VersionedOut]) -> Document:
    """A document, its edits taken out already, with the questions that left it back in their places.

    Raises ReleaseError where a place does not exist.
    """
    document = source.copy()
    for item in sorted(left, key=lambda item: (item.sample_id, item.index)):
        try:
            qa = document.blocks(item.sample_id).qa
        except KeyError:
            raise ReleaseError(f"names {item.sample_id}, which the corpus lacks", file=VERSIONED_OUT, remedy=_CHECK) from None
        if item.index > len(qa):
            place = f"{item.sample_id} qa {item.index}"
            raise ReleaseError("has a question without a place", file=VERSIONED_OUT, place=place, remedy=_CHECK)
        qa.insert(item.index, dict(item.item))
    return document


@dataclass(frozen=True)
class QaTotals:
    """What a release reports of its questions."""

    questions: Denominators
    by_state: dict[str, int]
    by_kind: dict[str, int]
    valid_answerable: int
    undecided_retired: int
    already_broken: int
    broken_and_perturbed: int
    image_dependent: int
    by_errata: int


def total(source: Document, lines: Sequence[QuestionRevision]) -> QaTotals:
    """Totals over the last line of every question."""
    current = list(current_states(lines).values())
    states = Counter(line.state for line in current)
    kinds = Counter(line.kind for line in current if line.kind is not None and line.state is not State.VALID)
    return QaTotals(
        count_denominators(identify_document(source)),
        {state.value: states[state] for state in State},
        {kind.value: kinds[kind] for kind in Kind},
        sum(line.state is State.VALID and line.category.answerable for line in current),
        sum(line.state is State.RETIRED and line.undecided for line in current),
        sum(line.already_broken for line in current),
        sum(line.already_broken and is_perturbed(line) for line in current),
        sum(IMAGE_DEPENDENT in line.tags and line.category.answerable for line in current),
        sum(decided_by_errata(line) for line in current),
    )

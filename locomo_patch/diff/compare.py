"""The diff itself: two sides in, one report out. Pure."""

from __future__ import annotations

from dataclasses import dataclass

from locomo_patch.diff.counts import describe_side
from locomo_patch.diff.groups import Group, Speakers, group_by_fate
from locomo_patch.diff.join import Join, Pair, join_questions
from locomo_patch.diff.models import (
    Change,
    Counts,
    DiffReport,
    ItemRef,
    OutsideRow,
    QaChange,
    Quote,
    Standing,
    StateGroup,
    StateRow,
)
from locomo_patch.diff.outside import compare_outside
from locomo_patch.diff.sides import Side, SideQuestion
from locomo_patch.revalidation.states import QuestionRevision, State


@dataclass(frozen=True)
class Shown:
    """A question whose state is shown: as each side has it, null where a side lacks it."""

    old: SideQuestion | None
    new: SideQuestion | None

    @property
    def question(self) -> SideQuestion:
        """The question, as the newest side has it."""
        found = self.new or self.old
        if found is None:
            raise ValueError("a question of neither side")
        return found


@dataclass(frozen=True)
class Comparison:
    """Two sides and what was found between them."""

    old: Side
    new: Side
    join: Join
    outside: tuple[OutsideRow, ...]
    groups: tuple[Group[Shown], ...]
    notes: tuple[str, ...]


def compare(old: Side, new: Side, *, show_all: bool = False) -> Comparison:
    """Join, compare and group. `show_all` also lists the questions that stand as they did (valid, or the same on both sides)."""
    join = join_questions(old.questions, new.questions)
    shown = [row for row in _rows(join) if _has_state(row) and (show_all or _stands_out(row, old, new))]
    groups = group_by_fate(shown, lambda row: row.question, {**_speakers(old), **_speakers(new)})
    return Comparison(old, new, join, tuple(compare_outside(old, new)), tuple(groups), tuple(_notes(old, new)))


def _rows(join: Join) -> list[Shown]:
    rows = [Shown(pair.old, pair.new) for pair in join.pairs]
    return rows + [Shown(gone, None) for gone in join.removed] + [Shown(None, new) for new in join.added]


def _has_state(row: Shown) -> bool:
    return any(question is not None and question.line is not None for question in (row.old, row.new))


def _stands_out(row: Shown, old: Side, new: Side) -> bool:
    lines = [question.line if question else None for question in (row.old, row.new)]
    if old.has_states and new.has_states:
        return _fate(lines[0]) != _fate(lines[1])
    return any(line is not None and line.state is not State.VALID for line in lines)


def _fate(line: QuestionRevision | None) -> tuple[object, ...]:
    return (line.state, line.kind, line.new) if line else ()


def _speakers(side: Side) -> Speakers:
    return {talk.sample_id: talk.speakers for talk in side.corpus.conversations}


def _notes(old: Side, new: Side) -> list[str]:
    notes = []
    for name, side, other in (("OLD", old, new), ("NEW", new, old)):
        if side.release is None:
            continue
        if not side.has_states:
            notes.append(f"{name} was not re-validated (it has no qa/): the states of its questions are unknown")
        elif unknown := sum(question.line is None for question in side.questions):
            notes.append(f"{name} records no state for {unknown} of its questions")
        made_from = side.release.source_sha256
        here = other.release.source_sha256 if other.release else other.loaded.sha256
        if made_from and here and made_from != here and not (name == "NEW" and other.release):
            notes.append(f"{name} was made from another corpus file than {'NEW' if name == 'OLD' else 'OLD'}")
    return notes


def report(comparison: Comparison) -> DiffReport:
    """The report of a comparison, as `--json` prints it."""
    join = comparison.join
    modified = join.modified
    changes = [_modified(pair) for pair in modified]
    changes += [_one_sided(question, Change.REMOVED) for question in join.removed]
    changes += [_one_sided(question, Change.ADDED) for question in join.added]
    return DiffReport(
        old=describe_side(comparison.old),
        new=describe_side(comparison.new),
        counts=Counts(modified=len(modified), removed=len(join.removed), added=len(join.added)),
        qa=changes,
        outside_qa=list(comparison.outside),
        states=[
            StateGroup(together=group.together, questions=[describe_row(comparison, row) for row in group.members])
            for group in comparison.groups
        ],
        notes=list(comparison.notes),
    )


def describe_row(comparison: Comparison, row: Shown) -> StateRow:
    """A question with its standing on either side."""
    question = row.question
    identity = question.identity
    return StateRow(
        sample_id=question.sample_id,
        question_key=identity.question_key,
        occurrence=identity.occurrence,
        index=question.index,
        category=question.category,
        question=question.question,
        gold=(row.old or question).gold,
        evidence=list(question.evidence),
        old=_standing(comparison.old, row.old),
        new=_standing(comparison.new, row.new),
    )


def _standing(side: Side, question: SideQuestion | None) -> Standing | None:
    line = question.line if question else None
    if line is None:
        return None
    return Standing(
        state=line.state,
        kind=line.kind,
        reason=line.reason,
        injected=[quote_turn(side, line.sample_id, dia_id) for dia_id in line.injected],
        already_broken=line.already_broken,
        by=line.by,
        new_gold=line.new,
    )


def quote_turn(side: Side, sample_id: str, dia_id: str) -> Quote:
    """A turn of a side's files with its session and date; raises KeyError for an id that is none."""
    conversation = side.corpus.conversation(sample_id)
    turn = conversation.turn(dia_id)
    session = conversation.session(turn.session)
    return Quote(dia_id=dia_id, speaker=turn.speaker, session=turn.session, date=session.date_text, text=turn.text)


def _item(question: SideQuestion) -> ItemRef:
    identity = question.identity
    return ItemRef(question_key=identity.question_key, occurrence=identity.occurrence, index=question.index, item=question.item)


def _modified(pair: Pair) -> QaChange:
    return QaChange(
        change=Change.MODIFIED,
        sample_id=pair.new.sample_id,
        category=pair.new.category,
        fields=pair.changed_fields,
        similarity=pair.similarity,
        old=_item(pair.old),
        new=_item(pair.new),
    )


def _one_sided(question: SideQuestion, change: Change) -> QaChange:
    item = _item(question)
    return QaChange(
        change=change,
        sample_id=question.sample_id,
        category=question.category,
        fields=[],
        similarity=None,
        old=item if change is Change.REMOVED else None,
        new=item if change is Change.ADDED else None,
    )

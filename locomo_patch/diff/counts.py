"""Numbers of a side, each over a denominator that is named. Pure."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

from locomo_patch.denominators import Denominators
from locomo_patch.diff.join import exact
from locomo_patch.diff.models import Block, Change, Inserted, OutsideRow, SideHead, Totals
from locomo_patch.diff.sides import Side, SideQuestion
from locomo_patch.edits import AppendSession
from locomo_patch.revalidation.states import Kind, State, is_perturbed
from twistcore.corpus import Category


def count_questions(questions: Iterable[SideQuestion]) -> Denominators:
    """The four denominators of a list of questions."""
    listed = list(questions)
    answerable = [question for question in listed if question.category.answerable]
    distinct = {(q.sample_id, q.question, exact(q.item.get("answer")), q.evidence) for q in answerable}
    return Denominators(
        all=len(listed),
        with_evidence=sum(bool(question.evidence) for question in listed),
        answerable=len(answerable),
        distinct_answerable=len(distinct),
    )


def count_states(questions: Iterable[SideQuestion]) -> Totals:
    """Questions by state, kind and category, every name there even where it counts nothing."""
    listed = list(questions)
    lines = [question.line for question in listed if question.line is not None]
    states = Counter(line.state for line in lines)
    kinds = Counter(line.kind for line in lines)
    each = Counter((question.category, question.line.state) for question in listed if question.line is not None)
    broken = [line for line in lines if line.already_broken]
    return Totals(
        by_state={state.value: states[state] for state in State},
        unknown=len(listed) - len(lines),
        by_kind={kind.value: kinds[kind] for kind in Kind},
        by_category={category.value: {state.value: each[category, state] for state in State} for category in Category},
        already_broken=len(broken),
        already_broken_and_perturbed=sum(is_perturbed(line) for line in broken),
    )


def describe_side(side: Side) -> SideHead:
    """One side's head: what it is and its numbers."""
    release = side.release
    known = side.has_states
    return SideHead(
        path=str(side.path),
        release=release is not None,
        corpus=side.version,
        sha256=side.loaded.sha256,
        questions=count_questions(side.questions),
        still_valid=count_questions(q for q in side.questions if q.line and q.line.state is State.VALID) if known else None,
        totals=count_states(side.questions) if known else None,
        inserted=Inserted(
            exchanges=sum(not isinstance(edit, AppendSession) for edit in release.edits),
            appended_sessions=sum(isinstance(edit, AppendSession) for edit in release.edits),
            turns=sum(len(edit.turns) for edit in release.edits),
        )
        if release
        else None,
    )


def of_which(side: SideHead, denominator: str) -> str:
    """How many questions of one denominator are still valid, with their share of that denominator and of no other."""
    if side.still_valid is None:
        return "unknown"
    valid, whole = getattr(side.still_valid, denominator), getattr(side.questions, denominator)
    return f"{valid} ({valid / whole:.1%})" if whole else str(valid)


def tally_rows(rows: Iterable[OutsideRow]) -> str:
    """How much differs where, in words: "added: 6 in conversation, 2 in observation"."""
    found = Counter((row.change, row.block) for row in rows)
    parts = []
    for change in Change:
        there = [f"{found[change, block]} in {block.value}" for block in Block if found[change, block]]
        if there:
            parts.append(f"{change.value}: {', '.join(there)}")
    return "; ".join(parts)

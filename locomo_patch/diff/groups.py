"""Questions that share their fate: byte-identical copies, and traps that mirror a question with the speakers' names swapped. Pure.

All 278 exact mirrors of the official file cite the same evidence as their original (LOCOMO.md section 7).
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Generic, TypeVar

from locomo_patch.diff.models import Together
from locomo_patch.diff.sides import SideQuestion

Thing = TypeVar("Thing")
# sample_id -> the two speakers
Speakers = dict[str, tuple[str, str]]


@dataclass(frozen=True)
class Group(Generic[Thing]):
    """Things whose questions share their fate, and why they do."""

    together: Together
    members: tuple[Thing, ...]


def swap_names(text: str, speakers: tuple[str, str]) -> str:
    """The text with one speaker's name for the other's."""
    one, other = speakers
    # "Tims's" mirrors "Johns's" (conv-43 qa 241).
    pattern = rf"\b({re.escape(one)}|{re.escape(other)})(?=s?\b)"
    return re.sub(pattern, lambda match: other if match[1] == one else one, text)


def group_by_fate(things: Iterable[Thing], question_of: Callable[[Thing], SideQuestion], speakers: Speakers) -> list[Group[Thing]]:
    """Groups in the order of their first members; `question_of` gives the question that a thing is about."""
    by_matter: dict[tuple[str, str, tuple[str, ...]], list[Thing]] = {}
    for thing in things:
        question = question_of(thing)
        text = question.question
        names = speakers[question.sample_id]
        matter = (question.sample_id, min(text, swap_names(text, names)), question.evidence)
        by_matter.setdefault(matter, []).append(thing)
    groups: list[Group[Thing]] = []
    for alike in by_matter.values():
        # Two answerable questions about either speaker are no mirrors of one another; a trap and a question are.
        if len({question_of(thing).category.answerable for thing in alike}) == 2:
            groups.append(Group(Together.MIRROR, tuple(alike)))
            continue
        by_key: dict[str, list[Thing]] = {}
        for thing in alike:
            by_key.setdefault(question_of(thing).identity.question_key, []).append(thing)
        groups += [Group(Together.COPIES if len(copies) > 1 else Together.ALONE, tuple(copies)) for copies in by_key.values()]
    return groups

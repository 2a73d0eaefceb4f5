"""Which question of one side is which of the other: by identity, then by text. Pure (SCHEMAS.md, "Question identity").

Never by index: the fork's one removed item moves 193 of them (LOCOMO.md section 11).
"""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher
from typing import Any

from locomo_patch.diff.sides import SideQuestion
from twistcore.corpus import Category

SIMILAR = 0.80


@dataclass(frozen=True)
class Pair:
    """A question on both sides. `similarity` is null where they have one identity, and else how alike their texts are."""

    old: SideQuestion
    new: SideQuestion
    similarity: float | None = None

    @property
    def modified(self) -> bool:
        """Whether anything that LoCoMo says about it differs."""
        return exact(self.old.item) != exact(self.new.item)

    @property
    def changed_fields(self) -> list[str]:
        """The keys whose values differ, in the old item's order and then the new one's."""
        keys = dict.fromkeys([*self.old.item, *self.new.item])
        absent = object()
        return [key for key in keys if not _same(self.old.item.get(key, absent), self.new.item.get(key, absent))]


@dataclass(frozen=True)
class Join:
    """All questions of both sides, each in one place."""

    pairs: tuple[Pair, ...]
    removed: tuple[SideQuestion, ...]
    added: tuple[SideQuestion, ...]

    @property
    def modified(self) -> list[Pair]:
        """The pairs that differ."""
        return [pair for pair in self.pairs if pair.modified]


def exact(value: Any) -> str:
    """A JSON value as text in which an int is no string, true is no 1, and the order of keys does not count."""
    return json.dumps(value, sort_keys=True)


def _same(old: Any, new: Any) -> bool:
    return type(old) is type(new) and exact(old) == exact(new)


def join_questions(old: Iterable[SideQuestion], new: Iterable[SideQuestion]) -> Join:
    """Join two lists of questions. The order of either list does not matter, and exchanging the sides exchanges the result."""
    pairs, rest_old, rest_new = _join_identities(list(old), list(new))
    more, removed, added = _pair_by_text(rest_old, rest_new)
    pairs += more
    return Join(
        tuple(sorted(pairs, key=lambda pair: _place(pair.old))),
        tuple(sorted(removed, key=_place)),
        tuple(sorted(added, key=_place)),
    )


def similarity(one: str, other: str) -> float:
    """difflib's ratio, the higher of both directions: it depends on the order of its arguments, and a join must not."""
    if one == other:
        return 1.0
    return max(_ratio(one, other), _ratio(other, one))


def _ratio(one: str, other: str) -> float:
    matcher = SequenceMatcher(None, one, other, autojunk=False)
    # Upper bounds first: nearly every two questions are far apart, and the exact ratio is slow.
    if matcher.real_quick_ratio() < SIMILAR or matcher.quick_ratio() < SIMILAR:
        return 0.0
    return matcher.ratio()


def _place(question: SideQuestion) -> tuple[str, int, str, int]:
    return question.sample_id, question.index, question.identity.question_key, question.identity.occurrence


def _join_identities(old: list[SideQuestion], new: list[SideQuestion]) -> tuple[list[Pair], list[SideQuestion], list[SideQuestion]]:
    groups: dict[tuple[str, str], tuple[list[SideQuestion], list[SideQuestion]]] = defaultdict(lambda: ([], []))
    for side, questions in enumerate((old, new)):
        for question in questions:
            groups[question.sample_id, question.identity.question_key][side].append(question)
    pairs: list[Pair] = []
    rest: tuple[list[SideQuestion], list[SideQuestion]] = ([], [])
    for olds, news in groups.values():
        # Of copies with other answers, equal ones go together first, so that their order in the file does not matter.
        waiting = sorted(news, key=_copy_order)
        left = []
        for question in sorted(olds, key=_copy_order):
            equal = next((other for other in waiting if exact(other.item) == exact(question.item)), None)
            if equal is None:
                left.append(question)
            else:
                waiting.remove(equal)
                pairs.append(Pair(question, equal))
        pairs += [Pair(one, other) for one, other in zip(left, waiting, strict=False)]
        rest[0].extend(left[len(waiting) :])
        rest[1].extend(waiting[len(left) :])
    return pairs, *rest


def _copy_order(question: SideQuestion) -> tuple[str, int]:
    return exact(question.item), question.identity.occurrence


def _pair_by_text(
    old: Sequence[SideQuestion], new: Sequence[SideQuestion]
) -> tuple[list[Pair], list[SideQuestion], list[SideQuestion]]:
    buckets: dict[tuple[str, Category], tuple[list[SideQuestion], list[SideQuestion]]] = defaultdict(lambda: ([], []))
    for side, questions in enumerate((old, new)):
        for question in questions:
            buckets[question.sample_id, question.category][side].append(question)
    pairs: list[Pair] = []
    removed: list[SideQuestion] = []
    added: list[SideQuestion] = []
    for olds, news in buckets.values():
        found = _best_first(olds, news)
        pairs += found
        used = {id(question) for pair in found for question in (pair.old, pair.new)}
        removed += [question for question in olds if id(question) not in used]
        added += [question for question in news if id(question) not in used]
    return pairs, removed, added


def _best_first(olds: list[SideQuestion], news: list[SideQuestion]) -> list[Pair]:
    same_text = _take(Pair(one, other, 1.0) for one in olds for other in news if one.question == other.question)
    used = {id(question) for pair in same_text for question in (pair.old, pair.new)}
    others = (
        Pair(one, other, round(ratio, 6))
        for one in olds
        if id(one) not in used
        for other in news
        if id(other) not in used and (ratio := similarity(one.question, other.question)) >= SIMILAR
    )
    return same_text + _take(others)


def _take(candidates: Iterable[Pair]) -> list[Pair]:
    """Pairs from the most alike down, each question once. Ties go by content, which no exchange of the sides changes."""
    taken: list[Pair] = []
    used: set[int] = set()
    for pair in sorted(candidates, key=_rank):
        if id(pair.old) not in used and id(pair.new) not in used:
            used |= {id(pair.old), id(pair.new)}
            taken.append(pair)
    return taken


def _rank(pair: Pair) -> tuple[float, list[str], int, int]:
    copies = (pair.old.identity.occurrence, pair.new.identity.occurrence)
    return -(pair.similarity or 0.0), sorted((exact(pair.old.item), exact(pair.new.item))), sum(copies), max(copies)

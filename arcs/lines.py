"""Choice of lines: which of a frame's lines an arc and its partner are told with.

No line is used twice in one conversation, nor in a release as long as unused ones are left. Of the lines that are free,
the combination is taken in which anchor and later turn are about as similar in the arc as in its partner (DESIGN.md rule 6),
and which sounds least foreign beside the record (rule 2).
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import product

from arcs.frames import Frame, TopicObject, fill, slots_in
from arcs.items import ItemPlan
from arcs.taxonomy import Family, Role

# (text of the anchor, text of the later turn) -> similarity from 0 to 1
Similarity = Callable[[str, str], float]
# text -> how foreign it sounds beside the record; lower is nearer
Foreignness = Callable[[str], float]
LineRef = tuple[str, int]
STYLE_WEIGHT = 0.15
# Arcs and partners alike are told with anchors and later turns of about this similarity, so that it betrays neither.
TYPICAL_SIMILARITY = 0.28
# With drift turns between them an anchor has rivals, so it may resemble its reversal a little more.
DRIFT_MARGIN = 0.06
# Nor may a drift turn come nearer to the reversal than the anchor does: it would hide the anchor, and in arcs only.
RIVAL_GAP = 0.06
SAMPLE_TIMES = {"day": "on Tuesday", "ago": "three weeks ago", "span": "three weeks"}


@dataclass
class LineUse:
    """How often each (frame, kind, index) was used so far in the release, and which in the conversation at hand."""

    release: Counter[tuple[str, str, int]] = field(default_factory=Counter)
    conversation: set[tuple[str, str, int]] = field(default_factory=set)

    def free(self, frame: Frame, kind: str, lines: Sequence[str]) -> list[int]:
        """Indexes not used in this conversation, narrowed to those used least in the release."""
        open_ = [index for index in range(len(lines)) if (frame.id, kind, index) not in self.conversation]
        if not open_:
            return []
        least = min(self.release[frame.id, kind, index] for index in open_)
        return [index for index in open_ if self.release[frame.id, kind, index] == least]

    def take(self, frame: Frame, kind: str, index: int) -> None:
        """Mark a line as used."""
        self.release[frame.id, kind, index] += 1
        self.conversation.add((frame.id, kind, index))


def give_back(use: LineUse, plan: ItemPlan) -> None:
    """Free the lines of an item that was refused: the best ones are chosen first, and would be lost to a release otherwise."""
    for place in _lines_of(plan):
        if use.release[place] > 0:
            use.release[place] -= 1
        use.conversation.discard(place)


def take_again(use: LineUse, plan: ItemPlan) -> None:
    """Mark the lines of an item that was refused, and is taken after all, as used."""
    for place in _lines_of(plan):
        use.release[place] += 1
        use.conversation.add(place)


def _lines_of(plan: ItemPlan) -> Iterator[tuple[str, str, int]]:
    for turn in plan.turns:
        reaction_kind, reaction = turn.reaction
        yield plan.frame_id, *turn.line
        yield plan.frame_id, f"reaction:{reaction_group(reaction_kind)}", reaction
        if turn.lead is not None:
            yield plan.frame_id, "bridge", turn.lead


@dataclass(frozen=True, slots=True, order=True)
class _Option:
    """An anchor and a later line of one item, with their similarity and how foreign they sound together."""

    anchor: int
    later: int
    similarity: float
    foreign: float


@dataclass(frozen=True, slots=True)
class ChosenLines:
    """Line and reaction indexes of one item: one (line, reaction) a gold turn, in order."""

    turns: tuple[tuple[LineRef, LineRef], ...]


def line_text(frame: Frame, kind: str, index: int) -> str:
    """A gold line of a frame by its kind (`anchor`, `drift` or a family)."""
    return gold_lines(frame, kind)[index]


def gold_lines(frame: Frame, kind: str) -> list[str]:
    """All gold lines of a kind."""
    if kind == "anchor":
        return frame.anchors
    if kind == "drift":
        return frame.drift
    return frame.families.of(Family(kind))


def reaction_lines(frame: Frame, kind: str) -> list[str]:
    """All reactions to a kind of gold turn."""
    if kind == "anchor":
        return frame.reactions.anchor
    if kind == "drift":
        return frame.reactions.drift
    return frame.reactions.to_later(Family(kind))


def reaction_group(kind: str) -> str:
    """The frame's key for the reactions to a kind of gold turn."""
    if kind in ("A1", "A2"):
        return "reversal"
    return "drift" if kind == "HN-A4" else kind


def choose_lines(
    frame: Frame,
    objects: tuple[TopicObject, TopicObject],
    families: tuple[Family, Family],
    drift: int,
    use: LineUse,
    similarity: Similarity,
    foreignness: Foreignness,
    rng: random.Random,
    *,
    weeks_known: tuple[bool, bool],
    reply_foreignness: Foreignness | None = None,
) -> tuple[ChosenLines, ChosenLines] | None:
    """Lines for an arc (with `drift` drift turns) and its partner, or None when the frame has too few left.

    `reply_foreignness` judges the reactions where that is another measure. `weeks_known` says for each item whether its gap is
    long enough for a line that counts weeks since the anchor.
    """
    anchors = use.free(frame, "anchor", frame.anchors)
    if len(anchors) < 2:
        anchors = [index for index in range(len(frame.anchors)) if (frame.id, "anchor", index) not in use.conversation]
    laters = [
        [
            index
            for index in use.free(frame, family.value, frame.families.of(family))
            if known or not slots_in(frame.families.of(family)[index]) & {"ago", "span"}
        ]
        for family, known in zip(families, weeks_known, strict=True)
    ]
    drifts = use.free(frame, "drift", frame.drift)
    if len(anchors) < 2 or not all(laters) or len(drifts) < drift:
        return None
    scored = [
        [
            _Option(anchor, later, similarity(texts[0], texts[1]), foreignness(texts[0]) + foreignness(texts[1]))
            for anchor, later in product(anchors, options)
            for texts in [(_sample(frame, "anchor", anchor, item), _sample(frame, family.value, later, item))]
        ]
        for item, family, options in zip(objects, families, laters, strict=True)
    ]
    rivals = {later: _rival(frame, families[0], later, objects[0], drifts, drift, similarity) for later in laters[0]}
    _, arc, control = min(
        (
            abs(first.similarity - TYPICAL_SIMILARITY - (DRIFT_MARGIN if drift else 0.0))
            + abs(second.similarity - TYPICAL_SIMILARITY)
            + STYLE_WEIGHT * (first.foreign + second.foreign)
            + max(0.0, rivals[first.later] - first.similarity + RIVAL_GAP)
            + 0.02 * rng.random(),
            first,
            second,
        )
        for first, second in product(*scored)
        if first.anchor != second.anchor
    )
    # A pressure signal that resembles the reversal more than the anchor does would hide the anchor, in arcs only.
    reversal = _sample(frame, families[0].value, arc.later, objects[0])
    ranked = sorted(
        (similarity(text, reversal) + STYLE_WEIGHT * foreignness(text), index)
        for index in drifts
        for text in [_sample(frame, "drift", index, objects[0])]
    )
    drift_kinds = [("drift", index) for _, index in ranked[:drift]]
    chosen = []
    for item, family, option, between in (
        (objects[0], families[0], arc, drift_kinds),
        (objects[1], families[1], control, []),
    ):
        turns = []
        for kind, index in [("anchor", option.anchor), *between, (family.value, option.later)]:
            use.take(frame, kind, index)
            reaction = _take_reaction(frame, kind, item, use, reply_foreignness or foreignness)
            if reaction is None:
                return None
            turns.append(((kind, index), (kind, reaction)))
        chosen.append(ChosenLines(tuple(turns)))
    return chosen[0], chosen[1]


def _rival(
    frame: Frame, family: Family, later: int, item: TopicObject, drifts: Sequence[int], drift: int, similarity: Similarity
) -> float:
    """How near the drift turns come to a reversal at least, when the farthest are taken; far below zero without drift."""
    if not drift:
        return -1.0
    reversal = _sample(frame, family.value, later, item)
    return sorted(similarity(_sample(frame, "drift", index, item), reversal) for index in drifts)[drift - 1]


def _take_reaction(frame: Frame, kind: str, item: TopicObject, use: LineUse, foreignness: Foreignness) -> int | None:
    key = f"reaction:{reaction_group(kind)}"
    lines = reaction_lines(frame, kind)
    options = use.free(frame, key, lines)
    if not options:
        return None
    values = {**item.slots, "head": item.head, **SAMPLE_TIMES}
    index = min(options, key=lambda index: (foreignness(fill(lines[index], values)), index))
    use.take(frame, key, index)
    return index


def _sample(frame: Frame, kind: str, index: int, item: TopicObject) -> str:
    return fill(line_text(frame, kind, index), {**item.slots, "head": item.head, **SAMPLE_TIMES})


def role_of(kind: str) -> Role:
    """The gold role of a kind of line."""
    if kind == "anchor":
        return Role.ANCHOR
    return Role.DRIFT if kind == "drift" else Family(kind).later_role

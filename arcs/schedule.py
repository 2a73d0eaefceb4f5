"""Places and dates: gives each item of a conversation an anchor slot, drift slots and a later slot.

Anchor and later turn stand at least three weeks and four sessions apart (TWIST paper section 3.2 asks for weeks to months), gaps
are spread over what the conversation allows, and no slot serves twice.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from arcs.items import Slot, SlotKind

MIN_GAP_DAYS = 21
MIN_GAP_SESSIONS = 4
MAX_PER_SESSION = 2
MAX_PER_APPENDED = 4
MIN_DISTANCE = 3
MAX_END_SHARE = 0.2
ATTEMPTS = 60


@dataclass(frozen=True, slots=True)
class Need:
    """What one item asks for: the speaker who must open its exchanges, and how many drift turns it has."""

    key: str
    opener: str
    drift: int


@dataclass(frozen=True, slots=True)
class Placement:
    """Slots of one item in order: anchor, drift, later."""

    key: str
    slots: tuple[Slot, ...]

    @property
    def gap_days(self) -> int:
        """Days from anchor to later turn."""
        return (self.slots[-1].date.date() - self.slots[0].date.date()).days


def far_enough(first: Slot, last: Slot) -> bool:
    """Whether two slots may hold an anchor and its later turn."""
    days = (last.date.date() - first.date.date()).days
    return days >= MIN_GAP_DAYS and last.session - first.session >= MIN_GAP_SESSIONS


def room_for(slots: Sequence[Slot], taken: Sequence[Slot]) -> bool:
    """Whether exchanges may stand at all of `slots` beside what is `taken`, under the limits that `schedule` keeps."""
    if len({(slot.session, slot.after) for slot in (*slots, *taken)}) < len(slots) + len(taken):
        return False
    board = _Board([*slots, *taken], taken, int((len(slots) + len(taken)) * MAX_END_SHARE))
    for slot in slots:
        if slot not in board.open_to(slot.opener):
            return False
        board.take(slot)
    return True


def schedule(needs: Sequence[Need], slots: Sequence[Slot], rng: random.Random, taken: Sequence[Slot] = ()) -> list[Placement]:
    """Placements for as many needs as fit around what is `taken`, in the order of `needs`.

    The best of several seeded attempts: most placed first, then by seam score.
    """
    best: tuple[int, float, list[Placement]] = (-1, 0.0, [])
    for _ in range(ATTEMPTS):
        placed = _attempt(needs, slots, rng, taken)
        quality = sum(slot.score for placement in placed for slot in placement.slots)
        if (len(placed), quality) > best[:2]:
            best = (len(placed), quality, placed)
    order = {need.key: index for index, need in enumerate(needs)}
    return sorted(best[2], key=lambda placement: order[placement.key])


class _Board:
    """Slots that are still free, under the limits that keep exchanges apart."""

    def __init__(self, slots: Sequence[Slot], taken: Sequence[Slot], end_limit: int) -> None:
        self.free = list(slots)
        self.taken: dict[int, list[Slot]] = {}
        self.ends = 0
        self.end_limit = end_limit
        for slot in taken:
            self.take(slot)

    def open_to(self, opener: str) -> list[Slot]:
        return [slot for slot in self.free if slot.opener == opener and self._allowed(slot)]

    def _allowed(self, slot: Slot) -> bool:
        if slot.kind is SlotKind.END and self.ends >= self.end_limit:
            return False
        there = self.taken.get(slot.session, [])
        if slot.kind is SlotKind.APPENDED:
            return len(there) < MAX_PER_APPENDED
        return len(there) < MAX_PER_SESSION and all(abs(other.after - slot.after) >= MIN_DISTANCE for other in there)

    def take(self, slot: Slot) -> None:
        self.free.remove(slot)
        self.taken.setdefault(slot.session, []).append(slot)
        self.ends += slot.kind is SlotKind.END

    def give_back(self, slot: Slot) -> None:
        self.free.append(slot)
        self.taken[slot.session].remove(slot)
        self.ends -= slot.kind is SlotKind.END


def _attempt(needs: Sequence[Need], slots: Sequence[Slot], rng: random.Random, taken: Sequence[Slot]) -> list[Placement]:
    turns = len(taken) + sum(need.drift + 2 for need in needs)
    board = _Board(slots, taken, int(turns * MAX_END_SHARE))
    supply = Counter(slot.opener for slot in slots)
    # Whoever has the fewest places chooses first, and items with drift need the most.
    order = sorted(needs, key=lambda need: (supply[need.opener], -need.drift, rng.random()))
    placed = []
    for need in order:
        placement = _place(need, board, rng)
        if placement is not None:
            placed.append(placement)
    return placed


def _place(need: Need, board: _Board, rng: random.Random) -> Placement | None:
    open_slots = board.open_to(need.opener)
    pairs = [(first, last) for first in open_slots for last in open_slots if far_enough(first, last)]
    if not pairs:
        return None
    longest = max((last.date - first.date).days for first, last in pairs)
    target = rng.uniform(MIN_GAP_DAYS, longest)
    pairs.sort(
        key=lambda pair: (
            abs((pair[1].date - pair[0].date).days - target) / 30 - 0.5 * (pair[0].score + pair[1].score) + rng.random()
        )
    )
    for first, last in pairs[:12]:
        board.take(first)
        if last not in board.open_to(need.opener):
            board.give_back(first)
            continue
        board.take(last)
        between = [slot for slot in board.open_to(need.opener) if first.session < slot.session < last.session]
        drift = _spread(between, need.drift, board, rng)
        if drift is None:
            board.give_back(first)
            board.give_back(last)
            continue
        for slot in drift:
            board.take(slot)
        return Placement(need.key, (first, *drift, last))
    return None


def _spread(between: Sequence[Slot], count: int, board: _Board, rng: random.Random) -> list[Slot] | None:
    """`count` slots in different sessions, the better seams first; None when there are too few."""
    chosen: list[Slot] = []
    for slot in sorted(between, key=lambda slot: -slot.score + rng.random()):
        if len(chosen) == count:
            break
        ends = board.ends + sum(other.kind is SlotKind.END for other in chosen)
        if slot.kind is SlotKind.END and ends >= board.end_limit:
            continue
        if all(slot.session != other.session for other in chosen):
            chosen.append(slot)
    return sorted(chosen) if len(chosen) == count else None

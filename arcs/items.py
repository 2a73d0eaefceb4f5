"""What a plan says: which item goes where, with which facts. No prose.

A plan is a pure function of (corpus hash, config, seed). The writer turns it into a proposal; gates compare the two.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import date, datetime

from arcs.taxonomy import Family, Role


@dataclass(frozen=True, slots=True)
class PlannedTime:
    """A time expression that a turn may use: the slot it fills, its words, and the day (or first and last day) it means."""

    slot: str
    words: str
    first: date
    last: date


@dataclass(frozen=True, slots=True)
class PlannedTurn:
    """One gold turn to come. `line` names the scene of the frame by kind and index.

    `claim_facts` must be stated; `scene_facts` may be. Both are the atomic-fact strings that `inject.facts` compares.
    """

    role: Role
    session: int
    date: datetime
    line: tuple[str, int]
    reaction: tuple[str, int]
    times: tuple[PlannedTime, ...] = ()
    claim_facts: tuple[str, ...] = ()
    scene_facts: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class ItemPlan:
    """One arc or hard negative: who holds what belief about which object, and its turns in order, the anchor first."""

    id: str
    pair_id: str
    family: Family
    sample_id: str
    holder: str
    partner: str
    frame_id: str
    object_key: str
    topic: str
    old_belief: str
    new_belief: str | None
    turns: tuple[PlannedTurn, ...]
    terms: tuple[str, ...] = field(default=())

    @property
    def anchor(self) -> PlannedTurn:
        """The commitment."""
        return self.turns[0]

    @property
    def later(self) -> PlannedTurn:
        """The reversal or statement, the last gold turn."""
        return self.turns[-1]

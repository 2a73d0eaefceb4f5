"""What a plan says: which item goes where, with which facts. No prose.

A plan is a pure function of (corpus hash, config, seed). The writer turns it into a proposal; gates compare the two.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import date, datetime
from enum import StrEnum

from arcs.taxonomy import Family, Role


class SlotKind(StrEnum):
    """How an exchange is held in place (DESIGN.md rule 3); an appended session has room of its own."""

    OPEN = "open"
    END = "end"
    BRIDGE = "bridge"
    APPENDED = "appended"


@dataclass(frozen=True, slots=True, order=True)
class Slot:
    """A place for one exchange. `after` is a source turn's position, or in an appended session the index of a segment border.

    `opener` is the speaker whose turn it is there; `score` ranks places, higher is better.
    """

    session: int
    after: int
    kind: SlotKind
    opener: str
    date: datetime
    score: float = 0.0


@dataclass(frozen=True, slots=True)
class PlannedTime:
    """A time expression that a turn may use: the slot it fills, its words, and the first and last day it means."""

    slot: str
    words: str
    first: date
    last: date


@dataclass(frozen=True, slots=True)
class PlannedTurn:
    """One gold turn to come.

    `line` and `reaction` name scenes of the frame by kind and index, `lead` the frame's lead-in, if any. `claim_facts` must be
    stated; `scene_facts` may be. Both are the atomic-fact strings that `inject.facts` compares, and are set before anything
    is written.
    """

    role: Role
    slot: Slot
    line: tuple[str, int]
    reaction: tuple[str, int]
    lead: int | None = None
    times: tuple[PlannedTime, ...] = ()
    claim_facts: tuple[str, ...] = ()
    scene_facts: tuple[str, ...] = ()

    @property
    def session(self) -> int:
        """Number of the host session."""
        return self.slot.session

    @property
    def date(self) -> datetime:
        """When the host session takes place."""
        return self.slot.date


@dataclass(frozen=True, slots=True)
class ItemPlan:
    """One arc or hard negative: who holds what belief about which object, and its turns in order, the anchor first.

    `terms` are the words that name the object; no other item of the conversation may use them.
    """

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


@dataclass(frozen=True, slots=True)
class PairPlan:
    """An arc with its matched hard negative: the same frame and holder, another object."""

    id: str
    arc: ItemPlan
    control: ItemPlan

    @property
    def items(self) -> tuple[ItemPlan, ItemPlan]:
        """Both items, the arc first."""
        return self.arc, self.control

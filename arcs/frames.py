"""Topic frames: the prose that the offline writer has, one YAML file a frame, read and checked here."""

from __future__ import annotations

import re
from collections.abc import Mapping
from enum import StrEnum
from functools import lru_cache
from importlib import resources
from pathlib import Path
from typing import Annotated

from pydantic import BaseModel, ConfigDict, Field, ValidationError, model_validator

from arcs.taxonomy import Family
from twistcore.errors import FrameError
from twistcore.stored import misfit
from twistcore.yamls import read_yaml

TIME_SLOTS = frozenset({"day", "ago", "span"})
GIVEN_SLOTS = frozenset({"one", "many", "the"})
SLOT = re.compile(r"\{(\w+)\}")

Line = Annotated[str, Field(min_length=8, max_length=330)]
Lines4 = Annotated[list[Line], Field(min_length=4)]
Lines6 = Annotated[list[Line], Field(min_length=6)]
Lead = Annotated[str, Field(min_length=8, max_length=120)]


class Direction(StrEnum):
    """Which way the commitment points: refusing a thing, or holding on to it."""

    AVOID = "avoid"
    KEEP = "keep"


class Strict(BaseModel):
    """Stored shape: unknown keys are refused and values are frozen."""

    model_config = ConfigDict(extra="forbid", frozen=True)


class Beliefs(Strict):
    """Third-person belief sentences with slots; they become `old_belief` and `new_belief` of a key item."""

    old: str
    new: str


class TopicObject(Strict):
    """One thing that can carry a frame's topic. `related` are words that make it unsuitable for a speaker whose record has them."""

    key: Annotated[str, Field(pattern=r"^[a-z][a-z0-9-]*$")]
    head: str
    related: list[str] = Field(default_factory=list)
    slots: dict[str, str]

    @model_validator(mode="after")
    def _has_given_slots(self) -> TopicObject:
        missing = sorted(GIVEN_SLOTS - self.slots.keys())
        if missing:
            raise ValueError(f"object {self.key} lacks slots {', '.join(missing)}")
        clash = sorted(self.slots.keys() & (TIME_SLOTS | {"head", "holder"}))
        if clash:
            raise ValueError(f"object {self.key} defines reserved slots {', '.join(clash)}")
        return self


class FamilyLines(Strict):
    """Later turns, at least four a family."""

    A1: Lines4
    A2: Lines4
    HN_A1: Lines4 = Field(alias="HN-A1")
    HN_A2: Lines4 = Field(alias="HN-A2")
    HN_A3: Lines4 = Field(alias="HN-A3")
    HN_A4: Lines4 = Field(alias="HN-A4")
    HN_A5: Lines4 = Field(alias="HN-A5")

    def of(self, family: Family) -> list[str]:
        lines: list[str] = getattr(self, family.value.replace("-", "_"))
        return lines


class Reactions(Strict):
    """What the partner answers, by the kind of turn that it answers."""

    anchor: Lines4
    reversal: Lines4
    drift: Lines4
    HN_A1: Lines4 = Field(alias="HN-A1")
    HN_A2: Lines4 = Field(alias="HN-A2")
    HN_A3: Lines4 = Field(alias="HN-A3")
    HN_A5: Lines4 = Field(alias="HN-A5")

    def to_later(self, family: Family) -> list[str]:
        """Reactions that fit a later turn of `family`; HN-A4 shares those of drift."""
        if family in (Family.A1, Family.A2):
            return self.reversal
        if family is Family.HN_A4:
            return self.drift
        lines: list[str] = getattr(self, family.value.replace("-", "_"))
        return lines


class Frame(Strict):
    """One topic with its objects and all its lines (docs/frames.md says how lines are written)."""

    id: Annotated[str, Field(pattern=r"^[a-z][a-z0-9-]*$")]
    title: str
    direction: Direction
    beliefs: Beliefs
    objects: Annotated[list[TopicObject], Field(min_length=3)]
    anchors: Lines6
    families: FamilyLines
    drift: Lines4
    reactions: Reactions
    bridges: Annotated[list[Lead], Field(min_length=4)]

    def object(self, key: str) -> TopicObject:
        """The object named `key`; raises KeyError when the frame has none."""
        for candidate in self.objects:
            if candidate.key == key:
                return candidate
        raise KeyError(key)

    def gold_lines(self) -> list[tuple[str, str]]:
        """Every line that can become a gold turn, as (kind, text)."""
        out = [("anchor", line) for line in self.anchors]
        for family in Family.locomo():
            out += [(family.value, line) for line in self.families.of(family)]
        return out + [("drift", line) for line in self.drift]

    def reaction_lines(self) -> list[tuple[str, str]]:
        """Every partner's line, as (kind, text)."""
        dumped = self.reactions.model_dump(by_alias=True)
        return [(f"reaction:{kind}", line) for kind, lines in dumped.items() for line in lines]

    def all_lines(self) -> list[tuple[str, str]]:
        """Gold lines, reactions and bridges, as (kind, text)."""
        return self.gold_lines() + self.reaction_lines() + [("bridge", line) for line in self.bridges]


def fill(text: str, values: Mapping[str, str]) -> str:
    """Put slot values into a line. `{Spot}` takes the value of `spot` with its first letter raised.

    Raises KeyError for a slot without a value.
    """

    def value(match: re.Match[str]) -> str:
        name = match.group(1)
        if name in values:
            return values[name]
        lowered = name[0].lower() + name[1:]
        found = values[lowered]
        return found[:1].upper() + found[1:]

    return SLOT.sub(value, text)


def slots_in(text: str) -> set[str]:
    """Names of the slots in a line, in their lower-case form."""
    return {name[0].lower() + name[1:] for name in SLOT.findall(text)}


def read_frame(path: Path) -> Frame:
    """Read one frame file; raises FrameError naming the file and the field."""
    try:
        return Frame.model_validate(read_yaml(path))
    except ValidationError as error:
        raise misfit(error, FrameError, path, remedy="see docs/frames.md") from error


@lru_cache(maxsize=1)
def load_frames() -> tuple[Frame, ...]:
    """All frames that ship with the package, sorted by id."""
    folder = Path(str(resources.files("arcs") / "topics"))
    return tuple(read_frame(path) for path in sorted(folder.glob("*.yaml")))

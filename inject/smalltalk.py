"""Small-talk scripts: the dialogues that carry appended sessions, with borders where an exchange can be dropped in."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from importlib import resources
from pathlib import Path
from typing import Annotated

from pydantic import BaseModel, ConfigDict, Field, ValidationError, model_validator

from locomo_patch.edits import NewTurn
from twistcore.errors import FrameError
from twistcore.stored import misfit
from twistcore.yamls import read_yaml


class ScriptLine(BaseModel):
    """One line of a script; `{you}` is the one who is spoken to."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    text: Annotated[str, Field(min_length=3, max_length=330)]
    caption: str | None = None

    @model_validator(mode="before")
    @classmethod
    def _bare_text(cls, value: object) -> object:
        return {"text": value} if isinstance(value, str) else value


class Script(BaseModel):
    """A whole session of small talk in segments. Speakers alternate line by line; each segment opens a matter of its own.

    `summary` are sentences for the session summary and `observations` facts by line number (from 0, over the whole script);
    in both `{a}` is the speaker of line 0 and `{b}` the other.
    """

    model_config = ConfigDict(extra="forbid", frozen=True)

    id: Annotated[str, Field(pattern=r"^[a-z][a-z0-9-]*$")]
    segments: Annotated[list[Annotated[list[ScriptLine], Field(min_length=1)]], Field(min_length=4)]
    summary: Annotated[list[str], Field(min_length=2)]
    observations: Annotated[dict[int, str], Field(min_length=2)]

    def lines(self) -> list[ScriptLine]:
        """All lines in order."""
        return [line for segment in self.segments for line in segment]

    def border_openers(self, first: str, second: str) -> list[str]:
        """Who speaks next at each border between two segments (border 1 is before segment 1)."""
        openers, spoken = [], 0
        for segment in self.segments[:-1]:
            spoken += len(segment)
            openers.append(first if spoken % 2 == 0 else second)
        return openers


@dataclass(frozen=True, slots=True)
class Exchange:
    """Two turns to drop in at a border."""

    border: int
    turns: tuple[NewTurn, ...]


@dataclass(frozen=True, slots=True)
class Dialogue:
    """A script told by two people with exchanges in it. `exchange_starts` gives the offset of each exchange's first turn by border,
    `line_offsets` the offset of each script line."""

    turns: tuple[NewTurn, ...]
    exchange_starts: dict[int, int]
    line_offsets: tuple[int, ...]


def tell(script: Script, first: str, second: str, names: Mapping[str, str], exchanges: list[Exchange]) -> Dialogue:
    """The dialogue of `first` and `second`; `names` says how each is called by the other."""
    turns: list[NewTurn] = []
    starts: dict[int, int] = {}
    offsets: list[int] = []
    spoken = 0
    at_border = {exchange.border: exchange for exchange in exchanges}
    for index, segment in enumerate(script.segments):
        if index in at_border:
            starts[index] = len(turns)
            turns.extend(at_border[index].turns)
        for line in segment:
            speaker, other = (first, second) if spoken % 2 == 0 else (second, first)
            offsets.append(len(turns))
            turns.append(NewTurn(speaker=speaker, text=line.text.replace("{you}", names[other]), caption=line.caption))
            spoken += 1
    return Dialogue(tuple(turns), starts, tuple(offsets))


def read_script(path: Path) -> Script:
    """Read one script; raises FrameError naming the file and the field."""
    try:
        return Script.model_validate(read_yaml(path))
    except ValidationError as error:
        raise misfit(error, FrameError, path, remedy="see docs/frames.md") from error


@lru_cache(maxsize=1)
def load_scripts() -> tuple[Script, ...]:
    """All scripts that ship with the package, sorted by id."""
    folder = Path(str(resources.files("inject") / "smalltalk"))
    return tuple(read_script(path) for path in sorted(folder.glob("*.yaml")))

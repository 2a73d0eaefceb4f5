"""Acks, handbacks and transitions: the short stretches that tie an exchange to the turns around it."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from importlib import resources
from pathlib import Path
from typing import Annotated, TypeVar

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, ValidationError

from arcs.frames import fill, slots_in
from inject.seams import Act
from inject.subjects import Kind, Subject, When
from twistcore.errors import FrameError
from twistcore.stored import misfit
from twistcore.yamls import read_yaml

Model = TypeVar("Model", bound=BaseModel)
DRAWS = 40
Line = Annotated[str, Field(min_length=3, max_length=120)]


class ConnectiveLine(BaseModel):
    """A line with the kinds of subject that it fits and the times of the clause that names it; a bare string fits all.

    `told` true asks for a clause about the speaker, false for one about the world.
    """

    model_config = ConfigDict(extra="forbid", frozen=True)

    text: Line
    fits: Annotated[frozenset[Kind], Field(min_length=1)] = frozenset(Kind)
    when: Annotated[frozenset[When], Field(min_length=1)] = frozenset(When)
    told: bool | None = None

    def suits(self, subject: Subject | None) -> bool:
        """Whether the line can be said of the subject; without one, a line that names none."""
        if subject is None:
            return "subject" not in slots_in(self.text)
        return subject.kind in self.fits and subject.when in self.when and self.told in {None, subject.told}


def _as_line(value: object) -> object:
    return {"text": value} if isinstance(value, str) else value


Lines = Annotated[list[Annotated[ConnectiveLine, BeforeValidator(_as_line)]], Field(min_length=20)]


class ByAct(BaseModel):
    """Lines by what the turn before does."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    news: Lines
    praise: Lines
    thanks: Lines
    view: Lines
    cheer: Lines

    def of(self, act: Act) -> list[ConnectiveLine]:
        """The lines for an act."""
        lines: list[ConnectiveLine] = getattr(self, act.value)
        return lines

    def texts(self) -> list[str]:
        """Every line, whatever its act."""
        return [line.text for act in Act for line in self.of(act)]

    def fitting(self, act: Act, subject: Subject | None) -> list[str]:
        """The texts that can be said of a subject after such a turn."""
        return [line.text for line in self.of(act) if line.suits(subject)]


class Transitions(BaseModel):
    """Ways onto another matter, inside a turn (`inner`) and at the head of one (`open`)."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    inner: Annotated[list[Line], Field(min_length=10)]
    open: Annotated[list[Line], Field(min_length=10)]


@dataclass(frozen=True, slots=True)
class Connectives:
    """Everything under `inject/bridges/`."""

    acks: ByAct
    handbacks: ByAct
    transitions: Transitions


@dataclass
class ConnectiveUse:
    """How often each connective was used so far in the release."""

    count: Counter[str] = field(default_factory=Counter)

    def pick(
        self,
        lines: Sequence[str],
        rng: random.Random,
        fits: Sequence[str] | None = None,
        foreignness: Callable[[str], float] | None = None,
    ) -> str:
        """One of the least used lines, of those in `fits` where that is given and not empty.

        With `foreignness`, the one of a few draws that sounds least foreign beside the record.
        """
        pool = list(fits) if fits else list(lines)
        least = min(self.count[line] for line in pool)
        open_ = [candidate for candidate in pool if self.count[candidate] == least]
        drawn = rng.sample(open_, min(len(open_), DRAWS if foreignness else 1))
        line = min(drawn, key=foreignness) if foreignness else drawn[0]
        self.count[line] += 1
        return line


@lru_cache(maxsize=1)
def load_connectives() -> Connectives:
    """Read and check the files that ship with the package; raises FrameError."""
    folder = Path(str(resources.files("inject") / "bridges"))
    return Connectives(
        acks=_read(folder / "acks.yaml", ByAct),
        handbacks=_read(folder / "handbacks.yaml", ByAct),
        transitions=_read(folder / "transitions.yaml", Transitions),
    )


def _read(path: Path, model: type[Model]) -> Model:
    try:
        return model.model_validate(read_yaml(path))
    except ValidationError as error:
        raise misfit(error, FrameError, path) from error


def say_ack(line: str, subject: Subject | None) -> str:
    """An ack as the answering speaker says it."""
    return fill(line, {"subject": subject.other, **subject.agreement()} if subject else {})


def say_handback(line: str, subject: Subject | None) -> str:
    """A handback as the turn's own speaker says it."""
    return fill(line, {"subject": subject.own, **subject.agreement()} if subject else {})

"""How the record says a deed and how a friend says it back: the verbs of wordings/deeds.yaml."""

from __future__ import annotations

from enum import StrEnum
from functools import lru_cache
from pathlib import Path
from typing import Annotated

from pydantic import Field, ValidationError

from twistcore.errors import FrameError
from twistcore.stored import misfit
from twistcore.verdicts import Stored
from twistcore.yamls import read_yaml

WORDINGS = Path(__file__).parent / "wordings"


class Kind(StrEnum):
    """Whether a deed is done once or goes on, or is no deed but a liking."""

    EVENT = "event"
    HABIT = "habit"
    TASTE = "taste"


class DeedForm(Stored):
    """How the record says a deed and how a friend says it back (infinitive, past, participle, -ing)."""

    verb: str
    kind: Kind
    says: Annotated[list[str], Field(min_length=4, max_length=4)]
    link: str = ""
    objects: str = ""
    bare: bool = False
    over: bool = False
    rests: bool = False

    @property
    def allowed(self) -> frozenset[str]:
        """Lemmas that it may be done to; none means any."""
        return frozenset(self.objects.split())


class DeedData(Stored):
    """The file: forms, and words that are no objects."""

    deeds: list[DeedForm]
    idle: str
    grave: str
    evaluative: str


@lru_cache(maxsize=1)
def deed_data() -> DeedData:
    """wordings/deeds.yaml; raises FrameError where it is not what the schema says."""
    path = WORDINGS / "deeds.yaml"
    try:
        return DeedData.model_validate(read_yaml(path))
    except ValidationError as problem:
        raise misfit(problem, FrameError, path) from problem

"""What a check found broken: the rule, the file and the place in it, and what is wrong."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum


class Rule(StrEnum):
    """The rules of DESIGN.md that a finished release can show; `MANIFEST` is what its manifest says of it (SCHEMAS.md)."""

    SOURCE = "rule 1"
    HIDDEN = "rule 2"
    SEAMS = "rule 3"
    TIME = "rule 4"
    EVIDENCE = "rule 5"
    PAIRS = "rule 6"
    FACTS = "rule 7"
    REJECTS = "rule 8"
    QUESTIONS = "rule 9"
    SAFETY = "rule 13"
    SCHEMA = "rule 14"
    MANIFEST = "manifest"


@dataclass(frozen=True, slots=True, order=True)
class Broken:
    """One thing that does not hold. `place` is a line, an id or a field, empty where the whole file is meant."""

    rule: Rule
    file: str
    place: str
    wrong: str

    def __str__(self) -> str:
        where = ", ".join(part for part in (self.file, self.place) if part)
        return " ".join(f"{self.rule.value}: {where}: {self.wrong}".split())

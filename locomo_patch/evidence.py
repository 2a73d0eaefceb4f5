"""References to turns as LoCoMo writes them: a tokenizer that accepts every malformed form and keeps it.

Known irregularities (LOCOMO.md section 7): several ids in one string, separated by `; ` or a space; a stray colon
(`D:11:26`); a leading zero (`D30:05`); a bare letter (`D`); a well-formed id of a turn that does not exist.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Container
from dataclasses import dataclass

_TOKEN = re.compile(r"D(?P<colon>:?)(?P<session>\d+):(?P<zeros>0*)(?P<turn>\d+)")


@dataclass(frozen=True, slots=True)
class Reference:
    """One turn that a string refers to. `raw` is how it is written."""

    session: int
    turn: int
    raw: str

    @property
    def dia_id(self) -> str:
        """The well-formed id."""
        return f"D{self.session}:{self.turn}"


def parse_references(text: str) -> list[Reference]:
    """Every reference in an evidence or observation string, in order; an empty list when it holds none."""
    return [Reference(int(match["session"]), int(match["turn"]), match.group()) for match in _TOKEN.finditer(text)]


def resolve(text: str, known: Container[str]) -> tuple[list[str], list[str]]:
    """Split a string into (ids of existing turns, what resolves to nothing)."""
    found = parse_references(text)
    resolved = [reference.dia_id for reference in found if reference.dia_id in known]
    dangling = [reference.raw for reference in found if reference.dia_id not in known]
    if not found:
        dangling.append(text)
    return resolved, dangling


def is_well_formed(text: str) -> bool:
    """Whether a string is exactly one id in the form that turns carry."""
    return re.fullmatch(r"D[1-9]\d*:[1-9]\d*", text) is not None


def rewrite(text: str, move: Callable[[int, int], int]) -> str:
    """A string with each turn number replaced by `move(session, turn)`; separators, stray colons and leading zeros stay."""

    def moved(match: re.Match[str]) -> str:
        turn = move(int(match["session"]), int(match["turn"]))
        return f"D{match['colon']}{match['session']}:{match['zeros']}{turn}"

    return _TOKEN.sub(moved, text)

"""The id map: where each source turn went, and which released turns are new."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from pydantic import TypeAdapter

from twistcore.errors import ReleaseError
from twistcore.stored import read_value
from twistcore.verdicts import Stored


class ConversationIds(Stored):
    """The published map of one conversation: a bijection from source ids to the released ids that are not inserted."""

    old_to_new: dict[str, str]
    inserted: list[str]


ID_MAP = "id_map.json"
ID_MAPS = TypeAdapter(dict[str, ConversationIds])


def read_id_map(path: Path) -> dict[str, ConversationIds]:
    """A release's `id_map.json`, by conversation; raises ReleaseError naming the field that is wrong."""
    return read_value(path, ID_MAPS.validate_python, ReleaseError, remedy="run `twist check`")


@dataclass(frozen=True)
class Renumbering:
    """Positions of one conversation's turns after edits, by session.

    `inserted` maps a session to (source position after which, number of new turns) pairs, rising; `lengths` maps it to its
    number of source turns, 0 for an appended session.
    """

    lengths: Mapping[int, int]
    inserted: Mapping[int, tuple[tuple[int, int], ...]] = field(default_factory=dict)

    def forward(self, session: int, turn: int) -> int:
        """Released number of a source turn. A number beyond the session moves with its growth, so what dangled still does."""
        return turn + sum(size for after, size in self.inserted.get(session, ()) if after < turn)

    def backward(self, session: int, turn: int) -> int:
        """Source number of a released turn that is not inserted; the inverse of `forward`."""
        for after, _ in reversed(self.inserted.get(session, ())):
            shift = sum(other for place, other in self.inserted[session] if place <= after)
            if turn - shift > after:
                return turn - shift
        return turn

    def new_positions(self, session: int) -> list[int]:
        """Released positions of the new turns of a session, rising."""
        out: list[int] = []
        shift = 0
        for after, size in self.inserted.get(session, ()):
            out.extend(range(after + shift + 1, after + shift + size + 1))
            shift += size
        return out

    def published(self) -> ConversationIds:
        """The map as `id_map.json` has it."""
        old_to_new = {
            f"D{session}:{turn}": f"D{session}:{self.forward(session, turn)}"
            for session in sorted(self.lengths)
            for turn in range(1, self.lengths[session] + 1)
        }
        new = [f"D{session}:{position}" for session in sorted(self.inserted) for position in self.new_positions(session)]
        return ConversationIds(old_to_new=old_to_new, inserted=new)


def renumber(lengths: Mapping[int, int], exchanges: Iterable[tuple[int, int, int]]) -> Renumbering:
    """Renumbering from (session, after, size) triples; raises ValueError when two share a place."""
    by_session: dict[int, list[tuple[int, int]]] = {}
    for session, after, size in exchanges:
        by_session.setdefault(session, []).append((after, size))
    for session, places in by_session.items():
        places.sort()
        if len({after for after, _ in places}) != len(places):
            raise ValueError(f"two exchanges at one seam of session {session}")
    return Renumbering(dict(lengths), {session: tuple(places) for session, places in by_session.items()})

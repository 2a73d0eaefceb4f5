"""Reads a release into typed rows, one a turn, with what an audit may look at and what it must find out.

Needs only the directory. The label of a turn (original, gold, reaction, small talk) comes from edits, id map and keys; its
features come from the corpus file alone, since that is all that a reader of the release would have.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from functools import cached_property
from pathlib import Path

from arcs.keys import KEYS_A, TrackAKey
from arcs.taxonomy import Role
from inject.key_history import read_keys
from inject.manifest import Manifest, read_manifest
from locomo_patch.apply import AnyEdit, released_position
from locomo_patch.edits import AppendSession, InsertExchange
from locomo_patch.id_map import ID_MAP
from locomo_patch.reader import LoadedCorpus
from locomo_patch.released import read_placed
from twistcore.corpus import Conversation, Session
from twistcore.errors import ReleaseError
from twistcore.store import EDITS

# LoCoMo greets in a session's first two turns and takes leave in its last two.
EDGE_TURNS = 2
_PLAIN_KEYS = frozenset({"speaker", "dia_id", "text"})


class Kind(StrEnum):
    """What a released turn is."""

    ORIGINAL = "original"
    GOLD = "gold"
    REACTION = "reaction"
    SMALL_TALK = "small_talk"


class Place(StrEnum):
    """Where a turn stands in its session, as far as its type depends on it."""

    OPENING = "opening"
    MIDDLE = "middle"
    FAREWELL = "farewell"


@dataclass(frozen=True, slots=True)
class Row:
    """One released turn.

    `position` and `session_length` count released turns from 1; `place` and `previous` (the text of the turn before) leave
    injected turns out for an original, so that they are what the turn was written for. `keys` are the turn's raw keys in file
    order. `weekday` counts from Monday, 0.
    """

    sample_id: str
    session: int
    position: int
    session_length: int
    speaker: str
    slot: str
    text: str
    hour: int
    weekday: int
    keys: tuple[str, ...]
    leading_space: bool
    trailing_space: bool
    captioned: bool
    kind: Kind
    place: Place
    previous: str | None
    role: Role | None

    @property
    def injected(self) -> bool:
        """Whether the turn is new."""
        return self.kind is not Kind.ORIGINAL

    @property
    def dia_id(self) -> str:
        """The released id."""
        return f"D{self.session}:{self.position}"

    @property
    def words(self) -> int:
        """Length in whitespace tokens."""
        return len(self.text.split())


@dataclass(frozen=True)
class ReleaseRows:
    """A release as audits see it: rows in reading order, and the keys of Track A."""

    manifest: Manifest
    rows: tuple[Row, ...]
    keys: tuple[TrackAKey, ...]

    def of_kind(self, kind: Kind) -> list[Row]:
        """Rows of one kind in reading order."""
        return [row for row in self.rows if row.kind is kind]

    @cached_property
    def by_id(self) -> Mapping[tuple[str, str], Row]:
        """Rows by (sample_id, dia_id)."""
        return {(row.sample_id, row.dia_id): row for row in self.rows}


def load_release(folder: Path) -> ReleaseRows:
    """Read a release; raises ReleaseError where its files are missing, malformed or do not fit together."""
    manifest = read_manifest(folder)
    placed = read_placed(folder)
    loaded, edits, id_map = placed.loaded, placed.edits, placed.id_map
    keys = read_keys(folder)
    rows: list[Row] = []
    for conversation in loaded.corpus.conversations:
        sample_id = conversation.sample_id
        kinds = _kinds(conversation, [edit for edit in edits if edit.sample_id == sample_id], _roles(keys, sample_id))
        recorded = id_map[sample_id].inserted
        if set(recorded) != set(kinds):
            raise ReleaseError(
                "names other injected turns than edits.jsonl", file=folder / ID_MAP, place=sample_id, remedy="run twist check"
            )
        rows.extend(_rows(conversation, loaded, kinds, _roles(keys, sample_id)))
    release = ReleaseRows(manifest, tuple(rows), tuple(sorted(keys, key=lambda key: (key.sample_id, key.id))))
    for key in release.keys:
        for turn in key.turns:
            row = release.by_id.get((key.sample_id, turn.dia_id))
            if row is None or row.speaker != key.holder:
                raise ReleaseError(
                    f"{turn.dia_id} is no turn of {key.holder}", file=folder / KEYS_A, place=key.id, remedy="run twist check"
                )
    return release


def _roles(keys: Sequence[TrackAKey], sample_id: str) -> dict[str, Role]:
    # A gold turn with a source id is LoCoMo's own.
    return {
        turn.dia_id: turn.role for key in keys if key.sample_id == sample_id for turn in key.turns if turn.source_dia_id is None
    }


def _kinds(conversation: Conversation, edits: Sequence[AnyEdit], roles: Mapping[str, Role]) -> dict[str, Kind]:
    """Kinds of the injected turns by released id."""
    kinds: dict[str, Kind] = {}
    for edit in edits:
        if isinstance(edit, InsertExchange):
            for offset in range(len(edit.turns)):
                dia_id = f"D{edit.session}:{released_position(edit, edits, offset)}"
                kinds[dia_id] = Kind.GOLD if dia_id in roles else Kind.REACTION
        elif isinstance(edit, AppendSession):
            ids = [f"D{edit.session}:{position}" for position in range(1, len(edit.turns) + 1)]
            for before, dia_id in zip([None, *ids], ids, strict=False):
                if dia_id in roles:
                    kinds[dia_id] = Kind.GOLD
                else:
                    kinds[dia_id] = Kind.REACTION if before in roles else Kind.SMALL_TALK
    known = {turn.dia_id for turn in conversation.turns()}
    beyond = sorted(set(kinds) - known)
    if beyond:
        raise ReleaseError(
            f"{EDITS} adds {beyond[0]}, which the corpus lacks", place=conversation.sample_id, remedy="run twist check"
        )
    return kinds


def _rows(conversation: Conversation, loaded: LoadedCorpus, kinds: Mapping[str, Kind], roles: Mapping[str, Role]) -> Iterator[Row]:
    raw = loaded.document.blocks(conversation.sample_id).conversation
    for session in conversation.sessions:
        own = _own_places(session, kinds)
        for turn, fields in zip(session.turns, raw[f"session_{session.number}"], strict=True):
            place, previous = own[turn.position]
            yield Row(
                sample_id=conversation.sample_id,
                session=session.number,
                position=turn.position,
                session_length=len(session.turns),
                speaker=turn.speaker,
                slot="a" if turn.speaker == conversation.speaker_a else "b",
                text=turn.text,
                hour=session.date.hour,
                weekday=session.date.weekday(),
                keys=tuple(key for key in fields if key not in _PLAIN_KEYS),
                leading_space=bool(re.match(r"\s", turn.text)),
                trailing_space=bool(re.search(r"\s\Z", turn.text)),
                captioned=turn.caption is not None or turn.has_image,
                kind=kinds.get(turn.dia_id, Kind.ORIGINAL),
                place=place,
                previous=previous,
                role=roles.get(turn.dia_id),
            )


def _own_places(session: Session, kinds: Mapping[str, Kind]) -> dict[int, tuple[Place, str | None]]:
    """Place and previous text by position: an original's among the originals, an injected turn's among all turns."""
    originals = [turn for turn in session.turns if turn.dia_id not in kinds]
    out: dict[int, tuple[Place, str | None]] = {}
    for listed, injected in ((originals, False), (session.turns, True)):
        for index, turn in enumerate(listed):
            if (turn.dia_id in kinds) is not injected:
                continue
            place = Place.OPENING if index < EDGE_TURNS else Place.FAREWELL if index >= len(listed) - EDGE_TURNS else Place.MIDDLE
            out[turn.position] = (place, listed[index - 1].text if index else None)
    return out

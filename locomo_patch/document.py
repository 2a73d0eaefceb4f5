"""LoCoMo files as they are: raw JSON objects with their bytes, in either public shape.

The list file holds ten objects with nested blocks; the earlier zip holds one flat object a conversation, with the same
key names side by side. `Blocks` gives both one face, so that nothing above cares which it has.
"""

from __future__ import annotations

import copy
import json
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from twistcore.fingerprints import sha256_bytes

RawObject = dict[str, Any]


class Shape(StrEnum):
    """The two public shapes of LoCoMo."""

    LIST = "list"
    FLAT = "flat"


@dataclass(frozen=True, slots=True)
class Style:
    """How a file's JSON is laid out. The official file: indent 2, ASCII, no final newline."""

    indent: int | None = 2
    ascii_only: bool = True
    final_newline: bool = False

    def dump(self, value: Any) -> bytes:
        """Serialise in this style."""
        text = json.dumps(value, indent=self.indent, ensure_ascii=self.ascii_only)
        return (text + "\n" * self.final_newline).encode("utf-8")


@dataclass(frozen=True, slots=True)
class SourceFile:
    """One file of a corpus: its name, bytes, and the style that reproduces them (None where no style does, as with the fork)."""

    name: str
    data: bytes
    style: Style | None


@dataclass(frozen=True)
class Blocks:
    """The blocks of one conversation. In the flat shape all four mappings are the same object."""

    sample_id: str
    conversation: RawObject
    events: RawObject
    observation: RawObject
    summary: RawObject
    qa: list[RawObject]


@dataclass(frozen=True)
class Document:
    """A corpus as raw JSON. `objects` holds one object a conversation; treat them as read-only and `copy()` before editing."""

    shape: Shape
    files: tuple[SourceFile, ...]
    sample_ids: tuple[str, ...]
    objects: tuple[RawObject, ...]

    def copy(self) -> Document:
        """A deep copy whose objects may be edited."""
        return Document(self.shape, self.files, self.sample_ids, tuple(copy.deepcopy(raw) for raw in self.objects))

    def blocks(self, sample_id: str) -> Blocks:
        """One conversation's blocks; raises KeyError for an unknown id."""
        try:
            raw = self.objects[self.sample_ids.index(sample_id)]
        except ValueError as error:
            raise KeyError(sample_id) from error
        return blocks_of(raw, sample_id, self.shape)

    def dump(self) -> dict[str, bytes]:
        """File names and bytes. Files whose content did not change come back byte for byte, whatever their style."""
        if self.shape is Shape.LIST:
            return {self.files[0].name: _dump_file(self.files[0], list(self.objects))}
        return {file.name: _dump_file(file, raw) for file, raw in zip(self.files, self.objects, strict=True)}

    def sha256(self) -> str:
        """Hash of what `dump` gives: the file's own for the list shape, a hash over names and hashes for several files."""
        dumped = self.dump()
        if len(dumped) == 1:
            return sha256_bytes(next(iter(dumped.values())))
        return sha256_bytes("".join(f"{name} {sha256_bytes(data)}\n" for name, data in sorted(dumped.items())).encode())


def blocks_of(raw: RawObject, sample_id: str, shape: Shape) -> Blocks:
    """One face for a raw conversation object of either shape; raises KeyError for a missing block."""
    if shape is Shape.FLAT:
        return Blocks(sample_id, raw, raw, raw, raw, raw["qa"])
    return Blocks(sample_id, raw["conversation"], raw["event_summary"], raw["observation"], raw["session_summary"], raw["qa"])


def detect_style(data: bytes, value: Any) -> Style | None:
    """The style that reproduces a file's bytes exactly, or None. The bytes themselves tell which one it can be."""
    first, _, rest = data.rstrip(b"\n").partition(b"\n")
    indent = len(rest) - len(rest.lstrip(b" ")) if first in (b"[", b"{") and rest else None
    # Where the value is empty, no indent shows, and the official file's is as good as any.
    style = Style(indent if rest else None if len(first) > 2 else 2, data.isascii(), data.endswith(b"\n"))
    return style if style.dump(value) == data else None


def _dump_file(file: SourceFile, value: Any) -> bytes:
    if file.style is not None:
        return file.style.dump(value)
    # No style reproduces such a file (the public fork has hand edits), so its own bytes are the only exact copy.
    if json.loads(file.data) == value:
        return file.data
    return Style().dump(value)

"""Proof that a patch gives none of the source's prose away: it looks at what would be written, not at how that was made."""

from __future__ import annotations

import html
import json
import re
from collections.abc import Iterable, Iterator
from typing import Any

from locomo_patch.patch.escapes import UNMATCHED
from locomo_patch.patch.index import RunIndex

# Characters of one source string in a row that a patch must not hold. Plain phrases are shorter.
GIVEN_AWAY = 30

_ESCAPES = re.compile(r'(?:\\u[0-9a-fA-F]{4})+|\\["\\/bfnrt]')
_CHUNK = 400_000


class Leftovers:
    """Looks for the prose of one source."""

    def __init__(self, texts: Iterable[str]) -> None:
        self._index = RunIndex(sorted({_words(text) for text in texts if len(text) >= GIVEN_AWAY}), GIVEN_AWAY)

    def find(self, value: Any) -> list[str]:
        """Runs of the source's strings in any string of a JSON value, whitespace aside, however the value's own text is escaped."""
        readings = dict.fromkeys(
            reading for string in _strings(value) if len(string) >= GIVEN_AWAY for reading in _readings(string)
        )
        found: list[str] = []
        for joined in _join(readings):
            found += [joined[run.start : run.start + run.length] for run in self._index.find_runs(joined)]
        return found


def _join(readings: Iterable[str]) -> Iterator[str]:
    """Many texts as few, with a character between them that no source holds: one search costs less than many."""
    held: list[str] = []
    size = 0
    for reading in readings:
        held.append(reading)
        size += len(reading)
        if size > _CHUNK:
            yield UNMATCHED.join(held)
            held, size = [], 0
    yield UNMATCHED.join(held)


def _strings(value: Any) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict):
        for key, inner in value.items():
            yield key
            yield from _strings(inner)
    elif isinstance(value, list | tuple):
        for inner in value:
            yield from _strings(inner)


def _readings(string: str) -> Iterator[str]:
    yield _words(string)
    yield _words(_ESCAPES.sub(_read_escape, string))
    yield _words(html.unescape(string))


def _read_escape(match: re.Match[str]) -> str:
    return str(json.loads(f'"{match[0]}"'))


def _words(text: str) -> str:
    return " ".join(text.split())

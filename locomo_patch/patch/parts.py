"""A file's text as own text and references into a corpus, and back. `decode(encode(text)) == text` for any text whatever."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from locomo_patch.patch.escapes import FORMS, Form, escape, unescape
from locomo_patch.patch.index import RunIndex
from locomo_patch.patch.models import Part, PatchError
from locomo_patch.patch.places import Places

# Characters that make a quotation: about four words. Shorter runs are phrases that anybody may use.
LEAST_RUN = 20


@dataclass(frozen=True, slots=True)
class Span:
    """Characters of a place's string, as a form writes them."""

    place: str
    offset: int
    length: int
    form: Form


@dataclass(frozen=True, slots=True)
class Value:
    """The JSON of a place's value."""

    place: str


Piece = str | Span | Value


class Encoder:
    """Turns text into pieces against one corpus."""

    def __init__(self, texts: Mapping[str, str]) -> None:
        known = [(name, text) for name, text in texts.items() if len(text) >= LEAST_RUN]
        self._names = [name for name, _ in known]
        self._index = RunIndex([text for _, text in known], LEAST_RUN)

    def encode(self, raw: str, form: Form) -> list[Piece]:
        """Own text and spans. What the file's own form does not explain is looked at once more as it stands."""
        pieces: list[Piece] = []
        for piece in self._spans(raw, form):
            if isinstance(piece, str) and form is not Form.PLAIN:
                pieces += self._spans(piece, Form.PLAIN)
            else:
                pieces.append(piece)
        return pieces

    def encode_pieces(self, pieces: Iterable[Piece], form: Form) -> list[Piece]:
        """The same for pieces, of which the own text is still to be looked at."""
        out: list[Piece] = []
        for piece in pieces:
            out += self.encode(piece, form) if isinstance(piece, str) else (piece,)
        return out

    def _spans(self, raw: str, form: Form) -> Iterator[Piece]:
        meant = unescape(raw, form)
        done = 0
        for run in self._index.find_runs(meant.text):
            start, end = meant.starts[run.start], meant.starts[run.start + run.length]
            if start > done:
                yield raw[done:start]
            yield Span(self._names[run.string], run.offset, run.length, form)
            done = end
        if done < len(raw):
            yield raw[done:]


def store_pieces(pieces: Iterable[Piece], form: Form, numbers: Mapping[str, int]) -> list[Part]:
    """Pieces as a patch stores them; `numbers` are the positions of places in its table."""
    parts: list[Part] = []
    for piece in pieces:
        if isinstance(piece, Value):
            parts.append((numbers[piece.place],))
        elif isinstance(piece, Span):
            span = (numbers[piece.place], piece.offset, piece.length)
            parts.append(span if piece.form is form else (*span, FORMS.index(piece.form)))
        elif parts and isinstance(parts[-1], str):
            parts[-1] += piece
        else:
            parts.append(piece)
    return parts


def decode_parts(parts: Sequence[Part], form: Form, table: Sequence[str], places: Places) -> str:
    """The text that parts stand for; raises PatchError for one that points at nothing."""
    return "".join(_decode(part, form, table, places) for part in parts)


def _decode(part: Part, form: Form, table: Sequence[str], places: Places) -> str:
    if isinstance(part, str):
        return part
    try:
        name = table[part[0]]
        if len(part) == 1:
            return dump_value(places.values[name])
        offset, length = part[1], part[2]
        text = places.texts[name][offset : offset + length]
        written = escape(text, FORMS[part[3]] if len(part) == 4 else form)
    except (IndexError, KeyError) as error:
        raise PatchError(f"points at a place that the source lacks ({error})") from error
    if len(text) != length:
        raise PatchError(f"points past the end of {name} in the source")
    return written


def dump_value(value: Any) -> str:
    """A value as a line of a release's JSON Lines has it."""
    return json.dumps(value, ensure_ascii=True)

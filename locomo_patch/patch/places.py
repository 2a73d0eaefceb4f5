"""Names for everything in a corpus that a patch may point at: turns by their ids, questions by identity, the rest by their keys."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from locomo_patch.document import Document, RawObject, Shape
from locomo_patch.revalidation.identity import identify

_TURNS = re.compile(r"session_\d+")
_IDS = re.compile(r"[D\d:;, ]*")
_BLOCKS = ("conversation", "event_summary", "observation", "session_summary")
# Names, ids and dates are no prose: releases state them in many places of their own.
_NO_PROSE = ("speaker_a", "speaker_b", "sample_id", "speaker", "dia_id", "date", "evidence", "category")
_WORDS = "~words"


@dataclass(frozen=True)
class Places:
    """Values by name, and those of them that are prose."""

    values: dict[str, Any]
    texts: dict[str, str]


def name_place(*parts: str | int) -> str:
    """One name from its parts; a slash inside a part cannot be taken for one between them."""
    return "/".join(str(part).replace("~", "~0").replace("/", "~1") for part in parts)


def name_question(sample_id: str, key: str, occurrence: int, *field: str) -> str:
    """The name of a question, or of one of its fields."""
    return name_place(sample_id, "qa", key, occurrence, *field)


def collect_places(document: Document) -> Places:
    """Every place of a corpus. Where a string has odd whitespace, its words one space apart are a place of their own, since reports
    print it so."""
    values: dict[str, Any] = {}
    for sample_id, raw in zip(document.sample_ids, document.objects, strict=True):
        for name, value in _of_conversation(sample_id, raw, document.shape):
            values.setdefault(name, value)
    texts: dict[str, str] = {}
    for name, value in values.items():
        if isinstance(value, str) and not _IDS.fullmatch(value):
            texts[name] = value
            words = " ".join(value.split())
            if words != value:
                texts[f"{name}/{_WORDS}"] = words
    return Places(values, texts)


def _of_conversation(sample_id: str, raw: RawObject, shape: Shape) -> Iterator[tuple[str, Any]]:
    for key, value in _entries(raw, shape):
        if key == "qa":
            continue
        if _TURNS.fullmatch(key) and isinstance(value, list):
            for turn in value:
                if isinstance(turn, dict):
                    yield from _walk(turn, sample_id, str(turn.get("dia_id")))
        elif not key.endswith("_date_time") and key not in _NO_PROSE:
            yield from _walk(value, sample_id, key)
    for found in identify(sample_id, raw["qa"]):
        question = ("qa", found.identity.question_key, found.identity.occurrence)
        yield name_place(sample_id, *question), found.item
        for key, value in found.item.items():
            if key not in _NO_PROSE:
                yield name_place(sample_id, *question, key), value


def _entries(raw: RawObject, shape: Shape) -> Iterator[tuple[str, Any]]:
    """Keys and values of a conversation, as the flat shape has them."""
    for key, value in raw.items():
        if shape is Shape.LIST and key in _BLOCKS and isinstance(value, dict):
            yield from value.items()
        else:
            yield key, value


def _walk(value: Any, *path: str | int) -> Iterator[tuple[str, str]]:
    if isinstance(value, str):
        yield name_place(*path), value
    elif isinstance(value, dict):
        for key, inner in value.items():
            if key not in _NO_PROSE:
                yield from _walk(inner, *path, key)
    elif isinstance(value, list):
        for number, inner in enumerate(value):
            yield from _walk(inner, *path, number)

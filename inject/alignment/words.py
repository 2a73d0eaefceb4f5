"""The word classes and phrases behind the gates of Track B, read from words.yaml beside this file."""

from __future__ import annotations

import re
from functools import lru_cache
from pathlib import Path
from typing import Any

from twistcore.yamls import read_yaml


@lru_cache(maxsize=1)
def _raw() -> dict[str, Any]:
    loaded: dict[str, Any] = read_yaml(Path(__file__).with_name("words.yaml"))
    return loaded


@lru_cache(maxsize=32)
def draft_words(name: str) -> frozenset[str]:
    """The words listed under `name`; raises KeyError for a name that is not there."""
    return frozenset(_raw()["words"][name].split())


@lru_cache(maxsize=32)
def draft_phrase(name: str) -> re.Pattern[str]:
    """The phrases listed under `name` as one pattern of whole words; raises KeyError for a name that is not there."""
    return re.compile(r"\b(?:" + "|".join(f"(?:{part})" for part in _raw()["phrases"][name]) + r")(?!\w)")


@lru_cache(maxsize=1)
def _sides() -> tuple[tuple[frozenset[str], frozenset[str]], ...]:
    return tuple((frozenset(one.split()), frozenset(other.split())) for one, other in _raw()["opposites"])


def opposite(a: str, b: str) -> bool:
    """Whether two lemmas stand on the two sides of a pair of opposites."""
    return any((a in one and b in other) or (b in one and a in other) for one, other in _sides())

"""Closed word classes that gates share, from word_lists.yaml beside this file."""

from __future__ import annotations

from functools import lru_cache
from importlib import resources
from pathlib import Path

from twistcore.yamls import read_yaml


@lru_cache(maxsize=1)
def _lists() -> dict[str, str]:
    raw = read_yaml(Path(str(resources.files("inject"))) / "word_lists.yaml")
    if not isinstance(raw, dict):
        raise TypeError("word_lists.yaml is no map")
    return {str(name): str(words) for name, words in raw.items()}


def word_list(name: str) -> frozenset[str]:
    """The words listed under `name`; raises KeyError for a name that is not there."""
    return frozenset(_lists()[name].split())

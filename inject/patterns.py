"""The patterns and word lists behind the stance gates, read from stance_patterns.yaml."""

from __future__ import annotations

import re
from functools import lru_cache
from pathlib import Path
from typing import Any

import yaml


@lru_cache(maxsize=1)
def _raw() -> dict[str, Any]:
    loaded: dict[str, Any] = yaml.safe_load(Path(__file__).with_name("stance_patterns.yaml").read_text(encoding="utf-8"))
    return loaded


def pattern(name: str) -> re.Pattern[str]:
    """The named pattern; raises KeyError when there is none."""
    return re.compile("|".join(_expression(item) for item in _raw()["patterns"][name]))


def _expression(item: str | dict[str, list[str]]) -> str:
    """A regular expression as it stands, or a list of phrases: `bounded` ones are whole words, `opening` ones start at a word."""
    if isinstance(item, str):
        return _filled(item)
    ((kind, phrases),) = item.items()
    joined = "|".join(map(_filled, phrases))
    return rf"\b(?:{joined})" + {"bounded": r"\b", "opening": ""}[kind]


PART = re.compile(r"\{([a-z_]+)\}")


def _filled(expression: str) -> str:
    """The expression with each `{name}` replaced by the named part, any one of whose members may stand there."""
    return PART.sub(lambda found: f"(?:{'|'.join(_raw()['parts'][found[1]])})", expression)


def word_list(name: str) -> frozenset[str]:
    """The named word list; raises KeyError when there is none."""
    return frozenset(_raw()["words"][name].split())

"""Scripts of everyday events (data/events.yaml): the words with which people tell that something happened without naming it."""

from __future__ import annotations

import re
from functools import lru_cache
from importlib import resources

import yaml
from pydantic import BaseModel, ConfigDict

ONE, TWO, MORE = 0.45, 0.7, 0.85


class _Script(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)

    asked: frozenset[str]
    told: frozenset[str]


@lru_cache(maxsize=1)
def _scripts() -> dict[str, tuple[tuple[frozenset[str], re.Pattern[str] | None], ...]]:
    raw = yaml.safe_load((resources.files("locomo_patch.revalidation") / "data" / "events.yaml").read_text(encoding="utf-8"))
    found: dict[str, list[tuple[frozenset[str], re.Pattern[str] | None]]] = {}
    for entry in raw.values():
        script = _Script.model_validate(entry)
        phrases = sorted(word for word in script.told if " " in word or "-" in word)
        pattern = re.compile(rf"\b(?:{'|'.join(map(re.escape, phrases))})\b") if phrases else None
        told = frozenset(form for word in script.told - frozenset(phrases) for form in _forms(word))
        for asked in script.asked:
            found.setdefault(asked, []).append((told, pattern))
    return {asked: tuple(told) for asked, told in found.items()}


def _forms(word: str) -> tuple[str, ...]:
    """A word with its singular."""
    if word.endswith("ies") and len(word) > 4:
        return word, f"{word[:-3]}y"
    if word.endswith(("ches", "shes", "sses", "xes")):
        return word, word[:-2]
    return (word, word[:-1]) if word.endswith("s") and not word.endswith("ss") and len(word) > 3 else (word,)


def script_match(asked: str, said: frozenset[str], text: str) -> float:
    """From 0 to 1: how much of the script of an asked word is told; the more of its words, the surer. `text` is in lower case."""
    top = 0
    for told, phrases in _scripts().get(asked, ()):
        count = 0 if told.isdisjoint(said) else len({word.rstrip("s") for word in told & said} - {asked})
        if phrases is not None:
            count += 2 * len({match.group() for match in phrases.finditer(text)})
        top = max(top, count)
    return (0.0, ONE, TWO, MORE)[min(top, 3)]

"""How near a word that is said comes to a word that is asked: the same word, a kind of it, a place inside it, or of one matter.

Classes come from WordNet 3.0 (`twistcore.text.classes`, `twistcore.text.named`) and from data/matters.yaml, which holds the words
of everyday matters that no dictionary relates (a wife and a wedding).
"""

from __future__ import annotations

from functools import lru_cache
from importlib import resources

import yaml
from pydantic import BaseModel, ConfigDict

from locomo_patch.revalidation.relation_keys import asked_keys, said_keys, sort_keys
from twistcore.text.classes import derived, hypernyms, is_a, same_theme, same_word, sisters, synonyms
from twistcore.text.named import is_place, named

SAME, SYNONYM, MEMBER, WITHIN, CLASS, MATTER, SISTER = 1.0, 0.85, 0.85, 0.85, 0.5, 0.5, 0.4
# Classes so wide that almost anything belongs to them tell nothing.
BROAD = frozenset(
    """
    thing activity person people place event object item way kind type sort part group entity piece unit work act action time
    day year state property content idea matter feature aspect instance condition situation process result change move relation
    communication message structure artifact instrumentality creature being organism body whole location region area abstraction
    attribute quality cognition feeling collection material substance substance product equipment device being case quantity
    """.split()  # noqa: SIM905
)
PLACE_WORDS = frozenset({"place", "country", "city", "state", "town", "island", "area", "location", "destination"})


class _Matters(BaseModel):
    """data/matters.yaml: words by matter, and the asked words that stand for a matter."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    matters: dict[str, frozenset[str]]


@lru_cache(maxsize=1)
def _matters_by_word() -> dict[str, frozenset[str]]:
    raw = yaml.safe_load((resources.files("locomo_patch.revalidation") / "data" / "matters.yaml").read_text(encoding="utf-8"))
    found: dict[str, set[str]] = {}
    for matter, words in _Matters.model_validate({"matters": raw}).matters.items():
        for word in {matter, *words}:
            found.setdefault(word, set()).add(matter)
    return {word: frozenset(matters) for word, matters in found.items()}


def matters_of(lemma: str) -> frozenset[str]:
    """The everyday matters that a lemma belongs to."""
    return _matters_by_word().get(lemma, frozenset())


def closeness(asked: str, said: str) -> float:
    """From 0 to 1: how well `said` answers to `asked`, both lemmas. Not symmetric: a tabby answers to pet, not a pet to tabby."""
    if asked == said:
        return SAME
    if said not in _SEEN:
        _register(frozenset((said,)))
    return _near(asked).get(said, 0.0)


# Words said and asked so far by their keys, and for each asked word the said ones that are related to it: each pair is compared
# once.
_SAID_BY: dict[str, list[str]] = {}
_ASKED_BY: dict[str, list[str]] = {}
_SEEN: set[str] = set()
_REGISTERED: set[frozenset[str]] = set()
_ROWS: dict[str, dict[str, float]] = {}
_REMEMBERED = 12000


def _register(said: frozenset[str]) -> None:
    if len(_SEEN) > _REMEMBERED:
        for kept in (_SAID_BY, _ASKED_BY, _SEEN, _REGISTERED, _ROWS):
            kept.clear()
    for word in said - _SEEN:
        keys = said_keys(word, matters_of(word), PLACE_WORDS)
        for asked in _meeting(keys, _ASKED_BY):
            if near := _compare(asked, word):
                _ROWS[asked][word] = near
        _enter(word, keys, _SAID_BY)
        _SEEN.add(word)
    _REGISTERED.add(said)


def _near(asked: str) -> dict[str, float]:
    """The words said so far that are related to an asked one, with how near they are."""
    row = _ROWS.get(asked)
    if row is None:
        keys = asked_keys(asked, matters_of(asked))
        row = _ROWS[asked] = {said: near for said in _meeting(keys, _SAID_BY) if (near := _compare(asked, said))}
        _enter(asked, keys, _ASKED_BY)
    return row


def _meeting(keys: frozenset[str], by_key: dict[str, list[str]]) -> set[str]:
    """The words of the other side that share a key."""
    return {word for key in keys if key in by_key for word in by_key[key]}


def _enter(word: str, keys: frozenset[str], by_key: dict[str, list[str]]) -> None:
    for key in keys:
        by_key.setdefault(key, []).append(word)


def _compare(asked: str, said: str) -> float:
    if same_word(asked, said):
        return SAME
    if said in synonyms(asked, "n") or said in synonyms(asked, "v") or asked in synonyms(said, "n") or asked in synonyms(said, "v"):
        return SYNONYM
    if said in derived(asked):
        return SYNONYM
    if asked not in BROAD and is_a(said, asked):
        return MEMBER
    known = named(said)
    if asked in known.kinds and asked not in BROAD:
        return MEMBER
    if asked in known.within:
        return WITHIN
    if asked in PLACE_WORDS and is_place(said):
        return MEMBER
    if said not in BROAD and is_a(asked, said):
        return CLASS
    if matters_of(asked) & matters_of(said) or same_theme(asked, said):
        return MATTER
    if asked not in BROAD and said not in BROAD and sisters(asked, said):
        return SISTER
    return 0.0


@lru_cache(maxsize=262144)
def best(asked: str, said: frozenset[str]) -> tuple[float, str]:
    """The nearest of many said words and how near it is; (0, "") when none is."""
    if said not in _REGISTERED:
        _register(said)
    row = _near(asked)
    if row.keys().isdisjoint(said):
        return 0.0, ""
    return max(((row[word], word) for word in said & row.keys()), default=(0.0, ""))


def nearest(asked: str, said: frozenset[str]) -> float:
    """How near the nearest of many said words is; remembered, since many questions ask the same of one turn."""
    return 1.0 if asked in said else best(asked, said)[0]


@lru_cache(maxsize=262144)
def alike(member: str, other: str) -> float:
    """Whether two answers are of one sort (a banjo beside a clarinet, Lisbon beside Paris): 1 for a close common class."""
    if member == other:
        return 1.0
    if sort_keys(member, matters_of(member)).isdisjoint(sort_keys(other, matters_of(other))):
        return 0.0
    if is_place(member) and is_place(other):
        return 1.0 if named(member).kinds & named(other).kinds & {"city", "country", "state", "american_state", "island"} else 0.7
    if sisters(member, other) or is_a(member, other) or is_a(other, member):
        return 1.0
    common = (hypernyms(member, "n") & hypernyms(other, "n")) - BROAD
    if common:
        return 0.6
    return 0.4 if matters_of(member) & matters_of(other) or same_theme(member, other) else 0.0

"""Keys under which two words can be related at all: words that share none need not be compared.

Comparing two words asks the dictionary ten questions, and a conversation's questions and new turns make hundreds of thousands of
pairs, of which a few in a hundred are related. Each word's keys are worked out once; what `closeness` finds related always shares
one (there is a test that walks pairs).
"""

from __future__ import annotations

from functools import lru_cache

from twistcore.text.classes import derived, hypernyms, near_classes, stem, synonyms, themes_of
from twistcore.text.named import is_place, named

Keys = frozenset[str]


@lru_cache(maxsize=65536)
def _common(word: str) -> Keys:
    """Keys that both sides have: the word, its stem, its matters' themes and near classes."""
    keys = {f"w {word}", f"s {stem(word)}"}
    keys.update(f"t {theme}" for theme in themes_of(word))
    keys.update(f"n {sense}" for sense in near_classes(word))
    return frozenset(keys)


@lru_cache(maxsize=65536)
def _beside(word: str) -> frozenset[str]:
    """The words that a word stands for or belongs to as a noun or a verb."""
    return synonyms(word, "n") | synonyms(word, "v") | hypernyms(word, "n") | hypernyms(word, "v")


@lru_cache(maxsize=65536)
def asked_keys(word: str, matters: frozenset[str]) -> Keys:
    """Keys of an asked word: also (`r`) the words that it reaches, of which one may be said."""
    reached = _beside(word) | derived(word)
    return _common(word) | {f"r {name}" for name in reached} | {f"m {matter}" for matter in matters}


@lru_cache(maxsize=65536)
def said_keys(word: str, matters: frozenset[str], place_words: frozenset[str]) -> Keys:
    """Keys of a said word: also (`w`) the words that it reaches, of which one may be asked for."""
    known = named(word)
    reached = _beside(word) | known.kinds | known.within | (place_words if is_place(word) else frozenset())
    return _common(word) | {f"r {word}"} | {f"w {name}" for name in reached} | {f"m {matter}" for matter in matters}


@lru_cache(maxsize=65536)
def sort_keys(word: str, matters: frozenset[str]) -> Keys:
    """Keys of an answer that is held against another: what is of one sort with it (`closeness.alike`) shares one."""
    classes = {f"w {name}" for name in hypernyms(word, "n") | hypernyms(word, "v")}
    places = {"place"} if is_place(word) else set()
    return _common(word) | classes | {f"m {matter}" for matter in matters} | places

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
    """Keys that both sides have: the word, its stem, its synonyms and derivations, its matters' themes and near classes."""
    keys = {f"w {word}", f"s {stem(word)}"}
    keys.update(f"w {other}" for other in (*synonyms(word, "n"), *synonyms(word, "v"), *derived(word)))
    keys.update(f"t {theme}" for theme in themes_of(word))
    keys.update(f"n {sense}" for sense in near_classes(word))
    return frozenset(keys)


@lru_cache(maxsize=65536)
def class_keys(word: str) -> Keys:
    """Keys of the classes that a word belongs to, as a noun, a verb or a name."""
    above = {*hypernyms(word, "n"), *hypernyms(word, "v"), *named(word).kinds, *named(word).within}
    return frozenset(f"w {name}" for name in above)


@lru_cache(maxsize=65536)
def asked_keys(word: str, matters: frozenset[str]) -> Keys:
    """Keys of an asked word: also of the classes above it, since a wider word may be said."""
    return _common(word) | class_keys(word) | frozenset(f"m {matter}" for matter in matters)


@lru_cache(maxsize=65536)
def said_keys(word: str, matters: frozenset[str], place_words: frozenset[str]) -> Keys:
    """Keys of a said word: also of the classes above it, which may be asked for, and of places where it is one."""
    places = frozenset(f"w {name}" for name in place_words) if is_place(word) else frozenset()
    return _common(word) | class_keys(word) | frozenset(f"m {matter}" for matter in matters) | places

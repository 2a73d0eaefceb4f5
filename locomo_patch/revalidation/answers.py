"""What answers look like: pursuits and the words that tell of them, classes of answers, relations, and words for people.

The words lie in data/answers.yaml; nothing here knows a question or a turn.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache
from importlib import resources

import yaml
from pydantic import BaseModel, ConfigDict, Field

from twistcore.text.classes import derived, hypernyms, is_a, same_word, stem

PURSUIT = "pursuit"
HINT = "~"
HINT_WEIGHT = 0.5


class _Pursuit(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)

    tags: frozenset[str]
    words: list[str]


class AnswerClass(BaseModel):
    """A class of answers: the asked words that name it, its dictionary classes, further members, and what makes a title one."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    asked: frozenset[str]
    kinds: frozenset[str] = frozenset()
    titled: bool = False
    members: frozenset[str] = frozenset()
    cues: frozenset[str] = frozenset()
    relation: str | None = None


class Relation(BaseModel):
    """What ties a person to an answer: the words that ask for it and the words that tell of it."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    asked: frozenset[str]
    said: frozenset[str]


class _File(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)

    pursuits: dict[str, _Pursuit]
    classes: dict[str, AnswerClass]
    relations: dict[str, Relation]
    kin: dict[str, frozenset[str]] = Field(default_factory=dict)


@dataclass(frozen=True)
class _Lexicon:
    file: _File
    by_word: dict[str, tuple[tuple[str, float], ...]]
    phrases: tuple[tuple[str, str, float], ...]
    kin: dict[str, str]


@lru_cache(maxsize=1)
def _lexicon() -> _Lexicon:
    path = resources.files("locomo_patch.revalidation") / "data" / "answers.yaml"
    file = _File.model_validate(yaml.safe_load(path.read_text(encoding="utf-8")))
    by_word: dict[str, list[tuple[str, float]]] = {}
    phrases: list[tuple[str, str, float]] = []
    for name, pursuit in file.pursuits.items():
        for written in pursuit.words:
            word, weight = (written[:-1], HINT_WEIGHT) if written.endswith(HINT) else (written, 1.0)
            if " " in word:
                phrases.append((word, name, weight))
            else:
                by_word.setdefault(word, []).append((name, weight))
    kin: dict[str, str] = {}
    for group, members in file.kin.items():
        for member in members:
            kin.setdefault(member, group)
    return _Lexicon(file, {word: tuple(found) for word, found in by_word.items()}, tuple(phrases), kin)


def pursuits_in(lemmas: Iterable[str], lowered: str) -> dict[str, float]:
    """The pursuits that words tell of, each from 0.5 (one hint) to 1; `lowered` is the text for phrases of several words."""
    lexicon = _lexicon()
    found: dict[str, float] = {}
    for lemma in set(lemmas):
        for name, weight in lexicon.by_word.get(lemma, ()):
            found[name] = found.get(name, 0.0) + weight
    for phrase, name, weight in lexicon.phrases:
        if phrase in lowered:
            found[name] = found.get(name, 0.0) + weight
    return {name: min(1.0, weight) for name, weight in found.items()}


def pursuit_tags(name: str) -> frozenset[str]:
    """What a pursuit is: outdoor, sport, exercise, calm ..."""
    return _lexicon().file.pursuits[name].tags


def classes_named(words: Iterable[str]) -> frozenset[str]:
    """The classes of answers that asked words name."""
    asked = set(words)
    return frozenset(name for name, each in _lexicon().file.classes.items() if each.asked & asked)


def answer_class(name: str) -> AnswerClass:
    """A class of answers by its name."""
    return _lexicon().file.classes[name]


@lru_cache(maxsize=1)
def titled_classes() -> dict[str, AnswerClass]:
    """The classes whose members have titles."""
    return {name: each for name, each in _lexicon().file.classes.items() if each.titled}


def relations_asked(words: Iterable[str]) -> frozenset[str]:
    """The relations that words of a question ask for."""
    asked = set(words)
    return frozenset(name for name, each in _lexicon().file.relations.items() if each.asked & asked)


def relation_words(name: str) -> frozenset[str]:
    """The words that tell of a relation."""
    return _lexicon().file.relations[name].said


def kin_of(lemma: str) -> str | None:
    """Which group of people a word names: mother, partner, friend ...; None for a word that names no person."""
    return _lexicon().kin.get(lemma)


@lru_cache(maxsize=65536)
def is_person(lemma: str) -> bool:
    """Whether a noun names a person."""
    return kin_of(lemma) is not None or any(is_a(lemma, group) for group in ("person", "relative", "adult", "worker"))


@lru_cache(maxsize=65536)
def is_member(word: str, name: str) -> bool:
    """Whether a word is a listed member of a class, or a kind of one of its dictionary classes."""
    each = answer_class(name)
    if word in each.members or (len(word) > 3 and stem(word) in _stems(name)):
        return True
    if any(same_word(word, member) for member in derived(word) & each.members if len(member) > 3):
        return True
    return word not in each.kinds and not each.kinds.isdisjoint(hypernyms(word, "n"))


@lru_cache(maxsize=64)
def _stems(name: str) -> frozenset[str]:
    return frozenset(stem(member) for member in answer_class(name).members if len(member) > 3)

"""Pet phrases: word runs that one speaker uses far more than the others, over many sessions.

The measure is the log-odds of Monroe, Colaresi and Quinn (2008, "Fightin' Words") with a flat prior, as a z-score. What
both speakers of a conversation over-use is its matter, not a manner, and so is a noun or a verb that few others use.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby
from math import log, sqrt

from personas.words import word_set
from twistcore.corpus import Turn

_CLAUSE = re.compile(r"[.!?,;:…()\"\n]+|\s-{1,2}\s|--|[–—]")
_WORD = re.compile(r"[^\W\d_]+(?:['’-][^\W\d_]+)*")
# Words that no phrase begins or ends with: they belong to what stands before or after.
_DANGLING = word_set(
    "a an the and or but of to in on at for with from by as than my your our his her their its this that these those is are",
    "was were be",
)
MAX_WORDS = 4
MIN_COUNT = 4
MIN_SESSIONS = 4
MIN_Z = 2.5
MIN_OVER_PARTNER = 1.5
COMMON_SHARE = 0.5
MOST = 25
PRIOR = 0.5

Person = tuple[str, str]


@dataclass(frozen=True, slots=True)
class PetPhrase:
    """A phrase in lower case with its count, its rate per 1,000 words of the speaker and of the others, and its z-score."""

    text: str
    count: int
    per_thousand: float
    others_per_thousand: float
    z: float


@dataclass(frozen=True, slots=True)
class SpeakerPhrases:
    """One person's phrases said at least twice, in how many sessions each, and the number of words spoken."""

    counts: Mapping[str, int]
    sessions: Mapping[str, int]
    words: int


@dataclass(frozen=True, slots=True)
class PhraseBook:
    """Phrases of several people, by (sample_id, name), with the totals of all and how many people use each."""

    people: Mapping[Person, SpeakerPhrases]
    counts: Mapping[str, int]
    users: Mapping[str, int]
    words: int


def iterate_phrases(text: str) -> Iterator[str]:
    """Runs of one to four words inside the clauses of a text, in lower case."""
    for clause in _CLAUSE.split(text.lower().replace("’", "'")):
        words = _WORD.findall(clause)
        for start, first in enumerate(words):
            phrase = first
            yield phrase
            for word in words[start + 1 : start + MAX_WORDS]:
                phrase = f"{phrase} {word}"
                yield phrase


def bind_book(people: Mapping[Person, Sequence[Turn]]) -> PhraseBook:
    """The book of several people, each given by all their turns in reading order."""
    read: dict[Person, SpeakerPhrases] = {}
    totals: Counter[str] = Counter()
    users: Counter[str] = Counter()
    shared: dict[str, str] = {}
    for person, turns in people.items():
        counts: Counter[str] = Counter()
        sessions: Counter[str] = Counter()
        words = 0
        for _, group in groupby(turns, key=lambda turn: turn.session):
            texts = [turn.text for turn in group]
            words += sum(len(_WORD.findall(text)) for text in texts)
            here = Counter(phrase for text in texts for phrase in iterate_phrases(text))
            counts.update(here)
            sessions.update(here.keys())
        # One string object a phrase, whoever says it: hundreds of speakers repeat the same few thousand.
        repeated = {shared.setdefault(phrase, phrase): count for phrase, count in counts.items() if count > 1}
        spread = {phrase: sessions[phrase] for phrase, count in repeated.items() if count >= MIN_COUNT}
        read[person] = SpeakerPhrases(repeated, spread, words)
        totals.update(repeated)
        users.update(repeated.keys())
    return PhraseBook(read, totals, users, sum(phrases.words for phrases in read.values()))


def find_pet_phrases(
    person: Person, partner: Person, kinds: Mapping[str, str], names: frozenset[str], book: PhraseBook
) -> tuple[PetPhrase, ...]:
    """What `person` over-uses against everybody in `book`, and against the partner, strongest first.

    `kinds` gives the usual part of speech of each lower-case word of the person; `names` never count. A person who is not
    in the book, or alone in it, has no pet phrases.
    """
    own = book.people.get(person)
    if own is None or book.words == own.words:
        return ()
    other_words = book.words - own.words
    beside = book.people.get(partner)
    found = []
    for phrase, sessions in own.sessions.items():
        count = own.counts[phrase]
        words = phrase.split()
        if (
            sessions < MIN_SESSIONS
            or not names.isdisjoint(word.removesuffix("'s") for word in words)
            or not _manner(words, kinds, book)
        ):
            continue
        if beside is not None and count / own.words < MIN_OVER_PARTNER * beside.counts.get(phrase, 0) / max(1, beside.words):
            continue
        others = book.counts[phrase] - count
        z = _log_odds(count, own.words, others, other_words)
        if z >= MIN_Z:
            found.append(PetPhrase(phrase, count, _rate(count, own.words), _rate(others, other_words), round(z, 3)))
    found.sort(key=lambda pet: (-pet.z, pet.text))
    return tuple(_without_parts(found)[:MOST])


def _manner(words: Sequence[str], kinds: Mapping[str, str], book: PhraseBook) -> bool:
    """Whether a phrase is a way of talking rather than a matter talked about."""
    if len(words) == 1:
        return kinds.get(words[0]) in {"ADV", "INTJ", "ADJ"} and _common(words[0], book)
    if words[0] in _DANGLING or words[-1] in _DANGLING:
        return False
    return all(
        _common(word, book)
        for word in words
        if kinds.get(word, "X") in {"NOUN", "PROPN", "NUM", "VERB", "ADJ", "X"} and "'" not in word
    )


def _common(word: str, book: PhraseBook) -> bool:
    return book.users.get(word, 0) - 1 >= COMMON_SHARE * (len(book.people) - 1)


def _log_odds(own: int, own_words: int, others: int, other_words: int) -> float:
    first, second = own + PRIOR, others + PRIOR
    difference = log(first / (own_words - own + PRIOR)) - log(second / (other_words - others + PRIOR))
    return difference / sqrt(1 / first + 1 / second)


def _rate(count: int, words: int) -> float:
    return round(1000 * count / words, 3)


def _without_parts(phrases: Sequence[PetPhrase]) -> list[PetPhrase]:
    """Of phrases inside one another the longer when it is most of the shorter's uses, else the stronger."""
    kept: list[PetPhrase] = []
    for phrase in phrases:
        longer = [other for other in phrases if other is not phrase and f" {phrase.text} " in f" {other.text} "]
        if any(other.count >= 0.7 * phrase.count for other in longer):
            continue
        if not any(
            f" {other.text} " in f" {phrase.text} " and " " in other.text and other.count > phrase.count / 0.7 for other in kept
        ):
            kept.append(phrase)
    return kept

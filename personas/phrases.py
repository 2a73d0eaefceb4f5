"""Pet phrases: word runs that one speaker uses far more than the others, over many sessions.

The measure is the log-odds of Monroe, Colaresi and Quinn (2008, "Fightin' Words") with a flat prior, as a z-score.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass
from itertools import groupby
from math import log, sqrt

from twistcore.corpus import Turn

_CLAUSE = re.compile(r"[.!?,;:…()\"\n]+|\s-{1,2}\s|--|[–—]")
_WORD = re.compile(r"[^\W\d_]+(?:['’-][^\W\d_]+)*")
MAX_WORDS = 4
MIN_COUNT = 4
MIN_SESSIONS = 4
MIN_Z = 2.5
MOST = 25
PRIOR = 0.5


@dataclass(frozen=True, slots=True)
class PetPhrase:
    """A phrase in lower case with its count, its rate per 1,000 words of the speaker and of the others, and its z-score."""

    text: str
    count: int
    per_thousand: float
    others_per_thousand: float
    z: float


@dataclass(frozen=True, slots=True)
class PhraseBook:
    """Phrase counts of several speakers. What a speaker says only once is left out to keep the book small."""

    counts: Mapping[str, int]
    speakers: Mapping[str, int]
    words: int


def count_phrases(texts: Iterable[str]) -> Counter[str]:
    """Runs of one to four words inside clauses, in lower case."""
    counts: Counter[str] = Counter()
    for text in texts:
        counts.update(_phrases(text))
    return counts


def _phrases(text: str) -> Iterable[str]:
    for clause in _CLAUSE.split(text.lower().replace("’", "'")):
        words = _WORD.findall(clause)
        for start in range(len(words)):
            for end in range(start + 1, min(start + MAX_WORDS, len(words)) + 1):
                yield " ".join(words[start:end])


def count_words(texts: Iterable[str]) -> int:
    """Words of texts as phrases count them."""
    return sum(len(_WORD.findall(text)) for text in texts)


def bind_book(speakers: Iterable[Collection[str]]) -> PhraseBook:
    """The book of several speakers, each given as all texts of one."""
    counts: Counter[str] = Counter()
    users: Counter[str] = Counter()
    words = 0
    for texts in speakers:
        repeated = {phrase: count for phrase, count in count_phrases(texts).items() if count > 1}
        counts.update(repeated)
        users.update(repeated.keys())
        words += count_words(texts)
    return PhraseBook(counts, users, words)


def find_pet_phrases(turns: Collection[Turn], topical: Collection[str], names: Collection[str], book: PhraseBook) -> tuple[PetPhrase, ...]:
    """Phrases that a speaker over-uses against `book`, which includes the speaker's own turns; strongest first.

    `topical` are the speaker's nouns: a phrase with one of them counts only when somebody else repeats it too, so that
    what a speaker talks about is no manner of speaking. `names` never count. A book of one speaker gives none.
    """
    own_words = count_words(turn.text for turn in turns)
    other_words = book.words - own_words
    if other_words <= 0:
        return ()
    own: Counter[str] = Counter()
    sessions: Counter[str] = Counter()
    for _, group in groupby(turns, key=lambda turn: turn.session):
        counts = count_phrases(turn.text for turn in group)
        own.update(counts)
        sessions.update(counts.keys())
    found = []
    for phrase in sorted(phrase for phrase, count in own.items() if count >= MIN_COUNT and sessions[phrase] >= MIN_SESSIONS):
        words = phrase.split()
        others = max(0, book.counts.get(phrase, 0) - own[phrase])
        if any(word.removesuffix("'s") in names for word in words):
            continue
        if others == 0 and any(word in topical for word in words):
            continue
        z = _log_odds(own[phrase], own_words, others, other_words)
        if z >= MIN_Z:
            found.append(PetPhrase(phrase, own[phrase], _rate(own[phrase], own_words), _rate(others, other_words), round(z, 3)))
    found.sort(key=lambda phrase: (-phrase.z, phrase.text))
    return tuple(_without_parts(found)[:MOST])


def _log_odds(own: int, own_words: int, others: int, other_words: int) -> float:
    first, second = own + PRIOR, others + PRIOR
    difference = log(first / (own_words - own + PRIOR)) - log(second / (other_words - others + PRIOR))
    return difference / sqrt(1 / first + 1 / second)


def _rate(count: int, words: int) -> float:
    return round(1000 * count / words, 3)


def _without_parts(phrases: list[PetPhrase]) -> list[PetPhrase]:
    """Drop a phrase that is hardly ever said outside a longer one, and a longer one that adds nothing to a frequent part."""
    kept: list[PetPhrase] = []
    for phrase in phrases:
        inside = [other for other in phrases if other is not phrase and f" {phrase.text} " in f" {other.text} "]
        if any(other.count >= 0.7 * phrase.count for other in inside):
            continue
        if any(f" {other.text} " in f" {phrase.text} " and other.count >= phrase.count for other in kept if len(other.text.split()) > 1):
            continue
        kept.append(phrase)
    return kept

"""What a speaker talks about: noun and verb lemmas and noun compounds, weighted against the other conversations."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from math import log

from personas.record import RecordIndex

MOST = 120
MIN_COUNT = 2


@dataclass(frozen=True, slots=True)
class Topic:
    """A term with the number of times the speaker used it, its weight, and the dia_ids of the speaker's turns that hold it."""

    term: str
    count: int
    weight: float
    evidence: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class TermWeights:
    """In how many of how many conversations each term occurs. A term of every conversation weighs nothing."""

    conversations: int
    frequencies: Mapping[str, int]

    def weight(self, term: str) -> float:
        """Inverse document frequency, log(N / n); 1 where there is nothing to compare with."""
        if self.conversations < 2:
            return 1.0
        return log(self.conversations / max(1, self.frequencies.get(term, 1)))


def weigh_terms(indexes: Iterable[RecordIndex]) -> TermWeights:
    """Conversation frequencies of all terms."""
    frequencies: Counter[str] = Counter()
    conversations = 0
    for index in indexes:
        conversations += 1
        frequencies.update({term for terms in index.terms.values() for term in terms})
    return TermWeights(conversations, frequencies)


def find_topics(index: RecordIndex, speaker: str, weights: TermWeights) -> tuple[Topic, ...]:
    """The speaker's topics, heaviest first; at most `MOST`, each used at least twice."""
    counts: Counter[str] = Counter()
    evidence: dict[str, list[str]] = {}
    for turn in index.turns_of(speaker):
        terms = index.terms[turn.dia_id]
        counts.update(terms)
        for term in dict.fromkeys(terms):
            evidence.setdefault(term, []).append(turn.dia_id)
    weighed = (
        Topic(term, count, round((1 + log(count)) * weights.weight(term), 4), tuple(evidence[term]))
        for term, count in counts.items()
        if count >= MIN_COUNT
    )
    heaviest = sorted((topic for topic in weighed if topic.weight > 0), key=lambda topic: (-topic.weight, -topic.count, topic.term))
    return tuple(heaviest[:MOST])

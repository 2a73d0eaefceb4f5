"""How much a line sounds like the record: log-odds of its words and word pairs between the corpus and our own catalogue.

The planner prefers lines that sound like the corpus they go into (DESIGN.md rule 2: injection must not show). The measure is a
plain unigram and bigram model with additive smoothing, made from the corpus at hand and the frames; it is not the audit's.
"""

from __future__ import annotations

import itertools
import math
import re
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass

_WORD = re.compile(r"[a-z0-9']+|[!?.,]")
SMOOTHING = 2.0


@dataclass(frozen=True)
class Style:
    """N-gram counts of the record and of the catalogue. `foreignness` is 0 for text that either could say, higher for ours."""

    record: Counter[str]
    catalogue: Counter[str]
    record_total: int
    catalogue_total: int

    def foreignness(self, text: str) -> float:
        """Mean log-odds of a text's words and word pairs, catalogue against record; an empty text is 0."""
        grams = n_grams(text)
        if not grams:
            return 0.0
        return sum(self._log_odds(gram) for gram in grams) / len(grams)

    def _log_odds(self, gram: str) -> float:
        ours = (self.catalogue[gram] + SMOOTHING) / (self.catalogue_total + SMOOTHING)
        theirs = (self.record[gram] + SMOOTHING) / (self.record_total + SMOOTHING)
        return math.log(ours / theirs)


def n_grams(text: str) -> list[str]:
    """Lower-case words and marks, and pairs of neighbours."""
    words = _WORD.findall(text.lower())
    return words + [f"{first} {second}" for first, second in itertools.pairwise(words)]


def measure_style(record: Iterable[str], catalogue: Iterable[str]) -> Style:
    """Count both sides."""
    theirs, ours = Counter[str](), Counter[str]()
    for text in record:
        theirs.update(n_grams(text))
    for text in catalogue:
        ours.update(n_grams(text))
    return Style(theirs, ours, theirs.total(), ours.total())

"""How alike anchor and later turn look on the surface: TF-IDF cosine over content lemmas, and the band that all items share.

If the later turns of arcs resembled their anchors more (or less) than those of hard negatives, similarity alone would tell them
apart (PRECEDENTS.md: leaks by retrieval score). Weights and band lie in surface.yaml beside this file; `python -m inject.surface`
makes them again from the topic frames, which are the only prose that we write.
"""

from __future__ import annotations

import math
import re
from collections import Counter
from dataclasses import dataclass
from functools import lru_cache
from importlib import resources
from itertools import product
from pathlib import Path
from typing import TYPE_CHECKING

import yaml

from arcs.frames import load_frames
from arcs.lint import render
from arcs.taxonomy import Family
from twistcore.text.parses import Parser
from twistcore.yamls import read_yaml

if TYPE_CHECKING:
    from spacy.tokens import Doc

CONTENT = frozenset({"NOUN", "PROPN", "VERB", "ADJ", "NUM"})
KEPT = 1500
STOP_WORDS = frozenset(
    [
        "the",
        "and",
        "for",
        "that",
        "with",
        "you",
        "your",
        "but",
        "not",
        "are",
        "was",
        "were",
        "have",
        "has",
        "had",
        "this",
        "they",
        "them",
        "their",
        "there",
        "then",
        "than",
        "what",
        "when",
        "who",
        "how",
        "why",
        "its",
        "it's",
        "i'm",
        "i've",
        "i'd",
        "all",
        "any",
        "can",
        "can't",
        "don't",
        "did",
        "does",
        "doing",
        "got",
        "get",
        "just",
        "like",
        "out",
        "off",
        "over",
        "into",
        "from",
        "about",
        "after",
        "before",
        "because",
        "been",
        "being",
        "more",
        "most",
        "much",
        "very",
        "too",
        "own",
        "our",
        "she",
        "her",
        "him",
        "his",
        "one",
        "two",
        "some",
        "such",
        "only",
        "really",
        "still",
        "even",
        "also",
        "now",
        "will",
        "would",
        "could",
        "should",
        "may",
        "might",
        "myself",
        "me",
        "my",
        "mine",
    ]
)
LOW_QUANTILE, HIGH_QUANTILE = 0.01, 0.995
# Turns with nothing in common are no pair, however many frames can tell an item so.
LEAST_IN_COMMON = 0.02


@dataclass(frozen=True, slots=True)
class Surface:
    """The band of similarities that an item may have, and the weight of each common lemma; others weigh `rare`."""

    low: float
    high: float
    rare: float
    weights: dict[str, float]


@lru_cache(maxsize=1)
def load_surface() -> Surface:
    """Band and weights as shipped."""
    raw = read_yaml(Path(str(resources.files("inject"))) / "surface.yaml")
    return Surface(low=raw["low"], high=raw["high"], rare=raw["rare"], weights=raw["weights"])


def content_lemmas(doc: Doc) -> list[str]:
    """Lemmas of the words that carry content, repeated as often as they occur."""
    return [token.lemma_.lower() for token in doc if token.pos_ in CONTENT and not token.is_stop and token.text.isalnum()]


def similarity(anchor_doc: Doc, later_doc: Doc) -> float:
    """TF-IDF cosine of two turns, 0 to 1; 0 when either has no content word."""
    return _cosine(content_lemmas(anchor_doc), content_lemmas(later_doc), load_surface())


def word_similarity(anchor: str, later: str) -> float:
    """The same cosine over bare words, for ranking candidate lines without parsing them; a plural counts as its singular."""
    return _cosine(_bare_words(anchor), _bare_words(later), load_surface())


@lru_cache(maxsize=4096)
def _bare_words(text: str) -> list[str]:
    words = re.findall(r"[a-z]{3,}", text.lower())
    return [word[:-1] if word.endswith("s") and not word.endswith("ss") else word for word in words if word not in STOP_WORDS]


def _cosine(left: list[str], right: list[str], surface: Surface) -> float:
    one, two = _vector(left, surface), _vector(right, surface)
    shared = sum(weight * two[lemma] for lemma, weight in one.items() if lemma in two)
    norm = math.sqrt(sum(weight**2 for weight in one.values()) * sum(weight**2 for weight in two.values()))
    return shared / norm if norm else 0.0


def _vector(lemmas: list[str], surface: Surface) -> dict[str, float]:
    return {lemma: (1 + math.log(count)) * surface.weights.get(lemma, surface.rare) for lemma, count in Counter(lemmas).items()}


def build() -> str:
    """The text of surface.yaml: weights by document frequency in the frames, band by quantiles over all anchor and later pairs."""
    parser = Parser()
    pairs: list[tuple[str, str]] = []
    for frame in load_frames():
        for item in frame.objects:
            later = [line for family in Family.locomo() for line in frame.families.of(family)]
            pairs += [(render(left, item), render(right, item)) for left, right in product(frame.anchors, later)]
    texts = sorted({text for pair in pairs for text in pair})
    lemmas = {text: content_lemmas(doc) for text, doc in zip(texts, parser.parse_all(texts), strict=True)}
    frequency = Counter(lemma for listed in lemmas.values() for lemma in set(listed))
    rare = round(math.log(len(texts)) + 1, 3)
    weights = {lemma: round(math.log(len(texts) / count) + 1, 3) for lemma, count in sorted(frequency.most_common(KEPT))}
    surface = Surface(0.0, 1.0, rare, weights)
    scores = sorted(_cosine(lemmas[left], lemmas[right], surface) for left, right in pairs)
    low, high = (scores[int(share * (len(scores) - 1))] for share in (LOW_QUANTILE, HIGH_QUANTILE))
    low = max(low, LEAST_IN_COMMON)
    made = {"low": math.floor(low * 100) / 100, "high": math.ceil(high * 100) / 100, "rare": rare, "weights": weights}
    return "# Made by `python -m inject.surface` from arcs/topics; see inject/surface.py.\n" + yaml.safe_dump(made, sort_keys=True)


if __name__ == "__main__":
    (Path(__file__).parent / "surface.yaml").write_text(build(), encoding="utf-8")

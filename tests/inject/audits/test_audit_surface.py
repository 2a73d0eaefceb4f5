"""The surface audit: BM25 equals bm25s, ranks and thresholds equal a brute-force count."""

from __future__ import annotations

import random
from collections.abc import Callable
from pathlib import Path

import bm25s
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.feature_extraction.text import ENGLISH_STOP_WORDS

from inject.audits.load import load_release
from inject.audits.similarity import BM25, TFIDF, similarities
from inject.audits.surface import _detector, audit_surface

Make = Callable[..., Path]
NOUNS = ["melon", "river", "candle", "tower", "pepper", "violin", "harbor", "pillow", "lantern", "saddle", "walnut", "meadow"]


def test_bm25_equals_bm25s() -> None:
    rng = random.Random(2)
    texts = [" ".join(rng.choices(NOUNS, k=rng.randrange(3, 12))) for _ in range(25)]
    retriever = bm25s.BM25(k1=1.5, b=0.75, method="lucene")
    retriever.index([text.split() for text in texts], show_progress=False)
    ours = similarities(texts, BM25)
    for index, text in enumerate(texts):
        theirs = retriever.get_scores(sorted(set(text.split())))
        assert ours[index] == pytest.approx(theirs, rel=1e-5)


def test_stop_words_alone_are_nothing_alike_for_bm25() -> None:
    texts = [" ".join(sorted(ENGLISH_STOP_WORDS)[:6])] * 3
    assert not similarities(texts, BM25).any()
    assert np.allclose(similarities(texts, TFIDF), 1.0)


@pytest.mark.parametrize("arcs_repeat", [True, False])
def test_similarity_that_tells_arcs_from_partners_is_found_either_way_round(make_release: Make, arcs_repeat: bool) -> None:
    def write(text: str, kind: str, item: int) -> str:
        is_arc = item % 2 == 0
        if kind in ("anchor", "later") and is_arc is arcs_repeat:
            return f"I talked about quux{item} and frob{item} and zork{item} again."
        return text

    surface = audit_surface(load_release(make_release(write=write)))
    for match in surface.matches:
        assert match.pairs == 4 * 5
        assert match.separation == 1.0
        assert match.auc == (1.0 if arcs_repeat else 0.0)
        assert match.arc_more_similar == match.auc
        same, other = (match.arcs, match.partners) if arcs_repeat else (match.partners, match.arcs)
        assert same is not None
        assert other is not None
        assert same.top1 == 1.0
        assert other.top1 < 0.5
    assert [limit.met for limit in surface.limits] == [False] * 4
    in_the_wild = surface.matches[0].detectors[1]
    assert in_the_wild.positives == 20
    if arcs_repeat:
        assert in_the_wild.best_f1 > 0.95


def test_one_distribution_for_both_sides_meets_the_limits(make_release: Make) -> None:
    def write(text: str, kind: str, item: int) -> str:
        return text + f" Quux{item}." * (kind in ("anchor", "later"))

    surface = audit_surface(load_release(make_release(conversations=8, write=write)))
    assert all(limit.met for limit in surface.limits)


def test_a_release_without_items_is_not_applicable(make_release: Make) -> None:
    surface = audit_surface(load_release(make_release(conversations=2, pairs=0)))
    assert all(limit.met is None and limit.note == "no arc with its partner" for limit in surface.limits)


@given(
    st.lists(st.tuples(st.integers(0, 1), st.integers(0, 4)), min_size=1, max_size=12).filter(
        lambda rows: any(label for label, _ in rows)
    )
)
def test_best_f1_equals_the_best_over_every_threshold(rows: list[tuple[int, int]]) -> None:
    labels = [label for label, _ in rows]
    scores = [float(score) for _, score in rows]
    best = 0.0
    for threshold in set(scores):
        flagged = [label for label, score in zip(labels, scores, strict=True) if score >= threshold]
        best = max(best, 2 * sum(flagged) / (len(flagged) + sum(labels)))
    assert _detector("t", labels, scores, sum(labels)).best_f1 == pytest.approx(best, abs=1e-4)

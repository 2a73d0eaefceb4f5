"""What n-grams tell: a logistic regression on word and character n-grams, tested on the conversation that it did not see."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_matrix, hstack
from sklearn.feature_extraction.text import CountVectorizer, TfidfTransformer
from sklearn.linear_model import LogisticRegression

from inject.audits.figures import Auc, Floats, held_out_auc, rounded, why_not
from twistcore.verdicts import Stored

WORDS, CHARACTERS, _MISSING = "word", "char", "missing"
# Keeps "i", "a" and contractions whole; scikit-learn's own pattern drops one-letter words.
_WORD = r"(?u)\b\w[\w'’]*\b"
_MIN_TEXTS = {WORDS: 2, CHARACTERS: 3}
# Of 0.3, 1 and 10 the one that tells original statements from other originals best (the audit's own control).
STRENGTH = 1.0


class Giveaway(Stored):
    """An n-gram with its weight (mean over folds; positive speaks for the first class) and the share of texts of either class
    that have it."""

    ngram: str
    weight: float
    in_positives: float
    in_negatives: float


class NgramReport(Stored):
    """How well n-grams tell two kinds of text apart, and which."""

    auc: Auc
    words: list[Giveaway]
    characters: list[Giveaway]
    missing_words: list[Giveaway]


@dataclass(frozen=True)
class _Space:
    """Counts of one analyzer's n-grams over all texts."""

    kind: str
    counts: Any
    names: tuple[str, ...]
    min_texts: int


def tell_apart(texts: Sequence[str], labels: Sequence[int], groups: Sequence[str], shown: int) -> NgramReport:
    """Leave-one-conversation-out figures and the `shown` n-grams of either analyzer with the largest weights.

    `groups` are the conversations. Deterministic for a given order of texts.
    """
    marks = np.asarray(labels, dtype=np.int64)
    reason = why_not(marks, groups)
    spaces = [] if reason else [space for kind in (WORDS, CHARACTERS) if (space := _count(texts, kind)) is not None]
    if reason or not spaces:
        return _not_applicable(marks, reason or "texts share no n-gram")
    names = np.asarray(groups)
    scores: Floats = np.zeros(len(marks))
    weights: list[Floats] = []
    for group in sorted(set(groups)):
        train, test = names != group, names == group
        weighed = _weigh(spaces, train, test)
        if weighed is None:
            continue
        fitted, held_out, columns = weighed
        model = LogisticRegression(C=STRENGTH, class_weight="balanced", solver="liblinear", random_state=0, max_iter=1000)
        model.fit(fitted, marks[train])
        scores[test] = model.decision_function(held_out)
        weight = np.zeros(sum(len(space.names) for space in spaces))
        weight[columns] = model.coef_[0]
        weights.append(weight)
    if not weights:
        return _not_applicable(marks, "texts share no n-gram")
    mean = np.mean(weights, axis=0)
    starts = np.cumsum([0, *(len(space.names) for space in spaces)])
    found: dict[str, list[Giveaway]] = {WORDS: [], CHARACTERS: [], _MISSING: []}
    for space, start in zip(spaces, starts, strict=False):
        part = mean[start : start + len(space.names)]
        found[space.kind] = _top(space, part, marks, shown)
        if space.kind == WORDS:
            found[_MISSING] = _top(space, -part, marks, shown, sign=-1)
    return NgramReport(
        auc=held_out_auc(marks, scores, groups), words=found[WORDS], characters=found[CHARACTERS], missing_words=found[_MISSING]
    )


def _not_applicable(marks: NDArray[np.int64], note: str) -> NgramReport:
    auc = Auc(positives=int(marks.sum()), negatives=int((marks == 0).sum()), note=note)
    return NgramReport(auc=auc, words=[], characters=[], missing_words=[])


def _count(texts: Sequence[str], kind: str) -> _Space | None:
    settings: dict[str, Any] = (
        {"ngram_range": (1, 2), "token_pattern": _WORD} if kind == WORDS else {"ngram_range": (2, 5), "analyzer": "char_wb"}
    )
    vectorizer = CountVectorizer(min_df=_MIN_TEXTS[kind], dtype=np.float64, **settings)
    try:
        counts = vectorizer.fit_transform(texts)
    except ValueError:
        # scikit-learn's way of saying that no n-gram is frequent enough.
        return None
    return _Space(kind, counts, tuple(vectorizer.get_feature_names_out()), _MIN_TEXTS[kind])


def _weigh(
    spaces: Sequence[_Space], train: NDArray[np.bool_], test: NDArray[np.bool_]
) -> tuple[Any, Any, NDArray[np.int64]] | None:
    """TF-IDF of both parts with the training part's vocabulary and document frequencies, and the columns that are kept; None when
    none is.

    What training has not seen is dropped before lengths are normalised; left in, its mere mass would be a feature.
    """
    fitted, held_out, columns, offset = [], [], [], 0
    for space in spaces:
        kept = np.flatnonzero(np.asarray((space.counts[train] > 0).sum(axis=0)).ravel() >= space.min_texts)
        if len(kept):
            counts = space.counts[:, kept]
            transformer = TfidfTransformer(sublinear_tf=True)
            fitted.append(transformer.fit_transform(counts[train]))
            held_out.append(transformer.transform(counts[test]))
            columns.append(kept + offset)
        offset += len(space.names)
    if not columns:
        return None
    return csr_matrix(hstack(fitted)), csr_matrix(hstack(held_out)), np.concatenate(columns)


def _top(space: _Space, weights: Floats, marks: NDArray[np.int64], shown: int, sign: int = 1) -> list[Giveaway]:
    present = space.counts > 0
    in_positives = np.asarray(present[marks == 1].mean(axis=0)).ravel()
    in_negatives = np.asarray(present[marks == 0].mean(axis=0)).ravel()
    # Rounded before sorting, so that equal weights fall back on the alphabet.
    order = sorted(range(len(space.names)), key=lambda index: (-rounded(float(weights[index])), space.names[index]))
    return [
        Giveaway(
            ngram=space.names[index],
            weight=rounded(sign * float(weights[index])),
            in_positives=rounded(float(in_positives[index])),
            in_negatives=rounded(float(in_negatives[index])),
        )
        for index in order[:shown]
        if weights[index] > 0
    ]

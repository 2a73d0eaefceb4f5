"""Audit (a), without words: does a turn's place in its session, or its metadata, give it away?

The session's number is no feature (an appended session is the last by definition), nor are QA citations and references of
derived blocks (new turns cannot have them).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
from sklearn.ensemble import HistGradientBoostingClassifier
from sklearn.linear_model import LogisticRegression
from sklearn.preprocessing import OneHotEncoder
from threadpoolctl import threadpool_limits  # type: ignore[import-untyped]

from inject.audits.figures import AUDIT_SCHEMA, POSITION_LIMIT, Auc, Floats, Limit, held_out_auc, hold, why_not
from inject.audits.load import Kind, ReleaseRows, Row
from twistcore.verdicts import Stored

POSITION, METADATA = "position", "metadata"
BINS = 8
ROUNDS = 60
Feature = float | str

EXCHANGES = frozenset({Kind.GOLD, Kind.REACTION})
ALL_INJECTED = frozenset({Kind.GOLD, Kind.REACTION, Kind.SMALL_TALK})


class Guess(Stored):
    """How well one model tells injected turns from originals by one set of features."""

    population: str
    features: str
    model: str
    auc: Auc


class Position(Stored):
    """`audits/position.json`. Each limit is held by the better of the two models."""

    schema_version: str = AUDIT_SCHEMA
    audit: str = "position"
    guesses: list[Guess]
    limits: list[Limit]


def position_features(row: Row) -> list[Feature]:
    """Place from the start, from the end and as a share of the session, and the session's length (all in turns)."""
    from_end = row.session_length - row.position
    share = (row.position - 1) / max(1, row.session_length - 1)
    return [float(row.position), float(from_end), share, float(row.session_length)]


def metadata_features(row: Row) -> list[Feature]:
    """Raw keys in file order, edge whitespace, speaker slot, hour and weekday."""
    return [" ".join(row.keys), str(row.leading_space), str(row.trailing_space), row.slot, str(row.hour), str(row.weekday)]


def audit_position(release: ReleaseRows) -> Position:
    """Both feature sets, for exchanges and for all injected turns, each with a boosted and a linear model.

    Captioned originals are left out, since new turns cannot have a picture. Appended sessions do have captions without a
    picture, so all injected turns are judged with them (`all_injected`) and without (`all_injected_uncaptioned`).
    """
    plain = [row for row in release.rows if row.kind is Kind.ORIGINAL and not row.captioned]
    populations = {
        "exchanges": [row for row in release.rows if row.kind in EXCHANGES],
        "all_injected": [row for row in release.rows if row.kind in ALL_INJECTED],
        "all_injected_uncaptioned": [row for row in release.rows if row.kind in ALL_INJECTED and not row.captioned],
    }
    guesses: list[Guess] = []
    limits: list[Limit] = []
    for population, injected in populations.items():
        for features in (POSITION, METADATA):
            found = [
                Guess(population=population, features=features, model=model, auc=_guess(injected, plain, features, model))
                for model in ("boosted", "linear")
            ]
            guesses.extend(found)
            worst = max((guess.auc.worst for guess in found if guess.auc.worst is not None), default=None)
            limits.append(hold(f"{features} alone, {population.replace('_', ' ')}", worst, POSITION_LIMIT, found[0].auc.note))
    return Position(guesses=guesses, limits=limits)


def _guess(injected: Sequence[Row], plain: Sequence[Row], features: str, model: str) -> Auc:
    rows = [*injected, *plain]
    labels = np.asarray([1] * len(injected) + [0] * len(plain), dtype=np.int64)
    groups = [row.sample_id for row in rows]
    reason = why_not(labels, groups)
    if reason:
        return Auc(positives=len(injected), negatives=len(plain), note=reason)
    if features == POSITION:
        table = np.asarray([position_features(row) for row in rows], dtype=np.float64)
    else:
        table = _codes([metadata_features(row) for row in rows])
    names = np.asarray(groups)
    scores: Floats = np.zeros(len(rows))
    fit = _MODELS[model]
    for group in sorted(set(groups)):
        train, test = names != group, names == group
        scores[test] = fit(table[train], labels[train], table[test], features)
    return held_out_auc(labels, scores, groups)


def _codes(rows: Sequence[Sequence[Feature]]) -> Floats:
    """Categories as numbers, column by column, in the order of their names (not of their meaning)."""
    columns = []
    for column in zip(*rows, strict=True):
        order = {value: float(code) for code, value in enumerate(sorted(set(column), key=str))}
        columns.append([order[value] for value in column])
    return np.asarray(columns, dtype=np.float64).T


def _boosted(train: Floats, labels: Any, test: Floats, features: str) -> Floats:
    model = HistGradientBoostingClassifier(
        max_iter=ROUNDS,
        learning_rate=0.05,
        max_leaf_nodes=15,
        min_samples_leaf=20,
        early_stopping=False,
        random_state=0,
        class_weight="balanced",
        categorical_features=list(range(train.shape[1])) if features == METADATA else None,
    )
    # One thread: sums of floats must not depend on how many cores shared them, and shared cores make more threads slower.
    with threadpool_limits(limits=1):
        model.fit(train, labels)
        return np.asarray(model.decision_function(test), dtype=np.float64)


def _linear(train: Floats, labels: Any, test: Floats, features: str) -> Floats:
    if features == POSITION:
        edges = [np.unique(np.quantile(column, np.linspace(0, 1, BINS + 1)[1:-1])) for column in train.T]
        train, test = _binned(train, edges), _binned(test, edges)
    encoder = OneHotEncoder(handle_unknown="ignore")
    model = LogisticRegression(C=1.0, class_weight="balanced", solver="liblinear", random_state=0)
    model.fit(encoder.fit_transform(train), labels)
    return np.asarray(model.decision_function(encoder.transform(test)), dtype=np.float64)


def _binned(table: Floats, edges: Sequence[Floats]) -> Floats:
    return np.asarray([np.digitize(column, cut) for column, cut in zip(table.T, edges, strict=True)], dtype=np.float64).T


_MODELS: dict[str, Callable[[Floats, Any, Floats, str], Floats]] = {"boosted": _boosted, "linear": _linear}

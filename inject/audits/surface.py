"""Audit (b): does the similarity of anchor and later turn tell arcs from their partners, or find them without reading?"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np

from arcs.keys import TrackAKey
from arcs.taxonomy import Role
from inject.audits.figures import AUDIT_SCHEMA, SURFACE_LIMIT, TOP1_DIFFERENCE_LIMIT, Floats, Limit, auc, hold, rounded
from inject.audits.load import ReleaseRows, Row
from inject.audits.similarity import MEASURES, similarities
from twistcore.verdicts import Stored

TOP = 10


class Shares(Stored):
    """Items of one side: how many, how often the anchor is the most similar earlier turn of its speaker, or among the ten, and the
    median similarity."""

    items: int
    top1: float
    top10: float
    median_similarity: float


class Detector(Stored):
    """Best F1 over all thresholds of a detector that sees nothing but similarity. `flag_all` is the F1 of flagging everything."""

    task: str
    candidates: int
    positives: int
    best_f1: float
    flag_all: float


class SurfaceMatch(Stored):
    """One measure. `auc` is of arcs over partners; `separation` is the larger of it and its complement, since a detector may turn
    it round. `arc_more_similar` is the share of pairs in which the arc is the more similar one (ties count half)."""

    measure: str
    pairs: int
    auc: float | None
    separation: float | None
    arc_more_similar: float | None
    arcs: Shares | None
    partners: Shares | None
    detectors: list[Detector]


class Surface(Stored):
    """`audits/surface.json`."""

    schema_version: str = AUDIT_SCHEMA
    audit: str = "surface"
    matches: list[SurfaceMatch]
    limits: list[Limit]


@dataclass(frozen=True)
class _Scored:
    """An item's similarity of anchor and later turn, and the anchor's rank among the speaker's earlier turns (from 1)."""

    key: TrackAKey
    similarity: float
    rank: int


@dataclass(frozen=True)
class _Wild:
    """A turn with its most similar earlier turn of the same speaker; `arc` when the two are an arc's later turn and anchor."""

    similarity: float
    arc: bool


def audit_surface(release: ReleaseRows) -> Surface:
    """Both measures over all pairs whose two items are in the release."""
    matches, limits = [], []
    for measure in MEASURES:
        scored, wild = _score(release, measure)
        match = _match(measure, scored, wild)
        matches.append(match)
        note = "" if match.pairs else "no arc with its partner"
        limits.append(hold(f"{measure} similarity tells arcs from partners, AUC", match.separation, SURFACE_LIMIT, note))
        difference = None if match.arcs is None or match.partners is None else rounded(abs(match.arcs.top1 - match.partners.top1))
        limits.append(hold(f"{measure} top-1 share, arcs against partners, difference", difference, TOP1_DIFFERENCE_LIMIT, note))
    return Surface(matches=matches, limits=limits)


def _score(release: ReleaseRows, measure: str) -> tuple[list[_Scored], list[_Wild]]:
    scored: list[_Scored] = []
    wild: list[_Wild] = []
    for sample_id in sorted({key.sample_id for key in release.keys}):
        rows = [row for row in release.rows if row.sample_id == sample_id]
        matrix = similarities([row.text for row in rows], measure)
        place = {row.dia_id: index for index, row in enumerate(rows)}
        arcs: set[tuple[int, int]] = set()
        for key in (key for key in release.keys if key.sample_id == sample_id):
            anchor, later = _ends(key, place)
            earlier = _earlier(rows, later)
            similarity = float(matrix[later, anchor])
            rank = 1 + sum(1 for index in earlier if index != anchor and matrix[later, index] >= similarity)
            scored.append(_Scored(key, similarity, rank))
            if key.family.is_arc:
                arcs.add((later, anchor))
        wild.extend(_wild(rows, matrix, arcs))
    return scored, wild


def _ends(key: TrackAKey, place: dict[str, int]) -> tuple[int, int]:
    anchor = next((turn for turn in key.turns if turn.role is Role.ANCHOR), key.turns[0])
    return place[anchor.dia_id], place[key.turns[-1].dia_id]


def _earlier(rows: Sequence[Row], later: int) -> list[int]:
    return [index for index in range(later) if rows[index].speaker == rows[later].speaker]


def _wild(rows: Sequence[Row], matrix: Floats, arcs: set[tuple[int, int]]) -> Iterable[_Wild]:
    for later in range(len(rows)):
        earlier = _earlier(rows, later)
        if earlier:
            best = max(earlier, key=lambda index: (matrix[later, index], -index))
            yield _Wild(float(matrix[later, best]), (later, best) in arcs)


def _match(measure: str, scored: Sequence[_Scored], wild: Sequence[_Wild]) -> SurfaceMatch:
    by_pair: dict[str, dict[bool, _Scored]] = {}
    for item in scored:
        by_pair.setdefault(item.key.pair_id, {})[item.key.family.is_arc] = item
    pairs = [(sides[True], sides[False]) for _, sides in sorted(by_pair.items()) if len(sides) == 2]
    if not pairs:
        return SurfaceMatch(
            measure=measure, pairs=0, auc=None, separation=None, arc_more_similar=None, arcs=None, partners=None, detectors=[]
        )
    arcs, partners = [arc for arc, _ in pairs], [partner for _, partner in pairs]
    labels = [1] * len(arcs) + [0] * len(partners)
    values = np.asarray([item.similarity for item in [*arcs, *partners]])
    figure = auc(labels, values)
    wins = [
        1.0 if arc.similarity > partner.similarity else 0.5 if arc.similarity == partner.similarity else 0.0
        for arc, partner in pairs
    ]
    total = sum(1 for item in scored if item.key.family.is_arc)
    return SurfaceMatch(
        measure=measure,
        pairs=len(pairs),
        auc=figure,
        separation=None if figure is None else rounded(max(figure, 1.0 - figure)),
        arc_more_similar=rounded(float(np.mean(wins))),
        arcs=_shares(arcs),
        partners=_shares(partners),
        detectors=[
            _detector("arc or partner, anchor and later turn given", labels, list(values), len(arcs)),
            _detector(
                "any turn with its most similar earlier turn of the same speaker",
                [int(each.arc) for each in wild],
                [each.similarity for each in wild],
                total,
            ),
        ],
    )


def _shares(items: Sequence[_Scored]) -> Shares:
    return Shares(
        items=len(items),
        top1=rounded(sum(item.rank == 1 for item in items) / len(items)),
        top10=rounded(sum(item.rank <= TOP for item in items) / len(items)),
        median_similarity=rounded(float(np.median([item.similarity for item in items]))),
    )


def _detector(task: str, labels: Sequence[int], scores: Sequence[float], positives: int) -> Detector:
    """`positives` counts what there is to find, also where no candidate stands for it."""
    found, best = 0, 0.0
    order = sorted(range(len(scores)), key=lambda index: -scores[index])
    for flagged, index in enumerate(order, start=1):
        found += labels[index]
        # A threshold cannot part equal scores.
        if flagged < len(order) and scores[order[flagged]] == scores[index]:
            continue
        best = max(best, 2 * found / (flagged + positives))
    return Detector(
        task=task,
        candidates=len(scores),
        positives=positives,
        best_f1=rounded(best),
        flag_all=rounded(2 * sum(labels) / (len(scores) + positives)),
    )

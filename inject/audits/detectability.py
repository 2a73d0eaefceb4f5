"""Audit (a): do words and characters give injected turns away, each kind against originals of its own type and length?"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from inject.audits.figures import AUDIT_SCHEMA, GOLD_LIMIT, REACTION_LIMIT, SMALL_TALK_LIMIT, Limit, auc, hold
from inject.audits.likeness import (
    Stratum,
    by_length,
    by_place_and_length,
    draw_alike,
    is_edge,
    is_middle,
    is_reaction,
    is_statement,
    originals,
)
from inject.audits.load import Kind, ReleaseRows, Row
from inject.audits.ngrams import NgramReport, tell_apart
from twistcore.fingerprints import generator
from twistcore.verdicts import Stored

CONTROL_TURNS = 250
SHOWN = 30


class Comparison(Stored):
    """One kind of turn against what it is held against. `limit` is None where the figure is only reported.

    `length_alone` is the AUC of the word count alone against all originals of that type, before lengths were matched; far from 0.5
    on either side, the turns are too long or too short.
    """

    name: str
    positives: str
    negatives: str
    length_alone: float | None
    report: NgramReport
    limit: Limit | None


class Detectability(Stored):
    """`audits/detectability.json`."""

    schema_version: str = AUDIT_SCHEMA
    audit: str = "detectability"
    comparisons: list[Comparison]

    @property
    def limits(self) -> list[Limit]:
        """All limits of this audit."""
        return [comparison.limit for comparison in self.comparisons if comparison.limit is not None]


@dataclass(frozen=True)
class _Class:
    """A kind of injected turn with the type of original that it must look like."""

    name: str
    positives: str
    negatives: str
    injected: Callable[[Row], bool]
    alike: Callable[[Row], bool]
    stratum: Callable[[Row], Stratum]
    limit: float


_CLASSES = (
    _Class(
        "gold",
        "gold turns",
        "original first-person statements of their length",
        lambda row: row.kind is Kind.GOLD,
        is_statement,
        by_length,
        GOLD_LIMIT,
    ),
    _Class(
        "reactions",
        "partner reactions",
        "originals that answer a statement, of their length",
        lambda row: row.kind is Kind.REACTION,
        is_reaction,
        by_length,
        REACTION_LIMIT,
    ),
    _Class(
        "small_talk_edges",
        "openings and farewells of appended sessions",
        "original openings and farewells of their length",
        lambda row: row.kind is Kind.SMALL_TALK and is_edge(row),
        is_edge,
        by_place_and_length,
        SMALL_TALK_LIMIT,
    ),
    _Class(
        "small_talk_middle",
        "other small talk of appended sessions",
        "originals between opening and farewell, of their length",
        lambda row: row.kind is Kind.SMALL_TALK and is_middle(row),
        is_middle,
        by_length,
        SMALL_TALK_LIMIT,
    ),
)


def audit_detectability(release: ReleaseRows) -> Detectability:
    """N-gram audit of every kind of injected turn, beside the all-original controls."""
    comparisons = []
    for each in _CLASSES:
        injected = [row for row in release.rows if each.injected(row)]
        alike = originals(release.rows, each.alike)
        report = compare(injected, draw_alike(injected, alike, each.stratum, each.name))
        comparisons.append(
            Comparison(
                name=each.name,
                positives=each.positives,
                negatives=each.negatives,
                length_alone=_length_alone(injected, alike),
                report=report,
                limit=hold(f"detectability of {each.positives}", report.auc.worst, each.limit, report.auc.note),
            )
        )
    return Detectability(comparisons=[*comparisons, *_controls(release)])


def compare(positives: Sequence[Row], negatives: Sequence[Row]) -> NgramReport:
    """N-grams of two lists of turns; texts are whole turns."""
    rows = [*positives, *negatives]
    labels = [1] * len(positives) + [0] * len(negatives)
    return tell_apart([row.text for row in rows], labels, [row.sample_id for row in rows], SHOWN)


def _length_alone(positives: Sequence[Row], negatives: Sequence[Row]) -> float | None:
    labels = [1] * len(positives) + [0] * len(negatives)
    return auc(labels, np.asarray([row.words for row in [*positives, *negatives]], dtype=np.float64))


def _controls(release: ReleaseRows) -> list[Comparison]:
    """What the method says where nothing is injected: statements against all other originals, and against their own like."""
    statements = originals(release.rows, is_statement)
    rng = generator("audit", "control")
    chosen = sorted(rng.sample(range(len(statements)), min(CONTROL_TURNS, len(statements) // 2)))
    drawn = [statements[index] for index in chosen]
    taken = {(row.sample_id, row.dia_id) for row in drawn}
    others = [row for row in statements if (row.sample_id, row.dia_id) not in taken]
    rest = [row for row in originals(release.rows, lambda _: True) if (row.sample_id, row.dia_id) not in taken]
    alike = draw_alike(drawn, others, by_length, "control")
    size = f"{len(drawn)} original statements, drawn by seed"
    return [
        Comparison(
            name=name,
            positives=size,
            negatives=negatives,
            length_alone=_length_alone(drawn, others if pool is alike else rest),
            report=compare(drawn, pool),
            limit=None,
        )
        for name, negatives, pool in (
            ("control_rest", "all other originals", rest),
            ("control_alike", "other original statements of their length", alike),
        )
    ]

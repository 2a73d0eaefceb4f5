"""Audit (c): does the later turn alone say whether an item is an arc? Reported by family, without limit and never pooled.

Some of it is no fault: an acknowledged change of mind must acknowledge (HN-A2). What a family may not have is a giveaway that has
nothing to do with what it is.
"""

from __future__ import annotations

from collections.abc import Sequence

from arcs.keys import TrackAKey
from arcs.taxonomy import Family
from inject.audits.figures import AUDIT_SCHEMA
from inject.audits.load import ReleaseRows
from inject.audits.ngrams import NgramReport, tell_apart
from twistcore.verdicts import Stored

SHOWN = 15


class FamilyLeak(Stored):
    """Arcs (positive) against one hard-negative family, from the later turn's text alone."""

    family: str
    arcs: int
    hard_negatives: int
    report: NgramReport


class Leakage(Stored):
    """`audits/leakage.json`."""

    schema_version: str = AUDIT_SCHEMA
    audit: str = "leakage"
    families: list[FamilyLeak]


def audit_leakage(release: ReleaseRows) -> Leakage:
    """Every hard-negative family that the release has against all its arcs."""
    arcs = [key for key in release.keys if key.family.is_arc]
    leaks = []
    for family in Family:
        negatives = [key for key in release.keys if key.family is family and not family.is_arc]
        if not negatives:
            continue
        keys = [*arcs, *negatives]
        labels = [1] * len(arcs) + [0] * len(negatives)
        report = tell_apart(_later_texts(release, keys), labels, [key.sample_id for key in keys], SHOWN)
        leaks.append(FamilyLeak(family=family.value, arcs=len(arcs), hard_negatives=len(negatives), report=report))
    return Leakage(families=leaks)


def _later_texts(release: ReleaseRows, keys: Sequence[TrackAKey]) -> list[str]:
    return [release.by_id[key.sample_id, key.turns[-1].dia_id].text for key in keys]

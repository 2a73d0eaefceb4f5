"""Gate `surface_match`: anchor and later turn are as alike as in all our items, arcs and partners together.

Source: DESIGN.md rule 6 (matched length and vocabulary): surface similarity must not tell an arc from its hard negative.
"""

from __future__ import annotations

from inject.gates.case import Case, Gate
from inject.surface import load_surface, similarity
from twistcore.verdicts import GateResult

GATE = Gate("surface_match", "1")


def judge(case: Case) -> GateResult:
    """Fail outside the shared band; not applicable without a plan or without both turns."""
    anchor, later = case.proposal.anchor, case.proposal.later
    if case.plan is None or anchor is None or later is None:
        return GATE.skipped()
    score = similarity(case.doc(anchor), case.doc(later))
    band = load_surface()
    if not band.low <= score <= band.high:
        return GATE.failed(f"similarity {score:.2f} of anchor and later turn lies outside {band.low:.2f} to {band.high:.2f}")
    return GATE.passed()

"""Gate `seam`: an exchange stands only where rule 3 of DESIGN.md lets it. Seams are judged by the planner and handed in."""

from __future__ import annotations

from inject.gates.case import Case, Gate
from twistcore.verdicts import GateResult

GATE = Gate("seam", "1")


def judge(case: Case) -> GateResult:
    """Fail with the reasons that the case carries; not applicable without a plan."""
    if case.plan is None:
        return GATE.skipped()
    return GATE.failed("; ".join(case.seams)) if case.seams else GATE.passed()

"""A proposal's facts are its plan's facts (DESIGN.md rule 7)."""

from __future__ import annotations

from inject.drafts import FactAudit
from inject.facts import LIMIT, divergence
from inject.gates.case import Case, Gate
from twistcore.verdicts import GateResult

GATE = Gate("facts", "1")


def judge(case: Case) -> GateResult:
    """Fails a proposal with a turn that leaves out a claim fact of its plan or adds a fact that the plan has not."""
    if case.plan is None:
        return GATE.skipped()
    if len(case.plan.turns) != len(case.proposal.turns):
        return GATE.failed(f"the plan has {len(case.plan.turns)} gold turns, the proposal {len(case.proposal.turns)}")
    if case.audit is not None:
        return _audited(case.audit)
    for planned, turn in zip(case.plan.turns, case.proposal.turns, strict=True):
        found = divergence(case.doc(turn), planned.claim_facts, planned.scene_facts)
        if found.d > LIMIT:
            shown = [f"left out {fact}" for fact in found.omitted[:2]] + [f"invented {fact}" for fact in found.invented[:2]]
            return GATE.failed(f"{turn.role.value}: divergence {found.d:.2f}: {'; '.join(shown)}")
    return GATE.passed()


def _audited(audit: FactAudit) -> GateResult:
    """An auditor's finding, where prose is free and parsed clauses cannot be compared word by word."""
    if audit.d is None:
        return GATE.undecided(f"{audit.auditor}: {audit.reason}")
    if audit.d > LIMIT:
        shown = [f"left out {fact}" for fact in audit.omitted[:2]] + [f"invented {fact}" for fact in audit.invented[:2]]
        return GATE.failed(f"divergence {audit.d:.2f}: {'; '.join(shown)}")
    return GATE.passed()

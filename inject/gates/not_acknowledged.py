"""HN-A2 only: the statement must acknowledge the change of mind (TWIST paper section 3.1, acknowledged revision)."""

from __future__ import annotations

from arcs.taxonomy import Family
from inject.acknowledgement import acknowledgement
from inject.gates.case import Case, Gate
from inject.stance_topic import topic_of
from twistcore.verdicts import GateResult

GATE = Gate("not_acknowledged", "4")


def judge(case: Case) -> GateResult:
    """Fails an HN-A2 proposal whose statement only contradicts."""
    later = case.proposal.later
    if case.proposal.family is not Family.HN_A2 or later is None:
        return GATE.skipped()
    anchor = case.proposal.anchor
    topic = topic_of(case.proposal, case.parser)
    if acknowledgement(later.text, topic, case.parser, anchor.text if anchor is not None else None, case.proposal.holder) is None:
        return GATE.failed("the statement contradicts the anchor without acknowledging that anything was different before")
    return GATE.passed()

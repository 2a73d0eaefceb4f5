"""Arcs only: the reversal must not acknowledge the change (TWIST paper section 4.3: a reconciled arc is no tension)."""

from __future__ import annotations

from arcs.taxonomy import Family
from inject.acknowledgement import acknowledgement
from inject.gates.case import Case, Gate
from inject.stance_topic import topic_of
from twistcore.verdicts import GateResult

GATE = Gate("acknowledged_in_arc", "2")


def judge(case: Case) -> GateResult:
    """Fails an A1 or A2 proposal whose later turn says, in whatever words, that the speaker once held otherwise."""
    later = case.proposal.later
    if case.proposal.family not in Family.arcs() or later is None:
        return GATE.skipped()
    topic = topic_of(case.proposal, case.parser)
    found = acknowledgement(later.text, topic, case.parser)
    if found is not None and found.strong:
        return GATE.failed(f'the later turn acknowledges the change: "{found.words}"')
    return GATE.passed()

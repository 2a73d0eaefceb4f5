"""Gate `ids`: the conversation, sessions, speakers and holder exist, and the roles are those of the family.

Source: SCHEMAS.md, "Proposals and verdicts"; families of TWIST paper section 4.3 (A1 flips at once, A2 after one or
two drift turns).
"""

from __future__ import annotations

from collections import Counter

from arcs.taxonomy import Family, Role
from inject.gates.case import Case, Gate
from inject.proposals import Proposal
from twistcore.verdicts import GateResult

GATE = Gate("ids", "1")

MOST_DRIFT = 2


def judge(case: Case) -> GateResult:
    """Fail on the first name or role that does not exist or does not fit."""
    proposal = case.proposal
    if case.record is None:
        return GATE.failed(f"there is no conversation {proposal.sample_id!r}")
    speakers = case.record.conversation.speakers
    if proposal.holder not in speakers:
        return GATE.failed(f"{proposal.holder!r} does not speak in {proposal.sample_id}")
    for turn in proposal.turns:
        if case.session(turn) is None:
            return GATE.failed(f"{proposal.sample_id} has no session {turn.session} with turns")
        if turn.speaker not in speakers:
            return GATE.failed(f"{turn.speaker!r} does not speak in {proposal.sample_id}")
    reason = _misfit(proposal)
    return GATE.failed(reason) if reason else GATE.passed()


def _misfit(proposal: Proposal) -> str | None:
    family = proposal.family
    if family not in Family.locomo():
        return f"family {family} is not planted in LoCoMo"
    counts = Counter(turn.role for turn in proposal.turns)
    expected = {Role.ANCHOR: 1, family.later_role: 1}
    for role, number in expected.items():
        if counts[role] != number:
            return f"{family} needs {number} turn with role {role}, has {counts[role]}"
    drift = counts[Role.DRIFT]
    extra = sorted(set(counts) - set(expected) - {Role.DRIFT})
    if extra:
        return f"{family} has no role {extra[0]}"
    if family is Family.A2 and not 1 <= drift <= MOST_DRIFT:
        return f"A2 needs one or two drift turns, has {drift}"
    if family is Family.A1 and drift:
        return "A1 has no drift turn"
    return f"{family} has {drift} drift turns" if drift > MOST_DRIFT else None

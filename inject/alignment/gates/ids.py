"""Gate `ids`: the conversation and the cited turns exist, and the gold is that of the family.

Source: TWIST paper section 4.4 (malformed evidence ids are rejected outright).
"""

from __future__ import annotations

import re

from inject.alignment.case import DraftCase
from inject.gates.case import Gate
from twistcore.verdicts import GateResult

GATE = Gate("ids", "1")

WELL_FORMED = re.compile(r"D[1-9]\d*:[1-9]\d*")


def judge(case: DraftCase) -> GateResult:
    """Fail on the first name or id that does not exist or is not well formed."""
    proposal = case.proposal
    if case.record is None:
        return GATE.failed(f"there is no conversation {proposal.conv!r}")
    if proposal.speaker not in case.record.conversation.speakers:
        return GATE.failed(f"{proposal.speaker!r} does not speak in {proposal.conv}")
    if proposal.type is not proposal.family.type:
        return GATE.failed(f"{proposal.family.code} is {proposal.family.type}, not {proposal.type}")
    if not proposal.evidence:
        return GATE.failed("cites no turn")
    for dia_id in proposal.evidence:
        if not WELL_FORMED.fullmatch(dia_id):
            return GATE.failed(f"{dia_id!r} is no turn id")
        if dia_id not in case.turns:
            return GATE.failed(f"{proposal.conv} has no turn {dia_id}")
    return GATE.passed()

"""Gate `absence`: a contradiction rests on a statement, never on the record's silence.

Source: TWIST paper section 4.4 ("no mention of a podcast" is not contradiction evidence).
"""

from __future__ import annotations

from inject.alignment.case import DraftCase
from inject.alignment.words import draft_phrase
from inject.gates.case import Gate
from twistcore.text.claims import plain
from twistcore.verdicts import GateResult

GATE = Gate("absence", "1")


def judge(case: DraftCase) -> GateResult:
    """Fail a contradicting item whose rationale names nothing but what is not on the record."""
    proposal = case.proposal
    if not proposal.contradicts:
        return GATE.skipped()
    told = plain(proposal.rationale or "")
    silent = draft_phrase("silent").search(told)
    # What the record does say, told before or after its silence, is the ground of the contradiction.
    if silent and not draft_phrase("spoken").search(told[: silent.start()] + told[silent.end() :]):
        return GATE.failed(f'silence of the record is no contradiction: "{silent.group()}"')
    return GATE.passed()

"""Gate `quote`: the contradicted quote stands verbatim in a cited turn (case, final punctuation and quote style aside).

Source: TWIST paper section 4.4: a contradiction needs a statement that can be copied, which the mere lack of one has not.
"""

from __future__ import annotations

from inject.alignment.case import DraftCase
from inject.gates.case import Gate
from twistcore.verdicts import GateResult

GATE = Gate("quote", "1")


def judge(case: DraftCase) -> GateResult:
    """Fail a contradicting item without a quote, and any item whose quote stands in none of its cited turns."""
    proposal = case.proposal
    if not proposal.contradicted_quote.strip():
        return GATE.failed("a contradicting draft quotes nothing") if proposal.contradicts else GATE.skipped()
    if case.record is None or not case.cited:
        return GATE.undecided("no cited turn exists")
    if any(cited.quoted for cited in case.cited):
        return GATE.passed()
    return GATE.failed(f'"{proposal.contradicted_quote}" stands in no cited turn')

"""Gate `spacing`: anchor and later turn lie at least three weeks and four sessions apart, in order, drift strictly between.

Source: TWIST paper section 4.3. Four sessions apart means session numbers that differ by four (session 9 and session 13).
"""

from __future__ import annotations

from inject.gates.case import Case, Gate
from inject.proposals import Proposal
from twistcore.corpus import Session
from twistcore.verdicts import GateResult

GATE = Gate("spacing", "1")

DAYS = 21
SESSIONS = 4


def judge(case: Case) -> GateResult:
    """Fail when turns are out of order or too near; not applicable where sessions or roles are missing (`ids` tells)."""
    proposal = case.proposal
    anchor, later = proposal.anchor, proposal.later
    if anchor is None or later is None:
        return GATE.skipped()
    first, last = case.session(anchor), case.session(later)
    if first is None or last is None:
        return GATE.skipped()
    reason = _disorder(proposal) or _nearness(first, last)
    return GATE.failed(reason) if reason else GATE.passed()


def _disorder(proposal: Proposal) -> str | None:
    numbers = [turn.session for turn in proposal.turns]
    if numbers != sorted(numbers):
        return f"turns are not in order of their sessions: {numbers}"
    outside = [turn.session for turn in proposal.drift if not numbers[0] < turn.session < numbers[-1]]
    return f"drift in session {outside[0]} is not between sessions {numbers[0]} and {numbers[-1]}" if outside else None


def _nearness(first: Session, last: Session) -> str | None:
    days = (last.date.date() - first.date.date()).days
    if last.number - first.number < SESSIONS:
        return f"sessions {first.number} and {last.number} are fewer than {SESSIONS} apart"
    return f"sessions {first.number} and {last.number} are {days} days apart, fewer than {DAYS}" if days < DAYS else None

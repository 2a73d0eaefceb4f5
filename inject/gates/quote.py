"""Gate `quote`: every gold turn has a text that can be quoted verbatim from one line.

Source: SCHEMAS.md, "Turns and keys" (a quote with its character span). Edge blanks and emoji occur in LoCoMo and are no fault.
"""

from __future__ import annotations

import unicodedata

from inject.gates.case import Case, Gate
from twistcore.verdicts import GateResult

GATE = Gate("quote", "1")

# Emoji sequences need the joiner and its tags; every other invisible character would make a quote that cannot be found by eye.
_INVISIBLE_ALLOWED = frozenset({"\u200d"})
_UNPRINTABLE = frozenset({"Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp"})


def judge(case: Case) -> GateResult:
    """Fail on an empty text, a line break or an unprintable character; with a plan, on turns other than the planned ones."""
    for turn in case.proposal.turns:
        if not any(character.isalnum() for character in turn.text):
            return GATE.failed(f"the {turn.role} turn says nothing")
        plain = turn.text.isascii() and turn.text.isprintable()
        odd = None if plain else next((character for character in turn.text.strip() if _unprintable(character)), None)
        if odd is not None:
            return GATE.failed(f"the {turn.role} turn holds the character U+{ord(odd):04X}")
    if case.plan is not None:
        planned = [(turn.role, turn.session) for turn in case.plan.turns]
        proposed = [(turn.role, turn.session) for turn in case.proposal.turns]
        if planned != proposed:
            return GATE.failed("turns are not the planned ones")
    return GATE.passed()


def _unprintable(character: str) -> bool:
    return unicodedata.category(character) in _UNPRINTABLE and character not in _INVISIBLE_ALLOWED

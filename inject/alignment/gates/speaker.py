"""Gate `speaker`: every cited turn is the recipient's, who is derived from the evidence and cross-checked with the draft.

Source: TWIST paper section 4.4: evidence spoken by the wrong party ("role flip") was the dominant defect of the first version.
"""

from __future__ import annotations

import re

from inject.alignment.case import DraftCase
from inject.alignment.names import names_in_use
from inject.gates.case import Gate
from twistcore.verdicts import GateResult

GATE = Gate("speaker", "1")

_GREETING = r"(?:hey|hi|hello|dear|hiya|yo|morning|thanks|congrats|congratulations)"
# Addressed by a greeting with a name, by a name that opens the draft, or by one that a comma sets off before a stop.
_ADDRESS = (
    re.compile(rf"^\W*(?i:{_GREETING})(?: there)?,? ([A-Z][a-z]+)\b(?=\s*[,!.?–—-]|\s+(?:I|so|how|what)\b)"),
    re.compile(r"^\W*([A-Z][a-z]+),\s"),
    re.compile(r",\s([A-Z][a-z]+)(?=\s*[.!?](?:\s|$))"),
)


def judge(case: DraftCase) -> GateResult:
    """Fail where a cited turn is another's, or the draft speaks to somebody else than the one whom the evidence tells of."""
    if case.record is None or not case.cited:
        return GATE.undecided("no cited turn exists")
    proposal = case.proposal
    derived = {cited.turn.speaker for cited in case.cited}
    if derived != {proposal.speaker}:
        other = next(cited for cited in case.cited if cited.turn.speaker != proposal.speaker)
        return GATE.failed(f"{other.turn.dia_id} is spoken by {other.turn.speaker}, not by {proposal.speaker}")
    forms = names_in_use(case.record)
    known = {form for found in forms.values() for form in found}
    for shape in _ADDRESS:
        for found in shape.finditer(proposal.draft):
            name = found[1].lower()
            if name in known and name not in forms[proposal.speaker]:
                return GATE.failed(f"the draft speaks to {found[1]}, the evidence is {proposal.speaker}'s")
    greeted = _ADDRESS[0].match(proposal.draft)
    if greeted and not _could_be(greeted[1].lower(), forms[proposal.speaker]):
        return GATE.failed(f"the draft greets {greeted[1]}, the evidence is {proposal.speaker}'s")
    return GATE.passed()


def _could_be(name: str, forms: frozenset[str]) -> bool:
    """Whether a name is a form of the recipient's, or a shortening that the record does not happen to use."""
    return any(name == form or (len(name) > 1 and form.startswith(name[:2])) for form in forms) or name in _NO_NAMES


_NO_NAMES = frozenset({"again", "all", "coach", "friend", "buddy", "champ", "mate", "superstar", "stranger", "on", "to", "there"})

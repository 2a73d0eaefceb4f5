"""Gate `self_contained`: a cited turn, read alone as `[8 May, 2023] Caroline: …`, states what the draft is judged by.

For a contradicting draft the quote must name what the draft names, tell it of the speaker, and put it the other way round. For
the others some cited turn must be about what the draft is about, by name. Source: TWIST paper section 4.3, rules 1 and 2.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from inject.alignment.case import CitedTurn, DraftCase
from inject.alignment.claims import elliptical_in, hanging_in, meetings, not_stated, told_apart
from inject.alignment.matter import content_of, touch
from inject.gates.case import Gate
from twistcore.text.claims import is_asked
from twistcore.verdicts import GateResult

if TYPE_CHECKING:
    from spacy.tokens import Token

GATE = Gate("self_contained", "1")


def judge(case: DraftCase) -> GateResult:
    """Fail an item whose evidence needs the turns around it, or does not say what it is cited for."""
    if case.record is None or not case.cited:
        return GATE.undecided("no cited turn exists")
    reason = _against(case) if case.proposal.contradicts else _beside(case)
    return GATE.failed(reason) if reason else GATE.passed()


def _against(case: DraftCase) -> str | None:
    reasons = [_not_against(case, cited, cited.quoted) for cited in case.cited if cited.quoted]
    if not reasons:
        return "no cited turn has the quote"
    if None in reasons:
        return None
    return reasons[0]


def _not_against(case: DraftCase, cited: CitedTurn, quoted: tuple[Token, ...]) -> str | None:
    found = meetings(case.draft, quoted, case.names)
    if not found:
        hanging = hanging_in(quoted)
        told = (
            f'"{hanging.sent.text.strip()}" leaves "{hanging.text}" open'
            if hanging is not None
            else "the quote names another matter"
        )
        return f"{cited.turn.dia_id}: {told}"
    apart = told_apart(found)
    if apart is not None:
        return f'{cited.turn.dia_id}: "{_named(apart.quoted)}" is not the draft\'s "{_named(apart.drafted)}"'
    opposed = [meeting for meeting in found if meeting.opposed]
    if not opposed:
        best = found[0]
        return f'{cited.turn.dia_id}: draft and quote agree on "{best.quoted.text}"'
    reasons = [not_stated(meeting) for meeting in opposed]
    return None if None in reasons else f"{cited.turn.dia_id}: {reasons[0]}"


def _named(token: Token) -> str:
    return " ".join([*(child.text for child in token.lefts if child.dep_ in ("compound", "nmod", "amod")), token.text])


def _beside(case: DraftCase) -> str | None:
    ours = content_of(case.draft, case.names)
    loose = []
    for cited in case.cited:
        told = [token for token in cited.doc if not is_asked(token.sent)]
        theirs = content_of(told, case.names)
        # A question of the turn says what it is about, as long as the turn does not only ask.
        if told and any(touch(a, b) for a in ours for b in content_of(cited.doc, case.names)):
            return None
        open_word = hanging_in(told) or elliptical_in(told)
        if open_word is None and theirs:
            return None
        said = "only asks or thanks" if open_word is None else f'leaves "{open_word.text}" open'
        loose.append(f"{cited.turn.dia_id}: names nothing of the draft and {said}")
    return loose[0]

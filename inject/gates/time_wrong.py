"""Gate `time_wrong`: time expressions fit the host session's date, weekday, season and holidays, the tense of their clause, the
anchor, and the plan where there is one.

Source: DESIGN.md rule 4; LOCOMO.md section 3 (turns tell time relatively, so a host session's date fixes what they mean). Weather
alone is too weak a sign, and doubt passes.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date, datetime
from typing import TYPE_CHECKING

from arcs.items import PlannedTurn
from arcs.taxonomy import Family, Role
from inject.gates.case import Case, Gate
from inject.gates.time_fit import calendar_faults, is_unreal
from inject.since_anchor import begins_before, new_state
from inject.word_lists import word_list
from twistcore.text.calendars import DAY
from twistcore.text.tense import Tense
from twistcore.text.time_patterns import Kind
from twistcore.text.times import Direction, TimeExpression, find_times
from twistcore.verdicts import GateResult

if TYPE_CHECKING:
    from spacy.tokens import Doc, Token

GATE = Gate("time_wrong", "4")

_REVERSING = frozenset({Family.A1, Family.A2, Family.HN_A2})
_LONG_AGO = frozenset({Family.HN_A1, Family.HN_A5, Family.HN_A3})
_ARRANGING = word_list("arranging")
_YEARLY = frozenset({Kind.DATE, Kind.HOLIDAY, Kind.MONTH})
_NAMED = _YEARLY | {Kind.YEAR, Kind.SEASON}
_TELLING = frozenset(
    {"remember", "forget", "tell", "show", "describe", "send", "share", "post", "write", "miss", "like", "love", "be"}
)
_NOT_ON = frozenset({"since", "ever since", "for", "before", "until", "by"})


@dataclass(frozen=True, slots=True)
class _Said:
    """A turn on its day: what the checks look at. `recalling` marks statements about a far past or an unreal world."""

    role: Role
    doc: Doc
    found: tuple[TimeExpression, ...]
    moment: date
    recalling: bool


def judge(case: Case) -> GateResult:
    """Fail on the first expression that cannot be right; sessions that do not exist are left to `ids`."""
    anchor = case.proposal.anchor
    anchor_session = case.session(anchor) if anchor is not None else None
    anchor_day = anchor_session.date.date() if anchor_session is not None else None
    judged = False
    for index, turn in enumerate(case.proposal.turns):
        session = case.session(turn)
        if session is None:
            continue
        judged = True
        moment = session.date.date()
        doc = case.doc(turn)
        recalling = turn.role is Role.STATEMENT and case.proposal.family in _LONG_AGO
        said = _Said(turn.role, doc, find_times(doc, moment), moment, recalling)
        planned = case.plan.turns[index] if case.plan is not None and index < len(case.plan.turns) else None
        for reason in _faults(case, said, anchor_day, planned):
            return GATE.failed(f"{turn.role}, said on {moment:%A} {moment}: {reason}")
    return GATE.passed() if judged else GATE.skipped()


def _faults(case: Case, said: _Said, anchor_day: date | None, planned: PlannedTurn | None) -> Iterator[str]:
    for expression in said.found:
        if expression.impossible:
            yield f"{expression.text!r} is no date"
        elif expression.dated and expression.verb >= 0 and not is_unreal(said.doc, expression):
            yield from _against_tense(said, expression)
        if not said.recalling and expression.kind is Kind.DATE and _about_to_come(expression, said.moment):
            yield f"{expression.text!r} is told as past and still to come"
    yield from calendar_faults(said.doc, said.found, said.moment)
    if anchor_day is not None and said.role is not Role.ANCHOR and not said.recalling:
        yield from _against_anchor(case, said, anchor_day)
    if planned is not None:
        yield from _against_plan(said.found, planned)


def _about_to_come(expression: TimeExpression, moment: date) -> bool:
    """Whether a yearly date told as past was ten months ago or more, and so comes round within two months."""
    if expression.tense is not Tense.PAST or expression.worded or expression.modifier or not expression.dated:
        return False
    last = expression.last
    return last is not None and expression.lead not in _NOT_ON and (moment - last).days >= 305


def _against_tense(said: _Said, expression: TimeExpression) -> Iterator[str]:
    """Words that say past in a clause about the future, or the other way round."""
    if not expression.worded or expression.first is None or expression.last is None or not _is_direct(said.doc, expression):
        return
    ahead, over = f"{expression.text!r} is still to come and told as past", f"{expression.text!r} is over and told as to come"
    if expression.kind in _NAMED and not expression.modifier:
        back = expression.tense in {Tense.PAST, Tense.PERFECT} and expression.lead in {"in", "on", "since", "back in", "during"}
        if back and expression.first > said.moment:
            yield ahead
        if expression.tense is Tense.FUTURE and expression.lead in {"in", "on", "during", "by"} and expression.last < said.moment:
            yield over
        return
    verb, head = said.doc[expression.verb], said.doc[expression.token]
    if head.dep_ not in {"npadvmod", "advmod"} or head.head.i != verb.i:
        return
    plain_past = expression.tense is Tense.PAST and verb.tag_ == "VBD" and verb.lemma_.lower() not in _ARRANGING
    if expression.direction is Direction.FUTURE and plain_past and not _after_noun(said.doc, expression):
        yield ahead
    telling = verb.lemma_.lower() in _TELLING or expression.kind is not Kind.DAY
    if (
        expression.direction is Direction.PAST
        and expression.tense is Tense.FUTURE
        and not (telling and _has_object(verb, expression))
    ):
        yield over


def _after_noun(doc: Doc, expression: TimeExpression) -> bool:
    """Whether the word before could own the expression ("I found a class next Friday")."""
    span = doc.char_span(expression.start, expression.end, alignment_mode="expand")
    return span.start > 0 and doc[span.start - 1].pos_ in {"NOUN", "PROPN", "ADJ", "ADP"}


def _is_direct(doc: Doc, expression: TimeExpression) -> bool:
    """Whether no other verb stands between the expression and the verb that it hangs on."""
    low, high = sorted((expression.verb, expression.token))
    return not any(token.pos_ == "VERB" for token in doc[low + 1 : high])


def _has_object(verb: Token, expression: TimeExpression) -> bool:
    """Whether a noun stands in between that may own the expression ("I'll remember our trip last year")."""
    return any(token.pos_ in {"NOUN", "PROPN", "PRON"} for token in verb.doc[verb.i + 1 : expression.token])


def _against_anchor(case: Case, said: _Said, anchor_day: date) -> Iterator[str]:
    family = case.proposal.family
    later = said.role in {Role.REVERSAL, Role.STATEMENT}
    state = new_state(case) if later and family in _REVERSING else None
    for expression in said.found:
        if state is not None and begins_before(said.doc, expression, anchor_day, state):
            yield f"{expression.text!r} dates the new state before the anchor of {anchor_day}"
        if later and family is Family.HN_A2:
            continue
        last = expression.last
        if expression.kind in _YEARLY and _about_to_come(expression, said.moment) and last is not None and last < anchor_day:
            yield f"{expression.text!r} is told as past, lies before the anchor and is about to come"


LONG_PAST_DAYS = 300


def _as_moment(day: date) -> datetime:
    return datetime(day.year, day.month, day.day)


def _against_plan(found: tuple[TimeExpression, ...], planned: PlannedTurn) -> Iterator[str]:
    for expression in found:
        if not expression.dated and expression.began is None:
            continue
        # "Years ago" names no day that a plan could hold; a scene long past may say it.
        if expression.vague and expression.last is not None and (planned.date - _as_moment(expression.last)).days > LONG_PAST_DAYS:
            continue
        if expression.generic or expression.kind is Kind.LIFE or (expression.kind is Kind.SPAN and expression.began is None):
            continue
        ranges = (
            [expression.began] if expression.kind in {Kind.SPAN, Kind.COUNT} and expression.began else list(expression.readings)
        )
        if not any(
            first <= time.first <= last or time.first <= first <= last <= time.last
            for time in planned.times
            for first, last in ranges
        ):
            yield f"{expression.text!r} is not a planned time"
        if expression.ambiguous and expression.modifier:
            yield f"{expression.text!r} is read differently by Sunday-start and Monday-start weeks"
    for time in planned.times:
        if time.last < time.first - DAY:
            yield f"the planned time {time.words!r} ends before it begins"

"""Kinds of perturbation, by what a question asks for and what the turn does to it."""

from __future__ import annotations

import re

from locomo_patch.revalidation.event_signs import BETWEEN, OFTEN
from locomo_patch.revalidation.questions import QuestionReading
from locomo_patch.revalidation.signs import Signs
from locomo_patch.revalidation.states import Kind
from locomo_patch.revalidation.told import told_of
from locomo_patch.revalidation.turns import TurnReading

_COUNTED = re.compile(
    r"^\W*(?:a|an|once|twice|thrice|at least|about|one|two|three|four|five|six|seven|eight|nine|ten|\d+)\b", re.IGNORECASE
)

_LASTING = re.compile(r"\bhow (?:long|many \w+) (?:has|have|was|were)\b", re.IGNORECASE)
_HABIT = re.compile(r"\bhow long (?:does|do|is|are)\b", re.IGNORECASE)
_AGE = re.compile(r"\bhow old\b", re.IGNORECASE)


# From here on an answer is new enough to lengthen a list.
NEW = 0.3


def kind_of(question: QuestionReading, reading: TurnReading, signs: Signs) -> Kind:
    """The kind of a perturbation that was found."""
    if question.adversarial:
        return Kind.NOW_ANSWERABLE
    answer = str(question.question.answer or "")
    replaced = reading.changes or signs["ceased"] > 0
    if signs.sort in _EVENT_KINDS:
        return _EVENT_KINDS[signs.sort](question, reading, signs)
    if signs.sort == "list":
        if _COUNTED.match(answer) and len(question.members) > 1:
            return Kind.COUNT_CHANGED
        return Kind.SUPERSEDED if _ends_gold(signs) else Kind.EXTRA_ANSWER
    if reading.corrects and not replaced:
        return Kind.CONTRADICTED
    if question.past and not replaced:
        return Kind.EXTRA_ANSWER
    return Kind.SUPERSEDED


def _ends_gold(signs: Signs) -> bool:
    """Whether the turn puts an end to what a list has, where one more member would only lengthen it."""
    return signs["v_ends"] > 0 or (signs["ceased"] > 0 and signs["v_new"] < NEW)


def _of_count(question: QuestionReading, reading: TurnReading, signs: Signs) -> Kind:
    if signs["often_best"] or OFTEN.search(question.question.question):
        return Kind.CONTRADICTED if told_of(reading).admits else Kind.SUPERSEDED
    answer = str(question.question.answer or "")
    counted = any(c.isdigit() for c in answer) or _COUNTED.match(answer)
    return Kind.COUNT_CHANGED if counted else Kind.SUPERSEDED


def _of_length(question: QuestionReading, reading: TurnReading, signs: Signs) -> Kind:
    text = question.question.question
    if question.plan or _HABIT.search(text):
        return Kind.SUPERSEDED
    if _LASTING.search(text) or BETWEEN.search(text):
        return Kind.TEMPORAL_SHIFT
    told = told_of(reading)
    return Kind.CONTRADICTED if told.admits or told.paper or told.denied or _AGE.search(text) else Kind.TEMPORAL_SHIFT


def _of_date(question: QuestionReading, reading: TurnReading, signs: Signs) -> Kind:
    if question.plan and signs["date_moved"] >= signs["date_revised"]:
        return Kind.SUPERSEDED
    return Kind.CONTRADICTED if signs["date_revised"] > 0.5 * signs["date_again"] else Kind.TEMPORAL_SHIFT


def _of_yes_no(question: QuestionReading, reading: TurnReading, signs: Signs) -> Kind:
    return Kind.CONTRADICTED if signs["yes_would"] or told_of(reading).revises > 0.5 else Kind.SUPERSEDED


def _of_reason(question: QuestionReading, reading: TurnReading, signs: Signs) -> Kind:
    if told_of(reading).revises > 0.5:
        return Kind.CONTRADICTED
    return Kind.EXTRA_ANSWER if question.past else Kind.SUPERSEDED


_EVENT_KINDS = {
    "count": _of_count,
    "how_long": _of_length,
    "date": _of_date,
    "yes_no": _of_yes_no,
    "explains": _of_reason,
}

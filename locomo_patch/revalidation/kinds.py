"""Kinds of perturbation, by what a question asks for and what the turn does to it."""

from __future__ import annotations

import re

from locomo_patch.revalidation.questions import QuestionReading
from locomo_patch.revalidation.signs import Signs
from locomo_patch.revalidation.states import Kind
from locomo_patch.revalidation.turns import TurnReading

_COUNTED = re.compile(r"^\W*(?:a|an|one|two|three|four|five|six|seven|eight|nine|ten|\d+)\b", re.IGNORECASE)


def kind_of(question: QuestionReading, reading: TurnReading, signs: Signs) -> Kind:
    """The kind of a perturbation that was found."""
    if question.adversarial:
        return Kind.NOW_ANSWERABLE
    answer = str(question.question.answer or "")
    replaced = reading.changes or signs["ceased"] > 0
    if signs.sort == "count":
        return Kind.COUNT_CHANGED if any(c.isdigit() for c in answer) or _COUNTED.match(answer) else Kind.SUPERSEDED
    if signs.sort == "how_long":
        return Kind.CONTRADICTED if reading.corrects and not reading.changes else Kind.TEMPORAL_SHIFT
    if signs.sort == "date":
        if reading.corrects:
            return Kind.CONTRADICTED
        return Kind.SUPERSEDED if question.plan else Kind.TEMPORAL_SHIFT
    if signs.sort == "yes_no":
        return Kind.SUPERSEDED if replaced and not question.plan else Kind.CONTRADICTED
    if signs.sort == "list":
        if _COUNTED.match(answer) and len(question.members) > 1:
            return Kind.COUNT_CHANGED
        return Kind.SUPERSEDED if signs["ceased"] > 0 else Kind.EXTRA_ANSWER
    if reading.corrects and not replaced:
        return Kind.CONTRADICTED
    if question.past and not replaced:
        return Kind.EXTRA_ANSWER
    return Kind.SUPERSEDED

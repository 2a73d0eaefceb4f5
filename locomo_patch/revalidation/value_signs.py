"""Signs for questions that ask for a value: a list, a favourite, a present state, what it was that somebody did, and traps of these."""

from __future__ import annotations

from locomo_patch.revalidation.questions import ConversationQuestions, QuestionReading
from locomo_patch.revalidation.turns import Bag, TurnReading

# Signs of this module that count differently for each sort of answer and for traps.
CROSSED: tuple[str, ...] = ()


def find_value_signs(
    question: QuestionReading, reading: TurnReading, facts: Bag, context: ConversationQuestions, person: str
) -> dict[str, float]:
    """Further signs, each from 0 to 1, by name."""
    return {}

"""Candidates: which injected turns could bear on a question at all. Recall comes first here; deciding comes after."""

from __future__ import annotations

from collections.abc import Sequence

from locomo_patch.revalidation.questions import ConversationQuestions, QuestionReading
from locomo_patch.revalidation.turns import Standing, TurnReading


class CandidateIndex:
    """Turns by the person of whom they state anything."""

    def __init__(self, turns: Sequence[TurnReading]) -> None:
        self._by_person: dict[str, list[TurnReading]] = {}
        for reading in turns:
            for person in (reading.turn.speaker, reading.turn.partner):
                if reading.bag(person, Standing.FACT, Standing.PLAN, Standing.UNREAL, Standing.DENIED).words:
                    self._by_person.setdefault(person, []).append(reading)

    def candidates(self, question: QuestionReading, context: ConversationQuestions) -> list[tuple[TurnReading, str]]:
        """The turns that say anything of a person whom the question concerns, with that person."""
        people = [name for name in context.conversation.speakers if not question.about or name in question.about]
        return [(reading, person) for person in people for reading in self._by_person.get(person, ())]

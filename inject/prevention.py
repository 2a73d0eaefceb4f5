"""Prevention: the re-validator is asked about an item's turns before the item is taken, so that few questions are touched."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from inject.drafts import Draft
from locomo_patch.revalidation.cases import PlacedTurn, read_placed
from locomo_patch.revalidation.decide import decide_all
from locomo_patch.revalidation.identity import question_key
from locomo_patch.revalidation.questions import ConversationQuestions
from locomo_patch.revalidation.states import State
from locomo_patch.revalidation.turns import InjectedTurn
from twistcore.corpus import Session
from twistcore.text.parses import Parser

_BEFORE = 2


@dataclass(frozen=True)
class Prevention:
    """Which questions of one conversation a draft would leave other than valid. The code is the re-validator's own."""

    questions: ConversationQuestions
    parser: Parser

    def __call__(self, draft: Draft) -> Sequence[str]:
        """Keys of the questions, in the order of the file."""
        decisions = decide_all(self.questions, read_placed(self._place(draft), self.parser))
        return [
            question_key(reading.question.question, reading.question.category.number, reading.question.evidence)
            for reading, decision in zip(self.questions.readings, decisions, strict=True)
            if decision.state is not State.VALID
        ]

    def _place(self, draft: Draft) -> list[PlacedTurn]:
        holder, partner = draft.plan.holder, draft.plan.partner
        placed: list[PlacedTurn] = []
        for number, exchange in enumerate(draft.exchanges, start=1):
            slot = exchange.planned.slot
            before = self._before(slot.session, slot.after)
            for step, (speaker, other, text) in enumerate(((holder, partner, exchange.text), (partner, holder, exchange.reply))):
                turn = InjectedTurn(f"{number}.{step}", slot.session, slot.date.date(), speaker, other, text)
                placed.append(PlacedTurn(turn, before if step == 0 else (*before[1:], exchange.text)))
        return placed

    def _before(self, session: int, after: int) -> tuple[str, ...]:
        hosts: tuple[Session, ...] = self.questions.conversation.sessions
        if session > len(hosts):
            return ()
        return tuple(turn.text for turn in hosts[session - 1].turns[max(0, after - _BEFORE) : after])

"""Prevention: the re-validator is asked about an item's turns before the item is taken, so that few questions are touched."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from inject.drafts import Draft
from locomo_patch.revalidation.cases import PlacedTurn, read_placed
from locomo_patch.revalidation.decide import find_alarmed
from locomo_patch.revalidation.identity import question_key
from locomo_patch.revalidation.questions import ConversationQuestions
from locomo_patch.revalidation.turns import InjectedTurn
from twistcore.corpus import Session
from twistcore.text.parses import Parser

_BEFORE = 2
# About so many turns come into a conversation in all: an item is held to the thresholds that its release will be held to.
TURNS = 100


@dataclass(frozen=True)
class Prevention:
    """Which questions of one conversation a draft would leave other than valid. The code is the re-validator's own."""

    questions: ConversationQuestions
    parser: Parser

    def __call__(self, draft: Draft) -> Sequence[str]:
        """Keys of the questions, in the order of the file."""
        alarmed = find_alarmed(self.questions, read_placed(self._place(draft), self.parser), TURNS)
        return [question_key(q.question.question, q.question.category.number, q.question.evidence) for q in alarmed]

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

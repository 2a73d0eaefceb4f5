"""A qualified judge bound to a run: what it is asked, what it settled, and how often it failed."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from locomo_patch.revalidation.judge import (
    GIVE_UP_AFTER,
    Judge,
    JudgeQuestion,
    JudgeVerdict,
    judge_undecided,
    pose_question,
)
from locomo_patch.revalidation.questions import ConversationQuestions
from locomo_patch.revalidation.states import Decision
from locomo_patch.revalidation.turns import InjectedTurn
from twistcore.chat.usage import Usage
from twistcore.errors import ModelFailedError


@dataclass(frozen=True)
class _Patient:
    """The judge, until too many calls in a row have failed over the whole run: then each further one fails at once."""

    asked: AskedJudge

    @property
    def model(self) -> str:
        return self.asked.judge.model

    def judge(self, question: JudgeQuestion) -> JudgeVerdict:
        if self.asked.in_a_row >= GIVE_UP_AFTER:
            raise ModelFailedError(f"not asked: {GIVE_UP_AFTER} calls in a row had failed")
        try:
            verdict = self.asked.judge.judge(question)
        except ModelFailedError:
            self.asked.in_a_row += 1
            raise
        self.asked.in_a_row = 0
        return verdict


@dataclass
class AskedJudge:
    """Asks a judge about every undecided question and keeps count. Make it only with a judge that has qualified (planted.py)."""

    judge: Judge
    spent: Callable[[], Usage] = Usage
    in_a_row: int = 0
    asked: int = 0
    settled: int = 0
    failures: list[str] = field(default_factory=list)

    def __call__(self, context: ConversationQuestions, turns: Sequence[InjectedTurn], decisions: list[Decision]) -> list[Decision]:
        """Decisions after the judge; a failed call leaves its question undecided and is counted."""
        found = judge_undecided(
            decisions,
            lambda index: pose_question(context.readings[index], context.conversation, turns, decisions[index]),
            _Patient(self),
        )
        self.asked += found.asked
        self.settled += found.settled
        self.failures += [failure.reason for failure in found.failures]
        return found.decisions

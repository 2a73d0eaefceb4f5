"""A qualified judge bound to a run: what it is asked, what it settled, and how often it failed."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from locomo_patch.revalidation.judge import Judge, judge_undecided, pose_question
from locomo_patch.revalidation.questions import ConversationQuestions
from locomo_patch.revalidation.states import Decision
from locomo_patch.revalidation.turns import InjectedTurn


@dataclass
class AskedJudge:
    """Asks a judge about every undecided question and keeps count. Make it only with a judge that has qualified (planted.py)."""

    judge: Judge
    asked: int = 0
    settled: int = 0
    failures: list[str] = field(default_factory=list)

    def __call__(self, context: ConversationQuestions, turns: Sequence[InjectedTurn], decisions: list[Decision]) -> list[Decision]:
        """Decisions after the judge; a failed call leaves its question undecided and is counted."""
        found = judge_undecided(
            decisions,
            lambda index: pose_question(context.readings[index], context.conversation, turns, decisions[index]),
            self.judge,
        )
        self.asked += found.asked
        self.settled += found.settled
        self.failures += [failure.reason for failure in found.failures]
        return found.decisions

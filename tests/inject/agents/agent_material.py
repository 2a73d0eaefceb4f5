"""Briefs and desks for tests of agents: a pair of the mock corpus, and a desk whose answers follow a script."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from loop_material import item_plan

from inject.agents.asking import Desk, Models
from inject.agents.prompt_set import load_prompts
from inject.agents.replies import WrittenItem, WrittenTurn
from inject.agents.told import ModelBrief, Said, ToldFact, ToldTurn, ToldVoice
from twistcore.chat.dialect import Message, Sampling
from twistcore.chat.usage import CallLabel

HOLDER = ToldVoice("Ann", ("about 20 words a turn",), ("I love mornings here.",))
PARTNER = ToldVoice("Bob", ("about 15 words a turn",), ())


def brief(*, before: str | None = None, after: str | None = None) -> ModelBrief:
    """An arc of two turns: the anchor at a seam (a bridge where `after` is given), the reversal in room of its own."""
    plan = item_plan()
    turns = (
        ToldTurn(
            1,
            "4 March, 2023",
            Said("Bob", before) if before else None,
            Said("Ann", after) if after else None,
            (ToldFact("1.1", "I will never get a tattoo", True), ToldFact("1.2", "I saw a nice design", False)),
            (),
        ),
        ToldTurn(2, "10 June, 2023", None, None, (ToldFact("2.1", "I got a tattoo two weeks ago", True),), ("two weeks ago",)),
    )
    turns = tuple(replace(turn) for turn in turns)
    return ModelBrief(replace(plan, turns=plan.turns[:2]), turns, HOLDER, PARTNER, ("nose ring",))


def written(**changed: str) -> WrittenItem:
    """A reply of the writer for `brief()`; `changed` fields are those of its first turn."""
    first = {"answer": "", "statement": "I will never get a tattoo.", "reply": "Fair enough.", "handback": "", **changed}
    second = WrittenTurn(answer="", statement="I got a tattoo two weeks ago.", reply="Nice!", handback="", states=["2.1"])
    return WrittenItem(turns=[WrittenTurn(states=["1.1"], **first), second])


@dataclass
class ScriptedAsks:
    """Answers in order, whoever asks, and keeps what it was asked."""

    answers: list[Any]
    asked: list[tuple[Sampling, Sequence[Message], CallLabel]] = field(default_factory=list)

    async def ask_json(self, sampling: Sampling, messages: Sequence[Message], schema: Any, *, label: CallLabel) -> Any:
        self.asked.append((sampling, messages, label))
        answer = self.answers[len(self.asked) - 1]
        if isinstance(answer, Exception):
            raise answer
        return schema.model_validate(answer.model_dump(mode="json"))

    def prompt(self, number: int = -1) -> str:
        """Everything that one call said."""
        return "\n".join(message.content for message in self.asked[number][1])


def desk(*answers: Any) -> tuple[Desk, ScriptedAsks]:
    """A desk with the prompts that ship."""
    asks = ScriptedAsks(list(answers))
    return Desk(asks, Models(Sampling("writer-1", 0.7), Sampling("judge-1", 0.0)), load_prompts()), asks

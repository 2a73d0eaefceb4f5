"""The offline writer: scenes of the topic frames, tied in and adapted to the speakers' voices. No network, no model."""

from __future__ import annotations

import random
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from inject.brief import Brief, TurnBrief
from inject.drafts import Draft, WrittenExchange
from inject.writers.habits import Habits
from twistcore.fingerprints import generator
from twistcore.verdicts import Finding

_FIRST_STOP = re.compile(r"(?<=\w)([.!])(?=\s|$)")
# Above and below these shares of exclaimed sentences a speaker counts as lively or calm.
LIVELY, CALM = 0.55, 0.25


@dataclass(frozen=True)
class OfflineWriter:
    """Writes from a brief. A second attempt takes another ack and no lead-in, a third leaves out the vocatives too; facts
    never vary."""

    habits: Mapping[str, Habits]
    name: str = "offline"
    model: str | None = None
    prompt_sha256: str | None = None

    def write(self, brief: Brief, attempt: int, feedback: Sequence[Finding]) -> Draft:
        """A draft of the item; pure, seeded by the item's id."""
        plan = brief.plan
        rng = generator(plan.id, "voice")
        exchanges = tuple(self._exchange(brief, turn, attempt, rng) for turn in brief.turns)
        return Draft.of(plan, exchanges)

    def _exchange(self, brief: Brief, turn: TurnBrief, attempt: int, rng: random.Random) -> WrittenExchange:
        holder, partner = self.habits[brief.plan.holder], self.habits[brief.plan.partner]
        ack = turn.ack if attempt == 1 else turn.other_ack
        if ack and attempt < 3:
            ack = _call(ack, holder, rng, weight=0.9)
        head = " ".join(part for part in (ack, turn.lead if attempt < 2 else "") if part)
        line = _call(turn.line, holder, rng, weight=1.0) if not ack and attempt < 3 else turn.line
        if head.endswith((",", "but")):
            line = line if turn.keeps_capital else line[:1].lower() + line[1:]
        text = f"{head} {line}" if head else line
        reaction = _calm_or_lively(turn.reaction, partner, rng)
        if attempt < 3:
            reaction = _call(reaction, partner, rng, weight=0.8)
        reply = f"{reaction} {turn.handback}" if turn.handback else reaction
        return WrittenExchange(turn.planned, text, len(text) - len(line), len(text), reply, turn.handback)


def _call(text: str, speaker: Habits, rng: random.Random, weight: float) -> str:
    """The text with the partner's name after its first sentence, as often as the speaker says it."""
    if not speaker.calls_partner or rng.random() > speaker.vocative_rate * weight:
        return text
    name = rng.choice(speaker.calls_partner)
    return _FIRST_STOP.sub(rf", {name}\1", text, count=1) if name not in text else text


def _calm_or_lively(text: str, speaker: Habits, rng: random.Random) -> str:
    if speaker.exclamation_rate < CALM and rng.random() < 0.5:
        return text.replace("!", ".")
    if speaker.exclamation_rate > LIVELY and text.endswith(".") and rng.random() < 0.5:
        return f"{text[:-1]}!"
    return text

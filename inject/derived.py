"""Rows for the derived blocks: observations, summary sentences and events that keep step with new turns (LOCOMO.md section 8)."""

from __future__ import annotations

import random
import re
from functools import lru_cache
from importlib import resources
from pathlib import Path

from pydantic import BaseModel, ConfigDict

from arcs.frames import Frame, fill
from arcs.items import ItemPlan
from locomo_patch.edits import SummarySentence
from twistcore.yamls import read_yaml

_SENTENCE_END = re.compile(r"[.!?][\"')]*(?=\s|$)")


class DerivedTexts(BaseModel):
    """Third-person sentences by kind of gold turn."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    observations: dict[str, list[str]]
    summaries: dict[str, list[str]]


@lru_cache(maxsize=1)
def load_derived() -> DerivedTexts:
    """The sentences that ship with the package."""
    path = Path(str(resources.files("inject") / "derived.yaml"))
    return DerivedTexts.model_validate(read_yaml(path))


def observe(plan: ItemPlan, kind: str, frame: Frame, rng: random.Random) -> str:
    """The observation row that a gold turn adds; `kind` is anchor, drift or the family."""
    return fill(rng.choice(load_derived().observations[kind]), _values(plan, frame))


def summarise(plan: ItemPlan, kind: str, frame: Frame, rng: random.Random) -> str:
    """The sentence that a gold turn adds to its session's summary."""
    return fill(rng.choice(load_derived().summaries[kind]), _values(plan, frame))


def _values(plan: ItemPlan, frame: Frame) -> dict[str, str]:
    item = frame.object(plan.object_key)
    many = item.slots["many"]
    return {
        **item.slots,
        "many_cap": many[:1].upper() + many[1:],
        "holder": plan.holder,
        "partner": plan.partner,
        "title": frame.title,
        "old": plan.old_belief,
        "new": fill(frame.beliefs.new, {**item.slots, "head": item.head, "holder": plan.holder}),
    }


def place_in_summary(summary: str, sentence: str, position: float) -> SummarySentence:
    """Where a sentence goes in a source summary: after the sentence that is as far on as `position` (0 to 1), and before a cut.

    Three upstream summaries end mid-sentence (conv-26 sessions 8, 10 and 14); what is cut stays last.
    """
    ends = [match.end() for match in _SENTENCE_END.finditer(summary)]
    if not ends:
        return SummarySentence(text=f"{sentence} ", at=0)
    index = min(len(ends) - 1, max(0, round(position * len(ends)) - 1))
    return SummarySentence(text=f" {sentence}", at=ends[index])

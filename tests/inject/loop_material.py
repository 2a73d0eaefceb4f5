"""Plans, briefs, and a writer and a verifier that follow a script: what the loop is tested with."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta
from pathlib import Path

import arcs.frames
from arcs.frames import Frame, read_frame
from arcs.items import ItemPlan, PlannedTime, PlannedTurn, Slot, SlotKind
from arcs.taxonomy import Family, Role
from inject.brief import Brief, TurnBrief
from inject.drafts import Draft, FactAudit, Opinion, Relation, SeenLine, WrittenExchange
from twistcore.verdicts import Finding, GateResult, Outcome, Verdict, combine

START = datetime(2023, 2, 4, 18, 24)
FRAME: Frame = read_frame(Path(arcs.frames.__file__).parent / "topics" / "body-art.yaml")


def slot(session: int, after: int = 4, kind: SlotKind = SlotKind.OPEN, opener: str = "Ann") -> Slot:
    return Slot(session, after, kind, opener, START + timedelta(days=14 * session), 1.0)


def times(session: int) -> tuple[PlannedTime, ...]:
    """A value for every time slot that a line may have."""
    day = slot(session).date.date()
    return tuple(
        PlannedTime(name, words, day - timedelta(days=back), day - timedelta(days=1))
        for name, words, back in (("day", "yesterday", 1), ("ago", "two weeks ago", 14), ("span", "two weeks", 14))
    )


def item_plan(
    family: Family = Family.A1, *, drift: int = 0, kind: SlotKind = SlotKind.OPEN, line: int = 0, lead: int | None = 0
) -> ItemPlan:
    """An item of the body-art frame; the drift turns stand between."""
    roles = [
        (Role.ANCHOR, "anchor", 1),
        *[(Role.DRIFT, "drift", 3 + index) for index in range(drift)],
        (family.later_role, family.value, 8),
    ]
    turns = tuple(
        PlannedTurn(role, slot(session, kind=kind), (name, line), (name, index % 4), lead, times(session))
        for index, (role, name, session) in enumerate(roles)
    )
    return ItemPlan(
        id=f"item-{family.value}",
        pair_id="pair-1",
        family=family,
        sample_id="conv-1",
        holder="Ann",
        partner="Bob",
        frame_id=FRAME.id,
        object_key=FRAME.objects[0].key,
        topic=FRAME.objects[0].head,
        old_belief="Ann would never get a tattoo",
        new_belief="Ann has a tattoo" if family.is_arc else None,
        turns=turns,
        terms=("tattoo",),
    )


def brief(plan: ItemPlan | None = None, **changes: object) -> Brief:
    """A brief with plain words; `changes` go into every turn."""
    plan = plan or item_plan()
    base = [
        TurnBrief(turn, "", "Let's talk about looks.", f"Line {index} about a tattoo.", "So nice of you!", "", keeps_capital=False)
        for index, turn in enumerate(plan.turns)
    ]
    return Brief(plan, tuple(replace(turn, **changes) for turn in base))  # type: ignore[arg-type]


def draft_of(made: Brief, attempt: int = 1) -> Draft:
    """A draft that says the lines with the attempt's number."""
    plan = made.plan
    exchanges = tuple(
        WrittenExchange(turn.planned, f"{turn.line} ({attempt})", 0, len(turn.line), turn.reaction, "") for turn in made.turns
    )
    return Draft.of(plan, exchanges)


@dataclass
class ScriptedWriter:
    """Writes plain drafts and remembers what it was told."""

    name: str = "scripted"
    model: str | None = None
    prompt_sha256: str | None = None
    calls: list[tuple[int, tuple[Finding, ...]]] = field(default_factory=list)

    def write(self, brief: Brief, attempt: int, feedback: Sequence[Finding]) -> Draft:
        self.calls.append((attempt, tuple(feedback)))
        return draft_of(brief, attempt)


@dataclass
class ScriptedVerifier:
    """Says what it is told to, one answer a call, the last one for ever; remembers what it saw."""

    relations: list[Relation]
    unstated: list[int] = field(default_factory=list)
    name: str = "scripted"
    version: str = "1"
    seen: list[tuple[str, ...]] = field(default_factory=list)

    def verify(self, lines: Sequence[SeenLine]) -> Opinion:
        relation = self.relations[min(len(self.seen), len(self.relations) - 1)]
        self.seen.append(tuple(line.rendered for line in lines))
        return Opinion(
            verifier=self.name, version=self.version, relation=relation, unstated=self.unstated, reason=f"looks {relation.value}"
        )


def verdict_of(draft: Draft, *outcomes: Outcome) -> Verdict:
    """A verdict with one check for each outcome."""
    return combine(
        draft.proposal.id,
        [
            GateResult(gate=f"gate{index}", version="1", outcome=outcome, reason=f"reason {index}")
            for index, outcome in enumerate(outcomes)
        ],
    )


@dataclass
class ScriptedJudge:
    """Gives the outcomes it is told to, one list a call, the last one for ever."""

    answers: list[list[Outcome]]
    judged: list[Draft] = field(default_factory=list)

    def __call__(self, draft: Draft, audit: FactAudit | None) -> Verdict:
        outcomes = self.answers[min(len(self.judged), len(self.answers) - 1)]
        self.judged.append(draft)
        return verdict_of(draft, *outcomes)

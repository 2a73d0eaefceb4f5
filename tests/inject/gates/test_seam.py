from __future__ import annotations

from dataclasses import replace
from datetime import datetime

from small_case import case, proposal

from arcs.items import ItemPlan, PlannedTurn, Slot, SlotKind
from arcs.taxonomy import Family, Role
from inject.gates import seam
from twistcore.verdicts import Outcome

MADE = proposal("I ride my scooter to the bakery every morning.")
TURNS = tuple(
    PlannedTurn(turn.role, Slot(turn.session, 4, SlotKind.END, "Sam", datetime(2023, 1, 2)), ("A1", 0), ("reversal", 0))
    for turn in MADE.turns
)
PLAN = ItemPlan("i", "p", Family.A1, "conv-1", "Sam", "Evan", "f", "o", "t", "old", "new", TURNS)


def test_reasons_on_the_case_fail_and_none_passes() -> None:
    assert seam.judge(replace(case(MADE), plan=PLAN)).outcome is Outcome.PASS
    found = seam.judge(replace(case(MADE), plan=PLAN, seams=("between a question and its answer",)))
    assert found.outcome is Outcome.FAIL
    assert "question" in found.reason


def test_without_a_plan_the_gate_does_not_apply() -> None:
    assert [role.role for role in MADE.turns] == [Role.ANCHOR, Role.REVERSAL]
    assert seam.judge(case(MADE)).outcome is Outcome.NOT_APPLICABLE

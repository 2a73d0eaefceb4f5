from __future__ import annotations

from dataclasses import replace
from datetime import datetime

import pytest
from topic_case import topic_case

from arcs.items import ItemPlan, PlannedTurn
from arcs.taxonomy import Family, Role
from inject.gates import pair_independent
from inject.gates.case import Case
from twistcore.verdicts import Outcome

WHEN = datetime(2023, 5, 1, 10, 0)


def plan() -> ItemPlan:
    turns = (
        PlannedTurn(Role.ANCHOR, 1, WHEN, ("anchor", 0), ("anchor", 0)),
        PlannedTurn(Role.REVERSAL, 9, WHEN, ("A1", 0), ("reversal", 0)),
    )
    beliefs = ("Ann would never keep a parrot", "Ann keeps a parrot")
    return ItemPlan("t1", "p1", Family.A1, "small", "Ann", "Bo", "odd-pets", "parrot", "a parrot", *beliefs, turns, ("parrot",))


def parrot(later: str, neighbour: str, *, anchor: str = "I'd never keep a parrot, they squawk all day.") -> Case:
    case = topic_case(later, anchor=anchor, topic="a parrot", old="Ann would never keep a parrot", new="Ann keeps a parrot")
    other = topic_case(neighbour, anchor="A hamster is not for me.", topic="a hamster", old="Ann wants no hamster", family="HN-A2")
    return replace(case, plan=plan(), neighbours=(other.proposal.model_copy(update={"id": "t2"}),))


def test_two_objects_that_keep_to_themselves_pass() -> None:
    case = parrot("My parrot sings on the curtain rail.", "I know I swore off hamsters, but mine runs in its wheel all night.")
    assert pair_independent.judge(case).outcome is Outcome.PASS


@pytest.mark.parametrize(
    "case",
    [
        parrot("My parrot sits by the hamster and sings.", "I was wrong about hamsters."),
        parrot("My parrot sings.", "I was wrong about the hamster, and the parrot too."),
        parrot("My parrot sings.", "I was wrong about hamsters.", anchor="I don't want a parrot. No pets in my home, ever."),
    ],
)
def test_naming_or_covering_the_neighbour_fails(case: Case) -> None:
    assert pair_independent.judge(case).outcome is Outcome.FAIL


def test_a_proposal_without_a_plan_is_not_judged() -> None:
    case = topic_case("My parrot sings.", anchor="No parrot for me.", topic="a parrot", old="Ann wants no parrot")
    assert pair_independent.judge(case).outcome is Outcome.NOT_APPLICABLE

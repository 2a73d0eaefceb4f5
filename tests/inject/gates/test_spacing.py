from __future__ import annotations

import pytest
from small_case import case, proposal, record

from inject.gates import spacing
from inject.gates.case import Case
from inject.proposals import Proposal
from twistcore.verdicts import Outcome

LATER = "I ride my scooter to the bakery every morning."


def outcome(on: Case) -> Outcome:
    return spacing.judge(on).outcome


def test_four_sessions_apart_passes_and_three_fails() -> None:
    assert outcome(case(proposal(LATER, sessions=(2, 6)))) is Outcome.PASS
    assert outcome(case(proposal(LATER, sessions=(2, 5)))) is Outcome.FAIL


@pytest.mark.parametrize(("days", "expected"), [(5, Outcome.FAIL), (6, Outcome.PASS)])
def test_four_sessions_must_also_span_three_weeks(days: int, expected: Outcome) -> None:
    assert outcome(case(proposal(LATER, sessions=(2, 6)), record(days))) is expected


def test_a_later_turn_before_the_anchor_fails() -> None:
    assert outcome(case(proposal(LATER, sessions=(8, 2)))) is Outcome.FAIL


def test_drift_lies_strictly_between() -> None:
    made = proposal(LATER, family="A2", drift="The bus was late again.")
    assert outcome(case(made)) is Outcome.PASS
    turns = made.model_dump(mode="json")["turns"]
    turns[1]["session"] = turns[0]["session"]
    assert outcome(case(Proposal.model_validate({**made.model_dump(mode="json"), "turns": turns}))) is Outcome.FAIL


def test_missing_sessions_are_left_to_ids() -> None:
    assert outcome(case(proposal(LATER, sessions=(2, 99)))) is Outcome.NOT_APPLICABLE

from __future__ import annotations

import pytest
from small_case import case, parser, proposal

from inject.gates import ids
from inject.gates.case import Case
from inject.proposals import Proposal
from twistcore.verdicts import Outcome

LATER = "I ride my scooter to the bakery every morning, and the bell on it makes the kids laugh."


def changed(made: Proposal, **fields: object) -> Proposal:
    return Proposal.model_validate({**made.model_dump(mode="json"), **fields})


def test_a_proposal_with_real_names_and_fitting_roles_passes() -> None:
    assert ids.judge(case(proposal(LATER))).outcome is Outcome.PASS
    assert ids.judge(case(proposal(LATER, family="A2", drift="The bus was late again."))).outcome is Outcome.PASS
    assert ids.judge(case(proposal(LATER, family="HN-A4"))).outcome is Outcome.PASS


@pytest.mark.parametrize(
    "made",
    [
        changed(proposal(LATER), holder="Samuel"),
        proposal(LATER, speaker="Ivan"),
        proposal(LATER, sessions=(2, 44)),
        proposal(LATER, sessions=(0, 8)),
        changed(proposal(LATER), family="A3"),
        changed(proposal(LATER), family="A2"),
        changed(proposal(LATER), family="HN-A2"),
        changed(proposal(LATER), turns=proposal(LATER).model_dump(mode="json")["turns"][1:]),
        proposal(LATER, drift="The bus was late again."),
    ],
)
def test_an_unknown_name_or_a_misfit_role_fails(made: Proposal) -> None:
    assert ids.judge(case(made)).outcome is Outcome.FAIL


def test_an_unknown_conversation_fails_and_does_not_raise() -> None:
    assert ids.judge(Case(proposal(LATER), None, parser())).outcome is Outcome.FAIL

from __future__ import annotations

from dataclasses import replace

from small_case import case, parser, proposal
from test_seam import PLAN

from inject.gates import surface_match
from inject.surface import load_surface, similarity
from twistcore.verdicts import Outcome

ANCHOR = "Scooters aren't for me, Evan. I'd worry about every bump, and my knees like a slow walk along the river."
LATER = "My scooter and I know every bump on the river road by now, and the ride home is the best part of my day!"


def test_a_pair_inside_the_shared_band_passes() -> None:
    assert surface_match.judge(replace(case(proposal(LATER, anchor=ANCHOR)), plan=PLAN)).outcome is Outcome.PASS


def test_pairs_with_nothing_or_everything_in_common_fail() -> None:
    for later in ("Fresh bread smells wonderful, and butter melts on top.", ANCHOR):
        assert surface_match.judge(replace(case(proposal(later, anchor=ANCHOR)), plan=PLAN)).outcome is Outcome.FAIL


def test_similarity_lies_between_nothing_and_identity() -> None:
    one, other = parser().parse(ANCHOR), parser().parse(LATER)
    assert 0 < similarity(one, other) < 1
    assert round(similarity(one, one), 6) == 1
    assert similarity(one, parser().parse("")) == 0
    assert 0 <= load_surface().low < load_surface().high <= 1


def test_without_a_plan_the_gate_does_not_apply() -> None:
    assert surface_match.judge(case(proposal(LATER, anchor=ANCHOR))).outcome is Outcome.NOT_APPLICABLE

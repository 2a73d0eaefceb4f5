"""The taxonomy table and the validators of gold-key items (SCHEMAS.md)."""

from __future__ import annotations

from typing import Any

import pytest
from pydantic import ValidationError

from arcs.keys import KEY_VERSION_A, GoldTurn, TrackAKey
from arcs.taxonomy import Family, Gold, Role, Transition

# SCHEMAS.md, "Turns and keys", A.
TABLE = {
    "A1": ("tension", "contradiction", "reversal"),
    "A2": ("tension", "contradiction", "reversal"),
    "A3": ("tension", "contradiction", "reversal"),
    "HN-A1": ("no_tension", "uncertain_update", "statement"),
    "HN-A2": ("no_tension", "acknowledged_revision", "statement"),
    "HN-A3": ("no_tension", "uncertain_update", "statement"),
    "HN-A4": ("no_tension", "uncertain_update", "statement"),
    "HN-A5": ("no_tension", "coexistence", "statement"),
    "HN-A6": ("no_tension", "coexistence", "statement"),
    "HN-A7": ("no_tension", "coexistence", "statement"),
    "HN-A8": ("no_tension", "coexistence", "statement"),
}


def test_every_family_has_the_gold_transition_and_role_of_the_contract() -> None:
    assert {family.value: (family.gold.value, family.transition.value, family.later_role.value) for family in Family} == TABLE


def test_there_are_five_transitions_and_seven_roles() -> None:
    assert {item.value for item in Transition} == {
        "contradiction",
        "supersession",
        "acknowledged_revision",
        "coexistence",
        "uncertain_update",
    }
    assert {item.value for item in Role} == {"anchor", "drift", "reversal", "statement", "state", "plant", "probe"}


def test_locomo_has_two_families_of_arcs_and_five_of_hard_negatives() -> None:
    assert [family.value for family in Family.locomo()] == ["A1", "A2", "HN-A1", "HN-A2", "HN-A3", "HN-A4", "HN-A5"]
    assert all(family.is_arc and family.gold is Gold.TENSION for family in Family.arcs())
    assert not any(family.is_arc for family in Family.hard_negatives())


def gold_turn(role: str, dia_id: str, quote: str = "I'd never keep a parrot.") -> dict[str, Any]:
    return {
        "role": role,
        "dia_id": dia_id,
        "source_dia_id": None,
        "session": 1,
        "date": "8 May, 2023",
        "quote": quote,
        "start": 4,
        "end": 4 + len(quote),
    }


def key(**changes: Any) -> dict[str, Any]:
    value: dict[str, Any] = {
        "id": "a1b2c3",
        "family": "A1",
        "sample_id": "conv-26",
        "holder": "Caroline",
        "pair_id": "d4e5f6",
        "history_turns": 100,
        "topic": "parrot",
        "old_belief": "Caroline would never keep a parrot",
        "new_belief": "Caroline keeps a parrot",
        "gold": "tension",
        "transition": "contradiction",
        "turns": [gold_turn("anchor", "D1:3"), gold_turn("reversal", "D9:5")],
        "claim_evidence": ["D1:3"],
        "new_evidence": ["D9:5"],
        "drift_evidence": [],
        "gap_days": 60,
        "gap_sessions": 8,
        "provenance": {"writer": "offline", "model": None, "prompt_sha256": None, "seed": 7, "attempt": 1, "gates": {"ids": "1"}},
    }
    return {**value, **changes}


def test_a_key_line_has_the_fields_of_the_contract_and_comes_back_from_json() -> None:
    made = TrackAKey.model_validate(key())
    assert TrackAKey.model_validate_json(made.model_dump_json()) == made
    assert (made.key_version, made.track) == (KEY_VERSION_A, "A") == ("TWIST-A-v0.1", "A")
    assert set(made.model_dump()) == {
        "id",
        "key_version",
        "track",
        "family",
        "sample_id",
        "holder",
        "pair_id",
        "history_turns",
        "provenance",
        "topic",
        "old_belief",
        "new_belief",
        "gold",
        "transition",
        "turns",
        "claim_evidence",
        "new_evidence",
        "drift_evidence",
        "gap_days",
        "gap_sessions",
    }


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"gold": "no_tension"}, "gold and transition of A1"),
        ({"transition": "supersession"}, "gold and transition of A1"),
        ({"new_belief": None}, "new_belief is given for arcs and only for them"),
        ({"family": "HN-A1", "gold": "no_tension", "transition": "uncertain_update"}, "new_belief is given for arcs"),
        ({"turns": [gold_turn("anchor", "D1:3")]}, "at least 2"),
        ({"claim_evidence": ["D1:1", "D1:2", "D1:3", "D1:4"]}, "at most 3"),
        ({"new_evidence": ["D1:1", "D1:2", "D1:3", "D1:4"]}, "at most 3"),
        ({"history_turns": 0}, "greater than or equal to 1"),
        ({"family": "A9"}, "Input should be"),
        ({"track": "B"}, "Input should be 'A'"),
        ({"label": "arc"}, "Extra inputs"),
        ({"provenance": {**key()["provenance"], "attempt": 0}}, "greater than or equal to 1"),
    ],
)
def test_a_key_that_contradicts_itself_is_refused(change: dict[str, Any], message: str) -> None:
    with pytest.raises(ValidationError, match=message):
        TrackAKey.model_validate(key(**change))


def test_a_hard_negative_has_no_new_belief() -> None:
    assert (
        TrackAKey.model_validate(
            key(family="HN-A2", gold="no_tension", transition="acknowledged_revision", new_belief=None)
        ).new_belief
        is None
    )


@pytest.mark.parametrize("change", [{"end": 5}, {"start": 0}, {"quote": ""}, {"start": -1}, {"role": "echo"}])
def test_a_gold_turn_whose_span_is_not_its_quote_is_refused(change: dict[str, Any]) -> None:
    GoldTurn.model_validate(gold_turn("anchor", "D1:3"))
    with pytest.raises(ValidationError):
        GoldTurn.model_validate({**gold_turn("anchor", "D1:3"), **change})

"""A cited turn, read alone, states what the draft is judged by."""

from __future__ import annotations

import pytest
from draft_material import case

from inject.alignment.gates import self_contained
from twistcore.verdicts import Outcome

TO_EVAN = {"speaker": "Evan"}
ALIGNED = {"type": "aligned", "family": "B-AL"}


def outcome(*arguments: str, **changes: str) -> Outcome:
    draft, evidence, quote = (*arguments, "")[:3]
    return self_contained.judge(case(draft, evidence, quote, **changes)).outcome


@pytest.mark.parametrize(
    ("draft", "evidence", "quote", "speaker"),
    [
        ("Sam, how is work at the bakery?", "D1:1", "I quit my job at the bakery last week", "Sam"),
        ("Sam, sad that you skipped the welding course.", "D1:1", "I signed up for a welding course", "Sam"),
        ("Sam, your sailing trip last weekend looked great!", "D1:3", "I haven't been on a sailing trip in ages", "Sam"),
        ("Evan, your photos of Lisbon are lovely!", "D1:2", "I've never been to Lisbon", "Evan"),
        ("Evan, your band is playing everywhere these days!", "D1:6", "My band is on hold", "Evan"),
        ("Sam, a pity that you never made it to the lake.", "D1:5", "We went to the lake on Sunday", "Sam"),
    ],
)
def test_a_quote_that_says_the_contrary_by_name_passes(draft: str, evidence: str, quote: str, speaker: str) -> None:
    assert outcome(draft, evidence, quote, speaker=speaker) is Outcome.PASS


@pytest.mark.parametrize(
    ("draft", "evidence", "quote", "speaker"),
    [
        pytest.param("Evan, sad that you left the choir.", "D1:4", "I won't give that up", "Evan", id="pronoun of another turn"),
        pytest.param("Sam, enjoy the pottery course!", "D1:1", "I signed up for a welding course", "Sam", id="another thing"),
        pytest.param("Sam, have fun at the welding course!", "D1:1", "I signed up for a welding course", "Sam", id="agrees"),
        pytest.param("Sam, heard you moved to Ohio!", "D1:1", "I signed up for a welding course", "Sam", id="another matter"),
        pytest.param("Sam, so you never bought a scooter.", "D1:5", "My sister bought a scooter", "Sam", id="somebody else's"),
        pytest.param("Evan, so you won't buy a canoe.", "D1:8", "Are you going to buy a canoe?", "Evan", id="only asked"),
        pytest.param("Sam, the rain ruined your picnic.", "D1:7", "that means a lot", "Sam", id="says nothing"),
    ],
)
def test_a_quote_that_leaves_the_claim_to_other_turns_fails(draft: str, evidence: str, quote: str, speaker: str) -> None:
    assert outcome(draft, evidence, quote, speaker=speaker) is Outcome.FAIL


def test_one_quoted_turn_that_states_it_is_enough() -> None:
    made = case("Sam, how is work at the bakery?", ["D1:7", "D1:1"], "I quit my job at the bakery")
    assert self_contained.judge(made).outcome is Outcome.PASS


def test_an_aligned_draft_passes_where_a_cited_turn_names_its_matter() -> None:
    assert outcome("Sam, enjoy the welding course!", "D1:1", **ALIGNED) is Outcome.PASS
    assert outcome("Evan, even without the drummer your band will be back.", "D1:6", **TO_EVAN, **ALIGNED) is Outcome.PASS


def test_an_aligned_draft_fails_where_the_cited_turn_leaves_its_matter_open() -> None:
    assert outcome("Evan, your pottery is really taking off!", "D1:4", **TO_EVAN, **ALIGNED) is Outcome.FAIL
    assert outcome("Sam, your new scooter shop looks great!", "D1:7", **ALIGNED) is Outcome.FAIL

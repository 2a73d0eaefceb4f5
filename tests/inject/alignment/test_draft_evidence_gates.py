"""The gates of Track B that read ids, speakers, quotes and rationales."""

from __future__ import annotations

import pytest
from draft_material import case

from inject.alignment.gates import absence, ids, quote, speaker
from twistcore.verdicts import Outcome

COURSE = "I signed up for a welding course"


def test_a_well_formed_item_passes_every_one_of_them() -> None:
    made = case("Sam, sad that you dropped the welding course.", "D1:1", COURSE)
    assert {gate.judge(made).outcome for gate in (ids, speaker, quote, absence)} == {Outcome.PASS}


@pytest.mark.parametrize("evidence", ["D1", "1:1", "D1:1, D1:2", "D01:1", "D1:99", "D7:1", ""])
def test_an_id_that_is_no_turn_fails(evidence: str) -> None:
    assert ids.judge(case("Sam, hi.", evidence)).outcome is Outcome.FAIL


def test_no_evidence_and_an_unknown_conversation_or_speaker_fail_ids() -> None:
    assert ids.judge(case("Sam, hi.", [])).outcome is Outcome.FAIL
    assert ids.judge(case("Sam, hi.", "D1:1", conv="conv-9")).outcome is Outcome.FAIL
    assert ids.judge(case("Sam, hi.", "D1:1", speaker="Mallory")).outcome is Outcome.FAIL


def test_a_type_that_is_not_the_familys_fails_ids() -> None:
    assert ids.judge(case("Sam, hi.", "D1:1", type="aligned")).outcome is Outcome.FAIL


def test_a_turn_of_the_partners_fails_speaker_wherever_it_is_cited() -> None:
    assert speaker.judge(case("Sam, hi.", ["D1:1", "D1:2"])).outcome is Outcome.FAIL


@pytest.mark.parametrize(
    "draft", ["Evan, enjoy the course!", "Hey Evan, enjoy it!", "Enjoy the course, Evan!", "Hi Bob, enjoy it!"]
)
def test_a_draft_to_somebody_else_fails_speaker(draft: str) -> None:
    assert speaker.judge(case(draft, "D1:1")).outcome is Outcome.FAIL


@pytest.mark.parametrize(
    "draft", ["I heard from Evan that you quit.", "Hey Sammy, so you quit!", "Enjoy the course!", "Congrats, Sam! Evan told me."]
)
def test_a_draft_that_mentions_the_partner_or_nobody_passes_speaker(draft: str) -> None:
    assert speaker.judge(case(draft, "D1:1")).outcome is Outcome.PASS


@pytest.mark.parametrize("said", [COURSE, COURSE.upper(), COURSE + ".", "“" + COURSE + "”", "I  signed up for a welding course!"])
def test_case_final_punctuation_and_quote_style_are_put_aside(said: str) -> None:
    assert quote.judge(case("Sam, hi.", "D1:1", said)).outcome is Outcome.PASS


@pytest.mark.parametrize("said", ["", "...", "I signed up for a cooking course", "signed up for a weld"])
def test_a_contradiction_without_a_verbatim_quote_fails(said: str) -> None:
    assert quote.judge(case("Sam, hi.", "D1:1", said)).outcome is Outcome.FAIL


def test_an_aligned_draft_needs_no_quote_but_may_not_misquote() -> None:
    aligned = {"type": "aligned", "family": "B-AL"}
    assert quote.judge(case("Sam, hi.", "D1:1", **aligned)).outcome is Outcome.NOT_APPLICABLE
    assert quote.judge(case("Sam, hi.", "D1:1", "I fly planes", **aligned)).outcome is Outcome.FAIL


@pytest.mark.parametrize(
    "told", ["There is no mention of a podcast.", "Sam never mentions a boat.", "Nothing on boats: Sam hasn't said he has one."]
)
def test_a_rationale_that_only_tells_of_silence_fails_absence(told: str) -> None:
    assert absence.judge(case("Sam, hi.", "D1:1", COURSE, rationale=told)).outcome is Outcome.FAIL


@pytest.mark.parametrize("told", ["Sam never mentions a boat; he says that he sold it.", "Sam quit, he did not retire.", None])
def test_a_rationale_that_tells_what_is_said_passes_absence(told: str | None) -> None:
    assert absence.judge(case("Sam, hi.", "D1:1", COURSE, rationale=told)).outcome is Outcome.PASS

"""Derived rows: sentences for every kind and family, and their place in a summary (LOCOMO.md section 8)."""

from __future__ import annotations

import random
import re

import pytest
from hypothesis import given
from hypothesis import strategies as st
from loop_material import FRAME, item_plan

from arcs.frames import load_frames
from arcs.taxonomy import Family
from inject.derived import load_derived, observe, place_in_summary, summarise

KINDS = ["anchor", "drift", *(family.value for family in Family.locomo())]
SUMMARIES = st.lists(st.sampled_from(["They met.", "Ann asked why?", 'She said "Hi!"', "It cost 3.5 dollars."]), max_size=5).map(
    " ".join
)


def test_every_kind_of_gold_turn_has_sentences() -> None:
    texts = load_derived()
    assert set(texts.observations) == set(texts.summaries) == set(KINDS)
    assert all(len(lines) >= 3 for lines in (*texts.observations.values(), *texts.summaries.values()))


@pytest.mark.parametrize("kind", KINDS)
def test_a_row_reads_without_a_slot_for_every_frame(kind: str) -> None:
    family = Family(kind) if kind in {member.value for member in Family} else Family.A1
    for frame in load_frames():
        plan = item_plan(family)
        plan = type(plan)(
            **{**{name: getattr(plan, name) for name in plan.__slots__}, "frame_id": frame.id, "object_key": frame.objects[0].key}
        )
        for seed in range(4):
            for text in (observe(plan, kind, frame, random.Random(seed)), summarise(plan, kind, frame, random.Random(seed))):
                assert not re.search(r"[{}]", text)
                assert text[0].isupper() or text[0].isdigit()
                assert text.endswith((".", "!"))
                assert "  " not in text and not re.search(r"\.\.|\!\.", text)


def test_a_row_is_about_the_holder_and_depends_on_its_generator_only() -> None:
    plan = item_plan(Family.A1)
    rows = {observe(plan, "A1", FRAME, random.Random(seed)) for seed in range(20)}
    assert len(rows) > 1
    assert all("Ann" in row for row in rows)
    assert observe(plan, "A1", FRAME, random.Random(3)) == observe(plan, "A1", FRAME, random.Random(3))


@pytest.mark.parametrize("kind", ["HN-A1", "HN-A3", "HN-A4", "HN-A5", "drift"])
def test_no_row_of_a_statement_says_that_the_new_belief_holds(kind: str) -> None:
    """RAG over observations would otherwise read a change that nobody stated."""
    texts = load_derived()
    assert not any("{new}" in line for line in (*texts.observations[kind], *texts.summaries[kind]))


@given(SUMMARIES, st.sampled_from(["", " And then she", " she left with"]), st.floats(0.01, 1))
def test_a_sentence_stands_between_sentences_and_before_a_cut(whole: str, cut: str, position: float) -> None:
    summary = whole + cut
    placed = place_in_summary(summary, "NEW SENTENCE.", position)
    text = summary[: placed.at] + placed.text + summary[placed.at :]
    assert text.replace(placed.text, "", 1) == summary
    before, _, after = text.partition("NEW SENTENCE.")
    assert not before.strip() or re.search(r"[.!?][\"')]*\s*$", before), "after a whole sentence"
    assert not after or after[0].isspace(), "and apart from what follows"
    if cut:
        assert text.endswith(cut), "what is cut stays last"


def test_the_place_follows_the_position_in_the_session() -> None:
    summary = "One. Two. Three. Four."
    places = [place_in_summary(summary, "X.", position).at for position in (0.01, 0.25, 0.5, 0.75, 1.0)]
    assert places == sorted(places)
    assert (places[0], places[-1]) == (4, len(summary))


def test_a_number_is_not_the_end_of_a_sentence() -> None:
    placed = place_in_summary("It cost 3.5 dollars.", "X.", 0.1)
    assert placed.at == len("It cost 3.5 dollars.")


@pytest.mark.parametrize("summary", ["", "no end here"])
def test_a_summary_without_a_whole_sentence_takes_the_new_one_first(summary: str) -> None:
    placed = place_in_summary(summary, "X.", 0.5)
    assert (placed.at, placed.text) == (0, "X. ")

"""The wordings of drafts: the file passes its lint, and each rule of the lint can fail."""

from __future__ import annotations

from typing import Any

import pytest

from inject.alignment.deed_forms import Kind, deed_data
from inject.alignment.wording import Stance, Wordings, compose, lint_wordings, wordings

FORMS = {"inf": "join a gym", "past": "joined a gym", "part": "joined a gym", "ing": "joining a gym"}


def changed(**changes: Any) -> Wordings:
    return Wordings.model_validate({**wordings().model_dump(mode="json"), **changes})


def test_the_file_passes_its_lint() -> None:
    assert lint_wordings(wordings()) == []


def test_every_kind_can_be_taken_as_done_and_undone_and_be_asked() -> None:
    for kind in Kind:
        assert all(wordings().of(kind, stance) for stance in (Stance.DONE, Stance.UNDONE, Stance.ASK)), kind


@pytest.mark.parametrize(
    ("wording", "fault"),
    [
        ("you did it!", "exactly one slot"),
        ("you {past} and {ing}!", "exactly one slot"),
        ("you {verb}!", "exactly one slot"),
        ("you {past}", "does not end"),
    ],
)
def test_a_wording_that_breaks_a_rule_is_named(wording: str, fault: str) -> None:
    habit = wordings().model_dump(mode="json")["habit"]
    found = lint_wordings(changed(habit={**habit, "done": [*habit["done"], wording]}))
    assert any(fault in line and wording in line for line in found)


def test_thin_stances_repeats_and_questions_that_ask_nothing_are_named() -> None:
    taste = wordings().model_dump(mode="json")["taste"]
    found = lint_wordings(changed(taste={"done": taste["done"][:1] * 2, "ask": [*taste["ask"], "you {inf}."]}))
    assert any("only 2 wordings" in line for line in found)
    assert any("comes 2 times" in line for line in found)
    assert any("asks nothing" in line for line in found)


def test_openers_and_tails_are_about_nothing() -> None:
    found = lint_wordings(changed(openers=["{past}, "], tails=["{ing}?"]))
    assert any("opener" in line for line in found) and any("tail" in line for line in found)


@pytest.mark.parametrize(
    ("opener", "expected"),
    [
        ("{name}, ", "Sam, so you joined a gym! Hugs!"),
        ("Hi {name}! ^", "Hi Sam! So you joined a gym! Hugs!"),
        ("^", "So you joined a gym! Hugs!"),
    ],
)
def test_a_draft_is_put_together_with_its_sentences_begun_large(opener: str, expected: str) -> None:
    assert compose(opener, "so you {past}!", "Hugs!", "Sam", FORMS) == expected


def test_every_form_has_four_parts_and_no_deed_is_told_twice_in_one_way() -> None:
    forms = [(form.verb, form.link, form.kind, form.objects, form.bare) for form in deed_data().deeds]
    assert len(set(forms)) == len(forms)

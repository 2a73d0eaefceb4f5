"""Rule 3, seams: `inject.check.seams`."""

from __future__ import annotations

from collections.abc import Callable
from itertools import pairwise
from typing import Any

import pytest
from release_copy import Copy

from inject.check import Rule
from inject.handbacks import _cheers_on, naming_words

Rows = list[dict[str, Any]]


def _bridge(rows: Rows) -> dict[str, Any]:
    return next(row for row in rows if row.get("seam") == "bridge")


@pytest.mark.parametrize(
    ("before", "last"),
    [
        ("I baked three loaves for the market.", "Okay! As for the market, I can't wait."),
        ("Our puppies are so cute!", "Haha! Your puppy, though, I love it."),
        ("It took some work, but I'm proud.", "Back to work, I'm feeling great about it."),
        ("I loved that show on Friday.", "You can tell that show has me smiling."),
        ("We went hiking at dawn.", "And a hike at dawn is the best."),
    ],
)
def test_a_matter_is_named_in_other_forms_of_its_word(before: str, last: str) -> None:
    assert naming_words(before) & naming_words(last)


@pytest.mark.parametrize(
    ("before", "last"),
    [
        ("I'll give it a try. Thanks!", "So thankful for you and the try!"),
        ("I'll definitely give it a go!", "Seriously, the go has me so pumped!"),
        ("Thanks, that means a lot, Melanie!", "I'm really happy, Melanie, thanks a lot!"),
        ("It shows how much we can do.", "Hope it shows how happy I am about the garden."),
    ],
)
def test_thanks_praise_and_names_name_no_matter(before: str, last: str) -> None:
    assert not naming_words(before, ("Caroline", "Melanie")) & naming_words(last, ("Caroline", "Melanie"))


CHEERED = "That's great, Mel! You're doing an awesome job, keep it up!"


def test_encouragement_may_be_given_again_before_the_thanks_for_it() -> None:
    assert _cheers_on(CHEERED, "Haha, fair enough! But I mean it, I'm proud of you.", "Thanks, Caroline! Your support means a lot.")


@pytest.mark.parametrize(
    ("before", "last", "following"),
    [
        ("I baked three loaves.", "Haha! I'm proud of you.", "Thanks, Caroline!"),
        (CHEERED, "Haha, fair enough! So that was my day.", "Thanks, Caroline!"),
        (CHEERED, "Haha! I'm proud of you.", "I baked three loaves today."),
        (CHEERED, "Haha! I'm proud of you.", "Thanks, Caroline! It really is."),
        (CHEERED, "Haha! I'm proud of you.", "Thanks! You're so helpful. That gives me some new ideas."),
    ],
)
def test_encouragement_holds_no_exchange_that_thanks_do_not_answer(before: str, last: str, following: str) -> None:
    assert not _cheers_on(before, last, following)


def test_nicknames_name_no_matter() -> None:
    assert not naming_words("Hey Mel, hey Mell, hey Caro!", ("Caroline", "Melanie"))


def test_a_bridge_that_does_not_come_back_is_named(release: Copy) -> None:
    release.change_edits(lambda rows: _bridge(rows)["turns"][-1].update(text="Haha, I believe you! So yeah, that was good."))
    release.assert_names(Rule.SEAMS, "names nothing that the turn before it was about")


def test_an_exchange_that_ends_in_a_question_is_named(release: Copy) -> None:
    def change(rows: Rows) -> None:
        _bridge(rows)["turns"][-1]["text"] += " What do you think?"

    release.change_edits(change)
    release.assert_names(Rule.SEAMS, "ends in a question that the next turn does not answer")


def _move(release: Copy, fits: Callable[[str, str], bool], **fields: Any) -> None:
    """Move the bridge to where the turns before and after fit, in the mouths of those who speak there."""
    corpus = release.corpus()

    def change(rows: Rows) -> None:
        edit = _bridge(rows)
        talk = next(raw for raw in corpus if raw["sample_id"] == edit["sample_id"])["conversation"]
        new = {turn["text"] for turn in edit["turns"]}
        number, turns = next(
            (session, turns)
            for session in range(1, 9)
            for turns in [[turn for turn in talk[f"session_{session}"] if turn["text"] not in new]]
            if any(fits(before["text"], after["text"]) for before, after in pairwise(turns))
        )
        place = next(n for n, (before, after) in enumerate(pairwise(turns), start=1) if fits(before["text"], after["text"]))
        edit["turns"][0]["speaker"], edit["turns"][1]["speaker"] = turns[place]["speaker"], turns[place - 1]["speaker"]
        edit.update(session=number, after=place, observations=[], summary=None, **fields)

    release.change_edits(change)


def test_an_exchange_between_a_question_and_its_answer_is_named(release: Copy) -> None:
    _move(release, lambda before, _after: before.endswith("?"))
    release.assert_names(Rule.SEAMS, "stands between a question and its answer")


def test_a_seam_that_is_called_something_else_is_named(release: Copy) -> None:
    release.change_edits(lambda rows: _bridge(rows).update(seam="end"))
    release.assert_names(Rule.SEAMS, "is called 'end' and a turn follows it")
    release.change_edits(lambda rows: next(row for row in rows if row.get("seam") == "end").update(seam="free"))
    release.assert_names(Rule.SEAMS, "is held by no kind of seam: 'free'")


def test_an_open_seam_needs_a_turn_that_opens_a_matter_of_its_own(release: Copy) -> None:
    _move(
        release, lambda before, after: "?" not in before and after.startswith(("Thank", "That's", "Wow", "Yes", "No")), seam="open"
    )
    release.assert_names(Rule.SEAMS, "does not open a matter of its own")


def test_an_odd_exchange_does_not_fit_its_schema(release: Copy) -> None:
    release.change_rows("edits.jsonl", lambda rows: _bridge(rows)["turns"].append(_bridge(rows)["turns"][0]))
    release.assert_names(Rule.SCHEMA, "must be even-sized", where="edits.jsonl, line")

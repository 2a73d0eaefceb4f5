"""The offline writer: voices and ties vary, facts never do (DESIGN.md rule 7)."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from loop_material import brief, item_plan

from arcs.taxonomy import Family
from inject.brief import Brief
from inject.drafts import Draft
from inject.writers.habits import Habits
from inject.writers.offline import OfflineWriter

QUIET = Habits((), 0.0, 0.4)
TALKER = Habits(("Bobby", "Bob"), 1.0, 0.4)


def write(made: Brief, attempt: int = 1, ann: Habits = QUIET, bob: Habits = QUIET) -> Draft:
    return OfflineWriter({"Ann": ann, "Bob": bob}).write(made, attempt, [])


@given(st.sampled_from(Family.locomo()), st.integers(1, 3), st.floats(0, 1), st.floats(0, 1), st.booleans())
def test_every_attempt_says_the_line_and_quotes_it_by_its_span(
    family: Family, attempt: int, vocative: float, exclaims: float, tied: bool
) -> None:
    habits = Habits(("Bobby",), vocative, exclaims)
    extra = {"ack": "That's great!", "other_ack": "Good to hear.", "handback": "And the picture is lovely."} if tied else {}
    made = brief(item_plan(family), **extra)
    draft = write(made, attempt, habits, habits)
    for exchange, turn in zip(draft.exchanges, made.turns, strict=True):
        assert exchange.quote == exchange.text[exchange.start : exchange.end]
        # Only the partner's name may have come in, and nothing else.
        assert exchange.quote.replace(", Bobby", "").lower() == turn.line.lower()
        assert exchange.text.endswith(exchange.quote)
        assert exchange.hands_back == tied
        assert exchange.reply.endswith(turn.handback)
    assert [turn.text for turn in draft.proposal.turns] == [exchange.text for exchange in draft.exchanges]
    assert all(turn.speaker == "Ann" for turn in draft.proposal.turns)


def test_the_same_item_and_attempt_are_written_alike() -> None:
    made = brief(ack="That's great!")
    assert write(made, 1, TALKER, TALKER) == write(made, 1, TALKER, TALKER)


def test_a_second_attempt_leaves_out_the_lead_and_a_third_the_names() -> None:
    made = brief(ack="That's great!", other_ack="Good to hear.")
    texts = [[exchange.text for exchange in write(made, attempt, TALKER, TALKER).exchanges] for attempt in (1, 2, 3)]
    replies = [[exchange.reply for exchange in write(made, attempt, TALKER, TALKER).exchanges] for attempt in (1, 2, 3)]
    assert all("Let's talk about looks." in text for text in texts[0])
    assert not any("Let's talk about looks." in text for text in (*texts[1], *texts[2]))
    assert any("Bob" in text for text in (*texts[0], *texts[1], *replies[0], *replies[1]))
    assert not any("Bob" in text for text in (*texts[2], *replies[2]))


def test_a_line_after_a_comma_starts_small_unless_its_word_is_always_capital() -> None:
    assert write(brief(lead="By the way,")).exchanges[0].text == "By the way, line 0 about a tattoo."
    assert write(brief(lead="By the way,", keeps_capital=True)).exchanges[0].text == "By the way, Line 0 about a tattoo."
    assert write(brief(lead="By the way.")).exchanges[0].text == "By the way. Line 0 about a tattoo."
    assert write(brief(lead="")).exchanges[0].text == "Line 0 about a tattoo."


def test_a_speaker_who_names_nobody_is_given_no_names() -> None:
    made = brief(ack="That's great!")
    for attempt in (1, 2, 3):
        draft = write(made, attempt)
        assert not any(name in exchange.text + exchange.reply for exchange in draft.exchanges for name in ("Ann", "Bob"))


@pytest.mark.parametrize(("rate", "marks"), [(0.0, {"!", "."}), (0.4, {"!"}), (1.0, {"!"})])
def test_a_calm_partner_exclaims_less(rate: float, marks: set[str]) -> None:
    made = [brief(item_plan(family, drift=2)) for family in Family.locomo()]
    ends = {exchange.reply[-1] for one in made for exchange in write(one, bob=Habits((), 0.0, rate)).exchanges}
    assert ends == marks


def test_a_lively_partner_exclaims_more() -> None:
    made = [brief(item_plan(family, drift=2), reaction="So nice of you.") for family in Family.locomo()]
    assert {exchange.reply[-1] for one in made for exchange in write(one, bob=Habits((), 0.0, 0.9)).exchanges} == {"!", "."}
    assert {exchange.reply[-1] for one in made for exchange in write(one, bob=QUIET).exchanges} == {"."}


def test_provenance_says_that_no_model_wrote() -> None:
    writer = OfflineWriter({})
    assert (writer.name, writer.model, writer.prompt_sha256) == ("offline", None, None)

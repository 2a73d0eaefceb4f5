"""Briefs: a plan's words, and its facts fixed before anything is written (DESIGN.md rule 7)."""

from __future__ import annotations

import re

import pytest
from loop_material import FRAME, item_plan, slot

from arcs.items import SlotKind
from arcs.taxonomy import Family
from inject.brief import Brief, brief_item
from inject.connectives import Connectives, ConnectiveUse, load_connectives
from inject.seams import Act, Seam
from inject.subjects import Subject

CONNECTIVES = load_connectives()
GARDEN = Subject("my garden", "your garden", plural=False, lemma="garden", whose="own")
BRIDGES = {(session, 4): Seam(session, 4, SlotKind.BRIDGE, "Ann", 2.0, Act.VIEW, GARDEN, "wow") for session in range(1, 10)}


def facts(text: str, terms: tuple[str, ...]) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """A reader that gives a text back as its facts: claims where terms are asked for."""
    return ((f"claim:{text}",) if terms else (), (f"scene:{text}",))


def made(
    family: Family = Family.A1,
    *,
    kind: SlotKind = SlotKind.OPEN,
    lead: int | None = 0,
    use: ConnectiveUse | None = None,
    line: int = 0,
    drift: int = 0,
) -> Brief:
    plan = item_plan(family, kind=kind, lead=lead, line=line, drift=drift)
    return brief_item(plan, FRAME, BRIDGES if kind is SlotKind.BRIDGE else {}, CONNECTIVES, use or ConnectiveUse(), facts)


@pytest.mark.parametrize("family", Family.locomo())
@pytest.mark.parametrize("kind", list(SlotKind))
def test_every_stretch_is_filled(family: Family, kind: SlotKind) -> None:
    for line in range(4):
        for turn in made(family, kind=kind, line=line, drift=2).turns:
            for text in (turn.ack, turn.other_ack, turn.lead, turn.line, turn.reaction, turn.handback):
                assert not re.search(r"[{}]", text)
            assert turn.line and turn.reaction


def test_the_fact_lists_are_what_the_scene_and_its_ties_say() -> None:
    for turn in made(kind=SlotKind.BRIDGE).turns:
        assert turn.planned.claim_facts == (f"claim:{turn.line}",)
        said = [turn.line, *(text for text in (turn.ack, turn.other_ack, turn.lead) if text)]
        assert set(turn.planned.scene_facts) == {f"scene:{text}" for text in said}


def test_the_plan_in_the_brief_carries_the_same_facts() -> None:
    brief = made(Family.A2, drift=1)
    assert brief.plan.turns == tuple(turn.planned for turn in brief.turns)
    assert all(turn.claim_facts for turn in brief.plan.turns)


def test_only_a_bridge_is_tied_to_the_turns_around_it() -> None:
    for turn in made(kind=SlotKind.BRIDGE).turns:
        assert turn.ack and turn.handback
    for kind in (SlotKind.OPEN, SlotKind.END, SlotKind.APPENDED):
        for turn in made(kind=kind).turns:
            assert (turn.ack, turn.other_ack, turn.handback) == ("", "", "")


def test_handbacks_name_the_subject_in_the_words_of_who_says_it() -> None:
    texts = [turn for seed in range(3) for turn in made(kind=SlotKind.BRIDGE, line=seed, drift=2).turns]
    assert not any("my garden" in turn.ack for turn in texts), "the holder answers: to them it is your garden"
    assert not any("your garden" in turn.handback for turn in texts), "the partner says whose it is"
    assert any("garden" in turn.handback for turn in texts)


def test_an_ack_and_a_handback_do_not_open_like_what_follows_or_precedes() -> None:
    def first(text: str) -> str:
        return text.split(maxsplit=1)[0].strip(",.!").lower()

    for family in Family.locomo():
        for turn in made(family, kind=SlotKind.BRIDGE, drift=2).turns:
            assert first(turn.ack) != "wow"
            assert first(turn.handback) != first(turn.reaction)


def test_connectives_are_used_evenly() -> None:
    use = ConnectiveUse()
    acks = CONNECTIVES.acks.fitting(Act.VIEW, GARDEN)
    for _ in range(len(acks)):
        made(kind=SlotKind.BRIDGE, use=use)
    counts = [count for text, count in use.count.items() if text in acks]
    assert counts
    assert max(counts) - min(counts) <= 2


def test_a_frames_lead_is_taken_where_the_plan_names_one() -> None:
    assert {turn.lead for turn in made(lead=2).turns} == {FRAME.bridges[2]}
    assert not {turn.lead for turn in made(lead=None).turns} & set(FRAME.bridges)


def test_a_brief_depends_on_its_item_and_on_what_was_used() -> None:
    assert made(kind=SlotKind.BRIDGE) == made(kind=SlotKind.BRIDGE)
    use = ConnectiveUse()
    first, second = made(kind=SlotKind.BRIDGE, use=use), made(kind=SlotKind.BRIDGE, use=use)
    assert [turn.ack for turn in first.turns] != [turn.ack for turn in second.turns]


def test_a_word_that_is_always_capital_stays_so_after_a_comma() -> None:
    for line in range(4):
        for turn in made(line=line).turns:
            if turn.line.split()[0].split("'")[0] == "I":
                assert turn.keeps_capital


def test_slots_are_looked_up_by_session_and_place() -> None:
    plan = item_plan(kind=SlotKind.BRIDGE)
    elsewhere = {(session, 9): seam for (session, _), seam in BRIDGES.items()}
    brief = brief_item(plan, FRAME, elsewhere, CONNECTIVES, ConnectiveUse(), facts)
    assert all(turn.ack == "" for turn in brief.turns)
    assert plan.anchor.slot == slot(1, kind=SlotKind.BRIDGE)


def test_the_connectives_that_ship_are_read() -> None:
    assert isinstance(CONNECTIVES, Connectives)
    for act in Act:
        assert CONNECTIVES.acks.fitting(act, GARDEN) or act in (Act.PRAISE, Act.THANKS, Act.NEWS, Act.CHEER)
        assert CONNECTIVES.handbacks.of(act)

"""The planner is pure: one seed, one plan (PRECEDENTS.md 13, 18), and what it plans keeps the rules."""

from __future__ import annotations

import copy
import random
from collections import Counter
from itertools import combinations

import pytest
from arc_material import flat, free, plain, several, slots

from arcs.choose import words_of
from arcs.frames import Frame, TopicObject, load_frames
from arcs.plan import ConversationPlan, Host, Occupied, PairNeed, PlanMemory, allot_families, plan_conversation
from arcs.schedule import far_enough
from arcs.taxonomy import Family, Role

HOST = Host("conv-1", ("Ann", "Bob"), slots(12, 3, gap=16))
FRAMES = several(14)
NEEDS = [
    PairNeed(Family.A1, Family.HN_A1, 0),
    PairNeed(Family.A2, Family.HN_A2, 2),
    PairNeed(Family.A2, Family.HN_A5, 1),
    PairNeed(Family.A1, Family.HN_A4, 0),
]


def plan(
    seed: int = 7,
    *,
    memory: PlanMemory | None = None,
    needs: list[PairNeed] | None = None,
    host: Host = HOST,
    frames: list[Frame] | None = None,
    occupied: Occupied | None = None,
) -> ConversationPlan:
    chosen = FRAMES if frames is None else frames
    return plan_conversation(
        host, chosen, NEEDS if needs is None else needs, seed, memory or PlanMemory(), free, flat, flat, plain, occupied
    )


def test_a_hundred_runs_with_one_seed_are_identical() -> None:
    small = Host("conv-1", HOST.speakers, slots(8, 2, gap=16))
    first = plan(host=small, needs=NEEDS[:2])
    assert first.pairs
    assert all(plan(host=small, needs=NEEDS[:2]) == first for _ in range(99))


def test_another_seed_and_another_conversation_give_another_plan() -> None:
    assert plan(8).pairs != plan(7).pairs
    assert plan(host=Host("conv-2", HOST.speakers, HOST.slots)).pairs != plan().pairs


def test_the_global_generator_is_neither_read_nor_moved() -> None:
    random.seed(1)
    first = plan()
    random.seed(2)
    state = random.getstate()
    assert plan() == first
    assert random.getstate() == state


def test_ids_are_opaque_and_all_different() -> None:
    made = plan()
    items = [item for pair in made.pairs for item in pair.items]
    ids = [item.id for item in items] + [pair.id for pair in made.pairs]
    assert len(set(ids)) == len(ids)
    assert all(len(ident) == 12 and int(ident, 16) >= 0 for ident in ids)


def test_every_need_gets_an_arc_with_its_partner() -> None:
    made = plan()
    assert made.unmet == ()
    assert made.shortfall == {}
    assert [(pair.arc.family, pair.control.family, len(pair.arc.turns) - 2) for pair in made.pairs] == [
        (need.arc, need.control, need.drift) for need in NEEDS
    ]
    for pair in made.pairs:
        arc, control = pair.items
        assert arc.frame_id == control.frame_id
        assert arc.object_key != control.object_key
        assert (arc.holder, arc.partner, arc.pair_id) == (control.holder, control.partner, control.pair_id)
        assert arc.new_belief is not None and control.new_belief is None
        assert arc.old_belief != control.old_belief
        for item in pair.items:
            assert item.anchor.role is Role.ANCHOR
            assert item.later.role is item.family.later_role
            assert far_enough(item.anchor.slot, item.later.slot)
            assert all(turn.slot.opener == item.holder for turn in item.turns)


def test_no_two_items_of_a_conversation_share_a_place_a_word_or_a_line() -> None:
    made = plan()
    by_id = {made_frame.id: made_frame for made_frame in FRAMES}
    items = [item for pair in made.pairs for item in pair.items]
    places = [turn.slot for item in items for turn in item.turns]
    assert len(set(places)) == len(places)
    for first, second in combinations(items, 2):
        if first.pair_id != second.pair_id:
            assert not words_of(by_id[first.frame_id].object(first.object_key)) & words_of(
                by_id[second.frame_id].object(second.object_key)
            )
            assert first.frame_id != second.frame_id
    lines = [(item.frame_id, *turn.line) for item in items for turn in item.turns]
    assert len(set(lines)) == len(lines)


def test_times_are_planned_for_every_line_that_says_one() -> None:
    made = plan_conversation(
        HOST, load_frames(), [PairNeed(Family.A1, Family.HN_A2, 0)] * 6, 7, PlanMemory(), free, flat, flat, plain
    )
    times = [(item, turn, time) for pair in made.pairs for item in pair.items for turn in item.turns for time in turn.times]
    assert times, "some line of six pairs says a time"
    for item, turn, time in times:
        assert time.first <= time.last < turn.date.date()
        if time.slot != "day":
            assert time.first > item.anchor.date.date(), "the new state starts after the anchor"


def test_a_second_conversation_spreads_over_frames_that_the_first_did_not_use() -> None:
    memory = PlanMemory()
    first = plan(memory=memory)
    memory.frames.update(pair.arc.frame_id for pair in first.pairs)
    memory.lines.conversation = set()
    second = plan(memory=memory, host=Host("conv-2", HOST.speakers, HOST.slots))
    assert not {pair.arc.frame_id for pair in first.pairs} & {pair.arc.frame_id for pair in second.pairs}


def test_memory_takes_lines_and_the_plan_depends_on_it() -> None:
    memory = PlanMemory()
    made = plan(memory=memory)
    used = sum(memory.lines.release.values())
    assert used >= sum(2 * len(item.turns) for pair in made.pairs for item in pair.items)
    again = copy.deepcopy(memory)
    assert plan(memory=memory) == plan(memory=again)
    assert memory == again


def test_rejected_choices_and_occupied_places_are_not_planned_again() -> None:
    first = plan()
    settled, dropped = first.pairs[:2], first.pairs[2:]
    occupied = Occupied(settled, frozenset((pair.arc.frame_id, pair.arc.holder) for pair in dropped))
    second = plan(needs=NEEDS[2:], occupied=occupied)
    assert len(second.pairs) == 2
    taken = set(occupied.slots)
    for pair in second.pairs:
        assert (pair.arc.frame_id, pair.arc.holder) not in occupied.refused
        assert pair.arc.frame_id not in {other.arc.frame_id for other in settled}
        assert not taken & {turn.slot for item in pair.items for turn in item.turns}


@pytest.mark.parametrize(
    ("host", "frames", "reason"),
    [
        (Host("conv-1", ("Ann", "Bob"), slots(4)), FRAMES, "no place far enough apart"),
        (Host("conv-1", ("Ann", "Bob"), ()), FRAMES, "no place far enough apart"),
        (HOST, several(2), "no topic left"),
        (HOST, [], "no topic left"),
    ],
)
def test_what_does_not_fit_is_said_with_its_reason(host: Host, frames: list[Frame], reason: str) -> None:
    made = plan(host=host, frames=frames)
    assert len(made.pairs) + len(made.unmet) == len(NEEDS)
    assert made.unmet
    assert any(reason in said for said in made.shortfall), made.shortfall


def test_a_record_that_objects_to_everything_is_given_as_the_reason() -> None:
    def objects(_frame: Frame, _item: TopicObject, _holder: str) -> list[str]:
        return ["asked about by a question"]

    made = plan_conversation(HOST, FRAMES, NEEDS, 7, PlanMemory(), objects, flat, flat, plain)
    assert made.pairs == ()
    assert list(made.shortfall) == ["no topic left (asked about by a question)"]


def test_families_are_allotted_evenly_over_the_corpus() -> None:
    used: Counter[Family] = Counter()
    for conversation in range(10):
        for need in allot_families(6, used, random.Random(conversation)):
            assert (need.drift == 0) == (need.arc is Family.A1)
            assert need.drift <= 2
            used.update((need.arc, need.control))
    assert sum(used[family] for family in Family.arcs()) == sum(used[family] for family in Family.hard_negatives()) == 60
    assert used[Family.A1] == used[Family.A2] == 30
    assert {used[family] for family in Family.hard_negatives()} == {12}


def test_both_speakers_hold_something_where_both_have_places() -> None:
    holders = Counter(pair.arc.holder for pair in plan().pairs)
    assert set(holders) == {"Ann", "Bob"}

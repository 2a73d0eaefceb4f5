"""Choice of lines: none twice in a conversation, least used first, similarity matched between an arc and its partner."""

from __future__ import annotations

import random
from collections import Counter
from itertools import product

import pytest
from arc_material import flat, frame, plain, raw_frame

from arcs.frames import Frame
from arcs.lines import (
    SAMPLE_TIMES,
    TYPICAL_SIMILARITY,
    ChosenLines,
    Foreignness,
    LineUse,
    Similarity,
    choose_lines,
    line_text,
    reaction_group,
    reaction_lines,
    role_of,
)
from arcs.taxonomy import Family, Role

FAMILIES = (Family.A2, Family.HN_A1)


def pick(
    made: Frame,
    use: LineUse,
    seed: int = 1,
    *,
    drift: int = 1,
    families: tuple[Family, Family] = FAMILIES,
    similarity: Similarity = flat,
    foreignness: Foreignness = plain,
    weeks: bool = True,
) -> tuple[ChosenLines, ChosenLines] | None:
    return choose_lines(
        made,
        (made.objects[0], made.objects[1]),
        families,
        drift,
        use,
        similarity,
        foreignness,
        random.Random(seed),
        weeks_known=(weeks, weeks),
    )


def keys_of(made: Frame, chosen: tuple[ChosenLines, ChosenLines]) -> list[tuple[str, str, int]]:
    out = []
    for lines in chosen:
        for (kind, index), (answered, reaction) in lines.turns:
            out += [(made.id, kind, index), (made.id, f"reaction:{reaction_group(answered)}", reaction)]
    return out


def test_an_item_has_an_anchor_its_drift_and_its_later_line() -> None:
    chosen = pick(frame(), LineUse(), drift=2)
    assert chosen is not None
    assert [kind for (kind, _), _ in chosen[0].turns] == ["anchor", "drift", "drift", "A2"]
    assert [kind for (kind, _), _ in chosen[1].turns] == ["anchor", "HN-A1"]
    assert [role_of(kind) for (kind, _), _ in chosen[0].turns] == [Role.ANCHOR, Role.DRIFT, Role.DRIFT, Role.REVERSAL]
    assert role_of("HN-A1") is Role.STATEMENT


def test_no_line_and_no_reaction_is_used_twice_in_a_conversation() -> None:
    made, use = frame(), LineUse()
    taken: Counter[tuple[str, str, int]] = Counter()
    while (chosen := pick(made, use, seed=len(taken))) is not None:
        taken.update(keys_of(made, chosen))
    assert taken and max(taken.values()) == 1
    assert set(taken) <= use.conversation


def test_lines_run_out_and_then_there_is_no_pair() -> None:
    made, use = frame(), LineUse()
    rounds = 0
    while pick(made, use, seed=rounds, families=(Family.A1, Family.HN_A2), drift=0) is not None:
        rounds += 1
    # Four reactions to an anchor, two a pair.
    assert rounds == 2


def test_another_conversation_takes_the_lines_that_were_used_least() -> None:
    made, use = frame(), LineUse()
    seen: Counter[tuple[str, str, int]] = Counter()
    for conversation in range(4):
        use.conversation = set()
        chosen = pick(made, use, seed=conversation)
        assert chosen is not None
        seen.update(key for key in keys_of(made, chosen) if key[1] in ("A2", "HN-A1", "drift"))
    assert set(seen.values()) == {1}, "each of the four lines of a kind once, before any is used again"
    assert use.release[made.id, "A2", 0] == 1


@pytest.mark.parametrize("weeks", [True, False])
def test_a_line_that_counts_weeks_needs_a_gap_to_count(weeks: bool) -> None:
    raw = raw_frame()
    for family in ("A1", "HN-A2"):
        raw["families"][family] = [f"{line[:-1]} {{ago}}." for line in raw["families"][family][:3]] + raw["families"][family][3:]
    made = Frame.model_validate(raw)
    picked = {
        (lines[0].turns[-1][0], lines[1].turns[-1][0])
        for seed in range(30)
        if (lines := pick(made, LineUse(), seed, drift=0, families=(Family.A1, Family.HN_A2), weeks=weeks)) is not None
    }
    assert (picked == {(("A1", 3), ("HN-A2", 3))}) == (not weeks)


def test_arc_and_partner_get_lines_of_like_similarity() -> None:
    made = frame()

    def similarity(first: str, second: str) -> float:
        # By the words alone: anything that differs from line to line will do.
        return (sum(map(ord, first)) * 31 + sum(map(ord, second)) * 17) % 100 / 100

    def sample(kind: str, index: int, place: int) -> str:
        item = made.objects[place]
        return line_text(made, kind, index).format(**item.slots, head=item.head, **SAMPLE_TIMES)

    chosen = pick(made, LineUse(), similarity=similarity, drift=0)
    assert chosen is not None
    values = []
    for place, lines in enumerate(chosen):
        (_, anchor), (kind, later) = lines.turns[0][0], lines.turns[-1][0]
        values.append(similarity(sample("anchor", anchor, place), sample(kind, later, place)))
    best = min(
        abs(similarity(sample("anchor", a, 0), sample("A2", b, 0)) - TYPICAL_SIMILARITY)
        + abs(similarity(sample("anchor", c, 1), sample("HN-A1", d, 1)) - TYPICAL_SIMILARITY)
        for a, b, c, d in product(range(6), range(4), range(6), range(4))
        if a != c
    )
    assert sum(abs(value - TYPICAL_SIMILARITY) for value in values) <= best + 0.03


def test_arc_and_partner_never_share_an_anchor() -> None:
    for seed in range(30):
        chosen = pick(frame(), LineUse(), seed)
        assert chosen is not None
        assert chosen[0].turns[0][0] != chosen[1].turns[0][0]


def test_reactions_come_from_the_group_of_what_they_answer() -> None:
    made = frame()
    assert [reaction_group(kind) for kind in ("A1", "A2", "HN-A4", "drift", "anchor", "HN-A3")] == [
        "reversal",
        "reversal",
        "drift",
        "drift",
        "anchor",
        "HN-A3",
    ]
    assert reaction_lines(made, "HN-A4") == reaction_lines(made, "drift") == made.reactions.drift
    assert reaction_lines(made, "A1") == made.reactions.reversal


def test_of_lines_alike_the_one_that_sounds_like_the_record_is_taken() -> None:
    made = frame()
    strange = {"A1": 2, "HN-A2": 1}

    def foreignness(text: str) -> float:
        return float(not any(text.startswith(f"{kind.capitalize()} {index} ") for kind, index in strange.items()))

    for seed in range(5):
        chosen = pick(made, LineUse(), seed, drift=0, families=(Family.A1, Family.HN_A2), foreignness=foreignness)
        assert chosen is not None
        assert [lines.turns[-1][0] for lines in chosen] == [("A1", 2), ("HN-A2", 1)]

"""The council's figures on votes that were counted by hand."""

from __future__ import annotations

import random
from itertools import permutations, product

import pytest

from arcs.taxonomy import Family, Gold
from inject.council.ballots import Ballot, CouncilItem, Vote
from inject.council.record import make_report
from inject.council.tally import Bin, Kappa, bin_votes, cohen_kappa, sum_up, tally_items
from inject.drafts import SeenLine
from twistcore.chat.model_family import model_family
from twistcore.errors import UsageError

T, N, X = Vote.TENSION, Vote.NO_TENSION, Vote.CANNOT_TELL
MEMBERS = ("ann-1", "bob-1", "cid-1")
# Gold, then the votes of the three; four items in each bin.
#
# ann and bob both voted on items 1 to 10: both tension 1 2 3 4, ann alone 5, bob alone 6 7, neither 8 9 10. Agreement 7/10. ann said
# tension 5 times in 10, bob 6: by chance 5/10 * 6/10 + 5/10 * 4/10 = 1/2. Kappa (7/10 - 1/2) / (1 - 1/2) = 0.4.
#
# ann and cid both on 1 2 4 5 6 8 9 10: both 1 2 5, ann alone 4, cid alone 6 10, neither 8 9. Agreement 5/8; ann 4/8, cid 5/8: by
# chance 20/64 + 12/64 = 1/2. Kappa (5/8 - 1/2) / (1/2) = 0.25.
#
# bob and cid both on 1 2 4 5 6 8 9 10 11 15 16: both 1 2 6 11 16, bob alone 4, cid alone 5 10, neither 8 9 15. Agreement 8/11; bob 6/11,
# cid 7/11: by chance 42/121 + 20/121 = 62/121. Kappa (88 - 62) / (121 - 62) = 26/59 = 0.4407.
#
# ann against gold, on 1 to 10 and 14: both 1 2 3 5, ann alone 4 14, gold alone 6 10, neither 7 8 9. Agreement 7/11, by chance
# 36/121 + 25/121 = 61/121. Kappa (77 - 61) / (121 - 61) = 16/60 = 0.2667.
SHEET: list[tuple[Gold, Vote, Vote, Vote, Bin]] = [
    (Gold.TENSION, T, T, T, Bin.UNANIMOUS),
    (Gold.TENSION, T, T, T, Bin.UNANIMOUS),
    (Gold.TENSION, T, T, X, Bin.MAJORITY),
    (Gold.NO_TENSION, T, T, N, Bin.AGAINST),
    (Gold.TENSION, T, N, T, Bin.MAJORITY),
    (Gold.TENSION, N, T, T, Bin.MAJORITY),
    (Gold.NO_TENSION, N, T, X, Bin.ABSTAIN_HEAVY),
    (Gold.NO_TENSION, N, N, N, Bin.UNANIMOUS),
    (Gold.NO_TENSION, N, N, N, Bin.UNANIMOUS),
    (Gold.TENSION, N, N, T, Bin.AGAINST),
    (Gold.TENSION, X, T, T, Bin.MAJORITY),
    (Gold.NO_TENSION, X, X, N, Bin.ABSTAIN_HEAVY),
    (Gold.TENSION, X, X, X, Bin.ABSTAIN_HEAVY),
    (Gold.NO_TENSION, T, X, X, Bin.ABSTAIN_HEAVY),
    (Gold.TENSION, X, N, N, Bin.AGAINST),
    (Gold.NO_TENSION, X, T, T, Bin.AGAINST),
]


def item_of(number: int, gold: Gold, makers: frozenset[str] = frozenset()) -> CouncilItem:
    family = Family.A1 if gold is Gold.TENSION else Family.HN_A1
    line = SeenLine(f"[{number} May, 2023] Sam: I said this.")
    return CouncilItem(f"i{number:02}", f"p{number:02}", "conv-1", family, gold, (line,), makers)


def sheet(makers: frozenset[str] = frozenset()) -> tuple[list[CouncilItem], list[Ballot]]:
    items = [item_of(number, row[0], makers) for number, row in enumerate(SHEET, start=1)]
    ballots = [
        Ballot(item=item.id, member=member, vote=vote, reason="so", gold=item.gold)
        for item, row in zip(items, SHEET, strict=True)
        for member, vote in zip(MEMBERS, row[1:4], strict=True)
    ]
    return items, ballots


def test_every_item_falls_into_the_bin_that_was_worked_out_by_hand() -> None:
    items, ballots = sheet()
    counted = tally_items(items, ballots)
    assert [item.bin for item in counted] == [row[4] for row in SHEET]
    figures = sum_up(counted, ballots)
    assert figures.bins == {
        Bin.UNANIMOUS: 4,
        Bin.MAJORITY: 4,
        Bin.ABSTAIN_HEAVY: 4,
        Bin.AGAINST: 4,
        Bin.SPLIT: 0,
        Bin.INCOMPLETE: 0,
    }
    assert figures.against == ["i04", "i10", "i15", "i16"]
    assert {gold: [bins[each] for each in list(Bin)[:4]] for gold, bins in figures.by_gold.items()} == {
        Gold.TENSION: [2, 4, 1, 2],
        Gold.NO_TENSION: [2, 0, 3, 2],
    }
    assert figures.by_family == {Family.A1: figures.by_gold[Gold.TENSION], Family.HN_A1: figures.by_gold[Gold.NO_TENSION]}


def test_kappas_are_those_worked_out_by_hand() -> None:
    items, ballots = sheet()
    figures = sum_up(tally_items(items, ballots), ballots)
    found = {(pair.first, pair.second): pair.agreement for pair in figures.pairs}
    assert {names: (each.kappa, each.items) for names, each in found.items()} == {
        ("ann-1", "bob-1"): (0.4, 10),
        ("ann-1", "cid-1"): (0.25, 8),
        ("bob-1", "cid-1"): (0.4407, 11),
    }
    ann_bob = found["ann-1", "bob-1"]
    assert (ann_bob.both_tension, ann_bob.first_only, ann_bob.second_only, ann_bob.neither) == (4, 1, 2, 3)
    ann = figures.members[0]
    assert (ann.matched, ann.opposed, ann.abstained, ann.failed) == (7, 4, 5, 0)
    assert (ann.with_gold.kappa, ann.with_gold.items) == (0.2667, 11)


def test_an_abstention_is_no_opposing_vote() -> None:
    assert bin_votes(Gold.TENSION, [T, T, N]) is bin_votes(Gold.TENSION, [T, T, X]) is Bin.MAJORITY
    assert bin_votes(Gold.TENSION, [T, N, N]) is Bin.AGAINST
    assert bin_votes(Gold.TENSION, [T, X, X]) is Bin.ABSTAIN_HEAVY
    assert bin_votes(Gold.TENSION, [N, X, X]) is Bin.ABSTAIN_HEAVY, "one opposing vote in three is no majority against"
    items, ballots = sheet()
    for each in tally_items(items, ballots):
        assert each.matched + each.opposed + each.abstained == 3


def test_a_member_that_always_abstains_changes_no_kappa_of_the_others() -> None:
    items, ballots = sheet()
    more = ballots + [Ballot(item=item.id, member="dan-1", vote=X, reason="", gold=item.gold) for item in items]
    before, after = sum_up(tally_items(items, ballots), ballots), sum_up(tally_items(items, more), more)
    assert [pair for pair in after.pairs if "dan-1" not in (pair.first, pair.second)] == before.pairs
    dan = after.members[3]
    assert (dan.matched, dan.opposed, dan.abstained) == (0, 0, 16)
    assert (dan.with_gold.kappa, dan.with_gold.items, dan.with_gold.note) == (None, 0, "no item on which both voted")


def test_a_failed_call_is_neither_a_vote_nor_an_abstention() -> None:
    items, ballots = sheet()
    lost = [ballot.model_copy(update={"vote": None}) if ballot.member == "cid-1" else ballot for ballot in ballots]
    figures = sum_up(tally_items(items, lost), lost)
    assert figures.bins[Bin.INCOMPLETE] == 16
    cid = figures.members[2]
    assert (cid.matched, cid.opposed, cid.abstained, cid.failed) == (0, 0, 0, 16)
    assert figures.against == []
    assert figures.pairs[0].agreement.kappa == 0.4


@pytest.mark.parametrize("votes", list(product([T, N, X], repeat=3)))
def test_three_members_always_fall_into_one_of_the_four_bins_whatever_their_order(votes: tuple[Vote, ...]) -> None:
    bins = {bin_votes(Gold.TENSION, list(order)) for order in permutations(votes)}
    assert len(bins) == 1
    assert bins <= {Bin.UNANIMOUS, Bin.MAJORITY, Bin.ABSTAIN_HEAVY, Bin.AGAINST}


def test_an_even_council_may_split() -> None:
    assert bin_votes(Gold.TENSION, [T, N]) is Bin.SPLIT
    assert bin_votes(Gold.TENSION, [T, X]) is Bin.ABSTAIN_HEAVY
    assert bin_votes(Gold.TENSION, [T, T, N, N]) is Bin.SPLIT
    assert bin_votes(Gold.TENSION, [T, T, N, X]) is Bin.ABSTAIN_HEAVY
    with pytest.raises(ValueError, match="members"):
        bin_votes(Gold.TENSION, [])


@pytest.mark.parametrize("label", [T, N])
def test_kappa_of_two_who_know_one_label_is_undefined_and_says_why(label: Vote) -> None:
    found = cohen_kappa([(label, label)] * 5)
    assert found.kappa is None
    assert found.note == f"undefined: both voted {label.value} on every item"
    assert found.items == 5


def test_kappa_is_zero_with_a_note_where_one_of_two_knows_one_label() -> None:
    found = cohen_kappa([(T, T), (T, T), (T, N)])
    assert found.kappa == 0.0
    assert "single label" in found.note


def test_kappa_is_one_for_perfect_and_minus_one_for_reversed_votes() -> None:
    assert cohen_kappa([(T, T), (N, N)]) == Kappa(kappa=1.0, items=2, both_tension=1, first_only=0, second_only=0, neither=1)
    assert cohen_kappa([(T, N), (N, T)]).kappa == -1.0


def test_neither_the_order_of_ballots_nor_that_of_members_changes_the_record() -> None:
    items, ballots = sheet()
    mixed = random.Random(3).sample(ballots, len(ballots))
    first, second = (
        make_report(
            each_items,
            each,
            corpus="c",
            key_version="v",
            prompt_sha256="0",
            members=members,
            items_in_key=16,
        )
        for each_items, each, members in ((items, ballots, MEMBERS), (items[::-1], mixed, MEMBERS[::-1]))
    )
    assert first.model_dump_json() == second.model_dump_json()


def test_votes_on_what_ones_own_family_made_are_counted_apart() -> None:
    items, ballots = sheet(makers=frozenset({"ann"}))
    figures = sum_up(tally_items(items, ballots), ballots)
    assert [member.kin_items for member in figures.members] == [16, 0, 0]
    assert [pair.independent for pair in figures.pairs] == [False, False, True]
    assert not any(pair.same_family for pair in figures.pairs)


@pytest.mark.parametrize(
    ("spoil", "said"),
    [
        (lambda ballots: ballots[:-1], "no ballot of cid-1 on item i16"),
        (lambda ballots: [*ballots, ballots[0]], "two ballots of ann-1 on item i01"),
        (lambda ballots: [*ballots[:-1], ballots[-1].model_copy(update={"item": "zz"})], "a ballot on item zz"),
        (lambda ballots: [*ballots[:-1], ballots[-1].model_copy(update={"gold": Gold.TENSION})], "a ballot on item i16"),
    ],
)
def test_ballots_that_do_not_fit_the_items_are_refused(spoil, said: str) -> None:  # type: ignore[no-untyped-def]
    items, ballots = sheet()
    with pytest.raises(UsageError, match=said):
        sum_up(tally_items(items, ballots), spoil(ballots))


@pytest.mark.parametrize(
    ("model", "family"),
    [
        ("gpt-4o", "gpt"),
        ("openai/gpt-4o-mini-2024-07-18", "gpt"),
        ("ft:gpt-4o:org:name", "gpt"),
        ("o3-mini", "gpt"),
        ("chatgpt-4o-latest", "gpt"),
        ("claude-sonnet-4-6", "claude"),
        ("us.anthropic.claude-3-haiku", "claude"),
        ("gemini-3.5-flash", "gemini"),
        ("meta-llama/Llama-3.1-8B-Instruct", "llama"),
        ("Meta-Llama-3-8B", "llama"),
        ("Qwen/Qwen2.5-1.5B-Instruct", "qwen"),
        ("qwen2.5:7b", "qwen"),
        ("mixtral-8x7b", "mistral"),
        ("4.5", "4.5"),
    ],
)
def test_a_models_family_is_read_from_its_name(model: str, family: str) -> None:
    assert model_family(model) == family

"""The council's figures, from its ballots alone: bins, agreement with the key, Cohen's kappa. No network, no files."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from enum import StrEnum
from fractions import Fraction
from itertools import combinations

from arcs.taxonomy import Family, Gold
from inject.council.ballots import Ballot, CouncilItem, Vote
from twistcore.chat.model_family import model_family
from twistcore.errors import UsageError
from twistcore.verdicts import Stored

DIGITS = 4
_LABELS = {Vote.TENSION: Gold.TENSION, Vote.NO_TENSION: Gold.NO_TENSION}


class Bin(StrEnum):
    """Where the council stands on an item (TWIST paper section 5).

    A majority is more than half of all members, so that an abstention never helps either side: all for the key, a majority for it,
    a majority actively against it, or, where abstentions leave neither side one, abstain-heavy. Beside the paper's four bins,
    `split` is a tie without an abstention, which only an even council can have, and `incomplete` an item of which a call failed.
    """

    UNANIMOUS = "unanimous"
    MAJORITY = "majority"
    ABSTAIN_HEAVY = "abstain_heavy"
    AGAINST = "against"
    SPLIT = "split"
    INCOMPLETE = "incomplete"


class Kappa(Stored):
    """Cohen's kappa of two voters over the items on which both voted, with its two-by-two table (`first_only`: only the first said
    tension). `kappa` is None where it is undefined, and `note` says why: two voters who know one label agree by necessity."""

    kappa: float | None
    items: int
    both_tension: int
    first_only: int
    second_only: int
    neither: int
    note: str = ""


class MemberTally(Stored):
    """One member against the key. `kin_items` are items that a model of its own family wrote or verified: there its vote is no
    independent one."""

    member: str
    model_family: str
    matched: int
    opposed: int
    abstained: int
    failed: int
    with_gold: Kappa
    kin_items: int


class PairTally(Stored):
    """Two members with each other. `same_family`: both are of one family; `independent`: that is not so, and no model of the family
    of either wrote or verified an item."""

    first: str
    second: str
    agreement: Kappa
    same_family: bool
    independent: bool


class ItemTally(Stored):
    """One item and the votes on it, counted. `seen_sha256` is the hash of the lines that were shown."""

    id: str
    pair_id: str
    sample_id: str
    family: Family
    gold: Gold
    seen_sha256: str
    makers: list[str]
    bin: Bin
    matched: int
    opposed: int
    abstained: int
    failed: int


class Figures(Stored):
    """Totals: items by bin (all, by gold, by family), members, pairs, and the ids of items with a majority against the key."""

    items: int
    bins: dict[Bin, int]
    by_gold: dict[Gold, dict[Bin, int]]
    by_family: dict[Family, dict[Bin, int]]
    members: list[MemberTally]
    pairs: list[PairTally]
    against: list[str]


def bin_votes(gold: Gold, votes: Sequence[Vote | None]) -> Bin:
    """The bin of one item from all members' votes, in whatever order."""
    if not votes:
        raise ValueError("a council has members")
    if None in votes:
        return Bin.INCOMPLETE
    matched = sum(_LABELS.get(vote) is gold for vote in votes if vote)
    opposed = sum(vote in _LABELS and _LABELS[vote] is not gold for vote in votes if vote)
    if matched == len(votes):
        return Bin.UNANIMOUS
    if 2 * matched > len(votes):
        return Bin.MAJORITY
    if 2 * opposed > len(votes):
        return Bin.AGAINST
    return Bin.ABSTAIN_HEAVY if Vote.CANNOT_TELL in votes else Bin.SPLIT


def cohen_kappa(votes: Iterable[tuple[Vote | Gold | None, Vote | Gold | None]]) -> Kappa:
    """Cohen's kappa of two voters from their votes item by item; items on which either abstained or failed are left out."""
    table = Counter((first == Gold.TENSION, second == Gold.TENSION) for first, second in votes if _voted(first) and _voted(second))
    both, first_only, second_only, neither = (table[cell] for cell in ((True, True), (True, False), (False, True), (False, False)))
    total = both + first_only + second_only + neither
    # Agreement by chance and in fact, both times the square of the number of items: integers until the last step.
    chance = (both + first_only) * (both + second_only) + (second_only + neither) * (first_only + neither)
    agreed = (both + neither) * total
    kappa, note = None, ""
    if not total:
        note = "no item on which both voted"
    elif chance == total**2:
        note = f"undefined: both voted {'tension' if both else 'no_tension'} on every item"
    else:
        kappa = round(float(Fraction(agreed - chance, total**2 - chance)), DIGITS)
        if not (0 < both + first_only < total and 0 < both + second_only < total):
            note = "zero by construction: one of the two gave a single label"
    return Kappa(
        kappa=kappa,
        items=total,
        both_tension=both,
        first_only=first_only,
        second_only=second_only,
        neither=neither,
        note=note,
    )


def tally_items(items: Iterable[CouncilItem], ballots: Sequence[Ballot]) -> list[ItemTally]:
    """Every item with its votes counted, by conversation and id."""
    votes: dict[str, list[Vote | None]] = {}
    for ballot in ballots:
        votes.setdefault(ballot.item, []).append(ballot.vote)
    return [_count_item(item, votes.get(item.id, [])) for item in sorted(items, key=lambda item: (item.sample_id, item.id))]


def recount(item: ItemTally, votes: Sequence[Vote | None]) -> ItemTally:
    """An item as these votes count it, whatever was counted before."""
    return item.model_copy(update={"bin": bin_votes(item.gold, votes), **_count(votes, [item.gold] * len(votes))})


def sum_up(items: Sequence[ItemTally], ballots: Sequence[Ballot]) -> Figures:
    """All totals; neither the order of ballots nor that of members matters.

    Raises UsageError where a ballot is missing, doubled, about an unknown item, or has another gold than its item.
    """
    votes = _by_member(items, ballots)
    by_gold = {gold: _bins(item for item in items if item.gold is gold) for gold in Gold}
    families = [family for family in Family if any(item.family is family for item in items)]
    return Figures(
        items=len(items),
        bins=_bins(items),
        by_gold=by_gold,
        by_family={family: _bins(item for item in items if item.family is family) for family in families},
        members=[_count_member(member, items, votes[member]) for member in sorted(votes)],
        pairs=[_compare(first, second, items, votes) for first, second in combinations(sorted(votes), 2)],
        against=[item.id for item in items if item.bin is Bin.AGAINST],
    )


def _voted(vote: Vote | Gold | None) -> bool:
    return vote is not None and vote != Vote.CANNOT_TELL


def _count_item(item: CouncilItem, votes: Sequence[Vote | None]) -> ItemTally:
    return ItemTally(
        id=item.id,
        pair_id=item.pair_id,
        sample_id=item.sample_id,
        family=item.family,
        gold=item.gold,
        seen_sha256=item.seen_sha256,
        makers=sorted(item.makers),
        bin=bin_votes(item.gold, votes),
        **_count(votes, [item.gold] * len(votes)),
    )


def _count(votes: Sequence[Vote | None], golds: Sequence[Gold]) -> dict[str, int]:
    """Votes for the key, against it, abstentions and failures, each apart from the others."""
    cast = [(vote, gold) for vote, gold in zip(votes, golds, strict=True) if vote is not None]
    matched = sum(_LABELS.get(vote) is gold for vote, gold in cast)
    abstained = sum(vote is Vote.CANNOT_TELL for vote, _ in cast)
    return {
        "matched": matched,
        "opposed": len(cast) - matched - abstained,
        "abstained": abstained,
        "failed": len(votes) - len(cast),
    }


def _bins(items: Iterable[ItemTally]) -> dict[Bin, int]:
    found = Counter(item.bin for item in items)
    return {each: found[each] for each in Bin}


def _by_member(items: Sequence[ItemTally], ballots: Sequence[Ballot]) -> dict[str, dict[str, Vote | None]]:
    """Votes by member and item."""
    gold = {item.id: item.gold for item in items}
    votes: dict[str, dict[str, Vote | None]] = {}
    for ballot in ballots:
        mine = votes.setdefault(ballot.member, {})
        if ballot.item in mine:
            raise UsageError(f"two ballots of {ballot.member} on item {ballot.item}")
        if gold.get(ballot.item) is not ballot.gold:
            raise UsageError(f"a ballot on item {ballot.item}, which is no such item or has another gold")
        mine[ballot.item] = ballot.vote
    for member, mine in sorted(votes.items()):
        if missing := sorted(set(gold) - set(mine)):
            raise UsageError(f"no ballot of {member} on item {missing[0]}")
    return votes


def _count_member(member: str, items: Sequence[ItemTally], votes: Mapping[str, Vote | None]) -> MemberTally:
    golds = [item.gold for item in items]
    mine = [votes[item.id] for item in items]
    family = model_family(member)
    return MemberTally(
        member=member,
        model_family=family,
        **_count(mine, golds),
        with_gold=cohen_kappa(zip(mine, golds, strict=True)),
        kin_items=sum(family in item.makers for item in items),
    )


def _compare(first: str, second: str, items: Sequence[ItemTally], votes: Mapping[str, Mapping[str, Vote | None]]) -> PairTally:
    families = {model_family(first), model_family(second)}
    same = len(families) == 1
    return PairTally(
        first=first,
        second=second,
        agreement=cohen_kappa((votes[first][item.id], votes[second][item.id]) for item in items),
        same_family=same,
        independent=not same and not any(families & set(item.makers) for item in items),
    )

"""Making Track B: pairs of drafts over one turn, of which one contradicts it and the other does not.

Both are of the same stock of wordings, so that the record decides which is which, not the style (TWIST paper section 4.4, the
shortcut audit). Pure: the corpus is read, nothing is changed, the seed decides every choice.
"""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from arcs.draft_families import DraftFamily, DraftType
from arcs.keys import Provenance
from arcs.track_b_keys import TrackBKey
from inject.alignment.case import DraftCase
from inject.alignment.deed_forms import Kind
from inject.alignment.deeds import Deed, Status, contrary, deeds_of
from inject.alignment.proposals import DraftProposal
from inject.alignment.registry import verdict, versions
from inject.alignment.wording import Stance, compose, wordings
from inject.gates.case import Record
from twistcore.corpus import Corpus
from twistcore.text.parses import Parser
from twistcore.verdicts import Outcome

WRITER = "offline-drafts"
# DESIGN.md, "Sizes of a full release": half contradicting, a quarter aligned (half of them style-matched), a quarter hard negative.
COUNTS: Mapping[DraftFamily, int] = {
    DraftFamily.B1: 27,
    DraftFamily.B2: 36,
    DraftFamily.B3: 37,
    DraftFamily.B_AL: 25,
    DraftFamily.B_SM: 25,
    DraftFamily.HN_B1: 20,
    DraftFamily.HN_B2: 13,
    DraftFamily.HN_B3: 17,
}
MOST_OF_ONE_WORDING = 6
MOST_OF_ONE_TURN = 3
LEAD = 1

_Made = tuple[TrackBKey, tuple[str, str, str]]

# What a family says of a deed that the record has as on, never or ended.
_STANCES: Mapping[DraftFamily, Mapping[Status, tuple[Stance, ...]]] = {
    DraftFamily.B1: {Status.NEVER: (Stance.DONE, Stance.CONTRAST)},
    DraftFamily.B2: {Status.ON: (Stance.UNDONE, Stance.AFTER, Stance.PAUSE)},
    DraftFamily.B3: {Status.ENDED: (Stance.DONE, Stance.CONTRAST), Status.ON: (Stance.SEEK,)},
    DraftFamily.B_AL: {Status.ON: (Stance.DONE,)},
    DraftFamily.B_SM: {Status.NEVER: (Stance.UNDONE, Stance.SEEK), Status.ENDED: (Stance.AFTER, Stance.UNDONE)},
    DraftFamily.HN_B1: {Status.ON: (Stance.CONTRAST,)},
    DraftFamily.HN_B2: {Status.ENDED: (Stance.PAUSE,)},
    DraftFamily.HN_B3: dict.fromkeys(Status, (Stance.ASK,)),
}


@dataclass
class _Uses:
    """How often each wording was used, by whether the draft contradicts, and which whole skeletons are taken."""

    core: Counter[tuple[str, bool]] = field(default_factory=Counter)
    part: Counter[tuple[str, bool]] = field(default_factory=Counter)
    taken: set[tuple[str, str, str]] = field(default_factory=set)

    def note(self, key: TrackBKey, parts: tuple[str, str, str], deed: Deed) -> None:
        """Counts an accepted draft's parts."""
        contradicts = key.type is DraftType.CONTRADICTING
        opener, core, tail = parts
        self.core[core, contradicts] += 1
        self.part[opener, contradicts] += 1
        self.part[tail, contradicts] += 1
        self.taken |= {parts, (core, deed.turn.sample_id, deed.gerund)}

    def rank(self, counts: Counter[tuple[str, bool]], text: str, contradicts: bool) -> tuple[int, int]:
        """Lowest for the wording that this side has used far more rarely than the other, then for the one that is used least.

        A small lead is let pass: wordings that are shared out exactly tell a classifier that is kept from one conversation the
        contrary of what it holds there.
        """
        return max(0, counts[text, contradicts] - counts[text, not contradicts] - LEAD), counts[text, True] + counts[text, False]


def make_track_b(corpus: Corpus, parser: Parser, seed: int, counts: Mapping[DraftFamily, int] = COUNTS) -> list[TrackBKey]:
    """Drafts for a corpus, at most `counts` of each family; fewer where the record gives no more (the caller compares).

    What the record denies comes first and several times, as half of the drafts rest on it and it is the rarer; what it affirms is
    then taken from the conversations that have the fewest drafts.
    """
    records = {conversation.sample_id: Record(conversation, parser) for conversation in corpus.conversations}
    denied, affirmed = _sound_deeds(records, seed)
    making = _Making(records, parser, seed, Counter(counts))
    for _ in range(MOST_OF_ONE_TURN - 1):
        making.pairs(_round_robin(denied))
    while waiting := [sample_id for sample_id, found in affirmed.items() if found]:
        fewest = min(waiting, key=lambda sample_id: sum(key.conv == sample_id for key in making.keys))
        making.pairs([affirmed[fewest].pop(0)])
    making.pairs(_round_robin(denied))
    return sorted(making.keys, key=lambda key: (key.conv, key.id))


@dataclass
class _Making:
    """Drafts made so far, how many of each family are still wanted, and how often each wording was used."""

    records: Mapping[str, Record]
    parser: Parser
    seed: int
    left: Counter[DraftFamily]
    uses: _Uses = field(default_factory=_Uses)
    keys: list[TrackBKey] = field(default_factory=list)

    def pairs(self, deeds: Iterable[Deed]) -> None:
        """Adds a pair for each deed that two wanted families can be made of."""
        for deed in deeds:
            made = [
                self._first(deed, families)
                for families in (
                    _choose(deed, self.left, DraftType.CONTRADICTING),
                    _choose(deed, self.left, DraftType.ALIGNED, DraftType.HARD_NEGATIVE),
                )
            ]
            pair = [draft for draft in made if draft is not None]
            if len(pair) < len(made):
                continue
            for key, parts in pair:
                self.left[key.family] -= 1
                self.uses.note(key, parts, deed)
                self.keys.append(key)

    def _first(self, deed: Deed, families: Sequence[DraftFamily]) -> _Made | None:
        found = (_draft(deed, family, self.records, self.parser, self.seed, self.uses) for family in families)
        return next((made for made in found if made is not None), None)


def _rank(seed: int, *parts: object) -> str:
    return hashlib.sha256("\x1f".join(map(str, (seed, *parts))).encode()).hexdigest()


def _sound_deeds(records: Mapping[str, Record], seed: int) -> tuple[dict[str, list[Deed]], dict[str, list[Deed]]]:
    """Deeds that nothing in the record gainsays, each of a speaker once: those that it denies and those that it affirms."""
    denied: dict[str, list[Deed]] = {}
    affirmed: dict[str, list[Deed]] = {}
    for sample_id, record in records.items():
        seen: set[tuple[str, str]] = set()
        for deed in deeds_of(record):
            if (deed.turn.speaker, deed.key[0]) in seen or contrary(record, deed) is not None:
                continue
            seen.add((deed.turn.speaker, deed.key[0]))
            (affirmed if deed.status is Status.ON else denied).setdefault(sample_id, []).append(deed)
    for found in (*denied.values(), *affirmed.values()):
        found.sort(key=lambda deed: _rank(seed, deed.turn.sample_id, deed.turn.dia_id, deed.gerund))
    return denied, affirmed


def _round_robin(by_conversation: Mapping[str, list[Deed]]) -> Iterator[Deed]:
    longest = max(map(len, by_conversation.values()), default=0)
    for place in range(longest):
        for found in by_conversation.values():
            if place < len(found):
                yield found[place]


def _choose(deed: Deed, left: Counter[DraftFamily], *types: DraftType) -> list[DraftFamily]:
    """Families that are still wanted and that the record's state of the deed can serve, those that can be served
    by the fewest states first, then the most wanted."""
    return sorted(
        (family for family in DraftFamily if family.type in types and left[family] > 0 and deed.status in _STANCES[family]),
        key=lambda family: (len(_STANCES[family]), -left[family]),
    )


def _draft(deed: Deed, family: DraftFamily, records: Mapping[str, Record], parser: Parser, seed: int, uses: _Uses) -> _Made | None:
    """The first draft of a family about a deed that passes every gate, in the order of the least used wordings."""
    record = records[deed.turn.sample_id]
    read = wordings()
    contradicts = family.type is DraftType.CONTRADICTING
    cores = [core for stance in _STANCES[family][deed.status] if _fits(deed, stance) for core in read.of(deed.kind, stance)]
    cores = [core for core in cores if _free(core, deed, uses)]

    def least_used(texts: list[str], counts: Counter[tuple[str, bool]]) -> list[str]:
        return sorted(texts, key=lambda text: (*uses.rank(counts, text, contradicts), _rank(seed, deed.gerund, family, text)))

    tails = [tail for tail in read.tails if family is not DraftFamily.HN_B3 or not tail.endswith("?")]
    for core in least_used(cores, uses.core):
        opener, tail = least_used(read.openers, uses.part)[0], least_used(tails, uses.part)[0]
        if (opener, core, tail) in uses.taken:
            continue
        key = _key(deed, family, compose(opener, core, tail, deed.turn.speaker, deed.forms), record, seed)
        if passes(key, record, parser):
            return key, (opener, core, tail)
    return None


def _fits(deed: Deed, stance: Stance) -> bool:
    """Whether a stance can be taken to a deed: what is over cannot be waited for, and a liking does not rest."""
    if stance in (Stance.PAUSE, Stance.SEEK) and deed.over:
        return False
    return not (stance is Stance.AFTER and deed.status is Status.NEVER) and not (
        stance is Stance.SEEK and deed.kind is not Kind.EVENT
    )


def _free(core: str, deed: Deed, uses: _Uses) -> bool:
    """Whether a wording may still be used, and used of this deed: once of each, and what is over was not "never kept"."""
    if deed.over and ("never {past}" in core or "{part}" in core):
        return False
    used = uses.core[core, True] + uses.core[core, False]
    return used < MOST_OF_ONE_WORDING and (core, deed.turn.sample_id, deed.gerund) not in uses.taken


def passes(key: TrackBKey, record: Record, parser: Parser) -> bool:
    """Whether every gate of Track B passes a key's item."""
    return verdict(DraftCase(as_proposal(key), record, parser)).verdict is Outcome.PASS


def as_proposal(key: TrackBKey) -> DraftProposal:
    """A key's item as anybody's proposal."""
    return DraftProposal.model_validate(key.model_dump())


def _key(deed: Deed, family: DraftFamily, draft: str, record: Record, seed: int) -> TrackBKey:
    contradicts = family.type is DraftType.CONTRADICTING
    conversation = record.conversation
    place = (conversation.sample_id, deed.turn.dia_id, deed.gerund)
    return TrackBKey(
        id=_rank(seed, "B", *place, family, draft)[:16],
        conv=conversation.sample_id,
        speaker=deed.turn.speaker,
        type=family.type,
        family=family,
        draft=draft,
        evidence=[deed.turn.dia_id],
        contradicted_quote=deed.quote if contradicts else "",
        rationale=_rationale(deed, contradicts),
        history_turns=len(record.turns),
        sample_id=conversation.sample_id,
        holder=deed.turn.speaker,
        pair_id=_rank(seed, "pair", *place)[:16],
        provenance=Provenance(writer=WRITER, model=None, prompt_sha256=None, seed=seed, attempt=1, gates=versions()),
    )


def _rationale(deed: Deed, contradicts: bool) -> str:
    state = {Status.ON: "it is so", Status.NEVER: "it is not so", Status.ENDED: "it is so no more"}[deed.status]
    verb = "contradicts" if contradicts else "agrees with"
    return f"Of {deed.gerund}, {deed.turn.speaker} says in {deed.turn.dia_id} that {state}; the draft {verb} that."

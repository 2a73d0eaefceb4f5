"""The planner: topics, families, places, times and lines of every item of a conversation. Pure and seeded, no prose.

It knows nothing of files or of the floors above it: what the record says against a topic, where an exchange can stand and
how similar two texts are come in as arguments.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import date

from arcs.choose import Candidate, Fit, Objections, candidates, choose_independent, words_of
from arcs.clock import recent_day, weeks_since
from arcs.frames import Frame, TopicObject, fill, slots_in
from arcs.items import ItemPlan, PairPlan, PlannedTime, PlannedTurn, Slot
from arcs.lines import ChosenLines, Foreignness, LineUse, Similarity, choose_lines, line_text, reaction_lines, role_of
from arcs.schedule import Need, Placement, schedule
from arcs.taxonomy import Family
from twistcore.fingerprints import generator, opaque_id

TWO_DRIFTS = 0.4
LEAD_RATE = 0.15


@dataclass(frozen=True)
class Host:
    """A conversation as the planner sees it: its id, speakers, and the places where an exchange can stand."""

    sample_id: str
    speakers: tuple[str, str]
    slots: tuple[Slot, ...]


@dataclass
class PlanMemory:
    """What earlier conversations of the release used, so that frames, families and lines stay spread over the corpus."""

    frames: Counter[str] = field(default_factory=Counter)
    families: Counter[Family] = field(default_factory=Counter)
    lines: LineUse = field(default_factory=LineUse)


@dataclass(frozen=True, slots=True)
class PairNeed:
    """The families that a pair is asked for, and how many drift turns its arc has (0 for A1)."""

    arc: Family
    control: Family
    drift: int


@dataclass(frozen=True)
class Occupied:
    """What earlier rounds of the loop settled in a conversation: accepted pairs, and (frame, holder) choices that were rejected."""

    pairs: tuple[PairPlan, ...] = ()
    refused: frozenset[tuple[str, str]] = frozenset()

    @property
    def slots(self) -> tuple[Slot, ...]:
        """Places that are taken."""
        return tuple(turn.slot for pair in self.pairs for item in pair.items for turn in item.turns)


@dataclass(frozen=True)
class ConversationPlan:
    """Pairs to tell, the needs that found no plan, and why, by reason."""

    sample_id: str
    pairs: tuple[PairPlan, ...]
    unmet: tuple[PairNeed, ...]
    shortfall: dict[str, int]


def allot_families(pairs: int, used: Counter[Family], rng: random.Random) -> list[PairNeed]:
    """Families for each pair of a conversation; those used least so far come first, ties by seed."""
    out = []
    counts = Counter(used)
    for _ in range(pairs):
        arc = min(Family.arcs(), key=lambda family: (counts[family], rng.random()))
        control = min(Family.hard_negatives(), key=lambda family: (counts[family], rng.random()))
        counts.update((arc, control))
        out.append(PairNeed(arc, control, 0 if arc is Family.A1 else 2 if rng.random() < TWO_DRIFTS else 1))
    return out


def plan_conversation(
    host: Host,
    frames: Sequence[Frame],
    needs: Sequence[PairNeed],
    seed: int,
    memory: PlanMemory,
    objections: Objections,
    fit: Fit,
    similarity: Similarity,
    foreignness: Foreignness,
    occupied: Occupied | None = None,
    reply_foreignness: Foreignness | None = None,
) -> ConversationPlan:
    """Plan an arc with its partner for each need, around what is `occupied`.

    `memory` is updated with the lines that are used; frames and families are counted by the caller once a pair is accepted. The
    result depends on nothing but the arguments.
    """
    occupied = occupied or Occupied()
    rng = generator(seed, host.sample_id, "plan", len(occupied.pairs), len(occupied.refused))
    pool, reasons = candidates(frames, host.speakers, objections)
    pool = _without_occupied(pool, frames, occupied)
    by_id = {frame.id: frame for frame in frames}
    fits = {(frame.id, holder): fit(frame, holder) for frame in frames for holder in host.speakers}
    chosen = choose_independent(pool, memory.frames, fits, _quota(host, len(needs), occupied), rng)
    shortfall: Counter[str] = Counter()
    for wanted in range(min(len(needs), len(chosen)), 0, -1):
        places = _places(host, chosen[:wanted], needs[:wanted], occupied, rng)
        if places is not None:
            break
    else:
        wanted, places = 0, []
    placeless = min(len(needs), len(chosen)) - wanted
    if placeless:
        shortfall["no place far enough apart"] += placeless
    topicless = len(needs) - min(len(needs), len(chosen))
    if topicless:
        why = ", ".join(reason for reason, _ in reasons.most_common(1)) or "too few frames"
        shortfall[f"no topic left ({why})"] += topicless
    pairs, unmet = [], list(needs[wanted:])
    spare = list(chosen[wanted:])
    for candidate, need, place in zip(chosen[:wanted], needs, places or [], strict=False):
        options = [candidate, *(other for other in spare if other.holder == candidate.holder)]
        made = (
            _pair(host, by_id[option.frame_id], option, need, place, seed, memory, similarity, foreignness, reply_foreignness)
            for option in options
        )
        pair = next((found for found in made if found), None)
        if pair is None:
            unmet.append(need)
            shortfall["no unused lines left"] += 1
            continue
        spare = [other for other in spare if other.frame_id != pair.arc.frame_id]
        pairs.append(pair)
    return ConversationPlan(host.sample_id, tuple(pairs), tuple(unmet), dict(shortfall))


def _without_occupied(pool: Sequence[Candidate], frames: Sequence[Frame], occupied: Occupied) -> list[Candidate]:
    by_id = {frame.id: frame for frame in frames}
    taken_frames = {pair.arc.frame_id for pair in occupied.pairs}
    taken_words = frozenset().union(
        *(words_of(by_id[item.frame_id].object(item.object_key)) for pair in occupied.pairs for item in pair.items)
    )
    return [
        candidate
        for candidate in pool
        if (candidate.frame_id, candidate.holder) not in occupied.refused
        and candidate.frame_id not in taken_frames
        and not candidate.terms & taken_words
    ]


def _quota(host: Host, pairs: int, occupied: Occupied) -> dict[str, int]:
    """How many pairs each speaker holds: by the places that each has left, nobody without a share where both have some."""
    taken = set(occupied.slots)
    supply = Counter(slot.opener for slot in host.slots if slot not in taken)
    total = sum(supply.values())
    if not total:
        return dict.fromkeys(host.speakers, 0)
    first, second = host.speakers
    share = round(pairs * supply[first] / total)
    if pairs > 1:
        share = min(max(share, int(supply[first] > 4)), pairs - int(supply[second] > 4))
    return {first: share, second: pairs - share}


def _places(
    host: Host, picked: Sequence[Candidate], needs: Sequence[PairNeed], occupied: Occupied, rng: random.Random
) -> list[tuple[Placement, Placement]] | None:
    asked = [
        need
        for index, (candidate, pair) in enumerate(zip(picked, needs, strict=True))
        for need in (Need(f"{index}a", candidate.holder, pair.drift), Need(f"{index}h", candidate.holder, 0))
    ]
    placed = {placement.key: placement for placement in schedule(asked, host.slots, rng, occupied.slots)}
    if len(placed) < len(asked):
        return None
    return [(placed[f"{index}a"], placed[f"{index}h"]) for index in range(len(picked))]


def _pair(
    host: Host,
    frame: Frame,
    candidate: Candidate,
    need: PairNeed,
    places: tuple[Placement, Placement],
    seed: int,
    memory: PlanMemory,
    similarity: Similarity,
    foreignness: Foreignness,
    reply_foreignness: Foreignness | None,
) -> PairPlan | None:
    rng = generator(seed, host.sample_id, candidate.frame_id, candidate.holder, candidate.arc_object, candidate.control_object)
    objects = (frame.object(candidate.arc_object), frame.object(candidate.control_object))
    lines = choose_lines(
        frame,
        objects,
        (need.arc, need.control),
        need.drift,
        memory.lines,
        similarity,
        foreignness,
        rng,
        weeks_known=(places[0].gap_days >= 28, places[1].gap_days >= 28),
        reply_foreignness=reply_foreignness,
    )
    if lines is None:
        return None
    pair_id = opaque_id("pair", seed, host.sample_id, frame.id, candidate.holder, candidate.arc_object, candidate.control_object)
    arc = _item(host, frame, objects[0], candidate.holder, need.arc, pair_id, places[0], lines[0], seed, memory, rng)
    control = _item(host, frame, objects[1], candidate.holder, need.control, pair_id, places[1], lines[1], seed, memory, rng)
    return PairPlan(pair_id, arc, control)


def _item(
    host: Host,
    frame: Frame,
    item: TopicObject,
    holder: str,
    family: Family,
    pair_id: str,
    place: Placement,
    lines: ChosenLines,
    seed: int,
    memory: PlanMemory,
    rng: random.Random,
) -> ItemPlan:
    values = {**item.slots, "head": item.head, "holder": holder}
    anchor_day = place.slots[0].date.date()
    turns = []
    for slot, (line, reaction) in zip(place.slots, lines.turns, strict=True):
        lead = _lead(frame, memory.lines, rng)
        texts = [line_text(frame, *line), reaction_lines(frame, reaction[0])[reaction[1]]]
        if lead is not None:
            texts.append(frame.bridges[lead])
        times = tuple(_times({name for text in texts for name in slots_in(text)}, anchor_day, slot, rng))
        turns.append(PlannedTurn(role_of(line[0]), slot, line, reaction, lead, times))
    partner = host.speakers[1] if holder == host.speakers[0] else host.speakers[0]
    return ItemPlan(
        id=opaque_id("item", seed, host.sample_id, frame.id, holder, item.key, family.value),
        pair_id=pair_id,
        family=family,
        sample_id=host.sample_id,
        holder=holder,
        partner=partner,
        frame_id=frame.id,
        object_key=item.key,
        topic=item.head,
        old_belief=fill(frame.beliefs.old, values),
        new_belief=fill(frame.beliefs.new, values) if family.is_arc else None,
        turns=tuple(turns),
        terms=tuple(sorted({item.head.lower(), *(word.lower() for word in item.head.split() if len(word) > 3)})),
    )


def _lead(frame: Frame, use: LineUse, rng: random.Random) -> int | None:
    """A lead-in for some of the turns, while unused ones are left: the record's own turns mostly come to the point."""
    free = [index for index in use.free(frame, "bridge", frame.bridges) if not use.release[frame.id, "bridge", index]]
    if not free or rng.random() > LEAD_RATE:
        return None
    index = rng.choice(free)
    use.take(frame, "bridge", index)
    return index


def _times(names: set[str], anchor_day: date, slot: Slot, rng: random.Random) -> list[PlannedTime]:
    out: list[PlannedTime] = []
    host_day = slot.date.date()
    if "day" in names:
        out.append(recent_day(host_day, rng))
    for name in sorted(names & {"ago", "span"}):
        planned = weeks_since(name, anchor_day, host_day, rng)
        if planned is not None:
            out.append(planned)
    return out

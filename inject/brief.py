"""Briefs: a plan with the words that its scenes offer, and the facts that these state, before anything is written.

The fact list of a turn is what its scene (the frame's line) and the stretches that tie it in say. The writer may adapt the
wording to a voice; the auditor compares the result with this list (DESIGN.md rule 7).
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

from arcs.frames import Frame, fill
from arcs.items import ItemPlan, PlannedTurn, Slot, SlotKind
from arcs.lines import line_text, reaction_lines
from inject.connectives import Connectives, ConnectiveUse, say_ack, say_handback
from inject.seams import Seam
from twistcore.fingerprints import generator

# (text, terms of the object) -> (claim facts, scene facts)
FactReader = Callable[[str, tuple[str, ...]], tuple[tuple[str, ...], tuple[str, ...]]]
TRANSITION_RATE = 0.1
MAX_REPLY_WORDS = 30
_PLAIN_STARTS = frozenset(
    ("i", "i'm", "i've", "i'd", "i'll", "my", "the", "a", "an", "we", "we're", "we've", "our", "some", "somebody", "someone")
)


@dataclass(frozen=True, slots=True)
class TurnBrief:
    """The words for one exchange: what the holder says (`ack`, `lead`, `line`) and what the partner answers (`reaction`,
    `handback`).

    `keeps_capital`: the line starts with a word that is capitalised wherever it stands. `other_ack` is for a further attempt.
    """

    planned: PlannedTurn
    ack: str
    lead: str
    line: str
    reaction: str
    handback: str
    keeps_capital: bool
    other_ack: str = ""


@dataclass(frozen=True, slots=True)
class Brief:
    """Everything that a writer gets for one item."""

    plan: ItemPlan
    turns: tuple[TurnBrief, ...]


def brief_item(
    plan: ItemPlan,
    frame: Frame,
    seams: Mapping[tuple[int, int], Seam],
    connectives: Connectives,
    use: ConnectiveUse,
    read_facts: FactReader,
    foreignness: Callable[[str], float] | None = None,
    reply_foreignness: Callable[[str], float] | None = None,
) -> Brief:
    """Fill a plan's scenes and set each turn's fact lists; `use` is updated with the connectives taken."""
    rng = generator(plan.id, "connectives")
    item = frame.object(plan.object_key)
    turns = []
    for planned in plan.turns:
        values = {**item.slots, "head": item.head, **{time.slot: time.words for time in planned.times}}
        line = fill(line_text(frame, *planned.line), values)
        reaction = fill(reaction_lines(frame, planned.reaction[0])[planned.reaction[1]], values)
        ack, other_ack, handback = "", "", ""
        seam = seams.get((planned.slot.session, planned.slot.after)) if planned.slot.kind is SlotKind.BRIDGE else None
        if seam is not None and seam.act is not None:
            acks = connectives.acks.fitting(seam.act, seam.subject)
            ack = say_ack(use.pick(acks, rng, _apart(acks, seam.answer), foreignness), seam.subject)
            others = [text for text in acks if say_ack(text, seam.subject) != ack] or acks
            other_ack = say_ack(rng.choice(others), seam.subject)
            handbacks = connectives.handbacks.fitting(seam.act, seam.subject)
            room = MAX_REPLY_WORDS - len(reaction.split())
            short = [text for text in handbacks if len(say_handback(text, seam.subject).split()) <= room]
            handback = say_handback(
                use.pick(handbacks, rng, _apart(short, reaction) or short, reply_foreignness or foreignness), seam.subject
            )
        if planned.lead is not None:
            lead = fill(frame.bridges[planned.lead], values)
        else:
            lead = _transition(planned.slot, line, connectives, use, rng)
        claim, scene = read_facts(line, plan.terms)
        extra = [fact for text in (ack, other_ack, lead) if text for part in read_facts(text, ()) for fact in part]
        briefed = replace(planned, claim_facts=claim, scene_facts=(*scene, *extra))
        turns.append(TurnBrief(briefed, ack, lead, line, reaction, handback, _keeps_capital(line, item.slots.values()), other_ack))
    return Brief(replace(plan, turns=tuple(turn.planned for turn in turns)), tuple(turns))


def _apart(lines: Sequence[str], other: str) -> list[str]:
    """The lines that do not open with the word that another turn, or the stretch before, opens with."""
    return [line for line in lines if _first_word(line) != _first_word(other)]


def _first_word(text: str) -> str:
    return text.split(maxsplit=1)[0].strip(",.!").lower() if text else ""


def _transition(slot: Slot, line: str, connectives: Connectives, use: ConnectiveUse, rng: random.Random) -> str:
    if rng.random() > TRANSITION_RATE:
        return ""
    pool = connectives.transitions.inner if slot.kind is SlotKind.BRIDGE else connectives.transitions.open
    # "By the way, when I first came here," runs on badly: only a line that starts with its subject may follow a comma.
    whole = [text for text in pool if text.endswith((".", "!"))]
    return use.pick(pool, rng, None if _first_word(line) in _PLAIN_STARTS else whole)


def _keeps_capital(line: str, slot_values: Iterable[str]) -> bool:
    first = line.split(maxsplit=1)[0].strip(",.!")
    return first.split("'")[0] == "I" or any(first in value.split() for value in slot_values)

"""What agents are told of an item: the speakers' voices, the places, and the facts of every turn in plain words.

Pure. Facts are the sentences of the plan's scene, evened out: the writer may state these and no others (DESIGN.md rule 7).
"""

from __future__ import annotations

import random
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from arcs.frames import Frame, fill
from arcs.items import ItemPlan, PairPlan, PlannedTurn, SlotKind
from arcs.lines import line_text
from inject.facts import even_out
from inject.gates.case import Record
from locomo_patch.dates import format_day
from personas.persona import Persona
from personas.voice import Voice, most_used
from twistcore.fingerprints import generator
from twistcore.text.classes import same_word

SAMPLES = 3
# Turns between these lengths, in words, show a voice without filling the prompt.
SHORTEST, LONGEST = 8, 30
# A sentence that speaks of the topic by a pronoun may carry the stance: "they are just too much for me".
_POINTS = re.compile(r"\b(?:it|its|it's|it'd|they|them|they're|that|that's|this|those|these|one|ones)\b", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class ToldFact:
    """One fact of a turn. What makes up the claim must be stated, what does not may be."""

    id: str
    text: str
    claim: bool


@dataclass(frozen=True, slots=True)
class Said:
    """A turn of the record beside an exchange."""

    speaker: str
    text: str


@dataclass(frozen=True, slots=True)
class ToldTurn:
    """One exchange to write: when, after and before what, and with which facts. `times` are the only time words it may use."""

    number: int
    date: str
    before: Said | None
    after: Said | None
    facts: tuple[ToldFact, ...]
    times: tuple[str, ...]

    @property
    def bridge(self) -> bool:
        """Whether it stands between two turns of which the second answers the first, so that it must hand the floor back."""
        return self.before is not None and self.after is not None


@dataclass(frozen=True, slots=True)
class ToldVoice:
    """How a speaker talks: habits in words, and some turns of the record."""

    name: str
    habits: tuple[str, ...]
    samples: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class ModelBrief:
    """Everything that a model gets for one item. `taboo` are the words of the pair's other item."""

    plan: ItemPlan
    turns: tuple[ToldTurn, ...]
    holder: ToldVoice
    partner: ToldVoice
    taboo: tuple[str, ...]

    @property
    def fact_ids(self) -> frozenset[str]:
        """The names of all facts."""
        return frozenset(fact.id for turn in self.turns for fact in turn.facts)


def tell_pair(pair: PairPlan, frame: Frame, record: Record, voices: Mapping[str, ToldVoice]) -> tuple[ModelBrief, ModelBrief]:
    """The briefs of both items of a pair, the arc first."""
    first, second = (_tell(item, other, frame, record, voices) for item, other in (pair.items, pair.items[::-1]))
    return first, second


def _tell(plan: ItemPlan, other: ItemPlan, frame: Frame, record: Record, voices: Mapping[str, ToldVoice]) -> ModelBrief:
    turns = [_turn(number, planned, plan, frame, record) for number, planned in enumerate(plan.turns, start=1)]
    planned = tuple(
        replace(
            turn,
            claim_facts=tuple(fact.text for fact in told.facts if fact.claim),
            scene_facts=tuple(fact.text for fact in told.facts if not fact.claim),
        )
        for turn, told in zip(plan.turns, turns, strict=True)
    )
    own = {term.lower() for term in plan.terms}
    taboo = tuple(term for term in other.terms if term.lower() not in own)
    return ModelBrief(replace(plan, turns=planned), tuple(turns), voices[plan.holder], voices[plan.partner], taboo)


def _turn(number: int, planned: PlannedTurn, plan: ItemPlan, frame: Frame, record: Record) -> ToldTurn:
    item = frame.object(plan.object_key)
    values = {**item.slots, "head": item.head, **{time.slot: time.words for time in planned.times}}
    sentences = even_out(fill(line_text(frame, *planned.line), values))
    claims = [_names_topic(sentence, plan.terms) or _POINTS.search(sentence) is not None for sentence in sentences]
    facts = tuple(
        ToldFact(f"{number}.{place}", text, claim or not any(claims))
        for place, (text, claim) in enumerate(zip(sentences, claims, strict=True), start=1)
    )
    before, after = _beside(planned, record)
    return ToldTurn(number, format_day(planned.date), before, after, facts, tuple(time.words for time in planned.times))


def _names_topic(sentence: str, terms: Sequence[str]) -> bool:
    words = [word.strip(",'\"").lower() for word in sentence.replace("-", " ").split()]
    return any(
        all(any(same_word(part, word) for word in words) for part in term.lower().replace("-", " ").split()) for term in terms
    )


def _beside(planned: PlannedTurn, record: Record) -> tuple[Said | None, Said | None]:
    """The turns before and after an exchange: both for a bridge, only the one before at an open seam or a session's end."""
    slot = planned.slot
    if slot.kind is SlotKind.APPENDED:
        return None, None
    turns = record.conversation.session(slot.session).turns
    before = turns[slot.after - 1]
    after = turns[slot.after] if slot.kind is SlotKind.BRIDGE else None
    return Said(before.speaker, before.text), Said(after.speaker, after.text) if after is not None else None


def tell_voices(personas: Mapping[str, Persona], record: Record) -> dict[str, ToldVoice]:
    """Both speakers' voices as a model is told them."""
    return {
        name: ToldVoice(name, _habits(persona.voice), _samples(name, record, generator(persona.sample_id, name, "samples")))
        for name, persona in personas.items()
    }


def _samples(name: str, record: Record, rng: random.Random) -> tuple[str, ...]:
    fitting = [
        turn.text
        for turn, _ in record.said_by(name)
        if SHORTEST <= len(turn.text.split()) <= LONGEST and "?" not in turn.text and not turn.caption
    ]
    return tuple(rng.sample(fitting, min(SAMPLES, len(fitting))))


def _habits(voice: Voice) -> tuple[str, ...]:
    """A voice in words. Lengths are medians, so that a model keeps near the middle."""
    out = [f"about {voice.words_per_turn.q50:.0f} words a turn, seldom more than {voice.words_per_turn.q95:.0f}"]
    out.append(_share(voice.exclamation_rate, "sentences end with an exclamation mark"))
    out.append("contracts words (I'm, don't)" if voice.contraction_rate > 0.5 else "often writes words out (I am, do not)")
    if voice.emoji_rate < 0.02:
        out.append("uses no emoji")
    for what, forms in (("says", most_used(voice.interjections, 4)), ("opens with", most_used(voice.openers, 2))):
        if forms:
            out.append(f"{what} {', '.join(str(form) for form in forms)}")
    names = [habit.form for habit in voice.names[:1]]
    if names and voice.vocative_rate > 0.1:
        out.append(f"now and then calls the other one {names[0]}")
    return tuple(out)


def _share(rate: float, what: str) -> str:
    word = "hardly any" if rate < 0.15 else "some" if rate < 0.45 else "most"
    return f"{word} {what}"

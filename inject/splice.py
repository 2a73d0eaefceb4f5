"""Splicing: accepted items become edits (exchanges at seams, appended sessions with derived rows) and gold keys."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from arcs.frames import Frame
from arcs.items import SlotKind
from arcs.keys import GoldTurn, Provenance, Review, TrackAKey
from arcs.taxonomy import Role
from inject.derived import observe, place_in_summary, summarise
from inject.drafts import Author, Draft, WrittenExchange
from inject.gates.case import Record
from inject.gates.registry import versions
from inject.sessions import PlannedSession
from inject.smalltalk import Dialogue, Exchange, Script, tell
from locomo_patch.apply import released_position
from locomo_patch.dates import format_day
from locomo_patch.edits import AppendSession, InsertExchange, NewTurn, ObservationRow
from twistcore.fingerprints import generator, opaque_id
from twistcore.verdicts import Verdict


@dataclass(frozen=True, slots=True)
class Accepted:
    """An item that passed the loop, with the attempt and verdict that decided; or, with a `review`, one that a person took."""

    draft: Draft
    attempt: int
    verdict: Verdict
    review: Review | None = None


@dataclass(frozen=True, slots=True)
class HostTexts:
    """What splicing needs of a conversation beside its turns: the source summaries by session, and how each speaker is called."""

    summaries: Mapping[int, str]
    called: Mapping[str, str]


@dataclass(frozen=True, slots=True)
class _Placed:
    """One exchange with the item that it belongs to."""

    item: Accepted
    exchange: WrittenExchange

    @property
    def turns(self) -> tuple[NewTurn, NewTurn]:
        plan = self.item.draft.plan
        return NewTurn(speaker=plan.holder, text=self.exchange.text), NewTurn(speaker=plan.partner, text=self.exchange.reply)

    @property
    def kind(self) -> str:
        role = self.exchange.planned.role
        return role.value if role in (Role.ANCHOR, Role.DRIFT) else self.item.draft.plan.family.value


def splice(
    record: Record,
    texts: HostTexts,
    sessions: Sequence[PlannedSession],
    scripts: Mapping[str, Script],
    accepted: Sequence[Accepted],
    frames: Mapping[str, Frame],
    seed: int,
    author: Author,
) -> tuple[list[InsertExchange | AppendSession], list[TrackAKey]]:
    """Edits in reading order and one key a accepted item. A session is appended whether or not an exchange falls into it."""
    placed = [_Placed(item, exchange) for item in accepted for exchange in item.draft.exchanges]
    inside = [entry for entry in placed if entry.exchange.planned.slot.kind is not SlotKind.APPENDED]
    edits: list[InsertExchange | AppendSession] = [
        _insertion(entry, record, texts, frames[entry.item.draft.plan.frame_id])
        for entry in sorted(inside, key=lambda entry: (entry.exchange.planned.slot.session, entry.exchange.planned.slot.after))
    ]
    dialogues: dict[int, Dialogue] = {}
    for session in sessions:
        mine = [entry for entry in placed if entry.exchange.planned.session == session.number]
        edit, dialogue = _append(session, scripts[session.script_id], mine, record, texts, frames)
        edits.append(edit)
        dialogues[session.number] = dialogue
    return edits, [_key(item, edits, dialogues, record, seed, author) for item in accepted]


def _insertion(entry: _Placed, record: Record, texts: HostTexts, frame: Frame) -> InsertExchange:
    plan, slot = entry.item.draft.plan, entry.exchange.planned.slot
    rng = generator(plan.id, "derived", slot.session, slot.after)
    session = record.conversation.session(slot.session)
    source_summary = texts.summaries[slot.session]
    sentence = summarise(plan, entry.kind, frame, rng)
    return InsertExchange(
        id=opaque_id("edit", plan.id, slot.session, slot.after),
        items=[plan.id],
        sample_id=plan.sample_id,
        session=slot.session,
        after=slot.after,
        seam=slot.kind.value,
        turns=list(entry.turns),
        observations=[ObservationRow(speaker=plan.holder, fact=observe(plan, entry.kind, frame, rng), turn=0)],
        summary=place_in_summary(source_summary, sentence, slot.after / len(session.turns)),
        verdicts=[entry.item.verdict],
    )


def _append(
    session: PlannedSession,
    script: Script,
    placed: Sequence[_Placed],
    record: Record,
    texts: HostTexts,
    frames: Mapping[str, Frame],
) -> tuple[AppendSession, Dialogue]:
    conversation = record.conversation
    placed = sorted(placed, key=lambda entry: entry.exchange.planned.slot.after)
    exchanges = [Exchange(entry.exchange.planned.slot.after, entry.turns) for entry in placed]
    dialogue = tell(script, session.first, session.second, texts.called, exchanges)
    roles = {"{a}": session.first, "{b}": session.second}
    rows = [
        ObservationRow(
            speaker=dialogue.turns[dialogue.line_offsets[line]].speaker, fact=_named(fact, roles), turn=dialogue.line_offsets[line]
        )
        for line, fact in script.observations.items()
    ]
    events: dict[str, list[str]] = {speaker: [] for speaker in conversation.speakers}
    sentences = [_named(sentence, roles) for sentence in script.summary]
    for entry in placed:
        plan = entry.item.draft.plan
        frame = frames[plan.frame_id]
        rng = generator(plan.id, "derived", session.number, entry.exchange.planned.slot.after)
        start = dialogue.exchange_starts[entry.exchange.planned.slot.after]
        fact = observe(plan, entry.kind, frame, rng)
        rows.append(ObservationRow(speaker=plan.holder, fact=fact, turn=start))
        events[plan.holder].append(fact)
        sentences.insert(max(1, len(sentences) - 1), summarise(plan, entry.kind, frame, rng))
    clock, _, day = session.date_text.partition(" on ")
    opening = f"{conversation.speaker_a} and {conversation.speaker_b} caught up on {day.replace(',', '')} at {clock}."
    edit = AppendSession(
        id=opaque_id("session", conversation.sample_id, session.number, script.id),
        items=[entry.item.draft.plan.id for entry in placed],
        sample_id=conversation.sample_id,
        session=session.number,
        date_text=session.date_text,
        dangling=session.dangling,
        event_date=format_day(session.date),
        turns=list(dialogue.turns),
        events=events,
        observations=sorted(rows, key=lambda row: row.turn),
        summary=" ".join([opening, *sentences]),
        verdicts=[entry.item.verdict for entry in placed],
    )
    return edit, dialogue


def _named(text: str, roles: Mapping[str, str]) -> str:
    for mark, name in roles.items():
        text = text.replace(mark, name)
    return text


def _key(
    item: Accepted,
    edits: Sequence[InsertExchange | AppendSession],
    dialogues: Mapping[int, Dialogue],
    record: Record,
    seed: int,
    author: Author,
) -> TrackAKey:
    plan = item.draft.plan
    turns = [_gold_turn(exchange, plan.holder, edits, dialogues, plan.sample_id) for exchange in item.draft.exchanges]
    last = turns[-1]
    return TrackAKey(
        id=plan.id,
        family=plan.family,
        sample_id=plan.sample_id,
        holder=plan.holder,
        pair_id=plan.pair_id,
        history_turns=_turns_before(last, edits, record),
        topic=plan.topic,
        old_belief=plan.old_belief,
        new_belief=plan.new_belief,
        gold=plan.family.gold,
        transition=plan.family.transition,
        turns=turns,
        claim_evidence=[turn.dia_id for turn in turns if turn.role is Role.ANCHOR],
        new_evidence=[last.dia_id],
        drift_evidence=[turn.dia_id for turn in turns if turn.role is Role.DRIFT],
        gap_days=(plan.later.date.date() - plan.anchor.date.date()).days,
        gap_sessions=plan.later.session - plan.anchor.session,
        provenance=Provenance(
            writer=author.name,
            model=author.model,
            prompt_sha256=author.prompt_sha256,
            seed=seed,
            attempt=item.attempt,
            gates=versions(),
            review=item.review,
        ),
    )


def _gold_turn(
    exchange: WrittenExchange,
    holder: str,
    edits: Sequence[InsertExchange | AppendSession],
    dialogues: Mapping[int, Dialogue],
    sample_id: str,
) -> GoldTurn:
    slot = exchange.planned.slot
    if slot.kind is SlotKind.APPENDED:
        position = dialogues[slot.session].exchange_starts[slot.after] + 1
    else:
        edit = next(e for e in edits if isinstance(e, InsertExchange) and (e.session, e.after) == (slot.session, slot.after))
        position = released_position(edit, edits, 0)
    return GoldTurn(
        role=exchange.planned.role,
        dia_id=f"D{slot.session}:{position}",
        source_dia_id=None,
        session=slot.session,
        date=format_day(slot.date),
        quote=exchange.quote,
        start=exchange.start,
        end=exchange.end,
    )


def _turns_before(last: GoldTurn, edits: Sequence[InsertExchange | AppendSession], record: Record) -> int:
    """Turns of the released conversation before the last gold turn."""
    position = int(last.dia_id.partition(":")[2])
    source = sum(len(session.turns) for session in record.conversation.sessions if session.number < last.session)
    added = sum(len(edit.turns) for edit in edits if edit.session < last.session)
    return source + added + position - 1

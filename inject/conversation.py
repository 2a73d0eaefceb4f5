"""One conversation taken through plan, loop and splicing. Pure: no files, no clock; what earlier conversations used comes in."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field

from arcs.choose import Fit, Objections
from arcs.frames import Frame
from arcs.items import ItemPlan, PairPlan, Slot, SlotKind
from arcs.keys import TrackAKey
from arcs.lines import Foreignness, Similarity, give_back
from arcs.plan import Host, Occupied, PairNeed, PlanMemory, allot_families, plan_conversation
from arcs.schedule import far_enough
from inject.brief import FactReader, brief_item
from inject.connectives import Connectives, ConnectiveUse
from inject.drafts import Draft, Verifier, Writer
from inject.gates.case import Case, Record
from inject.graph import Loop, LoopResult
from inject.proposals import Proposal
from inject.seams import Seam, find_seams
from inject.sessions import PlannedSession, plan_sessions, session_slots
from inject.smalltalk import Script, tell
from inject.splice import Accepted, HostTexts, splice
from locomo_patch.edits import AppendSession, InsertExchange
from twistcore.corpus import Session, Turn
from twistcore.fingerprints import generator
from twistcore.verdicts import Stored, Verdict

# How many original questions an item may perturb, by round: none while there is a choice, then what it takes to place all that was
# asked for. Re-validation versions out what is perturbed, so a high count costs questions and never a wrong key.
ALLOWED = (0, 0, 0, 1, 2, 4, 8, 16, *(1_000,) * 7)

# The original questions that an item's turns would perturb; only an item that perturbs none is taken.
Perturbs = Callable[[Draft], Sequence[str]]


@dataclass
class ReleaseMemory:
    """What the release used so far; carried from conversation to conversation and kept in checkpoints."""

    plan: PlanMemory = field(default_factory=PlanMemory)
    connectives: ConnectiveUse = field(default_factory=ConnectiveUse)
    scripts: Counter[str] = field(default_factory=Counter)


@dataclass(frozen=True)
class Tools:
    """Everything that judges and writes, bound to one conversation by the caller."""

    writer: Writer
    verifier: Verifier
    judge: Callable[[Case], Verdict]
    read_facts: FactReader
    objections: Objections
    fit: Fit
    similarity: Similarity
    foreignness: Foreignness
    reply_foreignness: Foreignness
    perturbs: Perturbs


@dataclass(frozen=True)
class Refused:
    """A pair that is not taken, with how many original questions it would perturb where that was why."""

    rejects: list[Rejected]
    touched: int = 0


class Rejected(Stored):
    """A published reject: the proposal, every attempt's verdict, and why the item is not in the release (DESIGN.md rule 8)."""

    id: str
    pair_id: str
    family: str
    sample_id: str
    attempts: list[Verdict]
    opinion: str | None
    reason: str
    proposal: dict[str, object]


@dataclass(frozen=True)
class ConversationResult:
    """What injecting one conversation gave."""

    sample_id: str
    edits: tuple[InsertExchange | AppendSession, ...]
    keys: tuple[TrackAKey, ...]
    rejects: tuple[Rejected, ...]
    shortfall: dict[str, int]
    frames: tuple[str, ...]


def inject_conversation(
    record: Record,
    texts: HostTexts,
    frames: Sequence[Frame],
    scripts: Sequence[Script],
    connectives: Connectives,
    pairs: int,
    seed: int,
    memory: ReleaseMemory,
    tools: Tools,
) -> ConversationResult:
    """Plan, write, judge and splice `pairs` arcs with their partners. The same arguments give the same result."""
    conversation = record.conversation
    rng = generator(seed, conversation.sample_id, "sessions")
    seams = {(seam.session, seam.after): seam for session in conversation.sessions for seam in find_seams(session, record.docs)}
    own_slots = [_slot(seam, record) for seam in seams.values()]
    sessions = plan_sessions(conversation, len(own_slots), scripts, memory.scripts, rng)
    by_script = {script.id: script for script in scripts}
    slots = [*own_slots, *(slot for session in sessions for slot in session_slots(session, by_script[session.script_id]))]
    host = Host(conversation.sample_id, conversation.speakers, tuple(slots))
    loop = Loop(tools.writer, tools.verifier)
    judged = record.with_sessions(tuple(_as_session(session, by_script[session.script_id], texts, record) for session in sessions))
    needs = allot_families(pairs, memory.plan.families, generator(seed, conversation.sample_id, "families"))
    memory.plan.lines.conversation = set()
    accepted: list[Accepted] = []
    rejects: list[Rejected] = []
    shortfall: Counter[str] = Counter()
    occupied = Occupied()
    touchy: dict[tuple[str, str], int] = {}
    for allowed in ALLOWED:
        # What an earlier round refused for its questions may be tried again once more of them are allowed.
        open_again = {place for place, touched in touchy.items() if touched <= allowed}
        occupied = Occupied(occupied.pairs, occupied.refused - open_again)
        plan = plan_conversation(
            host,
            frames,
            needs,
            seed,
            memory.plan,
            tools.objections,
            tools.fit,
            tools.similarity,
            tools.foreignness,
            occupied,
            tools.reply_foreignness,
        )
        shortfall = Counter(plan.shortfall)
        needs = list(plan.unmet)
        refused = set(occupied.refused)
        kept = list(occupied.pairs)
        for pair in plan.pairs:
            connected = memory.connectives.count.copy()
            outcome = _try_pair(
                pair, frames, seams, connectives, memory, loop, judged, tools, [entry.draft.proposal for entry in accepted], allowed
            )
            if isinstance(outcome, list):
                accepted.extend(outcome)
                kept.append(PairPlan(pair.id, outcome[0].draft.plan, outcome[1].draft.plan))
                memory.plan.frames[pair.arc.frame_id] += 1
                memory.plan.families.update((pair.arc.family, pair.control.family))
            else:
                rejects.extend(outcome.rejects)
                memory.connectives.count = connected
                for item in pair.items:
                    give_back(memory.plan.lines, item)
                refused.add((pair.arc.frame_id, pair.arc.holder))
                if outcome.touched:
                    touchy[pair.arc.frame_id, pair.arc.holder] = outcome.touched
                drift = len(pair.arc.turns) - 2
                needs.append(PairNeed(pair.arc.family, pair.control.family, drift))
        occupied = Occupied(tuple(kept), frozenset(refused))
        if not needs or not (plan.pairs or any(touched > allowed for touched in touchy.values())):
            break
    rejected = len(needs) - sum(shortfall.values())
    if rejected > 0:
        shortfall["every candidate was rejected by the loop"] = rejected
    edits, keys = splice(record, texts, sessions, by_script, accepted, {frame.id: frame for frame in frames}, seed, tools.writer)
    return ConversationResult(
        conversation.sample_id,
        tuple(edits),
        tuple(keys),
        tuple(_never_taken(rejects, accepted)),
        dict(shortfall) if needs else {},
        tuple(dict.fromkeys(entry.draft.plan.frame_id for entry in accepted)),
    )


def _never_taken(rejects: Sequence[Rejected], accepted: Sequence[Accepted]) -> list[Rejected]:
    """Rejects without those of a pair that was refused for its questions and taken in a later round."""
    taken = {ident for entry in accepted for ident in (entry.draft.plan.id, entry.draft.plan.pair_id)}
    return [reject for reject in rejects if not {reject.id, reject.pair_id} & taken]


def _as_session(planned: PlannedSession, script: Script, texts: HostTexts, record: Record) -> Session:
    """A planned session as gates see it: its date and its small talk."""
    sample_id = record.conversation.sample_id
    told = tell(script, planned.first, planned.second, texts.called, []).turns
    turns = tuple(
        Turn(sample_id, planned.number, index, turn.speaker, turn.text, turn.caption) for index, turn in enumerate(told, start=1)
    )
    return Session(planned.number, planned.date, planned.date_text, turns)


def _slot(seam: Seam, record: Record) -> Slot:
    date = record.conversation.session(seam.session).date
    return Slot(seam.session, seam.after, seam.kind, seam.opener, date, seam.score)


def _try_pair(
    pair: PairPlan,
    frames: Sequence[Frame],
    seams: Mapping[tuple[int, int], Seam],
    connectives: Connectives,
    memory: ReleaseMemory,
    loop: Loop,
    record: Record,
    tools: Tools,
    neighbours: list[Proposal],
    allowed: int,
) -> list[Accepted] | Refused:
    """Both items accepted, or the rejects of the pair: an arc without its control is no item (DESIGN.md rule 6)."""
    frame = next(frame for frame in frames if frame.id == pair.arc.frame_id)
    entries: list[Accepted] = []
    results: list[tuple[ItemPlan, LoopResult]] = []
    for plan in pair.items:
        brief = brief_item(
            plan, frame, seams, connectives, memory.connectives, tools.read_facts, tools.foreignness, tools.reply_foreignness
        )
        others = (*neighbours, *(entry.draft.proposal for entry in entries))
        result = loop.run(brief, _judge(tools, record, others))
        results.append((plan, result))
        if not result.accepted:
            break
        if len(touched := tools.perturbs(result.last.draft)) > allowed:
            return Refused([_reject(item, each, _refusal(item is plan, touched)) for item, each in results], len(touched))
        entries.append(Accepted(result.last.draft, result.last.attempt, result.last.verdict))
    if len(entries) == len(pair.items):
        return entries
    return Refused([_reject(plan, result) for plan, result in results])


def _judge(tools: Tools, record: Record, others: tuple[Proposal, ...]) -> Callable[[Draft], Verdict]:
    return lambda draft: tools.judge(_case(draft, record, others))


def _case(draft: Draft, record: Record, neighbours: tuple[Proposal, ...]) -> Case:
    problems = tuple(
        f"turn {exchange.planned.role.value} stands at a {exchange.planned.slot.kind.value} seam without a handback"
        for exchange in draft.exchanges
        if exchange.planned.slot.kind is SlotKind.BRIDGE and not exchange.hands_back
    )
    if not far_enough(draft.plan.anchor.slot, draft.plan.later.slot):
        problems = (*problems, "anchor and later turn are too close")
    return Case(draft.proposal, record, record.parser, draft.plan, neighbours, problems)


def _refusal(own: bool, touched: Sequence[str]) -> str:
    if not own:
        return "its partner was rejected"
    return f"would perturb {len(touched)} of LoCoMo's questions: {', '.join(touched[:3])}"


def _reject(plan: ItemPlan, result: LoopResult, reason: str | None = None) -> Rejected:
    last = result.last
    reason = reason or ("its partner was rejected" if result.accepted else "three attempts failed")
    return Rejected(
        id=plan.id,
        pair_id=plan.pair_id,
        family=plan.family.value,
        sample_id=plan.sample_id,
        attempts=[attempt.verdict for attempt in result.attempts],
        opinion=last.opinion.reason if last.opinion else None,
        reason=reason,
        proposal=last.draft.proposal.model_dump(mode="json"),
    )

"""One conversation taken through plan, loop and splicing. Pure: no files, no clock; what earlier conversations used comes in."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
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
from inject.drafts import Author, Draft, FactAudit, Verifier, Writer, WrittenExchange
from inject.gates.case import Case, Record
from inject.graph import Judge, Loop, LoopResult
from inject.handbacks import hands_back
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
class Round:
    """Pairs to try together, and how many original questions each item may perturb."""

    pairs: tuple[PairPlan, ...]
    allowed: int


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


class OpenConversation:
    """One conversation while its items are placed: plans rounds, takes what each brought, and splices what was accepted.

    Whoever drives it runs the pairs of a round through the loop, one by one or all at once, and settles them in their order.
    """

    def __init__(
        self,
        record: Record,
        texts: HostTexts,
        frames: Sequence[Frame],
        scripts: Sequence[Script],
        connectives: Connectives,
        pairs: int,
        seed: int,
        memory: ReleaseMemory,
        tools: Tools,
    ) -> None:
        conversation = record.conversation
        rng = generator(seed, conversation.sample_id, "sessions")
        self.record, self.texts, self.frames, self.seed, self.memory, self.tools = record, texts, frames, seed, memory, tools
        self.connectives = connectives
        self.seams = {
            (seam.session, seam.after): seam for session in conversation.sessions for seam in find_seams(session, record.docs)
        }
        own_slots = [_slot(seam, record) for seam in self.seams.values()]
        self._sessions = plan_sessions(conversation, len(own_slots), scripts, memory.scripts, rng)
        self._scripts = {script.id: script for script in scripts}
        slots = [*own_slots, *(slot for each in self._sessions for slot in session_slots(each, self._scripts[each.script_id]))]
        self._host = Host(conversation.sample_id, conversation.speakers, tuple(slots))
        appended = tuple(_as_session(session, self._scripts[session.script_id], texts, record) for session in self._sessions)
        self.judged = record.with_sessions(appended)
        self._needs = allot_families(pairs, memory.plan.families, generator(seed, conversation.sample_id, "families"))
        self.accepted: list[Accepted] = []
        self._rejects: list[Rejected] = []
        self._shortfall: Counter[str] = Counter()
        self._kept: list[PairPlan] = []
        self._refused: set[tuple[str, str]] = set()
        self._touchy: dict[tuple[str, str], int] = {}
        self._lines: set[tuple[str, str, int]] = set()

    @property
    def sample_id(self) -> str:
        """The conversation's name."""
        return self.record.conversation.sample_id

    def rounds(self, allowance: Sequence[int] = ALLOWED) -> Iterator[Round]:
        """Round after round of planned pairs, until all that was asked for is placed or nothing is left to try.

        Every pair of a round must be settled before the next one is asked for; other conversations may be planned in between.
        """
        for allowed in allowance:
            self.memory.plan.lines.conversation = self._lines
            # What an earlier round refused for its questions may be tried again once more of them are allowed.
            self._refused -= {place for place, touched in self._touchy.items() if touched <= allowed}
            plan = plan_conversation(
                self._host,
                self.frames,
                self._needs,
                self.seed,
                self.memory.plan,
                self.tools.objections,
                self.tools.fit,
                self.tools.similarity,
                self.tools.foreignness,
                Occupied(tuple(self._kept), frozenset(self._refused)),
                self.tools.reply_foreignness,
            )
            self._shortfall = Counter(plan.shortfall)
            self._needs = list(plan.unmet)
            yield Round(plan.pairs, allowed)
            if not self._needs or not (plan.pairs or any(touched > allowed for touched in self._touchy.values())):
                break

    def frame_of(self, pair: PairPlan) -> Frame:
        """The topic frame that a pair tells from."""
        return next(frame for frame in self.frames if frame.id == pair.arc.frame_id)

    def neighbours(self) -> list[Proposal]:
        """The proposals that stand in the conversation already."""
        return [entry.draft.proposal for entry in self.accepted]

    def settle(self, pair: PairPlan, outcome: list[Accepted] | Refused) -> None:
        """Take a pair, or note why it is not taken and ask for its families again."""
        if isinstance(outcome, list):
            self.accepted.extend(outcome)
            self._kept.append(PairPlan(pair.id, outcome[0].draft.plan, outcome[1].draft.plan))
            return
        self._rejects.extend(outcome.rejects)
        self.memory.plan.lines.conversation = self._lines
        for item in pair.items:
            give_back(self.memory.plan.lines, item)
        place = pair.arc.frame_id, pair.arc.holder
        self._refused.add(place)
        if outcome.touched:
            self._touchy[place] = outcome.touched
        self._needs.append(PairNeed(pair.arc.family, pair.control.family, len(pair.arc.turns) - 2))

    def finish(self, author: Author) -> ConversationResult:
        """Splice what was accepted; `author` stands in the keys' provenance."""
        shortfall = self._shortfall
        rejected = len(self._needs) - sum(shortfall.values())
        if rejected > 0:
            shortfall["every candidate was rejected by the loop"] = rejected
        edits, keys = splice(
            self.record,
            self.texts,
            self._sessions,
            self._scripts,
            self.accepted,
            {frame.id: frame for frame in self.frames},
            self.seed,
            author,
        )
        return ConversationResult(
            self.sample_id,
            tuple(edits),
            tuple(keys),
            tuple(_never_taken(self._rejects, self.accepted)),
            dict(shortfall) if self._needs else {},
            tuple(dict.fromkeys(entry.draft.plan.frame_id for entry in self.accepted)),
        )


def count_pair(memory: ReleaseMemory, pair: PairPlan, step: int = 1) -> None:
    """Count a pair's frame and families as used in the release, or with -1 as free again."""
    memory.plan.frames[pair.arc.frame_id] += step
    for family in (pair.arc.family, pair.control.family):
        memory.plan.families[family] += step


def inject_conversation(conversation: OpenConversation) -> ConversationResult:
    """Take one conversation's pairs through the loop, one after another. The same arguments give the same result."""
    tools, memory = conversation.tools, conversation.memory
    loop = Loop(tools.writer, tools.verifier)
    for current in conversation.rounds():
        for pair in current.pairs:
            connected = memory.connectives.count.copy()
            outcome = _try_pair(pair, conversation, loop, current.allowed)
            if isinstance(outcome, list):
                count_pair(memory, pair)
            else:
                memory.connectives.count = connected
            conversation.settle(pair, outcome)
    return conversation.finish(tools.writer)


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


def _try_pair(pair: PairPlan, conversation: OpenConversation, loop: Loop, allowed: int) -> list[Accepted] | Refused:
    """Both items accepted, or the rejects of the pair: an arc without its control is no item (DESIGN.md rule 6)."""
    tools = conversation.tools
    frame = conversation.frame_of(pair)
    neighbours = conversation.neighbours()
    entries: list[Accepted] = []
    results: list[tuple[ItemPlan, LoopResult]] = []
    for plan in pair.items:
        brief = brief_item(
            plan,
            frame,
            conversation.seams,
            conversation.connectives,
            conversation.memory.connectives,
            tools.read_facts,
            tools.foreignness,
            tools.reply_foreignness,
        )
        others = (*neighbours, *(entry.draft.proposal for entry in entries))
        result = loop.run(brief, judge_with(tools, conversation.judged, others))
        results.append((plan, result))
        if not result.accepted:
            break
        if len(touched := tools.perturbs(result.last.draft)) > allowed:
            return Refused([reject(item, each, refusal(item is plan, touched)) for item, each in results], len(touched))
        entries.append(Accepted(result.last.draft, result.last.attempt, result.last.verdict))
    if len(entries) == len(pair.items):
        return entries
    return Refused([reject(plan, result) for plan, result in results])


def judge_with(tools: Tools, record: Record, others: tuple[Proposal, ...]) -> Judge:
    """The judge of an item beside the other items of its conversation."""
    return lambda draft, audit: tools.judge(case_of(draft, record, others, audit))


def case_of(draft: Draft, record: Record, neighbours: tuple[Proposal, ...], audit: FactAudit | None) -> Case:
    """A draft as gates judge it, with what the plan itself has wrong."""
    problems = tuple(
        f"turn {exchange.planned.role.value} stands at a {exchange.planned.slot.kind.value} seam {wrong}"
        for exchange in draft.exchanges
        if exchange.planned.slot.kind is SlotKind.BRIDGE and (wrong := _unreturned(exchange, record))
    )
    if not far_enough(draft.plan.anchor.slot, draft.plan.later.slot):
        problems = (*problems, "anchor and later turn are too close")
    return Case(draft.proposal, record, record.parser, draft.plan, neighbours, problems, audit)


def _unreturned(exchange: WrittenExchange, record: Record) -> str | None:
    """How a bridge fails to give the floor back."""
    if not exchange.hands_back:
        return "without a handback"
    slot = exchange.planned.slot
    before, following = record.conversation.session(slot.session).turns[slot.after - 1 : slot.after + 1]
    if hands_back(before.text, exchange.reply, following.text, record.conversation.speakers):
        return None
    return f'and its reply names nothing of what the turn before was about ("{before.text[-60:]}")'


def refusal(own: bool, touched: Sequence[str]) -> str:
    """Why an accepted item is not taken: its own turns would perturb questions, or its partner's."""
    if not own:
        return "its partner was rejected"
    return f"would perturb {len(touched)} of LoCoMo's questions: {', '.join(touched[:3])}"


def reject(plan: ItemPlan, result: LoopResult, reason: str | None = None) -> Rejected:
    """An item that is not taken, for publication."""
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

"""One conversation taken through plan, loop and splicing. Pure: no files, no clock; what earlier conversations used comes in."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field

from arcs.choose import Fit, Objections
from arcs.frames import Frame
from arcs.items import PairPlan, Slot
from arcs.keys import TrackAKey
from arcs.lines import Foreignness, Similarity, give_back, take_again
from arcs.plan import Host, Occupied, PlanMemory, allot_families, plan_conversation
from inject.brief import FactReader, brief_item
from inject.connectives import Connectives, ConnectiveUse
from inject.drafts import Author, Draft, Verifier, Writer
from inject.gates.case import Record
from inject.graph import Loop
from inject.judging import Gates, judge_with
from inject.proposals import Proposal
from inject.rejects import Ended, Rejected, displaced, end, refusal
from inject.reviews import NO_REVIEWS, Reviews, UsedReview
from inject.seams import Seam, find_seams
from inject.second_look import Objection, SecondTable, Waiting, need_of, take_together
from inject.sessions import PlannedSession, plan_sessions, session_slots
from inject.smalltalk import Script, tell
from inject.splice import Accepted, HostTexts, splice
from locomo_patch.edits import AppendSession, InsertExchange
from twistcore.corpus import Session, Turn
from twistcore.fingerprints import generator

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
    judge: Gates
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
    """A pair that is not taken: how its items ended, and how many original questions it would perturb where that was why."""

    ended: tuple[Ended, ...]
    touched: int = 0

    @property
    def rejects(self) -> list[Rejected]:
        """What is published of it."""
        return [each.rejected for each in self.ended]


@dataclass(frozen=True)
class ConversationResult:
    """What injecting one conversation gave."""

    sample_id: str
    edits: tuple[InsertExchange | AppendSession, ...]
    keys: tuple[TrackAKey, ...]
    rejects: tuple[Rejected, ...]
    shortfall: dict[str, int]
    frames: tuple[str, ...]
    reviews: tuple[UsedReview, ...] = ()


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
        reviews: Reviews = NO_REVIEWS,
    ) -> None:
        conversation = record.conversation
        rng = generator(seed, conversation.sample_id, "sessions")
        self.record, self.texts, self.frames, self.seed, self.memory, self.tools = record, texts, frames, seed, memory, tools
        self.connectives, self.reviews = connectives, reviews
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
        self._waiting: dict[str, Waiting] = {}
        self._used: list[UsedReview] = []

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
        self._needs.append(need_of(pair))
        if len(outcome.ended) == len(pair.items) and self.reviews.cover(outcome.rejects):
            self._waiting[pair.id] = Waiting(pair, outcome.ended, frozenset(kept.id for kept in self._kept))

    def finish(self, author: Author) -> ConversationResult:
        """Take what people took of the rejects, and splice all that was accepted; `author` stands in the keys' provenance."""
        self._take_reviewed()
        shortfall = self._shortfall
        while shortfall.total() > len(self._needs):
            shortfall[min(reason for reason, count in shortfall.items() if count)] -= 1
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
            dict(+shortfall) if self._needs else {},
            tuple(dict.fromkeys(entry.draft.plan.frame_id for entry in self.accepted)),
            tuple(self._used),
        )

    def _take_reviewed(self) -> None:
        """Put pairs that people took where some are missing, or in the stead of those that were planned for them later.

        This comes after all rounds, so that they plan, and ask, the same with people's decisions and without.
        """
        kept = {pair.id for pair in self._kept}
        waiting = [each for each in self._waiting.values() if each.pair.id not in kept]
        table = SecondTable(self._kept, self.accepted, self.reviews, self.judged, self.tools.judge)
        taken, left = take_together(waiting, self._needs, table)
        for objection in left:
            self._explain(objection)
        for each in taken:
            if each.stand_in is None:
                self._needs.remove(need_of(each.pair))
            else:
                leaving = [entry for entry in self.accepted if entry.draft.plan.pair_id == each.stand_in.id]
                self._rejects.extend(displaced(entry, each.pair.id) for entry in leaving)
                self.accepted = [entry for entry in self.accepted if entry not in leaving]
                self._kept.remove(each.stand_in)
                self._count_again(each.stand_in, -1)
            self.accepted.extend(each.entries)
            self._kept.append(each.planned)
            self._count_again(each.pair, 1)
            self._used.extend(each.used)

    def _count_again(self, pair: PairPlan, step: int) -> None:
        count_pair(self.memory, pair, step)
        for item in pair.items:
            (take_again if step > 0 else give_back)(self.memory.plan.lines, item)

    def _explain(self, objection: Objection) -> None:
        """Say in the rejects why an item stays there although people took it."""
        self._rejects = [
            each.model_copy(update={"reason": objection.reason}) if each.given_up and each.sha256 in objection.about else each
            for each in self._rejects
        ]


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
    ended: list[Ended] = []
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
        others = (*neighbours, *(each.result.last.draft.proposal for each in ended))
        result = loop.run(brief, judge_with(tools.judge, conversation.judged, others))
        ended.append(end(plan, result))
        if not result.accepted:
            if conversation.reviews.taking(ended[-1].rejected) is None:
                break
            continue
        if len(touched := tools.perturbs(result.last.draft)) > allowed:
            told = [end(e.plan, e.result, refusal(e.plan is plan, touched)) if e.result.accepted else e for e in ended]
            return Refused(tuple(told), len(touched))
        entries.append(Accepted(result.last.draft, result.last.attempt, result.last.verdict))
    return entries if len(entries) == len(pair.items) else Refused(tuple(ended))

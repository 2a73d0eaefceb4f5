"""What a gate is given: a proposal, the conversation that it is meant for, the parsed record, and the plan where there is one."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import TYPE_CHECKING

from arcs.items import ItemPlan
from inject.proposals import Proposal, ProposedTurn
from twistcore.corpus import Conversation, Session, Turn
from twistcore.text.parses import Parser
from twistcore.verdicts import GateResult, Outcome

if TYPE_CHECKING:
    from spacy.tokens import Doc

    from inject.drafts import FactAudit


@dataclass(frozen=True)
class Record:
    """One conversation with the parse of every turn. Built once a conversation and shared by all cases.

    `peers` are the records of the whole corpus by sample_id, where the caller has them.
    """

    conversation: Conversation
    parser: Parser
    base: Record | None = None
    peers: Mapping[str, Record] = field(default_factory=dict, repr=False, compare=False)

    def with_sessions(self, sessions: tuple[Session, ...]) -> Record:
        """This record with sessions after its last one, as a proposal that is told in them will find it."""
        return Record(replace(self.conversation, sessions=(*self.conversation.sessions, *sessions)), self.parser, self, self.peers)

    @cached_property
    def turns(self) -> tuple[Turn, ...]:
        """All turns in reading order."""
        return tuple(self.conversation.turns())

    @cached_property
    def docs(self) -> dict[str, Doc]:
        """Parses by dia_id."""
        if self.base is not None:
            known = self.base.docs
            fresh = [turn for turn in self.turns if turn.dia_id not in known]
            return {
                **known,
                **{turn.dia_id: doc for turn, doc in zip(fresh, self.parser.parse_all([t.text for t in fresh]), strict=True)},
            }
        parsed = self.parser.parse_kept([turn.text for turn in self.turns])
        return {turn.dia_id: doc for turn, doc in zip(self.turns, parsed, strict=True)}

    @cached_property
    def _by_speaker(self) -> dict[str, list[tuple[Turn, Doc]]]:
        out: dict[str, list[tuple[Turn, Doc]]] = {speaker: [] for speaker in self.conversation.speakers}
        for turn in self.turns:
            out[turn.speaker].append((turn, self.docs[turn.dia_id]))
        return out

    @cached_property
    def memo(self) -> dict[tuple[str, str], object]:
        """Indexes that gates build once a conversation, by gate and key."""
        return {}

    @cached_property
    def vocabulary(self) -> dict[tuple[str, bool], frozenset[str]]:
        """For each content lemma of the conversation, as a noun or not, the dia_ids of the turns that have it."""
        found: dict[tuple[str, bool], set[str]] = {}
        for turn in self.turns:
            for token in self.docs[turn.dia_id]:
                if token.pos_ in ("NOUN", "PROPN", "VERB", "ADJ", "ADV", "PRON") and token.is_alpha:
                    found.setdefault((token.lemma_.lower(), token.pos_ in ("NOUN", "PROPN")), set()).add(turn.dia_id)
        return {key: frozenset(ids) for key, ids in found.items()}

    def said_by(self, speaker: str) -> list[tuple[Turn, Doc]]:
        """A speaker's turns with their parses, in reading order; empty for somebody who does not speak there."""
        return self._by_speaker.get(speaker, [])


@dataclass(frozen=True)
class Case:
    """One proposal to judge. `record` is None when the conversation does not exist; `neighbours` are the other accepted items of
    the conversation and are given with a plan only; `audit` is that of whoever compared the text with the plan's facts, where
    somebody did."""

    proposal: Proposal
    record: Record | None
    parser: Parser
    plan: ItemPlan | None = None
    neighbours: tuple[Proposal, ...] = ()
    seams: tuple[str, ...] = field(default=())
    audit: FactAudit | None = None

    def doc(self, turn: ProposedTurn) -> Doc:
        """The parse of a proposed turn, read alone."""
        return self.parser.parse(turn.text)

    def session(self, turn: ProposedTurn) -> Session | None:
        """The host session of a turn, or None where the conversation has no such session."""
        if self.record is None:
            return None
        try:
            return self.record.conversation.session(turn.session)
        except KeyError:
            return None


@dataclass(frozen=True)
class Gate:
    """A named check with its version; its module's `judge` answers with one of these results."""

    name: str
    version: str

    def passed(self) -> GateResult:
        """The proposal has not the defect."""
        return GateResult(gate=self.name, version=self.version, outcome=Outcome.PASS)

    def failed(self, reason: str) -> GateResult:
        """The proposal has the defect; the reason quotes what shows it."""
        return GateResult(gate=self.name, version=self.version, outcome=Outcome.FAIL, reason=reason)

    def undecided(self, reason: str) -> GateResult:
        """The check could not judge."""
        return GateResult(gate=self.name, version=self.version, outcome=Outcome.UNDECIDED, reason=reason)

    def skipped(self) -> GateResult:
        """The check does not apply to this proposal."""
        return GateResult(gate=self.name, version=self.version, outcome=Outcome.NOT_APPLICABLE)

"""Drafts: a written item before it is judged, and the two small protocols of the loop (writer and verifier)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from typing import Protocol

from arcs.items import ItemPlan, PlannedTurn
from inject.brief import Brief
from inject.proposals import Proposal, ProposedTurn
from locomo_patch.dates import format_day
from twistcore.verdicts import Finding, Stored


@dataclass(frozen=True, slots=True)
class WrittenExchange:
    """One exchange: the holder's gold turn, the span of its claim (`start`, `end`, in characters), and the partner's answer.

    `handback` is the end of the answer, where that hands the floor back to what was talked of before.
    """

    planned: PlannedTurn
    text: str
    start: int
    end: int
    reply: str
    handback: str

    @property
    def hands_back(self) -> bool:
        """Whether the partner goes back to what was talked of before."""
        return bool(self.handback)

    @property
    def quote(self) -> str:
        """The claim, verbatim."""
        return self.text[self.start : self.end]


@dataclass(frozen=True, slots=True)
class Draft:
    """All exchanges of one item, with the proposal that gates judge."""

    plan: ItemPlan
    proposal: Proposal
    exchanges: tuple[WrittenExchange, ...]

    @classmethod
    def of(cls, plan: ItemPlan, exchanges: tuple[WrittenExchange, ...]) -> Draft:
        """The draft that these exchanges make of a plan."""
        proposal = Proposal(
            id=plan.id,
            family=plan.family,
            sample_id=plan.sample_id,
            holder=plan.holder,
            topic=plan.topic,
            old_belief=plan.old_belief,
            new_belief=plan.new_belief,
            turns=[
                ProposedTurn(role=exchange.planned.role, session=exchange.planned.session, speaker=plan.holder, text=exchange.text)
                for exchange in exchanges
            ],
        )
        return cls(plan, proposal, exchanges)


class FactAudit(Stored):
    """What a fact auditor found in a draft: facts of the plan that it leaves out, facts that the plan has not, and the divergence
    of DESIGN.md rule 7. `d` is None where the auditor could not tell."""

    auditor: str
    version: str
    omitted: list[str]
    invented: list[str]
    d: float | None
    reason: str


class Relation(StrEnum):
    """What a verifier sees between two dated, standalone lines."""

    CONTRADICTS = "contradicts"
    CONSISTENT = "consistent"
    CANNOT_TELL = "cannot_tell"


class Opinion(Stored):
    """A verifier's answer about one item, from its dated lines alone. `unstated` are the offsets of lines that state no claim."""

    verifier: str
    version: str
    relation: Relation
    unstated: list[int]
    reason: str


@dataclass(frozen=True, slots=True)
class SeenLine:
    """A gold turn as a system under test retrieves it (TWIST paper section 4.3, rule 2)."""

    rendered: str

    @classmethod
    def of(cls, planned: PlannedTurn, speaker: str, text: str) -> SeenLine:
        """A turn that is planned."""
        return cls.at(planned.date, speaker, text)

    @classmethod
    def at(cls, moment: datetime, speaker: str, text: str) -> SeenLine:
        """`[8 May, 2023] Caroline: …`"""
        return cls(f"[{format_day(moment)}] {speaker}: {text}")


class Author(Protocol):
    """Who wrote an item, for its provenance."""

    @property
    def name(self) -> str: ...

    @property
    def model(self) -> str | None: ...

    @property
    def prompt_sha256(self) -> str | None: ...


class Writer(Author, Protocol):
    """Turns a brief into a draft. `attempt` counts from 1; `feedback` are the findings against the attempt before."""

    def write(self, brief: Brief, attempt: int, feedback: Sequence[Finding]) -> Draft: ...


class Verifier(Protocol):
    """Judges an item from its dated, standalone lines and nothing else: the first is the anchor, the last the later turn."""

    @property
    def name(self) -> str: ...

    @property
    def version(self) -> str: ...

    def verify(self, lines: Sequence[SeenLine]) -> Opinion: ...

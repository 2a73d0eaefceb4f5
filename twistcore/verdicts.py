"""Verdicts: pass, fail or undecided, with the check's name, version and reason. Undecided never counts as pass."""

from __future__ import annotations

from collections.abc import Iterable
from enum import StrEnum
from typing import Annotated

from pydantic import BaseModel, ConfigDict, Field


class Outcome(StrEnum):
    """What a single check or a whole verdict says."""

    PASS = "pass"
    FAIL = "fail"
    UNDECIDED = "undecided"
    NOT_APPLICABLE = "not_applicable"


class Stored(BaseModel):
    """Base of everything that is written to a file: unknown fields are refused."""

    model_config = ConfigDict(extra="forbid", frozen=True)


class Finding(Stored):
    """One check's answer that is not a plain pass."""

    gate: str
    version: str
    reason: str


class GateResult(Stored):
    """One check's answer, whichever it is."""

    gate: str
    version: str
    outcome: Outcome
    reason: str = ""

    @property
    def finding(self) -> Finding:
        """The shape in which a verdict lists it."""
        return Finding(gate=self.gate, version=self.version, reason=self.reason)


class Verdict(Stored):
    """All checks' answers about one proposal (SCHEMAS.md, "Proposals and verdicts")."""

    id: str
    verdict: Annotated[Outcome, Field(description="pass, fail or undecided")]
    failed: list[Finding] = Field(default_factory=list)
    undecided: list[Finding] = Field(default_factory=list)
    not_applicable: list[str] = Field(default_factory=list)


def combine(ident: str, results: Iterable[GateResult]) -> Verdict:
    """Fold checks into one verdict: any failure fails, otherwise any undecided leaves it undecided."""
    listed = list(results)
    failed = [result.finding for result in listed if result.outcome is Outcome.FAIL]
    undecided = [result.finding for result in listed if result.outcome is Outcome.UNDECIDED]
    outcome = Outcome.FAIL if failed else Outcome.UNDECIDED if undecided else Outcome.PASS
    return Verdict(
        id=ident,
        verdict=outcome,
        failed=failed,
        undecided=undecided,
        not_applicable=[result.gate for result in listed if result.outcome is Outcome.NOT_APPLICABLE],
    )

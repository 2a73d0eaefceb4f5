"""The registry of Track A's gates: a closed set of names (SCHEMAS.md), run in order, each with its version."""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from importlib import import_module

from inject.gates.case import Case, Gate
from twistcore.verdicts import GateResult, Verdict, combine

Judge = Callable[[Case], GateResult]

NAMES = (
    "ids",
    "spacing",
    "role_flip",
    "quote",
    "absence",
    "question_form",
    "pronoun",
    "no_flip",
    "acknowledged_in_arc",
    "not_acknowledged",
    "off_topic_pair",
    "pair_independent",
    "time_wrong",
    "record_conflict",
    "voice",
    "facts",
    "pii",
    "duplicate",
    "format",
    "seam",
    "surface_match",
)


@lru_cache(maxsize=1)
def gates() -> dict[str, tuple[Gate, Judge]]:
    """Every gate with its judge, in the order of `NAMES`; each lives in the module of its name."""
    modules = {name: import_module(f"inject.gates.{name}") for name in NAMES}
    return {name: (module.GATE, module.judge) for name, module in modules.items()}


def judge_all(case: Case) -> list[GateResult]:
    """What every gate says about a case, in the order of `NAMES`."""
    return [judge(case) for _, judge in gates().values()]


def verdict(case: Case) -> Verdict:
    """All gates folded into one verdict: any failure fails, otherwise any undecided leaves it undecided."""
    return combine(case.proposal.id, judge_all(case))


def versions() -> dict[str, str]:
    """The version of every gate, for provenance."""
    return {name: gate.version for name, (gate, _) in gates().items()}

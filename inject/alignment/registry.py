"""The registry of Track B's gates: a closed set of names (SCHEMAS.md), run in order, each with its version."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import lru_cache
from importlib import import_module

from inject.alignment.case import DraftCase
from inject.alignment.proposals import DraftProposal
from inject.gates.batch import Progress, judge_each
from inject.gates.case import Gate
from twistcore.corpus import Corpus
from twistcore.text.parses import Parser
from twistcore.verdicts import GateResult, Verdict, combine

NAMES = ("ids", "speaker", "quote", "absence", "question_form", "self_contained")


@lru_cache(maxsize=1)
def gates() -> dict[str, tuple[Gate, Callable[[DraftCase], GateResult]]]:
    """Every gate with its judge, in the order of `NAMES`; each lives in the module of its name."""
    modules = {name: import_module(f"inject.alignment.gates.{name}") for name in NAMES}
    return {name: (module.GATE, module.judge) for name, module in modules.items()}


def verdict(case: DraftCase) -> Verdict:
    """All gates folded into one verdict: any failure fails, otherwise any undecided leaves it undecided."""
    return combine(case.proposal.id, [judge(case) for _, judge in gates().values()])


def versions() -> dict[str, str]:
    """The version of every gate, for provenance."""
    return {name: gate.version for name, (gate, _) in gates().items()}


def judge_drafts(proposals: Sequence[DraftProposal], corpus: Corpus, parser: Parser, progress: Progress) -> list[Verdict]:
    """One verdict a draft, in their order. A draft for a conversation that does not exist fails `ids`."""
    return judge_each(proposals, corpus, parser, progress, lambda proposal, record: verdict(DraftCase(proposal, record, parser)))

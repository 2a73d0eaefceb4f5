"""Gates over many proposals, a conversation's record built once."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from inject.gates.case import Case, Record
from inject.gates.registry import verdict
from inject.proposals import Proposal
from twistcore.corpus import Corpus
from twistcore.text.parses import Parser
from twistcore.verdicts import Verdict


def judge_proposals(
    proposals: Sequence[Proposal], corpus: Corpus, parser: Parser, progress: Callable[[str, int, int], None]
) -> list[Verdict]:
    """One verdict a proposal, in their order. A proposal for a conversation that does not exist fails `ids`."""
    records: dict[str, Record] = {}
    records.update({other.sample_id: Record(other, parser, peers=records) for other in corpus.conversations})
    out = []
    for done, proposal in enumerate(proposals):
        if done % 20 == 0:
            progress(proposal.sample_id, done, len(proposals))
        out.append(verdict(Case(proposal, records.get(proposal.sample_id), parser)))
    progress("", len(proposals), len(proposals))
    return out

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
    known = {conversation.sample_id: conversation for conversation in corpus.conversations}
    out = []
    for done, proposal in enumerate(proposals):
        if done % 20 == 0:
            progress(proposal.sample_id, done, len(proposals))
        conversation = known.get(proposal.sample_id)
        if conversation is not None and proposal.sample_id not in records:
            records[proposal.sample_id] = Record(conversation, parser)
        out.append(verdict(Case(proposal, records.get(proposal.sample_id), parser)))
    progress("", len(proposals), len(proposals))
    return out

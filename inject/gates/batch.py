"""Gates over many proposals, a conversation's record built once."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Protocol, TypeVar

from inject.gates.case import Case, Record
from inject.gates.registry import verdict
from inject.proposals import Proposal
from twistcore.corpus import Corpus
from twistcore.text.parses import Parser
from twistcore.verdicts import Verdict

Progress = Callable[[str, int, int], None]


class OfConversation(Protocol):
    """A proposal of any track: it is meant for one conversation."""

    @property
    def sample_id(self) -> str:
        """The conversation that it is meant for."""


Item = TypeVar("Item", bound=OfConversation)


def judge_proposals(proposals: Sequence[Proposal], corpus: Corpus, parser: Parser, progress: Progress) -> list[Verdict]:
    """One verdict a proposal, in their order. A proposal for a conversation that does not exist fails `ids`."""
    return judge_each(proposals, corpus, parser, progress, lambda proposal, record: verdict(Case(proposal, record, parser)))


def judge_each(
    items: Sequence[Item],
    corpus: Corpus,
    parser: Parser,
    progress: Progress,
    judge: Callable[[Item, Record | None], Verdict],
) -> list[Verdict]:
    """One verdict an item of any track, in their order; `judge` gets None for a conversation that does not exist."""
    records: dict[str, Record] = {}
    records.update({other.sample_id: Record(other, parser, peers=records) for other in corpus.conversations})
    out = []
    for done, item in enumerate(items):
        if done % 20 == 0:
            progress(item.sample_id, done, len(items))
        out.append(judge(item, records.get(item.sample_id)))
    progress("", len(items), len(items))
    return out

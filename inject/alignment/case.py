"""What a gate of Track B is given: a draft with its gold, and the parsed record of the conversation that it is meant for."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

from inject.alignment.names import names_in_use, without_address
from inject.alignment.proposals import DraftProposal
from inject.alignment.quoted import find_quote
from inject.gates.case import Record
from twistcore.corpus import Turn
from twistcore.text.parses import Parser

if TYPE_CHECKING:
    from spacy.tokens import Doc, Token


@dataclass(frozen=True)
class CitedTurn:
    """A cited turn with its parse. `quoted` are the tokens that the contradicted quote covers, none where it lies elsewhere."""

    turn: Turn
    doc: Doc
    quoted: tuple[Token, ...]


@dataclass(frozen=True)
class DraftCase:
    """One draft to judge. `record` is None when the conversation does not exist."""

    proposal: DraftProposal
    record: Record | None
    parser: Parser

    @cached_property
    def turns(self) -> dict[str, Turn]:
        """Turns of the conversation by id."""
        return {} if self.record is None else {turn.dia_id: turn for turn in self.record.turns}

    @cached_property
    def draft(self) -> Doc:
        """The parse of the draft, without the words that only call its reader."""
        return self.parser.parse(without_address(self.proposal.draft, self.names))

    @cached_property
    def cited(self) -> tuple[CitedTurn, ...]:
        """The cited turns that exist, in the order in which they are cited, each once."""
        if self.record is None:
            return ()
        found = []
        for dia_id in dict.fromkeys(self.proposal.evidence):
            if dia_id not in self.turns:
                continue
            turn, doc = self.turns[dia_id], self.record.docs[dia_id]
            span = find_quote(self.proposal.contradicted_quote, turn.text)
            inside = () if span is None else tuple(t for t in doc if t.idx < span[1] and t.idx + len(t) > span[0])
            found.append(CitedTurn(turn, doc, inside))
        return tuple(found)

    @cached_property
    def names(self) -> frozenset[str]:
        """Lower-case forms of both speakers' names: they say who is spoken to, not what of."""
        return frozenset() if self.record is None else frozenset().union(*names_in_use(self.record).values())

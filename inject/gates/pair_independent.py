"""No item says anything about another item of its conversation (DESIGN.md rule 6): a reconciled arc is no tension."""

from __future__ import annotations

from typing import TYPE_CHECKING

from arcs.taxonomy import Role
from inject.gates.case import Case, Gate
from inject.proposals import Proposal
from inject.stance_topic import content_words, topic_of
from twistcore.text.claims import Subject, clauses, lemma_of
from twistcore.text.classes import hypernyms, same_word
from twistcore.verdicts import GateResult

if TYPE_CHECKING:
    from spacy.tokens import Token

GATE = Gate("pair_independent", "1")


def judge(case: Case) -> GateResult:
    """Fails a proposal that names the topic of a neighbour, or is named by it, or whose stance covers the neighbour's."""
    if case.plan is None:
        return GATE.skipped()
    own = _heads(case, case.proposal)
    for other in case.neighbours:
        if other.id == case.proposal.id:
            continue
        theirs = _heads(case, other)
        if theirs <= own or own <= theirs:
            return GATE.failed(f"{other.id} has the same topic ({', '.join(sorted(own & theirs))})")
        for teller, told in ((case.proposal, other), (other, case.proposal)):
            reason = _touches(case, teller, told)
            if reason:
                return GATE.failed(f'{teller.id} says "{reason}", which is what {told.id} is about')
    return GATE.passed()


def _heads(case: Case, proposal: Proposal) -> frozenset[str]:
    """Every content word of the topic's name, so that "canned coffee" and "pod coffee" are two things."""
    return frozenset(word.lemma for word in content_words(case.parser.parse(proposal.topic)))


def _touches(case: Case, teller: Proposal, told: Proposal) -> str | None:
    """What the teller says about the other's topic: it names it whole, or takes a stance on its whole class.

    Two objects of one frame may share a word ("pod coffee", "instant coffee"): what tells them apart must not occur.
    """
    mine = _heads(case, teller)
    apart = _heads(case, told) - mine
    terms = topic_of(told, case.parser).cores - mine
    for turn in teller.turns:
        doc = case.doc(turn)
        said = [word for word in content_words(doc) if not any(same_word(word.lemma, own) for own in mine)]
        if apart and all(any(same_word(word.lemma, term) for word in said) for term in apart):
            return " ".join(sorted(apart))
        if turn.role not in (Role.ANCHOR, Role.REVERSAL, Role.STATEMENT):
            continue
        for clause in clauses(doc):
            if clause.affirmed or clause.subject not in (Subject.FIRST, Subject.OWNED, Subject.GENERIC):
                continue
            for token in clause.tokens:
                if _is_general(token) and any(lemma_of(token) in hypernyms(term, "n", 1) for term in terms):
                    return str(token.text)
    return None


def _is_general(token: Token) -> bool:
    """Whether a noun speaks of its whole class: a bare plural, or with any, all, every or no."""
    if token.pos_ != "NOUN" or token.dep_ == "compound":
        return False
    marks = [
        child.lower_ for child in token.children if child.dep_ in {"det", "poss", "nummod", "amod", "compound", "relcl", "prep"}
    ]
    return (not marks and token.tag_ == "NNS") or bool({"any", "all", "every", "no"} & set(marks))

"""The claim is the holder's own (DESIGN.md rule 5: no other speaker's plan)."""

from __future__ import annotations

from arcs.taxonomy import Family, Role
from inject.gates.case import Case, Gate
from inject.proposals import ProposedTurn
from inject.stances import Reading, flips, read_turn, topic_of
from twistcore.text.claims import Clause, Modality, Tense, lemma_of, words
from twistcore.verdicts import GateResult

GATE = Gate("role_flip", "1")


def judge(case: Case) -> GateResult:
    """Fails a proposal with a gold turn spoken by the partner, or whose claim is about somebody else."""
    for turn in case.proposal.turns:
        if turn.speaker != case.proposal.holder:
            return GATE.failed(f"the {turn.role.value} is spoken by {turn.speaker}, the stance is {case.proposal.holder}'s")
    topic = topic_of(case.proposal, case.parser)
    for turn in case.proposal.turns:
        if not _must_be_own(case, turn):
            continue
        other = _others_claim(read_turn(turn.text, topic, case.parser), turn)
        if other is not None:
            return GATE.failed(f'the {turn.role.value} tells of somebody else: "{other.text}"')
    return GATE.passed()


def _must_be_own(case: Case, turn: ProposedTurn) -> bool:
    if turn.role is Role.ANCHOR:
        return True
    return turn.role in (Role.REVERSAL, Role.STATEMENT) and case.proposal.family in (*Family.arcs(), Family.HN_A2, Family.HN_A5)


def _others_claim(reading: Reading, turn: ProposedTurn) -> Clause | None:
    """A clause on the topic that another person carries, where the speaker carries none."""
    person: str | None = None
    others: list[Clause] = []
    for clause in reading.found:
        named = _person(clause)
        if named:
            person = named
        if not reading.on_topic(clause):
            continue
        if _speakers(clause):
            return None
        if named or (person and clause.subject_token is not None and clause.subject_token.lower_ in ("he", "she", "they")):
            others.append(clause)
    if not others:
        return None
    if turn.role is Role.ANCHOR:
        return others[0]
    if any(clause.subject_token is not None and not _person(clause) for clause in flips(reading)):
        return None
    return others[0]


def _speakers(clause: Clause) -> bool:
    """Whether the clause is the speaker's: subject, or what it does to or for the speaker ("knitting isn't for me")."""
    first = words().lists["first"]
    if clause.subject_token is not None and clause.subject_token.lower_ in first:
        return clause.modality is not Modality.QUESTION and not _watching(clause)
    if clause.own and not _person(clause):
        return clause.modality is not Modality.QUESTION
    if _person(clause):
        return False
    return any(token.lower_ in first and not _kins(token) for token in clause.tokens)


def _watching(clause: Clause) -> bool:
    return bool(clause.predicates) and clause.predicates[0] in {"tell", "hear", "see", "watch", "know", "think", "bet", "notice", "love", "guess", "remember", "swear"} and any(
        child.dep_ == "ccomp" for child in clause.head.children
    ) and clause.tense is not Tense.FUTURE


def _kins(token: object) -> bool:
    head = getattr(token, "head", None)
    return getattr(token, "dep_", "") == "poss" and head is not None and lemma_of(head) in words().lists["kin"]


def _person(clause: Clause) -> str | None:
    """The person other than the speaker that is the clause's subject."""
    subject = clause.subject_token
    if subject is None:
        return None
    if subject.lower_ in ("you", "he", "she"):
        return str(subject.text)
    if any(child.dep_ == "conj" and child.lower_ in words().lists["first"] for child in subject.subtree):
        return None
    if lemma_of(subject) in words().lists["kin"]:
        return str(subject.text)
    return None

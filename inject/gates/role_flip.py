"""The claim is the holder's own (DESIGN.md rule 5: no other speaker's plan)."""

from __future__ import annotations

import re

from arcs.taxonomy import Family, Role
from inject.gates.case import Case, Gate
from inject.patterns import word_list
from inject.proposals import ProposedTurn
from inject.stance_topic import topic_of
from inject.stances import Reading, flips, owned_mention, person_of, read_turn
from twistcore.text.claims import Clause, Modality, Subject, Tense, lemma_of, plain, words
from twistcore.verdicts import GateResult

GATE = Gate("role_flip", "3")


def judge(case: Case) -> GateResult:
    """Fails a proposal with a gold turn spoken by the partner, or whose claim is about somebody else."""
    for turn in case.proposal.turns:
        if turn.speaker != case.proposal.holder:
            return GATE.failed(f"the {turn.role.value} is spoken by {turn.speaker}, the stance is {case.proposal.holder}'s")
    topic = topic_of(case.proposal, case.parser)
    for turn in case.proposal.turns:
        if not _must_be_own(case, turn):
            continue
        other = _others_claim(read_turn(turn.text, topic, case.parser), turn, case.proposal.family)
        if other is not None:
            return GATE.failed(f'the {turn.role.value} tells of somebody else: "{other.text}"')
    return GATE.passed()


def _must_be_own(case: Case, turn: ProposedTurn) -> bool:
    if turn.role is Role.ANCHOR:
        return True
    return turn.role in (Role.REVERSAL, Role.STATEMENT) and case.proposal.family in (*Family.arcs(), Family.HN_A2, Family.HN_A5)


def _others_claim(reading: Reading, turn: ProposedTurn, family: Family) -> Clause | None:
    """A clause on the topic that another person carries, where the speaker carries none."""
    if family is Family.HN_A2 and turn.role is not Role.ANCHOR and not MY_PERSON.search(plain(reading.doc.text)):
        return None
    others: list[Clause] = []
    person = False
    for clause in reading.found:
        named = (bool(person_of(clause)) and not _anybody(clause)) or _partners(clause)
        person = person or named
        told = named or (person and _pronoun_subject(clause) and not _of_my_own(clause))
        if told:
            if turn.role is not Role.REVERSAL and any(token.lower_ in ("me", "us") for token in clause.sentence):
                return None
            if reading.on_topic(clause):
                others.append(clause)
            continue
        if _speakers(clause, reading, turn):
            return None
    if turn.role is not Role.ANCHOR and flips(reading):
        return None
    return others[0] if others else None


def _anybody(clause: Clause) -> bool:
    """Whether the subject is people at large ("people have a blast there"), whose doings claim nothing of anyone."""
    subject = clause.subject_token
    return subject is not None and subject.lower_ in ("people", "folks", "everyone", "everybody") and not any(subject.children)


def _pronoun_subject(clause: Clause) -> bool:
    return clause.subject_token is not None and clause.subject_token.lower_ in ("he", "she", "they")


def _of_my_own(clause: Clause) -> bool:
    """Whether "they" takes up the speaker's own things of the same sentence ("my legs walk, and they do it on a sidewalk")."""
    subject = clause.subject_token
    if subject is None or subject.lower_ != "they":
        return False
    return any(
        token.tag_ == "NNS"
        and token.dep_ == "nsubj"
        and lemma_of(token) not in words().lists["kin"]
        and any(child.dep_ == "poss" and child.lower_ in ("my", "our") for child in token.children)
        for token in clause.sentence
        if token.i < subject.i
    )


def _partners(clause: Clause) -> bool:
    """Whether the clause states something of the person spoken to; a general `you` ("you won't catch me") is not."""
    if clause.subject_token is None or clause.subject_token.lower_ != "you" or set(clause.predicates) & EMPTY:
        return False
    if clause.tense is Tense.FUTURE or clause.modality not in (Modality.ASSERTED, Modality.REPORTED):
        return False
    if any(token.lower_ in ("me", "my", "mine") for token in clause.tokens):
        return False
    return not words().refusal.search(plain(clause.sentence.text)) and not any(
        token.dep_ == "aux"
        and token.lower_ in ("can", "could", "would", "'d", "might", "should", "must", "have", "ca")
        and token.tag_ == "MD"
        for token in clause.tokens
    )


MY_PERSON = re.compile(r"\b(?:my|his|her|our|their) \w+")
EMPTY = word_list("empty")


def _speakers(clause: Clause, reading: Reading, turn: ProposedTurn) -> bool:
    """Whether the clause carries the speaker's own claim."""
    if clause.modality is Modality.QUESTION:
        return False
    text = plain(clause.sentence.text)
    if clause.subject is Subject.FIRST:
        if reading.on_topic(clause):
            return True
        stance = not clause.affirmed or words().refusal.search(text) or words().commitment.search(text)
        return bool(stance) and not set(clause.predicates) & EMPTY and turn.role is Role.ANCHOR
    return reading.on_topic(clause) and clause.subject is not Subject.SECOND and (clause.own or owned_mention(clause, reading))

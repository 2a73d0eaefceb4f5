"""Arcs really flip, and the hard negatives that must not flip do not (TWIST paper section 4.3).

An almost, a plan, a one-off for somebody else, a substitute or the old stance again is no flip; and a hard negative that states the
contrary state as a present fact is an unmarked contradiction.
"""

from __future__ import annotations

import re

from arcs.taxonomy import Family
from inject.gates.case import Case, Gate
from inject.stances import (
    GONE,
    NEAR_MISS,
    ONE_OFF,
    SUBSTITUTE,
    UNDERCUT,
    Direction,
    Reading,
    Topic,
    flips,
    read_turn,
    topic_of,
)
from twistcore.text.claims import Clause, Modality, Subject, Tense, plain, words
from twistcore.verdicts import GateResult

GATE = Gate("no_flip", "1")


def judge(case: Case) -> GateResult:
    """Fails an arc without a flip, and an HN-A1, HN-A3, HN-A4 or HN-A5 item with one."""
    later = case.proposal.later
    if later is None:
        return GATE.skipped()
    topic = topic_of(case.proposal, case.parser)
    reading = read_turn(later.text, topic, case.parser)
    if case.proposal.family.is_arc:
        reason = _lacks_flip(reading, topic, case)
        return GATE.failed(reason) if reason else GATE.passed()
    if case.proposal.family is Family.HN_A2:
        return GATE.skipped()
    clause = _stated_flip(reading, case.proposal.family)
    return GATE.failed(f'states the flip as a present fact: "{clause.text}"') if clause else GATE.passed()


def _lacks_flip(reading: Reading, topic: Topic, case: Case) -> str | None:
    text = plain(reading.doc.text)
    known = plain(" ".join((case.proposal.topic, case.proposal.old_belief, case.proposal.new_belief or "")))
    undercut = UNDERCUT.search(text)
    if undercut:
        return f'takes the flip back: "{undercut.group().strip()}"'
    for sentence in reading.doc.sents:
        body = plain(sentence.text)
        inside = [clause for clause in reading.found if sentence.start <= clause.head.i < sentence.end]
        if not any(reading.on_topic(clause, 1) for clause in inside):
            continue
        substitute = SUBSTITUTE.search(body)
        if substitute and substitute.group() not in known and _modifies_topic(reading, substitute.group(), sentence.start, sentence.end):
            return f'a substitute, not the thing itself: "{substitute.group()}"'
        once = ONE_OFF.search(body)
        if once and not re.search(re.escape(once.group()), known):
            return f'a single time or for somebody else: "{once.group()}"'
    facts = flips(reading)
    if facts:
        return None
    return _no_fact(reading, topic)


def _modifies_topic(reading: Reading, words_found: str, start: int, end: int) -> bool:
    """Whether the substitute word stands by the topic's noun or is the sentence's own thing."""
    parts = re.split(r"[- ]", words_found)
    for token in reading.doc[start:end]:
        if token.lower_ in parts or token.lemma_.lower() in parts:
            governor = token.head
            if governor.i in reading.named or token.i in reading.named:
                return True
            if any(other.i in reading.named for other in governor.children) or any(other.i in reading.named for other in token.subtree):
                return True
            if governor.dep_ == "compound" and governor.head.i in reading.named:
                return True
    return False


def _no_fact(reading: Reading, topic: Topic) -> str | None:
    """Why no clause states the contrary as a fact: it is only near, meant or refused; None where nothing speaks against it."""
    text = plain(reading.doc.text)
    on_topic = [clause for clause in reading.found if reading.on_topic(clause) and clause.subject is not Subject.SECOND]
    near = NEAR_MISS.search(text)
    if near and not (topic.direction is Direction.KEEP and GONE.search(text)):
        return f'near, meant or thought of, but not done: "{near.group()}"'
    unreal = [clause for clause in on_topic if clause.modality in (Modality.HYPOTHETICAL, Modality.INTENDED, Modality.POSSIBLE)]
    if unreal and len(unreal) == len(on_topic):
        return f'not stated as a fact: "{unreal[0].text}"'
    if topic.direction is Direction.AVOID:
        kept = [clause for clause in on_topic if not clause.affirmed and clause.own and clause.modality is Modality.ASSERTED]
        if kept:
            return f'keeps the old stance: "{kept[0].text}"'
        return None
    if words().commitment.search(text) and not GONE.search(text):
        return "keeps the old commitment"
    held = [clause for clause in on_topic if clause.affirmed and clause.subject is Subject.FIRST and clause.tense is Tense.NOW]
    if held and not GONE.search(text) and not any(clause.ceased and not clause.negated for clause in reading.found):
        return f'the old state goes on: "{held[0].text}"'
    return None


NOSTALGIC = re.compile(r"\b(?:miss|missed|missing|remember|remembered|nostalgi\w*|good old|those (?:days|nights|summers)|reminisc\w*|memories)\b")
UNREAL = re.compile(r"\b(?:if|imagine|picture|dream(?:t|ed)?|wish|pretend|haha|lol|joke[ds]?|joking|kidding|maybe|would|'d|could|suppose|unless|million|when pigs|aliens?|should)\b")
NEWS = re.compile(
    r"\b(?:now|these days|yesterday|today|tonight|(?:every|each) (?:day|morning|night|evening|week|weekend|month|monday|tuesday|wednesday|thursday|friday|saturday|sunday)|"
    r"last (?:week|weekend|night|month|monday|tuesday|wednesday|thursday|friday|saturday|sunday)|this (?:week|morning|weekend|month|year|spring|summer|fall|winter)|on (?:monday|tuesday|wednesday|thursday|friday|saturday|sunday)|"
    r"(?:days|weeks|week|months) ago|so i (?:\w+ )?\w+ed|again|just|finally|since|currently|already|lately|recently|anyway|in the end|daily|weekly|all the time|once a week|twice a week|most (?:days|nights|mornings|evenings))\b"
)
ACQUIRE = frozenset(
    "buy adopt get join sign sell quit cancel order own have eat drink use ride wear play drive smoke pay subscribe enroll start move marry hire install "
    "download post run swim sing dance bake grow keep book switch give drop stop donate bring take learn practice go".split()
)


def _stated_flip(reading: Reading, family: Family) -> Clause | None:
    """A clause of a hard negative that states the contrary state as a fact of now."""
    for clause in flips(reading):
        sentence = plain(clause.sentence.text)
        body = plain(clause.text)
        if clause.tense is Tense.OVER or clause.subject is Subject.GENERIC or not clause.own:
            continue
        if UNREAL.search(sentence) or NEAR_MISS.search(body) or ONE_OFF.search(sentence):
            continue
        if NOSTALGIC.search(body) or not set(clause.predicates) & ACQUIRE:
            continue
        if clause.subject is not Subject.FIRST:
            continue
        fresh = bool(NEWS.search(sentence))
        if clause.tense is Tense.NOW or fresh:
            if family in (Family.HN_A1, Family.HN_A4, Family.HN_A5) and not fresh:
                continue
            if not _names_directly(clause, reading):
                continue
            return clause
    return None


def _names_directly(clause: Clause, reading: Reading) -> bool:
    """Whether the topic is the object of what is done, not a place or time beside it."""
    if any(token.lower_ in ("it", "them", "one", "her", "him") and token.dep_ == "dobj" for token in clause.tokens):
        return True
    for token in reading.topic.mentions(clause.tokens):
        if token.dep_ in ("dobj", "ROOT", "xcomp", "conj", "attr", "oprd") or token.pos_ == "VERB":
            return True
        if token.dep_ == "pobj" and token.head.lower_ in ("to", "on", "for", "with", "up", "of", "from", "off"):
            return True
        if token.dep_ in ("compound", "amod") and token.head.dep_ in ("dobj", "pobj"):
            return True
    return False

"""Arcs only: neither reversal nor drift acknowledges the change (TWIST paper section 4.3: a reconciled arc is no tension)."""

from __future__ import annotations

import re

from arcs.taxonomy import Family
from inject.acknowledgement import acknowledgement
from inject.gates.case import Case, Gate
from inject.patterns import pattern
from inject.stance_topic import Topic, topic_of
from twistcore.text.claims import lemma_of, plain
from twistcore.verdicts import GateResult

GATE = Gate("acknowledged_in_arc", "4")


CONCEDING = re.compile(r"\b(?:(?:it|so it) (?:seems|appears)|apparently|evidently|as it happens|after all|it can be done)\b")
OWNS_UP = pattern("owns_up")
PLAIN_NO = re.compile(r"^i (?:\w+ )?said (?:no|never mind|not)\b|\byou (?:\w+ )?(?:won't|'ll never|will never|wouldn't)\b")
RARE = 2


def _owns_up(words: str) -> bool:
    """Whether what a drift says takes the old view back, where a reversal's excitement would already give it away."""
    return OWNS_UP.search(words) is not None and PLAIN_NO.search(words) is None


def _answers_the_image(case: Case, topic: Topic) -> str | None:
    """A sentence that concedes and takes up a noun of the anchor's that is new to topic and conversation ("a toothbrush")."""
    anchor, later = case.proposal.anchor, case.proposal.later
    if anchor is None or later is None or case.record is None:
        return None
    told = {
        lemma_of(token)
        for token in case.doc(anchor)
        if token.pos_ == "NOUN"
        and not topic.strength(lemma_of(token))
        and len(case.record.vocabulary.get((lemma_of(token), True), ())) <= RARE
    }
    for sentence in case.doc(later).sents:
        if CONCEDING.search(plain(sentence.text)) and any(lemma_of(token) in told for token in sentence):
            return str(sentence.text)
    return None


def judge(case: Case) -> GateResult:
    """Fails an A1 or A2 proposal whose later or drift turn says, in whatever words, that the speaker once held otherwise."""
    later = case.proposal.later
    if case.proposal.family not in Family.arcs() or later is None:
        return GATE.skipped()
    topic = topic_of(case.proposal, case.parser)
    found = acknowledgement(later.text, topic, case.parser, holder=case.proposal.holder)
    if found is not None and found.strong:
        return GATE.failed(f'the later turn acknowledges the change: "{found.words}"')
    for drift in case.proposal.drift:
        found = acknowledgement(drift.text, topic, case.parser, holder=case.proposal.holder)
        if found is not None and found.strong and _owns_up(found.words):
            return GATE.failed(f'the drift acknowledges the change: "{found.words}"')
    image = _answers_the_image(case, topic)
    if image:
        return GATE.failed(f'the later turn answers the anchor\'s own image: "{image}"')
    return GATE.passed()

"""Anchor and later turn are about one matter (TWIST paper section 4.3: the same topic, said again)."""

from __future__ import annotations

from inject.gates.case import Case, Gate
from inject.proposals import ProposedTurn
from inject.stances import LIGHT_NOUNS, LIGHT_VERBS, NOMINAL, VAGUE, Topic, content_words, topic_of
from twistcore.text.classes import related, same_theme, same_word, sisters
from twistcore.verdicts import GateResult

GATE = Gate("off_topic_pair", "1")


def judge(case: Case) -> GateResult:
    """Fails a proposal whose later turn or anchor shares nothing with the topic and nothing with the other."""
    anchor, later = case.proposal.anchor, case.proposal.later
    if anchor is None or later is None:
        return GATE.skipped()
    topic = topic_of(case.proposal, case.parser)
    if _names(case, later, topic) and _names(case, anchor, topic):
        return GATE.passed()
    if _shares(case, anchor, later):
        return GATE.passed()
    return GATE.failed("anchor and later turn share neither the topic nor a word of it")


def _names(case: Case, turn: ProposedTurn, topic: Topic) -> bool:
    """Whether a turn names the topic, by the word, its kind or class, or by two words of its matter."""
    found = [word for word in content_words(case.doc(turn)) if word.pos != "NUM"]
    strengths = {word.lemma: topic.strength(word.lemma) for word in found}
    return any(value >= 2 for value in strengths.values()) or sum(value == 1 for value in strengths.values()) >= 2


def _shares(case: Case, anchor: ProposedTurn, later: ProposedTurn) -> bool:
    """Whether the two turns have a telling word in common, or several of one matter."""
    left = _telling(case, anchor)
    right = _telling(case, later)
    if any(same_word(a, b) or related(a, b) for a in left for b in right):
        return True
    return sum(any(same_theme(a, b) or sisters(a, b) for a in left) for b in right) >= 2


def _telling(case: Case, turn: ProposedTurn) -> set[str]:
    return {
        word.lemma
        for word in content_words(case.doc(turn))
        if word.pos in (*NOMINAL, "VERB") and word.lemma not in LIGHT_NOUNS | LIGHT_VERBS | VAGUE and len(word.lemma) > 2
        and word.lemma not in {speaker.lower() for turn in case.proposal.turns for speaker in turn.speaker.split()}
    }

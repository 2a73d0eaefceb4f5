"""Anchor and later turn are about one matter (TWIST paper section 4.3: the same topic, said again)."""

from __future__ import annotations

from inject.gates.case import Case, Gate
from inject.patterns import word_list
from inject.proposals import ProposedTurn
from inject.stance_topic import LIGHT_NOUNS, LIGHT_VERBS, NOMINAL, VAGUE, Topic, content_words, topic_of
from twistcore.text.classes import defines, related, same_theme, same_word, sisters
from twistcore.verdicts import GateResult

GATE = Gate("off_topic_pair", "2")


def judge(case: Case) -> GateResult:
    """Fails a proposal whose later turn or anchor shares nothing with the topic and nothing with the other."""
    anchor, later = case.proposal.anchor, case.proposal.later
    if anchor is None or later is None:
        return GATE.skipped()
    topic = topic_of(case.proposal, case.parser)
    left, right = _telling(case, anchor, topic), _telling(case, later, topic)
    shared = sum(any(same_word(a, b) for a in left) for b in right)
    alike = sum(any(related(a, b) or same_theme(a, b) or sisters(a, b) for a in left) for b in right)
    for named in (right, left):
        strengths = [topic.strength(lemma) for lemma in named]
        if any(value >= 2 for value in strengths) or shared >= 2:
            continue
        if any(value == 1 for value in strengths) or (shared and alike >= 2):
            continue
        if not case.proposal.family.is_arc and _loosely_linked(case, topic, named, left & right):
            continue
        if any(defines(lemma, head) for lemma in named for head in topic.heads | topic.new_only) or any(
            sisters(lemma, core) for lemma in named for core in topic.cores
        ):
            continue
        return GATE.failed("anchor and later turn share neither the topic nor a word of it")
    return GATE.passed()


def _loosely_linked(case: Case, topic: Topic, named: set[str], both: set[str]) -> bool:
    """The loose link of a memory, a joke or a nudge: a word of the belief's matter, or one that the conversation hardly knows."""
    if any(same_theme(lemma, word) for lemma in named for word in topic.beliefs):
        return True
    known = case.record.vocabulary if case.record is not None else {}
    return any(len(known.get((lemma, True), ())) + len(known.get((lemma, False), ())) <= RARE for lemma in both if len(lemma) > 4)


RARE = 3


def _telling(case: Case, turn: ProposedTurn, topic: Topic) -> set[str]:
    names = {part.lower() for other in case.proposal.turns for part in other.speaker.split()}
    return {
        word.lemma
        for word in content_words(case.doc(turn))
        if (word.pos in (*NOMINAL, "VERB", "ADJ") or topic.strength(word.lemma) >= 2)
        and (word.lemma in topic.all or word.lemma not in LIGHT_NOUNS | LIGHT_VERBS | VAGUE | COMMON)
        and word.lemma not in names
        and len(word.lemma) > 2
    }


COMMON = word_list("common")

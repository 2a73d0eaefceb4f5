"""Anchor and later turn are about one matter (TWIST paper section 4.3: the same topic, said again)."""

from __future__ import annotations

from inject.gates.case import Case, Gate
from inject.gates.record_index import index_of
from inject.patterns import word_list
from inject.proposals import ProposedTurn
from inject.stance_topic import LIGHT_NOUNS, LIGHT_VERBS, NOMINAL, VAGUE, Topic, content_words, topic_of
from twistcore.text.claims import lemma_of
from twistcore.text.classes import defines, derived, is_a, related, same_theme, same_word, sisters
from twistcore.verdicts import GateResult

GATE = Gate("off_topic_pair", "4")


def judge(case: Case) -> GateResult:
    """Fails a proposal whose later turn or anchor shares nothing with the topic and nothing with the other."""
    anchor, later = case.proposal.anchor, case.proposal.later
    if anchor is None or later is None:
        return GATE.skipped()
    topic = topic_of(case.proposal, case.parser)
    if all(head in NUMBERS | GENERAL for head in topic.heads):
        return GATE.passed()
    left, right = _telling(case, anchor, topic), _telling(case, later, topic)
    shared = sum(any(same_word(a, b) for a in left) for b in right)
    alike = sum(any(related(a, b) or same_theme(a, b) or sisters(a, b) for a in left) for b in right)
    for named in (right, left):
        if any(topic.strength(lemma) >= 2 for lemma in named) or shared >= 2:
            continue
        if any(topic.strength(lemma) == 1 and not _of_modifier(lemma, topic) for lemma in named) or (shared and alike >= 2):
            continue
        if named is right and _names_ones(case, later, topic):
            continue
        if any(_part_of(lemma, head) or _state_of(lemma, head) for lemma in named for head in topic.heads):
            continue
        if not case.proposal.family.is_arc and _loosely_linked(case, topic, named, left & right):
            continue
        if any(defines(lemma, head) for lemma in named for head in topic.heads | topic.new_only) or any(
            sisters(lemma, core) for lemma in named for core in topic.cores
        ):
            continue
        return GATE.failed("anchor and later turn share neither the topic nor a word of it")
    return GATE.passed()


def _of_modifier(lemma: str, topic: Topic) -> bool:
    """Whether a word is akin only to what modifies the topic's noun ("light", of energy drinks)."""
    modifiers = topic.heads - topic.cores
    near = [head for head in topic.all if related(lemma, head) or same_theme(lemma, head)]
    return bool(near) and set(near) <= modifiers


def _loosely_linked(case: Case, topic: Topic, named: set[str], both: set[str]) -> bool:
    """The loose link of a memory, a joke or a nudge: a word of the belief's matter, or one that the conversation hardly knows."""
    if any(same_theme(lemma, word) for lemma in named for word in topic.beliefs):
        return True
    known = case.record.vocabulary if case.record is not None else {}
    return any(len(known.get((lemma, True), ())) + len(known.get((lemma, False), ())) <= RARE for lemma in both if len(lemma) > 4)


def _names_ones(case: Case, turn: ProposedTurn, topic: Topic) -> bool:
    """Whether the turn calls by its name what the record calls so ("Susie", of a snake)."""
    if case.record is None:
        return False
    speakers = {part for other in case.proposal.turns for part in other.speaker.split()}
    index = index_of(case.record)
    of_topic = frozenset().union(*(index.turns_naming(core) for core in topic.cores))
    return any(
        token.pos_ == "PROPN"
        and token.text not in speakers
        and case.record.vocabulary.get((lemma_of(token), True), frozenset()) & of_topic
        for token in case.doc(turn)
        if token.ent_type_ != "DATE" and token.lower_ not in TIMES
    )


GENERAL = frozenset({"be", "have", "get", "go", "make", "take", "do", "keep", "stay", "put"})
NUMBERS = frozenset({"one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve"})
TIMES = word_list("time_nouns")


def _part_of(lemma: str, head: str) -> bool:
    """Whether a word is the first or last part of a closed compound ("book" of "bookkeeping")."""
    return len(lemma) >= 4 and len(head) - len(lemma) >= 4 and (head.startswith(lemma) or head.endswith(lemma))


def _state_of(lemma: str, head: str) -> bool:
    """Whether what the word is derived to is a class of the head ("sick" of "flu", by "sickness")."""
    return any(is_a(word, head) or is_a(head, word) for word in derived(lemma) if word not in LIGHT_NOUNS)


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

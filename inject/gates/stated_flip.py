"""Does a hard negative that must not flip state the flip as a fact of now (TWIST paper section 4.3)?

A memory, a joke or a nudge that leaves its frame ("picture it no longer", "these days I'm back at it") is an unmarked
contradiction.
"""

from __future__ import annotations

import re

from arcs.taxonomy import Family
from inject.patterns import pattern, word_list
from inject.stance_topic import Direction
from inject.stances import NEAR_MISS, ONE_OFF, Reading, flips
from twistcore.text.claims import Attitude, Clause, Modality, Subject, Tense, lemma_of, plain, words

NOSTALGIC = pattern("nostalgic")
UNREAL = pattern("unreal")
NEWS = pattern("news")
FRESH = pattern("fresh")
MEDIA = word_list("media")
ACQUIRE = word_list("acquire")


def stated_flip(reading: Reading, family: Family) -> Clause | None:
    """A clause of a hard negative that states the contrary state as a fact of now."""
    keep = reading.topic.direction is Direction.KEEP
    plainly = _openly(reading, family)
    if plainly is not None:
        return plainly
    if (
        any(
            clause.subject is Subject.FIRST and clause.negated and not clause.ceased and reading.on_topic(clause)
            for clause in reading.found
        )
        and not keep
    ):
        return None
    for clause in flips(reading):
        sentence = plain(clause.sentence.text)
        body = plain(clause.text)
        if (
            clause.tense is Tense.OVER
            or clause.subject is not Subject.FIRST
            or _has_others_subject(clause)
            or clause.head.dep_ == "csubj"
        ):
            continue
        if UNREAL.search(sentence) or NEAR_MISS.search(body) or ONE_OFF.search(sentence) or NOSTALGIC.search(body):
            continue
        fresh = bool(NEWS.search(sentence)) if clause.tense is not Tense.PAST else bool(FRESH.search(sentence))
        strong = bool(set(clause.predicates) & (ACQUIRE | reading.topic.verbs))
        if keep:
            if clause.ceased and strong and (clause.tense is Tense.NOW or fresh or family is not Family.HN_A5):
                near = any(token.dep_ in ("dobj", "pobj", "xcomp", "prt") for token in reading.topic.mentions(clause.tokens, 1))
                if names_directly(clause, reading) or near:
                    return clause
            continue
        if not names_directly(clause, reading):
            continue
        if (clause.tense is Tense.NOW and (strong or clause.attitude is Attitude.POSITIVE)) or (fresh and strong):
            return clause
    return None


CAME_TRUE = pattern("came_true")
RESUMED = pattern("resumed")
USED_UP = pattern("used_up")
FAREWELL = pattern("farewell")


def _openly(reading: Reading, family: Family) -> Clause | None:
    """A clause that leaves a joke, a memory or a nudge for the fact: "picture it no longer", "these days I'm back at it"."""
    for clause in reading.found:
        text = plain(clause.sentence.text)
        if family is Family.HN_A3 and CAME_TRUE.search(text):
            return clause
        if family is Family.HN_A1 and USED_UP.search(text):
            return clause
        if clause.subject is not Subject.FIRST:
            continue
        if family is Family.HN_A4 and clause.tense is Tense.PAST and FAREWELL.search(text):
            return clause
        if family in (Family.HN_A1, Family.HN_A5) and clause.tense is Tense.NOW and RESUMED.search(text):
            return clause
        ended = clause.ceased and not clause.negated and clause.modality is Modality.ASSERTED and clause.tense is Tense.PAST
        if family is Family.HN_A4 and ended and re.search(r"\binstead\b", text):
            return clause
    return None


def _has_others_subject(clause: Clause) -> bool:
    """Whether a clause without a subject of its own stands in a sentence that opens with another's ("They have ... and ...")."""
    return clause.subject_token is None and any(
        (token.lower_ in ("they", "he", "she") and token.dep_ == "nsubj") or lemma_of(token) in words().lists["kin"]
        for token in clause.sentence
        if token.i < clause.head.i
    )


def names_directly(clause: Clause, reading: Reading) -> bool:
    """Whether the topic is the object of what is done, not a place or time beside it."""
    if any(token.lower_ in ("it", "them", "one", "her", "him") and token.dep_ == "dobj" for token in clause.tokens):
        return True
    for token in reading.topic.mentions(clause.tokens):
        if not reading.topic.named_by(lemma_of(token)):
            continue
        if token.dep_ in ("dobj", "ROOT", "xcomp", "conj", "attr", "oprd") or token.pos_ == "VERB":
            return True
        if token.dep_ == "pobj" and token.head.lower_ in ("to", "on", "for", "with", "up", "of", "from", "off"):
            return True
        if token.dep_ in ("compound", "amod") and token.head.dep_ in ("dobj", "pobj") and lemma_of(token.head) not in MEDIA:
            return True
    return False

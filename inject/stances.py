"""Does a clause of a turn state the contrary of the anchor's stance as a fact?

Sources: TWIST paper section 4.3 (reversal arcs and their hard negatives), DESIGN.md rules 5 and 6.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING

from inject.patterns import pattern, word_list
from inject.stance_topic import Direction, Topic, may_mention, same_topic_word, topic_lemma
from twistcore.text.claims import Clause, Modality, Subject, Tense, clauses, lemma_of, plain, words
from twistcore.text.classes import is_a, same_theme
from twistcore.text.parses import Parser

if TYPE_CHECKING:
    from spacy.tokens import Doc, Token

REFERRING = frozenset(
    {"it", "them", "one", "her", "him", "she", "he", "this", "these", "those", "that", "ones", "its", "mine", "both", "any", "some"}
)
GONE = pattern("gone")
NEAR_MISS = pattern("near_miss")
ONE_OFF = pattern("one_off")
PAUSED = pattern("paused")
SUBSTITUTE = pattern("substitute")
BALKED = pattern("balked")
UNDERCUT = pattern("undercut")


@dataclass(frozen=True)
class Reading:
    """A turn read against a topic: its clauses, which are on the topic, and how much they say."""

    doc: Doc
    topic: Topic
    found: tuple[Clause, ...]
    named: frozenset[int]

    def on_topic(self, clause: Clause, least: int = 2) -> bool:
        """Whether a clause names the topic, or refers to it by a pronoun after it was named in the turn."""
        if self.topic.mentions(clause.tokens, least):
            return True
        start = min((token.i for token in clause.tokens), default=0)
        if not any(index < start for index in self.named):
            return False
        return any(
            (token.lower_ == "there" and token.dep_ == "advmod")
            or (token.lower_ in REFERRING and token.pos_ in ("PRON", "DET", "NUM", "NOUN") and token.dep_ != "expl")
            for token in clause.tokens
        )


@lru_cache(maxsize=1024)
def read_turn(text: str, topic: Topic, parser: Parser) -> Reading:
    """Read one turn against a topic."""
    doc = parser.parse(text)
    return Reading(doc, topic, tuple(clauses(doc)), frozenset(token.i for token in topic.mentions(doc)))


FACT_TENSES = (Tense.NOW, Tense.PAST, Tense.NONE)
WEAK_PREDICATES = word_list("weak_predicates")


def flips(reading: Reading) -> list[Clause]:
    """Clauses that state the contrary of the topic's stance as a fact of the speaker's."""
    test = _takes_up if reading.topic.direction is Direction.AVOID else _lets_go
    return [clause for clause in reading.found if (_is_fact(clause) and test(clause, reading)) or _prizes(clause, reading)]


PRIZED = pattern("prized")


def _prizes(clause: Clause, reading: Reading) -> bool:
    """Whether the speaker would not be without what the anchor refused ("I couldn't live without my air fryer")."""
    if (
        reading.topic.direction is not Direction.AVOID
        or clause.subject is not Subject.FIRST
        or clause.modality is Modality.QUESTION
    ):
        return False
    return reading.on_topic(clause) and bool(PRIZED.search(plain(clause.sentence.text)))


def _is_fact(clause: Clause) -> bool:
    return clause.modality is Modality.ASSERTED and clause.tense in FACT_TENSES and clause.subject is not Subject.SECOND


def _takes_up(clause: Clause, reading: Reading) -> bool:
    """An affirmed clause on the topic that is the speaker's."""
    if clause.predicates and clause.predicates[0] in WEAK_PREDICATES:
        return False
    if not reading.on_topic(clause) or person_of(clause):
        return False
    text = plain(clause.text)
    if not _participates(clause, reading):
        return False
    affirmed = clause.affirmed or (
        clause.negated and bool(re.search(r"\bwithout\b|\bn't just\b|\bnot (?:just|only)\b|\bmore\b", text))
    )
    return affirmed and (clause.own or owned_mention(clause, reading))


def _participates(clause: Clause, reading: Reading) -> bool:
    """Whether the topic takes part in the clause and is not only the name of a place ("the tattoo shop")."""
    found = reading.topic.mentions(clause.tokens)
    phrasal = any(child.dep_ == "prt" for child in clause.head.children)
    beside = BESIDE - {"read"} if any(same_theme(core, "book") or is_a(core, "book") for core in reading.topic.cores) else BESIDE
    if not phrasal and set(clause.predicates) & beside and not set(clause.predicates) & (reading.topic.verbs | reading.topic.acts):
        return False
    if not found:
        return True
    if FOR_OTHERS.search(plain(clause.text)) and not set(clause.predicates) & (reading.topic.verbs | reading.topic.acts):
        return False
    if any(child.dep_ == "poss" and child.lower_ not in words().lists["first"] for token in found for child in token.children):
        return False
    return any(
        not (token.dep_ in ("compound", "amod", "nmod") and token.head.i not in reading.named and lemma_of(token.head) in PLACES)
        for token in found
    )


BESIDE = word_list("beside")
FOR_OTHERS = pattern("for_others")
PLACES = word_list("places")


def _takes_the_new(clause: Clause, reading: Reading) -> bool:
    """Whether an own, affirmed clause names what the new belief puts in place of the old."""
    if not (reading.topic.new_only or reading.topic.new_acts) or not clause.affirmed or not clause.own or person_of(clause):
        return False
    new = reading.topic.new_only
    if set(clause.predicates) & reading.topic.new_acts and clause.subject is Subject.FIRST and reading.on_topic(clause, 1):
        return True
    return any(may_mention(token) and any(same_topic_word(topic_lemma(token), word) for word in new) for token in clause.tokens)


def _lets_go(clause: Clause, reading: Reading) -> bool:
    """A clause that tells the end of what the speaker held on to."""
    if _takes_the_new(clause, reading):
        return True
    text = plain(clause.text)
    named = bool(reading.named)
    ended = clause.ceased and not clause.negated
    if clause.subject is Subject.FIRST:
        if (ended or HANDED.search(text)) and not clause.negated:
            return named
        return clause.negated and not clause.ceased and reading.on_topic(clause) and not re.search(r"\bwithout\b|\bmore\b", text)
    if not reading.on_topic(clause) or person_of(clause):
        return False
    return bool(GONE.search(text)) and (clause.own or owned_mention(clause, reading) or clause.subject is Subject.GENERIC)


HANDED = pattern("handed")


def owned_mention(clause: Clause, reading: Reading) -> bool:
    """Whether the clause names the topic as the speaker's ("my cat", "a kitten of mine"), or tells it of the speaker."""
    first = words().lists["first"]
    for token in reading.topic.mentions(clause.tokens):
        if any(child.dep_ == "poss" and child.lower_ in first for child in token.children):
            return True
    return any(token.lower_ in first and not _kins(token) for token in clause.tokens)


def _kins(token: Token) -> bool:
    return token.dep_ == "poss" and lemma_of(token.head) in words().lists["kin"]


CREWS = frozenset({"team", "crew", "band", "staff", "crowd"})


def person_of(clause: Clause) -> str | None:
    """The person other than the speaker, and other than a general `you`, that is the clause's subject."""
    subject = clause.subject_token
    if subject is None:
        return None
    if subject.lower_ in ("he", "she"):
        before = subject.doc[: subject.i]
        human = any(lemma_of(token) in words().lists["kin"] for token in before)
        return str(subject.text) if human else None
    if any(child.dep_ == "conj" and child.lower_ in words().lists["first"] for child in subject.subtree):
        return None
    if lemma_of(subject) in CREWS and any(child.dep_ in ("compound", "amod") for child in subject.children):
        return None
    if lemma_of(subject) in words().lists["kin"] or any(
        lemma_of(child) in words().lists["kin"] and child.dep_ == "pobj" for part in subject.children for child in part.children
    ):
        return str(subject.text)
    return None

"""Stated facts about a speaker, by dependency rules: what they say of themselves, and what the other says to them.

"I work at the museum", "my sister is here" and "we went hiking" are facts of who says them; "your dog is cute" and
"you sold the shop" are facts of who hears them. Subjects are always put as the person concerned would: I, we, my sister.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING

from personas.record import RecordIndex
from personas.words import word_set

if TYPE_CHECKING:
    from spacy.tokens import Doc, Span, Token

_FIRST = frozenset({"i", "we"})
_OWN = frozenset({"my", "our"})
_OPINION = word_set(
    "think know guess mean see hope say tell believe bet wonder understand hear agree thank wish let appreciate sound",
)
_COURTESY = frozenset({"appreciate", "thank", "wish", "mean", "wait", "guess", "suppose"})
_NEEDY = frozenset({"be", "have", "do", "go", "get", "make", "take", "come", "want", "need", "look"})
# A pronoun alone states nothing that can be read without the turns around it.
_EMPTY_COMPLEMENTS = frozenset(
    {"it", "that", "this", "you", "them", "those", "these", "me", "what", "lot", "so", "sure", "glad", "sorry", "something"}
)
_INTENDING = word_set("want wanna plan hope wish intend aim consider think need dream look")
_CHAINING = word_set(
    "start begin keep continue stop quit finish love like enjoy hate prefer learn manage get decide try avoid refuse miss",
    "stand help mind adore plan",
)
_DENYING = word_set("never no not n't n’t neither nor hardly barely without nobody nothing none")
_POSSIBLE = word_set("may might could can should must ought")
_TAG = re.compile(
    r",\s*(?:right|huh|eh|yeah|no|you know|(?:is|was|are|were|do|does|did|have|has|had|would|wo|ca)n['’]t "
    r"(?:it|they|you|i|we|he|she|that))\?\W*$",
    re.IGNORECASE,
)
_COMPLEMENTS = ("dobj", "attr", "acomp", "oprd", "dative")
_LEFT = frozenset({"compound", "amod", "nummod", "nmod", "quantmod", "poss"})
_CLAUSE_DEPS = frozenset(
    {"ROOT", "conj", "ccomp", "advcl", "relcl", "acl", "parataxis", "pcomp", "csubj", "dep", "xcomp", "appos", "intj", "nsubj"}
)
MAX_PREPOSITIONS = 2
# Things that everybody has: their possessive says nothing about the speaker.
_IDLE = word_set(
    "support help word thought way best life time day heart mind face hand eye head part turn thing kind message question",
    "idea opinion feeling energy effort work job mood kindness encouragement advice spirit confidence attitude belief own",
    "hope dream goal passion journey experience story side",
)


class Polarity(StrEnum):
    """Whether a clause affirms or denies."""

    AFFIRMED = "affirmed"
    DENIED = "denied"


class Modality(StrEnum):
    """How a fact is put forward. `presupposed`: only a possessive says so ("my boat"); `former`: "used to"."""

    ASSERTED = "asserted"
    PRESUPPOSED = "presupposed"
    FORMER = "former"
    INTENDED = "intended"
    POSSIBLE = "possible"
    HYPOTHETICAL = "hypothetical"
    QUESTION = "question"


@dataclass(frozen=True, slots=True)
class StatedFact:
    """One clause about its holder. `dia_id` is the evidence, `told_by` its speaker: the holder, or the partner speaking to them."""

    dia_id: str
    subject: str
    predicate: str
    object: str
    polarity: Polarity
    modality: Modality
    text: str
    told_by: str


@dataclass(frozen=True, slots=True)
class _Clause:
    second_person: bool
    subject: str
    predicate: str
    object: str
    polarity: Polarity
    modality: Modality
    text: str


def state_facts(index: RecordIndex) -> dict[str, tuple[StatedFact, ...]]:
    """Facts of both speakers, by name, in reading order; each at most once a turn."""
    facts: dict[str, dict[StatedFact, None]] = {name: {} for name in index.conversation.speakers}
    for turn in index.turns:
        partner = index.conversation.partner_of(turn.speaker)
        for clause in _clauses(index.docs[turn.dia_id]):
            fact = StatedFact(
                turn.dia_id,
                clause.subject,
                clause.predicate,
                clause.object,
                clause.polarity,
                clause.modality,
                clause.text,
                turn.speaker,
            )
            facts[partner if clause.second_person else turn.speaker][fact] = None
    return {name: tuple(found) for name, found in facts.items()}


def _clauses(doc: Doc) -> Iterator[_Clause]:
    tokens = list(doc)
    for sentence in doc.sents:
        text = sentence.text.strip()
        asked = text.rstrip("\"')").endswith("?") and _TAG.search(text) is None
        for token in tokens[sentence.start : sentence.end]:
            if token.pos_ in {"VERB", "AUX"} and token.dep_ in _CLAUSE_DEPS:
                clause = _verb_clause(token, sentence, text, asked)
                if clause is not None:
                    yield clause
            elif token.dep_ == "poss" and token.lower_ in {"my", "our", "your"}:
                head = token.head
                if head.pos_ in {"NOUN", "PROPN"} and head.lemma_.lower() not in _IDLE:
                    owner = "we" if token.lower_ == "our" else "I"
                    yield _Clause(
                        token.lower_ == "your", owner, "have", _phrase(head, False), Polarity.AFFIRMED, Modality.PRESUPPOSED, text
                    )


def _verb_clause(verb: Token, sentence: Span, text: str, asked: bool) -> _Clause | None:
    found = _subject(verb, sentence, asked)
    if found is None:
        return None
    subject, second_person = found
    chain, last, modality = _chain(verb)
    complement = _complement(last)
    predicate = " ".join(chain)
    if chain[-1] in _COURTESY or complement in _EMPTY_COMPLEMENTS or (not complement and chain[-1] in _OPINION | _NEEDY):
        return None
    if second_person and subject.rsplit(" ", 1)[-1] in _IDLE:
        return None
    if asked:
        modality = Modality.QUESTION
    return _Clause(second_person, subject, predicate, complement, _polarity(verb, last), modality, text)


def _subject(verb: Token, sentence: Span, asked: bool) -> tuple[str, bool] | None:
    """The subject as its holder would name it, and whether it is the hearer's; None when the clause is about neither speaker."""
    bearer = verb
    for _ in range(3):
        subject = next((child for child in bearer.children if child.dep_ in {"nsubj", "nsubjpass"}), None)
        if subject is not None:
            return _person(subject)
        if bearer.dep_ != "conj" or bearer.head.pos_ not in {"VERB", "AUX"}:
            break
        bearer = bearer.head
    return ("I", False) if bearer.dep_ == "ROOT" and not asked and _drops_subject(bearer, sentence) else None


def _person(subject: Token) -> tuple[str, bool] | None:
    if subject.lower_ in _FIRST:
        return subject.lower_.replace("i", "I"), False
    if subject.lower_ in {"you", "ya"}:
        return "I", True
    if subject.pos_ in {"NOUN", "PROPN"}:
        for child in subject.children:
            if child.dep_ == "poss" and child.lower_ in _OWN | {"your"}:
                owner = "my" if child.lower_ == "your" else child.lower_
                return f"{owner} {_phrase(subject, False)}", child.lower_ == "your"
            if child.dep_ == "conj" and child.lower_ in _FIRST:
                return "we", False
    return None


def _drops_subject(verb: Token, sentence: Span) -> bool:
    """Whether a sentence leaves out its "I": "Went to the beach", "Just got a car", "Been busy", "Can't wait"."""
    before = [token for token in sentence if token.i < verb.i and not token.is_space]
    if any(token.pos_ not in {"ADV", "INTJ", "PUNCT", "CCONJ", "AUX", "PART"} for token in before):
        return False
    helpers = {token.lower_ for token in before if token.dep_ in {"aux", "auxpass"}}
    if verb.tag_ == "VBD":
        return not helpers
    return bool(helpers & {"been", "ca", "can", "might", "will", "gon"}) or (verb.tag_ == "VBN" and verb.lower_ == "been")


def _chain(verb: Token) -> tuple[list[str], Token, Modality]:
    """Predicate lemmas down a chain of open complements, the verb at its end, and how the whole is put forward."""
    modality = _own_modality(verb)
    lemmas = [_lemma(verb)]
    last = verb
    for _ in range(3):
        inner = next(
            (
                child
                for child in last.children
                if child.dep_ in {"xcomp", "ccomp"} and child.pos_ == "VERB" and not _has_subject(child)
            ),
            None,
        )
        lemma = last.lemma_.lower()
        if inner is None:
            break
        if lemma == "use" and last.tag_ == "VBD":
            modality, lemmas = Modality.FORMER, [_lemma(inner)]
        elif (
            (lemma == "go" and last.tag_ == "VBG")
            or lemma == "gon"
            or lemma in _INTENDING | {"wait"}
            or (modality is Modality.HYPOTHETICAL and lemma in {"love", "like"})
        ):
            modality, lemmas = Modality.INTENDED, [*lemmas[:-1], _lemma(inner)]
        elif lemma in _CHAINING:
            lemmas.append(_lemma(inner))
        else:
            break
        last = inner
    return lemmas, last, modality


def _has_subject(verb: Token) -> bool:
    return any(child.dep_ in {"nsubj", "nsubjpass"} for child in verb.children)


def _lemma(verb: Token) -> str:
    particle = next((child.lower_ for child in verb.children if child.dep_ == "prt"), None)
    lemma = (
        {"'s": "be", "'m": "be", "'re": "be", "'ve": "have"}.get(verb.lower_.replace("’", "'"), verb.lemma_.lower())
        if verb.pos_ == "AUX"
        else verb.lemma_.lower()
    )
    return f"{lemma} {particle}" if particle else lemma


def _own_modality(verb: Token) -> Modality:
    helpers = {child.lower_.replace("’", "'") for child in verb.children if child.dep_ in {"aux", "auxpass"}}
    would = any(
        child.lower_ == "would" or (child.lower_ in {"'d", "’d"} and child.tag_ == "MD")
        for child in verb.children
        if child.dep_ == "aux"
    )
    condition = any(child.dep_ == "mark" and child.lower_ in {"if", "unless"} for child in verb.children)
    if would or condition or verb.head.lemma_ in {"wish", "imagine"}:
        return Modality.HYPOTHETICAL
    # "I can't eat that" asserts an inability; "I can eat that" only a possibility.
    if helpers & _POSSIBLE and not any(child.dep_ == "neg" for child in verb.children):
        return Modality.POSSIBLE
    return Modality.INTENDED if helpers & {"will", "'ll", "wo", "shall"} else Modality.ASSERTED


def _polarity(verb: Token, last: Token) -> Polarity:
    ends = (verb,) if verb.i == last.i else (verb, last)
    denials = 0
    for end in ends:
        for child in () if end.lemma_ == "wait" else end.children:
            if (
                child.dep_ == "neg"
                or (child.dep_ in {"advmod", "preconj"} and child.lower_ in _DENYING)
                or (
                    child.dep_ in _COMPLEMENTS
                    and (child.lower_ in _DENYING or any(part.lower_ == "no" for part in child.children if part.dep_ == "det"))
                )
            ):
                denials += 1
    return Polarity.DENIED if denials % 2 else Polarity.AFFIRMED


def _complement(verb: Token) -> str:
    """The object or complement with up to two prepositional phrases: "job at museum", "to beach with family"."""
    parts = []
    prepositions = 0
    for child in verb.children:
        if child.dep_ in _COMPLEMENTS and child.dep_ != "dative":
            parts.append(", ".join(_phrase(head) for head in (child, *child.conjuncts) if head.dep_ in {child.dep_, "conj"}))
        elif child.dep_ == "prep" and prepositions < MAX_PREPOSITIONS:
            prepositions += 1
            parts += [f"{child.lower_} {_phrase(inner)}" for inner in child.children if inner.dep_ == "pobj"]
    return " ".join(parts)


def _phrase(head: Token, follow: bool = True) -> str:
    """A noun phrase without articles, in lower case, with what its first "of", "for" or "about" names."""
    words = [child.lower_ for child in head.lefts if child.dep_ in _LEFT and child.lower_ not in {"my", "our", "your"}]
    phrase = " ".join([*words, head.lower_])
    if follow:
        for child in head.rights:
            if child.dep_ == "prep" and child.lower_ in {"of", "for", "about", "in", "at", "with"}:
                inner = next((token for token in child.children if token.dep_ == "pobj"), None)
                if inner is not None:
                    return f"{phrase} {child.lower_} {_phrase(inner, False)}"
    return phrase

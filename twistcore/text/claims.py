"""Claims of a parsed text: its clauses, each with subject, predicate, content, polarity, modality, time and attitude.

General on purpose: the gates use it on proposals and on the record, and the re-validation of questions on injected turns.
Source of the categories: TWIST paper section 3.1 (what separates a contradiction from a hypothetical, a memory or a plan) and
DESIGN.md rule 5 (a claim that is only asked is none). Word classes lie in data/stance_words.yaml.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING

from twistcore.text.mood import Modality, Tense, first_person_inside, is_asked, modality_of, over_flags, tense_of, verb_chain
from twistcore.text.stance_words import is_ceasing, is_negator, lemma_of, plain, words

if TYPE_CHECKING:
    from spacy.tokens import Doc, Span, Token


class Subject(StrEnum):
    """Who a clause is about."""

    FIRST = "first"
    OWNED = "owned"
    SECOND = "second"
    OTHER = "other"
    GENERIC = "generic"


class Attitude(StrEnum):
    """Whether the predicate likes or dislikes."""

    POSITIVE = "positive"
    NEGATIVE = "negative"
    NEUTRAL = "neutral"


@dataclass(frozen=True, eq=False)
class Clause:
    """One clause. `predicates` is the chain of verb lemmas (want, buy); `tokens` are its own, without nested clauses."""

    head: Token
    tokens: tuple[Token, ...]
    subject: Subject
    subject_token: Token | None
    predicates: tuple[str, ...]
    content: frozenset[str]
    negated: bool
    ceased: bool
    modality: Modality
    tense: Tense
    attitude: Attitude
    sentence: Span

    @property
    def affirmed(self) -> bool:
        """Neither negated nor stopped nor refused (a negated refusal affirms)."""
        return self.negated == self.ceased

    @property
    def real(self) -> bool:
        """Put forward as fact."""
        return self.modality is Modality.ASSERTED

    @property
    def own(self) -> bool:
        """About the speaker or something of the speaker's."""
        return self.subject in (Subject.FIRST, Subject.OWNED)

    @property
    def text(self) -> str:
        """The words of the clause, for reasons."""
        return " ".join(token.text for token in self.tokens)


CLAUSE_DEPS = frozenset(
    {"ROOT", "ccomp", "advcl", "relcl", "acl", "csubj", "csubjpass", "parataxis", "conj", "appos", "dep", "pcomp"}
)


CONTENT_POS = frozenset({"NOUN", "PROPN", "VERB", "ADJ", "NUM", "ADV", "AUX"})


def _is_clause_head(token: Token) -> bool:
    if token.dep_ == "ROOT":
        return True
    if token.dep_ not in CLAUSE_DEPS:
        return False
    verbal = token.pos_ in ("VERB", "AUX") or any(child.dep_ in ("nsubj", "nsubjpass", "cop") for child in token.children)
    if not verbal:
        return False
    if token.dep_ == "pcomp":
        return token.head.lower_ in ("without", "instead", "of") and (
            token.head.lower_ != "of" or token.head.head.lower_ == "instead"
        )
    return not (token.dep_ == "appos" and not any(child.dep_.startswith("nsubj") for child in token.children))


def _own_tokens(head: Token, heads: frozenset[int]) -> tuple[Token, ...]:
    out = []
    stack = [head]
    while stack:
        token = stack.pop()
        if not token.is_space:
            out.append(token)
        stack.extend(child for child in token.children if child.i not in heads)
    return tuple(sorted(out, key=lambda token: token.i))


def _subject(head: Token) -> Token | None:
    """The subject token of a clause, inherited through conjunction and control."""
    seen = 0
    token = head
    while seen < 6:
        for child in token.children:
            if child.dep_ in ("nsubj", "nsubjpass", "csubj", "expl") and child.i != token.i:
                return child
        if token.dep_ in ("conj", "xcomp", "pcomp", "advcl") and token.head.i != token.i:
            step = token.head
            if token.dep_ == "conj" and token.head.pos_ not in ("VERB", "AUX") and token.head.dep_ != "ROOT":
                return None
            token = step
            while token.pos_ == "ADP" and token.head.i != token.i:
                token = token.head
            seen += 1
            continue
        if token.dep_ in ("relcl", "acl") and token.head.i != token.i:
            return token.head
        return None
    return None


def owner(token: Token) -> str | None:
    """`first`, `second` or `other` where the noun has a possessor ("my cat", "your cat", "my sister's cat", "a cat of mine")."""
    for child in token.children:
        if child.dep_ == "poss":
            lower = child.lower_
            if lower in words().lists["first"]:
                return "first"
            if lower in words().lists["second"]:
                return "second"
            return "first" if owner(child) == "first" and lemma_of(child) not in words().lists["kin"] else "other"
        if child.dep_ == "prep" and child.lower_ == "of":
            for grand in child.children:
                if grand.lower_ in ("mine", "ours"):
                    return "first"
                if grand.lower_ == "yours":
                    return "second"
                found = owner(grand) if grand.dep_ == "pobj" else None
                if found:
                    return found
    return None


def _subject_kind(head: Token, subject: Token | None) -> Subject:
    first, second = words().lists["first"], words().lists["second"]
    if subject is None:
        if head.pos_ in ("VERB", "AUX"):
            if head.tag_ == "VB" and not any(child.dep_ == "aux" for child in head.children):
                return Subject.GENERIC
            return Subject.FIRST
        held = owner(head)
        return {"first": Subject.OWNED, "second": Subject.SECOND}.get(held or "", Subject.GENERIC)
    lower = subject.lower_
    if lower in first:
        return Subject.FIRST
    if any(child.dep_ == "conj" and child.lower_ in first for child in subject.subtree):
        return Subject.FIRST
    if lower in second:
        return Subject.SECOND
    if lemma_of(subject) in words().lists["kin"]:
        return Subject.OTHER
    if any(child.dep_ == "relcl" and first_person_inside(child) for child in subject.children):
        return Subject.OWNED
    held = owner(subject)
    if held == "first":
        return Subject.OWNED
    if held == "second":
        return Subject.SECOND
    if lower in ("it", "this", "that", "there", "these", "those", "they", "what", "which", "who", "one"):
        return Subject.GENERIC if lower != "they" else Subject.OTHER
    return Subject.OTHER


def clauses(doc: Doc) -> tuple[Clause, ...]:
    """All clauses of a text in the order of their heads; read once a parse and kept with it."""
    kept: tuple[Clause, ...] | None = doc.user_data.get(_KEPT)
    if kept is None:
        kept = doc.user_data[_KEPT] = tuple(_read_clauses(doc))
    return kept


_KEPT = "twist_clauses"


def _read_clauses(doc: Doc) -> list[Clause]:
    heads = frozenset(token.i for token in doc if _is_clause_head(token) and not token.is_punct and not token.is_space)
    out: list[Clause] = []
    flags = over_flags(doc)
    for sentence, over in zip(doc.sents, flags, strict=True):
        asked = is_asked(sentence)
        for token in sentence:
            if token.i in heads:
                out.append(_clause(token, heads, sentence, asked=asked, over=over))
    return out


def _clause(head: Token, heads: frozenset[int], sentence: Span, *, asked: bool, over: bool) -> Clause:
    own = _own_tokens(head, heads)
    chain = verb_chain(head)
    subject = _subject(head)
    if subject is not None and subject.i == head.i:
        subject = None
    negated = any(is_negator(token) and not _inner_negation(token) for token in own)
    if not negated and head.dep_ == "pcomp" and head.head.lower_ == "without":
        negated = True
    if not negated and head.dep_ == "xcomp":
        negated = any(is_negator(child) for child in head.head.children)
    ceased = any(is_ceasing(verb) for verb in chain)
    if (
        not negated
        and not ceased
        and words().refusal.search(plain(" ".join(token.text_with_ws for token in own).replace("  ", " ")))
    ):
        ceased = True
    lemmas = [lemma_of(verb) for verb in chain]
    lists = words().lists
    liking = Attitude.NEUTRAL
    if set(lemmas) & lists["positives"]:
        liking = Attitude.NEGATIVE if negated else Attitude.POSITIVE
    elif set(lemmas) & lists["negatives"]:
        liking = Attitude.POSITIVE if negated else Attitude.NEGATIVE
    return Clause(
        head=head,
        tokens=own,
        subject=_subject_kind(head, subject),
        subject_token=subject,
        predicates=tuple(lemmas),
        content=frozenset(
            lemma_of(t) for t in own if t.pos_ in CONTENT_POS and not t.is_stop and lemma_of(t) not in words().lists["light"]
        ),
        negated=negated,
        ceased=ceased,
        modality=modality_of(head, own, chain, sentence, asked),
        tense=tense_of(head, chain, over),
        attitude=liking,
        sentence=sentence,
    )


def _inner_negation(token: Token) -> bool:
    """Negators that leave the clause's polarity alone: "no matter", "no wonder", "not only", "no problem", "nothing but"."""
    after = token.doc[token.i + 1].lower_ if token.i + 1 < len(token.doc) else ""
    return token.lower_ in ("no", "not", "nothing") and after in (
        "matter",
        "wonder",
        "only",
        "problem",
        "doubt",
        "but",
        "joke",
        "kidding",
        "to",
    )


def sentences_of(doc: Doc) -> Iterator[tuple[Span, list[Clause]]]:
    """Each sentence with its clauses."""
    found = clauses(doc)
    for sentence in doc.sents:
        yield sentence, [clause for clause in found if sentence.start <= clause.head.i < sentence.end]


__all__ = [
    "Attitude",
    "Clause",
    "Modality",
    "Subject",
    "Tense",
    "clauses",
    "is_asked",
    "is_ceasing",
    "is_negator",
    "lemma_of",
    "owner",
    "plain",
    "sentences_of",
    "words",
]

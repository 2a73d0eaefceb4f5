"""Claims of a parsed text: its clauses, each with subject, predicate, content, polarity, modality, time and attitude.

General on purpose: the gates use it on proposals and on the record, and the re-validation of questions on injected turns.
Source of the categories: TWIST paper section 3.1 (what separates a contradiction from a hypothetical, a memory or a plan) and
DESIGN.md rule 5 (a claim that is only asked is none). Word classes lie in data/stance_words.yaml.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING

import yaml

if TYPE_CHECKING:
    from spacy.tokens import Doc, Span, Token


class Subject(StrEnum):
    """Who a clause is about."""

    FIRST = "first"
    OWNED = "owned"
    SECOND = "second"
    OTHER = "other"
    GENERIC = "generic"


class Modality(StrEnum):
    """How a clause is put forward."""

    ASSERTED = "asserted"
    HYPOTHETICAL = "hypothetical"
    QUESTION = "question"
    INTENDED = "intended"
    POSSIBLE = "possible"
    REPORTED = "reported"


class Tense(StrEnum):
    """When a clause holds: now or as a habit, in the recent or undated past, in a past that is over, or in the future."""

    NOW = "now"
    PAST = "past"
    OVER = "over"
    FUTURE = "future"
    NONE = "none"


class Attitude(StrEnum):
    """Whether the predicate likes or dislikes."""

    POSITIVE = "positive"
    NEGATIVE = "negative"
    NEUTRAL = "neutral"


@dataclass(frozen=True)
class Words:
    """The closed word classes and fixed phrases."""

    lists: dict[str, frozenset[str]]
    phrasal: dict[str, frozenset[str]]
    refusal: re.Pattern[str]
    commitment: re.Pattern[str]
    over: re.Pattern[str]


@lru_cache(maxsize=1)
def words() -> Words:
    """The word classes, read once."""
    raw = yaml.safe_load((Path(__file__).parent / "data" / "stance_words.yaml").read_text(encoding="utf-8"))
    lists = {key: frozenset(map(str, value)) for key, value in raw.items() if isinstance(value, list) and "phrases" not in key}

    def joined(key: str) -> re.Pattern[str]:
        return re.compile("|".join(f"(?:{part})" for part in raw[key]))

    return Words(
        lists=lists,
        phrasal={verb: frozenset(parts) for verb, parts in raw["phrasal_cessations"].items()},
        refusal=joined("refusal_phrases"),
        commitment=joined("commitment_phrases"),
        over=joined("over_phrases"),
    )


def plain(text: str) -> str:
    """Lower case with straight apostrophes and single spaces, for phrase patterns."""
    return re.sub(r"\s+", " ", text.replace("’", "'").replace("‘", "'")).lower().strip()


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


CLAUSE_DEPS = frozenset({"ROOT", "ccomp", "advcl", "relcl", "acl", "csubj", "csubjpass", "parataxis", "conj", "appos", "dep", "pcomp"})
CONTENT_POS = frozenset({"NOUN", "PROPN", "VERB", "ADJ", "NUM", "ADV", "AUX"})
LIGHT = frozenset(
    "be have do get go make take come put let keep thing stuff lot bit way one kind sort really very so just too also well now then even "
    "ever never not here there again still today maybe oh hey haha lol yes no yeah much many more most same such own all some any "
    "every day time people something anything everything nothing about like actually pretty quite right back out up off down".split()
)


LEMMA_FIXES = {"rid": "ride", "bik": "bike", "hik": "hike", "vap": "vape", "knitt": "knit", "din": "dine", "cod": "code", "skat": "skate", "bak": "bake"}


def lemma_of(token: Token) -> str:
    """The lower-case lemma; contractions and curly apostrophes are evened out."""
    lemma = str(token.lemma_.lower().replace("’", "'"))
    return LEMMA_FIXES.get(lemma, lemma) if token.lower_ != lemma else lemma


def is_negator(token: Token) -> bool:
    """Whether the token negates (not, n't, never, no ...)."""
    lower = token.lower_.replace("’", "'")
    if lower == "no" and token.dep_ == "intj":
        return False
    return token.dep_ == "neg" or lower in words().lists["negators"]


def _is_clause_head(token: Token) -> bool:
    if token.dep_ == "ROOT":
        return True
    if token.dep_ not in CLAUSE_DEPS:
        return False
    verbal = token.pos_ in ("VERB", "AUX") or any(child.dep_ in ("nsubj", "nsubjpass", "cop") for child in token.children)
    if not verbal:
        return False
    if token.dep_ == "pcomp":
        return token.head.lower_ in ("without", "instead", "of") and (token.head.lower_ != "of" or token.head.head.lower_ == "instead")
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
    if any(child.dep_ == "relcl" and _first_inside(child) for child in subject.children):
        return Subject.OWNED
    held = owner(subject)
    if held == "first":
        return Subject.OWNED
    if held == "second":
        return Subject.SECOND
    if lower in ("it", "this", "that", "there", "these", "those", "they", "what", "which", "who", "one"):
        return Subject.GENERIC if lower != "they" else Subject.OTHER
    return Subject.OTHER


def _first_inside(token: Token) -> bool:
    return any(child.dep_ in ("nsubj", "nsubjpass") and child.lower_ in words().lists["first"] for child in token.children)


def _chain(head: Token) -> list[Token]:
    """The verb and the verbs that it governs without a subject of their own (want to buy, started running)."""
    out = [head]
    token = head
    for _ in range(4):
        following = next((child for child in token.children if child.dep_ == "xcomp" and child.pos_ in ("VERB", "AUX")), None)
        if following is None:
            break
        out.append(following)
        token = following
    return out


def is_ceasing(token: Token) -> bool:
    """Whether the verb says that something stops or is refused (quit, gave up, swore off, can't stand)."""
    lemma = lemma_of(token)
    lists = words().lists
    if token.pos_ not in ("VERB", "AUX") and token.tag_[:2] != "VB":
        return False
    if lemma in lists["cessations"]:
        particles = {child.lower_ for child in token.children}
        return not (lemma == "end" and "up" in particles) and not (lemma == "stop" and particles & {"by", "at", "in", "over", "for"})
    if lemma in lists["refusals"]:
        return True
    particles = words().phrasal.get(lemma)
    if particles:
        near = {child.lower_ for child in token.children} | {other.lower_ for other in token.doc[token.i + 1 : token.i + 5]}
        return bool(particles & near)
    return False


def _modality(head: Token, own: tuple[Token, ...], chain: list[Token], sentence: Span, asked: bool) -> Modality:
    lists = words().lists
    if asked:
        return Modality.QUESTION
    lowers = {token.lower_.replace("’", "'") for token in own}
    marks = {child.lower_ for child in head.children if child.dep_ == "mark"}
    if marks & {"if", "unless"} or lowers & {"imagine", "suppose", "pretend"}:
        return Modality.HYPOTHETICAL
    governor = head.head
    if head.dep_ in ("ccomp", "advcl", "acl", "relcl") and governor.i != head.i:
        lemma = lemma_of(governor)
        if lemma in ("imagine", "suppose", "pretend", "wish", "picture", "dream", "daydream"):
            return Modality.HYPOTHETICAL
        if head.dep_ == "ccomp" and lemma in lists["sayings"] and not _first_inside(governor):
            return Modality.REPORTED
        if head.dep_ == "ccomp" and head.i > governor.i and lemma in lists["sayings"] and _first_inside(governor) and governor.tag_ == "VBD":
            return Modality.REPORTED
    if head.dep_ in ("ccomp", "advcl") and lemma_of(governor) in ("ask", "wonder", "debate", "decide", "know") and any(
        child.lower_ in ("when", "why", "how", "whether", "if", "where", "what") for child in head.children
    ):
        return Modality.REPORTED
    if _conditional(head, chain):
        return Modality.HYPOTHETICAL
    text = plain(sentence.text)
    if re.match(r"(?:(?:oh|haha|well|okay|ha|lol|but|and|so),? )?(?:imagine|picture|suppose|pretend|what if)\b", text) or "in my dreams" in text:
        return Modality.HYPOTHETICAL
    if head.tag_ == "VB" and any(child.lower_ == "to" and child.dep_ == "aux" for child in head.children):
        return Modality.INTENDED
    if len(chain) > 1 and any(lemma_of(verb) in lists["intents"] for verb in chain[:-1]):
        return Modality.INTENDED
    if lemma_of(head) in ("consider", "contemplate", "debate", "ponder", "plan", "hope") or re.search(
        r"\b(?:think|thinking|thought|dreaming|dreamed|talking) (?:about|of)\b", plain(" ".join(t.text for t in own))
    ):
        return Modality.INTENDED
    if lowers & lists["possibles"]:
        return Modality.POSSIBLE
    if any(t.lower_ in ("almost", "nearly") and not _counts(t) for t in own) or re.search(r"\b(?:close to|tempted|on the verge|about to)\b", plain(" ".join(t.text for t in own))):
        return Modality.POSSIBLE
    return Modality.ASSERTED


def _counts(token: Token) -> bool:
    """Whether "almost" measures (almost every night, almost ten) and so takes nothing from the fact."""
    after = token.doc[token.i + 1] if token.i + 1 < len(token.doc) else None
    return after is not None and (after.pos_ in ("DET", "NUM", "ADV", "ADJ", "PRON") or after.lower_ in ("every", "all", "daily", "always", "two"))


def _conditional(head: Token, chain: list[Token]) -> bool:
    """Whether the verb group has `would` (not `had`): "I'd faint"."""
    for verb in chain:
        for child in verb.children:
            if child.dep_ != "aux":
                continue
            lower = child.lower_.replace("’", "'")
            if lower in ("would", "wouldn", "should", "could"):
                return True
            if lower in ("'d", "d") and verb.tag_ in ("VB", "VBP") and child.i < verb.i:
                return True
    return head.lower_ in ("'d",) and head.pos_ == "AUX"


COMING = re.compile(r"\b(?:one day|some ?day|soon|tomorrow|next (?:week|month|year|spring|summer|fall|winter|weekend|\w+day)|in (?:a|two|three|four|five|six) (?:days|weeks|months|week|month)|when i (?:retire|turn))\b")


def _tense(head: Token, chain: list[Token], over: bool) -> Tense:
    auxiliaries = [child for verb in chain[:1] for child in verb.children if child.dep_ in ("aux", "auxpass", "cop")]
    lowers = {token.lower_.replace("’", "'") for token in auxiliaries}
    if head.tag_ == "VBG" and COMING.search(plain(head.sent.text)) and any(child.tag_ in ("VBP", "VBZ") for child in auxiliaries):
        return Tense.FUTURE
    if lowers & {"will", "'ll", "wo", "shall"} or (lemma_of(head) == "go" and len(chain) > 1 and head.tag_ == "VBG"):
        return Tense.FUTURE
    tags = {token.tag_ for token in auxiliaries}
    if tags & {"VBP", "VBZ"} or head.tag_ in ("VBP", "VBZ"):
        return Tense.NOW
    if "VBD" in tags or head.tag_ in ("VBD", "VBN"):
        return Tense.OVER if over else Tense.PAST
    if head.tag_ == "VBG":
        return Tense.OVER if over else Tense.NOW
    if head.tag_ == "VB" and not auxiliaries:
        return Tense.OVER if over else Tense.NONE
    if head.pos_ not in ("VERB", "AUX"):
        return Tense.OVER if over else Tense.NONE
    return Tense.OVER if over else Tense.NOW


TAG = re.compile(
    r"(?:,|\s-|\.\.\.)\s*(?:right|huh|eh|yeah|okay|ok|you know|y'know|no|hm+|really|haha|lol|\w+|"
    r"(?:is|are|was|were|do|does|did|have|has|had|can|could|would|will|should|wo|ca)(?:n't|n’t|'t|nt)? (?:it|i|you|he|she|we|they|that|there)(?: \w+)?"
    r"|can you believe (?:it|that)|you know what i mean|know what i mean|what can i say|who(?:'s| is) with me|am i right|how (?:about|cool|wild) .{0,20}"
    r"|isn't (?:that|it) \w+)\s*\?+[\s\W]*$",
    re.IGNORECASE,
)


def is_asked(sentence: Span) -> bool:
    """Whether the sentence asks; a statement that ends in a tag does not."""
    text = sentence.text.strip()
    if not re.search(r"\?[\s!?\"')]*$", text):
        return False
    if re.match(r"(?:who|what|how|why|where|when|which|whose|do|does|did|is|are|was|were|can|could|would|will|should|have|has|any|ever)\b", plain(text)):
        return True
    return not TAG.search(text.replace("’", "'"))


def over_flags(doc: Doc) -> list[bool]:
    """For each sentence, whether its past tenses are told of a past that is over; a mark carries on until a present tense."""
    out: list[bool] = []
    carried = False
    for sentence in doc.sents:
        if words().over.search(plain(sentence.text)):
            carried = True
        elif carried:
            root = sentence.root
            present = root.tag_ in ("VBP", "VBZ") or any(child.tag_ in ("VBP", "VBZ") for child in root.children if child.dep_ == "aux")
            fresh = re.search(r"\b(?:now|today|these days|yesterday|this (?:week|morning)|last (?:week|night|month)|lately|anyway)\b", plain(sentence.text))
            carried = not (present or fresh)
        out.append(carried)
    return out


def clauses(doc: Doc) -> list[Clause]:
    """All clauses of a text in the order of their heads."""
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
    chain = _chain(head)
    subject = _subject(head)
    if subject is not None and subject.i == head.i:
        subject = None
    negated = any(is_negator(token) and not _inner_negation(token) for token in own)
    if not negated and head.dep_ == "pcomp" and head.head.lower_ == "without":
        negated = True
    if not negated and head.dep_ == "xcomp":
        negated = any(is_negator(child) for child in head.head.children)
    ceased = any(is_ceasing(verb) for verb in chain)
    if not negated and not ceased and words().refusal.search(plain(" ".join(token.text_with_ws for token in own).replace("  ", " "))):
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
        content=frozenset(lemma_of(t) for t in own if t.pos_ in CONTENT_POS and not t.is_stop and lemma_of(t) not in LIGHT),
        negated=negated,
        ceased=ceased,
        modality=_modality(head, own, chain, sentence, asked),
        tense=_tense(head, chain, over),
        attitude=liking,
        sentence=sentence,
    )


def _inner_negation(token: Token) -> bool:
    """Negators that leave the clause's polarity alone: "no matter", "no wonder", "not only", "no problem", "nothing but"."""
    after = token.doc[token.i + 1].lower_ if token.i + 1 < len(token.doc) else ""
    return token.lower_ in ("no", "not", "nothing") and after in ("matter", "wonder", "only", "problem", "doubt", "but", "joke", "kidding", "to")


def sentences_of(doc: Doc) -> Iterator[tuple[Span, list[Clause]]]:
    """Each sentence with its clauses."""
    found = clauses(doc)
    for sentence in doc.sents:
        yield sentence, [clause for clause in found if sentence.start <= clause.head.i < sentence.end]

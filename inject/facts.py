"""Rule 7 of DESIGN.md: the atomic facts of a text, and how far a text departs from the facts of its plan.

A fact is one clause as a compact string, `predicate±tense|subject|content,content`. The text is evened out first (voice: greetings,
interjections, vocatives, contractions, case, exclamation marks), so that two tellings of one line have the same facts.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING

from inject.patterns import pattern, word_list
from twistcore.text.claims import Clause, clauses, lemma_of
from twistcore.text.classes import same_word
from twistcore.text.model import load_model

if TYPE_CHECKING:
    from spacy.tokens import Doc

LIMIT = 0.03
OMITTED_WEIGHT = 0.4
INVENTED_WEIGHT = 0.6

INTERJECTION = f"(?:{pattern('interjection').pattern})"
CLOSED_BY_COMMA = re.compile(rf"^{INTERJECTION}(?: [a-z]+)?[,!.?]+\s*")
ALONE = re.compile(rf"^(?:{INTERJECTION}[,\s]*)+(?:[a-z]+)?$")
TRAILING = re.compile(r"[,\s]+(?:haha(?:ha)*|lol|hehe|you know|right|though|man|huh|yeah|okay|ok)$")
VOCATIVE_END = re.compile(r"(?<=[a-z0-9%]),\s+[A-Z][a-z]+(?=\s*[.!?,]|\s*$)")
VOCATIVE_START = re.compile(r"^(?:[A-Z][a-z]+),\s+")
NOT_NAMES = word_list("not_names")
EXPANSIONS = (
    (re.compile(r"\bwon't\b"), "will not"),
    (re.compile(r"\bcan't\b|\bcannot\b"), "can not"),
    (re.compile(r"\bshan't\b"), "shall not"),
    (re.compile(r"n't\b"), " not"),
    (re.compile(r"\bi'm\b"), "i am"),
    (re.compile(r"'re\b"), " are"),
    (re.compile(r"'ve\b"), " have"),
    (re.compile(r"'ll\b"), " will"),
    (
        re.compile(
            r"\b(it|that|there|he|she|what|here|who|where|how|this|everything|nothing|nobody|everyone) (?:is|has)(?= (?!\1\b))"
        ),
        r"\1's",
    ),
    (re.compile(r"\b(i|you|he|she|we|they|it|that|who) would\b"), r"\1'd"),
    (re.compile(r"\b(i|you|he|she|we|they|it) had (?=(?:never|just|already|always|been)\b)"), r"\1'd "),
    (re.compile(r"\bgonna\b"), "going to"),
    (re.compile(r"\bwanna\b"), "want to"),
    (re.compile(r"\bgotta\b"), "got to"),
    (re.compile(r"\blet's\b"), "let us"),
)
FUNCTION = word_list("function")
KEPT = frozenset({"never", "no", "without", "nobody", "nothing", "none"})


@dataclass(frozen=True)
class Divergence:
    """What a text leaves out of its claim and what it adds to its plan; `d` is at most `LIMIT` for a faithful text."""

    omitted: tuple[str, ...]
    invented: tuple[str, ...]
    d: float


def even_out(text: str) -> tuple[str, ...]:
    """The sentences of a text without what belongs to the voice: vocatives, greetings, contractions, case, emphasis."""
    text = re.sub(r"[’‘]", "'", text)
    text = re.sub(r"[“”\"]", "", text)
    text = re.sub(r"\s+", " ", re.sub(r"[^\x20-\x7e]+", " ", text)).strip()
    text = re.sub(r"(?<=\d)\.(?=\d)", "\x00", text)
    text = re.sub(r"\b([ap])\.m\.", r"\1m", text, flags=re.IGNORECASE)
    out = []
    for raw in re.split(r"[.!?;]+(?:\s+|$)|\s[-–—]+\s", text):
        sentence = _bare(raw.replace("\x00", "."))
        if sentence:
            out.append(sentence)
    return tuple(out)


def _bare(raw: str) -> str:
    sentence = VOCATIVE_END.sub("", raw.strip(" ,:-"))
    lead = VOCATIVE_START.match(sentence)
    if lead and lead.group().rstrip(", ").lower() not in NOT_NAMES:
        sentence = sentence[lead.end() :]
    sentence = sentence.lower().strip(" ,")
    for _ in range(4):
        if ALONE.match(sentence):
            return ""
        shorter = CLOSED_BY_COMMA.sub("", sentence)
        if shorter == sentence:
            shorter = re.sub(
                r"^(?:oh|well|so|and|but|by the way|btw|anyway|haha|hey|hi|okay|ok|yeah|wow|actually|honestly)\s+(?=\S)",
                "",
                sentence,
            )
        shorter = TRAILING.sub("", shorter).strip(" ,")
        if shorter == sentence:
            break
        sentence = shorter
    for shape, replacement in EXPANSIONS:
        sentence = shape.sub(replacement, sentence)
    return re.sub(r"\bi\b", "I", re.sub(r"\s+", " ", sentence)).strip(" ,")


@lru_cache(maxsize=8192)
@lru_cache(maxsize=16384)
def _sentence_facts(sentence: str) -> tuple[str, ...]:
    doc = load_model()(sentence + ".")
    return tuple(fact for clause in clauses(doc) if (fact := _fact(clause)))


def _fact(clause: Clause) -> str:
    content = sorted(
        {
            token.lower_ if token.pos_ in ("ADJ", "ADV") else lemma_of(token)
            for token in clause.tokens
            if (any(char.isalnum() for char in token.text) and token.lower_ not in FUNCTION) or token.lower_ in KEPT
        }
    )
    if not content and not clause.negated:
        return ""
    sign = "-" if clause.negated else "+"
    subject = (
        clause.subject_token.lower_
        if clause.subject_token is not None and clause.subject_token.pos_ == "PRON"
        else clause.subject.value
    )
    return f"{clause.predicates[0]}{sign}{clause.tense.value}|{subject}|{','.join(content)}"


def atomic_facts(doc: Doc) -> tuple[str, ...]:
    """The atomic facts of a text, in order, without repeats."""
    return tuple(dict.fromkeys(fact for sentence in even_out(doc.text) for fact in _sentence_facts(sentence)))


def claim_facts_of(doc: Doc, terms: Iterable[str]) -> tuple[str, ...]:
    """The facts that name one of the terms; of a term of several words, all of them."""
    wanted = [[part for part in re.split(r"[\s-]+", term.lower()) if part and part not in FUNCTION] for term in terms]
    return tuple(fact for fact in atomic_facts(doc) if any(parts and _names(fact, parts) for parts in wanted))


def _names(fact: str, parts: list[str]) -> bool:
    content = _content(fact)
    return all(any(same_word(part, word) or part in word.split("-") for word in content) for part in parts)


@lru_cache(maxsize=65536)
def _content(fact: str) -> frozenset[str]:
    return frozenset(fact.rpartition("|")[2].split(",")) - {""}


@lru_cache(maxsize=65536)
def _frame(fact: str) -> str:
    return fact.rpartition("|")[0]


def divergence(text: Doc, claim_facts: Iterable[str], scene_facts: Iterable[str]) -> Divergence:
    """How far a text departs from its plan (DESIGN.md rule 7)."""
    claim = tuple(dict.fromkeys(claim_facts))
    plan = tuple(dict.fromkeys((*claim, *scene_facts)))
    said = atomic_facts(text)
    omitted = tuple(fact for fact in claim if not any(_supports(other, fact) for other in said))
    invented = tuple(fact for fact in said if not any(_supports(other, fact) for other in plan))
    d = OMITTED_WEIGHT * (len(omitted) / len(claim) if claim else 0.0) + INVENTED_WEIGHT * (
        len(invented) / len(said) if said else 0.0
    )
    return Divergence(omitted, invented, d)


def _supports(whole: str, part: str) -> bool:
    """Whether a fact has all the content of another, said of the same subject with the same polarity and tense."""
    return _frame(whole) == _frame(part) and _content(part) <= _content(whole)

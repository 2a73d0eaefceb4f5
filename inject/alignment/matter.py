"""What a draft and a turn are about: the words that name a matter, and whether two of them name the same one."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from inject.alignment.words import draft_words
from twistcore.text.claims import lemma_of, words
from twistcore.text.classes import defines, is_a, known, related, same_theme, same_word, sisters, synonyms

if TYPE_CHECKING:
    from spacy.tokens import Doc, Span, Token

NOUNS = frozenset({"NOUN", "PROPN"})
_OBJECTS = frozenset({"dobj", "npadvmod", "pobj", "attr"})
NAMING = frozenset({"NOUN", "PROPN", "VERB", "ADJ", "NUM"})
SAME, KIND, THEME = 3, 2, 1


def matter_of(text: Doc | Span | Iterable[Token], names: frozenset[str]) -> tuple[Token, ...]:
    """The words that name what a text is about, without courtesies, how-it-stands words and the speakers' names."""
    idle, generic = draft_words("courtesy"), draft_words("generic")
    out = []
    for token in text:
        lemma = lemma_of(token)
        if not _names(token) or not any(character.isalpha() for character in token.text):
            continue
        if token.is_stop or len(lemma) < 2 or lemma in idle or token.lower_ in idle or lemma in words().lists["light"]:
            continue
        if token.pos_ not in NOUNS and (lemma in generic or token.lower_ in generic):
            continue
        if token.lower_ not in names or token.dep_ == "compound":
            out.append(token)
    return tuple(out)


def _names(token: Token) -> bool:
    """Whether a word names something; the parser calls a few nouns adverbs ("get a tattoo,")."""
    return token.pos_ in NAMING or (token.pos_ == "ADV" and token.dep_ in _OBJECTS and known(lemma_of(token), "n"))


def content_of(text: Doc | Span | Iterable[Token], names: frozenset[str]) -> tuple[Token, ...]:
    """All words of a text that say anything, courtesies of feeling included: what the loosest question about it may use."""
    idle = draft_words("slight") | draft_words("generic")
    return tuple(
        token
        for token in text
        if token.pos_ in NAMING
        and token.is_alpha
        and not token.is_stop
        and token.lower_ not in names
        and lemma_of(token) not in idle
        and lemma_of(token) not in words().lists["light"]
    )


def tie(a: Token, b: Token) -> int:
    """How surely two words name one matter: `SAME` word, one a `KIND` of the other, one `THEME`, or 0.

    A word that only qualifies another names it no further than by itself: a sports team is no basketball job.
    """
    one, two = lemma_of(a), lemma_of(b)
    if _one_word(a, b) or _joined(a) == two or one == _joined(b):
        return SAME
    if a.pos_ == "PROPN" and b.pos_ == "PROPN":
        return 0
    if _of_one_class(a, b) and not (_qualifies(a) and _qualifies(b)):
        return KIND
    if a.pos_ in NOUNS and b.pos_ in NOUNS and (same_theme(one, two) or defines(one, two)):
        return THEME
    return 0


def other_object(a: Token, b: Token) -> bool:
    """Whether two words of one matter are told apart by what qualifies them (painting class, cooking class)."""
    left, right = _qualifiers(a), _qualifiers(b)
    if not left or not right:
        return False
    return not any(same_word(lemma_of(x), lemma_of(y)) or _of_one_class(x, y) for x in left for y in right)


def touch(a: Token, b: Token) -> bool:
    """Whether two words have anything to do with each other: one matter, one theme, one stands in the other's definition."""
    one, two = lemma_of(a), lemma_of(b)
    return bool(tie(a, b)) or related(one, two) or same_theme(one, two) or defines(one, two) or sisters(one, two)


def _one_word(a: Token, b: Token) -> bool:
    return any(same_word(one, two) for one in _bases(a) for two in _bases(b))


def _bases(token: Token) -> tuple[str, ...]:
    """The lemma of a word, and of a verb's noun in -ing the verb."""
    lemma = lemma_of(token)
    if not lemma.endswith("ing") or len(lemma) < 6:
        return (lemma,)
    stem = lemma[:-3]
    return (lemma, *(base for base in (stem, f"{stem}e", stem[:-1]) if known(base, "v")))


def qualified_in(token: Token, text: Doc) -> bool:
    """Whether what qualifies a word is named anywhere in a text ("car modifications", of a turn about a car)."""
    return any(_one_word(child, other) for child in _qualifiers(token) for other in text)


def _of_one_class(a: Token, b: Token) -> bool:
    one, two = lemma_of(a), lemma_of(b)
    if a.pos_ in NOUNS and b.pos_ in NOUNS:
        return two in synonyms(one, "n") or one in synonyms(two, "n") or is_a(one, two) or is_a(two, one)
    return a.pos_ == "VERB" and b.pos_ == "VERB" and (two in synonyms(one, "v") or one in synonyms(two, "v"))


def _joined(token: Token) -> str:
    """A noun with the word before it as one word ("road trip", roadtrip)."""
    before = [child for child in token.children if child.dep_ == "compound" and child.i == token.i - 1]
    return before[0].lower_ + lemma_of(token) if before else ""


def _qualifies(token: Token) -> bool:
    return token.dep_ in ("compound", "nmod", "amod") and token.head.pos_ in NOUNS


def _qualifiers(token: Token) -> tuple[Token, ...]:
    return tuple(
        child
        for child in token.children
        if child.dep_ in ("compound", "nmod") or (child.dep_ == "amod" and (child.tag_ == "VBG" or child.pos_ in NOUNS))
    )

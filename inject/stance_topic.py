"""What a proposal is about and which way its stance points, read off its topic and belief sentences (SCHEMAS.md, "Proposals")."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from enum import StrEnum
from functools import lru_cache
from typing import TYPE_CHECKING

from inject.patterns import pattern, word_list
from inject.proposals import Proposal
from twistcore.text.claims import lemma_of, plain
from twistcore.text.classes import is_a, known, related, same_theme, same_word
from twistcore.text.parses import Parser

if TYPE_CHECKING:
    from spacy.tokens import Doc, Token

NOMINAL = frozenset({"NOUN", "PROPN"})
LIGHT_VERBS = word_list("light_verbs")
LIGHT_NOUNS = word_list("light_nouns")
VAGUE = word_list("vague")
PARTS_OF_DAY = frozenset({"morning", "evening", "night", "afternoon", "dawn", "midnight", "weekend", "lunch"})


class Direction(StrEnum):
    """Which way the anchor points: refusing the topic, holding on to it, or holding one of two views."""

    AVOID = "avoid"
    KEEP = "keep"


@dataclass(frozen=True)
class Word:
    """A content word with its tokens; hyphenated compounds are one word."""

    lemma: str
    pos: str
    token: Token


def content_words(doc: Doc) -> tuple[Word, ...]:
    """Content words of a text in order, compounds joined by a hyphen taken as one; read once a parse and kept with it."""
    kept: tuple[Word, ...] | None = doc.user_data.get(_KEPT)
    if kept is None:
        kept = doc.user_data[_KEPT] = tuple(_read_words(doc))
    return kept


_KEPT = "twist_content_words"


def _read_words(doc: Doc) -> list[Word]:
    out: list[Word] = []
    skip = -1
    for token in doc:
        if token.i <= skip or token.is_punct or token.is_space:
            continue
        end = token.i
        while end + 2 < len(doc) and doc[end + 1].text == "-" and not doc[end].whitespace_ and not doc[end + 1].whitespace_:
            end += 2
        if end > token.i:
            last = doc[end]
            out.append(Word("".join(part.lower_ for part in doc[token.i : end]) + lemma_of(last), last.pos_, last))
            skip = end
            continue
        if token.pos_ in ("NOUN", "PROPN", "VERB", "ADJ", "NUM", "ADV", "INTJ", "X") and not token.is_stop and token.is_alpha:
            out.append(Word(topic_lemma(token), token.pos_, token))
    return out


@lru_cache(maxsize=8192)
def _singular(lower: str) -> str:
    if len(lower) > 4 and lower.endswith("ies"):
        return lower[:-3] + "y"
    if len(lower) > 3 and lower.endswith("s") and not lower.endswith(("ss", "us", "is")):
        return lower[:-1]
    return lower


def topic_lemma(token: Token) -> str:
    """The lemma of a token, mended where the tagger leaves a plural of a noun that it does not know ("anchovies")."""
    lemma = lemma_of(token)
    if token.lower_.endswith("ies") and lemma == token.lower_[:-1] and not known(lemma, "n"):
        return lemma[:-2] + "y"
    if token.pos_ in NOMINAL and lemma == token.lower_ and not known(lemma, "n"):
        return _singular(lemma)
    return lemma


@dataclass(frozen=True)
class Topic:
    """Words of the matter: `heads` name it, `verbs` do it, `beliefs` come with it in the belief sentences.

    `limits` are light words that narrow its nouns ("night", of the night shift).
    """

    heads: frozenset[str]
    cores: frozenset[str]
    verbs: frozenset[str]
    beliefs: frozenset[str]
    new_only: frozenset[str]
    acts: frozenset[str]
    new_acts: frozenset[str]
    direction: Direction
    limits: frozenset[str] = frozenset()

    @property
    def all(self) -> frozenset[str]:
        """Every topic word."""
        return self.heads | self.verbs | self.beliefs | self.new_only

    @lru_cache(maxsize=4096)  # noqa: B019
    def strength(self, lemma: str) -> int:
        """3 for a topic word itself, 2 for its kind or class or a belief word, 1 for a word of the same matter, else 0."""
        if any(same_topic_word(lemma, head) for head in self.heads):
            return 3 if any(same_topic_word(lemma, head) for head in self.cores) else 2
        if any(same_topic_word(lemma, other) for other in self.new_only | self.beliefs | self.verbs):
            return 2
        if lemma in LIGHT_VERBS | LIGHT_NOUNS and lemma not in self.all | self.acts:
            return 0
        if any(related(lemma, head) for head in self.cores):
            return 2
        if any(related(lemma, other) for other in self.beliefs | self.heads | self.new_only):
            return 1
        if any(same_theme(lemma, head) for head in self.heads | self.new_only | self.verbs):
            return 1
        return 0

    def named_by(self, lemma: str) -> bool:
        """Whether a word names the matter itself: its head, a kind of its head, or what is done with it."""
        if any(same_topic_word(lemma, core) or is_a(lemma, core) for core in self.cores | self.verbs):
            return True
        return len(self.heads) > len(self.cores) and any(same_topic_word(lemma, head) for head in self.heads)

    def mentions(self, tokens: Iterable[Token], least: int = 2) -> list[Token]:
        """Tokens that are on the topic."""
        return [token for token in tokens if may_mention(token) and self.strength(topic_lemma(token)) >= least]


def same_topic_word(a: str, b: str) -> bool:
    if same_word(a, b):
        return True
    if "-" in a or "-" in b:
        return a.replace("-", "") == b.replace("-", "") or (len(a) > 3 and a in b.split("-")) or (len(b) > 3 and b in a.split("-"))
    return False


def may_mention(token: Token) -> bool:
    return token.pos_ in ("NOUN", "PROPN", "VERB", "ADJ", "ADV", "X") and not token.is_stop and token.is_alpha


def topic_of(proposal: Proposal, parser: Parser) -> Topic:
    """The topic of a proposal."""
    names = {part.lower() for turn in proposal.turns for part in turn.speaker.split()} | set(proposal.holder.lower().split())
    return topic_from(proposal.topic, proposal.old_belief, proposal.new_belief, frozenset(names), parser)


@lru_cache(maxsize=512)
def topic_from(topic_text: str, old_text: str, new_text: str | None, names: frozenset[str], parser: Parser) -> Topic:
    """A topic from its name and belief sentences; `names` are the speakers', in lower case."""
    topic = _chosen(parser.parse(topic_text), names)
    old = _chosen(parser.parse(old_text), names)
    new = _chosen(parser.parse(new_text), names) if new_text else []
    heads = {word.lemma for word in topic if word.pos in NOMINAL and word.lemma not in LIGHT_NOUNS}
    verbs = {word.lemma for word in topic if word.pos == "VERB" and word.lemma not in LIGHT_VERBS}
    adjectives = {word.lemma for word in topic if word.pos in ("ADJ", "ADV") and word.lemma not in VAGUE}
    if not heads and not verbs:
        heads = {word.lemma for word in topic if word.lemma not in VAGUE and word.lemma not in LIGHT_VERBS} or {
            word.lemma for word in topic if word.lemma not in VAGUE
        }
    if heads and heads <= PARTS_OF_DAY:
        heads |= {word.lemma for word in topic if word.pos == "VERB" and known(word.lemma, "n")}
    if not heads and not verbs:
        heads = {word.lemma for word in old if word.pos in NOMINAL}
    if not heads:
        heads = set(verbs)
    cores = {word.lemma for word in topic if word.lemma in heads and word.token.dep_ not in ("compound", "amod", "nmod")} or heads
    olds, news = _telling(old), _telling(new)
    return Topic(
        heads=frozenset(heads),
        cores=frozenset(cores),
        verbs=frozenset(verbs),
        beliefs=frozenset((olds | adjectives) - heads),
        new_only=frozenset(news - olds - heads),
        acts=frozenset(word.lemma for word in (*topic, *old, *new) if word.pos == "VERB"),
        new_acts=frozenset(word.lemma for word in new if word.pos == "VERB") - {word.lemma for word in (*topic, *old)},
        limits=frozenset(
            word.lemma for word in topic if word.lemma not in heads and word.token.dep_ in ("compound", "amod", "nmod")
        ),
        direction=Direction.AVOID if _leaves_out(old_text, heads, old, new) else direction_of(old_text),
    )


def _chosen(doc: Doc, names: frozenset[str]) -> list[Word]:
    return [word for word in content_words(doc) if word.lemma not in names and _singular(word.token.lower_) not in names]


HELD = pattern("held")
DENIED = pattern("denied")


@lru_cache(maxsize=1024)
def direction_of(old: str) -> Direction:
    """Which way the stance points. A denied cessation ("will never give up") holds on; any other denial refuses."""
    text = plain(old)
    if HELD.search(text):
        return Direction.KEEP
    if DENIED.search(text):
        return Direction.AVOID
    return Direction.KEEP


def _leaves_out(old_text: str, heads: set[str], old: list[Word], new: list[Word]) -> bool:
    """Whether the old belief holds on to one thing only, and the new one takes up the topic or a kind of it ("only English")."""
    if not re.search(r"\bonly\b", plain(old_text)) or direction_of(old_text) is Direction.AVOID:
        return False
    kept, taken = ({word.lemma for word in found} for found in (old, new))
    return (
        bool(heads) and not heads & kept and all(head in taken or any(is_a(word, head) for word in taken - kept) for head in heads)
    )


def _telling(found: list[Word]) -> set[str]:
    """Lemmas that say what a belief is about."""
    return {word.lemma for word in found if word.lemma not in VAGUE | LIGHT_VERBS | LIGHT_NOUNS and word.pos not in ("NUM", "ADV")}

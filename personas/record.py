"""What was said, shown and searched in one conversation, by lemma: the index that quick look-ups go through."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from enum import StrEnum
from functools import cached_property
from typing import TYPE_CHECKING

from personas.nicknames import speaker_forms
from personas.words import word_set
from twistcore.corpus import Conversation, Turn
from twistcore.text.parses import Parser

if TYPE_CHECKING:
    from spacy.tokens import Doc

_CONTENT = frozenset({"NOUN", "PROPN", "VERB"})
# Verbs and nouns too light to be a topic of their own where no other conversations weigh them down.
_LIGHT = word_set(
    "be have do go get make take come give say see know think want need let try look keep feel find tell ask use start seem",
    "become show put mean talk thing lot time way day bit kind something anything everything nothing someone everyone hey",
    "hi wow thank thanks yeah guy",
)


class Source(StrEnum):
    """Where a word stands. A query is the image search string of the file: nobody in the conversation sees it."""

    TEXT = "text"
    CAPTION = "caption"
    QUERY = "query"


@dataclass(frozen=True, slots=True)
class Mention:
    """One place where a lemma stands."""

    dia_id: str
    speaker: str
    source: Source

    @property
    def private(self) -> bool:
        """Whether it must not be shown to a reader of the conversation (LOCOMO.md section 5)."""
        return self.source is Source.QUERY


@dataclass(frozen=True)
class RecordIndex:
    """Parses and postings of one conversation. dia_ids are unique inside it only, so an index never spans two."""

    conversation: Conversation
    turns: tuple[Turn, ...]
    docs: Mapping[str, Doc]
    captions: Mapping[str, Doc]
    queries: Mapping[str, Doc]
    forms: Mapping[str, frozenset[str]]

    def turns_of(self, speaker: str) -> tuple[Turn, ...]:
        """A speaker's turns in reading order; raises ValueError for a name that does not speak here."""
        self.conversation.partner_of(speaker)
        return tuple(turn for turn in self.turns if turn.speaker == speaker)

    def said(self, lemma: str, speaker: str | None = None) -> tuple[str, ...]:
        """dia_ids of the turns whose text has the word, by either speaker or by one, in reading order.

        A lemma and a surface form both find it, in any case; of several words all must stand in the same turn.
        """
        return tuple(mention.dia_id for mention in self.mentions(lemma, speaker) if mention.source is Source.TEXT)

    def mentions(self, lemma: str, speaker: str | None = None) -> tuple[Mention, ...]:
        """Every place with the word, captions and private image queries included; of several words all in one place."""
        words = lemma.lower().split()
        if not words:
            return ()
        found = self._postings.get(words[0], ())
        for word in words[1:]:
            also = set(self._postings.get(word, ()))
            found = tuple(mention for mention in found if mention in also)
        return found if speaker is None else tuple(mention for mention in found if mention.speaker == speaker)

    @property
    def words(self) -> frozenset[str]:
        """Every lemma and surface form that the index knows."""
        return frozenset(self._postings)

    @cached_property
    def _postings(self) -> dict[str, tuple[Mention, ...]]:
        postings: dict[str, list[Mention]] = {}
        known: dict[int, str] = {}
        for turn in self.turns:
            for source, docs in ((Source.TEXT, self.docs), (Source.CAPTION, self.captions), (Source.QUERY, self.queries)):
                doc = docs.get(turn.dia_id)
                if doc is None:
                    continue
                mention = Mention(turn.dia_id, turn.speaker, source)
                for key in _keys(doc, known):
                    postings.setdefault(key, []).append(mention)
        return {key: tuple(found) for key, found in postings.items()}

    @cached_property
    def terms(self) -> dict[str, tuple[str, ...]]:
        """Topic terms of each turn's text by dia_id, repeats kept. Captions are left out.

        A caption tells what a picture shows, not what somebody talks of.
        """
        names: frozenset[str] = frozenset().union(*self.forms.values())
        return {turn.dia_id: tuple(_terms(self.docs[turn.dia_id], names)) for turn in self.turns}


def index_record(conversation: Conversation, parser: Parser) -> RecordIndex:
    """Parse a conversation's turns, captions and image queries (kept on disk by the parser) and index them."""
    turns = tuple(conversation.turns())
    docs = parser.parse_kept([turn.text for turn in turns])
    captioned = [turn for turn in turns if turn.caption]
    queried = [turn for turn in turns if turn.query]
    shown = parser.parse_kept([turn.caption or "" for turn in captioned] + [turn.query or "" for turn in queried])
    return RecordIndex(
        conversation=conversation,
        turns=turns,
        docs={turn.dia_id: doc for turn, doc in zip(turns, docs, strict=True)},
        captions={turn.dia_id: doc for turn, doc in zip(captioned, shown[: len(captioned)], strict=True)},
        queries={turn.dia_id: doc for turn, doc in zip(queried, shown[len(captioned) :], strict=True)},
        forms=speaker_forms(conversation),
    )


def _keys(doc: Doc, known: dict[int, str]) -> set[str]:
    """Lower-case lemmas and surface forms of a text. `known` keeps what spaCy's string hashes mean, so each is looked up once."""
    keys = set()
    for lower, lemma, punctuation, space in doc.to_array(["LOWER", "LEMMA", "IS_PUNCT", "IS_SPACE"]).tolist():
        if punctuation or space:
            continue
        for number in (lower, lemma):
            word = known.get(number)
            if word is None:
                word = known[number] = doc.vocab.strings[number].lower()
            keys.add(word)
    return keys


def _terms(doc: Doc, names: frozenset[str]) -> Iterator[str]:
    """Noun and verb lemmas, and noun compounds, of a text without names of the speakers and light words."""
    for token in doc:
        if token.pos_ not in _CONTENT or token.is_stop or len(token) < 3:
            continue
        lemma = token.lemma_.lower()
        if lemma in _LIGHT or lemma in names or token.lower_ in names or not lemma[0].isalpha():
            continue
        yield lemma
        if token.pos_ != "VERB":
            yield from _compounds(doc, token.i, lemma)


def _compounds(doc: Doc, position: int, lemma: str) -> Iterator[str]:
    """The head with the compound nouns directly before it: the nearest ("ice cream"), and all ("coconut milk ice cream")."""
    start = position
    while start and doc[start - 1].dep_ == "compound" and doc[start - 1].is_alpha:
        start -= 1
    for first in sorted({start, position - 1}) if start < position else ():
        yield " ".join([*(token.lower_ for token in doc[first:position]), lemma])

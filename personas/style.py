"""Surface style of one text: lengths, marks, contractions, capitals. The unit that a voice sums up and a voice gate compares.

Words are whitespace tokens, as in LOCOMO.md section 2, so lengths agree with the tables there.
"""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass
from typing import TYPE_CHECKING

from personas.words import word_set

if TYPE_CHECKING:
    from spacy.tokens import Doc, Token

_SENTENCE_END = re.compile(r"(?<=[.!?…])[\"')\]]*\s+|\n+")
_EMOTICON = re.compile(r"(?<!\w)(?:[:;=]-?[)(DPp3]|<3|\^_\^|xD|XD)(?!\w)")
_CAPITALS = re.compile(r"\b[A-Z]{2,}\b")
_DASH = re.compile(r"\s-{1,2}\s|--|[–—]")
_ELLIPSIS = re.compile(r"\.{3,}|…")
_STRETCHED = re.compile(r"\b\w*?([a-zA-Z])\1{2,}\w*")
_SUBJECTS = word_set("i you he she it we they that there what who how where here")
_AUXILIARIES = word_set("am is are was were has have had will would do does did can could should might must")
_SHORTENED_AFTER_SUBJECT = word_set("am is are has have had will would")
_PERFECT = word_set("has have had")


@dataclass(frozen=True, slots=True)
class TextStyle:
    """Counts of one text. `sentence_words` holds the length of each sentence in words."""

    words: int
    sentence_words: tuple[int, ...]
    exclaimed: int
    asked: int
    lower_starts: int
    contracted: int
    contractible: int
    emoji: int
    emoticons: int
    ellipses: int
    dashes: int
    stretched: int
    capitals: tuple[str, ...]


def split_sentences(text: str) -> list[str]:
    """Sentences by their end marks, stripped; a text without marks is one sentence. No parse is needed."""
    return [part.strip() for part in _SENTENCE_END.split(text) if part and any(char.isalnum() for char in part)]


def measure_text(text: str, doc: Doc) -> TextStyle:
    """Style of one text. `doc` is its parse, which tells "Ann's here" from "Ann's hat"."""
    sentences = split_sentences(text)
    contracted, contractible = count_contractions(doc)
    return TextStyle(
        words=len(text.split()),
        sentence_words=tuple(len(sentence.split()) for sentence in sentences),
        exclaimed=sum("!" in sentence[-3:] for sentence in sentences),
        asked=sum("?" in sentence[-3:] for sentence in sentences),
        lower_starts=sum(sentence[:1].islower() for sentence in sentences),
        contracted=contracted,
        contractible=contractible,
        emoji=sum(unicodedata.category(char) == "So" for char in text if not char.isascii()),
        emoticons=len(_EMOTICON.findall(text)),
        ellipses=len(_ELLIPSIS.findall(text)),
        dashes=len(_DASH.findall(text)),
        stretched=sum(1 for _ in _STRETCHED.finditer(text)),
        capitals=tuple(_CAPITALS.findall(text)),
    )


def count_contractions(doc: Doc) -> tuple[int, int]:
    """How many places are contracted, and how many could be (the contracted ones among them)."""
    contracted = open_places = 0
    for token in doc:
        lower = token.lower_
        if lower[:1] in {"'", "’"} and len(lower) > 1:
            contracted += token.tag_ != "POS" and lower[1:] in {"s", "re", "ve", "ll", "d", "m"}
        elif lower in {"n't", "n’t"}:
            contracted += 1
        elif (lower == "not" and token.i and doc[token.i - 1].lower_ in _AUXILIARIES | {"can"}) or (
            lower in _SHORTENED_AFTER_SUBJECT and _could_shorten(doc, token)
        ):
            open_places += 1
    return contracted, contracted + open_places


def _could_shorten(doc: Doc, token: Token) -> bool:
    if token.i == 0 or token.i + 1 >= len(doc):
        return False
    before, after = doc[token.i - 1], doc[token.i + 1]
    # "Yes, I am." cannot be shortened, and "it is not" is counted at its "not".
    if before.lower_ not in _SUBJECTS or after.is_punct or after.lower_ in {"not", "n't", "n’t"}:
        return False
    return token.lower_ not in _PERFECT or token.dep_ == "aux"

"""Does a turn acknowledge that the speaker's stance changed? Wordings of an acknowledged revision (TWIST paper section 4.3).

`strong` wordings name the change outright; `weak` ones only hint at surprise. Arcs must have neither; HN-A2 must have one, or tell
the old stance as past beside the new one.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from inject.patterns import pattern, word_list
from inject.stance_topic import Topic, topic_lemma
from inject.stances import read_turn
from twistcore.text.claims import Subject, Tense, lemma_of, plain
from twistcore.text.parses import Parser

if TYPE_CHECKING:
    from spacy.tokens import Token

STRONG = pattern("acknowledges")

WEAK = pattern("hints")
DISLIKED = pattern("disliked")


@dataclass(frozen=True)
class Acknowledgement:
    """What shows that a change is acknowledged; `strong` is enough by itself."""

    words: str
    strong: bool


def acknowledgement(text: str, topic: Topic, parser: Parser, anchor: str | None = None, holder: str = "") -> Acknowledgement | None:
    """The first wording of a turn that acknowledges a change of stance; its quotation of the `anchor`, or the `holder` by name."""
    lowered = plain(text)
    found = next((match for match in STRONG.finditer(lowered) if not _marvels(lowered, match, topic)), None)
    if found:
        return Acknowledgement(found.group().strip(), strong=True)
    named = re.search(rf"\b(?:the|that|this|old|former|past) (?:\w+ )?{re.escape(holder.lower())}\b", lowered) if holder else None
    if named:
        return Acknowledgement(named.group(), strong=True)
    old = old_stance_as_past(text, topic, parser) or (quotes_anchor(text, anchor, topic, parser) if anchor else None)
    if old:
        return Acknowledgement(old, strong=True)
    weak = next((match for match in WEAK.finditer(lowered) if not _marvels(lowered, match, topic)), None)
    return Acknowledgement(weak.group(), strong=False) if weak else None


MARVELLING = re.compile(
    r"\b(?:thought|imagined|expected|dreamed|dreamt|guessed|believed|figured|knew|known|pictured|predict(?:ed)?)$"
)
ABOUT = re.compile(
    r"(?: that)? (?:(?:the|an?|any|some|those|these|such|how) )*(?P<what>[a-z'-]+(?: [a-z-]+){0,3}?) "
    r"(?:could|would|can|to|might|was|were|is|are|came|comes?|had|has|have|got)\b"
)
SPEAKERS = word_list("ack_speakers")


def _marvels(text: str, match: re.Match[str], topic: Topic) -> bool:
    """Whether surprise is at something else than the stance ("I never thought the colors could be so different")."""
    if not MARVELLING.search(match.group().strip()):
        return False
    about = ABOUT.match(text, match.end())
    if about is None:
        return False
    said = about["what"].split()
    return not any(word in SPEAKERS or topic.strength(_bare(word)) >= 2 for word in said)


def _bare(word: str) -> str:
    return word[:-1] if word.endswith("s") and not word.endswith("ss") else word


def quotes_anchor(text: str, anchor: str, topic: Topic, parser: Parser) -> str | None:
    """Words of the anchor's that the turn says again in their order, two of them off the topic ("a nap with sticks").

    Names of things alone ("the kitchen table") prove nothing: three words count when the outer two carry the sense, four if two do.
    """
    said, again = _spoken(anchor, parser), _spoken(text, parser)
    for size in (4, 3):
        known = {tuple(lemma_of(token) for token in said[start : start + size]) for start in range(len(said) - size + 1)}
        for start in range(len(again) - size + 1):
            run = again[start : start + size]
            telling = [_tells(token, topic) for token in run]
            enough = telling[0] and telling[-1] and not telling[1] if size == 3 else sum(telling) >= 2 and not all(telling)
            if enough and tuple(lemma_of(token) for token in run) in known:
                return " ".join(token.text for token in run)
    return None


def _spoken(text: str, parser: Parser) -> list[Token]:
    return [token for token in parser.parse(text) if token.is_alpha]


def _tells(token: Token, topic: Topic) -> bool:
    content = token.pos_ in ("NOUN", "VERB", "ADJ", "PROPN") and not token.is_stop
    return content and token.lower_ not in TIMES and topic.strength(topic_lemma(token)) < 2


TIMES = word_list("time_nouns")


def old_stance_as_past(text: str, topic: Topic, parser: Parser) -> str | None:
    """A clause that tells the speaker's own denial of the topic in the past tense ("I couldn't stand cats")."""
    reading = read_turn(text, topic, parser)
    for clause in reading.found:
        if clause.subject is not Subject.FIRST or clause.tense not in (Tense.PAST, Tense.OVER) or clause.affirmed:
            continue
        body = plain(clause.text)
        if DISLIKED.search(body) and reading.on_topic(clause):
            return clause.text
    return None

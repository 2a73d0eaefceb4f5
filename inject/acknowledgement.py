"""Does a turn acknowledge that the speaker's stance changed? Wordings of an acknowledged revision (TWIST paper section 4.3).

`strong` wordings name the change outright; `weak` ones only hint at surprise. Arcs must have neither; HN-A2 must have one, or tell
the old stance as past beside the new one.
"""

from __future__ import annotations

from dataclasses import dataclass

from inject.patterns import pattern
from inject.stance_topic import Topic
from inject.stances import read_turn
from twistcore.text.claims import Subject, Tense, plain
from twistcore.text.parses import Parser

STRONG = pattern("acknowledges")

WEAK = pattern("hints")
DISLIKED = pattern("disliked")


@dataclass(frozen=True)
class Acknowledgement:
    """What shows that a change is acknowledged; `strong` is enough by itself."""

    words: str
    strong: bool


def acknowledgement(text: str, topic: Topic, parser: Parser) -> Acknowledgement | None:
    """The first wording of a turn that acknowledges a change of stance."""
    lowered = plain(text)
    found = STRONG.search(lowered)
    if found:
        return Acknowledgement(found.group().strip(), strong=True)
    old = old_stance_as_past(text, topic, parser)
    if old:
        return Acknowledgement(old, strong=True)
    weak = WEAK.search(lowered)
    return Acknowledgement(weak.group(), strong=False) if weak else None


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

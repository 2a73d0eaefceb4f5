"""Forms by which the speakers of a conversation are named: full names, short forms heard in the turns, slips in the questions.

Slips are found by rule, never listed: a capitalised word of a question that nobody says in the conversation and that
is one or two keystrokes from a speaker's name (Deboran, Andew, Johns), or that stands paired with the other speaker
("both Jean and John" of Gina and Jon). Everything is inside one conversation: three Johns are three people.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping

from rapidfuzz.distance import DamerauLevenshtein

from personas.vocatives import short_forms
from personas.words import word_set
from twistcore.corpus import Conversation

_WORD = re.compile(r"[^\W\d_]+")
_PAIR = re.compile(r"\b([A-Z][a-z]+) and ([A-Z][a-z]+)\b")
_CALENDAR = word_set(
    "january february march april may june july august september october november december jan feb mar apr jun jul aug sep",
    "sept oct nov dec monday tuesday wednesday thursday friday saturday sunday",
)
LONG_NAME = 7


def speaker_forms(conversation: Conversation) -> dict[str, frozenset[str]]:
    """Forms of both speakers, in lower case, by full name. No form stands for both: the one who is called by it has it."""
    forms = {name: {name.lower()} for name in conversation.speakers}
    for name in conversation.speakers:
        partner = conversation.partner_of(name)
        heard = short_forms((turn.text for turn in conversation.turns() if turn.speaker == partner), name)
        forms[name] |= {form.lower() for form in heard} - {partner.lower()}
    slips = list(_unheard_names(conversation))
    for word in slips:
        nearest = _nearest(word, conversation.speakers)
        if nearest is not None:
            forms[nearest].add(word.lower())
    for name, word in _paired_slips(conversation, slips, forms):
        forms[name].add(word.lower())
    return {name: frozenset(found) for name, found in forms.items()}


def forms_of(name: str, conversation: Conversation) -> frozenset[str]:
    """Lower-case forms by which `name` is named in the conversation and its questions; raises ValueError for no speaker of it.

    Use `speaker_forms` where both are wanted: it reads the conversation once.
    """
    conversation.partner_of(name)
    return speaker_forms(conversation)[name]


def named_in(text: str, forms: Mapping[str, frozenset[str]]) -> frozenset[str]:
    """Speakers whom a text names by any form, given `speaker_forms`. A form counts with a capital letter or as a possessive."""
    words = {
        match.group().lower()
        for match in _WORD.finditer(text)
        if match.group()[0].isupper() or text[match.end() :].startswith(("'s", "’s"))
    }
    return frozenset(name for name, known in forms.items() if words & known)


def _unheard_names(conversation: Conversation) -> Iterator[str]:
    """Capitalised single words of questions that occur in no turn and no caption, in order of first use."""
    heard = {
        match.group().lower() for turn in conversation.turns() for match in _WORD.finditer(f"{turn.text} {turn.caption or ''}")
    }
    seen: set[str] = set()
    for question in conversation.questions:
        text = question.question
        for match in _WORD.finditer(text):
            word = match.group()
            if word in seen or not word.istitle() or word.lower() in heard or word.lower() in _CALENDAR:
                continue
            possessive = text[match.end() : match.end() + 1] in {"'", "’"}
            if (match.start() == 0 and not possessive) or _inside_longer_name(text, match.start(), match.end()):
                continue
            seen.add(word)
            yield word


def _inside_longer_name(text: str, start: int, end: int) -> bool:
    """Whether the word is one part of a proper name of several words, as San in San Francisco."""
    return re.match(r" [A-Z][a-z]", text[end:]) is not None or text[:start].endswith(('"', "'", "“"))


def _nearest(word: str, speakers: Iterable[str]) -> str | None:
    close = [(distance, name) for name in speakers if (distance := _slip_distance(word, name)) is not None]
    close.sort()
    if not close or (len(close) > 1 and close[0][0] == close[1][0]):
        return None
    return close[0][1]


def _slip_distance(word: str, name: str) -> int | None:
    """Keystrokes between a word and a name when they are few enough for a slip, else None."""
    if word[0] != name[0]:
        return None
    distance = int(DamerauLevenshtein.distance(word.lower(), name.lower()))
    # Of a name of three letters only a letter too many is believed: San, Jan and Tom are other names.
    if len(name) <= 3:
        return distance if distance == 1 and len(word) == len(name) + 1 else None
    return distance if distance <= (2 if len(name) >= LONG_NAME else 1) else None


def _paired_slips(conversation: Conversation, slips: list[str], forms: Mapping[str, set[str]]) -> list[tuple[str, str]]:
    """Unheard names that no distance explains but that are paired with the other speaker."""
    loose = {word for word in slips if not any(word.lower() in known for known in forms.values())}
    found = []
    for question in conversation.questions:
        for first, second in _PAIR.findall(question.question):
            for word, other in ((first, second), (second, first)):
                owner = next((name for name in conversation.speakers if other.lower() in forms[name]), None)
                if word in loose and owner is not None:
                    found.append((conversation.partner_of(owner), word))
    return found

"""Seams: where an exchange can stand in a session without breaking what is there (DESIGN.md rule 3).

LoCoMo hardly has free seams: nearly every turn answers the one before. So most exchanges are bridges, and a seam is
good when the turn before it makes a statement about something that can be named, and the turn after it answers that.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING

from inject.subjects import SAD_WORDS, Subject, find_subjects
from twistcore.corpus import Session, Turn

if TYPE_CHECKING:
    from spacy.tokens import Doc


class SeamKind(StrEnum):
    """How an exchange is held in place."""

    OPEN = "open"
    END = "end"
    BRIDGE = "bridge"
    APPENDED = "appended"


class Act(StrEnum):
    """What the turn before a bridge does; acks and handbacks are written by act."""

    NEWS = "news"
    PRAISE = "praise"
    THANKS = "thanks"
    VIEW = "view"


# Below this the following turn does not take the subject up, and an exchange in between would read as an interruption.
MIN_BRIDGE_SCORE = 1.9


@dataclass(frozen=True, slots=True)
class Seam:
    """A place after source turn `after` of a session. `opener` is the speaker whose turn it is; `score` ranks seams, higher is better."""

    session: int
    after: int
    kind: SeamKind
    opener: str
    score: float
    act: Act | None = None
    subject: Subject | None = None


_QUESTION = re.compile(r"\?|\b(?:let me know|tell me|wanna know|I wonder|curious|what do you|how about|do you|did you|have you|any tips|any advice)\b", re.IGNORECASE)
_FAREWELL = re.compile(
    r"\b(?:bye|goodbye|take care|see you|see ya|talk (?:to you )?(?:soon|later)|catch (?:you|up) (?:later|soon)|later!|have a (?:great|good|nice|fun|blast|wonderful)|"
    r"good night|gotta go|got to go|take it easy|stay safe|good luck|enjoy (?:your|the) (?:day|night|evening|time)|keep in touch|until next time|cheers!)",
    re.IGNORECASE,
)
_GREETING = re.compile(r"^\W*(?:hey|hi|hello|yo|what's up|long time|good (?:morning|afternoon|evening|to (?:see|hear)))\b", re.IGNORECASE)
_DEICTIC = re.compile(
    r"\b(?:here(?:'s| is| are)|look at|check (?:this|it|out)|take a look|this (?:is|was)|these (?:are|were)|pic(?:ture|s)?|photo|image|sent you|showing you)\b", re.IGNORECASE
)
_OPENERS = re.compile(r"^\W*(?:by the way|btw|on another note|guess what|oh,? (?:and )?(?:by the way|guess what|also)|anyways?,|so,? I have (?:some )?news)\b", re.IGNORECASE)
_SIGNALS: tuple[tuple[Act, re.Pattern[str]], ...] = (
    (Act.PRAISE, re.compile(r"^\W*(?:aw+,? |wow,? |oh,? |hey,? )?(?:thanks?|thank you|thx|appreciate|that means|cheers|I appreciate)\b", re.IGNORECASE)),
    (Act.THANKS, re.compile(r"^\W*(?:you're (?:very |so )?welcome|no (?:problem|worries|prob)|anytime|any time|of course|my pleasure|glad (?:I|to|you|it)|happy to|don't mention)\b", re.IGNORECASE)),
    (Act.VIEW, re.compile(r"^\W*(?:yeah|yep|yup|absolutely|definitely|totally|exactly|for sure|agreed|I agree|so true|true|couldn't agree|you're right|right\b|same here|yes)\b", re.IGNORECASE)),
    (Act.NEWS, re.compile(r"^\W*(?:wow|that's|that is|that sounds|sounds|nice|cool|awesome|amazing|great|aww?\b|oh wow|so cool|woah|whoa|how (?:cool|nice|lovely)|good for you|way to go|congrats|I'm (?:so )?(?:glad|happy|proud)|haha|impressive|incredible|fantastic|glad you)", re.IGNORECASE)),
)
_THANKING = re.compile(r"\b(?:thanks|thank you|appreciate|grateful to you)\b", re.IGNORECASE)


def find_seams(session: Session, docs: dict[str, Doc]) -> list[Seam]:
    """All seams of a session that an exchange could stand at, in reading order."""
    seams = []
    for before, after in zip(session.turns, [*session.turns[1:], None], strict=True):
        seam = _end_seam(session, before, docs) if after is None else _inner_seam(session, before, after, docs)
        if seam is not None:
            seams.append(seam)
    return seams


def _end_seam(session: Session, last: Turn, docs: dict[str, Doc]) -> Seam | None:
    text = last.text
    if _QUESTION.search(text) or _FAREWELL.search(text) or _sad(docs[last.dia_id]) or last.caption:
        return None
    earlier = session.turns[-2] if len(session.turns) > 1 else None
    if earlier is not None and _FAREWELL.search(earlier.text):
        return None
    opener = earlier.speaker if earlier else last.speaker
    return Seam(session.number, last.position, SeamKind.END, opener, 0.5)


def _inner_seam(session: Session, before: Turn, after: Turn, docs: dict[str, Doc]) -> Seam | None:
    if before.position < 2 or before.position > len(session.turns) - 2:
        return None
    if _QUESTION.search(before.text) or _GREETING.search(before.text) or _FAREWELL.search(before.text):
        return None
    doc, following = docs[before.dia_id], docs[after.dia_id]
    if _sad(doc) or _sad(following) or _DEICTIC.search(before.text) or _FAREWELL.search(after.text):
        return None
    if _OPENERS.search(after.text) and not _shared_nouns(doc, following):
        return Seam(session.number, before.position, SeamKind.OPEN, after.speaker, 1.0)
    best = max(
        (found for act in _acts(before, after) if (found := _best_subject(act, doc, following)) is not None),
        key=lambda found: found[0],
        default=None,
    )
    if best is None or best[0] < MIN_BRIDGE_SCORE:
        return None
    score, act, subject = best
    return Seam(session.number, before.position, SeamKind.BRIDGE, after.speaker, score, act, subject)


def _acts(before: Turn, after: Turn) -> list[Act]:
    """What the turn before may be doing, judged by how the next one answers it; empty where the two do not agree."""
    act = next((act for act, pattern in _SIGNALS if pattern.search(after.text)), None)
    thanked = bool(_THANKING.search(before.text))
    if act is Act.THANKS:
        return [Act.THANKS] if thanked else []
    if act is Act.PRAISE:
        return [Act.PRAISE] if re.search(r"\byou(?:r|'re|'ve|rs)?\b", before.text, re.IGNORECASE) and not thanked else []
    if act is Act.VIEW:
        return [Act.VIEW]
    tells = re.search(r"\b(?:I|I'm|I've|my|we|our)\b", before.text) is not None
    return [Act.NEWS, Act.VIEW] if tells else [Act.VIEW]


def _best_subject(act: Act, doc: Doc, following: Doc) -> tuple[float, Act, Subject] | None:
    later_lemmas = {token.lemma_.lower() for token in following if token.pos_ in {"NOUN", "PROPN", "VERB"}}
    best: tuple[float, Act, Subject] | None = None
    for subject in find_subjects(doc):
        if act is Act.PRAISE and subject.whose != "other":
            continue
        if act is Act.NEWS and subject.whose != "own" and subject.lemma not in later_lemmas:
            continue
        if act is Act.NEWS and subject.whose == "other":
            continue
        if act is Act.VIEW and subject.whose:
            continue
        score = 1.0 + (1.5 if subject.lemma in later_lemmas else 0.0) + (0.7 if subject.whose else 0.0) + (0.2 if " " in subject.own.split(" ", 1)[-1] else 0.0)
        score -= 0.02 * max(0, len(doc) - 25)
        if best is None or score > best[0]:
            best = (score, act, subject)
    return best


def _sad(doc: Doc) -> bool:
    return any(token.lower_ in SAD_WORDS or token.lemma_.lower() in SAD_WORDS for token in doc)


def _shared_nouns(first: Doc, second: Doc) -> set[str]:
    nouns = [{token.lemma_.lower() for token in doc if token.pos_ in {"NOUN", "PROPN"}} for doc in (first, second)]
    return nouns[0] & nouns[1]

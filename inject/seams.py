"""Seams: where an exchange can stand in a session without breaking what is there (DESIGN.md rule 3).

LoCoMo hardly has free seams: nearly every turn answers the one before. So most exchanges are bridges, and a seam is
good when the turn before it makes a statement about something that can be named, and the turn after it answers that.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING

from inject.subjects import MILD_WORDS, SAD_WORDS, Kind, Subject, When, find_subjects
from twistcore.corpus import Session, Turn

if TYPE_CHECKING:
    from spacy.tokens import Doc, Token


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
    CHEER = "cheer"


# Below this the following turn does not take the subject up, and an exchange in between would read as an interruption.
MIN_BRIDGE_SCORE = 0.8
# Longer turns cover several matters, of which a handback can name one.
MAX_TOKENS, MAX_SENTENCES = 48, 4


@dataclass(frozen=True, slots=True)
class Seam:
    """A place after source turn `after` of a session. `opener` is the speaker whose turn it is; `score` ranks seams, higher is better.

    A bridge has the act of the turn before it, the subject that is named, and the first word of the turn after it (`answer`).
    """

    session: int
    after: int
    kind: SeamKind
    opener: str
    score: float
    act: Act | None = None
    subject: Subject | None = None
    answer: str = ""


_QUESTION = re.compile(r"\?|\b(?:let me know|tell me|wanna know|I wonder|curious|what do you|how about|do you|did you|have you|any tips|any advice)\b", re.IGNORECASE)
_FAREWELL = re.compile(
    r"\b(?:bye|goodbye|ttyl|take care|see you|see ya|talk (?:to you )?(?:soon|later)|catch (?:you|up) (?:later|soon)|later!|have a (?:great|good|nice|fun|blast|wonderful)|"
    r"good night|gotta go|got to go|take it easy|stay safe|good luck|enjoy (?:your|the) (?:day|night|evening|time)|keep in touch|until next time|cheers!)",
    re.IGNORECASE,
)
_GREETING = re.compile(r"^\W*(?:hey|hi|hello|yo|what's up|long time|good (?:morning|afternoon|evening|to (?:see|hear)))\b", re.IGNORECASE)
_DEICTIC = re.compile(
    r"\b(?:here(?:'s| is| are)|look at|check (?:this|it|out)|take a look|this (?:is|was)|these (?:are|were)|pic(?:ture|s)?|photo|image|sent you|showing you|share this|share (?:it|these|those) with|show you|like this|something like)\b", re.IGNORECASE
)
_OPENERS = re.compile(r"^\W*(?:by the way|btw|on another note|guess what|oh,? (?:and )?(?:by the way|guess what|also)|anyways?,|so,? I have (?:some )?news)\b", re.IGNORECASE)
_PRAISED = re.compile(r"^\W*(?:aw+,? |wow,? |oh,? |hey,? |haha,? |yeah,? )?(?:thanks?|thank you|thx|appreciate|that means|cheers|I appreciate)\b", re.IGNORECASE)
_WELCOME = re.compile(
    r"^\W*(?:you're (?:very |so )?welcome|no (?:problem|worries|prob)|anytime|any time|of course|my pleasure|glad (?:I|to|it)|happy to|don't mention|you got it|sure thing|keep (?:it|going|up|at)|you got this|"
    r"you can|I'm (?:always )?here|always here|I('ll| will) always|I believe|I know you|I've got your|got your back|I look forward|that's what)\b",
    re.IGNORECASE,
)
_ENCOURAGING = re.compile(
    r"\b(?:proud of you|keep (?:it up|going|pushing|at it|up the|doing|working|chasing|following|inspiring|making|believing|being)|you(?:'ve)? got this|you can do (?:it|this|anything)|rooting for you|believe in you|"
    r"cheering you|you're (?:doing|making) (?:a |an |such |so )?\w+|you rock|you'll (?:do|be) (?:great|awesome|amazing)|here for you|got your back|"
    r"you're (?:so |really |such an? |an? )?(?:inspir\w+|amazing|awesome|talented|strong|incredible))\b",
    re.IGNORECASE,
)
_AGREEING = re.compile(
    r"^\W*(?:wow,? |oh,? )?(?:yeah|yep|yup|absolutely|definitely|totally|exactly|for sure|agreed|I (?:totally |completely )?agree|so true|true|couldn't agree|you're (?:so |totally )?right|"
    r"right\b|same here|totally agree|I (?:get|hear|feel) you)\b",
    re.IGNORECASE,
)
_CHEERING = re.compile(
    r"^\W*(?:(?:wow|oh|aw+|hey|haha|nice|cool|yay|ooh|whoa|woah|mmm?|man|\w+)[,!.]+ )*(?:wow|that's|that is|that (?:sounds|must)|sounds|nice|cool|awesome|amazing|great|aw+\b|so (?:cool|glad|happy)|woah|whoa|"
    r"how (?:cool|nice|lovely|fun|exciting)|good (?:for you|luck|job|call|choice|idea|to hear)|way to go|congrats|congratulations|I'm (?:so |really )?(?:glad|happy|proud)|haha|impressive|incredible|"
    r"fantastic|glad you|love|that looks|must)\b",
    re.IGNORECASE,
)
# A next turn that points back without naming anything, or that answers an offer, would now point at the exchange.
_POINTING = re.compile(
    r"^\W*(?:yes|no|nope|nah|sure|ok|okay|deal|will do|I will|I can|I'd love to|I'll|let's|he|she|his|her|they|them|they're|there|these|those|this|here|me too|me neither|same|(?:yep|yeah|yup|yes|totally|definitely|absolutely)[,!.]? (?:that|this|it|they|she|he|those|these|we|I (?:do|am|did|will|have))|(?:oh|god|omg|oh my god),? (?:no|\w+,? what)|that (?!(?:sounds|is|must|makes|would)\b)\w+|why|who|where|when|which|because|"
    r"as long as|thanks for (?:the|having|inviting)|you (?:should|can|could|will|won't|do|did)|and|or|but|exactly)\b",
    re.IGNORECASE,
)
_PICTURED = re.compile(
    r"\b(?:pic|pics|picture|pictures|photo|photos|shot|image|look|looks|looking|looked|view|views|gorgeous|stunning|captur\w+|background|wearing|holding|colors?|cute|adorable|it says)\b",
    re.IGNORECASE,
)
_OFFER = re.compile(r"\b(?:let's|we should|you should|you could|why not|we could|give it a (?:try|go|shot)|go for it|join (?:me|you|us)|go with you|meet up|get together|(?:maybe )?we can (?:bring|go|do|try|meet)|come (?:over|along|with)|if you|want to join|let us|I'll (?:send|show|share))\b", re.IGNORECASE)
_VISUAL_PRAISE = re.compile(r"\b(?:pic|pics|picture|pictures|photo|photos|shot|image)\b", re.IGNORECASE)
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
    if _sad(doc) or _sad(following, answer=True) or _DEICTIC.search(before.text) or _FAREWELL.search(after.text):
        return None
    if _OPENERS.search(after.text) and not _shared_nouns(doc, following):
        return Seam(session.number, before.position, SeamKind.OPEN, after.speaker, 1.0)
    if _unfit(before, after, doc):
        return None
    rated = [found for subject in find_subjects(doc) if (found := _rated(subject, before, after, doc, following)) is not None]
    central = [found for found in rated if found[2].central and found[1] is not Act.VIEW]
    best = max(central or rated, key=lambda found: found[0], default=None)
    cheer = _cheer(before, after)
    if best is None or best[0] < max(MIN_BRIDGE_SCORE, cheer):
        if not cheer:
            return None
        best = (cheer, Act.CHEER, None)
    score, act, subject = best
    first = re.match(r"\W*([\w']+)", after.text)
    return Seam(session.number, before.position, SeamKind.BRIDGE, after.speaker, round(score, 3), act, subject, first.group(1).lower() if first else "")


def _cheer(before: Turn, after: Turn) -> float:
    """How well an exchange fits between words of encouragement and the thanks for them; 0 where these are not what the turns are."""
    if not _PRAISED.search(after.text) or _THANKING.search(before.text):
        return 0.0
    last = re.split(r"(?<=[.!])\s+", before.text.strip())[-1]
    if _ENCOURAGING.search(last):
        return 1.3
    return 1.1 if _ENCOURAGING.search(before.text) else 0.0


def _unfit(before: Turn, after: Turn, doc: Doc) -> bool:
    """Whether no exchange may stand here, whatever its subject."""
    if sum(not token.is_punct for token in doc) > MAX_TOKENS or len(list(doc.sents)) > MAX_SENTENCES:
        return True
    if before.caption and _PICTURED.search(after.text):
        return True
    return bool((_POINTING.search(after.text) and not _WELCOME.search(after.text)) or _VISUAL_PRAISE.search(after.text) or _VISUAL_PRAISE.search(before.text) or _OFFER.search(before.text))


def _act(subject: Subject, before: Turn, after: Turn, doc: Doc) -> Act | None:
    """What the turn before does with its subject, judged by how the next one answers; None where the two do not agree."""
    thanked = bool(_THANKING.search(before.text))
    if subject.kind in {Kind.HELP, Kind.ADVICE}:
        if subject.whose == "other":
            return None if _PRAISED.search(after.text) or (_CHEERING.search(after.text) and not _WELCOME.search(after.text)) else Act.THANKS
        return Act.THANKS if thanked and subject.whose != "own" and _WELCOME.search(after.text) else None
    if _WELCOME.search(after.text):
        return None
    if _PRAISED.search(after.text):
        if _ENCOURAGING.search(before.text):
            return None
        praises = not subject.told and (subject.whose == "other" or (not subject.whose and not subject.bare))
        return Act.PRAISE if praises and (subject.kind is not Kind.VALUE or subject.whose) and subject.when is not When.FUTURE else None
    if subject.whose == "other":
        return None
    if _AGREEING.search(after.text):
        return Act.VIEW if subject.bare and _general(subject) else None
    if subject.told and subject.kind is not Kind.VALUE and (not subject.bare or subject.kind in {Kind.ACTIVITY, Kind.EVENT}):
        return None if _thanks_for(subject, doc) else Act.NEWS
    if subject.kind is Kind.EVENT and subject.when is When.PAST and not subject.bare and not re.search(r"\byou", before.text, re.IGNORECASE):
        return Act.NEWS
    return Act.VIEW if subject.bare and _general(subject) else None


def _thanks_for(subject: Subject, doc: Doc) -> bool:
    return bool(_THANKING.search(doc[subject.start].sent.text)) and subject.whose != "own"


def _general(subject: Subject) -> bool:
    """Whether something can be said of the matter at large, whatever the time of its clause."""
    if subject.kind in {Kind.WORK, Kind.ROLE, Kind.PLACE}:
        return False
    return subject.when is When.ONGOING or (subject.when is When.PAST and subject.kind in {Kind.VALUE, Kind.ACTIVITY})


def _rated(subject: Subject, before: Turn, after: Turn, doc: Doc, following: Doc) -> tuple[float, Act, Subject] | None:
    act = _act(subject, before, after, doc)
    if act is None or (act is Act.VIEW and not subject.central and subject.kind is not Kind.VALUE):
        return None
    names = {_stem(word) for word in re.findall(r"[a-z]+", subject.own.lower()) if len(word) > 3}
    head = _stem(subject.lemma)
    sentences = list(following.sents)
    first = {_stem(token.lemma_.lower()) for sentence in sentences[:2] for token in sentence if token.is_alpha}
    rest = {_stem(token.lemma_.lower()) for token in following if token.is_alpha}
    if not subject.central and act is not Act.THANKS and head not in (first if act is Act.NEWS and subject.whose else rest if act is Act.VIEW else ()):
        return None
    # Nouns that the next turn takes up instead.
    strays = 0.3 if _shared_nouns(doc, following) else 0.0
    score = 0.3
    if head in rest:
        score += 1.5 + (0.3 if head in first else 0.0)
    elif names & rest:
        score += 1.3
    elif _CHEERING.search(after.text) and act in {Act.NEWS, Act.PRAISE, Act.THANKS}:
        score += (0.7 if len(doc) <= 30 else 0.5) - (strays if len(doc) <= 25 else 2.5 * strays)
    elif act is Act.THANKS:
        score += 0.9
    elif act is Act.NEWS and len(doc) <= 30:
        score += 0.4 - strays
    score += (0.5 if subject.whose else 0.0) + (0.2 if " " in subject.own.split(" ", 1)[-1] else 0.0)
    score += 0.2 if subject.central else -0.6
    last = list(doc.sents)[-1]
    score += 0.2 if last.start <= subject.start else 0.0
    score -= 0.02 * max(0, len(doc) - 22) + (0.2 if before.caption else 0.0)
    return score, act, subject


def _stem(word: str) -> str:
    for ending in ("ning", "ing", "ers", "er", "es", "s", "e"):
        if word.endswith(ending) and len(word) - len(ending) >= 3:
            return word[: -len(ending)]
    return word


def _sad(doc: Doc, *, answer: bool = False) -> bool:
    words = SAD_WORDS - MILD_WORDS if answer else SAD_WORDS - {"hard", "heart"}
    return any((token.lower_ in words or token.lemma_.lower() in words) and not _worriless(token) for token in doc)


def _worriless(token: Token) -> bool:
    return token.lower_ == "worries" and token.i > 0 and token.nbor(-1).lower_ == "no"


def _shared_nouns(first: Doc, second: Doc) -> set[str]:
    nouns = [{token.lemma_.lower() for token in doc if token.pos_ in {"NOUN", "PROPN"}} for doc in (first, second)]
    return nouns[0] & nouns[1]

"""Seams: where an exchange can stand in a session without breaking what is there (DESIGN.md rule 3).

LoCoMo hardly has free seams: nearly every turn answers the one before. So most exchanges are bridges, and a seam is
good when the turn before it makes a statement about something that can be named, and the turn after it answers that.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from enum import StrEnum
from functools import lru_cache
from importlib import resources
from pathlib import Path
from typing import TYPE_CHECKING, Literal

from pydantic import BaseModel, ConfigDict, ValidationError

from arcs.items import SlotKind
from inject.subjects import Kind, Subject, When, find_subjects, load_lexicon
from twistcore.corpus import Session, Turn
from twistcore.errors import FrameError
from twistcore.yamls import read_yaml

if TYPE_CHECKING:
    from spacy.tokens import Doc, Token


class Act(StrEnum):
    """What the turn before a bridge does; acks and handbacks are written by act."""

    NEWS = "news"
    PRAISE = "praise"
    THANKS = "thanks"
    VIEW = "view"
    CHEER = "cheer"


# Below this the following turn does not take the subject up, and an exchange in between would read as an interruption.
MIN_BRIDGE_SCORE = 0.7
# Longer turns cover several matters, of which a handback can name one.
MAX_TOKENS, MAX_SENTENCES = 48, 4


@dataclass(frozen=True, slots=True)
class Seam:
    """A place after source turn `after` of a session. `opener` is the speaker whose turn it is; a higher `score` is better.

    A bridge has the act of the turn before it, the subject that is named, and the first word of the turn after it (`answer`).
    """

    session: int
    after: int
    kind: SlotKind
    opener: str
    score: float
    act: Act | None = None
    subject: Subject | None = None
    answer: str = ""


# Somebody whom both turns talk of would be lost after an exchange.
_PERSON = re.compile(r"\b(?:he|him|his|she|her|hers)\b", re.IGNORECASE)


class Cue(BaseModel):
    """Words by which a turn shows what it does (`inject/bridges/cues.yaml`)."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    at: Literal["start", "anywhere"]
    after: str = ""
    words: str

    def compiled(self) -> re.Pattern[str]:
        """One pattern for all its words."""
        head = rf"^\W*{self.after}" if self.at == "start" else r"\b"
        tail = r"\b" if self.at == "start" else r"(?!\w)"
        return re.compile(f"{head}(?:{'|'.join(self.words.split(chr(10))[:-1])}){tail}", re.IGNORECASE)


class Cues(BaseModel):
    """All cues, by what they show."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    asking: Cue
    leaving: Cue
    greeting: Cue
    showing: Cue
    opening: Cue
    praised: Cue
    welcoming: Cue
    encouraging: Cue
    agreeing: Cue
    cheering: Cue
    pointing: Cue
    pictured: Cue
    offering: Cue
    picturing: Cue
    thanking: Cue


@lru_cache(maxsize=1)
def load_cues() -> dict[str, re.Pattern[str]]:
    """Read and check the cues that ship with the package; raises FrameError."""
    path = Path(str(resources.files("inject") / "bridges" / "cues.yaml"))
    try:
        cues = Cues.model_validate(read_yaml(path))
        return {name: getattr(cues, name).compiled() for name in Cues.model_fields}
    except (ValidationError, re.error) as error:
        raise FrameError(str(error), file=path) from error


def _shows(name: str, text: str) -> bool:
    return load_cues()[name].search(text) is not None


def _asks(text: str) -> bool:
    return "?" in text or _shows("asking", text)


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
    if _asks(text) or _shows("leaving", text) or _shows("encouraging", text) or _sad(docs[last.dia_id]) or last.caption:
        return None
    earlier = session.turns[-2] if len(session.turns) > 1 else None
    if earlier is not None and _shows("leaving", earlier.text):
        return None
    opener = earlier.speaker if earlier else last.speaker
    # Thanks want an answer, which an exchange does not give.
    score = 0.2 if _shows("thanking", text) or "means a lot" in text else 0.5
    return Seam(session.number, last.position, SlotKind.END, opener, score)


def _inner_seam(session: Session, before: Turn, after: Turn, docs: dict[str, Doc]) -> Seam | None:
    if before.position < 2 or before.position > len(session.turns) - 2:
        return None
    text = before.text
    if _asks(text) or any(_shows(name, text) for name in ("greeting", "leaving", "showing")) or _shows("leaving", after.text):
        return None
    doc, following = docs[before.dia_id], docs[after.dia_id]
    if _sad(doc) or _sad(following, answer=True):
        return None
    if _shows("opening", after.text) and not _shared_nouns(doc, following):
        return Seam(session.number, before.position, SlotKind.OPEN, after.speaker, 1.0)
    if _unfit(before, after, doc):
        return None
    found = _best(before, after, doc, following)
    if found is None:
        return None
    score, act, subject = found
    first = re.match(r"\W*([\w']+)", after.text)
    answer = first.group(1).lower() if first else ""
    return Seam(session.number, before.position, SlotKind.BRIDGE, after.speaker, round(score, 3), act, subject, answer)


def _unfit(before: Turn, after: Turn, doc: Doc) -> bool:
    """Whether no bridge may stand here, whatever its subject."""
    if sum(not token.is_punct for token in doc) > MAX_TOKENS or len(list(doc.sents)) > MAX_SENTENCES:
        return True
    if before.caption and _shows("pictured", after.text):
        return True
    if _PERSON.search(before.text) and _PERSON.search(after.text):
        return True
    if _shows("pointing", after.text) and not _shows("welcoming", after.text):
        return True
    return _shows("picturing", after.text) or _shows("picturing", before.text) or _shows("offering", before.text)


def _best(before: Turn, after: Turn, doc: Doc, following: Doc) -> tuple[float, Act, Subject | None] | None:
    """The act and subject that an exchange here would answer and hand back to, with their score."""
    rated = []
    for subject in find_subjects(doc):
        act = _act(subject, before, after, doc)
        score = _score(subject, act, before, after, doc, following) if act is not None else None
        if act is not None and score is not None:
            rated.append((score, act, subject))
    # What is said of the speaker goes before a general matter that comes up beside it.
    central = [found for found in rated if found[2].central and found[1] is not Act.VIEW]
    best = max(central or rated, key=lambda found: found[0], default=None)
    if best is not None and best[0] < MIN_BRIDGE_SCORE:
        best = None
    cheer = _cheer(before, after)
    return (cheer, Act.CHEER, None) if cheer and (best is None or best[0] < cheer) else best


# Encouragement of another wording gives such a sentence nothing to stand for.
_LEANS_BACK = re.compile(
    r"(?:It|That|This) (?:really |always )?(?:gives|helps|helped|is|was|makes|sounds|really)\b|(?:They|Those|These)\b"
)


def _cheer(before: Turn, after: Turn) -> float:
    """How well an exchange fits between encouragement and the thanks for it; 0 where these are not what the turns are."""
    if not _shows("praised", after.text) or _shows("thanking", before.text):
        return 0.0
    if any(_LEANS_BACK.match(sentence) for sentence in re.split(r"(?<=[.!])\s+", after.text.strip())[:3]):
        return 0.0
    last = re.split(r"(?<=[.!])\s+", before.text.strip())[-1]
    if _shows("encouraging", last):
        return 1.3
    return 1.1 if _shows("encouraging", before.text) else 0.0


def _act(subject: Subject, before: Turn, after: Turn, doc: Doc) -> Act | None:
    """What the turn before does with its subject, judged by how the next one answers; None where the two do not agree."""
    if subject.kind in {Kind.HELP, Kind.ADVICE}:
        return Act.THANKS if _thanks(subject, before, after) else None
    if _shows("welcoming", after.text):
        return None
    if _shows("praised", after.text):
        return Act.PRAISE if _praises(subject) and not _shows("encouraging", before.text) else None
    general = Act.VIEW if subject.bare and _general(subject) else None
    if subject.whose == "other" or _shows("agreeing", after.text):
        return general
    if subject.told and subject.kind is not Kind.VALUE and (not subject.bare or subject.kind is Kind.ACTIVITY):
        grateful = subject.whose != "own" and _shows("thanking", doc[subject.start].sent.text)
        return None if grateful else Act.NEWS
    if (
        subject.kind is Kind.EVENT
        and subject.when is When.PAST
        and not subject.bare
        and not re.search(r"\byou", before.text, re.IGNORECASE)
    ):
        return Act.NEWS
    return general


def _thanks(subject: Subject, before: Turn, after: Turn) -> bool:
    welcomed = _shows("welcoming", after.text)
    if subject.whose == "other":
        return welcomed or not (_shows("praised", after.text) or _shows("cheering", after.text))
    return welcomed and not subject.whose and _shows("thanking", before.text)


def _praises(subject: Subject) -> bool:
    """Whether the subject is something of the other speaker's, or a thing that both see, and not the speaker's own matter."""
    if subject.told or subject.when is When.FUTURE or subject.lemma in {"friendship", "family"}:
        return False
    return subject.whose == "other" or not (subject.whose or subject.bare or subject.kind is Kind.VALUE)


def _general(subject: Subject) -> bool:
    """Whether something can be said of the matter at large, whatever the time of its clause."""
    if subject.kind in {Kind.WORK, Kind.ROLE, Kind.PLACE}:
        return False
    return subject.when is When.ONGOING or (subject.when is When.PAST and subject.kind in {Kind.VALUE, Kind.ACTIVITY})


def _score(subject: Subject, act: Act, before: Turn, after: Turn, doc: Doc, following: Doc) -> float | None:
    """How well the next turn takes the subject up and how plainly the turn before is about it; None where it is not to be named."""
    stems = [[_stem(token.lemma_.lower()) for token in sentence if token.is_alpha] for sentence in following.sents]
    first = {stem for sentence in stems[:2] for stem in sentence}
    rest = {stem for sentence in stems for stem in sentence}
    head = _stem(subject.lemma)
    if not subject.central and act is not Act.THANKS and not _named_in_passing(subject, act, head in first, head in rest):
        return None
    # Nouns that the next turn takes up instead.
    strays = 0.3 if _shared_nouns(doc, following) else 0.0
    score = 0.3
    if head in rest:
        score += 1.5 + (0.3 if head in first else 0.0)
    elif rest & {_stem(word) for word in re.findall(r"[a-z]+", subject.own.lower()) if len(word) > 3}:
        score += 1.3
    elif _shows("cheering", after.text) and act in {Act.NEWS, Act.PRAISE, Act.THANKS}:
        score += (0.7 if len(doc) <= 30 else 0.5) - (strays if len(doc) <= 25 else 2.5 * strays)
    elif act is Act.THANKS:
        score += 0.9
    elif act is Act.NEWS and len(doc) <= 30:
        score += 0.4 - strays
    elif act is Act.VIEW:
        return None
    score += (0.5 if subject.whose else 0.0) + (0.2 if " " in subject.own.split(" ", 1)[-1] else 0.0)
    score += (0.2 if subject.central else -0.6) + (0.2 if list(doc.sents)[-1].start <= subject.start else 0.0)
    return score - 0.02 * max(0, len(doc) - 22) - (0.2 if before.caption else 0.0)


def _named_in_passing(subject: Subject, act: Act, early: bool, taken_up: bool) -> bool:
    """Whether a phrase that the turn only names in passing will do, since the next turn makes it its matter."""
    if act is Act.NEWS:
        return bool(subject.whose) and early
    return act is Act.VIEW and subject.kind is Kind.VALUE and taken_up


def _stem(word: str) -> str:
    for ending in ("ning", "ing", "ers", "er", "es", "s", "e"):
        if word.endswith(ending) and len(word) - len(ending) >= 3:
            return word[: -len(ending)]
    return word


def _sad(doc: Doc, *, answer: bool = False) -> bool:
    lists = load_lexicon().lists
    words = lists["sad"] - (lists["mild"] if answer else {"hard", "heart"})
    return any((token.lower_ in words or token.lemma_.lower() in words) and not _worriless(token) for token in doc)


def _worriless(token: Token) -> bool:
    """Whether a word is the second of "no worries"."""
    return bool(token.lower_ == "worries" and token.i > 0 and token.nbor(-1).lower_ == "no")


def _shared_nouns(first: Doc, second: Doc) -> set[str]:
    nouns = [{token.lemma_.lower() for token in doc if token.pos_ in {"NOUN", "PROPN"}} for doc in (first, second)]
    return nouns[0] & nouns[1]

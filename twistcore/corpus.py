"""Corpus types: read-only conversations of sessions of turns, with the questions asked about them.

A corpus is one ordered stream: `Corpus.turns()` yields every turn in reading order. Files are read by `locomo_patch`.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum


class Category(StrEnum):
    """LoCoMo's question categories. The file has integers; names follow Table 5 of the LoCoMo paper (LOCOMO.md section 2)."""

    MULTI_HOP = "multi-hop"
    TEMPORAL = "temporal"
    OPEN_DOMAIN = "open-domain"
    SINGLE_HOP = "single-hop"
    ADVERSARIAL = "adversarial"

    @classmethod
    def of_number(cls, number: int) -> Category:
        """The category that LoCoMo writes as `number` (1 to 5); raises KeyError for any other."""
        return _BY_NUMBER[number]

    @property
    def number(self) -> int:
        """The integer that LoCoMo writes."""
        return next(number for number, category in _BY_NUMBER.items() if category is self)

    @property
    def answerable(self) -> bool:
        """Whether the question has an answer in the record (all but the adversarial ones)."""
        return self is not Category.ADVERSARIAL


_BY_NUMBER = {
    1: Category.MULTI_HOP,
    2: Category.TEMPORAL,
    3: Category.OPEN_DOMAIN,
    4: Category.SINGLE_HOP,
    5: Category.ADVERSARIAL,
}


@dataclass(frozen=True, slots=True)
class Turn:
    """One utterance. `position` counts from 1 inside its session and is the second number of the dia_id."""

    sample_id: str
    session: int
    position: int
    speaker: str
    text: str
    caption: str | None = None
    query: str | None = None
    has_image: bool = False

    @property
    def dia_id(self) -> str:
        """LoCoMo's turn id, `D<session>:<position>`; unique inside one conversation only."""
        return f"D{self.session}:{self.position}"


@dataclass(frozen=True, slots=True)
class Session:
    """A dated run of turns between the two speakers. `date` is the literal reading of `date_text`."""

    number: int
    date: datetime
    date_text: str
    turns: tuple[Turn, ...]


@dataclass(frozen=True, slots=True)
class DanglingDate:
    """A date key without a session list (sixteen in conv-26; LOCOMO.md section 3)."""

    number: int
    date: datetime
    date_text: str


@dataclass(frozen=True, slots=True)
class Question:
    """One QA item as the file has it. `answer` keeps its JSON type; `evidence` are the raw strings."""

    sample_id: str
    index: int
    question: str
    answer: str | int | None
    adversarial_answer: str | None
    evidence: tuple[str, ...]
    category: Category


@dataclass(frozen=True, slots=True)
class Conversation:
    """Two speakers over dated sessions, numbered from 1 without a gap."""

    sample_id: str
    speaker_a: str
    speaker_b: str
    sessions: tuple[Session, ...]
    dangling: tuple[DanglingDate, ...] = ()
    questions: tuple[Question, ...] = ()

    @property
    def speakers(self) -> tuple[str, str]:
        """Both speakers, speaker_a first."""
        return self.speaker_a, self.speaker_b

    def partner_of(self, speaker: str) -> str:
        """The other speaker; raises ValueError for a name that is neither."""
        if speaker not in self.speakers:
            raise ValueError(f"{speaker} does not speak in {self.sample_id}")
        return self.speaker_b if speaker == self.speaker_a else self.speaker_a

    def session(self, number: int) -> Session:
        """The session with that number; raises KeyError when it has no turns or does not exist."""
        if 1 <= number <= len(self.sessions):
            return self.sessions[number - 1]
        raise KeyError(number)

    def turns(self) -> Iterator[Turn]:
        """All turns in reading order."""
        for session in self.sessions:
            yield from session.turns

    def turn(self, dia_id: str) -> Turn:
        """The turn with that id; raises KeyError when there is none."""
        session, _, position = dia_id[1:].partition(":")
        turns = self.session(int(session)).turns
        if not 1 <= int(position) <= len(turns):
            raise KeyError(dia_id)
        return turns[int(position) - 1]


@dataclass(frozen=True, slots=True)
class Corpus:
    """Conversations with the name and hash of the version that they were read from."""

    version: str
    sha256: str
    conversations: tuple[Conversation, ...]

    def conversation(self, sample_id: str) -> Conversation:
        """The conversation with that id; raises KeyError when there is none."""
        for conversation in self.conversations:
            if conversation.sample_id == sample_id:
                return conversation
        raise KeyError(sample_id)

    def turns(self) -> Iterator[Turn]:
        """All turns of all conversations in reading order."""
        for conversation in self.conversations:
            yield from conversation.turns()

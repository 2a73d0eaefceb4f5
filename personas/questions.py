"""What the QA asks about each speaker: whom a question is about, its content lemmas, and what kind of answer it wants."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING

from personas.nicknames import named_in
from twistcore.corpus import Conversation, Question
from twistcore.text.parses import Parser

if TYPE_CHECKING:
    from spacy.tokens import Doc

_BOTH = re.compile(r"\bboth\b|\b(?:they|their|the (?:two|friends|couple|pair))\b", re.IGNORECASE)
_YES_NO = re.compile(r"^(?:is|are|was|were|do|does|did|has|have|had|would|will|could|can|should|might)\b", re.IGNORECASE)
_SAYS_YES_NO = re.compile(r"^\W*(?:likely |probably )?(?:yes|no)\b", re.IGNORECASE)
_COUNT = re.compile(r"\bhow (?:many|often|frequently)\b|\bnumber of\b", re.IGNORECASE)
_DATE = re.compile(
    r"\bwhen\b|\b(?:what|which|in what|in which) (?:\w+ )?(?:date|day|month|year|season|week|weekend)\b|\bhow long ago\b",
    re.IGNORECASE,
)
_FIRST_LAST = re.compile(
    r"\b(?:first|last|latest|most recent(?:ly)?|recent(?:ly)?|currently|current|newest|earliest|final)\b", re.IGNORECASE
)
_FAVOURITE = re.compile(r"\bfavou?rites?\b|\bbest\b|\bmost\b(?! recent)", re.IGNORECASE)
_LIST = re.compile(
    r"\b(?:what|which) (?:(?:kinds|types|sorts) of|(?:[\w-]+ ){0,2}?\w{2,}[^\Wsu]s "
    r"(?:has|have|do|does|did|are|were|is|was|can|could|will|might|would)\b)",
    re.IGNORECASE,
)
_HOW_WHY = re.compile(r"^(?:how|why)\b", re.IGNORECASE)
_PARTS = re.compile(r"\s*[,;]\s*(?:and\s+)?|\s+and\s+|\s*&\s*")
_DATED = re.compile(
    r"\b(?:january|february|march|april|may|june|july|august|september|october|november|december)\b|\b(?:19|20)\d\d\b",
    re.IGNORECASE,
)
MAX_PART_WORDS = 4
_RUN = re.compile(r"[^\W\d_]+|\d+")


class AnswerKind(StrEnum):
    """What an answer looks like, in the order in which a question's main kind is chosen."""

    DATE = "date"
    COUNT = "count"
    YES_NO = "yes-no"
    FIRST_LAST = "first-last"
    FAVOURITE = "favourite"
    LIST = "list"
    FREE = "free"


@dataclass(frozen=True, slots=True)
class AskedQuestion:
    """A question with whom it is about (`about` is empty when it names nobody), its content, and every kind that fits it.

    `content` has the content lemmas of the question, `answer` those of the gold and the adversarial answer, both without the
    speakers' names.
    """

    question: Question
    about: frozenset[str]
    named: frozenset[str]
    content: frozenset[str]
    answer: frozenset[str]
    kinds: frozenset[AnswerKind]

    @property
    def kind(self) -> AnswerKind:
        """The main kind."""
        return next(kind for kind in AnswerKind if kind in self.kinds)

    @property
    def order_sensitive(self) -> bool:
        """Whether one more turn may change the answer without contradicting anything: lists, counts, first, last, favourites."""
        return bool(self.kinds & {AnswerKind.LIST, AnswerKind.COUNT, AnswerKind.FIRST_LAST, AnswerKind.FAVOURITE})

    def concerns(self, speaker: str) -> bool:
        """Whether the question is about the speaker, or names nobody and so may be."""
        return not self.about or speaker in self.about


def read_questions(conversation: Conversation, parser: Parser, forms: Mapping[str, frozenset[str]]) -> tuple[AskedQuestion, ...]:
    """All questions of a conversation, read. `forms` are those of `personas.nicknames.speaker_forms`; parses are kept on disk."""
    texts = [text for question in conversation.questions for text in _texts(question)]
    docs = dict(zip(texts, parser.parse_kept(texts), strict=True)) if texts else {}
    names = frozenset().union(*forms.values())
    everyone = frozenset(conversation.speakers)
    return tuple(_read(question, docs, forms, names, everyone) for question in conversation.questions)


def about(questions: Sequence[AskedQuestion], speaker: str) -> tuple[AskedQuestion, ...]:
    """The questions that concern a speaker, in the order of the file."""
    return tuple(asked for asked in questions if asked.concerns(speaker))


def _texts(question: Question) -> list[str]:
    texts = [question.question]
    texts += [
        str(answer) for answer in (question.answer, question.adversarial_answer) if answer is not None and str(answer).strip()
    ]
    return texts


def _read(
    question: Question,
    docs: Mapping[str, Doc],
    forms: Mapping[str, frozenset[str]],
    names: frozenset[str],
    everyone: frozenset[str],
) -> AskedQuestion:
    text, *answers = _texts(question)
    named = named_in(text, forms)
    answer: frozenset[str] = frozenset().union(*(_content(docs[given], names) for given in answers))
    subjects = everyone if not named and _BOTH.search(text) else named
    return AskedQuestion(question, subjects, named, _content(docs[text], names), answer, answer_kinds(text, answers))


def answer_kinds(question: str, answers: Sequence[str]) -> frozenset[AnswerKind]:
    """Every kind that fits a question and its answers; FREE when no other does."""
    stripped = question.strip()
    kinds = {
        kind
        for kind, rule in (
            (AnswerKind.COUNT, _COUNT),
            (AnswerKind.DATE, _DATE),
            (AnswerKind.FIRST_LAST, _FIRST_LAST),
            (AnswerKind.FAVOURITE, _FAVOURITE),
            (AnswerKind.LIST, _LIST),
            (AnswerKind.YES_NO, _YES_NO),
        )
        if rule.search(stripped)
    }
    if any(_SAYS_YES_NO.match(answer) for answer in answers):
        kinds.add(AnswerKind.YES_NO)
    if (
        not kinds & {AnswerKind.DATE, AnswerKind.YES_NO}
        and not _HOW_WHY.match(stripped)
        and any(_lists(answer) for answer in answers)
    ):
        kinds.add(AnswerKind.LIST)
    return frozenset(kinds or {AnswerKind.FREE})


def _lists(answer: str) -> bool:
    """Whether an answer enumerates: short parts between commas or "and", and no date ("May 7, 2023")."""
    parts = [part for part in _PARTS.split(answer) if part]
    return (
        len(parts) > 1 and _DATED.search(answer) is None and sum(len(part.split()) for part in parts) <= MAX_PART_WORDS * len(parts)
    )


def _content(doc: Doc, names: frozenset[str]) -> frozenset[str]:
    """Content lemmas; words that the file glues to a number ("23January") are parted."""
    lemmas: set[str] = set()
    for token in doc:
        if token.is_stop or token.is_punct or token.is_space or token.lower_ in names:
            continue
        lemmas.update(run for run in _RUN.findall(token.lemma_.lower()) if len(run) > 1 or run.isdigit())
    return frozenset(lemmas - names)

"""What the record says against a topic: who has named it, and which questions it would touch."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property

from arcs.frames import Frame, TopicObject
from inject.gates.case import Record
from twistcore.corpus import Question

# (words of the topic, holder) -> questions whose answer a turn about it could change
Touched = Callable[[frozenset[str], str], Sequence[Question]]


@dataclass(frozen=True)
class TopicCheck:
    """Objections of one conversation against objects of frames; `touched` comes from the floor that re-validates questions."""

    record: Record
    touched: Touched

    @cached_property
    def _everything(self) -> str:
        conversation = self.record.conversation
        parts = [turn.text for turn in conversation.turns()]
        parts += [extra for turn in conversation.turns() for extra in (turn.caption, turn.query) if extra]
        for question in conversation.questions:
            parts += [question.question, str(question.answer or ""), str(question.adversarial_answer or "")]
        return " \n ".join(parts).lower()

    @cached_property
    def _lemmas_by_speaker(self) -> dict[str, frozenset[str]]:
        out = {}
        for speaker in self.record.conversation.speakers:
            words: set[str] = set()
            for _, doc in self.record.said_by(speaker):
                words.update(token.lemma_.lower() for token in doc if token.is_alpha)
                words.update(token.lower_ for token in doc if token.is_alpha)
            out[speaker] = frozenset(words)
        return out

    def objections(self, frame: Frame, item: TopicObject, holder: str) -> list[str]:
        """Why an object cannot be the holder's topic; empty when nothing on the record speaks against it."""
        if re.search(rf"\b{re.escape(item.head.lower())}(?:e?s|es|ing|ed)?\b", self._everything):
            return ["named on the record"]
        said = self._lemmas_by_speaker[holder]
        if any(self._says(word.lower(), said, holder) for word in item.related):
            return ["close to what the holder says"]
        words = frozenset({*item.head.lower().split(), *(word.lower() for word in item.related)})
        if self.touched(words, holder):
            return ["asked about by a question"]
        return []

    def _says(self, word: str, said: frozenset[str], holder: str) -> bool:
        if " " not in word:
            return word in said
        pattern = re.compile(rf"\b{re.escape(word)}s?\b", re.IGNORECASE)
        return any(pattern.search(turn.text) for turn, _ in self.record.said_by(holder))


def touched_by_words(record: Record) -> Touched:
    """Questions that name the holder or nobody and share a content word with the topic, in question, answer or trap."""
    indexed = []
    names = [name.lower() for name in record.conversation.speakers]
    for question in record.conversation.questions:
        text = f"{question.question} {question.answer or ''} {question.adversarial_answer or ''}".lower()
        asked = {name for name in names if name[:4] in question.question.lower()}
        indexed.append((question, asked or set(names), frozenset(re.findall(r"[a-z]+", text))))

    def touched(words: frozenset[str], holder: str) -> list[Question]:
        forms = words | {f"{word}s" for word in words}
        return [question for question, asked, content in indexed if holder.lower() in asked and content & forms]

    return touched

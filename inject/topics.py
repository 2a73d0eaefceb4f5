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
    def _words(self) -> frozenset[str]:
        return frozenset(re.findall(r"[a-z]+", self._everything))

    @cached_property
    def _said(self) -> dict[str, tuple[frozenset[str], str]]:
        """By speaker: every word and lemma said, and the whole text in lower case."""
        out = {}
        for speaker in self.record.conversation.speakers:
            words: set[str] = set()
            for _, doc in self.record.said_by(speaker):
                words.update(token.lemma_.lower() for token in doc if token.is_alpha)
                words.update(token.lower_ for token in doc if token.is_alpha)
            text = " \n ".join(turn.text for turn, _ in self.record.said_by(speaker)).lower()
            out[speaker] = (frozenset(words), text)
        return out

    def objections(self, frame: Frame, item: TopicObject, holder: str) -> list[str]:
        """Why an object cannot be the holder's topic; empty when nothing on the record speaks against it."""
        if self._named(item.head.lower()):
            return ["named on the record"]
        said, text = self._said[holder]
        if any(word.lower() in (text if " " in word else said) for word in item.related):
            return ["close to what the holder says"]
        words = frozenset({*item.head.lower().split(), *(word.lower() for word in item.related)})
        if self.touched(words, holder):
            return ["asked about by a question"]
        return []

    def _named(self, head: str) -> bool:
        if " " in head:
            return head in self._everything
        return any(head + ending in self._words for ending in ("", "s", "es", "ing", "ed"))


def touched_by_words(record: Record) -> Touched:
    """Questions that name the holder or nobody and share a content word with the topic, in question, answer or trap."""
    indexed = []
    names = [name.lower() for name in record.conversation.speakers]
    for question in record.conversation.questions:
        text = f"{question.question} {question.answer or ''} {question.adversarial_answer or ''}".lower()
        asked = {name for name in names if name[:4] in question.question.lower()}
        indexed.append((question, asked or set(names), frozenset(re.findall(r"[a-z]+", text))))
    asked_of = {name: [(question, content) for question, asked, content in indexed if name in asked] for name in names}

    def touched(words: frozenset[str], holder: str) -> list[Question]:
        forms = words | {f"{word}s" for word in words}
        return [question for question, content in asked_of[holder.lower()] if not forms.isdisjoint(content)]

    return touched

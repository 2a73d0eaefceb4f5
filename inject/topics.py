"""What the record says against a topic: who has named it, and which questions it would touch."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache

from arcs.frames import Frame, TopicObject
from inject.gates.case import Record
from personas.persona import Persona
from personas.questions import AskedQuestion, about
from twistcore.corpus import Question
from twistcore.text.classes import hypernyms

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


@lru_cache(maxsize=4096)
def _classes(words: frozenset[str]) -> frozenset[str]:
    return frozenset().union(*(hypernyms(word, "n") for word in words))


def touched_by_words(questions: Sequence[AskedQuestion]) -> Touched:
    """Questions about the holder, or about nobody by name, that a turn on the topic could change.

    Either question, answer or trap shares a word with the topic; or the question asks for a list, a count, a first or a
    favourite of a
    class that the topic belongs to (LOCOMO.md section 7: a new turn can flip those without contradicting anything).
    """
    indexed: dict[str, list[tuple[Question, frozenset[str]]]] = {}
    order_sensitive: dict[str, list[tuple[Question, frozenset[str]]]] = {}

    def fill_for(holder: str) -> None:
        mine = about(questions, holder)
        indexed[holder] = [(asked.question, asked.content | asked.answer) for asked in mine]
        order_sensitive[holder] = [(asked.question, asked.content) for asked in mine if asked.order_sensitive]

    def touched(words: frozenset[str], holder: str) -> list[Question]:
        if holder not in indexed:
            fill_for(holder)
        forms = words | {f"{word}s" for word in words}
        hit = [question for question, content in indexed[holder] if not forms.isdisjoint(content)]
        classes = _classes(words)
        return hit + [question for question, content in order_sensitive[holder] if not classes.isdisjoint(content)]

    return touched


def persona_fit(persona: Persona) -> Callable[[Frame], float]:
    """How near a frame's matter is to what a speaker talks about: the weight of the topics that share its words or their
    classes."""
    weights: dict[str, float] = defaultdict(float)
    for topic in persona.topics:
        for lemma in {topic.term, *topic.term.split()}:
            weights[lemma] += topic.weight

    def fit(frame: Frame) -> float:
        words = set(re.findall(r"[a-z]{4,}", frame.title.lower()))
        words |= {word for item in frame.objects for head in item.head.lower().split() for word in hypernyms(head, "n", 1)}
        return sum(weights.get(word, 0.0) for word in words)

    return fit

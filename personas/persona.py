"""Personas: who speaks in a conversation, read from the corpus.

A person is known by conversation and name: the three Johns of LoCoMo are three people (LOCOMO.md section 10).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from personas.facts import Modality, StatedFact, state_facts
from personas.phrases import PhraseBook, bind_book
from personas.questions import AskedQuestion, about, read_questions
from personas.record import Mention, RecordIndex, Source, index_record
from personas.topics import TermWeights, Topic, find_topics, weigh_terms
from personas.voice import Voice, measure_voice, most_used
from twistcore.corpus import Conversation, Corpus
from twistcore.text.parses import Parser

__all__ = [
    "Background",
    "Mention",
    "Persona",
    "RecordIndex",
    "Source",
    "index_record",
    "read_background",
    "read_corpus_personas",
    "read_personas",
]


@dataclass(frozen=True, slots=True)
class Background:
    """What the speakers of several conversations are compared with: phrases for voices, term frequencies for topics."""

    book: PhraseBook
    weights: TermWeights


@dataclass(frozen=True, slots=True)
class Persona:
    """One speaker of one conversation. Evidence ids are valid inside `sample_id` only."""

    sample_id: str
    name: str
    partner: str
    forms: frozenset[str]
    voice: Voice
    topics: tuple[Topic, ...]
    facts: tuple[StatedFact, ...]
    questions: tuple[AskedQuestion, ...]

    @property
    def key(self) -> tuple[str, str]:
        """What tells this person from every other: (sample_id, name)."""
        return self.sample_id, self.name

    def summary(self) -> dict[str, Any]:
        """A short view of JSON types for display."""
        voice = self.voice
        asserted = [fact for fact in self.facts if fact.modality is Modality.ASSERTED and fact.object and fact.told_by == self.name]
        return {
            "sample_id": self.sample_id,
            "name": self.name,
            "partner": self.partner,
            "forms": sorted(self.forms),
            "voice": {
                "turns": voice.turns,
                "words_per_turn": {
                    "median": voice.words_per_turn.q50,
                    "q95": voice.words_per_turn.q95,
                    "largest": voice.words_per_turn.largest,
                },
                "openers": most_used(voice.openers),
                "closers": most_used(voice.closers),
                "contraction_rate": voice.contraction_rate,
                "exclamation_rate": voice.exclamation_rate,
                "question_rate": voice.question_rate,
                "emoji_rate": voice.emoji_rate,
                "interjections": most_used(voice.interjections, 5),
                "calls_partner": most_used(voice.names),
                "pet_phrases": [phrase.text for phrase in voice.pet_phrases[:10]],
            },
            "topics": [
                {"term": topic.term, "count": topic.count, "evidence": list(topic.evidence[:3])} for topic in self.topics[:15]
            ],
            "facts": {"all": len(self.facts), "first": [{"dia_id": fact.dia_id, "text": fact.text} for fact in asserted[:5]]},
            "questions": dict(sorted(Counter(asked.kind.value for asked in self.questions).items())),
        }


def read_background(indexes: Sequence[RecordIndex]) -> Background:
    """The background that conversations make together."""
    people = {
        (index.conversation.sample_id, name): index.turns_of(name)
        for index in indexes
        for name in sorted(index.conversation.speakers)
    }
    return Background(bind_book(people), weigh_terms(indexes))


def read_personas(
    conversation: Conversation, parser: Parser, background: Background | None = None, index: RecordIndex | None = None
) -> tuple[Persona, Persona]:
    """Both speakers, speaker_a first. `index` saves indexing again.

    Without a `background` a speaker's phrases are compared with the partner's only and topics are weighted by count.
    """
    index = index or index_record(conversation, parser)
    background = background or read_background([index])
    facts = state_facts(index)
    questions = read_questions(conversation, parser, index.forms)
    first, second = (_persona(name, index, background, facts, questions) for name in conversation.speakers)
    return first, second


def read_corpus_personas(corpus: Corpus, parser: Parser) -> dict[str, tuple[Persona, Persona]]:
    """Personas of all conversations by sample_id, each weighed against all of them."""
    indexes = {conversation.sample_id: index_record(conversation, parser) for conversation in corpus.conversations}
    background = read_background(list(indexes.values()))
    return {
        conversation.sample_id: read_personas(conversation, parser, background, indexes[conversation.sample_id])
        for conversation in corpus.conversations
    }


def _persona(
    name: str,
    index: RecordIndex,
    background: Background,
    facts: Mapping[str, tuple[StatedFact, ...]],
    questions: tuple[AskedQuestion, ...],
) -> Persona:
    partner = index.conversation.partner_of(name)
    return Persona(
        sample_id=index.conversation.sample_id,
        name=name,
        partner=partner,
        forms=index.forms[name],
        voice=measure_voice(index.turns_of(name), index.docs, partner, background.book),
        topics=find_topics(index, name, background.weights),
        facts=facts[name],
        questions=about(questions, name),
    )

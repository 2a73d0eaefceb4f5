"""What the record says against a topic: who has named it, which questions it would touch (DESIGN.md rule 9; PRECEDENTS.md 6, 49)."""

from __future__ import annotations

from dataclasses import dataclass

import pytest

from arcs.frames import TopicObject, load_frames
from inject.gates.case import Record
from inject.topics import TopicCheck, persona_fit, touched_by_words
from locomo_patch.reader import LoadedCorpus
from personas.persona import Persona, read_personas
from twistcore.text.parses import Parser

FRAME = load_frames()[0]


@dataclass(frozen=True)
class Known:
    """A mock conversation with its people and what can be asked about a topic."""

    record: Record
    personas: dict[str, Persona]
    check: TopicCheck


@pytest.fixture(scope="module")
def known(mock: LoadedCorpus, parser: Parser) -> Known:
    conversation = mock.corpus.conversation("mock-1")
    record = Record(conversation, parser)
    personas = {persona.name: persona for persona in read_personas(conversation, parser)}
    asked = tuple(dict.fromkeys(question for persona in personas.values() for question in persona.questions))
    return Known(record, personas, TopicCheck(record, touched_by_words(asked)))


def thing(head: str, *related: str) -> TopicObject:
    return TopicObject(key="thing", head=head, related=list(related), slots={"one": head, "many": head, "the": head})


def test_what_nobody_mentioned_is_free_for_both(known: Known) -> None:
    for holder in ("Ingrid", "Tobias"):
        assert known.check.objections(FRAME, thing("xylophone"), holder) == []


@pytest.mark.parametrize("head", ["accordion", "cat", "houseplant", "tablecloth", "printing press", "sea serpent"])
def test_what_is_named_anywhere_on_the_record_is_refused_for_both(known: Known, head: str) -> None:
    """In a turn, a caption, a question, an answer or a trap, in the singular or the plural."""
    for holder in ("Ingrid", "Tobias"):
        assert known.check.objections(FRAME, thing(head), holder) == ["named on the record"]


def test_a_related_word_speaks_against_whoever_said_it(known: Known) -> None:
    said = {speaker: {turn.text for turn, _ in known.record.said_by(speaker)} for speaker in ("Ingrid", "Tobias")}
    word = "captain"
    holders = [speaker for speaker, texts in said.items() if any(word in text.lower() for text in texts)]
    assert holders
    for holder in holders:
        assert known.check.objections(FRAME, thing("xylophone", word), holder) == ["close to what the holder says"]


def test_a_question_about_the_holder_speaks_against_its_words(known: Known) -> None:
    touched = touched_by_words(tuple(known.personas["Tobias"].questions))
    hit = touched(frozenset({"accordion"}), "Tobias")
    assert any("grandfather" in question.question for question in hit)
    assert touched(frozenset({"xylophone"}), "Tobias") == []


def test_adversarial_questions_count_too(known: Known) -> None:
    """A mirror question becomes answerable when its subject gets what the other one has."""
    asked = tuple(dict.fromkeys(question for persona in known.personas.values() for question in persona.questions))
    hit = touched_by_words(asked)(frozenset({"accordion"}), "Ingrid")
    assert any(not question.category.answerable for question in hit)


def test_a_fit_is_a_number_for_every_frame_and_higher_for_what_is_talked_about(known: Known) -> None:
    for persona in known.personas.values():
        fit = persona_fit(persona)
        values = [fit(frame) for frame in load_frames()]
        assert all(value >= 0 for value in values)
        assert values == [fit(frame) for frame in load_frames()]
    topic = max(known.personas["Tobias"].topics, key=lambda topic: topic.weight)
    near = FRAME.model_copy(update={"title": f"all about {topic.term}"})
    plain = FRAME.model_copy(update={"title": "qqqq"})
    fit = persona_fit(known.personas["Tobias"])
    assert fit(near) > fit(plain)


def test_objections_are_reasons_without_the_words_of_the_record(known: Known) -> None:
    for frame in load_frames():
        for item in frame.objects:
            for holder in ("Ingrid", "Tobias"):
                against = known.check.objections(frame, item, holder)
                assert set(against) <= {"named on the record", "close to what the holder says", "asked about by a question"}

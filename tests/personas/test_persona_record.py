from __future__ import annotations

import dataclasses
import json
from collections.abc import Callable
from pathlib import Path

import pytest

from personas.facts import Modality, Polarity, StatedFact, state_facts
from personas.nicknames import forms_of, named_in, speaker_forms
from personas.persona import Persona, Source, index_record, read_personas
from personas.questions import AnswerKind, answer_kinds, read_questions
from twistcore.corpus import Conversation, Corpus
from twistcore.text.parses import Parser

Make = Callable[..., Conversation]


@pytest.fixture
def facts(make_talk: Make, parser: Parser) -> Callable[[str], dict[str, tuple[StatedFact, ...]]]:
    return lambda text: state_facts(index_record(make_talk("t", ("Ann", "Bob"), [[("Ann", text)]]), parser))


def only(found: tuple[StatedFact, ...], predicate: str) -> StatedFact:
    [fact] = [fact for fact in found if fact.predicate == predicate]
    return fact


@pytest.mark.parametrize(
    ("text", "subject", "predicate", "complement", "polarity", "modality"),
    [
        ("I work at the county museum.", "I", "work", "at county museum", Polarity.AFFIRMED, Modality.ASSERTED),
        ("We went to the beach with my kids.", "we", "go", "to beach with kids", Polarity.AFFIRMED, Modality.ASSERTED),
        ("I don't eat meat.", "I", "eat", "meat", Polarity.DENIED, Modality.ASSERTED),
        ("I never eat red meat.", "I", "eat", "red meat", Polarity.DENIED, Modality.ASSERTED),
        ("I used to play the violin.", "I", "play", "violin", Polarity.AFFIRMED, Modality.FORMER),
        ("I'm going to adopt a dog.", "I", "adopt", "dog", Polarity.AFFIRMED, Modality.INTENDED),
        ("I want to buy a boat.", "I", "buy", "boat", Polarity.AFFIRMED, Modality.INTENDED),
        ("If I won the lottery, I would buy a castle.", "I", "buy", "castle", Polarity.AFFIRMED, Modality.HYPOTHETICAL),
        ("I might sell the shop.", "I", "sell", "shop", Polarity.AFFIRMED, Modality.POSSIBLE),
        ("I signed up for a pottery class.", "I", "sign up", "for pottery class", Polarity.AFFIRMED, Modality.ASSERTED),
        ("I love baking bread.", "I", "love bake", "bread", Polarity.AFFIRMED, Modality.ASSERTED),
        ("Bought a new car yesterday!", "I", "buy", "new car", Polarity.AFFIRMED, Modality.ASSERTED),
        ("Can't wait to try the food there!", "I", "try", "food", Polarity.AFFIRMED, Modality.INTENDED),
        ("My sister runs a bakery.", "my sister", "run", "bakery", Polarity.AFFIRMED, Modality.ASSERTED),
    ],
)
def test_what_a_speaker_states(
    text: str,
    subject: str,
    predicate: str,
    complement: str,
    polarity: Polarity,
    modality: Modality,
    facts: Callable[[str], dict[str, tuple[StatedFact, ...]]],
) -> None:
    fact = only(facts(text)["Ann"], predicate)
    assert (fact.subject, fact.object, fact.polarity, fact.modality) == (subject, complement, polarity, modality)
    assert (fact.dia_id, fact.told_by, fact.text) == ("D1:1", "Ann", text)


def test_what_the_partner_is_told(facts: Callable[[str], dict[str, tuple[StatedFact, ...]]]) -> None:
    found = facts("Your violin sounds lovely. You sold the shop! Have you met the mayor?")
    assert found["Ann"] == ()
    assert only(found["Bob"], "have").object == "violin" and only(found["Bob"], "have").modality is Modality.PRESUPPOSED
    assert only(found["Bob"], "sell").modality is Modality.ASSERTED
    assert only(found["Bob"], "meet").modality is Modality.QUESTION
    assert {fact.told_by for fact in found["Bob"]} == {"Ann"}


def test_others_and_orders_are_no_facts_of_the_speaker(facts: Callable[[str], dict[str, tuple[StatedFact, ...]]]) -> None:
    assert facts("The mayor bought a boat. Keep going! He plays chess. Sounds great!") == {"Ann": (), "Bob": ()}


def test_forms_found_in_turns_and_slips_in_questions(make_talk: Make) -> None:
    said = [[("Deborah", "Hi Jolene! We met Jean in San Jose."), ("Jolene", "Hey Deb, thanks!")]]
    asked = [
        "Where did Deboran go?",
        "What did Jolenes's dog eat?",
        "Who met Jean?",
        "Did both Kim and Jolene win?",
        "When is Deb in San Marino?",
    ]
    forms = speaker_forms(make_talk("t", ("Deborah", "Jolene"), said, asked))
    assert forms == {"Deborah": {"deborah", "deb", "deboran", "kim"}, "Jolene": {"jolene", "jolenes"}}
    assert named_in("Why did Deboran call?", forms) == {"Deborah"}
    assert named_in("Is Deb older than Jolene?", forms) == {"Deborah", "Jolene"}
    assert named_in("What did the deb wear?", forms) == set()


def test_forms_of_nobody_are_refused(make_talk: Make) -> None:
    with pytest.raises(ValueError, match="does not speak"):
        forms_of("Zoe", make_talk("t", ("Ann", "Bob"), [[("Ann", "Hi")]]))


def test_a_name_of_three_letters_has_few_slips(make_talk: Make) -> None:
    conversation = make_talk("t", ("Sam", "Evan"), [[("Sam", "Hi Evan")]], ["Did Sam like San Pedro or Jan or Sama?"])
    assert forms_of("Sam", conversation) == {"sam", "sama"}


@pytest.mark.parametrize(
    ("question", "answer", "kinds"),
    [
        ("How many dogs does Ann have?", "two", {AnswerKind.COUNT}),
        ("When did Ann move?", "7 May, 2023", {AnswerKind.DATE}),
        ("What pets does Ann have?", "a cat", {AnswerKind.LIST}),
        ("What did Ann buy?", "bread, milk and eggs", {AnswerKind.LIST}),
        ("Would Ann enjoy opera?", "Likely no", {AnswerKind.YES_NO}),
        ("What is Ann's favorite book?", "Emma", {AnswerKind.FAVOURITE}),
        ("What did Ann paint most recently?", "a lake", {AnswerKind.FIRST_LAST}),
        ("What did Ann say about Rome?", "It was warm", {AnswerKind.FREE}),
        ("When did Ann first fly?", "2021", {AnswerKind.DATE, AnswerKind.FIRST_LAST}),
    ],
)
def test_answer_kinds(question: str, answer: str, kinds: set[AnswerKind]) -> None:
    assert answer_kinds(question, [answer]) == kinds


def test_questions_know_whom_they_are_about(make_talk: Make, parser: Parser) -> None:
    asked = ["What did Ann bake?", "What do they both like?", "Who is Oscar?", "Did Bob thank Ann?"]
    conversation = make_talk("t", ("Ann", "Bob"), [[("Ann", "I bake")]], asked)
    read = read_questions(conversation, parser, speaker_forms(conversation))
    assert [set(question.about) for question in read] == [{"Ann"}, {"Ann", "Bob"}, set(), {"Ann", "Bob"}]
    assert [question.concerns("Bob") for question in read] == [False, True, True, True]
    assert read[0].content == {"bake"}


def test_said_and_mentioned(mock: Corpus, parser: Parser) -> None:
    index = index_record(mock.conversation("mock-1"), parser)
    assert index.said("printing press")[:2] == ("D1:2", "D1:3")
    assert index.said("Press", "Ingrid")[0] == "D1:2" and "D1:3" not in index.said("press", "Ingrid")
    assert index.said("buy", "Ingrid")[0] == "D1:2"
    assert index.said("letterpress") == () and index.said("") == ()
    hidden = [mention for mention in index.mentions("letterpress") if mention.private]
    assert hidden and all(mention.source is Source.QUERY for mention in hidden)
    assert any(mention.source is Source.CAPTION for mention in index.mentions("sofa", "Tobias"))
    with pytest.raises(ValueError, match="does not speak"):
        index.turns_of("Kwame")


def test_evidence_is_real(mock: Corpus, mock_personas: dict[str, tuple[Persona, Persona]]) -> None:
    for persona in (persona for pair in mock_personas.values() for persona in pair):
        conversation = mock.conversation(persona.sample_id)
        assert persona.topics and persona.facts and persona.questions
        for topic in persona.topics:
            assert all(conversation.turn(dia_id).speaker == persona.name for dia_id in topic.evidence)
        for fact in persona.facts:
            assert conversation.turn(fact.dia_id).speaker == fact.told_by and fact.text in conversation.turn(fact.dia_id).text


def test_swapped_slots_change_nothing_but_the_order(mock: Corpus, parser: Parser) -> None:
    for conversation in mock.conversations:
        swapped = dataclasses.replace(conversation, speaker_a=conversation.speaker_b, speaker_b=conversation.speaker_a)
        assert read_personas(conversation, parser) == read_personas(swapped, parser)[::-1]


def test_a_kept_parse_gives_the_same_personas(mock: Corpus, tmp_path: Path) -> None:
    conversation = mock.conversations[0]
    fresh, kept = (read_personas(conversation, Parser(tmp_path)) for _ in range(2))
    assert fresh == kept


def test_one_name_in_three_conversations_is_three_people(make_talk: Make, parser: Parser) -> None:
    people = []
    for sample_id, pet in (("c1", "parrot"), ("c2", "iguana"), ("c3", "ferret")):
        conversation = make_talk(
            sample_id, ("John", "Maria"), [[("John", f"I have a {pet}. The {pet} eats."), ("Maria", "Nice, John!")]]
        )
        people.append(read_personas(conversation, parser)[0])
    assert len({person.key for person in people}) == 3
    assert [[fact.object for fact in person.facts] for person in people] == [["parrot"], ["iguana"], ["ferret"]]
    assert [[topic.term for topic in person.topics] for person in people] == [["parrot"], ["iguana"], ["ferret"]]


def test_a_summary_is_json(mock_personas: dict[str, tuple[Persona, Persona]]) -> None:
    for pair in mock_personas.values():
        for persona in pair:
            assert json.loads(json.dumps(persona.summary())) == persona.summary()


@pytest.mark.real
def test_slips_of_the_real_questions(real: Corpus) -> None:
    slips = {"conv-30": {"Jon": "john", "Gina": "jean"}, "conv-44": {"Andrew": "andew"}, "conv-48": {"Deborah": "deboran"}}
    slips["conv-43"] = {"Tim": "tims", "John": "johns"}
    for sample_id, expected in slips.items():
        forms = speaker_forms(real.conversation(sample_id))
        assert all(form in forms[name] for name, form in expected.items()), sample_id
    assert forms_of("John", real.conversation("conv-41")) == {"john"}


@pytest.mark.real
def test_counting_questions_are_as_many_as_the_anatomy_says(
    real: Corpus, real_personas: dict[str, tuple[Persona, Persona]]
) -> None:
    asked = {(p.sample_id, q.question.index): q for pair in real_personas.values() for p in pair for q in p.questions}
    assert len(asked) == 1986
    assert sum(AnswerKind.COUNT in question.kinds for question in asked.values()) == 53
    assert sum(not question.about for question in asked.values()) <= 22


@pytest.mark.real
def test_three_real_johns(real_personas: dict[str, tuple[Persona, Persona]]) -> None:
    johns = [person for pair in real_personas.values() for person in pair if person.name == "John"]
    assert {john.key: john.partner for john in johns} == {
        ("conv-41", "John"): "Maria",
        ("conv-43", "John"): "Tim",
        ("conv-47", "John"): "James",
    }
    tops = [{topic.term for topic in john.topics[:30]} for john in johns]
    assert "basketball" in tops[1] and "basketball" not in tops[0] | tops[2]

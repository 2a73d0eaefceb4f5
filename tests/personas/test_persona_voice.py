from __future__ import annotations

from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from personas.greetings import find_farewells, find_opener
from personas.persona import Persona
from personas.phrases import bind_book, find_pet_phrases
from personas.style import count_contractions, measure_text, split_sentences
from personas.vocatives import could_be_form, find_addresses, find_terms, short_forms
from personas.voice import Spread, measure_voice
from twistcore.corpus import Conversation, Corpus
from twistcore.text.parses import Parser


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("I'm sure it's Ann's hat.", (2, 2)),
        ("I am sure it is fine, I do not mind.", (0, 3)),
        ("It is not cold.", (0, 1)),
        ("Yes, I am.", (0, 0)),
        ("I have two dogs.", (0, 0)),
        ("I have seen it. We’ve won!", (1, 2)),
        ("I can't, and she won't.", (2, 2)),
    ],
)
def test_contractions_are_counted_where_they_could_be(text: str, expected: tuple[int, int], parser: Parser) -> None:
    assert count_contractions(parser.parse(text)) == expected


def test_style_of_one_text(parser: Parser) -> None:
    text = "Wow! That is SO cool... right? \U0001f389 :) i love it - really"
    style = measure_text(text, parser.parse(text))
    assert (style.exclaimed, style.asked, style.emoji, style.emoticons, style.ellipses, style.dashes) == (1, 1, 1, 1, 1, 1)
    assert style.capitals == ("SO",)
    assert style.words == len(text.split())


@given(st.text(max_size=80))
def test_sentences_lose_no_word(text: str) -> None:
    kept = "".join(split_sentences(text))
    assert [char for char in text if char.isalnum()] == [char for char in kept if char.isalnum()]


@pytest.mark.parametrize(
    ("word", "name", "expected"),
    [
        ("Mel", "Melanie", True),
        ("Mell", "Melanie", True),
        ("Debs", "Deborah", True),
        ("Johnny", "John", True),
        ("Jo", "Joanna", True),
        ("Me", "Melanie", False),
        ("mel", "Melanie", False),
        ("An", "Andrew", False),
        ("Melody", "Melanie", False),
        ("Car", "Caroline", False),
    ],
)
def test_short_forms_are_made_from_the_name(word: str, name: str, expected: bool) -> None:
    assert could_be_form(word, name) is expected


def test_an_address_is_set_off_and_no_possessive() -> None:
    assert list(find_addresses("Hey Mel! Thanks, Melanie. Is Mel's dog here? Mel told me.", "Melanie")) == ["Mel", "Melanie"]
    assert list(find_addresses("Me too! Meh.", "Melanie")) == []
    assert list(find_terms("Thanks, man! He is a great man.")) == ["man"]


@pytest.mark.parametrize(
    ("text", "opener"),
    [
        ("Hey Mel! Good to see you", "Hey {name}!"),
        ("Hi, Melanie - been ages", "Hi, {name}-"),
        ("Melanie, you won't believe it", "{name},"),
        ("Wow, Mel! So good", "Wow, {name}!"),
        ("Hello there! I am back", "Hello there!"),
        ("Himalayan salt is great", None),
        ("Wow! That is great", None),
    ],
)
def test_openers(text: str, opener: str | None) -> None:
    assert find_opener(text, "Melanie") == opener


def test_farewells_are_kept_as_said() -> None:
    assert list(find_farewells("I have to go now. Take care, talk to you later! Bye for now.")) == [
        "have to go",
        "take care",
        "talk to you later",
        "bye for now",
    ]


@given(st.lists(st.integers(0, 90), max_size=60))
def test_spread_is_ordered(values: list[int]) -> None:
    spread = Spread.of(values)
    assert spread.q05 <= spread.q50 <= spread.q95 <= spread.q995 <= spread.largest


def test_a_voice_is_the_speaker_s_alone(make_talk: Callable[..., Conversation], parser: Parser) -> None:
    loud, calm = (
        "Hey Roberta! WOW, that's so great! Haha! Can't wait!",
        "Hello Ann. I am well. I do not know. We will see so much of the great lake.",
    )
    conversation = make_talk(
        "t",
        ("Ann", "Roberta"),
        [[("Ann", loud), ("Roberta", calm)], [("Ann", loud.replace("Roberta", "Robbie")), ("Roberta", calm)]],
    )
    docs = {turn.dia_id: parser.parse(turn.text) for turn in conversation.turns()}
    ann, roberta = (
        measure_voice([turn for turn in conversation.turns() if turn.speaker == name], docs, conversation.partner_of(name))
        for name in ("Ann", "Roberta")
    )
    assert ann.exclamation_rate == 1.0 > roberta.exclamation_rate == 0.0
    assert ann.contraction_rate == 1.0 > roberta.contraction_rate == 0.0
    assert [habit.form for habit in ann.openers] == ["Hey {name}!"] and ann.opening_rate == 1.0
    assert ann.vocative_rate == 1.0 and roberta.calls_by() == "Ann"
    assert "haha" in {habit.form for habit in ann.interjections}
    assert ann.pet_phrases == ()


def test_no_turns_make_an_empty_voice() -> None:
    voice = measure_voice([], {}, "Ann")
    assert voice.turns == 0 and voice.words_per_turn.largest == 0 and voice.calls_by() is None


def test_voices_of_the_mock_corpus(mock: Corpus, mock_personas: dict[str, tuple[Persona, Persona]]) -> None:
    for first, second in mock_personas.values():
        assert first.voice.turns + second.voice.turns == sum(1 for _ in mock.conversation(first.sample_id).turns())
        for persona in (first, second):
            assert 0 < persona.voice.contraction_rate <= 1
            assert persona.voice.calls_by() == persona.partner
            assert persona.voice.words_per_turn.largest <= 87


@pytest.mark.real
def test_nicknames_are_as_often_as_the_anatomy_says(real: Corpus) -> None:
    counts = {}
    for conversation in real.conversations:
        for name in conversation.speakers:
            partner = conversation.partner_of(name)
            counts |= {
                form: count
                for form, count in short_forms(
                    (turn.text for turn in conversation.turns() if turn.speaker == name), partner
                ).items()
                if form != partner
            }
    assert counts == {"Mel": 58, "Deb": 41, "Cal": 25, "Jo": 7, "Ev": 3, "Caro": 2, "Mell": 1, "Debs": 1}


@pytest.mark.real
def test_pet_phrases_are_manners_not_matters(real_personas: dict[str, tuple[Persona, Persona]]) -> None:
    for persona in (persona for pair in real_personas.values() for persona in pair):
        phrases = [phrase.text for phrase in persona.voice.pet_phrases]
        assert len(phrases) >= 5
        matters = {topic.term for topic in persona.topics[:40] if len(topic.term) > 5}
        assert not matters & set(phrases), persona.key
        assert all(phrase.per_thousand > phrase.others_per_thousand for phrase in persona.voice.pet_phrases)


def test_a_pet_phrase_is_over_used_and_spread_over_sessions(make_talk: Callable[..., Conversation]) -> None:
    habit, burst = "That is totally worth it, no question.", "Well, bananas are fine. " * 5
    common = "We walk home. We walk home and it is worth it, I think. The question is totally open. It is totally so."
    conversation = make_talk(
        "t", ("Ann", "Bob"), [[("Ann", habit + (burst if day == 0 else "")), ("Bob", common)] for day in range(6)]
    )
    turns = {name: [turn for turn in conversation.turns() if turn.speaker == name] for name in conversation.speakers}
    book = bind_book({("t", name): said for name, said in turns.items()} | {("u", "Cy"): turns["Bob"]})
    kinds = {"totally": "ADV", "worth": "ADJ", "question": "NOUN", "bananas": "NOUN", "fine": "ADJ", "well": "INTJ", "it": "PRON"}
    found = {pet.text: pet for pet in find_pet_phrases(("t", "Ann"), ("t", "Bob"), kinds, frozenset({"ann", "bob"}), book)}
    assert "totally worth it" in found and found["totally worth it"].count == 6
    assert not any("bananas" in text or "fine" in text for text in found)
    assert find_pet_phrases(("t", "Zoe"), ("t", "Bob"), kinds, frozenset(), book) == ()
    assert find_pet_phrases(("t", "Ann"), ("t", "Bob"), kinds, frozenset(), bind_book({("t", "Ann"): turns["Ann"]})) == ()

"""Signs for value questions: what may be an answer, whose it is, how it is put forward, and what only looks like one."""

from __future__ import annotations

from datetime import date, datetime
from functools import lru_cache

import pytest

from locomo_patch.revalidation.answers import is_member, kin_of, pursuit_tags, pursuits_in
from locomo_patch.revalidation.cases import PlacedTurn, read_placed
from locomo_patch.revalidation.questions import read_conversation_questions
from locomo_patch.revalidation.turns import InjectedTurn
from locomo_patch.revalidation.value_signs import CROSSED, find_value_signs
from twistcore.corpus import Category, Conversation, Question, Session, Turn
from twistcore.text.parses import Parser


@lru_cache(maxsize=1)
def _parser() -> Parser:
    return Parser()


def _signs(question: str, gold: str, said: str, *, trap: bool = False, speaker: str = "Ann") -> dict[str, float]:
    """The signs of one question about Ann and one turn."""
    category = Category.ADVERSARIAL if trap else Category.SINGLE_HOP
    asked = Question("conv-1", 0, question, None if trap else gold, gold if trap else None, ("D1:1",), category)
    turns = (Turn("conv-1", 1, 1, "Ann", "Hello there."), Turn("conv-1", 1, 2, "Bob", "Hello!"))
    session = Session(1, datetime(2023, 5, 1), "1 pm on 1 May, 2023", turns)
    context = read_conversation_questions(Conversation("conv-1", "Ann", "Bob", (session,), (), (asked,)), _parser())
    turn = InjectedTurn("i", 2, date(2023, 5, 8), speaker, "Bob" if speaker == "Ann" else "Ann", said)
    reading = read_placed([PlacedTurn(turn, ())], _parser())[0]
    return find_value_signs(context.readings[0], reading, reading.facts("Ann"), context, "Ann")


def test_a_new_city_answers_which_cities_were_visited() -> None:
    found = _signs("Which cities has Ann visited?", "Paris, Rome", "I spent the weekend in Madrid and ate far too much.")
    assert found["v_new"] >= 0.9
    assert "v_only_old" not in found


def test_a_city_of_the_gold_only_agrees() -> None:
    found = _signs("Which cities has Ann visited?", "Paris, Rome", "I spent the weekend in Rome and ate far too much.")
    assert found["v_only_old"] >= 0.9
    assert found.get("v_new", 0.0) < 0.2


def test_a_city_answers_for_the_country_that_it_lies_in() -> None:
    assert _signs("Which countries has Ann visited?", "France", "I flew to Kyoto in spring.")["v_new"] >= 0.9
    assert _signs("Which countries has Ann visited?", "Japan", "I flew to Kyoto in spring.").get("v_new", 0.0) < 0.2


def test_a_place_in_a_picture_is_not_visited() -> None:
    visited = _signs("Which countries has Ann visited?", "France", "I flew to Norway in spring.")
    pictured = _signs("Which countries has Ann visited?", "France", "I glued a picture of Norway on the fridge.")
    assert pictured.get("v_new", 0.0) < visited["v_new"] / 2


def test_what_somebody_else_did_is_no_answer() -> None:
    found = _signs("Which cities has Ann visited?", "Paris", "My brother spent the weekend in Madrid.")
    assert found.get("v_new", 0.0) < 0.2
    assert found["v_other"] >= 0.5


def test_a_pronoun_keeps_the_third_person_of_the_sentence_before() -> None:
    found = _signs("What instruments does Ann play?", "piano", "My boss came by. She plays the banjo every night.")
    assert found.get("v_new", 0.0) < 0.2


@pytest.mark.parametrize(
    "said",
    [
        "I would love to fly to Madrid someday.",
        "If I ever won the lottery I'd fly to Madrid.",
        "I dreamt about Madrid all night.",
        "I never went to Madrid.",
    ],
)
def test_what_is_wished_dreamt_or_denied_is_no_answer(said: str) -> None:
    assert _signs("Which cities has Ann visited?", "Paris", said).get("v_new", 0.0) < 0.25


def test_a_habit_of_the_past_told_with_would_is_a_fact() -> None:
    found = _signs("What instrument did Ann play as a child?", "flute", "When I was ten I'd play my violin in the barn.")
    assert found["v_new"] >= 0.5


def test_a_question_that_announces_is_no_question() -> None:
    found = _signs("What desserts does Ann like?", "brownies", "Have I told you about my lemon tart? I love it.")
    assert found["v_new"] >= 0.4


def test_a_cat_gives_no_name_to_the_dogs() -> None:
    dog = _signs("What are the names of Ann's dogs?", "Rex", "We brought home a terrier and named him Biscuit.")
    cat = _signs("What are the names of Ann's dogs?", "Rex", "We brought home a kitten and named him Biscuit.")
    assert dog["v_new"] >= 0.8
    assert cat.get("v_new", 0.0) <= 0.2


def test_titles_belong_to_the_class_that_the_words_about_them_tell_of() -> None:
    read = "I finished The Silent Harbor last night, three hundred pages in one go."
    watched = "I watched The Silent Harbor at the cinema last night."
    assert _signs("What books has Ann read?", "Dune", read)["v_new"] >= 0.8
    assert _signs("What books has Ann read?", "Dune", watched).get("v_new", 0.0) < 0.5
    assert _signs("What books has Ann read?", "Dune", watched)["v_rival"] == 1.0


def test_a_title_in_quotes_is_one_mention() -> None:
    found = _signs("What book is Ann reading?", "Dune", "I'm four chapters into 'Quiet Rivers' and I can't sleep.")
    assert found["v_new"] >= 0.8


def test_a_pursuit_is_known_by_the_words_that_tell_of_it() -> None:
    said = "On Tuesdays I sit in the ceramics studio, and my third bowl leaks."
    found = _signs("What hobbies does Ann have?", "reading, hiking", said)
    assert found["v_new"] >= 0.9


def test_a_pursuit_of_the_gold_in_other_words_agrees() -> None:
    found = _signs("What hobbies does Ann have?", "pottery", "My kiln was on all night, and the glaze came out green.")
    assert found.get("v_new", 0.0) < found["v_only_old"]


def test_a_pursuit_of_the_wrong_sort_is_no_answer() -> None:
    indoors = "I was at my easel all Sunday with a box of watercolor."
    assert _signs("What outdoor activities does Ann do?", "hiking", indoors).get("v_new", 0.0) < 0.2
    assert _signs("What indoor activities does Ann do?", "chess", indoors)["v_new"] >= 0.9


def test_what_a_question_sets_aside_is_not_new() -> None:
    said = "I went kayaking on the lake on Sunday."
    assert _signs("What activities does Ann do besides kayaking?", "chess", said).get("v_new", 0.0) < 0.3
    assert _signs("What activities does Ann do besides skiing?", "chess", said)["v_new"] >= 0.9


def test_a_favourite_needs_a_preference() -> None:
    ranked = _signs("What is Ann's favorite food?", "pizza", "Nothing beats a bowl of ramen, it's my number one now.")
    eaten = _signs("What is Ann's favorite food?", "pizza", "I ate a bowl of ramen on the way home.")
    assert ranked["v_prefers"] > eaten.get("v_prefers", 0.0)
    assert eaten.get("v_new", 0.0) <= 0.4 < ranked["v_new"]


def test_a_change_that_names_the_gold_ends_it() -> None:
    found = _signs("What language is Ann learning?", "German", "I've given up German, so it's Korean lessons every night now.")
    assert found["v_ends"] > 0.0
    assert found["v_new"] >= 0.8


def test_a_relative_whose_matter_is_asked_answers_for_herself() -> None:
    hobbies = "What were Ann's mother's hobbies?"
    mother = _signs(hobbies, "reading", "Mom kept two hives behind the shed and loved her bees.")
    grandmother = _signs(hobbies, "reading", "Grandma kept two hives behind the shed and loved her bees.")
    assert mother["v_new"] >= 0.7
    assert grandmother.get("v_new", 0.0) < 0.3


def test_a_choice_between_named_things_has_no_third_answer() -> None:
    said = "I adopted a parrot on Sunday."
    closed = _signs("Which pet did Ann adopt first, Rex or Tom?", "Rex", said)
    assert closed.get("v_new", 0.0) <= 0.25


def test_a_gold_that_counts_is_changed_by_one_more_of_its_kind() -> None:
    said = "We adopted another cat on Sunday."
    counted = _signs("What pets does Ann have?", "Two cats and a dog", said)
    listed = _signs("What pets does Ann have?", "cats, dogs", said)
    assert counted["v_new"] > 0.6 > listed.get("v_new", 0.0)


def test_in_a_trap_the_expected_answer_is_new_when_the_person_states_it() -> None:
    said = "I play the violin in a small band."
    assert _signs("What instrument does Ann play?", "violin", said, trap=True)["v_new"] >= 0.8
    assert _signs("What instrument does Ann play?", "violin", said)["v_only_old"] >= 0.7


def test_a_turn_of_the_partner_about_himself_says_nothing_of_her() -> None:
    found = _signs("What instruments does Ann play?", "piano", "I play the banjo every night.", speaker="Bob")
    assert found.get("v_new", 0.0) < 0.2


def test_qualifiers_that_are_missing_weigh_a_new_answer_down() -> None:
    question = "What did Ann buy for her greenhouse?"
    met = _signs(question, "a lamp", "I bought a heater for the greenhouse.")
    missed = _signs(question, "a lamp", "I bought a heater for the office.")
    assert met["v_whole"] > missed.get("v_whole", 0.0)


def test_of_a_quantity_the_thing_itself_answers() -> None:
    found = _signs("What fruit did Ann eat?", "apples", "I ate a whole bag of tangerines on the bus.")
    assert found["v_new"] >= 0.7


def test_questions_of_when_and_how_many_get_no_value_signs() -> None:
    said = "I flew to Madrid in May."
    assert _signs("When did Ann fly to Madrid?", "June 2022", said) == {}
    assert _signs("How many cities has Ann visited?", "two", said) == {}


def test_signs_are_shares_and_the_crossed_ones_exist() -> None:
    found = _signs("Which cities has Ann visited?", "Paris", "I moved to Madrid, finally, and nothing beats it. I also saw Rome.")
    assert all(0.0 < value <= 1.0 for value in found.values())
    assert len(set(CROSSED)) == len(CROSSED)
    assert set(found) & set(CROSSED)


def test_hints_need_company_to_tell_of_a_pursuit() -> None:
    assert pursuits_in(["wheel"], "a wheel")["pottery"] == 0.5
    assert pursuits_in(["wheel", "mug"], "a wheel and a mug")["pottery"] == 1.0
    assert "outdoor" in pursuit_tags("kayaking")


def test_classes_reach_beyond_their_lists_by_the_dictionary() -> None:
    assert is_member("tangerine", "food")
    assert is_member("emerald", "color")
    assert not is_member("hammer", "food")
    assert kin_of("nonna") == "grandmother"
    assert kin_of("table") is None

"""Lines are preferred by how much they sound like the record they go into."""

from __future__ import annotations

from inject.style import measure_style, n_grams

RECORD = ["Thanks, Mel! That means a lot.", "Yeah, it was a great day at the beach.", "Wow, that sounds like a lot of fun!"] * 5
CATALOGUE = ["No parrots at my place, and that is final.", "I refuse to keep a parrot at my place."] * 5


def test_text_of_the_record_is_less_foreign_than_text_of_the_catalogue() -> None:
    style = measure_style(RECORD, CATALOGUE)
    assert (
        style.foreignness("Thanks, that sounds like a great day!") < 0 < style.foreignness("I refuse to keep parrots at my place.")
    )


def test_equal_sides_make_nothing_foreign() -> None:
    style = measure_style(RECORD, RECORD)
    assert style.foreignness("Thanks, Mel! A parrot at the beach.") == 0.0


def test_an_empty_text_is_neutral() -> None:
    assert measure_style(RECORD, CATALOGUE).foreignness("") == 0.0


def test_pairs_of_words_and_marks_count() -> None:
    assert n_grams("Yeah, sure!") == ["yeah", ",", "sure", "!", "yeah ,", ", sure", "sure !"]

"""Closeness of words, and the keys without which two words are never related."""

from __future__ import annotations

import itertools

import pytest

from locomo_patch.revalidation.closeness import PLACE_WORDS, _compare, alike, closeness, matters_of
from locomo_patch.revalidation.relation_keys import asked_keys, said_keys

WORDS = sorted(
    """
    pet dog tabby cat beagle snake instrument banjo clarinet piano country city lisbon lyon france italy calabria travel visit trip
    hike hiking walk run runner marathon race job career work apprentice teacher wife wedding marry husband child kid daughter
    movie film book novel game chess tournament win trophy paint painting canvas allergy peanut sneeze stress relax hair salon
    color teal purple food dish stew lamb chicken meat activity pottery ceramics mug flower garden tulip knit knitter
    """.split()  # noqa: SIM905
)


@pytest.mark.parametrize(
    ("asked", "said", "least"),
    [
        ("pet", "tabby", 0.8),
        ("instrument", "banjo", 0.8),
        ("country", "france", 0.8),
        ("france", "lyon", 0.8),
        ("italy", "calabria", 0.8),
        ("hike", "hiking", 0.8),
        ("movie", "film", 0.8),
        ("marry", "wife", 0.4),
        ("color", "teal", 0.8),
        ("meat", "lamb", 0.8),
    ],
)
def test_a_said_word_answers_to_its_class_its_synonym_its_place_and_its_matter(asked: str, said: str, least: float) -> None:
    assert closeness(asked, said) >= least


@pytest.mark.parametrize(("asked", "said"), [("tabby", "instrument"), ("piano", "wedding"), ("peanut", "marathon")])
def test_unrelated_words_are_far(asked: str, said: str) -> None:
    assert closeness(asked, said) == 0.0


def test_a_kind_answers_to_its_class_better_than_the_class_to_it() -> None:
    assert closeness("pet", "tabby") > closeness("tabby", "pet")


def test_words_that_are_related_always_share_a_key() -> None:
    for asked, said in itertools.product(WORDS, WORDS):
        if asked != said and _compare(asked, said) > 0:
            shared = asked_keys(asked, matters_of(asked)) & said_keys(said, matters_of(said), PLACE_WORDS)
            assert shared, f"{asked} and {said} are related and share no key"


def test_answers_of_one_sort_are_alike() -> None:
    assert alike("banjo", "clarinet") > 0.5
    assert alike("lisbon", "paris") == 1.0
    assert alike("banjo", "lisbon") == 0.0

from __future__ import annotations

import pytest

from twistcore.text.classes import defines, derived, hypernyms, related


@pytest.mark.parametrize(
    ("left", "right"),
    [
        ("tabby", "cat"),
        ("cat", "pet"),
        ("violin", "instrument"),
        ("bacon", "meat"),
        ("knit", "knitting"),
        ("knitter", "knit"),
        ("vegetarian", "vegetarianism"),
        ("paint", "painting"),
        ("podcast", "podcasting"),
        ("subscription", "subscribe"),
    ],
)
def test_kinds_and_derivations_are_related_both_ways(left: str, right: str) -> None:
    assert related(left, right)
    assert related(right, left)


@pytest.mark.parametrize(("left", "right"), [("drone", "chef"), ("cat", "violin"), ("bacon", "scooter"), ("person", "scooter")])
def test_what_meets_only_at_the_abstract_top_is_not_related(left: str, right: str) -> None:
    assert not related(left, right)


def test_the_abstract_top_is_left_out() -> None:
    assert not hypernyms("violin", "n") & {"entity", "object", "artifact", "device", "whole"}


def test_an_unknown_word_has_no_classes() -> None:
    assert hypernyms("zzyzzx", "n") == frozenset()
    assert derived("zzyzzx") == frozenset()


def test_a_definition_links_its_words() -> None:
    assert defines("stadium", "sport")
    assert not defines("drone", "chef")

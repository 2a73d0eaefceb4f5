"""The check that refuses to hand out source text finds it in every guise, and nothing else."""

from __future__ import annotations

import html
import json

import pytest

from locomo_patch.patch.leftover import GIVEN_AWAY, Leftovers

SAID = "My sister's  “harbour café” opens on\nSaturday & I can't wait to see it 🛶 at last!"
PLAIN = " ".join(SAID.split())
LEFTOVERS = Leftovers([SAID, "Bye!", ""])


@pytest.mark.parametrize(
    "string",
    [
        SAID,
        PLAIN,
        f"x{PLAIN[3:40]}y",
        PLAIN.replace(" ", " \n\t"),
        json.dumps(SAID),
        json.dumps(SAID, ensure_ascii=False),
        html.escape(PLAIN),
        PLAIN.replace("'", "&#39;").encode("ascii", "xmlcharrefreplace").decode(),
    ],
)
def test_source_text_is_found_however_it_is_written(string: str) -> None:
    assert LEFTOVERS.find({"a": [1, None, ["own", string]]})


def test_source_text_in_a_key_is_found() -> None:
    assert LEFTOVERS.find({PLAIN: 1})


@pytest.mark.parametrize("string", [PLAIN[: GIVEN_AWAY - 1], "Bye!" * 20, PLAIN.upper(), ""])
def test_phrases_and_own_text_are_not(string: str) -> None:
    assert LEFTOVERS.find([string, "and more of our own, which nobody else ever said"]) == []


def test_two_strings_of_a_patch_are_not_read_as_one() -> None:
    assert LEFTOVERS.find([PLAIN[:20], PLAIN[20:40]]) == []


def test_a_source_without_long_strings_gives_nothing_away() -> None:
    assert Leftovers(["Hi.", "Bye!"]).find(["x" * 100]) == []

"""Fingerprints and seeds: pinned values are the contract (DESIGN.md rule 10)."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from twistcore.fingerprints import SCHEME, canonical_json, fingerprint, generator, opaque_id

JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=5), inner, max_size=4),
    max_leaves=12,
)


def test_the_scheme_and_its_values_are_pinned() -> None:
    assert SCHEME == "twist-fingerprint/1"
    assert fingerprint({"seed": 7, "track": "A"}) == fingerprint({"track": "A", "seed": 7})
    assert fingerprint({"seed": 7, "track": "A"})[:16] == "b2db1b1b971901e6"
    assert opaque_id("item", 7, "conv-26") == "09ee6cfe5a44"
    assert generator("seed", 7).random() == 0.7999854490447511


def test_part_borders_count_in_seeds() -> None:
    assert generator("ab", "c").random() != generator("a", "bc").random()
    assert opaque_id("ab", "c") != opaque_id("a", "bc")


def test_values_that_json_cannot_hold_are_refused() -> None:
    with pytest.raises(ValueError, match="float"):
        canonical_json(float("nan"))
    with pytest.raises(TypeError):
        fingerprint({"a": object()})


@given(JSON, JSON)
def test_different_data_has_different_fingerprints(first: object, second: object) -> None:
    assert (canonical_json(first) == canonical_json(second)) == (fingerprint(first) == fingerprint(second))

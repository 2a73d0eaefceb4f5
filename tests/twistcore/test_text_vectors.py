"""Vectors of words, as built from WordNet: what is of one matter lies near, also where no class relates it."""

from __future__ import annotations

import gzip
from pathlib import Path

import numpy as np
import pytest

from twistcore.errors import ModelDataError
from twistcore.text.classes import related
from twistcore.text.vectors import _read, cosine, vectors_of


@pytest.mark.parametrize(("left", "right"), [("tent", "camping"), ("bride", "marry"), ("church", "baptize"), ("kiln", "pottery")])
def test_words_of_one_matter_are_near_although_no_class_relates_them(left: str, right: str) -> None:
    assert not related(left, right)
    assert cosine(left, right) > 0.4


@pytest.mark.parametrize(("left", "right"), [("violin", "banana"), ("church", "tent"), ("job", "sausage"), ("book", "scooter")])
def test_words_of_different_matters_are_far(left: str, right: str) -> None:
    assert cosine(left, right) < 0.2


def test_a_word_without_a_vector_is_near_nothing_and_others_have_length_one() -> None:
    made = vectors_of(("qwrtzp", "dog"))
    assert np.linalg.norm(made, axis=1) == pytest.approx([0.0, 1.0], abs=1e-5)
    assert cosine("qwrtzp", "qwrtzp") == 0.0


def test_a_cut_data_file_is_refused_with_its_remedy(tmp_path: Path) -> None:
    broken = tmp_path / "meanings.bin.gz"
    broken.write_bytes(gzip.compress(b"dog cat cow\n" + bytes(8)))
    with pytest.raises(ModelDataError, match="build_vectors"):
        _read(broken)

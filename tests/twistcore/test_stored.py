"""Claims about reading stored files back into their models."""

from __future__ import annotations

from pathlib import Path

import pytest

from twistcore.errors import ReleaseError
from twistcore.stored import read_rows, read_value
from twistcore.verdicts import Stored


class Pair(Stored):
    first: int
    second: list[int]


def test_rows_come_with_the_numbers_of_their_lines(tmp_path: Path) -> None:
    path = tmp_path / "rows.jsonl"
    path.write_text('{"first": 1, "second": []}\n\n{"first": 2, "second": [3]}\n')
    found = list(read_rows(path, Pair.model_validate, ReleaseError))
    assert found == [(1, Pair(first=1, second=[])), (3, Pair(first=2, second=[3]))]


def test_a_row_that_does_not_fit_is_named_by_line_and_field(tmp_path: Path) -> None:
    path = tmp_path / "rows.jsonl"
    path.write_text('{"first": 1, "second": []}\n{"first": 1, "second": [1, "x"]}\n')
    with pytest.raises(ReleaseError) as raised:
        list(read_rows(path, Pair.model_validate, ReleaseError, "mend it"))
    assert (raised.value.file, raised.value.place, raised.value.remedy) == (str(path), "line 2, second.1", "mend it")
    assert "valid integer" in raised.value.message


def test_a_value_that_does_not_fit_is_named_by_its_field_alone(tmp_path: Path) -> None:
    path = tmp_path / "value.json"
    for text, place in (('{"first": 1, "second": [], "third": 0}', "third"), ("[]", None)):
        path.write_text(text)
        with pytest.raises(ReleaseError) as raised:
            read_value(path, Pair.model_validate, ReleaseError)
        assert raised.value.place == place

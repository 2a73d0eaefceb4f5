"""The position audit sees where a turn stands and its metadata; never the session's number, and nothing of its words."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from inject.audits.load import Kind, ReleaseRows, load_release
from inject.audits.position import EXCHANGES, audit_position, metadata_features, position_features

Make = Callable[..., Path]


def _worst(release: ReleaseRows, name: str) -> float | None:
    return next(limit.figure for limit in audit_position(release).limits if limit.name == name)


def test_no_feature_sees_the_sessions_number_the_words_or_the_speakers_name(make_release: Make) -> None:
    row = load_release(make_release(conversations=1)).rows[5]
    other = replace(row, session=99, text="Something else!", speaker="Eve", previous=None, sample_id="conv-9")
    assert position_features(row) == position_features(other)
    assert metadata_features(row) == metadata_features(other)


def test_renumbered_sessions_give_the_same_audit(make_release: Make) -> None:
    release = load_release(make_release(conversations=3))
    renumbered = replace(release, rows=tuple(replace(row, session=1000 - 7 * row.session) for row in release.rows))
    assert audit_position(renumbered) == audit_position(release)


def test_exchanges_at_one_place_are_found(make_release: Make) -> None:
    scattered = load_release(make_release(conversations=4, pairs=2, appended=False))
    fixed = load_release(make_release(conversations=4, pairs=2, appended=False, place=lambda rng: rng.choice((13, 14))))
    near, far = _worst(scattered, "position alone, exchanges"), _worst(fixed, "position alone, exchanges")
    assert near is not None
    assert far is not None
    assert far > 0.95
    assert near < 0.8


def test_an_appended_session_of_its_own_length_is_found(make_release: Make) -> None:
    release = load_release(make_release(conversations=4, pairs=1))
    stretched = tuple(replace(row, session_length=60) if row.kind is Kind.SMALL_TALK else row for row in release.rows)
    figure = _worst(replace(release, rows=stretched), "position alone, all injected")
    assert figure is not None
    assert figure > 0.85


@pytest.mark.parametrize(
    "mark",
    [{"trailing_space": True}, {"keys": ("note",)}, {"hour": 3}],
    ids=["trailing space", "another key", "an hour of their own"],
)
def test_marked_metadata_are_found(make_release: Make, mark: dict[str, object]) -> None:
    release = load_release(make_release(conversations=4, appended=False))
    clean = _worst(release, "metadata alone, exchanges")
    marked = tuple(replace(row, **mark) if row.kind in EXCHANGES else row for row in release.rows)  # type: ignore[arg-type]
    found = _worst(replace(release, rows=marked), "metadata alone, exchanges")
    assert clean is not None
    assert found is not None
    assert found > 0.97


def test_edge_whitespace_and_keys_come_from_the_file(make_release: Make) -> None:
    folder = make_release(conversations=1, pairs=1)
    path = folder / "corpus" / "tiny.json"
    raw = json.loads(path.read_text())
    turn = raw[0]["conversation"]["session_1"][2]
    turn["text"] = f"{turn['text']}\n"
    turn["blip_caption"] = "a photo of a lamp"
    path.write_text(json.dumps(raw, indent=2))
    row = load_release(folder).by_id["conv-1", "D1:3"]
    assert row.trailing_space
    assert not row.leading_space
    assert row.captioned
    assert row.keys == ("blip_caption",)


def test_captioned_originals_are_left_out(make_release: Make) -> None:
    release = load_release(make_release(conversations=3))
    half = tuple(replace(row, captioned=row.kind is Kind.ORIGINAL and row.position % 2 == 0) for row in release.rows)
    kept = sum(row.kind is Kind.ORIGINAL and not row.captioned for row in half)
    audit = audit_position(replace(release, rows=half))
    assert {guess.auc.negatives for guess in audit.guesses} == {kept}


def test_a_release_without_items_is_not_applicable(make_release: Make) -> None:
    audit = audit_position(load_release(make_release(conversations=2, pairs=0)))
    assert all(limit.met is None and limit.figure is None and limit.note for limit in audit.limits)

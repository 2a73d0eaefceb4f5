"""Reading a release into rows: labels from edits, id map and keys; features from the corpus."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable
from pathlib import Path

import pytest

from inject.audits.load import Kind, Place, load_release
from twistcore.errors import ReleaseError

Make = Callable[..., Path]


def test_every_injected_turn_has_its_kind(make_release: Make) -> None:
    release = load_release(make_release(conversations=2, pairs=3))
    kinds = Counter(row.kind for row in release.rows)
    assert kinds == {Kind.GOLD: 2 * 12, Kind.REACTION: 2 * 12, Kind.SMALL_TALK: 2 * 14, Kind.ORIGINAL: 2 * 8 * 14}
    for key in release.keys:
        for turn in key.turns:
            row = release.by_id[key.sample_id, turn.dia_id]
            assert row.kind is Kind.GOLD
            assert row.text == turn.quote
            assert row.role is turn.role


def test_a_reaction_is_the_turn_after_its_gold_turn(make_release: Make) -> None:
    release = load_release(make_release(conversations=1, pairs=3))
    for row in release.of_kind(Kind.REACTION):
        before = release.by_id[row.sample_id, f"D{row.session}:{row.position - 1}"]
        assert before.kind is Kind.GOLD
        assert row.previous == before.text


def test_an_exchange_at_a_session_end_leaves_the_originals_farewell_a_farewell(make_release: Make) -> None:
    release = load_release(make_release(conversations=1, pairs=1, appended=False, place=lambda rng: rng.choice((13, 14))))
    farewells = [row for row in release.rows if row.kind is Kind.ORIGINAL and row.place is Place.FAREWELL]
    assert len(farewells) == 8 * 2


def test_previous_of_an_original_is_what_it_was_written_for(make_release: Make) -> None:
    release = load_release(make_release(conversations=1, pairs=4))
    injected = {row.text for row in release.rows if row.injected}
    assert all(row.previous not in injected for row in release.of_kind(Kind.ORIGINAL))


def test_positions_and_lengths_count_released_turns(make_release: Make) -> None:
    release = load_release(make_release(conversations=1, pairs=2))
    for number in {row.session for row in release.rows}:
        rows = [row for row in release.rows if row.session == number]
        assert [row.position for row in rows] == list(range(1, len(rows) + 1))
        assert {row.session_length for row in rows} == {len(rows)}


def test_a_folder_that_is_no_release_is_refused(tmp_path: Path) -> None:
    with pytest.raises(ReleaseError, match=r"manifest\.json"):
        load_release(tmp_path)


@pytest.mark.parametrize("name", ["keys/track_a.jsonl", "edits.jsonl", "id_map.json"])
def test_a_missing_file_is_named(make_release: Make, name: str) -> None:
    folder = make_release(conversations=1, pairs=1)
    (folder / name).unlink()
    with pytest.raises(ReleaseError, match=name):
        load_release(folder)


def test_a_missing_corpus_is_named(make_release: Make) -> None:
    folder = make_release(conversations=1, pairs=1)
    (folder / "corpus" / "tiny.json").unlink()
    with pytest.raises(ReleaseError, match="holds no LoCoMo corpus"):
        load_release(folder)


def test_a_malformed_line_is_named(make_release: Make) -> None:
    folder = make_release(conversations=1, pairs=1)
    path = folder / "keys" / "track_a.jsonl"
    lines = path.read_text().splitlines()
    broken = json.loads(lines[1])
    del broken["holder"]
    path.write_text("\n".join([lines[0], json.dumps(broken)]) + "\n")
    with pytest.raises(ReleaseError, match=r"line 2, holder"):
        load_release(folder)


def test_an_id_map_that_disagrees_with_the_edits_is_refused(make_release: Make) -> None:
    folder = make_release(conversations=1, pairs=1)
    path = folder / "id_map.json"
    value = json.loads(path.read_text())
    value["conv-1"]["inserted"].pop()
    path.write_text(json.dumps(value))
    with pytest.raises(ReleaseError, match="other injected turns"):
        load_release(folder)


def test_a_key_that_names_the_partners_turn_is_refused(make_release: Make) -> None:
    folder = make_release(conversations=1, pairs=1)
    path = folder / "keys" / "track_a.jsonl"
    path.write_text(path.read_text().replace('"holder": "Ada"', '"holder": "Ben"'))
    with pytest.raises(ReleaseError, match="no turn of Ben"):
        load_release(folder)

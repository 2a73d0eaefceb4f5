"""Items read in their places, and the report page."""

from __future__ import annotations

import json
import re
import shutil
from pathlib import Path

import pytest
from mock_runs import Made, made_release

from inject.report import REPORT, write_report
from inject.view import open_release, windows
from twistcore.errors import ReleaseError
from twistcore.store import dump_lines
from twistcore.text.parses import Parser


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory, parser: Parser) -> Made:
    return made_release(tmp_path_factory, parser)


@pytest.fixture
def copy(made: Made, tmp_path: Path) -> Path:
    folder = tmp_path / "release"
    shutil.copytree(made.folder, folder)
    return folder


@pytest.mark.parametrize("around", [0, 1, 2, 5])
def test_a_window_holds_the_gold_turn_and_the_turns_around_it(made: Made, around: int) -> None:
    for key in made.opened.keys:
        shown = windows(made.opened, key, around)
        assert [window.gold for window in shown] == key.turns
        for window in shown:
            session = made.opened.corpus.conversation(key.sample_id).session(window.session)
            place = [turn.dia_id for turn in window.turns].index(window.gold.dia_id)
            position = session.turns[int(window.gold.dia_id.split(":")[1]) - 1].position
            assert place == min(around, position - 1)
            # The partner's answer belongs to the exchange, so `around` counts from there.
            assert len(window.turns) == min(position + 1 + around, len(session.turns)) - max(0, position - 1 - around)
            assert window.date_text == session.date_text
            assert window.turns[place].gold == window.gold
            assert window.turns[place].injected


def test_a_window_tells_new_turns_from_the_others(made: Made) -> None:
    for key in made.opened.keys:
        inserted = set(made.opened.id_map[key.sample_id].inserted)
        for window in windows(made.opened, key, 5):
            assert all(turn.injected == (turn.dia_id in inserted) for turn in window.turns)
            assert any(turn.injected for turn in window.turns)


def test_an_item_is_found_by_the_first_letters_of_its_id(made: Made) -> None:
    key = made.opened.keys[0]
    assert made.opened.key(key.id) == key == made.opened.key(key.id[:8])
    with pytest.raises(ReleaseError, match="no items have an id that begins with zz"):
        made.opened.key("zz")
    with pytest.raises(ReleaseError, match=rf"{len(made.opened.keys)} items have an id"):
        made.opened.key("")


def test_every_item_has_the_verdict_that_it_was_accepted_with(made: Made) -> None:
    for key in made.opened.keys:
        verdict = made.opened.verdict(key.id)
        assert verdict is not None
        assert (verdict.id, verdict.verdict.value) == (key.id, "pass")
    assert made.opened.verdict("absent") is None


@pytest.mark.parametrize("name", ["keys/track_a.jsonl", "edits.jsonl"])
def test_a_broken_line_is_named_with_its_field(copy: Path, name: str) -> None:
    path = copy / name
    lines = [json.loads(line) for line in path.read_text().splitlines()]
    path.write_bytes(dump_lines([lines[0], {**lines[1], "label": "arc"}]))
    with pytest.raises(ReleaseError, match=rf"{re.escape(name)}, line 2, .*label"):
        open_release(copy)
    path.write_text("{\n")
    with pytest.raises(ReleaseError, match=rf"{re.escape(name)}, line 1"):
        open_release(copy)
    path.unlink()
    with pytest.raises(ReleaseError, match=re.escape(name)):
        open_release(copy)


def test_the_report_escapes_what_is_said(copy: Path) -> None:
    evil = "<script>alert('x')</script> & <b>\u00e9</b>"
    path = copy / "keys" / "track_a.jsonl"
    path.write_bytes(dump_lines([{**json.loads(line), "topic": evil} for line in path.read_text().splitlines()]))
    corpus = copy / "corpus" / "locomo_mock.json"
    raw = json.loads(corpus.read_bytes())
    for conversation in raw:
        for turns in conversation["conversation"].values():
            if isinstance(turns, list):
                for turn in turns:
                    turn["text"] = evil
    corpus.write_text(json.dumps(raw, indent=2))
    page = write_report(copy).read_text(encoding="ascii")
    assert "<script>alert" not in page
    assert "&lt;script&gt;alert" in page
    assert page.count("<script>") == 1, "only the page's own"
    assert "&#233;" in page


def test_the_report_shows_every_item_and_is_the_same_each_time(copy: Path, made: Made) -> None:
    page = write_report(copy).read_bytes()
    assert write_report(copy).read_bytes() == page
    assert (copy / REPORT).is_file()
    for key in made.opened.keys:
        assert key.id.encode() in page
    assert page.count(b"<details") == len(made.opened.keys)
    assert not re.search(rb"(?:src|href)=", page), "one page that loads nothing"

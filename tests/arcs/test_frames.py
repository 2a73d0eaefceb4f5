"""The schema of topic frames, and how their lines are filled."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import yaml
from arc_material import RawFrame, frame, raw_frame
from pydantic import ValidationError

from arcs.frames import Frame, fill, read_frame, slots_in
from arcs.taxonomy import Family
from twistcore.errors import FrameError


def drop(*path: str) -> Callable[[RawFrame], None]:
    def change(raw: RawFrame) -> None:
        for key in path[:-1]:
            raw = raw[key]
        del raw[path[-1]]

    change.__name__ = "_".join(path)
    return change


def shorten(*path: str) -> Callable[[RawFrame], None]:
    def change(raw: RawFrame) -> None:
        at: Any = raw
        for key in path:
            at = at[key]
        at.pop()

    change.__name__ = "_".join(path)
    return change


def test_the_smallest_frame_is_taken_and_gives_its_lines_by_kind() -> None:
    made = frame()
    kinds = {kind for kind, _ in made.gold_lines()}
    assert kinds == {"anchor", "drift", *(family.value for family in Family.locomo())}
    assert len(made.all_lines()) == 6 + 7 * 4 + 4 + 7 * 4 + 4
    assert made.object("rabbit").head == "rabbit"
    with pytest.raises(KeyError):
        made.object("camel")


@pytest.mark.parametrize(
    "change",
    [
        *[
            drop(name)
            for name in ("id", "title", "direction", "beliefs", "objects", "anchors", "families", "drift", "reactions", "bridges")
        ],
        *[drop("families", family.value) for family in Family.locomo()],
        *[drop("reactions", kind) for kind in ("anchor", "reversal", "drift", "HN-A1", "HN-A2", "HN-A3", "HN-A5")],
        *[shorten("families", family.value) for family in Family.locomo()],
        *[shorten("reactions", kind) for kind in ("anchor", "reversal", "drift", "HN-A1", "HN-A2", "HN-A3", "HN-A5")],
        shorten("anchors"),
        shorten("drift"),
        shorten("bridges"),
        shorten("objects"),
    ],
    ids=lambda change: change.__name__,
)
def test_a_frame_that_lacks_something_is_refused(change: Callable[[RawFrame], None]) -> None:
    raw = raw_frame()
    change(raw)
    with pytest.raises(ValidationError):
        Frame.model_validate(raw)


@pytest.mark.parametrize(
    ("path", "value"),
    [
        (("id",), "Odd Pets"),
        (("direction",), "sideways"),
        (("objects", 0, "key"), "Parrot!"),
        (("objects", 0, "slots"), {"one": "a parrot", "many": "parrots"}),
        (("objects", 0, "slots"), {"one": "a parrot", "many": "parrots", "the": "the parrot", "day": "on Monday"}),
        (("objects", 0, "slots"), {"one": "a parrot", "many": "parrots", "the": "the parrot", "holder": "Sam"}),
        (("anchors", 0), "Short."),
        (("anchors", 0), "x" * 331),
        (("bridges", 0), "x" * 121),
        (("mood",), "cheerful"),
        (("beliefs", "older"), "x"),
    ],
)
def test_a_frame_of_another_shape_is_refused(path: tuple[str | int, ...], value: object) -> None:
    raw = raw_frame()
    at: Any = raw
    for key in path[:-1]:
        at = at[key]
    at[path[-1]] = value
    with pytest.raises(ValidationError):
        Frame.model_validate(raw)


def test_a_broken_file_is_refused_with_its_name_and_field(tmp_path: Path) -> None:
    path = tmp_path / "tiny.yaml"
    raw = raw_frame()
    raw["families"]["A1"].pop()
    path.write_text(yaml.safe_dump(raw))
    with pytest.raises(FrameError, match=r"tiny\.yaml, families\.A1: .*docs/frames\.md"):
        read_frame(path)
    path.write_text("id: tiny\nanchors: [\n")
    with pytest.raises(FrameError, match=r"tiny\.yaml, line \d+: is no valid YAML"):
        read_frame(path)
    with pytest.raises(FrameError, match="cannot be read"):
        read_frame(tmp_path / "none.yaml")
    path.write_text(yaml.safe_dump(raw_frame()))
    assert read_frame(path).id == "tiny"


def test_slots_are_filled_and_capitalised_forms_come_free() -> None:
    assert (
        fill("{One} and {the} {day}", {"one": "a parrot", "the": "the parrot", "day": "on Tuesday"})
        == "A parrot and the parrot on Tuesday"
    )
    assert slots_in("{One}, {one} {Spot}") == {"one", "spot"}
    with pytest.raises(KeyError):
        fill("{nothing}", {"one": "a parrot"})


def test_reactions_follow_what_they_answer() -> None:
    reactions = frame().reactions
    assert reactions.to_later(Family.A1) == reactions.to_later(Family.A2) == reactions.reversal
    assert reactions.to_later(Family.HN_A4) == reactions.drift
    assert reactions.to_later(Family.HN_A5) == reactions.HN_A5

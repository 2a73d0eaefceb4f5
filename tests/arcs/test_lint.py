"""The linter of frames: each rule fires on a frame that breaks it, and on no other."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest
import yaml
from arc_material import frame, raw_frame

from arcs.frames import Frame
from arcs.lint import lint_catalogue, lint_frame, main, skeleton

LONG = " and on and on and on and on and on and on"


def broken(path: tuple[str | int, ...], value: Any) -> Frame:
    raw: Any = raw_frame()
    at = raw
    for key in path[:-1]:
        at = at[key]
    at[path[-1]] = value
    return Frame.model_validate(raw)


def test_the_small_frame_has_no_fault() -> None:
    assert list(lint_frame(frame(), "tiny.yaml")) == []


@pytest.mark.parametrize(
    ("path", "value", "fault"),
    [
        (("id",), "other", "id other is not the file's name"),
        (("objects", 0, "slots", "extra"), "x", "do not define the same slots"),
        (("objects", 0, "head"), "camel", "no slot contains its head 'camel'"),
        (("objects", 0, "slots", "many"), "birds", "slot many does not name 'parrot'"),
        (("anchors", 0), f"Some {{unknown}} thing is here{LONG} with {{one}}.", r"unknown slot \['unknown'\]"),
        (("anchors", 0), f"It came {{ago}} is here{LONG} with {{one}}.", r"\{ago\} and \{span\} belong to"),
        (("drift", 0), f"It lasts {{span}} is here{LONG} with {{one}}.", r"\{ago\} and \{span\} belong to"),
        (("anchors", 0), "Too short for {one}.", r"anchor: \d words with parrot, wanted \d+ to \d+"),
        (("families", "HN-A5", 0), f"Too long{LONG}{LONG}{LONG} for {{one}}.", r"HN-A5: \d+ words .*wanted \d+ to \d+"),
        (("drift", 0), f"Nothing is named here at all{LONG} by this one.", "drift: does not name its object"),
        (("families", "A1", 0), f"Well I actually have {{one}}{LONG} now.", r"A1: hints at an earlier stance \(actually\)"),
        (("families", "A2", 0), f"Well I gave in to {{one}}{LONG} now.", r"A2: hints at an earlier stance \(gave in\)"),
        (("reactions", "anchor", 0), "But you always wanted something like that, for sure!", r"recalls the past \(you always\)"),
        (("reactions", "reversal", 0), "Wow, I thought you were not fond of those at all!", r"recalls the past \(I thought you\)"),
        (("reactions", "drift", 0), "Wow, and are you going to get it now?", "reaction:drift: ends in a question"),
        (("reactions", "HN-A1", 0), "So nice!", r"reaction:HN-A1: 2 words with parrot, wanted \d+ to \d+"),
        (("bridges", 0), "About the pets.", r"bridge: 3 words .*wanted \d+ to \d+"),
        (("anchors", 0), f"Caf\u00e9 people keep on{LONG} about {{one}}.", "character '\u00e9' is not allowed"),
        (("anchors", 0), f"Cafe people; they keep on{LONG} about {{one}}.", "character ';' is not allowed"),
        (("anchors", 0), f"Cafe people \\n they keep on{LONG} about {{one}}.", "is not allowed"),
        (("anchors", 0), f"Cafe people last week{LONG} about {{one}}.", "calendar word 'last week'"),
        (("drift", 0), f"Every Christmas they go on{LONG} about {{one}}.", "calendar word 'Christmas'"),
        (("reactions", "anchor", 0), "Maybe in March you will see it, then!", "calendar word 'in March'"),
    ],
)
def test_each_rule_fires_on_a_frame_that_breaks_it(path: tuple[str | int, ...], value: Any, fault: str) -> None:
    faults = list(lint_frame(broken(path, value), "tiny.yaml"))
    assert any(re.search(fault, line) for line in faults), faults


def test_a_partner_may_recall_the_past_where_it_was_named() -> None:
    made = broken(("reactions", "HN-A2", 0), "But you always wanted something like that, for sure!")
    assert list(lint_frame(made, "tiny.yaml")) == []


def test_too_many_nevers_and_twin_openings_are_faults() -> None:
    raw = raw_frame()
    raw["anchors"] = [
        f"{start} will never keep on{LONG} about {{one}} {index}."
        for index, start in enumerate(("I", "You", "They", "We", "It", "She"))
    ]
    assert any("6 of 6 anchors use 'never'" in fault for fault in lint_frame(Frame.model_validate(raw), "tiny.yaml"))
    raw = raw_frame()
    raw["drift"][0] = f"One two three{LONG} with {{one}}."
    raw["drift"][1] = "One two three, a kettle garden lantern river pocket button basket hammer corner and pencil {{many}}."
    assert any("2 lines open with 'One two three'" in fault for fault in lint_frame(Frame.model_validate(raw), "tiny.yaml"))


def test_lines_built_alike_are_found_across_frames() -> None:
    first, second = raw_frame("one-frame"), raw_frame("two-frame")
    for raw, mark in ((first, "x"), (second, "y")):
        for kind in ("families", "reactions"):
            raw[kind] = {
                key: [f"{line} {mark * 30} {index}{key}" for index, line in enumerate(lines)] for key, lines in raw[kind].items()
            }
    frames = [("one-frame.yaml", Frame.model_validate(first)), ("two-frame.yaml", Frame.model_validate(second))]
    faults = list(lint_catalogue(frames))
    assert any("one-frame.yaml and two-frame.yaml: built alike (100)" in fault for fault in faults)
    twice = [("a.yaml", frame()), ("b.yaml", frame())]
    assert any("the id tiny is used twice" in fault for fault in lint_catalogue(twice))


def test_a_skeleton_forgets_nouns_case_and_punctuation() -> None:
    assert skeleton("I love {one}, really!") == skeleton("i Love {Many} really") == "i love x really"


def test_the_command_prints_faults_and_tells_by_its_exit_code(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "other.yaml"
    path.write_text(yaml.safe_dump(raw_frame()))
    assert main([str(path)]) == 1
    assert "id tiny is not the file's name" in capsys.readouterr().out
    path.write_text("objects: [\n")
    assert main([str(path)]) == 2
    assert "other.yaml, line" in capsys.readouterr().out

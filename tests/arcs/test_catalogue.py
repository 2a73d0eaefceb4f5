"""The frames that ship: enough of them, complete, and every line reads with every object."""

from __future__ import annotations

import re
from collections import Counter

import pytest

from arcs.frames import Frame, load_frames
from arcs.lint import lint_catalogue, render
from arcs.taxonomy import Family

FRAMES = load_frames()


def test_there_are_forty_frames_or_more_with_names_of_their_own() -> None:
    assert len(FRAMES) >= 40
    assert len({frame.id for frame in FRAMES}) == len(FRAMES)
    heads = Counter(item.head.lower() for frame in FRAMES for item in frame.objects)
    assert [head for head, count in heads.items() if count > 1] == [], "no object serves two frames"


@pytest.mark.parametrize("frame", FRAMES, ids=lambda frame: frame.id)
def test_a_frame_has_lines_and_objects_for_every_family(frame: Frame) -> None:
    assert len(frame.objects) >= 3
    assert len(frame.anchors) >= 6
    assert len(frame.drift) >= 4
    assert len(frame.bridges) >= 4
    for family in Family.locomo():
        assert len(frame.families.of(family)) >= 4
        assert len(frame.reactions.to_later(family)) >= 4
    assert len(frame.reactions.anchor) >= 4


@pytest.mark.parametrize("frame", FRAMES, ids=lambda frame: frame.id)
def test_every_line_renders_with_every_object_and_leaves_no_slot(frame: Frame) -> None:
    for item in frame.objects:
        for kind, line in frame.all_lines():
            text = render(line, item)
            assert not re.search(r"[{}]", text), (kind, line)
            assert text.isascii() and "  " not in text and text == text.strip()
            assert text[0].isupper() or text[0].isdigit(), (kind, item.key, text)
        for belief in (frame.beliefs.old, frame.beliefs.new):
            assert not re.search(r"[{}]", render(belief, item))


@pytest.mark.parametrize("frame", FRAMES, ids=lambda frame: frame.id)
def test_every_gold_line_names_its_object(frame: Frame) -> None:
    for item in frame.objects:
        words = {item.head.lower(), *(word.lower() for word in item.head.split() if len(word) > 3)}
        stems = {word[:-1] if word.endswith("y") else word for word in words}
        for kind, line in frame.gold_lines():
            assert any(stem in render(line, item).lower() for stem in stems), (kind, item.key, render(line, item))


def test_no_gold_line_stands_twice_in_the_catalogue() -> None:
    lines = Counter(line for frame in FRAMES for _, line in frame.gold_lines())
    assert [line for line, count in lines.items() if count > 1] == []


@pytest.mark.slow
def test_the_catalogue_passes_its_own_lint() -> None:
    assert list(lint_catalogue([(f"{frame.id}.yaml", frame) for frame in FRAMES])) == []

"""Lint of topic frames: what docs/frames.md asks for and a program can see.

Run as `python -m arcs.lint [FILE ...]`; without files every frame of the package is checked, together.
"""

from __future__ import annotations

import re
import sys
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator
from pathlib import Path

from rapidfuzz import fuzz, process

from arcs.frames import TIME_SLOTS, Frame, TopicObject, fill, load_frames, read_frame, slots_in
from arcs.lines import SAMPLE_TIMES
from twistcore.errors import TwistError

GOLD_WORDS = (9, 28)
REACTION_WORDS = (3, 18)
BRIDGE_WORDS = (4, 16)
SIMILAR = 78.0

_CALENDAR = re.compile(
    r"\b(?:(?:Mon|Tues|Wednes|Thurs|Fri|Satur|Sun)days?|January|February|April|June|July|August|September|October|November|December"
    r"|spring|summer|autumn|winter|Christmas|Thanksgiving|Halloween|Easter"
    r"|(?:last|this|next) (?:week|weekend|month|year|night|morning|evening)|tonight|yesterday|tomorrow|(?:19|20)\d\d"
    r"|(?:in|since) (?:March|May))\b"
)
_TYPOGRAPHY = re.compile(r"[^\x20-\x7e]|;|\[|\]|--|\\n|  ")
_FLIP_HINTS = re.compile(
    r"\b(?:still|anymore|any more|used to|no longer|actually|finally|turns out|after all|surprisingly|never thought|changed|change"
    r"|swore|converted|gave in|came around|admit|guess|can't believe|who knew|I know I|I said)\b",
    re.IGNORECASE,
)
_REACTION_HINTS = re.compile(
    r"\b(?:I thought you|you used to|you said|you always|you never|you hated|you swore|changed your|didn't you)\b", re.IGNORECASE
)
_UNNAMED = re.compile(r"\{(?:one|many|the|head)\}", re.IGNORECASE)


def render(line: str, item: TopicObject) -> str:
    """A line with an object's slots and sample time expressions put in."""
    return fill(line, {**item.slots, "head": item.head, "holder": "Sam", **SAMPLE_TIMES})


def lint_frame(frame: Frame, name: str) -> Iterator[str]:
    """Everything that is wrong with one frame, a line each."""
    if frame.id != Path(name).stem:
        yield f"{name}: id {frame.id} is not the file's name"
    yield from _lint_slots(frame, name)
    yield from _lint_gold(frame, name)
    for kind, line in frame.reaction_lines():
        yield from _length(name, kind, line, frame, REACTION_WORDS)
        if kind != "reaction:HN-A2" and (hint := _REACTION_HINTS.search(line)):
            yield f"{name}: {kind}: the partner recalls the past ({hint.group()}): {line}"
        if line.rstrip().endswith("?"):
            yield f"{name}: {kind}: ends in a question: {line}"
    for line in frame.bridges:
        yield from _length(name, "bridge", line, frame, BRIDGE_WORDS)
    for kind, line in frame.all_lines():
        if found := _TYPOGRAPHY.search(line):
            yield f"{name}: {kind}: character {found.group()!r} is not allowed: {line}"
        if found := _CALENDAR.search(line):
            yield f"{name}: {kind}: calendar word {found.group()!r}: {line}"
    yield from _lint_openings(frame, name)


def _lint_slots(frame: Frame, name: str) -> Iterator[str]:
    keys = [set(item.slots) for item in frame.objects]
    if any(other != keys[0] for other in keys):
        yield f"{name}: the objects do not define the same slots"
    allowed = keys[0] | TIME_SLOTS | {"head"}
    for kind, line in frame.all_lines():
        if unknown := slots_in(line) - allowed:
            yield f"{name}: {kind}: unknown slot {sorted(unknown)}: {line}"
        if slots_in(line) & {"ago", "span"} and kind not in {"A1", "A2", "HN-A2"}:
            yield f"{name}: {kind}: {{ago}} and {{span}} belong to A1, A2 and HN-A2: {line}"
    for item in frame.objects:
        if not any(item.head.lower() in value.lower() for value in item.slots.values()):
            yield f"{name}: object {item.key}: no slot contains its head {item.head!r}"
        for key in ("one", "many", "the"):
            if item.head.lower()[:4] not in item.slots[key].lower():
                yield f"{name}: object {item.key}: slot {key} does not name {item.head!r}"


def _lint_gold(frame: Frame, name: str) -> Iterator[str]:
    for kind, line in frame.gold_lines():
        yield from _length(name, kind, line, frame, GOLD_WORDS)
        if not _UNNAMED.search(line):
            yield f"{name}: {kind}: does not name its object: {line}"
        if kind in {"A1", "A2"} and (hint := _FLIP_HINTS.search(line)):
            yield f"{name}: {kind}: hints at an earlier stance ({hint.group()}): {line}"
    nevers = sum(bool(re.search(r"\bnever\b", line, re.IGNORECASE)) for line in frame.anchors)
    if nevers > max(2, len(frame.anchors) // 3):
        yield f"{name}: anchor: {nevers} of {len(frame.anchors)} anchors use 'never'"


def _length(name: str, kind: str, line: str, frame: Frame, bounds: tuple[int, int]) -> Iterator[str]:
    for item in frame.objects:
        try:
            words = len(render(line, item).split())
        except KeyError:
            return
        if not bounds[0] <= words <= bounds[1]:
            yield f"{name}: {kind}: {words} words with {item.key}, wanted {bounds[0]} to {bounds[1]}: {line}"
            return


def _lint_openings(frame: Frame, name: str) -> Iterator[str]:
    openings = Counter(_opening(line) for _, line in frame.all_lines())
    for opening, count in sorted(openings.items()):
        if count > 1:
            yield f"{name}: {count} lines open with {' '.join(opening)!r}"


def _opening(line: str) -> tuple[str, ...]:
    return tuple(re.sub(r"[^\w' {}]", "", line).split()[:3])


def skeleton(line: str) -> str:
    """A line with every slot made alike and case and punctuation taken away, for comparing how lines are built."""
    return re.sub(r"[^\w' ]", "", re.sub(r"\{\w+\}", "X", line)).lower()


def lint_catalogue(frames: Iterable[tuple[str, Frame]]) -> Iterator[str]:
    """Every fault of a set of frames: each frame's own, then lines built alike anywhere in the set."""
    pool: list[tuple[str, str]] = []
    ids: dict[str, list[str]] = defaultdict(list)
    for name, frame in frames:
        yield from lint_frame(frame, name)
        ids[frame.id].append(name)
        pool += [(name, line) for _, line in frame.all_lines()]
    for ident, names in ids.items():
        if len(names) > 1:
            yield f"{', '.join(names)}: the id {ident} is used twice"
    skeletons = [skeleton(line) for _, line in pool]
    for start in range(0, len(skeletons), 400):
        block = skeletons[start : start + 400]
        scores = process.cdist(block, skeletons, scorer=fuzz.ratio, score_cutoff=SIMILAR, workers=1)
        for row, column in zip(*scores.nonzero(), strict=True):
            here = start + int(row)
            if here < column:
                yield (
                    f"{pool[here][0]} and {pool[column][0]}: built alike ({scores[row, column]:.0f}): "
                    f"{pool[here][1]!r} and {pool[column][1]!r}"
                )


def main(arguments: list[str]) -> int:
    """Print the faults of the named frame files, or of all; exit 1 when there is one."""
    try:
        if arguments:
            frames = [(path, read_frame(Path(path))) for path in arguments]
        else:
            frames = [(f"{frame.id}.yaml", frame) for frame in load_frames()]
    except TwistError as error:
        print(error)
        return int(error.exit_code)
    faults = list(lint_catalogue(frames))
    for fault in faults:
        print(fault)
    lines = sum(len(frame.all_lines()) for _, frame in frames)
    print(f"{len(frames)} frames, {lines} lines, {len(faults)} faults")
    return int(bool(faults))


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))

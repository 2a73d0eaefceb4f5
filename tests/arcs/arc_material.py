"""A small frame, slots and stand-ins for what the planner is given."""

from __future__ import annotations

import copy
from collections.abc import Sequence
from datetime import datetime, timedelta
from typing import Any

from arcs.frames import Frame, TopicObject
from arcs.items import Slot, SlotKind

RawFrame = dict[str, Any]
_WORDS = [
    "kettle",
    "garden",
    "ladder",
    "window",
    "pocket",
    "river",
    "lantern",
    "basket",
    "corner",
    "blanket",
    "market",
    "hammer",
    "pencil",
    "button",
    "saddle",
    "pillow",
]


def raw_object(key: str) -> dict[str, Any]:
    """An object whose slots all name it."""
    return {
        "key": key,
        "head": key,
        "related": [f"{key}ish"],
        "slots": {"one": f"a {key}", "many": f"{key}s", "the": f"the {key}", "spot": "by the door"},
    }


def lines(kind: str, count: int, words: int = 20) -> list[str]:
    """Lines of one kind, no two alike, each naming the object."""
    out = []
    for index in range(count):
        filler = " ".join(_WORDS[(index * 5 + len(kind) + place * (index + 2)) % len(_WORDS)] for place in range(words - 4))
        out.append(f"{kind.capitalize()} {index} {filler} and {{one}}.")
    return out


def raw_frame(ident: str = "tiny", objects: Sequence[str] = ("parrot", "rabbit", "turtle")) -> RawFrame:
    """A frame that the schema takes, with the smallest numbers that it allows."""
    families = ("A1", "A2", "HN-A1", "HN-A2", "HN-A3", "HN-A4", "HN-A5")
    reactions = ("anchor", "reversal", "drift", "HN-A1", "HN-A2", "HN-A3", "HN-A5")
    return {
        "id": ident,
        "title": "keeping an unusual pet",
        "direction": "avoid",
        "beliefs": {"old": "{holder} would never keep {one}", "new": "{holder} keeps {one}"},
        "objects": [raw_object(key) for key in objects],
        "anchors": lines("anchor", 6),
        "families": {family: lines(family, 4) for family in families},
        "drift": lines("drift", 4),
        "reactions": {kind: [line.replace(" and {one}", "") for line in lines(f"re{kind}", 4, 12)] for kind in reactions},
        "bridges": [line.replace(" and {one}", "") for line in lines("bridge", 4, 10)],
    }


def frame(ident: str = "tiny", objects: Sequence[str] = ("parrot", "rabbit", "turtle"), **changes: Any) -> Frame:
    """The validated frame, with top-level fields changed."""
    raw = copy.deepcopy(raw_frame(ident, objects))
    raw.update(changes)
    return Frame.model_validate(raw)


def several(count: int) -> list[Frame]:
    """Frames with objects of their own."""
    return [frame(f"frame-{index}", [f"{word}{index}" for word in ("parrot", "rabbit", "turtle")]) for index in range(count)]


START = datetime(2023, 1, 5, 18, 30)


def slots(
    sessions: int = 20,
    per_session: int = 4,
    gap: int = 9,
    kind: SlotKind = SlotKind.BRIDGE,
    speakers: tuple[str, str] = ("Ann", "Bob"),
) -> tuple[Slot, ...]:
    """Places at a distance from each other, both speakers having half of them."""
    return tuple(
        Slot(number, 3 + 4 * place, kind, speakers[(place + number) % 2], START + timedelta(days=gap * number), 1.0 + 0.1 * place)
        for number in range(1, sessions + 1)
        for place in range(per_session)
    )


def free(_frame: Frame, _item: TopicObject, _holder: str) -> list[str]:
    """Objections of a record that has nothing against anything."""
    return []


def plain(_text: str) -> float:
    """Foreignness of lines that all sound like the record."""
    return 0.0


def flat(_first: object, _second: object) -> float:
    """A fit or similarity that prefers nothing."""
    return 0.5

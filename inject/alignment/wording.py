"""What a mutual friend writes: wordings by kind of deed and stance, openers and tails (wordings/drafts.yaml), with their lint."""

from __future__ import annotations

import re
from collections import Counter
from enum import StrEnum
from functools import lru_cache

from pydantic import ValidationError

from inject.alignment.deed_forms import WORDINGS, Kind
from twistcore.errors import FrameError
from twistcore.stored import misfit
from twistcore.verdicts import Stored
from twistcore.yamls import read_yaml

FILE = WORDINGS / "drafts.yaml"
SLOT = re.compile(r"\{([a-z]*)\}")
SLOTS = frozenset({"inf", "past", "part", "ing"})
LEAST = 3


class Stance(StrEnum):
    """How a draft takes a deed: done, done against the odds, not done, resting, no more, still to come; or it only asks."""

    DONE = "done"
    CONTRAST = "contrast"
    UNDONE = "undone"
    AFTER = "after"
    PAUSE = "pause"
    SEEK = "seek"
    ASK = "ask"


class Wordings(Stored):
    """The file. `after` wordings are `undone` ones that take it that the deed was once done."""

    event: dict[Stance, list[str]]
    habit: dict[Stance, list[str]]
    taste: dict[Stance, list[str]]
    openers: list[str]
    tails: list[str]

    def of(self, kind: Kind, stance: Stance) -> list[str]:
        """Wordings of a kind and stance, none where a kind has no such stance."""
        by_stance: dict[Stance, list[str]] = getattr(self, kind.value)
        return by_stance.get(stance, [])

    def every(self) -> list[str]:
        """All wordings of drafts."""
        return [text for kind in Kind for texts in getattr(self, kind.value).values() for text in texts]


@lru_cache(maxsize=1)
def wordings() -> Wordings:
    """The wordings; raises FrameError naming the place that breaks schema or lint."""
    try:
        read = Wordings.model_validate(read_yaml(FILE))
    except ValidationError as problem:
        raise misfit(problem, FrameError, FILE) from problem
    faults = lint_wordings(read)
    if faults:
        raise FrameError(faults[0], file=FILE, remedy="fix the wording")
    return read


def lint_wordings(read: Wordings) -> list[str]:
    """What is wrong with the wordings: slots, ends, stances that are too thin to vary, wordings that come twice."""
    faults = []
    for text in read.every():
        slots = SLOT.findall(text)
        if len(slots) != 1 or not set(slots) <= SLOTS:
            faults.append(f"{text!r} needs exactly one slot of {', '.join(sorted(SLOTS))}")
        if text[-1:] not in ".!?":
            faults.append(f"{text!r} does not end")
    faults += [f"{text!r} comes {count} times in one kind" for text, count in _repeats(read)]
    for kind in Kind:
        for stance, texts in getattr(read, kind.value).items():
            if len(texts) < LEAST:
                faults.append(f"{kind.value} has only {len(texts)} wordings of stance {stance.value}")
            if stance is Stance.ASK:
                faults += [f"{text!r} asks nothing" for text in texts if not text.endswith("?")]
    faults += [f"opener {text!r} names somebody" for text in read.openers if set(SLOT.findall(text)) - {"name"}]
    faults += [f"tail {text!r} has a slot" for text in read.tails if SLOT.search(text)]
    return faults


def _repeats(read: Wordings) -> list[tuple[str, int]]:
    found = []
    for kind in Kind:
        counts = Counter(text for texts in getattr(read, kind.value).values() for text in texts)
        found += [(text, count) for text, count in counts.items() if count > 1]
    return found


def compose(opener: str, core: str, tail: str, name: str, forms: dict[str, str]) -> str:
    """A draft of its parts; `^` in an opener starts a sentence after it."""
    said = SLOT.sub(lambda found: forms[found[1]], core)
    begun = opener.replace("{name}", name)
    if begun.endswith("^") or not begun:
        begun, said = begun.rstrip("^"), said[0].upper() + said[1:]
    return f"{begun}{said} {tail}".strip()

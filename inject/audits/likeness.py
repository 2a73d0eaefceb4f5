"""Originals of an injected turn's own type and length: the only fair thing to hold it against."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Sequence

from inject.audits.load import Kind, Place, Row
from twistcore.fingerprints import generator

BIN_WORDS = 5
MAX_BIN = 12
MAX_RATIO = 8
# A stratum with a smaller share of the injected turns does not decide how many originals are drawn.
SMALL_STRATUM = 0.05
# "I" is a subject wherever it stands, "my" mostly at a clause's head.
_FIRST_PERSON = re.compile(r"\bI\b|(?:^|[.,;:!)\n-]\s*)[Mm]y\b")

Stratum = tuple[object, ...]


def is_statement(row: Row) -> bool:
    """A first-person statement: "I" or "my" as a subject, no question, neither opening nor farewell."""
    return row.place is Place.MIDDLE and "?" not in row.text and _FIRST_PERSON.search(row.text) is not None


def is_reaction(row: Row) -> bool:
    """A turn that answers a statement and asks nothing itself: what asks is a question, another type, and nothing injected may ask
    where an original turn follows (DESIGN.md rule 3). Neither opening nor farewell."""
    return row.place is Place.MIDDLE and row.previous is not None and "?" not in row.previous and "?" not in row.text


def is_edge(row: Row) -> bool:
    """An opening or a farewell."""
    return row.place is not Place.MIDDLE


def is_middle(row: Row) -> bool:
    """Neither opening nor farewell."""
    return row.place is Place.MIDDLE


def by_length(row: Row) -> Stratum:
    """Word-count bin."""
    return (min(row.words // BIN_WORDS, MAX_BIN),)


def by_place_and_length(row: Row) -> Stratum:
    """Opening, middle or farewell, and word-count bin."""
    return (row.place, *by_length(row))


def originals(rows: Sequence[Row], wanted: Callable[[Row], bool]) -> list[Row]:
    """Originals of one type in reading order."""
    return [row for row in rows if row.kind is Kind.ORIGINAL and wanted(row)]


def draw_alike(injected: Sequence[Row], pool: Sequence[Row], stratum: Callable[[Row], Stratum], *seed: str | int) -> list[Row]:
    """Originals from `pool`, drawn by seed so that their strata are distributed as those of `injected`, in reading order.

    As many for one injected turn as the scarcest stratum allows, at most MAX_RATIO; a stratum without enough gives all it has.
    """
    needed = Counter(stratum(row) for row in injected)
    places: dict[Stratum, list[int]] = {}
    for index, row in enumerate(pool):
        places.setdefault(stratum(row), []).append(index)
    ratios = [len(places.get(key, [])) // count for key, count in needed.items() if count >= SMALL_STRATUM * len(injected)]
    ratio = max(1, min([MAX_RATIO, *ratios]))
    rng = generator("audit", *seed)
    drawn: list[int] = []
    for key in sorted(needed, key=str):
        held = places.get(key, [])
        drawn.extend(rng.sample(held, min(len(held), ratio * needed[key])))
    return [pool[index] for index in sorted(drawn)]

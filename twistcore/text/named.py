"""Named things of the dictionary: what Lisbon is (a city) and what it is part of (Portugal).

Data: the instances of WordNet 3.0 in data/named.tsv.gz (build_classes.py says how it was made; data/WORDNET-LICENSE.txt).
"""

from __future__ import annotations

import gzip
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

_DATA = Path(__file__).parent / "data" / "named.tsv.gz"
_NOTHING: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True)
class Named:
    """Classes of a named thing and the names of what it lies in; both empty for a name that the dictionary lacks."""

    kinds: frozenset[str]
    within: frozenset[str]


_UNKNOWN = Named(_NOTHING, _NOTHING)


@lru_cache(maxsize=1)
def _all() -> dict[str, Named]:
    out = {}
    with gzip.open(_DATA, "rt", encoding="ascii") as lines:
        for line in lines:
            name, kinds, within = line.rstrip("\n").split("\t")
            out[name] = Named(frozenset(filter(None, kinds.split(","))), frozenset(filter(None, within.split(","))))
    return out


def named(name: str) -> Named:
    """What is known of a name in lower case, its words joined by `_`."""
    return _all().get(name, _UNKNOWN)


def is_place(name: str) -> bool:
    """Whether a name is that of a city, country, state or other place."""
    return bool(named(name).kinds & {"location", "region", "city", "country", "state", "island", "mountain", "lake", "land"})

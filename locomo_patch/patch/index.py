"""Finds runs of a text that stand in any of many source strings, by hashes of n-grams at every character position."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import accumulate

import numpy as np
from numpy.typing import NDArray

Hashes = NDArray[np.uint64]

# Between source strings: no text holds it, so no run reaches from one string into the next.
_BETWEEN = "\udffe"
_BASE = np.uint64(0x9E3779B97F4A7C15)
_MIX = np.uint64(0xD6E8FEB86659FD93)
_STEP = 64
_LONG = 3
_BITS = 24
_SHIFT = np.uint64(64 - _BITS)
# How many equal n-grams are tried for the longest run. Stock phrases have thousands, and any of them does.
_TRIED = 64


@dataclass(frozen=True, slots=True)
class Run:
    """`length` characters of a text from `start` on are those of source string `string` from `offset` on."""

    start: int
    string: int
    offset: int
    length: int


@dataclass(frozen=True)
class _Level:
    """N-grams of one size: their hashes, rising, and where in the joined source each begins."""

    size: int
    hashes: Hashes
    places: NDArray[np.int64]

    def places_of(self, wanted: np.uint64) -> list[int]:
        """Where n-grams of this hash begin, the first of them first."""
        low = int(np.searchsorted(self.hashes, wanted))
        some = self.hashes[low : low + _TRIED]
        same = int(np.count_nonzero(some == wanted))
        return [int(place) for place in self.places[low : low + same]]


class RunIndex:
    """An index of source strings for runs of at least `least` characters."""

    def __init__(self, strings: Sequence[str], least: int) -> None:
        self.least = least
        self._joined = _BETWEEN.join(strings)
        self._starts = list(accumulate((len(string) + 1 for string in strings), initial=0))[:-1]
        codes = _codes(self._joined)
        # Longer n-grams narrow down where a long run may stand, so that stock phrases do not slow it down.
        self._levels = [_level(codes, size) for size in (least, _LONG * least)]
        # Most n-grams of a text are in no source: a look at one bit of a table tells for nearly all of them.
        self._seen = np.zeros(1 << _BITS, dtype=np.bool_)
        self._seen[self._levels[0].hashes >> _SHIFT] = True

    def find_runs(self, text: str) -> Iterator[Run]:
        """Runs of a text from left to right, none overlapping, each as long as it can be from where it begins."""
        codes = _codes(text)
        grams = [_hash_grams(codes, level.size) for level in self._levels]
        done = 0
        for start in self._candidates(grams[0]):
            if start < done:
                continue
            run = self._longest(text, start, grams)
            if run is not None:
                yield run
                done = start + run.length

    def _candidates(self, grams: Hashes) -> list[int]:
        """Positions whose n-gram is one of the source's, by its hash."""
        maybe = np.flatnonzero(self._seen[grams >> _SHIFT])
        known = self._levels[0].hashes
        wanted = grams[maybe]
        places = np.minimum(np.searchsorted(known, wanted), max(len(known) - 1, 0))
        return [int(start) for start in (maybe[known[places] == wanted] if len(known) else maybe)]

    def _longest(self, text: str, start: int, grams: list[Hashes]) -> Run | None:
        for level, hashes in reversed(list(zip(self._levels, grams, strict=True))):
            if start >= len(hashes):
                continue
            places = level.places_of(hashes[start])
            lengths = [_common(text, start, self._joined, place) for place in places]
            length = max(lengths, default=0)
            # Equal hashes are no proof: what counts is the characters themselves.
            if length >= self.least:
                place = places[lengths.index(length)]
                string = bisect_right(self._starts, place) - 1
                return Run(start, string, place - self._starts[string], length)
        return None


def _codes(text: str) -> Hashes:
    return np.frombuffer(text.encode("utf-32-le", "surrogatepass"), dtype=np.uint32).astype(np.uint64)


def _level(codes: Hashes, size: int) -> _Level:
    hashes = _hash_grams(codes, size)
    order = np.argsort(hashes, kind="stable")
    return _Level(size, hashes[order], order)


def _hash_grams(codes: Hashes, size: int) -> Hashes:
    """Hashes of all n-grams of one size, doubling: a gram of 2k is two grams of k."""
    if len(codes) < size:
        return np.empty(0, dtype=np.uint64)
    power = (codes + np.uint64(1)) * _MIX
    power ^= power >> np.uint64(29)
    width, factor = 1, _BASE
    # The whole of the n-gram so far, and its width.
    whole: Hashes | None = None
    covered = 0
    rest = size
    with np.errstate(over="ignore"):
        while True:
            if rest & 1:
                if whole is None:
                    whole, covered = power, width
                else:
                    count = len(codes) - covered - width + 1
                    whole = whole[:count] * factor + power[covered : covered + count]
                    covered += width
            rest >>= 1
            if not rest:
                break
            power = power[: len(power) - width] * factor + power[width:]
            factor *= factor
            width *= 2
    return np.empty(0, dtype=np.uint64) if whole is None else whole


def _common(text: str, start: int, source: str, place: int) -> int:
    """How many characters agree from two positions on."""
    length, step = 0, _STEP
    while step:
        mine = text[start + length : start + length + step]
        if len(mine) == step and mine == source[place + length : place + length + step]:
            length += step
        elif step > 1 or len(mine) == 1:
            step //= 2
        else:
            break
    return length

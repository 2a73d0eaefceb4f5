"""Vectors of words: how near two words are in meaning, also where no class relates them (a tent and camping).

Data: data/meanings.bin.gz, made from WordNet 3.0 (build_vectors.py says how; its licence is data/WORDNET-LICENSE.txt).
"""

from __future__ import annotations

import gzip
from collections.abc import Sequence
from functools import lru_cache
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from twistcore.errors import ModelDataError
from twistcore.text.classes import stem

Floats = NDArray[np.float32]
DATA = Path(__file__).parent / "data" / "meanings.bin.gz"


def _read(path: Path) -> tuple[dict[str, int], Floats]:
    words, _, raw = gzip.decompress(path.read_bytes()).partition(b"\n")
    place = {word: index for index, word in enumerate(words.decode("ascii").split(" "))}
    if not raw or len(raw) % len(place):
        raise ModelDataError("holds no whole vectors", file=path, remedy="make it again: python -m twistcore.text.build_vectors")
    return place, unit(np.frombuffer(raw, dtype=np.int8).reshape(len(place), -1).astype(np.float32))


@lru_cache(maxsize=1)
def _vectors() -> tuple[dict[str, int], Floats]:
    return _read(DATA)


def unit(rows: Floats) -> Floats:
    """Rows of length 1; a row of zeros stays one."""
    return np.asarray(rows / np.maximum(np.linalg.norm(rows, axis=1, keepdims=True), 1e-6), dtype=np.float32)


@lru_cache(maxsize=65536)
def _row(lemma: str) -> int | None:
    place, _ = _vectors()
    return next((place[form] for form in (lemma, lemma.replace("-", ""), stem(lemma)) if form in place), None)


def vectors_of(lemmas: Sequence[str]) -> Floats:
    """A row of length 1 for each lemma, of zeros for one without a vector; raises ModelDataError for a broken data file."""
    _, vectors = _vectors()
    rows = [_row(lemma) for lemma in lemmas]
    out = vectors[[row or 0 for row in rows]]
    out[[row is None for row in rows]] = 0.0
    return np.asarray(out, dtype=np.float32)


def cosine(a: str, b: str) -> float:
    """How near two lemmas are in meaning: 1 for the same, about 0 for unrelated ones."""
    left, right = vectors_of((a, b))
    return float(left @ right)

"""Builds twistcore/text/data/meanings.bin.gz: a vector for each commoner English word, from WordNet 3.0 alone.

Source: WordNet 3.0, Princeton University, as in Debian's package wordnet-base (folder /usr/share/wordnet); its licence lies beside
the data (data/WORDNET-LICENSE.txt). Run as `python -m twistcore.text.build_vectors [FOLDER]`; about three minutes. Same input and
same numerical library, same bytes.

A word is where a short random walk from its senses leads, over WordNet's relations and from each sense to the words of its
definition; the walks' shares, against chance, are reduced to a few dimensions. So a tent lies near camping, which no class relates.
"""

from __future__ import annotations

import gzip
import math
import re
import sys
from array import array
from collections import Counter, defaultdict
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_matrix, diags
from sklearn.utils.extmath import randomized_svd

from twistcore.text.build_classes import ENDINGS, STOP

TARGET = Path(__file__).parent / "data" / "meanings.bin.gz"
DIMENSIONS = 48
FILES = {"n": "noun", "v": "verb", "a": "adj", "r": "adv"}
# How readily a walk follows each relation (symbols as in WordNet's data files: hypernym, hyponym, parts, derivation, likeness ...).
RELATIONS = {
    "@": 1.5, "~": 0.5, "@i": 1.0, "~i": 0.2, "#p": 1.0, "%p": 0.7, "#m": 1.0, "%m": 0.5, "#s": 1.0, "%s": 0.7, "+": 2.0, "&": 1.0,
    "^": 1.0, "*": 1.5, ">": 1.5, "$": 1.5, "=": 1.0, ";c": 1.0, "-c": 0.5, "\\": 1.5, "<": 1.0,
}  # fmt: skip
BACK, MANY, BY_DEFINITION, RAREST_SENSE = 0.5, 6, 6.0, 0.05
# What stays at a word's own senses, and at each step of its walk; how many places of a walk are kept after each step.
STAYS, STEPS = 0.35, ((400, 0.35), (500, 0.2), (500, 0.1))
HUBS, CHANCE, BEYOND = 0.4, 1e-7, 0.2
TAGGED, DEFINING = 1, 3
WORD = re.compile(r"[a-z]+(?:-[a-z]+)?")

Sense = tuple[str, int]


class _WordNet:
    """The senses of all four parts of speech: which words have them, how they are related, the words of their definitions."""

    def __init__(self, folder: Path) -> None:
        self.number: dict[Sense, int] = {}
        self.relations: list[tuple[int, Sense, float]] = []
        self.definitions: list[list[str]] = []
        self.senses: dict[str, list[tuple[Sense, float]]] = defaultdict(list)
        self.tagged: Counter[str] = Counter()
        self.irregular: dict[str, str] = {}
        counts = self._read_counts(folder)
        texts = []
        for pos, name in FILES.items():
            for line in _lines(folder / f"index.{name}"):
                self._take_index(line, pos, counts)
            for line in _lines(folder / f"{name}.exc"):
                form, lemma = line.split()[:2]
                self.irregular.setdefault(form, lemma)
            texts += [self._take_sense(line, pos) for line in _lines(folder / f"data.{name}")]
        self.definitions = [[w for word in re.findall(r"[a-z]+", text) if (w := self._lemma(word))] for text in texts]

    def _read_counts(self, folder: Path) -> dict[tuple[str, str, int], int]:
        counts = {}
        for line in _lines(folder / "cntlist.rev"):
            key, number, count = line.split()
            lemma, _, rest = key.partition("%")
            counts[lemma, {"1": "n", "2": "v", "3": "a", "4": "r", "5": "a"}[rest[0]], int(number)] = int(count)
            self.tagged[lemma] += int(count)
        return counts

    def _take_index(self, line: str, pos: str, counts: dict[tuple[str, str, int], int]) -> None:
        fields = line.split()
        for rank, offset in enumerate(fields[6 + int(fields[3]) :], start=1):
            weight = counts.get((fields[0], pos, rank), 0) + (0.5 if pos in "nv" else 0.35) / rank
            self.senses[fields[0]].append(((pos, int(offset)), weight))

    def _take_sense(self, line: str, pos: str) -> str:
        head, _, gloss = line.partition(" | ")
        fields = head.split()
        number = self.number[pos, int(fields[0])] = len(self.number)
        place = 4 + 2 * int(fields[3], 16)
        for each in range(int(fields[place])):
            symbol, offset, target = fields[place + 1 + 4 * each : place + 4 + 4 * each]
            if symbol in RELATIONS:
                self.relations.append((number, (target.replace("s", "a"), int(offset)), RELATIONS[symbol]))
        return gloss.lower()

    def _lemma(self, word: str) -> str | None:
        if word in STOP or len(word) < 3:
            return None
        regular = (word[: -len(end)] + put for end, put in ENDINGS if word.endswith(end) and len(word) > len(end) + 2)
        forms = [self.irregular.get(word, ""), *regular, word]
        return next((form for form in forms if form in self.senses and form not in STOP), None)

    def shares(self, word: str) -> list[tuple[int, float]]:
        """The senses of a word with how often each is meant."""
        total = sum(weight for _, weight in self.senses[word])
        return [(self.number[sense], weight / total) for sense, weight in self.senses[word]]


def _lines(path: Path) -> list[str]:
    return [line for line in path.read_text(encoding="latin-1").splitlines() if not line.startswith(" ")]


def _walk_matrix(net: _WordNet, spread: Counter[str]) -> Any:
    """The chance of each step from sense to sense."""
    count = len(net.number)
    rows, columns, values = array("l"), array("l"), array("d")

    def join(number: int, target: int, there: float, back: float) -> None:
        rows.extend((number, target))
        columns.extend((target, number))
        values.extend((there, back))

    degree = Counter(number for number, _, _ in net.relations)
    for number, sense, weight in net.relations:
        damped = weight / math.sqrt(max(1.0, degree[number] / MANY))
        join(number, net.number[sense], damped, BACK * damped)
    shares = {word: net.shares(word) for word in spread}
    for number, defining in enumerate(net.definitions):
        total = sum(math.log(count / spread[word]) for word in defining)
        for word in defining:
            for target, share in shares[word]:
                if target != number and share > RAREST_SENSE:
                    weight = BY_DEFINITION * share * math.log(count / spread[word]) / total
                    join(number, target, weight, weight)
    steps = csr_matrix((values, (rows, columns)), shape=(count, count))
    steps = steps @ diags(1.0 / np.maximum(_sums(steps), 1.0) ** HUBS)
    return (diags(1.0 / np.maximum(_sums(steps), 1e-9)) @ steps).tocsr()


def _sums(matrix: Any) -> NDArray[np.float64]:
    return np.asarray(matrix.sum(axis=1)).ravel()


def _keep_largest(matrix: Any, kept: int) -> Any:
    matrix = matrix.tocsr()
    for start, end in zip(matrix.indptr, matrix.indptr[1:], strict=False):
        if end - start > kept:
            part = matrix.data[start:end]
            part[part < np.partition(part, -kept)[-kept]] = 0.0
    matrix.eliminate_zeros()
    return matrix


def build(folder: Path) -> bytes:
    """The data file's bytes: the words on one line, then a row of signed bytes for each."""
    net = _WordNet(folder)
    spread = Counter(word for defining in net.definitions for word in set(defining))
    steps = _walk_matrix(net, spread)
    words = sorted(w for w in net.senses if WORD.fullmatch(w) and len(w) > 1 and (net.tagged[w] >= TAGGED or spread[w] >= DEFINING))
    rows, columns, values = zip(*((i, sense, x) for i, w in enumerate(words) for sense, x in net.shares(w)), strict=True)
    here = csr_matrix((values, (rows, columns)), shape=(len(words), len(net.number)))
    reached = here * STAYS
    for kept, share in STEPS:
        here = _keep_largest(here @ steps, kept)
        reached = reached + here * share
    chance = np.asarray(reached.mean(axis=0)).ravel() + CHANCE
    cells = reached.tocoo()
    made = csr_matrix((np.log1p(cells.data / chance[cells.col] * BEYOND), (cells.row, cells.col)), shape=cells.shape)
    made = diags(1.0 / np.maximum(np.sqrt(_sums(made.multiply(made))), 1e-9)) @ made
    left, sizes, _ = randomized_svd(made, n_components=DIMENSIONS, n_iter=3, random_state=0)
    vectors = left * np.sqrt(sizes)
    vectors -= vectors.mean(axis=0)
    vectors /= np.abs(vectors).max(axis=1, keepdims=True) + 1e-9
    data = " ".join(words).encode("ascii") + b"\n" + np.round(vectors * 127).astype(np.int8).tobytes()
    return gzip.compress(data, compresslevel=9, mtime=0)


def main(arguments: list[str]) -> int:
    """Write the data file from the given WordNet folder."""
    made = build(Path(arguments[0] if arguments else "/usr/share/wordnet"))
    TARGET.write_bytes(made)
    print(f"{TARGET.name}: {len(made)} bytes")
    return 0


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))

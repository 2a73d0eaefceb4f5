"""Classes of words: synonyms, hypernyms and derivations of English nouns and verbs, and words of one matter.

Data: WordNet 3.0 in a compact form (build_classes.py says how it was made; its licence is data/WORDNET-LICENSE.txt) and
data/kinds.yaml, which adds everyday words that WordNet lacks. Lemmas are lower case; a lemma of two words is joined by `-` or `_`.
"""

from __future__ import annotations

import gzip
from collections import defaultdict
from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import Path
from typing import Literal

import yaml

Pos = Literal["n", "v"]

DATA = Path(__file__).parent / "data"
NAMING_SENSES = 4
CLASS_SENSES = 2
DEPTH = 5
STEM_MIN = 4
SUFFIXES = (
    "ization", "isation", "ations", "ation", "ments", "ment", "nesses", "ness", "ingly", "ings", "ing", "iers", "ier", "ists",
    "ist", "isms", "ism", "ians", "ian", "ers", "er", "ors", "or", "ies", "ied", "ed", "es", "ly", "s", "y", "e",
)  # fmt: skip


@dataclass(frozen=True)
class _Net:
    senses: dict[tuple[str, str], tuple[int, ...]]
    above: dict[str, list[tuple[int, ...]]]
    wide: dict[str, frozenset[int]]
    words: dict[tuple[str, int], tuple[str, ...]]
    derived: dict[str, frozenset[str]]
    glosses: dict[str, frozenset[str]]


@dataclass
class _Reading:
    senses: dict[tuple[str, str], tuple[int, ...]] = field(default_factory=dict)
    above: dict[str, list[tuple[int, ...]]] = field(default_factory=lambda: {"n": [], "v": []})
    wide: dict[str, set[int]] = field(default_factory=lambda: {"n": set(), "v": set()})
    words: dict[tuple[str, int], list[str]] = field(default_factory=lambda: defaultdict(list))
    derived: dict[str, set[str]] = field(default_factory=lambda: defaultdict(set))
    glosses: dict[str, frozenset[str]] = field(default_factory=dict)

    def take(self, line: str) -> None:
        kind, *fields = line.split("\t")
        if kind == "d":
            self.derived[fields[0]].add(fields[1])
            self.derived[fields[1]].add(fields[0])
            return
        if kind == "g":
            self.glosses[fields[0]] = frozenset(fields[1].split(","))
            return
        pos = kind[0]
        if kind[1] == "s":
            if fields[2]:
                self.wide[pos].add(len(self.above[pos]))
            self.above[pos].append(_numbers(fields[1]))
            return
        lemma, senses = fields[0], _numbers(fields[1])
        self.senses[lemma, pos] = senses
        for rank, sense in enumerate(senses):
            if rank < NAMING_SENSES or "_" in lemma:
                self.words[pos, sense].append(lemma)


def _numbers(text: str) -> tuple[int, ...]:
    return tuple(int(part) for part in text.split(",")) if text else ()


@lru_cache(maxsize=1)
def _net() -> _Net:
    reading = _Reading()
    with gzip.open(DATA / "wordnet.tsv.gz", "rt", encoding="ascii") as lines:
        for line in lines:
            reading.take(line.rstrip("\n"))
    return _Net(
        senses=reading.senses,
        above=reading.above,
        wide={pos: frozenset(found) for pos, found in reading.wide.items()},
        words={key: tuple(found) for key, found in reading.words.items()},
        derived={word: frozenset(found) for word, found in reading.derived.items()},
        glosses=reading.glosses,
    )


@dataclass(frozen=True)
class _Extra:
    kinds: dict[str, frozenset[str]]
    themes: dict[str, frozenset[str]]


@lru_cache(maxsize=1)
def _extra() -> _Extra:
    raw = yaml.safe_load((DATA / "kinds.yaml").read_text(encoding="utf-8"))
    kinds: dict[str, set[str]] = defaultdict(set)
    for above, members in raw["kinds"].items():
        for member in members:
            kinds[str(member)].add(str(above))
    themes: dict[str, set[str]] = defaultdict(set)
    for theme, members in raw["themes"].items():
        for member in [theme, *members]:
            themes[str(member)].add(str(theme))
            if str(member).endswith("s") and not str(member).endswith("ss"):
                themes[str(member)[:-1]].add(str(theme))
    return _Extra({k: frozenset(v) for k, v in kinds.items()}, {k: frozenset(v) for k, v in themes.items()})


def known(lemma: str, pos: Pos) -> bool:
    """Whether WordNet has the lemma as that part of speech."""
    return (lemma, pos) in _net().senses


@lru_cache(maxsize=8192)
def synonyms(lemma: str, pos: Pos) -> frozenset[str]:
    """Lemmas that share one of the first two senses of `lemma`."""
    net = _net()
    senses = net.senses.get((lemma, pos), ())[:CLASS_SENSES]
    return frozenset(word for sense in senses for word in net.words.get((pos, sense), ())) - {lemma}


@lru_cache(maxsize=8192)
def hypernyms(lemma: str, pos: Pos, senses: int = CLASS_SENSES) -> frozenset[str]:
    """Names of the classes above the first senses of `lemma`, up to five steps up and below the abstract top of the net.

    A class that is called by two words also counts by its head ("musical instrument" gives `instrument`).
    """
    net = _net()
    out: set[str] = set(_extra().kinds.get(lemma, ()) if pos == "n" else ())
    for above in list(out):
        out |= _extra().kinds.get(above, frozenset())
    layer = set(net.senses.get((lemma, pos), ())[:senses])
    for _ in range(DEPTH):
        layer = {above for sense in layer for above in net.above[pos][sense] if above not in net.wide[pos]}
        for sense in layer:
            for word in net.words.get((pos, sense), ()):
                out.add(word)
                head = word.rpartition("_")[2]
                if head != word and pos == "n" and not set(net.senses.get((head, "n"), ())[:1]) & net.wide["n"]:
                    out.add(head)
    return frozenset(out) - {lemma}


@lru_cache(maxsize=8192)
def derived(lemma: str) -> frozenset[str]:
    """Derivationally related lemmas (knit, knitter; vegetarian, vegetarianism)."""
    return _net().derived.get(lemma, frozenset())


@lru_cache(maxsize=16384)
def stem(lemma: str) -> str:
    """A crude stem that unites inflections and everyday derivations; never shorter than four letters."""
    word = lemma.lower()
    for _ in range(2):
        for suffix in SUFFIXES:
            if word.endswith(suffix) and len(word) - len(suffix) >= STEM_MIN:
                word = word[: -len(suffix)]
                break
    if len(word) > STEM_MIN and word[-1] == word[-2] and word[-1] not in "aeiouls":
        word = word[:-1]
    return word


@lru_cache(maxsize=65536)
def same_word(a: str, b: str) -> bool:
    """Whether two lemmas are forms of one word (equal, one stem, or derived from each other)."""
    if a == b:
        return True
    if len(a) < 3 or len(b) < 3:
        return False
    if min(len(a), len(b)) > STEM_MIN - 1 and stem(a) == stem(b):
        return True
    return b in derived(a) and _shared_start(a, b) >= 3


def _shared_start(a: str, b: str) -> int:
    count = 0
    for left, right in zip(a, b, strict=False):
        if left != right:
            break
        count += 1
    return count


@lru_cache(maxsize=65536)
def is_a(member: str, group: str) -> bool:
    """Whether `member` is a kind of `group` as a noun (violin, instrument), or as a verb (stroll, walk)."""
    return group in hypernyms(member, "n") or group in hypernyms(member, "v")


@lru_cache(maxsize=65536)
def related(a: str, b: str) -> bool:
    """Whether two lemmas name the same thing or one a kind of the other."""
    if same_word(a, b):
        return True
    if b in synonyms(a, "n") or b in synonyms(a, "v"):
        return True
    return is_a(a, b) or is_a(b, a)


@lru_cache(maxsize=65536)
def same_theme(a: str, b: str) -> bool:
    """Whether two lemmas belong to one everyday matter (tent, campfire); weaker than `related`."""
    themes = _extra().themes
    return bool(themes.get(a, frozenset()) & themes.get(b, frozenset()))


def themes_of(lemma: str) -> frozenset[str]:
    """The everyday matters of data/kinds.yaml that a lemma belongs to."""
    return _extra().themes.get(lemma, frozenset())


@lru_cache(maxsize=65536)
def defines(a: str, b: str) -> bool:
    """Whether one of two nouns stands in the other's definition (stadium, sport; garage, automobile)."""
    glosses = _net().glosses
    return any(same_word(word, b) for word in glosses.get(a, ())) or any(same_word(word, a) for word in glosses.get(b, ()))


@lru_cache(maxsize=65536)
def sisters(a: str, b: str) -> bool:
    """Whether two nouns have a close common class (lamb, bacon); looks two steps up from the first sense."""
    return bool(near_classes(a) & near_classes(b))


@lru_cache(maxsize=8192)
def near_classes(lemma: str) -> frozenset[int]:
    """Numbers of the classes one and two steps above a noun's first sense."""
    net = _net()
    layer = set(net.senses.get((lemma, "n"), ())[:1])
    out: set[int] = set()
    for _ in range(2):
        layer = {above for sense in layer for above in net.above["n"][sense] if above not in net.wide["n"]}
        out |= layer
    return frozenset(out)

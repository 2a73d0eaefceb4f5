"""Which turns of a record name a word: an index of the record's vocabulary by stem, class and spelling, built once a
conversation."""

from __future__ import annotations

from collections import defaultdict
from functools import lru_cache

from inject.gates.case import Record
from inject.patterns import word_list
from twistcore.text.classes import derived, hypernyms, known, same_word, stem, synonyms

BROAD = word_list("broad")
FIGURATIVE = frozenset({"blast"})
ALIKE = (
    frozenset({"alone", "solo", "myself", "independently"}),
    frozenset({"trip", "travel", "vacation", "journey", "trek"}),
    frozenset({"picture", "photo", "photograph", "photography"}),
    frozenset({"film", "movie", "cinema"}),
    frozenset({"tv", "television"}),
    frozenset({"bike", "bicycle", "cycle", "cycling", "biking"}),
    frozenset({"jog", "run"}),
    frozenset({"kid", "child"}),
    frozenset({"car", "automobile"}),
    frozenset({"dye", "color", "colour"}),
    frozenset({"story", "tale"}),
    frozenset({"videogame", "video-game", "game"}),
    frozenset({"workout", "exercise"}),
    frozenset({"garden", "gardening"}),
    frozenset({"puppy", "dog"}),
    frozenset({"kitten", "cat"}),
)


class NamingIndex:
    """Looks up the vocabulary of one record by what a word of it may name."""

    def __init__(self, record: Record) -> None:
        self._turns = record.vocabulary
        self._found: dict[str, frozenset[str]] = {}
        self._by_key: dict[str, list[tuple[str, bool]]] = defaultdict(list)
        self._lemmas: dict[str, list[tuple[str, bool]]] = defaultdict(list)
        for key in self._turns:
            lemma, noun = key
            self._lemmas[lemma].append(key)
            self._by_key[f"stem {stem(lemma)}"].append(key)
            if "-" in lemma:
                self._by_key[f"flat {lemma.replace('-', '')}"].append(key)
            if noun:
                for above in hypernyms(lemma, "n", 1):
                    self._by_key[f"kind {above}"].append(key)

    def turns_naming(self, group: str) -> frozenset[str]:
        """The dia_ids of the turns with a word that names `group`."""
        found = self._found.get(group)
        if found is None:
            hits = {key for key in self._candidates(group) if names(key[0], group, key[1])}
            found = self._found[group] = frozenset().union(*(self._turns[key] for key in hits))
        return found

    def _candidates(self, group: str) -> set[tuple[str, bool]]:
        close = {group, group.replace("-", "")} | derived(group) | synonyms(group, "n")
        for alike in ALIKE:
            if group in alike:
                close |= alike
        out = {key for lemma in close for key in self._lemmas.get(lemma, ())}
        for kind in (f"stem {stem(group)}", f"kind {group}", f"flat {group.replace('-', '')}"):
            out.update(self._by_key.get(kind, ()))
        if len(group) >= 4:
            out.update(
                key for lemma, keys in self._lemmas.items() if lemma.startswith(group) or lemma.endswith(group) for key in keys
            )
        return out


def index_of(record: Record) -> NamingIndex:
    """The record's index, built at its first use."""
    found = record.memo.get(("record_conflict", "naming"))
    if not isinstance(found, NamingIndex):
        found = NamingIndex(record)
        record.memo["record_conflict", "naming"] = found
    return found


@lru_cache(maxsize=65536)
def names(lemma: str, group: str, noun: bool = True) -> bool:
    """Whether a word of the record names a topic word: the word itself, its synonym in everyday use, or a kind of it."""
    if lemma in FIGURATIVE and lemma != group:
        return False
    if _one_word(lemma, group) or any(lemma in alike and group in alike for alike in ALIKE):
        return True
    if len(group) >= 4 and len(lemma) > len(group) and (lemma.startswith(group) or lemma.endswith(group)) and "-" not in lemma:
        return len(lemma) - len(group) >= 3 and not lemma.startswith(("un", "non", "anti"))
    if "-" in group or "-" in lemma:
        return lemma.replace("-", "") == group.replace("-", "")
    if noun and group not in BROAD and group in hypernyms(lemma, "n", 1):
        return True
    return bool(noun and group in synonyms(lemma, "n") and lemma in synonyms(group, "n") and group not in BROAD)


def _one_word(a: str, b: str) -> bool:
    """Equal, or derived from each other; a shared stem counts only where the dictionary lacks one of the two."""
    if a == b or b in derived(a):
        return a == b or same_word(a, b)
    if not same_word(a, b) or abs(len(a) - len(b)) > 3 or {a, b} == {"improv", "improve"}:
        return False
    lacking = not (known(a, "n") or known(a, "v")) or not (known(b, "n") or known(b, "v"))
    return lacking or (known(a, "n") and known(b, "v")) or (known(a, "v") and known(b, "n"))

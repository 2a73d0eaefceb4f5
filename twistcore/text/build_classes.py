"""Builds twistcore/text/data/wordnet.tsv.gz from WordNet 3.0.

Source: WordNet 3.0, Princeton University, as in Debian's package wordnet-base (`apt-get install wordnet-base`, folder
/usr/share/wordnet). Its licence lies beside the data (data/WORDNET-LICENSE.txt). Run as
`python -m twistcore.text.build_classes [FOLDER]`; same input, same bytes.

Kept of it: nouns and verbs in lower-case letters, their commonest senses, hypernyms, derivational pairs, and of commoner nouns the
words of their definitions. A second file, named.tsv.gz, has the named things (Lisbon): what they are and what they are part of.
"""

from __future__ import annotations

import gzip
import re
import sys
from collections import defaultdict
from pathlib import Path

SENSES = 5
RARE_SHARE = 0.02
TOO_WIDE = 1200
KEEP_WIDE = frozenset({"animal", "food", "meat", "game", "sport", "drink", "clothing"})
WORD = re.compile(r"^[a-z]+(?:[-_'][a-z]+){0,1}$")
TARGET = Path(__file__).parent / "data" / "wordnet.tsv.gz"
NAMED = Path(__file__).parent / "data" / "named.tsv.gz"
NAMED_DEPTH = 3
FILES = {"n": "noun", "v": "verb"}


def _read_index(folder: Path, pos: str) -> dict[str, list[int]]:
    senses = {}
    for line in (folder / f"index.{FILES[pos]}").read_text(encoding="latin-1").splitlines():
        if line.startswith(" "):
            continue
        fields = line.split()
        pointers = int(fields[3])
        senses[fields[0]] = [int(offset) for offset in fields[6 + pointers :]]
    return senses


def _read_counts(folder: Path) -> dict[tuple[str, str, int], int]:
    """How often each sense was tagged in SemCor, by (lemma, part of speech, sense number)."""
    counts = {}
    for line in (folder / "cntlist.rev").read_text(encoding="latin-1").splitlines():
        key, number, count = line.split()
        lemma, _, rest = key.partition("%")
        pos = {"1": "n", "2": "v"}.get(rest[0])
        if pos:
            counts[lemma, pos, int(number)] = int(count)
    return counts


def _read_data(folder: Path, pos: str) -> dict[int, tuple[list[str], list[int], list[tuple[int, int, str, int]]]]:
    """By offset: words, hypernym offsets, derivations as (own word, target offset, target pos, target word)."""
    out = {}
    for line in (folder / f"data.{FILES[pos]}").read_text(encoding="latin-1").splitlines():
        if line.startswith(" "):
            continue
        fields = line.partition(" | ")[0].split()
        size = int(fields[3], 16)
        words = fields[4 : 4 + 2 * size : 2]
        place = 4 + 2 * size
        hypernyms, derived = [], []
        for number in range(int(fields[place])):
            symbol, offset, target_pos, pair = fields[place + 1 + 4 * number : place + 5 + 4 * number]
            if symbol == "@":
                hypernyms.append(int(offset))
            elif symbol == "+" and target_pos in FILES:
                derived.append((int(pair[:2], 16), int(offset), target_pos, int(pair[2:], 16)))
        out[int(fields[0])] = (words, hypernyms, derived)
    return out


def _common_senses(lemma: str, pos: str, offsets: list[int], counts: dict[tuple[str, str, int], int]) -> list[int]:
    first = counts.get((lemma, pos, 1), 0)
    return [
        offset
        for number, offset in enumerate(offsets[: SENSES + 1], start=1)
        if number <= 2 or counts.get((lemma, pos, number), 0) >= max(1, RARE_SHARE * first) or (first < 20 and number <= SENSES)
    ]


STOP = frozenset(
    """
    a about act act's against an and any are as at be being between by can certain characterized common considered
    consisting containing different do does during each especially etc first for form from general generally good great
    group has have having her his in into is it its kind large like long made make many member more most new not number of
    often old on one open or originally other others out over part particular people person person's piece place quality
    relating same set several short single small some someone something split state such than that the their they thing
    this three through time to two type typically under up use used using usually various very was way were when where
    which while who whole with within without you your
    """.split()  # noqa: SIM905
)


def _gloss_words(text: str, known: dict[str, list[int]], verbs: dict[str, list[int]]) -> list[str]:
    """The dictionary words of a definition, without its examples."""
    definition = re.sub(r'"[^"]*"?|\([^)]*\)', " ", text.partition(";")[0])
    out = []
    for word in re.findall(r"[a-z]+", definition.lower()):
        forms = [word] + [word[: -len(end)] + put for end, put in ENDINGS if word.endswith(end) and len(word) > len(end) + 2]
        lemma = next((form for form in forms[1:] if form in known), None) if word.endswith("s") else None
        lemma = lemma or next((form for form in forms if form in known or form in verbs), None)
        if lemma and lemma not in STOP and len(lemma) > 2:
            out.append(lemma)
    return sorted(set(out))[:8]


ENDINGS = (("ies", "y"), ("es", ""), ("s", ""), ("ing", ""), ("ing", "e"), ("ed", ""), ("ed", "e"))


def _glosses(
    folder: Path, index: dict[str, list[int]], verbs: dict[str, list[int]], counts: dict[tuple[str, str, int], int]
) -> list[str]:
    defined = {}
    for line in (folder / "data.noun").read_text(encoding="latin-1").splitlines():
        if not line.startswith(" "):
            head, _, gloss = line.partition(" | ")
            defined[int(head.split()[0])] = gloss
    lines = []
    for lemma in sorted(index):
        tagged = any(counts.get((lemma, "n", number)) for number in (1, 2))
        if (
            not WORD.match(lemma)
            or "_" in lemma
            or not (tagged or (len(lemma) <= 9 and len(index[lemma]) >= 1 and lemma in verbs) or _everyday(lemma, index, counts))
        ):
            continue
        words = sorted({word for offset in index[lemma][:2] for word in _gloss_words(defined[offset], index, verbs)} - {lemma})
        if words:
            lines.append(f"g\t{lemma}\t{','.join(words)}")
    return lines


def _everyday(lemma: str, index: dict[str, list[int]], counts: dict[tuple[str, str, int], int]) -> bool:
    """Whether the word heads a compound or shares its sense with a tagged one: a cheap sign that it is in common use."""
    return len(lemma) <= 8 and len(index[lemma]) >= 2 and not counts.get((lemma, "n", 1))


def build(folder: Path) -> bytes:
    """The data file's bytes."""
    counts = _read_counts(folder)
    data = {pos: _read_data(folder, pos) for pos in FILES}
    lines: list[str] = []
    for pos in FILES:
        below: dict[int, set[int]] = defaultdict(set)
        for start in data[pos]:
            stack, seen = [start], set()
            while stack:
                for above in data[pos][stack.pop()][1]:
                    if above not in seen:
                        seen.add(above)
                        stack.append(above)
            for above in seen:
                below[above].add(start)
        wide = {offset for offset, under in below.items() if len(under) > TOO_WIDE and not KEEP_WIDE & set(data[pos][offset][0])}
        numbers = {offset: number for number, offset in enumerate(sorted(data[pos]))}
        for offset in sorted(data[pos]):
            named = [word.lower() for word in data[pos][offset][0]][:1]
            higher = ",".join(str(numbers[other]) for other in data[pos][offset][1])
            flag = "w" if offset in wide else ""
            lines.append(f"{pos}s\t{named[0] if flag else ''}\t{higher}\t{flag}")
        index = _read_index(folder, pos)
        for lemma in sorted(index):
            if WORD.match(lemma):
                kept = _common_senses(lemma, pos, index[lemma], counts)
                lines.append(f"{pos}l\t{lemma}\t{','.join(str(numbers[offset]) for offset in kept)}")
    pairs = set()
    for pos in FILES:
        for words, _, derived in data[pos].values():
            for own, offset, target_pos, target in derived:
                left = words[own - 1].lower()
                right = data[target_pos][offset][0][target - 1].lower()
                if left != right and WORD.match(left) and WORD.match(right):
                    pairs.add((min(left, right), max(left, right)))
    lines += [f"d\t{left}\t{right}" for left, right in sorted(pairs)]
    lines += _glosses(folder, _read_index(folder, "n"), _read_index(folder, "v"), counts)
    return gzip.compress(("\n".join(lines) + "\n").encode("ascii"), compresslevel=9, mtime=0)


def build_named(folder: Path) -> bytes:
    """The bytes of the file of named things: name, its classes, the names of what it is part of, joined by commas."""
    words: dict[int, list[str]] = {}
    above: dict[int, list[int]] = {}
    instance: dict[int, list[int]] = {}
    whole: dict[int, list[int]] = {}
    for line in (folder / "data.noun").read_text(encoding="latin-1").splitlines():
        if line.startswith(" "):
            continue
        fields = line.partition(" | ")[0].split()
        offset, size = int(fields[0]), int(fields[3], 16)
        words[offset] = [word.lower() for word in fields[4 : 4 + 2 * size : 2]]
        place = 4 + 2 * size
        pointers = [fields[place + 1 + 4 * number : place + 3 + 4 * number] for number in range(int(fields[place]))]
        above[offset] = [int(target) for symbol, target in pointers if symbol == "@"]
        instance[offset] = [int(target) for symbol, target in pointers if symbol == "@i"]
        whole[offset] = [int(target) for symbol, target in pointers if symbol == "#p"]
    found: dict[str, tuple[set[str], set[str]]] = {}
    for offset, classes in instance.items():
        if not classes:
            continue
        kinds = {word for target in _climb(classes, above, NAMED_DEPTH) for word in words[target]}
        wholes = {word for target in _climb(whole[offset], whole, NAMED_DEPTH) for word in words[target]}
        for word in words[offset]:
            if re.fullmatch(r"[a-z]{3,}(?:_[a-z]+){0,2}", word):
                kept = found.setdefault(word, (set(), set()))
                kept[0].update(kinds)
                kept[1].update(wholes)
    lines = [f"{name}\t{','.join(sorted(kinds))}\t{','.join(sorted(wholes))}" for name, (kinds, wholes) in sorted(found.items())]
    return gzip.compress(("\n".join(lines) + "\n").encode("ascii", "ignore"), compresslevel=9, mtime=0)


def _climb(start: list[int], upward: dict[int, list[int]], depth: int) -> set[int]:
    out = set(start)
    layer = set(start)
    for _ in range(depth):
        layer = {target for offset in layer for target in upward[offset]} - out
        out |= layer
    return out


def main(arguments: list[str]) -> int:
    """Write the data files from the given WordNet folder."""
    folder = Path(arguments[0] if arguments else "/usr/share/wordnet")
    for target, made in ((TARGET, build(folder)), (NAMED, build_named(folder))):
        target.write_bytes(made)
        print(f"{target.name}: {len(made)} bytes")
    return 0


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))

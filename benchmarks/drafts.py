"""What style alone gives away in Track B: `python -m benchmarks.drafts [--corpus PATH | --keys FILE] [--seed N]`.

A Naive Bayes on the words of the drafts, leave one conversation out (TWIST paper section 4.4, "Shortcut-leakage audit"): balanced
accuracy of contradicting against the rest, with the words that carry the signal. The published key has 0.651; the target is 0.58.
"""

from __future__ import annotations

import argparse
import json
import math
import re
import time
from collections import Counter
from collections.abc import Sequence
from pathlib import Path

from inject.alignment.audit import audit_drafts
from inject.alignment.make import make_track_b
from locomo_patch.reader import read_corpus
from twistcore.text.parses import Parser, cache_folder

MOCK = Path(__file__).parents[1] / "locomo_patch" / "corpora" / "mock" / "locomo_mock.json"
TARGET = 0.58
SHOWN = 12
Line = tuple[str, bool, list[str]]


def main(arguments: Sequence[str] | None = None) -> int:
    """Make the drafts, or read them, and print the figures."""
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--corpus", type=Path, default=MOCK)
    options.add_argument("--keys", type=Path)
    options.add_argument("--seed", type=int, default=7)
    given = options.parse_args(arguments)
    if given.keys is not None:
        lines = [_line(value) for value in map(json.loads, given.keys.read_text(encoding="utf-8").splitlines())]
    else:
        start = time.perf_counter()
        corpus, parser = read_corpus(given.corpus, allow_unknown=True).corpus, Parser(cache_folder())
        keys = make_track_b(corpus, parser, given.seed)
        spent = time.perf_counter() - start
        faults = audit_drafts(keys, corpus, parser)
        print(f"{len(keys)} drafts in {spent:.1f} s, {len(faults)} faults in the audit")
        print(", ".join(f"{code} {count}" for code, count in sorted(Counter(key.family.code for key in keys).items())))
        print(*faults, sep="\n", end="\n" if faults else "")
        lines = [_line(key.model_dump(mode="json")) for key in keys]
    accuracy = balanced_accuracy(lines)
    print(f"draft-only Naive Bayes, leave one conversation out: balanced accuracy {accuracy:.3f} (target {TARGET})")
    for word, weight in telling_words(lines)[:SHOWN]:
        print(f"  {'contradicting' if weight > 0 else 'the rest':13} {abs(weight):.2f}  {word}")
    return 0


def _line(value: dict[str, object]) -> Line:
    words = re.findall(r"[a-z']+", str(value["draft"]).lower().replace("’", "'"))
    return str(value["conv"]), value["type"] == "contradicting", words


def balanced_accuracy(lines: Sequence[Line]) -> float:
    """Mean of the two recalls over all conversations, each judged by what the others teach."""
    hits: Counter[bool] = Counter()
    for held in sorted({conv for conv, _, _ in lines}):
        weights, bias = _train([line for line in lines if line[0] != held])
        for conv, contradicts, words in lines:
            if conv == held:
                score = bias + sum(weights.get(word, 0.0) for word in words)
                hits[contradicts] += (score > 0) == contradicts
    return sum(hits[kind] / max(1, sum(line[1] is kind for line in lines)) for kind in (True, False)) / 2


def _train(lines: Sequence[Line]) -> tuple[dict[str, float], float]:
    counts = {
        kind: Counter(word for _, contradicts, words in lines if contradicts is kind for word in words) for kind in (True, False)
    }
    vocabulary = counts[True].keys() | counts[False].keys()
    totals = {kind: sum(counts[kind].values()) + len(vocabulary) for kind in counts}
    weights = {
        word: math.log((counts[True][word] + 1) / totals[True]) - math.log((counts[False][word] + 1) / totals[False])
        for word in vocabulary
    }
    said = sum(contradicts for _, contradicts, _ in lines)
    return weights, math.log(max(1, said)) - math.log(max(1, len(lines) - said))


def telling_words(lines: Sequence[Line]) -> list[tuple[str, float]]:
    """Words by how much they move the score over the whole set: weight times the square root of their count."""
    weights, _ = _train(lines)
    counts = Counter(word for _, _, words in lines for word in words)
    return sorted(((word, weight) for word, weight in weights.items()), key=lambda each: -abs(each[1]) * math.sqrt(counts[each[0]]))


if __name__ == "__main__":
    raise SystemExit(main())

"""Fits `data/weights.json` on labelled cases: `python -m locomo_patch.revalidation.fit CORPUS CASES.jsonl [CASES.jsonl ...]`.

A logistic regression over signs. The turn that stands for a case's question is the one that the weights themselves find strongest, so
it is fitted a few times over. Prints how it does on conversations that it did not see (one left out at a time): that figure, not the
fit on all, says what to expect. Same input, same bytes.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import roc_auc_score

from locomo_patch.reader import read_corpus
from locomo_patch.revalidation.candidates import CandidateIndex
from locomo_patch.revalidation.cases import place, read_cases, read_placed
from locomo_patch.revalidation.questions import ConversationQuestions, read_conversation_questions
from locomo_patch.revalidation.score import read_labels
from locomo_patch.revalidation.signs import find_signs
from locomo_patch.revalidation.weigh import terms_of
from twistcore.text.parses import Parser, cache_folder

STRENGTH = 0.05
ROUNDS = 3
ALARMS_WANTED, ALARMS_DECIDED = 0.12, 0.06
TARGET = Path(__file__).parent / "data" / "weights.json"
_SEEDS = ("topic", "sort_match", "sibling", "evidence")


@dataclass(frozen=True)
class Pair:
    """A labelled question of a case with the terms of every turn that could bear on it; none where all speak of somebody else."""

    sample_id: str
    perturbed: bool
    options: tuple[Mapping[str, float], ...]


def gather(corpus_path: Path, case_paths: Sequence[Path], parser: Parser) -> list[Pair]:
    """All labelled pairs of the files."""
    corpus = read_corpus(corpus_path).corpus
    contexts: dict[str, ConversationQuestions] = {}
    pairs: list[Pair] = []
    for path in case_paths:
        for case, labels in zip(read_cases(path, corpus), read_labels(path), strict=True):
            conversation = corpus.conversation(case.sample_id)
            if case.sample_id not in contexts:
                contexts[case.sample_id] = read_conversation_questions(conversation, parser)
            context = contexts[case.sample_id]
            index = CandidateIndex(read_placed(place(case, conversation), parser))
            marked = {label.question: False for label in labels.near_miss} | {label.question: True for label in labels.perturbed}
            for reading in context.readings:
                if reading.question.question in marked:
                    signs = [find_signs(reading, turn, context, who) for turn, who in index.candidates(reading, context)]
                    options = tuple(terms_of(sign) for sign in signs if not sign.outside)
                    pairs.append(Pair(case.sample_id, marked[reading.question.question], options))
    return pairs


@dataclass(frozen=True)
class _Table:
    names: tuple[str, ...]
    rows: NDArray[np.float64]
    owner: NDArray[np.int64]
    seed: NDArray[np.float64]


def _table(pairs: Sequence[Pair]) -> _Table:
    names = tuple(sorted({name for pair in pairs for option in pair.options for name in option}))
    place_of = {name: index for index, name in enumerate(names)}
    options = [(index, option) for index, pair in enumerate(pairs) for option in pair.options]
    rows = np.zeros((len(options), len(names)))
    for number, (_, option) in enumerate(options):
        for name, value in option.items():
            rows[number, place_of[name]] = value
    seed = np.array([sum(option.get(name, 0.0) for name in _SEEDS) for _, option in options])
    return _Table(names, rows, np.array([index for index, _ in options]), seed)


def _strongest(scores: NDArray[np.float64], table: _Table, wanted: set[int]) -> dict[int, int]:
    best: dict[int, int] = {}
    for row, owner in enumerate(table.owner.tolist()):
        if owner in wanted and (owner not in best or scores[row] > scores[best[owner]]):
            best[owner] = row
    return best


def _fit(table: _Table, labels: NDArray[np.int64], wanted: set[int]) -> tuple[LogisticRegression, NDArray[np.float64]]:
    scores = table.seed
    for _ in range(ROUNDS):
        rows = list(_strongest(scores, table, wanted).values())
        model = LogisticRegression(C=STRENGTH, class_weight="balanced", max_iter=3000)
        model.fit(table.rows[rows], labels[table.owner[rows]])
        scores = model.decision_function(table.rows)
    return model, scores


def left_out_scores(pairs: Sequence[Pair], table: _Table) -> NDArray[np.float64]:
    """The score of every pair by weights that did not see its conversation; very low where nothing bears on it."""
    labels = np.array([int(pair.perturbed) for pair in pairs])
    out = np.full(len(pairs), -9.0)
    for sample_id in sorted({pair.sample_id for pair in pairs}):
        seen = {index for index, pair in enumerate(pairs) if pair.sample_id != sample_id}
        _, scores = _fit(table, labels, seen)
        for owner, row in _strongest(scores, table, set(range(len(pairs))) - seen).items():
            out[owner] = scores[row]
    return out


def thresholds(scores: NDArray[np.float64], labels: NDArray[np.int64]) -> tuple[float, float]:
    """Scores above which the wanted shares of the near misses lie."""
    negatives = np.sort(scores[labels == 0])[::-1]
    return tuple(float(negatives[int(share * len(negatives))]) for share in (ALARMS_WANTED, ALARMS_DECIDED))  # type: ignore[return-value]


def main(arguments: list[str]) -> int:
    """Fit, print the left-out figures, write the weights."""
    pairs = gather(Path(arguments[0]), [Path(name) for name in arguments[1:]], Parser(cache_folder()))
    table = _table(pairs)
    labels = np.array([int(pair.perturbed) for pair in pairs])
    scores = left_out_scores(pairs, table)
    undecided, perturbed = thresholds(scores, labels)
    for share in (0.06, 0.12, 0.2, 0.3):
        bound = np.sort(scores[labels == 0])[::-1][int(share * (labels == 0).sum())]
        print(f"left out: {float((scores[labels == 1] > bound).mean()):.3f} of the perturbed at {share:.2f} of the near misses")
    print(f"{len(pairs)} pairs, {labels.sum()} perturbed, AUC left out {roc_auc_score(labels, scores):.3f}")
    model, _ = _fit(table, labels, set(range(len(pairs))))
    terms = {
        name: round(float(weight), 4) for name, weight in zip(table.names, model.coef_[0], strict=True) if abs(weight) >= 0.0005
    }
    made: dict[str, Any] = {
        "bias": round(float(model.intercept_[0]), 4),
        "undecided": round(undecided, 4),
        "perturbed": round(perturbed, 4),
        "terms": dict(sorted(terms.items())),
    }
    TARGET.write_text(json.dumps(made, indent=1) + "\n", encoding="ascii")
    return 0


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))

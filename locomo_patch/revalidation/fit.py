"""Fits `data/weights.json` on labelled cases.

    python -m locomo_patch.revalidation.fit CORPUS --cases CASES.jsonl [...] [--quiet RELEASE ...]

A logistic regression over signs. The turn that stands for a case's question is the one that the weights themselves find strongest,
so it is fitted a few times over. `--quiet` names releases whose turns were planned to perturb nothing: their questions are taken as
unperturbed, since related near misses alone do not teach what a hundred turns of small talk look like. Prints how it does on
conversations that it did not see (one left out at a time): that figure, not the fit on all, says what to expect. Same input, same
bytes.
"""

from __future__ import annotations

import argparse
import json
import math
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_matrix
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import roc_auc_score

from locomo_patch.id_map import ID_MAP, read_id_map
from locomo_patch.reader import LoadedCorpus, read_corpus
from locomo_patch.revalidation.candidates import CandidateIndex
from locomo_patch.revalidation.cases import place, read_cases, read_placed
from locomo_patch.revalidation.injected import injected_turns
from locomo_patch.revalidation.questions import ConversationQuestions, QuestionReading, read_conversation_questions
from locomo_patch.revalidation.score import read_labels
from locomo_patch.revalidation.signs import find_quick_signs, find_signs
from locomo_patch.revalidation.weigh import FEW, terms_of
from twistcore.store import write_atomic
from twistcore.text.parses import Parser, cache_folder

STRENGTH = 0.15
ROUNDS = 4
# A perturbed question counts as much as four near misses, a question of a quiet release for a third of one.
PERTURBED_WEIGHT, QUIET_WEIGHT, FAR_WEIGHT = 4.0, 0.3, 0.1
# Of the questions of a case that nobody labelled one in so many is taken as unperturbed, for a tenth of a near miss.
FAR_STEP = 8
# Less than the 12 % that may be alarmed: the cases differ in how near their near misses lie, and the nearest must stay below it.
ALARMS_WANTED, ALARMS_DECIDED, QUIET_ALARMS = 0.11, 0.05, 0.03
TARGET = Path(__file__).parent / "data" / "weights.json"
_SEEDS = ("topic", "sort_match", "sibling", "evidence", "event.best")


@dataclass(frozen=True)
class Pair:
    """A question with the terms of every turn that bears on it; none where all speak of somebody else or of another matter.

    `turns` is how many turns and persons were looked at; `quiet` says that it comes from a release and not from a labelled case,
    `far` that nobody labelled it, since it has nothing to do with its case.
    """

    sample_id: str
    perturbed: bool
    options: tuple[Mapping[str, float], ...]
    turns: int
    quiet: bool = False
    far: bool = False

    @property
    def weight(self) -> float:
        """How much it counts beside a near miss."""
        if self.perturbed:
            return PERTURBED_WEIGHT
        return QUIET_WEIGHT if self.quiet else FAR_WEIGHT if self.far else 1.0


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
            pairs += [
                _pair(reading, context, index, marked[reading.question.question])
                for reading in context.readings
                if reading.question.question in marked
            ]
            others = [reading for reading in context.readings if reading.question.question not in marked]
            pairs += [replace(_pair(reading, context, index, perturbed=False), far=True) for reading in others[::FAR_STEP]]
    return pairs


def gather_quiet(loaded: LoadedCorpus, release: Path, parser: Parser) -> list[Pair]:
    """Every question of a release as an unperturbed one; raises ReleaseError for what is no release."""
    ids = read_id_map(release / ID_MAP)
    released = read_corpus(release / "corpus" / loaded.path.name, allow_unknown=True).corpus
    pairs = []
    for conversation in loaded.corpus.conversations:
        context = read_conversation_questions(conversation, parser)
        turns = injected_turns(released.conversation(conversation.sample_id), ids[conversation.sample_id])
        index = CandidateIndex(read_placed(turns, parser))
        pairs += [_pair(reading, context, index, perturbed=False, quiet=True) for reading in context.readings]
    return pairs


def _pair(
    reading: QuestionReading, context: ConversationQuestions, index: CandidateIndex, perturbed: bool, quiet: bool = False
) -> Pair:
    options = []
    candidates = index.candidates(reading, context)
    for turn, who in candidates:
        quick = find_quick_signs(reading, turn, context, who)
        if quick is not None and not quick.bears:
            continue
        signs = quick or find_signs(reading, turn, context, who)
        if not signs.outside:
            options.append(terms_of(signs))
    return Pair(context.conversation.sample_id, perturbed, tuple(options), len(candidates), quiet)


@dataclass(frozen=True)
class _Table:
    """Options as rows: `owner` is the pair of each, `labels` and `weights` are by pair."""

    names: tuple[str, ...]
    rows: Any
    owner: NDArray[np.int64]
    seed: NDArray[np.float64]
    labels: NDArray[np.int64]
    weights: NDArray[np.float64]


def _table(pairs: Sequence[Pair]) -> _Table:
    names = tuple(sorted({name for pair in pairs for option in pair.options for name in option}))
    place_of = {name: index for index, name in enumerate(names)}
    options = [(index, option) for index, pair in enumerate(pairs) for option in pair.options]
    cells = [(row, place_of[name], value) for row, (_, option) in enumerate(options) for name, value in option.items()]
    rows, columns, values = zip(*cells, strict=True) if cells else ((), (), ())
    labels = np.array([int(pair.perturbed) for pair in pairs])
    weights = np.array([pair.weight for pair in pairs])
    seed = np.array([sum(option.get(name, 0.0) for name in _SEEDS) for _, option in options])
    matrix = csr_matrix((values, (rows, columns)), shape=(len(options), len(names)))
    return _Table(names, matrix, np.array([index for index, _ in options]), seed, labels, weights)


def _strongest(scores: NDArray[np.float64], table: _Table, wanted: NDArray[np.bool_]) -> dict[int, int]:
    best: dict[int, int] = {}
    for row in np.flatnonzero(wanted[table.owner]).tolist():
        owner = int(table.owner[row])
        if owner not in best or scores[row] > scores[best[owner]]:
            best[owner] = row
    return best


def _fit(table: _Table, wanted: NDArray[np.bool_]) -> tuple[LogisticRegression, NDArray[np.float64]]:
    scores = table.seed
    model = LogisticRegression(C=STRENGTH, max_iter=3000)
    for _ in range(ROUNDS):
        rows = list(_strongest(scores, table, wanted).values())
        owners = table.owner[rows]
        model.fit(table.rows[rows], table.labels[owners], sample_weight=table.weights[owners])
        scores = model.decision_function(table.rows)
    return model, scores


def left_out_scores(pairs: Sequence[Pair], table: _Table) -> NDArray[np.float64]:
    """The score of every pair by weights that did not see its conversation; very low where nothing bears on it."""
    samples = np.array([pair.sample_id for pair in pairs])
    out = np.full(len(pairs), -99.0)
    for sample_id in sorted(set(samples.tolist())):
        unseen = samples == sample_id
        _, scores = _fit(table, ~unseen)
        for owner, row in _strongest(scores, table, unseen).items():
            out[owner] = scores[row]
    return out


@dataclass(frozen=True, slots=True)
class Bounds:
    """Thresholds for a few turns, and by how much they rise with the logarithm of how many are looked at."""

    undecided: float
    perturbed: float
    rise: float


def find_bounds(pairs: Sequence[Pair], scores: NDArray[np.float64]) -> Bounds:
    """The thresholds above which the wanted shares of near misses, and of a quiet release's questions, lie."""
    near = np.sort([s for pair, s in zip(pairs, scores, strict=True) if not (pair.perturbed or pair.quiet or pair.far)])[::-1]
    undecided, perturbed = (float(near[int(share * len(near))]) for share in (ALARMS_WANTED, ALARMS_DECIDED))
    steep = sorted(
        (s - undecided) / math.log(pair.turns / FEW)
        for pair, s in zip(pairs, scores, strict=True)
        if pair.quiet and pair.turns > 2 * FEW
    )
    rise = steep[int((1 - QUIET_ALARMS) * len(steep))] if steep else 0.0
    return Bounds(undecided, perturbed, max(0.0, rise))


def _report(pairs: Sequence[Pair], scores: NDArray[np.float64], bounds: Bounds) -> None:
    labels = np.array([int(pair.perturbed) for pair in pairs])
    quiet = np.array([pair.quiet for pair in pairs])
    known = np.array([not (pair.quiet or pair.far) for pair in pairs])
    near = np.sort(scores[(labels == 0) & known])[::-1]
    for share in (0.06, 0.12, 0.2, 0.3):
        bound = near[int(share * len(near))]
        print(f"left out: {float((scores[labels == 1] > bound).mean()):.3f} of the perturbed at {share:.2f} of the near misses")
    print(f"{known.sum()} pairs, {labels.sum()} perturbed, AUC left out {roc_auc_score(labels[known], scores[known]):.3f}")
    if quiet.any():
        high = np.array([bounds.undecided + bounds.rise * math.log(max(1.0, pair.turns / FEW)) for pair in pairs])
        alarmed = (scores > high)[quiet].sum()
        late = np.array([bounds.undecided + bounds.rise * math.log(100 / FEW)] * len(pairs))
        caught = (scores > late)[labels == 1].mean()
        print(
            f"{quiet.sum()} questions of quiet releases: {alarmed} alarmed; at that height {caught:.3f} of the perturbed are caught"
        )


def main(arguments: list[str]) -> int:
    """Fit, print the left-out figures, write the weights."""
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("corpus", type=Path)
    options.add_argument("--cases", type=Path, nargs="+", required=True)
    options.add_argument("--quiet", type=Path, nargs="*", default=[])
    given = options.parse_args(arguments)
    parser = Parser(cache_folder())
    pairs = gather(given.corpus, given.cases, parser)
    for release in given.quiet:
        pairs += gather_quiet(read_corpus(given.corpus), release, parser)
    table = _table(pairs)
    scores = left_out_scores(pairs, table)
    bounds = find_bounds(pairs, scores)
    _report(pairs, scores, bounds)
    model, _ = _fit(table, np.ones(len(pairs), dtype=bool))
    terms = {
        name: round(float(weight), 4) for name, weight in zip(table.names, model.coef_[0], strict=True) if abs(weight) >= 0.0005
    }
    made: dict[str, Any] = {
        "bias": round(float(model.intercept_[0]), 4),
        "undecided": round(bounds.undecided, 4),
        "perturbed": round(bounds.perturbed, 4),
        "rise": round(bounds.rise, 4),
        "terms": dict(sorted(terms.items())),
    }
    write_atomic(TARGET, (json.dumps(made, indent=1) + "\n").encode("ascii"))
    return 0


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))

"""Gate `duplicate`: no gold turn nearly repeats a turn of the corpus, or another gold turn of its own proposal.

Source: DESIGN.md ("no line is used twice"); upstream's only repeated texts are short farewells (LOCOMO.md section 6).
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations

from rapidfuzz import fuzz, process

from inject.gates.case import Case, Gate, Record
from inject.proposals import ProposedTurn
from twistcore.verdicts import GateResult

GATE = Gate("duplicate", "2")

LIKE_RECORD = 84.0
LIKE_SENTENCE = 90.0
LIKE_OWN = 80.0
LIKE_ELSEWHERE = 92.0
SHORT_TURN = 7
SHORT_SENTENCE = 8


def normalise(text: str) -> str:
    """A text without case, punctuation and blanks that carry nothing."""
    return " ".join(re.sub(r"[^\w\s']", " ", text.replace("\u2019", "'").lower()).split())


@dataclass(frozen=True, slots=True)
class _Index:
    """A conversation's turns and longer sentences, normalised, each beside the dia_id that it comes from."""

    ids: list[str]
    whole: list[str]
    sentence_ids: list[str]
    sentences: list[str]


def _sentences(text: str) -> tuple[str, ...]:
    return tuple(
        sentence for part in re.split(r"[.!?\u2026]+", text) if len((sentence := normalise(part)).split()) >= SHORT_SENTENCE
    )


def _index(record: Record) -> _Index:
    known = record.memo.get((GATE.name, ""))
    if isinstance(known, _Index):
        return known
    pairs = [(turn.dia_id, sentence) for turn in record.turns for sentence in _sentences(turn.text)]
    made = _Index(
        ids=[turn.dia_id for turn in record.turns],
        whole=[normalise(turn.text) for turn in record.turns],
        sentence_ids=[ident for ident, _ in pairs],
        sentences=[sentence for _, sentence in pairs],
    )
    record.memo[GATE.name, ""] = made
    return made


def judge(case: Case) -> GateResult:
    """Fail on a near-duplicate turn, or on a sentence of eight words or more taken from the corpus."""
    turns = case.proposal.turns
    for left, right in combinations(turns, 2):
        score = own_similarity(left.text, right.text)
        if score >= LIKE_OWN:
            return GATE.failed(f"{left.role} and {right.role} say nearly the same ({score:.0f})")
    if case.record is None:
        return GATE.passed()
    found = _repeats(case.record, turns, LIKE_RECORD, LIKE_SENTENCE)
    if found is not None:
        return GATE.failed(found)
    for sample_id, record in case.record.peers.items():
        found = None if sample_id == case.proposal.sample_id else _repeats(record, turns, LIKE_ELSEWHERE, LIKE_ELSEWHERE)
        if found is not None:
            return GATE.failed(f"{found} in {sample_id}")
    return GATE.passed()


def _repeats(record: Record, turns: Sequence[ProposedTurn], like_turn: float, like_sentence: float) -> str | None:
    """Which turn of a record a proposed turn or a longer sentence of it nearly repeats."""
    index = _index(record)
    for turn in turns:
        text = normalise(turn.text)
        if len(text.split()) >= SHORT_TURN:
            found = process.extractOne(text, index.whole, scorer=fuzz.ratio, score_cutoff=like_turn)
            if found is not None:
                return f"{turn.role} nearly repeats {index.ids[found[2]]} ({found[1]:.0f})"
        for sentence in _sentences(turn.text):
            found = process.extractOne(sentence, index.sentences, scorer=fuzz.ratio, score_cutoff=like_sentence)
            if found is not None:
                return f"{turn.role} repeats a sentence of {index.sentence_ids[found[2]]}: {sentence!r}"
    return None


def own_similarity(left: str, right: str) -> float:
    """How alike two gold turns of one proposal are, 0 to 100; the better of word order kept and words sorted."""
    one, two = normalise(left), normalise(right)
    if min(len(one.split()), len(two.split())) < SHORT_TURN:
        return 100.0 if one == two else 0.0
    return float(max(fuzz.ratio(one, two), fuzz.token_sort_ratio(one, two)))

"""Signs of meaning: how near what a turn says of a person comes to a question, its gold and its evidence, by vectors of words.

Words of one matter seldom share a class (a tent and a lake, a bow and a violin), and no list of ours has them all; these signs use
`twistcore.text.vectors`. A sign that stands out of those of all questions about the person says more than its height.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from locomo_patch.revalidation.closeness import BROAD
from locomo_patch.revalidation.questions import ConversationQuestions, QuestionReading
from locomo_patch.revalidation.turns import Standing, TurnReading
from twistcore.text.vectors import Floats, unit, vectors_of

NAMES = (
    "m_topic", "m_gold", "m_evid", "m_sort", "m_cent", "m_full", "m_topic_z", "m_gold_z", "m_evid_z", "m_cent_z", "m_full_z",
    "m_rank", "m_unreal",
)  # fmt: skip
_FULL_Z = NAMES.index("m_full_z")
# Below LOW two words have nothing in common, from HIGH on they are of one matter.
_LOW, _HIGH = 0.15, 0.75
# A sign that lies so many deviations above the others' stands out as far as can be.
_Z_TOP = 4.0
_OF_GOLD, _OF_EVIDENCE, _OF_BROAD = 0.6, 0.6, 0.4
_LEAST = 0.01


@dataclass(frozen=True, slots=True)
class _Table:
    """A conversation's questions by row: the words of all of them with their vectors, and the share of each word in every part.

    `concerned` has the rows of the questions that are about a person or about nobody in particular.
    """

    row: dict[int, int]
    words: dict[str, int]
    vectors: Floats
    topic: Any
    gold: Any
    evidence: Any
    sort: Any
    centre: Floats
    concerned: dict[str, NDArray[np.int64]]


def find_meaning_signs(
    question: QuestionReading, reading: TurnReading, context: ConversationQuestions, person: str
) -> dict[str, float]:
    """The signs of NAMES, each from 0 to 1; without those that are nothing."""
    table = _table(context)
    column = _signs(table, reading, context, person)[:, table.row[id(question)]].tolist()
    return {name: round(value, 4) for name, value in zip(NAMES, column, strict=True) if value > _LEAST}


def stands_out(question: QuestionReading, reading: TurnReading, context: ConversationQuestions, person: str) -> float:
    """From 0 to 1: how far the question stands out of all that the turn could mean; the one sign that a quick look needs."""
    table = _table(context)
    return float(_signs(table, reading, context, person)[_FULL_Z, table.row[id(question)]])


def _table(context: ConversationQuestions) -> _Table:
    found: _Table | None = context.kept.get("meaning")
    if found is None:
        found = context.kept["meaning"] = _build(context)
    return found


def _build(context: ConversationQuestions) -> _Table:
    # It takes a tenth of a second to load, and most commands compare nothing.
    from scipy.sparse import csr_matrix

    readings = context.readings
    words: dict[str, int] = {}
    parts = [
        _shares(each, words, context)
        for each in (
            [q.words - q.names for q in readings],
            [q.gold for q in readings],
            [q.evidence for q in readings],
            [q.asked_for for q in readings],
        )
    ]
    topic, gold, evidence, sort = (
        csr_matrix(cells, shape=(len(readings), max(1, len(words))), dtype=np.float32) for cells in parts
    )
    vectors = vectors_of(list(words) or [""])
    return _Table(
        row={id(q): row for row, q in enumerate(readings)},
        words=words,
        vectors=vectors,
        topic=topic,
        gold=gold,
        evidence=evidence,
        sort=sort,
        centre=unit((topic + _OF_GOLD * gold + _OF_EVIDENCE * evidence) @ vectors),
        concerned={
            name: np.array([row for row, q in enumerate(readings) if not q.about or name in q.about], dtype=np.int64)
            for name in context.conversation.speakers
        },
    )


def _shares(parts: Sequence[Iterable[str]], words: dict[str, int], context: ConversationQuestions) -> Any:
    """Cells of a matrix: each part's words by how telling they are, 1 in all; new words get the next place."""
    rows, columns, values = [], [], []
    for row, part in enumerate(parts):
        weighed = {
            word: context.weight(word) * (_OF_BROAD if word in BROAD else 1.0) for word in sorted(part) if not word.isdigit()
        }
        total = sum(weighed.values())
        for word, weight in weighed.items():
            rows.append(row)
            columns.append(words.setdefault(word, len(words)))
            values.append(weight / total)
    return values, (rows, columns)


def _signs(table: _Table, reading: TurnReading, context: ConversationQuestions, person: str) -> Floats:
    """The signs of all questions, a row for each of NAMES; worked out once a turn and person."""
    key = ("meaning", id(context), person)
    found: Floats | None = reading.kept.get(key)
    if found is None:
        found = reading.kept[key] = _compare(table, reading, context, person)
    return found


def _compare(table: _Table, reading: TurnReading, context: ConversationQuestions, person: str) -> Floats:
    said = reading.bag(person, Standing.FACT, Standing.REPORTED, Standing.PLAN)
    own = sorted(said.words | said.names)
    count = len(table.row)
    if not own:
        return np.zeros((len(NAMES), count), dtype=np.float32)
    near = _nearness(table, own)
    topic, gold, evidence, sort = (part @ near for part in (table.topic, table.gold, table.evidence, table.sort))
    telling = np.array([[context.weight(word) for word in own]], dtype=np.float32)
    centre = np.clip(table.centre @ unit(telling @ vectors_of(own))[0], 0.0, 1.0)
    full = (topic + 0.5 * gold + evidence + centre) / 3.5
    among = table.concerned[person]
    ranked = np.sort(full[among])[::-1]
    rank = 1.0 / (1.0 + np.searchsorted(-ranked, -full) / 3.0)
    unreal = sorted(reading.bag(person, Standing.UNREAL, Standing.DENIED, Standing.ASKED).words)
    unmade = table.topic @ _nearness(table, unreal) if unreal else np.zeros(count)
    out = [_standing_out(values, among) for values in (topic, gold, evidence, centre, full)]
    return np.stack([topic, gold, evidence, sort, centre, full, *out, rank, unmade]).astype(np.float32)


def _nearness(table: _Table, said: list[str]) -> Floats:
    """How near each word of the table comes to the nearest said one."""
    cosines = (table.vectors @ vectors_of(said).T).max(axis=1)
    near = np.clip((cosines - _LOW) / (_HIGH - _LOW), 0.0, 1.0)
    near[[table.words[word] for word in said if word in table.words]] = 1.0
    return np.asarray(near, dtype=np.float32)


def _standing_out(values: Floats, among: NDArray[np.int64]) -> Floats:
    part = values[among] if len(among) else values
    spread = float(part.std()) or 1.0
    return np.asarray(np.clip((values - part.mean()) / spread / _Z_TOP, 0.0, 1.0), dtype=np.float32)

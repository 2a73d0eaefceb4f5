"""Evidence strings: the nine malformed items, and every odd form (LOCOMO.md section 7; PRECEDENTS.md 22, 23)."""

from __future__ import annotations

from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from locomo_patch.evidence import is_well_formed, parse_references, resolve, rewrite
from locomo_patch.reader import LoadedCorpus
from twistcore.corpus import Category

# sample_id, index, the bad string, what it resolves to
MALFORMED = [
    ("conv-26", 37, "D8:6; D9:17", ["D8:6", "D9:17"]),
    ("conv-42", 58, "D10:19", []),
    ("conv-42", 88, "D", []),
    ("conv-43", 18, "D:11:26", ["D11:26"]),
    ("conv-47", 38, "D4:36", []),
    ("conv-49", 31, "D9:1 D4:4 D4:6", ["D9:1", "D4:4", "D4:6"]),
    ("conv-49", 38, None, None),
    ("conv-49", 46, None, None),
    ("conv-50", 69, "D30:05", ["D30:5"]),
]
KNOWN_TURNS = {"D1:1", "D1:2", "D2:4", "D11:26", "D30:5"}


def ids_of(real: LoadedCorpus) -> dict[str, set[str]]:
    return {conversation.sample_id: {turn.dia_id for turn in conversation.turns()} for conversation in real.corpus.conversations}


def test_nine_items_have_a_bad_string_six_are_repaired_and_three_are_not(real: LoadedCorpus) -> None:
    known = ids_of(real)
    bad, repaired = [], []
    for conversation in real.corpus.conversations:
        for question in conversation.questions:
            strings = [text for text in question.evidence if text not in known[conversation.sample_id]]
            if not strings:
                continue
            bad.append((question.sample_id, question.index))
            assert question.category is not Category.ADVERSARIAL
            resolved = [resolve(text, known[question.sample_id]) for text in strings]
            if all(ids and not dangling for ids, dangling in resolved):
                repaired.append((question.sample_id, question.index))
    assert bad == [(sample_id, index) for sample_id, index, _, _ in MALFORMED]
    assert len(repaired) == 6
    assert set(bad) - set(repaired) == {("conv-42", 58), ("conv-42", 88), ("conv-47", 38)}


@pytest.mark.parametrize(("sample_id", "index", "text", "ids"), [row for row in MALFORMED if row[2] is not None])
def test_each_bad_string_of_the_real_file_resolves_as_listed(
    real: LoadedCorpus, sample_id: str, index: int, text: str, ids: list[str]
) -> None:
    question = real.corpus.conversation(sample_id).questions[index]
    assert text in question.evidence
    assert resolve(text, ids_of(real)[sample_id])[0] == ids


def test_all_2815_strings_are_accounted_for(real: LoadedCorpus) -> None:
    known = ids_of(real)
    strings = [(q.sample_id, text) for c in real.corpus.conversations for q in c.questions for text in q.evidence]
    assert len(strings) == 2815
    assert sum(text in known[sample_id] for sample_id, text in strings) == 2815 - 9
    assert sum(not is_well_formed(text) for _, text in strings) == 7
    assert sum(is_well_formed(text) and text not in known[sample_id] for sample_id, text in strings) == 2


def test_the_four_empty_lists_are_kept(real: LoadedCorpus) -> None:
    empty = [q for c in real.corpus.conversations for q in c.questions if not q.evidence]
    assert [(q.sample_id, q.index) for q in empty] == [("conv-26", 30), ("conv-26", 46), ("conv-50", 39), ("conv-50", 42)]
    assert {q.category for q in empty} == {Category.OPEN_DOMAIN}


def test_list_lengths_repeats_and_order(real: LoadedCorpus) -> None:
    questions = [q for c in real.corpus.conversations for q in c.questions]
    lengths = Counter(len(q.evidence) for q in questions)
    assert [lengths[size] for size in range(6)] == [4, 1559, 239, 83, 58, 20]
    assert (sum(count for size, count in lengths.items() if size > 5), max(lengths)) == (23, 19)
    assert [(q.sample_id, q.index) for q in questions if len(set(q.evidence)) < len(q.evidence)] == [("conv-50", 5)]


@pytest.mark.parametrize(
    ("text", "resolved", "dangling"),
    [
        ("D1:1", ["D1:1"], []),
        ("D1:1; D2:4", ["D1:1", "D2:4"], []),
        ("D1:1;D2:4", ["D1:1", "D2:4"], []),
        ("D1:1 D1:2 D2:4", ["D1:1", "D1:2", "D2:4"], []),
        ("D1:1, D1:2", ["D1:1", "D1:2"], []),
        ("D:11:26", ["D11:26"], []),
        ("D30:05", ["D30:5"], []),
        ("D1:1 D1:99", ["D1:1"], ["D1:99"]),
        ("D", [], ["D"]),
        ("", [], [""]),
        ("see above", [], ["see above"]),
        ("D4:36", [], ["D4:36"]),
    ],
)
def test_every_odd_form_is_split_into_what_resolves_and_what_does_not(text: str, resolved: list[str], dangling: list[str]) -> None:
    assert resolve(text, KNOWN_TURNS) == (resolved, dangling)


@given(st.text(alphabet="D:0123456789; ,x", max_size=24))
def test_no_string_crashes_the_tokenizer_and_moving_nothing_changes_nothing(text: str) -> None:
    assert rewrite(text, lambda _session, turn: turn) == text
    resolved, dangling = resolve(text, KNOWN_TURNS)
    assert resolved or dangling, "never dropped in silence"


@given(st.text(alphabet="D:0123456789; ,x", max_size=24), st.integers(1, 30))
def test_moving_there_and_back_gives_the_string_again(text: str, by: int) -> None:
    moved = rewrite(text, lambda _session, turn: turn + by)
    assert rewrite(moved, lambda _session, turn: turn - by) == text
    assert [(r.session, r.turn + by) for r in parse_references(text)] == [(r.session, r.turn) for r in parse_references(moved)]


@pytest.mark.parametrize(
    ("text", "moved"),
    [
        ("D8:6; D9:17", "D8:10; D9:21"),
        ("D:11:26", "D:11:30"),
        ("D30:05", "D30:09"),
        ("D", "D"),
        ("D1:1 D2:2", "D1:5 D2:6"),
        ("D30:06", "D30:010"),
    ],
)
def test_a_rewritten_string_keeps_its_odd_form(text: str, moved: str) -> None:
    assert rewrite(text, lambda _session, turn: turn + 4) == moved


@pytest.mark.parametrize("text", ["D1:1", "D30:5", "D10:19"])
def test_a_plain_id_is_well_formed(text: str) -> None:
    assert is_well_formed(text)


@pytest.mark.parametrize("text", ["D30:05", "D:11:26", "D", "D1:1 ", "D1:1; D1:2", "d1:1", "D0:1", "D1:0", "D1:1\n"])
def test_nothing_else_is_well_formed(text: str) -> None:
    assert not is_well_formed(text)

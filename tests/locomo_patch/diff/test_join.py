"""Joining two lists of questions: by identity, then by text, never by index (SCHEMAS.md, "Question identity"; LOCOMO.md section 11)."""

from __future__ import annotations

import random
from pathlib import Path
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from locomo_patch.diff.join import SIMILAR, Join, join_questions, similarity
from locomo_patch.diff.sides import SideQuestion, read_side
from locomo_patch.revalidation.identity import identify

ASKED = (
    "What does Ann paint?",
    "What does Ann paint now?",
    "Where does Bob live?",
    "Who sang at the wedding?",
    "What did Ann paint?",
)


def listed(*items: dict[str, Any], sample_id: str = "c-1") -> list[SideQuestion]:
    return [SideQuestion(found.identity, found.index, found.item) for found in identify(sample_id, items)]


def item(question: str = ASKED[0], answer: Any = "Boats", *evidence: str, category: int = 4) -> dict[str, Any]:
    return {"question": question, "answer": answer, "evidence": list(evidence or ("D1:1",)), "category": category}


items = st.builds(
    item,
    st.sampled_from(ASKED),
    st.sampled_from(["Boats", "Trees", 2, "2"]),
    st.sampled_from(["D1:1", "D1:2"]),
    category=st.sampled_from([1, 4]),
)


def figures(join: Join) -> tuple[int, int, int]:
    return len(join.modified), len(join.removed), len(join.added)


def contents(join: Join) -> tuple[list[tuple[str, str]], list[str], list[str]]:
    return (
        sorted((repr(pair.old.item), repr(pair.new.item)) for pair in join.pairs),
        sorted(repr(question.item) for question in join.removed),
        sorted(repr(question.item) for question in join.added),
    )


@given(st.lists(items, max_size=6))
def test_a_list_joined_with_itself_is_all_pairs_and_no_change(mine: list[dict[str, Any]]) -> None:
    join = join_questions(listed(*mine), listed(*mine))
    assert figures(join) == (0, 0, 0)
    assert len(join.pairs) == len(mine)


@given(st.lists(items, max_size=6), st.lists(items, max_size=6))
def test_exchanging_the_sides_exchanges_the_result(mine: list[dict[str, Any]], others: list[dict[str, Any]]) -> None:
    there, back = join_questions(listed(*mine), listed(*others)), join_questions(listed(*others), listed(*mine))
    pairs, removed, added = contents(back)
    assert contents(there) == (sorted((new, old) for old, new in pairs), added, removed)


@given(st.lists(items, max_size=6), st.lists(items, max_size=6), st.integers(0, 99))
def test_the_order_of_items_does_not_matter(mine: list[dict[str, Any]], others: list[dict[str, Any]], seed: int) -> None:
    shuffled = [list(mine), list(others)]
    for side in shuffled:
        random.Random(seed).shuffle(side)
    assert contents(join_questions(listed(*mine), listed(*others))) == contents(
        join_questions(listed(*shuffled[0]), listed(*shuffled[1]))
    )


@given(st.lists(items, max_size=6), st.lists(items, max_size=6))
def test_every_question_stands_in_one_place(mine: list[dict[str, Any]], others: list[dict[str, Any]]) -> None:
    old, new = listed(*mine), listed(*others)
    join = join_questions(old, new)
    assert sorted(map(id, old)) == sorted([id(pair.old) for pair in join.pairs] + [id(question) for question in join.removed])
    assert sorted(map(id, new)) == sorted([id(pair.new) for pair in join.pairs] + [id(question) for question in join.added])
    for pair in join.pairs:
        assert pair.old.category is pair.new.category
        assert pair.similarity is None or pair.similarity >= SIMILAR


@given(st.text(alphabet="abc ", max_size=12), st.text(alphabet="abc ", max_size=12))
def test_similarity_does_not_depend_on_the_order_of_its_arguments(one: str, other: str) -> None:
    assert similarity(one, other) == similarity(other, one)
    assert (similarity(one, other) == 1.0) == (one == other)


def test_a_removed_item_shifts_no_other() -> None:
    mine = [item(f"Question number {number}, {'x' * number}?", number) for number in range(40)]
    join = join_questions(listed(*mine), listed(*mine[:7], *mine[8:]))
    assert figures(join) == (0, 1, 0)
    assert join.removed[0].item == mine[7]


def test_another_gold_is_a_modification_and_an_int_is_no_string() -> None:
    join = join_questions(listed(item(answer=2022), item(ASKED[2])), listed(item(answer="2022"), item(ASKED[2])))
    assert [(pair.changed_fields, pair.similarity) for pair in join.modified] == [(["answer"], None)]


def test_the_order_of_keys_is_no_difference_and_a_missing_key_is_one() -> None:
    turned = dict(reversed(item().items()))
    assert figures(join_questions(listed(item()), listed(turned))) == (0, 0, 0)
    without = {key: value for key, value in item().items() if key != "answer"}
    assert join_questions(listed({**without, "answer": None}), listed(without)).modified[0].changed_fields == ["answer"]


def test_leftovers_are_paired_by_text_best_first() -> None:
    old = listed(item("What does Ann paint in May?", "a"), item("What does Ann paint in June?", "b"))
    new = listed(item("What does Ann paint in June 2?", "b"))
    join = join_questions(old, new)
    assert [(pair.old.question, pair.changed_fields) for pair in join.modified] == [("What does Ann paint in June?", ["question"])]
    assert [question.question for question in join.removed] == ["What does Ann paint in May?"]


def test_texts_that_are_less_alike_are_not_paired() -> None:
    assert similarity(ASKED[0], ASKED[2]) < SIMILAR
    assert figures(join_questions(listed(item(ASKED[0])), listed(item(ASKED[2])))) == (0, 1, 1)


def test_neither_another_category_nor_another_conversation_is_paired() -> None:
    assert figures(join_questions(listed(item()), listed(item(category=1)))) == (0, 1, 1)
    assert figures(join_questions(listed(item()), listed(item(), sample_id="c-2"))) == (0, 1, 1)


def test_of_two_copies_one_that_goes_is_one_removed() -> None:
    assert figures(join_questions(listed(item(), item()), listed(item()))) == (0, 1, 0)
    assert figures(join_questions(listed(item(answer="a"), item(answer="b")), listed(item(answer="b"), item(answer="a")))) == (
        0,
        0,
        0,
    )


def test_the_official_file_and_the_fork_differ_in_28_questions(shared: Path) -> None:
    official, fork = (read_side(shared / "data" / name) for name in ("locomo10.json", "locomo10_fork.json"))
    join = join_questions(official.questions, fork.questions)
    assert figures(join) == (25, 2, 1)
    fields = [pair.changed_fields for pair in join.modified]
    # Not answer 18, question 5, evidence 7 only: some have two of them.
    assert [sum(name in changed for changed in fields) for name in ("answer", "question", "evidence")] == [18, 5, 7]
    assert sorted((question.sample_id, question.index) for question in join.removed) == [("conv-26", 26), ("conv-42", 66)]
    back = join_questions(fork.questions, official.questions)
    assert figures(back) == (25, 1, 2)

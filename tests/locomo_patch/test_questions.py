"""QA items: keys, types, duplicates, categories and the four denominators (LOCOMO.md section 7; PRECEDENTS.md 7, 10, 23, 36, 39, 41)."""

from __future__ import annotations

import json
import re
from collections import Counter
from pathlib import Path

import pytest
from tiny_corpus import raw_conversation, write_list

from locomo_patch.apply import apply_edits
from locomo_patch.reader import LoadedCorpus, read_corpus
from twistcore.corpus import Category, Question
from twistcore.errors import CorpusError


def questions_of(loaded: LoadedCorpus) -> list[Question]:
    return [question for conversation in loaded.corpus.conversations for question in conversation.questions]


def content(question: Question) -> tuple[object, ...]:
    return (question.sample_id, question.question, question.answer, question.evidence)


def test_category_names_go_with_the_counts_of_the_paper(real: LoadedCorpus) -> None:
    counts = Counter(question.category for question in questions_of(real))
    assert counts == {
        Category.MULTI_HOP: 282,
        Category.TEMPORAL: 321,
        Category.OPEN_DOMAIN: 96,
        Category.SINGLE_HOP: 841,
        Category.ADVERSARIAL: 446,
    }
    assert [Category.of_number(number).value for number in range(1, 6)] == [
        "multi-hop",
        "temporal",
        "open-domain",
        "single-hop",
        "adversarial",
    ]


def test_category_numbers_and_names_are_a_bijection() -> None:
    assert [Category.of_number(category.number) for category in Category] == list(Category)
    for other in (0, 6):
        with pytest.raises(KeyError):
            Category.of_number(other)
    assert [category for category in Category if not category.answerable] == [Category.ADVERSARIAL]


def test_the_denominators_1986_1982_1540_1542_and_1529(real: LoadedCorpus) -> None:
    questions = questions_of(real)
    assert len(questions) == 1986
    assert sum(bool(question.evidence) for question in questions) == 1982
    assert sum(question.category.answerable for question in questions) == 1540
    assert sum(question.answer is not None for question in questions) == 1542
    assert len({content(question) for question in questions if question.category.answerable}) == 1529


def test_adversarial_items_have_no_answer_but_for_two(real: LoadedCorpus) -> None:
    traps = [question for question in questions_of(real) if not question.category.answerable]
    assert Counter(question.answer for question in traps) == {None: 444, "No": 2}
    answered = [
        (question.sample_id, question.index, question.adversarial_answer) for question in traps if question.answer is not None
    ]
    assert answered == [("conv-26", 167, "Yes"), ("conv-26", 178, "Yes")]
    assert all(question.adversarial_answer is not None for question in traps)
    unmentioned = [(q.sample_id, q.index) for q in traps if "not mentioned" in str(q.adversarial_answer).lower()]
    assert unmentioned == [("conv-30", 79), ("conv-30", 103)]


def test_item_keys_are_these_three_sets(real: LoadedCorpus) -> None:
    sets = Counter((item["category"] == 5, tuple(item)) for raw in real.document.objects for item in raw["qa"])
    assert sets == {
        (False, ("question", "answer", "evidence", "category")): 1540,
        (True, ("question", "evidence", "category", "adversarial_answer")): 444,
        (True, ("question", "adversarial_answer", "answer", "evidence", "category")): 2,
    }


def test_the_six_int_answers_stay_ints_through_a_release(real: LoadedCorpus) -> None:
    ints = {(q.sample_id, q.index): q.answer for q in questions_of(real) if isinstance(q.answer, int)}
    assert ints == {
        ("conv-26", index): answer for index, answer in ((1, 2022), (26, 2022), (49, 2022), (72, 2022), (40, 2), (75, 3))
    }
    released, _ = apply_edits(real.document, [])
    again = json.loads(released.dump()["locomo10.json"])[0]["qa"]
    assert [type(again[index]["answer"]) for index in (1, 26, 40)] == [int, int, int]


def test_an_int_answer_of_a_minimal_corpus_stays_an_int(tmp_path: Path) -> None:
    raw = raw_conversation(references=[["D1:2"]])
    raw["qa"][0]["answer"], raw["qa"][1]["answer"] = 2022, "2022"
    loaded = read_corpus(write_list(tmp_path / "c.json", raw), allow_unknown=True)
    assert [question.answer for question in questions_of(loaded)] == [2022, "2022"]
    assert loaded.document.copy().dump()["c.json"] == loaded.path.read_bytes()


def test_eleven_items_of_conv_48_are_exact_repeats(real: LoadedCorpus) -> None:
    questions = real.corpus.conversation("conv-48").questions
    firsts = [16, 25, 42, 58, 61, 62, 63, 67, 69, 72, 74]
    assert [content(questions[index]) for index in firsts] == [content(questions[index]) for index in range(89, 100)]
    counts = Counter(content(question) for question in questions_of(real) if question.category.answerable)
    assert sum(count - 1 for count in counts.values()) == 11


def test_no_question_is_asked_in_two_conversations(real: LoadedCorpus) -> None:
    asked = {(question.sample_id, question.question) for question in questions_of(real)}
    assert len({text for _, text in asked}) == len(asked)


def test_repeated_items_are_both_kept(tmp_path: Path) -> None:
    raw = raw_conversation(references=[["D1:2"]])
    raw["qa"].append(dict(raw["qa"][1]))
    questions = questions_of(read_corpus(write_list(tmp_path / "c.json", raw), allow_unknown=True))
    assert len(questions) == 3
    assert content(questions[1]) == content(questions[2])
    assert [question.index for question in questions] == [0, 1, 2]


def test_a_question_with_contradictory_labels_is_kept_twice(real: LoadedCorpus) -> None:
    questions = real.corpus.conversation("conv-30").questions
    first, second = questions[61], questions[95]
    assert first.question == second.question
    assert (first.category, first.answer) == (Category.SINGLE_HOP, "a trophy")
    assert (second.category, second.adversarial_answer) == (Category.ADVERSARIAL, "a trophy")


def test_adversarial_items_are_a_block_at_the_end_but_in_conv_30(real: LoadedCorpus) -> None:
    broken = []
    for conversation in real.corpus.conversations:
        answerable = [question.category.answerable for question in conversation.questions]
        if answerable != sorted(answerable, reverse=True):
            broken.append(conversation.sample_id)
    assert broken == ["conv-30"]
    around = [question.category.number for question in real.corpus.conversation("conv-30").questions[79:83]]
    assert around == [5, 4, 4, 5]


def test_glued_words_and_odd_whitespace_are_kept_as_they_are(real: LoadedCorpus) -> None:
    questions = questions_of(real)
    nate = real.corpus.conversation("conv-42").questions
    assert nate[7].answer == "The Friday before 23January, 2022"
    assert nate[0].answer == "Yesteammates on hisvideo game team."
    glued = [
        q
        for q in questions
        if re.search(r"\d(?:January|February|March|April|May|June|July|August|September|October|November|December)", str(q.answer))
    ]
    # A public report names conv-41.
    assert Counter(question.sample_id for question in glued) == {"conv-42": 18}
    zero_width = [(q.sample_id, q.index, str(q.answer).count("\u200b")) for q in questions if "\u200b" in str(q.answer)]
    assert zero_width == [("conv-49", 19, 8)]
    edges = [
        (q.sample_id, q.index) for q in questions if q.question != q.question.strip() or str(q.answer) != str(q.answer).strip()
    ]
    assert edges == [("conv-30", 22), ("conv-30", 37)]
    assert sum(not question.question.rstrip().endswith("?") for question in questions) == 3


def test_numbers_as_strings_are_not_made_numbers(real: LoadedCorpus) -> None:
    assert real.corpus.conversation("conv-41").questions[20].answer == "2022"
    assert sum(isinstance(q.answer, str) and q.answer.isdigit() for q in questions_of(real)) == 16


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"category": 6}, "unknown 6"),
        ({"category": "4"}, "unknown '4'"),
        ({"category": [4]}, "category of the wrong type"),
        ({"category": None}, "unknown None"),
        ({"evidence": "D1:1"}, "evidence of the wrong type"),
        ({"evidence": [11]}, "evidence of the wrong type"),
        ({"question": 5}, "wrong type"),
    ],
)
def test_an_item_of_another_shape_is_refused_with_its_place(tmp_path: Path, change: dict[str, object], message: str) -> None:
    raw = raw_conversation(references=[["D1:2"]])
    raw["qa"][1].update(change)
    with pytest.raises(CorpusError, match=rf"c\.json, conv-1 qa 1: .*{re.escape(message)}"):
        read_corpus(write_list(tmp_path / "c.json", raw), allow_unknown=True)


@pytest.mark.parametrize("key", ["category", "evidence", "question"])
def test_an_item_that_lacks_a_key_is_refused_with_its_place(tmp_path: Path, key: str) -> None:
    raw = raw_conversation()
    del raw["qa"][0][key]
    with pytest.raises(CorpusError, match=f"conv-1 qa 0: lacks or has an unknown '{key}'"):
        read_corpus(write_list(tmp_path / "c.json", raw), allow_unknown=True)

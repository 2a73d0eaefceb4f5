"""Questions that share their fate: byte-identical copies and category-5 mirrors (LOCOMO.md section 7)."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from locomo_patch.diff.groups import Group, group_by_fate, swap_names
from locomo_patch.diff.models import Together
from locomo_patch.diff.sides import SideQuestion, read_side
from locomo_patch.revalidation.identity import identify

SPEAKERS = {"c-1": ("Ann", "Bob")}


def asked(question: str, category: int = 4, *evidence: str) -> dict[str, Any]:
    return {"question": question, "evidence": list(evidence or ("D1:1",)), "category": category}


def grouped(*items: dict[str, Any]) -> list[tuple[Together, list[str]]]:
    questions = [SideQuestion(found.identity, found.index, found.item) for found in identify("c-1", items)]
    groups: list[Group[SideQuestion]] = group_by_fate(questions, lambda question: question, SPEAKERS)
    return [(group.together, [member.question for member in group.members]) for group in groups]


@given(st.text(alphabet="AnBob 's?", max_size=20))
def test_swapping_names_twice_gives_the_text_back(text: str) -> None:
    assert swap_names(swap_names(text, ("Ann", "Bob")), ("Ann", "Bob")) == text


def test_only_whole_names_are_swapped() -> None:
    assert swap_names("Did Ann's aunt Annie meet Bob?", ("Ann", "Bob")) == "Did Bob's aunt Annie meet Ann?"
    assert swap_names("What was Anns's reaction?", ("Ann", "Bob")) == "What was Bobs's reaction?"


def test_copies_stand_together() -> None:
    assert grouped(asked("What?"), asked("Who?"), asked("What?")) == [
        (Together.COPIES, ["What?", "What?"]),
        (Together.ALONE, ["Who?"]),
    ]


def test_a_trap_stands_with_the_question_that_it_mirrors_and_with_its_copies() -> None:
    assert grouped(asked("What does Ann sing?"), asked("What does Bob sing?", 5), asked("What does Ann sing?")) == [
        (Together.MIRROR, ["What does Ann sing?", "What does Bob sing?", "What does Ann sing?"])
    ]


def test_a_trap_with_other_evidence_or_other_words_stands_alone() -> None:
    for trap in (asked("What does Bob sing?", 5, "D1:2"), asked("What did Bob sing?", 5)):
        assert [together for together, _ in grouped(asked("What does Ann sing?"), trap)] == [Together.ALONE, Together.ALONE]


def test_two_answerable_questions_about_either_speaker_are_no_mirrors() -> None:
    both = grouped(asked("What does Ann sing?"), asked("What does Bob sing?"))
    assert [together for together, _ in both] == [Together.ALONE, Together.ALONE]


def test_one_question_asked_as_both_kinds_stands_together() -> None:
    assert [together for together, _ in grouped(asked("What did they win?"), asked("What did they win?", 5))] == [Together.MIRROR]


def test_the_official_file_has_278_mirrors_and_eleven_pairs_of_copies(shared: Path) -> None:
    side = read_side(shared / "data" / "locomo10.json")
    names = {talk.sample_id: talk.speakers for talk in side.corpus.conversations}
    groups: list[Group[SideQuestion]] = group_by_fate(side.questions, lambda question: question, names)
    assert sum(len(group.members) for group in groups) == 1986
    mirrors = [group for group in groups if group.together is Together.MIRROR]
    traps = [
        trap
        for group in mirrors
        for trap in group.members
        if not trap.category.answerable
        and any(swap_names(trap.question, names[trap.sample_id]) == o.question for o in group.members if o.category.answerable)
    ]
    assert len(traps) == 278
    keys = Counter((question.sample_id, question.identity.question_key) for question in side.questions)
    assert sum(count == 2 for count in keys.values()) == 11
    together = {(m.sample_id, m.identity.question_key): len(g.members) for g in groups for m in g.members}
    assert all(together[key] >= 2 for key, count in keys.items() if count == 2)

"""Identity of questions: the same across renumbering and versions, different for every copy."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from locomo_patch.apply import apply_edits
from locomo_patch.edits import InsertExchange, NewTurn
from locomo_patch.reader import LoadedCorpus, read_corpus
from locomo_patch.revalidation.identity import identify, identify_document, question_key, repeated
from locomo_patch.revalidation.versioning import count_denominators


def _exchange(loaded: LoadedCorpus, session: int, after: int) -> InsertExchange:
    conversation = loaded.corpus.conversations[0]
    turns = conversation.session(session).turns
    first = conversation.partner_of(turns[after - 1].speaker)
    said = [NewTurn(speaker=first, text="The kettle is on."), NewTurn(speaker=conversation.partner_of(first), text="Lovely.")]
    return InsertExchange(id="x", items=[], sample_id=conversation.sample_id, session=session, after=after, seam="open", turns=said)


def test_a_release_gives_the_identities_of_its_source(mock: LoadedCorpus) -> None:
    edits = [_exchange(mock, 1, 3), _exchange(mock, 2, 1)]
    released, id_map = apply_edits(mock.document, edits)
    before = [question.identity for question in identify_document(mock.document)]
    assert [question.identity for question in identify_document(released, id_map)] == before
    moved = [q.item["evidence"] for q in identify_document(released, id_map)]
    assert moved != [q.item["evidence"] for q in identify_document(mock.document)]


def test_copies_of_one_item_are_told_apart_by_their_occurrence() -> None:
    item = {"question": "Who?", "answer": "Ann", "evidence": ["D1:1"], "category": 4}
    found = identify("c", [item, {**item, "question": "Why?"}, item])
    assert [question.identity.occurrence for question in found] == [1, 1, 2]
    assert sorted(len(group) for group in repeated(found).values()) == [1, 2]


def test_the_index_is_no_part_of_an_identity() -> None:
    items = [{"question": q, "answer": "x", "evidence": ["D1:1"], "category": 4} for q in ("a", "b", "c")]
    shorter = {question.identity for question in identify("c", items[1:])}
    assert shorter < {question.identity for question in identify("c", items)}


@given(st.text(max_size=40), st.integers(1, 5), st.lists(st.text(max_size=8), max_size=4))
def test_a_key_depends_on_question_category_and_evidence_alone(question: str, category: int, evidence: list[str]) -> None:
    key = question_key(question, category, evidence)
    assert key == question_key(question, category, tuple(evidence))
    assert key != question_key(question + "?", category, evidence)
    assert key != question_key(question, category % 5 + 1, evidence)
    assert key != question_key(question, category, [*evidence, "D1:1"])


def test_the_scheme_of_keys_is_pinned() -> None:
    assert question_key("When did Ann move?", 2, ["D1:3"]) == PINNED


PINNED = "01e524a9d362ce5a"


def test_the_real_file_has_its_four_denominators(real: LoadedCorpus) -> None:
    found = count_denominators(identify_document(real.document))
    assert (found.all, found.with_evidence, found.answerable, found.distinct_answerable) == (1986, 1982, 1540, 1529)


def test_an_index_join_with_the_fork_would_corrupt_rows_and_an_identity_join_does_not(real: LoadedCorpus) -> None:
    fork = read_corpus(Path(real.path).with_name("locomo10_fork.json"))
    mine: dict[Any, Any] = {q.identity: q.item for q in identify_document(real.document)}
    theirs = {q.identity: q.item for q in identify_document(fork.document)}
    assert len(mine.keys() & theirs.keys()) >= 1959
    assert all(mine[identity]["question"] == theirs[identity]["question"] for identity in mine.keys() & theirs.keys())

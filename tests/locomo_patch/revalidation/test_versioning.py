"""Versioning out: states by policy, copies together, and the source byte for byte when what left is put back."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from locomo_patch.locate import mock_path
from locomo_patch.reader import LoadedCorpus, read_corpus
from locomo_patch.revalidation.identity import identify_document
from locomo_patch.revalidation.states import Decision, Kind, Policy, Rule, State, current_states
from locomo_patch.revalidation.versioning import (
    IMAGE_DEPENDENT,
    put_back_questions,
    revise,
    take_out_questions,
    total,
    version_out,
)
from twistcore.errors import ReleaseError

VALID = Decision(State.VALID, None, Rule.UNRELATED, "")
RETIRED = Decision(State.RETIRED, Kind.EXTRA_ANSWER, None, "one more", ("D1:4",))
UNSURE = Decision(State.UNDECIDED, Kind.CONTRADICTED, None, "perhaps", ("D1:4",))


def decisions(loaded: LoadedCorpus, at: dict[int, Decision], sample: int = 0) -> dict[str, list[Decision]]:
    """Valid everywhere but at some places of one conversation."""
    made = {c.sample_id: [VALID] * len(c.questions) for c in loaded.corpus.conversations}
    for index, decision in at.items():
        made[loaded.document.sample_ids[sample]][index] = decision
    return made


def test_every_question_gets_a_line_with_its_gold(mock: LoadedCorpus) -> None:
    lines = revise(mock.document, decisions(mock, {}), Policy.RETIRE)
    assert len(lines) == sum(len(c.questions) for c in mock.corpus.conversations)
    assert {line.state for line in lines} == {State.VALID}
    assert {line.reason for line in lines} == {"unrelated"}
    assert any(isinstance(line.old, int) for line in lines)


@pytest.mark.parametrize(("policy", "state"), [(Policy.RETIRE, State.RETIRED), (Policy.BLOCK, State.UNDECIDED)])
def test_what_nobody_could_decide_follows_the_policy_and_stays_marked(mock: LoadedCorpus, policy: Policy, state: State) -> None:
    line = revise(mock.document, decisions(mock, {0: UNSURE}), policy)[0]
    assert (line.state, line.undecided, line.kind) == (state, True, Kind.CONTRADICTED)
    totals = total(mock.document, [line, *revise(mock.document, decisions(mock, {}), policy)[1:]])
    assert totals.undecided_retired == (policy is Policy.RETIRE)


def test_an_undecided_question_stays_in_a_blocked_corpus(mock: LoadedCorpus) -> None:
    assert version_out(mock.document, revise(mock.document, decisions(mock, {0: UNSURE}), Policy.BLOCK)) == []


def test_a_question_without_a_state_is_an_error(mock: LoadedCorpus) -> None:
    with pytest.raises(ReleaseError, match="no state"):
        version_out(mock.document, revise(mock.document, decisions(mock, {}), Policy.RETIRE)[:-1])


@settings(max_examples=20, deadline=None)
@given(st.sets(st.integers(0, 20), max_size=12))
def test_what_left_and_is_put_back_gives_the_source_byte_for_byte(places: set[int]) -> None:
    loaded = read_corpus(mock_path())
    lines = revise(loaded.document, decisions(loaded, dict.fromkeys(places, RETIRED)), Policy.RETIRE)
    left = version_out(loaded.document, lines)
    taken = take_out_questions(loaded.document, {}, left)
    assert sum(len(taken.blocks(s).qa) for s in taken.sample_ids) == len(lines) - len(left)
    assert put_back_questions(taken, left).dump() == loaded.document.dump()


def test_a_place_that_does_not_exist_is_an_error(mock: LoadedCorpus) -> None:
    left = version_out(mock.document, revise(mock.document, decisions(mock, {0: RETIRED}), Policy.RETIRE))
    for broken in (left[0].model_copy(update={"index": 9999}), left[0].model_copy(update={"sample_id": "nowhere"})):
        with pytest.raises(ReleaseError):
            put_back_questions(mock.document, [broken])


def test_versioning_one_copy_out_versions_out_its_twin(real: LoadedCorpus) -> None:
    where = real.document.sample_ids.index("conv-48")
    lines = revise(real.document, decisions(real, {16: RETIRED}, where), Policy.RETIRE)
    left = version_out(real.document, lines)
    assert [(item.sample_id, item.index) for item in left] == [("conv-48", 16), ("conv-48", 89)]


def test_answerable_questions_that_cite_a_picture_are_tagged(real: LoadedCorpus) -> None:
    lines = revise(real.document, decisions(real, {}), Policy.RETIRE)
    assert sum(IMAGE_DEPENDENT in line.tags for line in lines if line.category.answerable) == 609
    assert total(real.document, lines).image_dependent == 609


def test_a_later_line_holds_and_the_earlier_one_stays(mock: LoadedCorpus) -> None:
    lines = revise(mock.document, decisions(mock, {}), Policy.RETIRE)
    later = lines[0].model_copy(update={"state": State.RETIRED, "kind": Kind.SUPERSEDED, "injected": ["D1:2"]})
    assert current_states([*lines, later])[lines[0].identity] is later
    assert len(version_out(mock.document, [*lines, later])) == 1
    assert len(identify_document(mock.document)) == len(lines)

"""The loop: three attempts, then reject; undecided is no pass, "cannot tell" no acceptance (DESIGN.md rules 7 and 11; PRECEDENTS.md 51)."""

from __future__ import annotations

from collections.abc import Sequence

import pytest
from loop_material import ScriptedJudge, ScriptedVerifier, ScriptedWriter, brief, item_plan

from arcs.taxonomy import Family
from inject.brief import Brief
from inject.drafts import Draft, Opinion, Relation
from inject.graph import MAX_ATTEMPTS, Loop, LoopResult, agrees
from twistcore.verdicts import Finding, Outcome

PASS, FAIL, UNDECIDED = [Outcome.PASS, Outcome.NOT_APPLICABLE], [Outcome.PASS, Outcome.FAIL], [Outcome.PASS, Outcome.UNDECIDED]
CONTRADICTS, CONSISTENT, CANNOT_TELL = Relation.CONTRADICTS, Relation.CONSISTENT, Relation.CANNOT_TELL


def run(
    judge: ScriptedJudge, verifier: ScriptedVerifier, writer: ScriptedWriter | None = None, family: Family = Family.A1
) -> LoopResult:
    return Loop(writer or ScriptedWriter(), verifier).run(brief(item_plan(family)), judge)


def test_a_good_draft_is_accepted_at_once() -> None:
    writer, verifier = ScriptedWriter(), ScriptedVerifier([CONTRADICTS])
    result = run(ScriptedJudge([PASS]), verifier, writer)
    assert result.accepted
    assert [attempt for attempt, _ in writer.calls] == [1]
    assert result.last.verdict.verdict is Outcome.PASS
    assert result.last.opinion is not None and result.last.opinion.relation is CONTRADICTS


@pytest.mark.parametrize("outcomes", [FAIL, UNDECIDED])
def test_three_attempts_that_do_not_pass_are_the_end(outcomes: list[Outcome]) -> None:
    writer, verifier = ScriptedWriter(), ScriptedVerifier([CONTRADICTS])
    result = run(ScriptedJudge([outcomes]), verifier, writer)
    assert not result.accepted
    assert [attempt.attempt for attempt in result.attempts] == [1, 2, 3] == list(range(1, MAX_ATTEMPTS + 1))
    assert verifier.seen == [], "what no gate lets through is not verified"
    assert all(attempt.opinion is None for attempt in result.attempts)


def test_an_undecided_verdict_is_not_a_pass() -> None:
    result = run(ScriptedJudge([UNDECIDED, UNDECIDED, PASS]), ScriptedVerifier([CONTRADICTS]))
    assert result.accepted
    assert [attempt.verdict.verdict for attempt in result.attempts] == [Outcome.UNDECIDED, Outcome.UNDECIDED, Outcome.PASS]
    assert result.last.attempt == 3


@pytest.mark.parametrize(
    ("family", "relation"),
    [
        (Family.A1, CONSISTENT),
        (Family.A1, CANNOT_TELL),
        (Family.A2, CANNOT_TELL),
        (Family.HN_A1, CONTRADICTS),
        (Family.HN_A2, CANNOT_TELL),
        (Family.HN_A5, CANNOT_TELL),
    ],
)
def test_an_opinion_that_does_not_confirm_the_gold_is_no_acceptance(family: Family, relation: Relation) -> None:
    verifier = ScriptedVerifier([relation])
    result = run(ScriptedJudge([PASS]), verifier, family=family)
    assert not result.accepted
    assert len(verifier.seen) == MAX_ATTEMPTS


@pytest.mark.parametrize("family", Family.locomo())
@pytest.mark.parametrize("relation", list(Relation))
def test_only_an_arc_contradicts_and_only_a_control_is_consistent(family: Family, relation: Relation) -> None:
    wanted = CONTRADICTS if family.is_arc else CONSISTENT
    opinion = Opinion(verifier="v", version="1", relation=relation, unstated=[], reason="")
    assert agrees(opinion, is_arc=family.is_arc) == (relation is wanted)
    assert not agrees(opinion.model_copy(update={"unstated": [0]}), is_arc=family.is_arc), (
        "a line that states nothing is no evidence"
    )


def test_feedback_of_gates_and_verifier_reaches_the_writer() -> None:
    writer = ScriptedWriter()
    run(ScriptedJudge([[Outcome.FAIL, Outcome.UNDECIDED], PASS, PASS]), ScriptedVerifier([CANNOT_TELL, CONTRADICTS]), writer)
    (_, first), (_, second), (_, third) = writer.calls
    assert first == ()
    assert [(finding.gate, finding.reason) for finding in second] == [("gate0", "reason 0"), ("gate1", "reason 1")]
    assert [(finding.gate, finding.reason) for finding in third] == [("as_seen", "looks cannot_tell")]


def test_the_verifier_sees_dated_lines_and_nothing_else() -> None:
    verifier = ScriptedVerifier([CONTRADICTS])
    made = brief(item_plan(Family.A2, drift=2))
    Loop(ScriptedWriter(), verifier).run(made, ScriptedJudge([PASS]))
    (seen,) = verifier.seen
    assert seen == (
        "[18 February, 2023] Ann: Line 0 about a tattoo. (1)",
        "[18 March, 2023] Ann: Line 1 about a tattoo. (1)",
        "[1 April, 2023] Ann: Line 2 about a tattoo. (1)",
        "[27 May, 2023] Ann: Line 3 about a tattoo. (1)",
    )
    assert not any(word in "".join(seen) for word in ("A2", "tension", made.plan.id, made.plan.old_belief))


def test_the_last_attempt_decides_and_all_are_kept_in_order() -> None:
    judge = ScriptedJudge([FAIL, PASS])
    result = run(judge, ScriptedVerifier([CONTRADICTS]))
    assert [attempt.draft for attempt in result.attempts] == judge.judged
    assert result.last.draft.exchanges[0].text.endswith("(2)")
    assert result.attempts[0].verdict.failed[0].gate == "gate1"


def test_one_item_leaves_nothing_behind_for_the_next() -> None:
    loop = Loop(ScriptedWriter(), ScriptedVerifier([CONTRADICTS]))
    first = loop.run(brief(), ScriptedJudge([FAIL]))
    second = loop.run(brief(), ScriptedJudge([PASS]))
    assert not first.accepted and second.accepted
    assert len(second.attempts) == 1


def test_a_writer_that_breaks_stops_the_run_and_is_not_taken_for_a_reject() -> None:
    class Broken(ScriptedWriter):
        def write(self, brief: Brief, attempt: int, feedback: Sequence[Finding]) -> Draft:
            raise ConnectionError("the model is down")

    with pytest.raises(ConnectionError, match="the model is down"):
        Loop(Broken(), ScriptedVerifier([CONTRADICTS])).run(brief(), ScriptedJudge([PASS]))

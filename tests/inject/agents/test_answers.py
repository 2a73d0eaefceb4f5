"""A model's answers stand in the corpus too: what is wrong with one is found, whatever gates say of the gold turns."""

from __future__ import annotations

from datetime import datetime, timedelta

import pytest
from agent_material import brief, written
from loop_material import START, draft_of, item_plan
from loop_material import brief as offline_brief

from arcs.taxonomy import Family
from inject.agents.writer import draft_of as model_draft
from inject.answers import answer_faults
from inject.drafts import Draft, FactAudit
from inject.gates.case import Case, Record
from inject.judging import judge_with
from twistcore.corpus import Conversation, Session, Turn
from twistcore.text.parses import Parser
from twistcore.verdicts import Outcome, Verdict, combine

FAITHFUL = FactAudit(auditor="auditor", version="2", omitted=[], invented=[], d=0.0, reason="")


@pytest.fixture(scope="module")
def record() -> Record:
    moment: datetime = START + timedelta(days=14)
    turns = tuple(
        Turn("conv-1", 1, place, "Bob" if place % 2 else "Ann", "What a nice day this is for a walk.") for place in range(1, 7)
    )
    return Record(Conversation("conv-1", "Bob", "Ann", (Session(1, moment, moment.isoformat(), turns),)), Parser())


def draft(reply: str) -> Draft:
    return model_draft(brief(), written(reply=reply))


@pytest.mark.parametrize(
    ("reply", "gate"),
    [
        ("Bob: Fair enough.", "format"),
        ("**Fair** enough.", "format"),
        ("Fair\x00 enough.", "quote"),
        ("Fair enough \u202ethere.", "quote"),
        ("", "quote"),
        ("Fair enough, call me at 415-555-2671.", "pii"),
        ("That is good to hear. " * 200, "voice"),
        ("Fair enough, right?", "seam"),
        ("You swore you would never do that!", "acknowledged_in_arc"),
        ("Ha, I thought you hated those.", "acknowledged_in_arc"),
        ("Nice, you changed your mind.", "acknowledged_in_arc"),
        ("Fair enough, I love my nose ring.", "pair_independent"),
    ],
)
def test_a_faulty_answer_fails_under_the_gate_that_would_say_so_of_a_gold_turn(record: Record, reply: str, gate: str) -> None:
    other = draft_of(offline_brief(item_plan(Family.HN_A5))).proposal.model_copy(update={"topic": "nose ring"})
    assert gate in {finding.gate for finding in answer_faults(draft(reply), record, (other,))}


@pytest.mark.parametrize("reply", ["Fair enough.", "Ha, that sounds like you!", "Nice, good for you. I know how you feel."])
def test_a_plain_answer_has_no_fault(record: Record, reply: str) -> None:
    assert list(answer_faults(draft(reply), record)) == []


def test_an_answer_may_speak_of_a_change_where_the_item_tells_of_it(record: Record) -> None:
    changed = draft_of(offline_brief(item_plan(Family.HN_A2), reaction="You changed your mind!"))
    assert list(answer_faults(changed, record)) == []


def test_answers_are_judged_where_a_model_wrote_and_pass_with_no_verdict_of_their_gold_turns(record: Record) -> None:
    def all_pass(case: Case) -> Verdict:
        return combine(case.proposal.id, [])

    judge = judge_with(all_pass, record, ())
    faulty = draft("Bob: You swore you would never do that.")
    found = judge(faulty, FAITHFUL)
    assert found.verdict is Outcome.FAIL
    assert {finding.gate for finding in found.failed} == {"format", "acknowledged_in_arc"}
    assert judge(faulty, None).verdict is Outcome.PASS

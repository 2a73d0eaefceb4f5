"""The fact auditor: divergence from its replies, and nothing taken on trust."""

from __future__ import annotations

import asyncio

import pytest
from agent_material import brief, desk, written

from inject.agents.auditor import audit, auditor_values, unlisted, weigh_audit
from inject.agents.replies import AuditReply, SaidFact
from inject.agents.writer import draft_of
from inject.facts import LIMIT
from twistcore.errors import ModelFailedError, NoUsableReplyError


def reply(*said: tuple[str, list[str]], left_out: list[str] | None = None, cannot_tell: bool = False) -> AuditReply:
    return AuditReply(said=[SaidFact(fact=f, supported_by=s) for f, s in said], left_out=left_out or [], cannot_tell=cannot_tell)


TURN = brief(before="I finished the shed.").turns[0]


def test_a_text_that_states_its_claim_and_nothing_else_does_not_diverge() -> None:
    assert weigh_audit(reply(("never a tattoo", ["1.1"])), TURN).d == 0.0


def test_one_invented_fact_among_ten_is_too_many() -> None:
    said = [("never a tattoo", ["1.1"])] * 9 + [("it was in Boston", [])]
    found = weigh_audit(reply(*said), TURN)
    assert found.d == pytest.approx(0.06)
    assert found.d > LIMIT
    assert found.invented == ["it was in Boston"]


def test_a_claim_that_nothing_is_said_to_state_is_left_out_whatever_the_list_says() -> None:
    found = weigh_audit(reply(("a nice design", ["1.2"])), TURN)
    assert found.omitted == ["I will never get a tattoo"]
    assert found.d == pytest.approx(0.4)


def test_a_claim_that_is_said_to_be_left_out_is_not_stated_by_being_cited() -> None:
    assert weigh_audit(reply(("never a tattoo", ["1.1"]), left_out=["1.1"]), TURN).d == pytest.approx(0.4)


def test_an_id_of_no_fact_supports_nothing() -> None:
    assert weigh_audit(reply(("never a tattoo", ["1.1"]), ("it was in Boston", ["9.9"])), TURN).invented == ["it was in Boston"]


def test_what_the_turn_before_said_may_be_taken_up_only_where_there_is_one() -> None:
    said = reply(("never a tattoo", ["1.1"]), ("the shed is done", ["before"]))
    assert weigh_audit(said, TURN).d == 0.0
    assert weigh_audit(said, brief().turns[0]).invented == ["the shed is done"]


@pytest.mark.parametrize("unsure", [reply(("never a tattoo", ["1.1"]), cannot_tell=True), reply()])
def test_an_auditor_that_cannot_tell_or_finds_nothing_gives_no_figure(unsure: AuditReply) -> None:
    assert weigh_audit(unsure, TURN).d is None


@pytest.mark.parametrize(
    ("part", "words", "found"),
    [
        ("statement", "I will never get a tattoo. I saw it in Boston.", ("Boston",)),
        ("statement", "I will never get a tattoo, it costs 300 dollars.", ("300",)),
        ("reply", "Fair enough, my sister Priya has one.", ("Priya",)),
        ("reply", "Fair enough, Ann. I finished the Shed in time.", ()),
    ],
)
def test_a_name_or_figure_that_nobody_told_of_is_invented_whatever_the_auditor_says(
    part: str, words: str, found: tuple[str, ...]
) -> None:
    told = brief(before="I finished the shed.")
    waved, fine = reply(("never a tattoo", ["1.1"])), reply(("got one two weeks ago", ["2.1"]))
    desk_, _ = desk(waved, fine)
    draft = draft_of(told, written(**{part: words}))
    assert unlisted(draft.exchanges[0], told.turns[0], ("Ann", "Bob")) == found
    finding = asyncio.run(audit(desk_, told, draft, 1))
    assert finding.d is not None
    assert (finding.d > LIMIT) is bool(found)


def test_a_name_that_the_auditor_found_itself_counts_once() -> None:
    found = weigh_audit(reply(("never a tattoo", ["1.1"]), ("it was in Boston", [])), TURN, ("Boston",))
    assert found.invented == ["it was in Boston"]
    assert found.d == pytest.approx(0.3)


def test_the_worst_turn_decides_and_one_that_could_not_be_told_before_all() -> None:
    told = brief()
    draft = draft_of(told, written())
    bad, fine = reply(("it was in Boston", [])), reply(("got one two weeks ago", ["2.1"]))
    desk_, asks = desk(bad, fine)
    assert asyncio.run(audit(desk_, told, draft, 1)).d == pytest.approx(1.0)
    assert {label.agent for _, _, label in asks.asked} == {"auditor"}
    desk_, _ = desk(reply(("never a tattoo", ["1.1"])), reply(cannot_tell=True))
    assert asyncio.run(audit(desk_, told, draft, 1)).d is None


def test_an_auditor_without_a_usable_reply_gives_no_figure_and_a_dead_endpoint_is_no_finding() -> None:
    told, draft = brief(), draft_of(brief(), written())
    desk_, _ = desk(NoUsableReplyError("it was cut off"), reply(("got one two weeks ago", ["2.1"])))
    found = asyncio.run(audit(desk_, told, draft, 1))
    assert found.d is None
    assert "it was cut off" in found.reason
    desk_, _ = desk(ModelFailedError("no route"), ModelFailedError("no route"))
    with pytest.raises(ModelFailedError):
        asyncio.run(audit(desk_, told, draft, 1))


def test_the_auditor_sees_text_answer_and_facts_only() -> None:
    told = brief()
    values = auditor_values(draft_of(told, written()).exchanges[0], told.turns[0])
    assert values.keys() == {"before", "facts", "text", "reply"}
    desk_, asks = desk(reply(("x", ["1.1"])), reply(("y", ["2.1"])))
    asyncio.run(audit(desk_, told, draft_of(told, written()), 1))
    for number in (0, 1):
        assert "must" not in asks.prompt(number)
        assert told.plan.old_belief not in asks.prompt(number)
        assert told.plan.frame_id not in asks.prompt(number)

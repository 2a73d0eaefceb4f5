"""What agents are told: facts of the plan in plain words, the turns beside an exchange, the speakers' voices."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from arcs.items import SlotKind
from inject.agents.forecast import forecast_item, plan_first_round
from inject.agents.prompt_set import Agent, load_prompts
from inject.agents.told import LONGEST, ModelBrief, tell_voices
from inject.conversation import ReleaseMemory
from inject.opening import Hosted, measure_styles, open_conversation, read_host
from inject.pipeline import make_config
from locomo_patch.reader import LoadedCorpus
from twistcore.text.parses import Parser


@pytest.fixture(scope="module")
def hosts(mock: LoadedCorpus, parser: Parser) -> list[Hosted]:
    return [read_host(mock, conversation.sample_id, parser) for conversation in mock.corpus.conversations]


@pytest.fixture(scope="module")
def briefs(mock: LoadedCorpus, hosts: list[Hosted]) -> list[ModelBrief]:
    config, memory, styles = make_config(mock, 7, 2, None), ReleaseMemory(), measure_styles(mock.corpus)
    return plan_first_round([(open_conversation(host, config, memory, styles, None), host) for host in hosts], memory)


def turns_of(briefs: list[ModelBrief]) -> Iterator[tuple[ModelBrief, int]]:
    return ((brief, number) for brief in briefs for number in range(len(brief.turns)))


def test_the_first_round_takes_up_what_was_asked_for(briefs: list[ModelBrief]) -> None:
    assert len(briefs) == 8
    assert len({brief.plan.id for brief in briefs}) == 8
    assert len({brief.plan.frame_id for brief in briefs}) == 4


def test_every_turn_has_a_claim_and_no_fact_a_slot_left_open(briefs: list[ModelBrief]) -> None:
    for brief, number in turns_of(briefs):
        told = brief.turns[number]
        assert any(fact.claim for fact in told.facts)
        assert not any("{" in fact.text for fact in told.facts)
        assert brief.plan.turns[number].claim_facts == tuple(fact.text for fact in told.facts if fact.claim)
    ids = [fact.id for brief in briefs for turn in brief.turns for fact in turn.facts]
    assert len(ids) == len({(brief.plan.id, fact) for brief in briefs for fact in brief.fact_ids})


def test_a_bridge_has_both_neighbours_and_room_of_its_own_has_none(briefs: list[ModelBrief], hosts: list[Hosted]) -> None:
    by_id = {host.record.conversation.sample_id: host.record.conversation for host in hosts}
    kinds = set()
    for brief, number in turns_of(briefs):
        told, slot = brief.turns[number], brief.plan.turns[number].slot
        kinds.add(slot.kind)
        assert told.bridge == (slot.kind is SlotKind.BRIDGE)
        assert (told.before is None) == (slot.kind is SlotKind.APPENDED)
        if told.before is not None:
            turn = by_id[brief.plan.sample_id].session(slot.session).turns[slot.after - 1]
            assert (told.before.speaker, told.before.text) == (turn.speaker, turn.text)
    assert SlotKind.BRIDGE in kinds


def test_the_words_of_the_other_item_are_taboo_and_its_own_are_not(briefs: list[ModelBrief]) -> None:
    pairs: dict[str, list[ModelBrief]] = {}
    for brief in briefs:
        pairs.setdefault(brief.plan.pair_id, []).append(brief)
    for one, other in pairs.values():
        assert set(one.taboo) <= set(other.plan.terms)
        assert not set(one.taboo) & set(one.plan.terms)
        assert other.plan.topic.lower() in one.taboo


def test_a_voice_shows_turns_of_the_speaker_that_are_no_questions(hosts: list[Hosted]) -> None:
    for host in hosts:
        for name, voice in tell_voices(host.personas, host.record).items():
            said = {turn.text for turn, _ in host.record.said_by(name)}
            assert set(voice.samples) <= said
            assert all("?" not in text and len(text.split()) <= LONGEST for text in voice.samples)
            assert voice == tell_voices(host.personas, host.record)[name]


def test_a_forecast_has_every_call_that_an_item_can_take(briefs: list[ModelBrief]) -> None:
    prompts = load_prompts()
    for brief in briefs:
        calls = list(forecast_item(brief, prompts))
        sure = [call for call in calls if call.certain]
        assert [call.agent for call in sure] == [Agent.WRITER, *[Agent.AUDITOR] * len(brief.turns), Agent.VERIFIER]
        assert len(calls) == 3 * len(sure)
        assert all(call.prompt_tokens > 100 and call.reply_tokens > 0 for call in calls)

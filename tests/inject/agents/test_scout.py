"""The scout: notes from the record in, ids of topics out, and the record's objections still rule."""

from __future__ import annotations

import asyncio

import pytest
from agent_material import desk

from arcs.frames import load_frames
from inject.agents.replies import ScoutChoice, ScoutReply
from inject.agents.scout import prefer, scout, scout_values
from locomo_patch.reader import LoadedCorpus
from personas.persona import Persona, read_personas
from twistcore.errors import NoUsableReplyError
from twistcore.text.parses import Parser


@pytest.fixture(scope="module")
def persona(mock: LoadedCorpus, parser: Parser) -> Persona:
    return read_personas(mock.corpus.conversations[0], parser)[0]


def picked(*topics: str) -> ScoutReply:
    return ScoutReply(choices=[ScoutChoice(topic=topic, why="near") for topic in topics])


def test_picks_keep_their_order_once_each_and_what_is_no_topic_is_no_pick(persona: Persona) -> None:
    frames = load_frames()
    first, second, third = (frame.id for frame in frames[:3])
    desk_, asks = desk(picked(second, "made-up", second, first, third))
    assert asyncio.run(scout(desk_, persona, frames, 2)) == [second, first]
    assert asks.asked[0][2].sample_id == persona.sample_id
    assert all(f'<topic id="{frame.id}">' in asks.prompt() for frame in frames)


def test_a_scout_without_a_usable_reply_picks_nothing(persona: Persona) -> None:
    desk_, _ = desk(NoUsableReplyError("the reply is empty"))
    assert asyncio.run(scout(desk_, persona, load_frames(), 2)) == []


def test_notes_are_the_speakers_own(persona: Persona) -> None:
    values = scout_values(persona, load_frames(), 6)
    told = {fact.text for fact in persona.facts if fact.told_by == persona.name}
    notes = [note for note in values["notes"] if not str(note).startswith("talks of")]  # type: ignore[attr-defined]
    assert notes
    assert set(notes) <= told


def test_a_pick_goes_before_every_topic_that_was_not_picked() -> None:
    frames = load_frames()[:4]
    fit = prefer(lambda frame: 50.0 if frame is frames[0] else 0.0, [frames[2].id, frames[3].id])
    assert sorted(frames, key=fit, reverse=True) == [frames[2], frames[3], frames[0], frames[1]]

"""The scout: topics that would suit a speaker, picked from the catalogue after notes from the record. The planner checks them."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from arcs.frames import Frame
from inject.agents.asking import Desk
from inject.agents.prompt_set import Agent
from inject.agents.replies import ScoutReply
from personas.persona import Persona
from twistcore.chat.usage import CallLabel
from twistcore.errors import NoUsableReplyError

TOPICS, FACTS = 12, 8
# A topic that was picked goes before every one that only shares words with the speaker's; the order among picks is kept.
PICKED = 1000.0


async def scout(desk: Desk, persona: Persona, frames: Sequence[Frame], wanted: int) -> list[str]:
    """Ids of frames, the best first. What is no id of the catalogue is no pick, and without a usable reply there is
    none: the planner then goes by the record alone."""
    label = CallLabel(Agent.SCOUT.value, persona.sample_id, persona.name)
    try:
        found = await desk.ask(Agent.SCOUT, ScoutReply, label, **scout_values(persona, frames, wanted))
    except NoUsableReplyError:
        return []
    known = {frame.id for frame in frames}
    return [each for each in dict.fromkeys(choice.topic for choice in found.choices) if each in known][:wanted]


def scout_values(persona: Persona, frames: Sequence[Frame], wanted: int) -> dict[str, object]:
    """What the scout's prompt is filled with: what the speaker talks of most, and facts that they told of themselves."""
    told = [fact.text for fact in persona.facts if fact.told_by == persona.name and fact.object]
    step = max(1, len(told) // FACTS)
    notes = [f"talks of {topic.term} ({topic.count} turns)" for topic in persona.topics[:TOPICS]] + told[::step][:FACTS]
    return {"person": persona.name, "notes": notes, "topics": frames, "wanted": wanted}


def prefer(fit: Callable[[Frame], float], picks: Sequence[str]) -> Callable[[Frame], float]:
    """A speaker's fit with what the scout picked first. Objections of the record still rule a topic out, whoever picked it."""
    rank = {frame_id: PICKED * (len(picks) - place) for place, frame_id in enumerate(picks)}
    return lambda frame: rank.get(frame.id, 0.0) + fit(frame)

"""What the offline writer takes from a persona's voice."""

from __future__ import annotations

from dataclasses import dataclass

from personas.voice import Voice

# A form of the name that was used less often than this is a slip, not a habit.
MIN_USES = 3


@dataclass(frozen=True, slots=True)
class Habits:
    """How a speaker names the other, how often, and how many sentences end in an exclamation mark."""

    calls_partner: tuple[str, ...]
    vocative_rate: float
    exclamation_rate: float

    @property
    def main_name(self) -> str | None:
        """The form of the partner's name that is used most."""
        return self.calls_partner[0] if self.calls_partner else None


def from_voice(voice: Voice) -> Habits:
    """The part of a voice that prose is adapted to."""
    names = tuple(habit.form for habit in voice.names if habit.count >= MIN_USES)
    return Habits(names, voice.vocative_rate, voice.exclamation_rate)

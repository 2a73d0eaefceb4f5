"""How a topic's object is named in a text."""

from __future__ import annotations

import re


def object_of(topic: str) -> str:
    """The object of a topic, which some topics name after their frame and a colon."""
    return topic.rpartition(": ")[2].strip().lower()


def phrase_of(head: str) -> re.Pattern[str]:
    """Finds an object's name in a text, in singular and plural, with a space or a hyphen."""
    stem = re.escape(head[:-1] if head.endswith(("y", "s")) else head)
    ending = {"y": "(?:y|ies)", "s": "s"}.get(head[-1:], "(?:e?s)?")
    return re.compile(rf"\b{stem}{ending}\b".replace(r"\ ", r"[\s-]+"), re.IGNORECASE)

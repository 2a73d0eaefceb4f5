"""A scripted model for the loop's agents: it writes out the facts it is told, and judges as the offline verifier does.

Served by `ScriptedServer`, so that whole runs go over real HTTP. `wrap` lets a test spoil replies by agent.
"""

from __future__ import annotations

import html
import re
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from scripted_server import Answer, Received, say

from inject.drafts import Relation, SeenLine
from inject.handbacks import naming_words
from inject.verifiers.offline import OfflineVerifier
from twistcore.text.parses import Parser

AGENTS = {
    "You know a person only": "scout",
    "You write short turns": "writer",
    "You mend short turns": "reviser",
    "You compare a text": "auditor",
    "You read a few dated lines": "verifier",
}
TOLD = {Relation.CONTRADICTS: "yes", Relation.CONSISTENT: "no", Relation.CANNOT_TELL: "cannot_tell"}
REPLIES = ("That sounds like you.", "Nice, good for you.", "Ha, I can picture that.", "Good to know.")


def _handback(part: str) -> str:
    """Goes back to the turn before by a word of it, as a model is told to."""
    before = re.search(r"<before[^>]*>(.*?)</before>", part)
    if before is None or "<after" not in part:
        return ""
    words = naming_words(html.unescape(before[1]))
    word = max(re.findall(r"[a-z]+", before[1].lower()), key=lambda each: (bool(naming_words(each) & words), len(each)))
    return f"And good luck with the {word}, you can do it."


def agent_of(received: Received) -> str:
    """Which agent asks, by how its instructions begin."""
    return next(name for start, name in AGENTS.items() if received.text.lstrip().startswith(start))


@dataclass
class ScriptedAuthor:
    """Answers every agent. `seen` counts the agents that asked."""

    wrap: Callable[[str, Received, dict[str, Any]], Answer] = lambda _agent, _received, value: say(value)
    verifier: OfflineVerifier = field(default_factory=lambda: OfflineVerifier(Parser()))
    seen: dict[str, int] = field(default_factory=dict)

    def __call__(self, received: Received) -> Answer:
        agent = agent_of(received)
        self.seen[agent] = self.seen.get(agent, 0) + 1
        return self.wrap(agent, received, getattr(self, f"_{agent}")(received.body["messages"][-1]["content"]))

    def _scout(self, prompt: str) -> dict[str, Any]:
        topics = re.findall(r'<topic id="([^"]+)">', prompt)
        return {"choices": [{"topic": topic, "why": "close to daily life"} for topic in topics[::7]]}

    def _writer(self, prompt: str) -> dict[str, Any]:
        return {"turns": [self._turn(part) for part in re.split(r"^Exchange \d+", prompt, flags=re.MULTILINE)[1:]]}

    _reviser = _writer

    def _turn(self, part: str) -> dict[str, Any]:
        facts = [(ident, html.unescape(text)) for ident, text in re.findall(r'<fact id="([^"]+)"[^>]*>(.*?)</fact>', part)]
        statement = " ".join(f"{text[:1].upper()}{text[1:]}." for _, text in facts)
        turn = len(statement)
        return {
            "answer": "Thanks, that is kind." if "<before" in part and "</before>" in part else "",
            "statement": statement,
            "reply": REPLIES[turn % len(REPLIES)],
            "handback": _handback(part),
            "states": [ident for ident, _ in facts],
        }

    def _auditor(self, prompt: str) -> dict[str, Any]:
        facts = re.findall(r'<fact id="([^"]+)">(.*?)</fact>', prompt)
        return {"said": [{"fact": text, "supported_by": [ident]} for ident, text in facts], "left_out": [], "cannot_tell": False}

    def _verifier(self, prompt: str) -> dict[str, Any]:
        lines = [SeenLine(html.unescape(line)) for line in re.findall(r"<line>(.*?)</line>", prompt)]
        opinion = self.verifier.verify(lines)
        stated = ["no" if index in opinion.unstated else "yes" for index in range(len(lines))]
        return {"contradicts": TOLD[opinion.relation], "claim_stated": stated, "why": "so the lines say"}

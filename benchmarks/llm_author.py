"""A model for benchmarks: answers every agent at once, gives each item words of its own, and has some drafts sent back.

    python -m benchmarks.llm_author [--port N] [--latency SECONDS] [--log FILE] [--refused SHARE] ...

Answers come from the scripted author of the tests; what it says to a prompt is kept, so that the server costs little. The log holds
a line for each request that is answered: the hash of what was asked, which is the id of the completion too.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import re
import sys
import threading
from pathlib import Path
from typing import IO, Any

from scripted_author import ScriptedAuthor, agent_of
from scripted_server import Answer, FaultMix, Received, ScriptedServer

from inject.drafts import SeenLine

_MARK = re.compile(r"\n\(Item (?P<item>\S+), attempt (?P<attempt>\d+)\.\)$")
_WORDS = tuple(
    words.split()
    for words in (
        "quiet busy rainy sunny long short slow odd plain lazy early late warm cold calm mild windy grey bright dull",
        "monday tuesday wednesday thursday friday saturday sunday morning evening afternoon weekend holiday spring summer",
        "walk coffee breakfast supper errand chore ride nap queue bus soup tea lunch snack song talk chat visit stroll cake",
        "uncle aunt cousin neighbor teacher plumber baker dentist tailor gardener mechanic librarian",
    )
)
# Of so many items one has a first draft with a fact of the writer's own, for which it is sent back.
_EVERY = 6


def mark(item: str, attempt: int) -> str:
    """The line that names an item in its prompts."""
    return f"(Item {item}, attempt {attempt}.)"


def own_words(number: int, attempt: int, turn: int) -> str:
    """A sentence that no other turn of some thousand items has."""
    rest, words = (number * 3 + attempt - 1) * 7 + turn, []
    for choice in _WORDS:
        words.append(choice[rest % len(choice)])
        rest //= len(choice)
    return "I had a {} {} {} with the {}.".format(*words)


_OWN = re.compile(r" I had a \w+ \w+ \w+ with the \w+\.")


class BenchAuthor:
    """Answers requests whose prompts end with a mark."""

    def __init__(self, log: IO[str] | None = None) -> None:
        self._author = ScriptedAuthor()
        self._known: dict[str, dict[str, Any]] = {}
        self._log = log
        # What judges lines takes seconds to load, in which a server that is asked already would answer nobody.
        lines = ("[1 May, 2023] Ann: I will never get a tattoo.", "[9 May, 2023] Ann: I got a tattoo.")
        self._author.verifier.verify([SeenLine(line) for line in lines])

    def __call__(self, received: Received) -> Answer:
        """The reply to one request, as a completion whose id is the hash of the messages."""
        messages = received.body["messages"]
        ident = hashlib.sha256(json.dumps(messages).encode()).hexdigest()
        if self._log is not None:
            self._log.write(f"{ident}\n")
        found = _MARK.search(messages[-1]["content"])
        if found is None:
            raise ValueError("the prompt names no item")
        number, attempt = int(found["item"].rpartition("-")[2]), int(found["attempt"])
        value = self.value(messages[:-1], messages[-1]["content"][: found.start()], number, attempt)
        message = {"role": "assistant", "content": json.dumps(value), "refusal": None}
        usage = {"prompt_tokens": 900, "completion_tokens": 150, "total_tokens": 1050}
        choice = {"index": 0, "message": message, "finish_reason": "stop", "logprobs": None}
        whole = {"id": ident, "object": "chat.completion", "created": 0, "model": received.body["model"]}
        return Answer(raw=json.dumps({**whole, "choices": [choice], "usage": usage}).encode())

    def value(self, before: list[dict[str, Any]], prompt: str, number: int, attempt: int) -> dict[str, Any]:
        """What is said to a prompt for an item's attempt."""
        plain = _OWN.sub("", prompt)
        known = self._known.get(plain)
        messages = [*before, {"role": "user", "content": plain}]
        agent = agent_of(Received("", {}, {"messages": messages}))
        if known is None:
            answer = self._author(Received("", {}, {"messages": messages}))
            known = self._known[plain] = json.loads(answer.content or "")
        if agent in ("writer", "reviser"):
            tails = [own_words(number, attempt, turn) for turn in range(len(known["turns"]))]
            turns = [{**turn, "statement": f"{turn['statement']} {tail}"} for turn, tail in zip(known["turns"], tails, strict=True)]
            return {"turns": turns}
        if agent == "auditor" and attempt == 1 and number % _EVERY == 0:
            return {**known, "said": [*known["said"], {"fact": "the speaker owns a boat", "supported_by": []}]}
        return known


def main() -> None:
    """Serve until killed; prints the base URL once it listens."""
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--port", type=int, default=0)
    options.add_argument("--latency", type=float, default=0.05)
    options.add_argument("--log", type=Path)
    for share in ("refused", "failed", "dropped", "hung"):
        options.add_argument(f"--{share}", type=float, default=0.0)
    given = options.parse_args()
    sys.setswitchinterval(0.05)
    with ScriptedServer(port=given.port, keep_log=False) as server:
        server.latency = given.latency
        server.mix = FaultMix(0, given.refused, given.failed, given.dropped, given.hung)
        server.otherwise = BenchAuthor(given.log.open("a", buffering=1) if given.log else None)
        print(server.base_url, flush=True)
        threading.Event().wait()


if __name__ == "__main__":
    main()

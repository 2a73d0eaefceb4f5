"""What calls used, and whose they were."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from enum import StrEnum
from typing import Any

from twistcore.chat.replies import Tokens


@dataclass(frozen=True, slots=True)
class CallLabel:
    """Whose a question is, for accounts: the agent that asks, the conversation, the item, the item's attempt.

    Only `nonce` is part of what is asked: the same question with the same nonce has one answer, in this run and in every later one.
    Give another nonce to ask it afresh.
    """

    agent: str
    sample_id: str = ""
    item: str = ""
    attempt: int = 1
    nonce: str | int = ""


class EventKind(StrEnum):
    """What happened: `sent`, then `answered` or `faulted` for a request; `cached` for an answer out of the journal; `failed` for a
    question that is given up; `paused` and `resumed` for all that share the endpoint; `stopped` when the breaker opens."""

    SENT = "sent"
    ANSWERED = "answered"
    FAULTED = "faulted"
    CACHED = "cached"
    FAILED = "failed"
    PAUSED = "paused"
    RESUMED = "resumed"
    STOPPED = "stopped"


@dataclass(frozen=True, slots=True)
class CallEvent:
    """One event of a client. `outcome` is ok, why a reply cannot be used, or a fault's kind; `seconds` how long the request took,
    or how long a pause is to be; `cost` in the price table's currency. A `faulted` request may have used tokens too."""

    kind: EventKind
    label: CallLabel
    model: str = ""
    outcome: str = ""
    status: int | None = None
    seconds: float = 0.0
    tokens: Tokens = field(default_factory=Tokens)
    cost: float = 0.0

    def as_row(self) -> dict[str, Any]:
        """The event as a line of an event log."""
        return {
            "event": self.kind.value,
            "agent": self.label.agent,
            "sample_id": self.label.sample_id,
            "item": self.label.item,
            "attempt": self.label.attempt,
            "model": self.model,
            "outcome": self.outcome,
            "status": self.status,
            "seconds": round(self.seconds, 4),
            "prompt_tokens": self.tokens.prompt,
            "completion_tokens": self.tokens.completion,
            "cost": self.cost,
        }


@dataclass(frozen=True, slots=True)
class Usage:
    """What was spent so far. Every request that was sent is a call, whatever came of it; `asked` and `failed` count questions, and
    `cached` replies that came out of the journal, which cost nothing."""

    asked: int = 0
    failed: int = 0
    calls: int = 0
    prompt_tokens: int = 0
    completion_tokens: int = 0
    cached: int = 0
    cost: float = 0.0

    def with_event(self, event: CallEvent) -> Usage:
        """This and what an event adds."""
        if event.kind in (EventKind.ANSWERED, EventKind.FAULTED):
            return replace(
                self,
                calls=self.calls + 1,
                prompt_tokens=self.prompt_tokens + event.tokens.prompt,
                completion_tokens=self.completion_tokens + event.tokens.completion,
                cost=self.cost + event.cost,
            )
        if event.kind is EventKind.CACHED:
            return replace(self, cached=self.cached + 1)
        if event.kind is EventKind.FAILED:
            return replace(self, failed=self.failed + 1)
        return self

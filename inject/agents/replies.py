"""The shapes of agents' replies. They are asked for as JSON schemas and read strictly; plain code checks the rest."""

from __future__ import annotations

from enum import StrEnum
from functools import lru_cache
from typing import Annotated

from pydantic import BaseModel, ConfigDict, Field, create_model


class Reply(BaseModel):
    """One JSON object of exactly these keys."""

    model_config = ConfigDict(extra="forbid", frozen=True)


class Told(StrEnum):
    """A model's answer to a yes-or-no question; "cannot tell" never counts as either."""

    YES = "yes"
    NO = "no"
    CANNOT_TELL = "cannot_tell"


class WrittenTurn(Reply):
    """One exchange: the holder answers the turn before (`answer`, may be empty) and makes the statement; the partner replies and
    hands back (`handback`, may be empty). `states` names the facts that the statement claims to state."""

    answer: str
    statement: str
    reply: str
    handback: str
    states: list[str]


class WrittenItem(Reply):
    """All exchanges of one item, in order."""

    turns: list[WrittenTurn]


class SaidFact(Reply):
    """One atomic fact of a text, with the ids of the listed facts that say it; none where it is invented."""

    fact: str
    supported_by: list[str]


class AuditReply(Reply):
    """The atomic facts of a text held against a list, and the listed facts that the text leaves out."""

    said: list[SaidFact]
    left_out: list[str]
    cannot_tell: bool


class VerifyReply(Reply):
    """What dated lines say by themselves: does the last contradict the first, and does each state its claim."""

    contradicts: Told
    claim_stated: list[Told]
    why: str


class ScoutChoice(Reply):
    """A topic that would suit a person, and why."""

    topic: str
    why: str


class ScoutReply(Reply):
    """Topics that suit a person, the best first."""

    choices: list[ScoutChoice]


@lru_cache(maxsize=16)
def written_item(turns: int) -> type[WrittenItem]:
    """The writer's shape for an item of so many turns, so that one too few is a reply of the wrong shape."""
    return create_model(
        "WrittenItem",
        __base__=WrittenItem,
        turns=(Annotated[list[WrittenTurn], Field(min_length=turns, max_length=turns)], ...),
    )


@lru_cache(maxsize=16)
def verify_reply(lines: int) -> type[VerifyReply]:
    """The verifier's shape for so many lines."""
    return create_model(
        "VerifyReply",
        __base__=VerifyReply,
        claim_stated=(Annotated[list[Told], Field(min_length=lines, max_length=lines)], ...),
    )

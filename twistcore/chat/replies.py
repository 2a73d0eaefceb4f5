"""What a reply means: the answer in it, or why it cannot be used. Strict: nothing is guessed, mended or cut out of prose."""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from enum import StrEnum
from typing import Any, TypeVar

from pydantic import BaseModel, ConfigDict, ValidationError

ReplyT = TypeVar("ReplyT", bound=BaseModel)

# Why a reply of the Responses style is incomplete, in the words of a chat completion.
_FINISHED = {"max_output_tokens": "length", "content_filter": "content_filter"}
# One fence around the whole reply; text before or after it is prose.
_FENCED = re.compile(r"```(?:json|JSON)?\s*(?P<inside>\{.*\})\s*```", re.DOTALL)


class Unusable(StrEnum):
    """Why a reply cannot be used."""

    NO_COMPLETION = "the endpoint did not answer as a chat completion"
    EMPTY = "the reply is empty"
    TRUNCATED = "the reply was cut off at its length limit"
    REFUSED = "the model refused to answer"
    FILTERED = "the reply was filtered"
    PROSE = "the reply is not one JSON object"
    WRONG_SHAPE = "the reply does not have the shape that was asked for"


class UnusableReplyError(Exception):
    """A reply that arrived and cannot be used; `detail` names fields, never what stood in them."""

    def __init__(self, why: Unusable, detail: str = "") -> None:
        super().__init__(f"{why.value} ({detail})" if detail else why.value)
        self.why = why


class _Lenient(BaseModel):
    model_config = ConfigDict(extra="ignore")


class _Said(_Lenient):
    content: str | None = None
    refusal: str | None = None


class _Choice(_Lenient):
    message: _Said
    finish_reason: str | None = None


class _Part(_Lenient):
    type: str
    text: str | None = None
    refusal: str | None = None


class _Item(_Lenient):
    type: str
    content: list[_Part] | None = None


class _Cause(_Lenient):
    reason: str | None = None


class _Raw(_Lenient):
    """Either style: `choices` of a chat completion, or `output` of the Responses style."""

    choices: list[_Choice] | None = None
    output: list[_Item] | None = None
    incomplete_details: _Cause | None = None
    # Read leniently: a wrong count is no reason to lose the answer.
    usage: Any = None


@dataclass(frozen=True, slots=True)
class Tokens:
    """What a call used; zero where the endpoint does not say."""

    prompt: int = 0
    completion: int = 0


@dataclass(frozen=True, slots=True)
class Completion:
    """One reply, before its text is read."""

    text: str | None
    finish_reason: str | None
    refusal: str | None
    tokens: Tokens


def read_completion(raw: bytes) -> Completion:
    """A reply of either style from the bytes of a response, whichever server wrote it; raises UnusableReplyError
    (NO_COMPLETION)."""
    try:
        found = _Raw.model_validate_json(raw)
    except ValidationError:
        raise UnusableReplyError(Unusable.NO_COMPLETION) from None
    tokens = _tokens(found.usage)
    if found.choices:
        choice = found.choices[0]
        return Completion(choice.message.content, choice.finish_reason, choice.message.refusal, tokens)
    if found.output is None:
        raise UnusableReplyError(Unusable.NO_COMPLETION, "no choices")
    # Reasoning and other items stand beside the message.
    parts = [part for item in found.output if item.type == "message" for part in item.content or ()]
    text = "".join(part.text for part in parts if part.type == "output_text" and part.text is not None)
    refusal = "".join(part.refusal for part in parts if part.refusal is not None)
    cut = found.incomplete_details.reason if found.incomplete_details is not None else None
    return Completion(text, _FINISHED.get(cut or "", "stop"), refusal or None, tokens)


def parse_reply(completion: Completion, schema: type[ReplyT]) -> ReplyT:
    """The answer of a completion; raises UnusableReplyError, whose `why` says what is wrong with it.

    A cut-off reply is never read, even where what is left happens to be JSON.
    """
    if completion.refusal:
        raise UnusableReplyError(Unusable.REFUSED)
    if completion.finish_reason == "length":
        raise UnusableReplyError(Unusable.TRUNCATED)
    if completion.finish_reason == "content_filter":
        raise UnusableReplyError(Unusable.FILTERED)
    if completion.text is None or not completion.text.strip():
        raise UnusableReplyError(Unusable.EMPTY)
    return parse_text(completion.text, schema)


def parse_text(text: str, schema: type[ReplyT]) -> ReplyT:
    """One JSON object of the schema's shape, bare or in one fence; raises UnusableReplyError for anything else.

    Types are not coerced ("1" is no number), and a key that stands twice is refused, since either value might be meant.
    """
    inside = text.strip()
    fenced = _FENCED.fullmatch(inside)
    if fenced:
        inside = fenced["inside"]
    try:
        found = json.loads(inside, object_pairs_hook=_unique, parse_constant=_no_constant)
    except (ValueError, RecursionError):
        raise UnusableReplyError(Unusable.PROSE) from None
    if not isinstance(found, dict):
        raise UnusableReplyError(Unusable.PROSE)
    try:
        return schema.model_validate_json(inside, strict=True)
    except ValidationError as error:
        raise UnusableReplyError(Unusable.WRONG_SHAPE, _name_faults(error)) from None


def _unique(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) != len(pairs):
        raise ValueError("a key stands twice")
    return found


def _no_constant(name: str) -> Any:
    raise ValueError(f"{name} is no JSON")


def _name_faults(error: ValidationError) -> str:
    """Field and fault of what does not fit. A key that the model made up is not repeated: it could be any text."""
    faults = []
    for fault in error.errors(include_input=False, include_url=False)[:3]:
        made_up = fault["type"] == "extra_forbidden"
        place = ".".join(str(part) for part in (fault["loc"][:-1] if made_up else fault["loc"]))
        faults.append(" ".join(part for part in (place, fault["type"]) if part))
    return "; ".join(faults)


def _tokens(usage: Any) -> Tokens:
    return Tokens(_count(usage, "prompt_tokens", "input_tokens"), _count(usage, "completion_tokens", "output_tokens"))


def _count(usage: Any, *names: str) -> int:
    values = [usage.get(name) for name in names] if isinstance(usage, dict) else []
    return next((value for value in values if type(value) is int and value > 0), 0)

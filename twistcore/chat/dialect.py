"""What a request looks like, and how it is said more simply to an endpoint that refuses it.

Endpoints differ: some lack JSON-schema output, some JSON mode too, some refuse a temperature or want another name for the token
limit. A client starts with everything, and keeps the first simpler dialect that the endpoint takes.
"""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from functools import lru_cache
from typing import Any, Literal

from pydantic import BaseModel

_NAMES_FORMAT = re.compile(
    r"response.?format|text\.format|json.?schema|json.?object|json.?mode|structured|guided|grammar|\bschema\b", re.IGNORECASE
)
_TEMPERATURE = re.compile(r"\btemperature\b", re.IGNORECASE)
_MAX_TOKENS = re.compile(r"\bmax_tokens\b", re.IGNORECASE)
_MODEL = re.compile(r"model", re.IGNORECASE)
# Statuses of a path that the endpoint does not serve.
_NO_PATH = frozenset({404, 405})
# Statuses of a request that was understood and refused as it stands.
_REFUSED = frozenset({400, 422, 501})
# Statuses that never speak of the request's form, whatever their text says.
_NOT_OF_FORM = frozenset({401, 402, 403, 429})


class Api(StrEnum):
    """Which of the two OpenAI styles an endpoint speaks."""

    CHAT = "chat"
    RESPONSES = "responses"

    @property
    def path(self) -> str:
        """Where requests of this style go, below the base URL."""
        return "/chat/completions" if self is Api.CHAT else "/responses"


class ReplyFormat(StrEnum):
    """How an endpoint is told to answer in JSON, the firmest first."""

    JSON_SCHEMA = "json_schema"
    JSON_OBJECT = "json_object"
    TEXT = "text"


@dataclass(frozen=True, slots=True)
class Message:
    """One message of a prompt."""

    role: Literal["system", "user", "assistant"]
    content: str


@dataclass(frozen=True, slots=True)
class Dialect:
    """What one endpoint takes."""

    reply_format: ReplyFormat = ReplyFormat.JSON_SCHEMA
    temperature: bool = True
    length_limit: Literal["max_tokens", "max_completion_tokens"] = "max_tokens"
    api: Api = Api.CHAT


@dataclass(frozen=True, slots=True)
class Sampling:
    """What is asked of the model besides the prompt; None leaves a parameter out."""

    model: str
    temperature: float | None = 0.0
    max_tokens: int | None = 1024


def build_body(
    sampling: Sampling, dialect: Dialect, messages: Sequence[Message], schema: type[BaseModel], *, spell_out: bool
) -> dict[str, Any]:
    """The body of a request in the dialect's style. Where the endpoint is not held to the schema, or did not keep to it
    (`spell_out`), the schema stands in words at the end of the prompt too."""
    said = [{"role": message.role, "content": message.content} for message in messages]
    if spell_out or dialect.reply_format is not ReplyFormat.JSON_SCHEMA:
        # Not as a message of its own: chat templates refuse a second system message, and two of one role in a row.
        said[-1]["content"] += f"\n\n{_in_words(schema)}"
    chat = dialect.api is Api.CHAT
    body: dict[str, Any] = {"model": sampling.model, "messages" if chat else "input": said}
    if sampling.temperature is not None and dialect.temperature:
        body["temperature"] = sampling.temperature
    if sampling.max_tokens is not None:
        body[dialect.length_limit if chat else "max_output_tokens"] = sampling.max_tokens
    held = _hold_to(dialect.reply_format, schema)
    if held is not None and chat:
        inside = {key: value for key, value in held.items() if key != "type"}
        body["response_format"] = {"type": held["type"], **({held["type"]: inside} if inside else {})}
    elif held is not None:
        body["text"] = {"format": held}
    return body


def _hold_to(reply_format: ReplyFormat, schema: type[BaseModel]) -> dict[str, Any] | None:
    """What tells an endpoint to answer in JSON, flat as the Responses style has it."""
    if reply_format is ReplyFormat.TEXT:
        return None
    if reply_format is ReplyFormat.JSON_OBJECT:
        return {"type": "json_object"}
    return {"type": "json_schema", "name": schema.__name__, "schema": strict_schema(schema), "strict": True}


def simplify(dialect: Dialect, status: int, said: str, *, proven: bool) -> Dialect | None:
    """The next simpler dialect after a refusal, or None where a simpler one would not help.

    `said` is the endpoint's own text. Many name nothing in it, so that a dialect which never worked (`proven` false) is taken down
    on any refusal of the request's form; one that did work only where the refusal names what is wrong. A path that is not there,
    where nothing worked yet and the text speaks of no model, makes it the other style.
    """
    if status in _NOT_OF_FORM:
        return None
    if status in _NO_PATH and not proven and dialect.api is Api.CHAT and not _MODEL.search(said):
        return replace(dialect, api=Api.RESPONSES)
    if status in _REFUSED:
        if dialect.temperature and _TEMPERATURE.search(said):
            return replace(dialect, temperature=False)
        if dialect.length_limit == "max_tokens" and _MAX_TOKENS.search(said):
            return replace(dialect, length_limit="max_completion_tokens")
    if _NAMES_FORMAT.search(said) or (status in _REFUSED and not proven):
        following = {ReplyFormat.JSON_SCHEMA: ReplyFormat.JSON_OBJECT, ReplyFormat.JSON_OBJECT: ReplyFormat.TEXT}
        simpler = following.get(dialect.reply_format)
        return replace(dialect, reply_format=simpler) if simpler else None
    return None


@lru_cache(maxsize=256)
def strict_schema(schema: type[BaseModel]) -> dict[str, Any]:
    """A model's JSON schema as strict structured output wants it: no other keys, every key required, no default and no title."""
    tightened: dict[str, Any] = _tighten(schema.model_json_schema())
    return tightened


def _tighten(node: Any) -> Any:
    if isinstance(node, list):
        return [_tighten(each) for each in node]
    if not isinstance(node, dict):
        return node
    if "$ref" in node:
        return {"$ref": node["$ref"]}
    found = {key: _tighten(value) for key, value in node.items() if key not in ("default", "title", "properties")}
    if "properties" in node:
        # A property may itself be called "title", so names are not filtered.
        found["properties"] = {name: _tighten(value) for name, value in node["properties"].items()}
        found["required"] = list(node["properties"])
        found["additionalProperties"] = False
    return found


def _in_words(schema: type[BaseModel]) -> str:
    shape = json.dumps(strict_schema(schema), separators=(",", ":"))
    return f"Answer with one JSON object and nothing else: no prose, no comment. It must fit this JSON schema:\n{shape}"

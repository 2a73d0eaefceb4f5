"""One question to a model: what its answers are filed under, and how far it has come."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

from pydantic import BaseModel, ValidationError

from twistcore.chat.dialect import Message, Sampling, strict_schema
from twistcore.chat.replies import Completion, ReplyT, UnusableReplyError, parse_reply
from twistcore.chat.usage import CallLabel
from twistcore.fingerprints import canonical_json, fingerprint, sha256_bytes

# Part of every address; a new number asks everything afresh.
_SCHEME = "twist-question/1"


@dataclass
class Question:
    """One question as it is asked. `replies` counts those that came and could not be used, `attempts` all that were made, `reason`
    says what was wrong with the last reply."""

    sampling: Sampling
    messages: Sequence[Message]
    schema: type[BaseModel]
    label: CallLabel
    replies: int = 0
    attempts: int = 0
    reason: str = ""

    @property
    def model(self) -> str:
        """Who is asked."""
        return self.sampling.model

    @property
    def spell_out(self) -> bool:
        """Whether the shape is to stand in words too: it is, once a reply did not keep to it."""
        return self.replies > 0

    @property
    def characters(self) -> int:
        """How long the prompt is."""
        return sum(len(message.content) for message in self.messages)

    def address(self, endpoint: str) -> str:
        """What the next reply is filed under: everything that is asked, where, and how many replies came before. Not how it is put
        to this endpoint, so that what is learned of an endpoint loses no answer."""
        sampling = self.sampling
        asked = [
            *(_SCHEME, endpoint, sampling.model, sampling.temperature, sampling.max_tokens),
            [[message.role, message.content] for message in self.messages],
            *(shape_of(self.schema), str(self.label.nonce), self.replies),
        ]
        return sha256_bytes(canonical_json(asked).encode("ascii"))


@lru_cache(maxsize=256)
def shape_of(schema: type[BaseModel]) -> str:
    """A hash of the schema that a reply is held to, its name included, since endpoints are told it."""
    return fingerprint([schema.__name__, strict_schema(schema)])


def read_reply(completion: Completion, schema: type[ReplyT]) -> tuple[ReplyT | None, UnusableReplyError | None]:
    """The answer of a completion, or why there is none."""
    try:
        return parse_reply(completion, schema), None
    except UnusableReplyError as error:
        return None, error


def revive(value: str | None, schema: type[ReplyT]) -> ReplyT | None:
    """An answer that was parsed before; None where it was not, or no longer fits."""
    if value is None:
        return None
    try:
        return schema.model_validate_json(value, strict=True)
    except ValidationError:
        return None

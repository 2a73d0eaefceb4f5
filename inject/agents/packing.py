"""How the loop's state is written to a checkpoint and read back: every type by its own schema, so that what comes back is equal.

LangGraph's own serializer gives tuples back as lists, and a resumed item would no longer equal one that was never broken off.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Any

from langgraph.checkpoint.serde.jsonplus import JsonPlusSerializer
from pydantic import TypeAdapter

from inject.drafts import Draft, FactAudit, Opinion
from inject.graph import Attempt
from twistcore.verdicts import Verdict

PACKED: dict[str, type] = {each.__name__: each for each in (Attempt, Draft, FactAudit, Opinion, Verdict)}
# A key that no state of LangGraph's has.
_TYPE = "twist:type"


class StateSerializer(JsonPlusSerializer):
    """LangGraph's serializer for everything that is not ours; our types are packed first. It reads no other class back."""

    def __init__(self) -> None:
        super().__init__(allowed_msgpack_modules=None)

    def dumps_typed(self, obj: Any) -> tuple[str, bytes]:
        """A value as bytes, with the name of their form."""
        return super().dumps_typed(pack(obj))

    def loads_typed(self, data: tuple[str, bytes]) -> Any:
        """The value again."""
        return unpack(super().loads_typed(data))


def pack(value: Any) -> Any:
    """A value with each of our types in it as plain data under its name."""
    name = type(value).__name__
    if PACKED.get(name) is type(value):
        return {_TYPE: name, "value": _adapter(name).dump_python(value, mode="json")}
    if isinstance(value, dict):
        return {key: pack(inner) for key, inner in value.items()}
    if type(value) in (list, tuple):
        return type(value)(pack(inner) for inner in value)
    return value


def unpack(value: Any) -> Any:
    """The inverse of `pack`; raises pydantic's ValidationError for data that its type does not take."""
    if isinstance(value, dict):
        if _TYPE in value:
            return _adapter(value[_TYPE]).validate_python(value["value"])
        return {key: unpack(inner) for key, inner in value.items()}
    if type(value) in (list, tuple):
        return type(value)(unpack(inner) for inner in value)
    return value


@lru_cache(maxsize=len(PACKED))
def _adapter(name: str) -> TypeAdapter[Any]:
    return TypeAdapter(PACKED[name])

"""How the loop's state is written to a checkpoint and read back: every type by its own schema, so that what comes back is equal.

LangGraph's own serializer gives tuples back as lists, and a resumed item would no longer equal one that was never broken off. It
also takes values apart one field at a time in Python; since each step writes the whole state, that took longer than all else in
the graph.
"""

from __future__ import annotations

from typing import Any

import ormsgpack
from langgraph.checkpoint.serde.jsonplus import JsonPlusSerializer
from pydantic import TypeAdapter

from inject.drafts import Draft, FactAudit, Opinion
from inject.graph import Attempt
from twistcore.verdicts import Verdict

# The name under which values of this form are filed; a new number for every change of it.
FORM = "twist/1"
# A type's place in this tuple is its code in files; an attempt is made of the others.
PACKED: tuple[type, ...] = (Draft, FactAudit, Verdict, Opinion)
_ADAPTERS: tuple[TypeAdapter[Any], ...] = tuple(TypeAdapter(each) for each in PACKED)
_CODES = {each: code for code, each in enumerate(PACKED)}
_ATTEMPT = len(PACKED)
# Everything that would come back as another type is passed to `_pack`, which knows ours and refuses the rest.
_STRICT = (
    ormsgpack.OPT_PASSTHROUGH_DATACLASS
    | ormsgpack.OPT_PASSTHROUGH_DATETIME
    | ormsgpack.OPT_PASSTHROUGH_ENUM
    | ormsgpack.OPT_PASSTHROUGH_SUBCLASS
    | ormsgpack.OPT_PASSTHROUGH_TUPLE
    | ormsgpack.OPT_PASSTHROUGH_UUID
    | ormsgpack.OPT_NON_STR_KEYS
)


class StateSerializer(JsonPlusSerializer):
    """Our types and plain data; LangGraph's serializer for everything else. It reads no other class back."""

    def __init__(self) -> None:
        super().__init__(allowed_msgpack_modules=None)

    def dumps_typed(self, obj: Any) -> tuple[str, bytes]:
        """A value as bytes, with the name of their form."""
        try:
            return FORM, ormsgpack.packb(obj, default=_pack, option=_STRICT)
        except ormsgpack.MsgpackEncodeError:
            return super().dumps_typed(obj)

    def loads_typed(self, data: tuple[str, bytes]) -> Any:
        """The value again; raises pydantic's ValidationError for data that its type does not take."""
        form, packed = data
        return _unpacked(packed) if form == FORM else super().loads_typed(data)


def _pack(value: Any) -> ormsgpack.Ext:
    if type(value) is Attempt:
        parts = [value.attempt, value.draft, value.verdict, value.opinion]
        return ormsgpack.Ext(_ATTEMPT, ormsgpack.packb(parts, default=_pack, option=_STRICT))
    code = _CODES.get(type(value))
    if code is None:
        raise TypeError(f"{type(value).__name__} is none of the loop's types")
    return ormsgpack.Ext(code, _ADAPTERS[code].dump_json(value))


def _unpack(code: int, packed: bytes) -> Any:
    if code == _ATTEMPT:
        return Attempt(*_unpacked(packed))
    return _ADAPTERS[code].validate_json(packed)


def _unpacked(packed: bytes) -> Any:
    return ormsgpack.unpackb(packed, ext_hook=_unpack, option=ormsgpack.OPT_NON_STR_KEYS)

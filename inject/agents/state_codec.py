"""How the loop's state is written into checkpoints: the loop's own types by pydantic, everything else as LangGraph does.

LangGraph's serializer takes a value apart one field at a time in Python, and every step writes the whole state: that took longer
than all else in the graph. What is read back is of the types listed here, whatever the file says.
"""

from __future__ import annotations

from typing import Any

import ormsgpack
from langgraph.checkpoint.serde.jsonplus import JsonPlusSerializer
from pydantic import TypeAdapter

from inject.drafts import Draft, FactAudit, Opinion
from inject.graph import Attempt
from twistcore.verdicts import Verdict

# The name under which LangGraph files values of this form; a new number for every change of it.
FORM = "twist/1"
# Places in this tuple are extension codes in files.
_TYPES = (Draft, FactAudit, Verdict, Opinion)
_ADAPTERS: tuple[TypeAdapter[Any], ...] = tuple(TypeAdapter(each) for each in _TYPES)
_CODES = {each: code for code, each in enumerate(_TYPES)}
_ATTEMPT = len(_TYPES)
_OPTIONS = ormsgpack.OPT_PASSTHROUGH_DATACLASS | ormsgpack.OPT_PASSTHROUGH_SUBCLASS | ormsgpack.OPT_NON_STR_KEYS


class StateCodec(JsonPlusSerializer):
    """Writes and reads checkpoints and what stands in them."""

    def __init__(self) -> None:
        # LangGraph's own way, for what is not ours, makes no class of ours either.
        super().__init__(allowed_msgpack_modules=None)

    def dumps_typed(self, obj: Any) -> tuple[str, bytes]:
        """A value with the name of its form."""
        try:
            return FORM, ormsgpack.packb(obj, default=_put, option=_OPTIONS)
        except ormsgpack.MsgpackEncodeError:
            return super().dumps_typed(obj)

    def loads_typed(self, data: tuple[str, bytes]) -> Any:
        """The value again; raises ValueError where it does not fit its type."""
        form, packed = data
        return ormsgpack.unpackb(packed, ext_hook=_take, option=_OPTIONS_READ) if form == FORM else super().loads_typed(data)


_OPTIONS_READ = ormsgpack.OPT_NON_STR_KEYS


def _put(value: Any) -> ormsgpack.Ext:
    if type(value) is Attempt:
        parts = [value.attempt, value.draft, value.verdict, value.opinion]
        return ormsgpack.Ext(_ATTEMPT, ormsgpack.packb(parts, default=_put, option=_OPTIONS))
    code = _CODES.get(type(value))
    if code is None:
        raise TypeError(f"{type(value).__name__} is none of the loop's types")
    return ormsgpack.Ext(code, _ADAPTERS[code].dump_json(value))


def _take(code: int, packed: bytes) -> Any:
    if code == _ATTEMPT:
        return Attempt(*ormsgpack.unpackb(packed, ext_hook=_take, option=_OPTIONS_READ))
    return _ADAPTERS[code].validate_json(packed)

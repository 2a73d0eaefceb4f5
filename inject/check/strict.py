"""Strict reading of JSON: no repeated key, no NaN, and every fault with its line."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any, TypeVar

from pydantic import BaseModel, TypeAdapter, ValidationError

from inject.check.broken import Broken, Rule

Model = TypeVar("Model", bound=BaseModel)


class _StrictError(ValueError):
    """JSON that Python reads and others need not."""


def parse_strict(text: str) -> Any:
    """The value of a JSON text; raises ValueError for what is none, for a repeated key, and for NaN."""
    return json.loads(text, object_pairs_hook=_once, parse_constant=_refuse)


def _once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    value = dict(pairs)
    if len(value) != len(pairs):
        names = [name for name, _ in pairs]
        raise _StrictError(f"repeats the key {next(name for name in names if names.count(name) > 1)!r}")
    return value


def _refuse(constant: str) -> Any:
    raise _StrictError(f"holds {constant}, which is no JSON")


def read_text(folder: Path, name: str) -> str | Broken:
    """A file of the release as text, or what keeps it from being read."""
    try:
        return (folder / name).read_text(encoding="utf-8")
    except UnicodeDecodeError as error:
        return Broken(Rule.SCHEMA, name, f"byte {error.start}", "is not UTF-8")
    except OSError as error:
        return Broken(Rule.SCHEMA, name, "", f"cannot be read ({error.strerror})")


def read_value(folder: Path, name: str) -> tuple[Any, list[Broken]]:
    """A JSON file's value, None with the fault where there is one."""
    text = read_text(folder, name)
    if isinstance(text, Broken):
        return None, [text]
    try:
        return parse_strict(text), []
    except ValueError as error:
        return None, [_fault(error, name, 0)]


def read_model(folder: Path, name: str, adapter: TypeAdapter[Any]) -> tuple[Any, list[Broken]]:
    """A JSON file checked against its schema, None with the faults where there are any."""
    text = read_text(folder, name)
    if isinstance(text, Broken):
        return None, [text]
    try:
        return _validate(text, adapter), []
    except ValidationError as error:
        return None, list(_schema_faults(error, name, ""))
    except ValueError as error:
        return None, [_fault(error, name, 0)]


def read_rows(folder: Path, name: str, adapter: TypeAdapter[Any]) -> tuple[list[Any], list[Broken]]:
    """Rows of a JSON Lines file that fit its schema, and a fault for every one that does not."""
    text = read_text(folder, name)
    if isinstance(text, Broken):
        return [], [text]
    rows: list[Any] = []
    faults: list[Broken] = []
    lines = text.split("\n")
    if lines.pop():
        faults.append(Broken(Rule.SCHEMA, name, f"line {len(lines) + 1}", "has no end; the file was cut off"))
    for number, line in enumerate(lines, start=1):
        try:
            rows.append(_validate(line, adapter))
        except ValidationError as error:
            faults.extend(_schema_faults(error, name, f"line {number}"))
        except ValueError as error:
            faults.append(_fault(error, name, number))
    return rows, faults


def _validate(text: str, adapter: TypeAdapter[Any]) -> Any:
    parse_strict(text)
    # Strict: a number in quotes, or true for 1, is another type.
    return adapter.validate_json(text, strict=True)


def _fault(error: ValueError, name: str, line: int) -> Broken:
    if isinstance(error, json.JSONDecodeError):
        return Broken(Rule.SCHEMA, name, f"line {line or error.lineno} column {error.colno}", f"is no JSON ({error.msg})")
    return Broken(Rule.SCHEMA, name, f"line {line}" if line else "", str(error))


def _schema_faults(error: ValidationError, name: str, line: str) -> Iterator[Broken]:
    for fault in error.errors(include_url=False):
        # A row of another type is named by its tag; the tag is no field of the row.
        field = ".".join(str(part) for part in fault["loc"] if part not in {"insert_exchange", "append_session"})
        place = " ".join(part for part in (line, f"field {field}" if field else "") if part)
        yield Broken(Rule.SCHEMA, name, place, fault["msg"])

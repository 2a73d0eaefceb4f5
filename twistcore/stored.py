"""What is stored, read back into its models: a value that does not fit is named by file, line and field."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, TypeVar

from pydantic import ValidationError

from twistcore.errors import TwistError
from twistcore.store import read_json, read_lines

Value = TypeVar("Value")


def misfit(
    problem: ValidationError, error: type[TwistError], file: Path | str, *, line: int | None = None, remedy: str | None = None
) -> TwistError:
    """The first fault that a model found, as one of ours, with the line (in JSON Lines) and the field."""
    first = problem.errors()[0]
    field = ".".join(str(part) for part in first["loc"])
    place = ", ".join(part for part in (f"line {line}" if line is not None else "", field) if part)
    return error(first["msg"], file=file, place=place or None, remedy=remedy)


def read_rows(
    path: Path, read: Callable[[Any], Value], error: type[TwistError], remedy: str | None = None
) -> Iterator[tuple[int, Value]]:
    """Rows of a JSON Lines file with their line numbers; raises `error` at the first that is none."""
    for number, value in read_lines(path, error):
        try:
            yield number, read(value)
        except ValidationError as problem:
            raise misfit(problem, error, path, line=number, remedy=remedy) from problem


def read_value(path: Path, read: Callable[[Any], Value], error: type[TwistError], remedy: str | None = None) -> Value:
    """A JSON file's value as its model; raises `error` where it is none."""
    try:
        return read(read_json(path, error))
    except ValidationError as problem:
        raise misfit(problem, error, path, remedy=remedy) from problem

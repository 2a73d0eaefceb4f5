"""Files: written atomically, JSON and JSON Lines, and the names by which a directory is known as a release."""

from __future__ import annotations

import json
import os
from collections.abc import Iterable, Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any

from pydantic import BaseModel

from twistcore.errors import StorageError, TwistError

# The two files by which a directory is known as a release.
MARKER, EDITS = "manifest.json", "edits.jsonl"


def write_atomic(path: Path, data: bytes) -> None:
    """Write a file so that it is either whole or untouched; raises StorageError when the disk refuses."""
    if not path.name or path.is_dir():
        raise StorageError("is a directory, a file was wanted", file=path, remedy="name a file")
    temporary = path.with_name(f".{path.name}.{os.getpid()}.tmp")
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        with temporary.open("wb") as stream:
            stream.write(data)
            stream.flush()
            os.fsync(stream.fileno())
        temporary.replace(path)
    except OSError as error:
        with suppress(OSError):
            temporary.unlink(missing_ok=True)
        raise StorageError(
            f"cannot write ({error.strerror or error})", file=path, remedy="free space or choose another directory"
        ) from error


def dump_json(value: Any) -> bytes:
    """Readable JSON with a final newline, ASCII only, so that no locale can change a byte."""
    return (json.dumps(plain(value), indent=2, ensure_ascii=True) + "\n").encode("ascii")


def dump_lines(values: Iterable[Any]) -> bytes:
    """JSON Lines, ASCII only, keys in the order of their declaration."""
    return "".join(json.dumps(plain(value), ensure_ascii=True) + "\n" for value in values).encode("ascii")


def plain(value: Any) -> Any:
    """A value as JSON can hold it: models by their own dump, in whatever they stand."""
    if isinstance(value, BaseModel):
        return value.model_dump(mode="json", by_alias=True)
    if isinstance(value, dict):
        return {key: plain(inner) for key, inner in value.items()}
    if isinstance(value, list | tuple):
        return [plain(inner) for inner in value]
    return value


def read_lines(path: Path, error: type[TwistError]) -> Iterator[tuple[int, dict[str, Any]]]:
    """Objects of a JSON Lines file with their line numbers; raises `error` naming the line that is none."""
    try:
        text = path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as problem:
        raise error(f"cannot be read ({problem})", file=path, remedy="give a UTF-8 JSON Lines file") from problem
    for number, line in enumerate(text.split("\n"), start=1):
        if not line.strip():
            continue
        try:
            value = json.loads(line)
        except json.JSONDecodeError as problem:
            raise error(f"is no JSON ({problem.msg})", file=path, place=f"line {number}", remedy="fix that line") from problem
        except (ValueError, RecursionError) as problem:
            raise error("is no JSON that can be held", file=path, place=f"line {number}", remedy="fix that line") from problem
        if not isinstance(value, dict):
            raise error("is no JSON object", file=path, place=f"line {number}", remedy="write one object a line")
        yield number, value


def read_json(path: Path, error: type[TwistError]) -> Any:
    """A JSON file's value; raises `error` naming the file and the place."""
    try:
        return json.loads(path.read_text(encoding="utf-8"))
    except (OSError, UnicodeDecodeError) as problem:
        raise error(f"cannot be read ({problem})", file=path) from problem
    except json.JSONDecodeError as problem:
        raise error(f"is no JSON ({problem.msg})", file=path, place=f"line {problem.lineno} column {problem.colno}") from problem
    except (ValueError, RecursionError) as problem:
        raise error("is no JSON that can be held", file=path) from problem

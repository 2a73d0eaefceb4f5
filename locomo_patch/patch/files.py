"""Patches and releases on disk: one JSON file, gzipped only by name; a directory that is whole or absent."""

from __future__ import annotations

import gzip
import io
import json
import zlib
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from pydantic import ValidationError

from locomo_patch.patch.make import Material
from locomo_patch.patch.models import FAMILY, SCHEMA, VERSION, Patch, PatchError
from locomo_patch.reader import read_corpus
from locomo_patch.released import released_corpus
from twistcore.cost import COST, NO_COST
from twistcore.errors import ReleaseError, UsageError
from twistcore.folders import making_folder, refuse_place
from twistcore.store import MARKER, dump_json, write_atomic
from twistcore.stored import misfit

_GZIP = b"\x1f\x8b"
_FOREIGN = "is no patch of a release"
_FETCH = "fetch the patch again"


def read_release(folder: Path) -> Material:
    """Every file of a release but cost.json; raises ReleaseError or CorpusError."""
    if not (folder / MARKER).is_file():
        raise ReleaseError(f"holds no {MARKER}", file=folder, remedy="name a release directory made by `twist inject`")
    files: dict[str, bytes] = {}
    for path in sorted(folder.rglob("*")):
        name = path.relative_to(folder).as_posix()
        if path.is_symlink():
            raise ReleaseError("is a link, and a release holds files", file=path, remedy="run `twist check`")
        if not path.is_dir() and name != COST:
            try:
                files[name] = path.read_bytes()
            except OSError as error:
                raise ReleaseError(f"cannot be read ({error.strerror})", file=path) from error
    return Material(files, read_corpus(released_corpus(folder), allow_unknown=True).document)


def dump_patch(patch: Patch, *, zipped: bool) -> bytes:
    """The bytes of a patch file: the same for the same patch."""
    text = json.dumps(patch.model_dump(mode="json", exclude_none=True), ensure_ascii=True, separators=(",", ":"))
    data = (text + "\n").encode("ascii")
    if not zipped:
        return data
    stream = io.BytesIO()
    with gzip.GzipFile(filename="", mode="wb", compresslevel=9, fileobj=stream, mtime=0) as packed:
        packed.write(data)
    return stream.getvalue()


def write_patch(patch: Patch, target: Path) -> int:
    """Write a patch file; returns its size in bytes."""
    data = dump_patch(patch, zipped=target.name.endswith(".gz"))
    write_atomic(target, data)
    return len(data)


def read_patch(path: Path) -> Patch:
    """A patch file; raises PatchError for one that is damaged, foreign, or of a newer version."""
    try:
        data = path.read_bytes()
    except OSError as error:
        raise PatchError(
            f"cannot be read ({error.strerror})", file=path, remedy="name a file that `twist patch make` wrote"
        ) from error
    value = _parse(path, _unzip(path, data))
    schema = value.get("schema_version") if isinstance(value, dict) else None
    if not isinstance(schema, str) or not schema.startswith(FAMILY):
        raise PatchError(_FOREIGN, file=path, remedy="name a file that `twist patch make` wrote")
    number = schema.removeprefix(FAMILY)
    if number.isdecimal() and int(number[:9]) > VERSION:
        raise PatchError(f"is of a newer version ({schema[:40]}, this is {SCHEMA})", file=path, remedy="update twist-corpus")
    try:
        return Patch.model_validate(value)
    except ValidationError as error:
        fault = misfit(error, PatchError, path)
        raise PatchError(f"is damaged ({fault.message})", file=path, place=fault.place, remedy=_FETCH) from error


def _unzip(path: Path, data: bytes) -> bytes:
    if not data.startswith(_GZIP):
        return data
    try:
        return gzip.decompress(data)
    except (EOFError, OSError, zlib.error) as error:
        raise PatchError(f"is damaged or cut off ({error})", file=path, remedy=_FETCH) from error


def _parse(path: Path, data: bytes) -> Any:
    try:
        return json.loads(data)
    except json.JSONDecodeError as error:
        place = f"line {error.lineno} column {error.colno}"
        raise PatchError(f"is no JSON, or cut off ({error.msg})", file=path, place=place, remedy=_FETCH) from error
    except (ValueError, RecursionError) as error:
        raise PatchError(_FOREIGN, file=path, remedy="name a file that `twist patch make` wrote") from error


def refuse_output(out: Path, reads: Iterable[Path] = ()) -> None:
    """Raises UsageError for an output directory that is none, not empty, or where nothing may be made."""
    if not out.name or out.name == "..":
        raise UsageError("is no directory to make", file=out, remedy="name a directory, e.g. --out out/track-A")
    refuse_place(out, reads)
    if out.is_symlink() or (out.exists() and not out.is_dir()):
        raise UsageError("is not a directory", file=out, remedy="choose another --out")
    if out.is_dir() and any(out.iterdir()):
        raise UsageError("is not empty", file=out, remedy="choose an empty or new directory")


def publish_release(files: dict[str, bytes], out: Path) -> None:
    """Write a release beside its place and move it there in one rename; raises StorageError and leaves nothing behind.

    Raises ConfigMismatchError while another process makes the same directory.
    """
    with making_folder(out) as fresh:
        # Another process may have made it since it was looked at.
        refuse_output(out)
        # Rebuilding asks no model. The release's own account is apart: two releases that are the same may have cost differently.
        for name, data in sorted({**files, COST: dump_json(NO_COST)}.items()):
            write_atomic(fresh / name, data)

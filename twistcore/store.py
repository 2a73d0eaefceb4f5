"""Run store: atomic files, JSON Lines, and the checkpoint directory that makes a killed run resumable.

A run works in a staging directory beside its output and renames it at the end, so an output directory is whole or absent.
"""

from __future__ import annotations

import fcntl
import json
import os
import re
import shutil
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

from pydantic import BaseModel

from twistcore.errors import ConfigMismatchError, StorageError, TwistError, UsageError
from twistcore.fingerprints import sha256_bytes

RUN_FILE = "run.json"
LOCK_FILE = "run.lock"
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
    return (json.dumps(_plain(value), indent=2, ensure_ascii=True) + "\n").encode("ascii")


def dump_lines(values: Iterable[Any]) -> bytes:
    """JSON Lines, ASCII only, keys in the order of their declaration."""
    return "".join(json.dumps(_plain(value), ensure_ascii=True) + "\n" for value in values).encode("ascii")


def _plain(value: Any) -> Any:
    if isinstance(value, BaseModel):
        return value.model_dump(mode="json", by_alias=True)
    if isinstance(value, dict):
        return {key: _plain(inner) for key, inner in value.items()}
    if isinstance(value, list | tuple):
        return [_plain(inner) for inner in value]
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


def release_around(path: Path) -> Path | None:
    """The release directory that a path lies in, the nearest one, or None. What is to be made must not lie in one."""
    return next((parent for parent in path.resolve().parents if (parent / MARKER).is_file() and (parent / EDITS).is_file()), None)


def _unlink_own(path: Path, descriptor: int) -> None:
    """Remove a lock file unless another process has made its own in the meantime."""
    with suppress(FileNotFoundError):
        if path.stat().st_ino == os.fstat(descriptor).st_ino:
            path.unlink()


class RunStore:
    """Checkpoints of one run in `<out>.partial`, keyed by the run's fingerprint.

    A rerun with the same configuration finds what was finished; another configuration is refused (PRECEDENTS.md 54).
    """

    def __init__(self, out: Path, config: dict[str, Any]) -> None:
        if not out.name or out.name == "..":
            raise UsageError("is no directory to make", file=out, remedy="name a directory, e.g. --out out/track-A")
        self.out = out
        self.config = config
        self.staging = out.with_name(f"{out.name}.partial")

    def _checkpoint(self, name: str) -> Path:
        """A checkpoint's file. Names come from corpora, so one that is no plain file name is kept under its hash."""
        plain = re.fullmatch(r"\w[\w.-]{0,80}", name) is not None
        return self.staging / "checkpoints" / f"{name if plain else sha256_bytes(name.encode('utf-8', 'replace'))}.json"

    def open(self) -> None:
        """Claim the output; raises ConfigMismatchError when it belongs to something else, StorageError for an impossible name."""
        try:
            self._claim()
        except OSError as error:
            raise StorageError(
                f"cannot be used ({error.strerror or error})", file=self.out, remedy="choose another --out"
            ) from error

    @contextmanager
    def lock(self) -> Iterator[None]:
        """Keep other processes away while one is at work; raises ConfigMismatchError when another holds the output already.

        The system drops the lock with the process, so a killed run leaves none behind.
        """
        path = self.staging / LOCK_FILE
        try:
            self.staging.mkdir(parents=True, exist_ok=True)
            stream = path.open("w")
        except OSError as error:
            raise StorageError(
                f"cannot be used ({error.strerror or error})", file=self.out, remedy="choose another --out"
            ) from error
        with stream:
            try:
                fcntl.flock(stream, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except OSError as error:
                raise ConfigMismatchError(
                    "is being written by another process", file=self.out, remedy="wait for it or choose another --out"
                ) from error
            try:
                yield
            finally:
                _unlink_own(path, stream.fileno())
                # Only an empty directory goes; that of an interrupted run holds its checkpoints.
                with suppress(OSError):
                    self.staging.rmdir()

    def _claim(self) -> None:
        release = release_around(self.out)
        if release is not None:
            raise ConfigMismatchError("lies inside a release", file=self.out, remedy=f"choose an --out outside {release}")
        recover_folder(self.out)
        if self.out.exists():
            self._refuse_foreign_output()
        run_file = self.staging / RUN_FILE
        if self.finished():
            self._sweep()
            return
        if self.staging.exists():
            if run_file.is_file():
                self._compare(read_json(run_file, ConfigMismatchError), self.staging)
                return
            if any(entry for entry in self.staging.iterdir() if not entry.name.endswith(".tmp") and entry.name != LOCK_FILE):
                raise ConfigMismatchError(
                    "holds something that is no interrupted run", file=self.staging, remedy="remove it or choose another --out"
                )
        write_atomic(run_file, dump_json(self.config))

    def _sweep(self) -> None:
        """Remove what a run that was killed after its release was in place left behind."""
        for path in self.out.glob(".*.tmp"):
            path.unlink(missing_ok=True)
        run_file = self.staging / RUN_FILE
        if run_file.is_file() and read_json(run_file, ConfigMismatchError) == self.config:
            self._clear()

    def _clear(self) -> None:
        # The file that tells whose directory this is goes last, so that a run killed here still knows it as its own.
        for entry in self.staging.iterdir():
            if entry.is_dir():
                shutil.rmtree(entry)
            elif entry.name != RUN_FILE:
                entry.unlink()
        (self.staging / RUN_FILE).unlink()
        self.staging.rmdir()

    def finished(self) -> bool:
        """Whether the output is already there (a second run is then a no-op)."""
        return (self.out / MARKER).is_file()

    def _refuse_foreign_output(self) -> None:
        if not self.out.is_dir():
            raise ConfigMismatchError("is not a directory", file=self.out, remedy="choose another --out")
        manifest = self.out / MARKER
        if manifest.is_file():
            recorded = read_json(manifest, ConfigMismatchError)
            self._compare(recorded.get("config") if isinstance(recorded, dict) else None, self.out)
            return
        if any(self.out.iterdir()):
            raise ConfigMismatchError(
                "holds something that is no release", file=self.out, remedy="choose an empty or new directory"
            )

    def _compare(self, recorded: Any, where: Path) -> None:
        if recorded == self.config:
            return
        differing = [
            key
            for key in sorted({*self.config, *(recorded if isinstance(recorded, dict) else {})})
            if not isinstance(recorded, dict) or recorded.get(key) != self.config.get(key)
        ]
        raise ConfigMismatchError(
            f"belongs to a run with another {', '.join(differing) or 'configuration'}",
            file=where,
            remedy="repeat that configuration, remove the directory, or choose another --out",
        )

    def load(self, name: str) -> Any | None:
        """A checkpoint's value, or None when there is none or it was cut off."""
        path = self._checkpoint(name)
        try:
            return read_json(path, ConfigMismatchError) if path.is_file() else None
        except ConfigMismatchError:
            return None

    def save(self, name: str, value: Any) -> None:
        """Keep a checkpoint, atomically. Keys keep their order, so that what is read back is what was made."""
        text = json.dumps(_plain(value), ensure_ascii=True, allow_nan=False)
        write_atomic(self._checkpoint(name), text.encode("ascii"))

    def publish(self, files: dict[str, bytes]) -> None:
        """Write a whole release and move it to its place in one rename; raises StorageError when the disk refuses."""
        assembled = self.staging / "release"
        try:
            shutil.rmtree(assembled, ignore_errors=True)
            for name in sorted(files):
                write_atomic(assembled / name, files[name])
            if self.out.exists():
                self.out.rmdir()
            self.out.parent.mkdir(parents=True, exist_ok=True)
            assembled.rename(self.out)
            self._clear()
        except OSError as error:
            raise StorageError(f"cannot finish the release ({error.strerror or error})", file=self.out) from error


def replace_files(folder: Path, changed: Mapping[str, bytes]) -> None:
    """Change files of a finished directory so that it holds all of them or none: a copy is changed, then takes its place.

    Raises StorageError when the disk refuses. A process killed between the two renames leaves the old directory under a
    name of ours, and `recover_folder` puts it back.
    """
    folder = folder.resolve()
    copy, old = _beside(folder)
    try:
        shutil.rmtree(copy, ignore_errors=True)
        shutil.copytree(folder, copy)
        for name in sorted(changed):
            write_atomic(copy / name, changed[name])
        folder.rename(old)
        try:
            copy.rename(folder)
        except OSError:
            old.rename(folder)
            raise
        shutil.rmtree(old)
    except OSError as error:
        raise StorageError(f"cannot be changed ({error.strerror or error})", file=folder) from error
    finally:
        shutil.rmtree(copy, ignore_errors=True)


@contextmanager
def lock_folder(folder: Path) -> Iterator[None]:
    """Keep other processes from changing a finished directory meanwhile, and put back what a killed one left.

    Raises ConfigMismatchError when another process is at it. The system drops the lock with the process.
    """
    folder = folder.resolve()
    path = folder.with_name(f".{folder.name or 'root'}.twist-lock")
    try:
        stream = path.open("w")
    except OSError as error:
        raise StorageError(
            f"cannot be changed ({error.strerror or error})", file=folder, remedy="make its parent writable"
        ) from error
    with stream:
        try:
            fcntl.flock(stream, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError as error:
            raise ConfigMismatchError("is being changed by another process", file=folder, remedy="wait for it") from error
        try:
            recover_folder(folder)
            yield
        finally:
            _unlink_own(path, stream.fileno())


def recover_folder(folder: Path) -> None:
    """Put back a directory whose replacing was cut off, and remove what such a cut left behind.

    Nothing is touched that `replace_files` did not make: its names are its own, and an old directory is a whole one.
    """
    folder = folder.resolve()
    copy, old = _beside(folder)
    if (old / MARKER).is_file():
        if not folder.exists():
            old.rename(folder)
        elif (folder / MARKER).is_file():
            shutil.rmtree(old, ignore_errors=True)
    shutil.rmtree(copy, ignore_errors=True)


def _beside(folder: Path) -> tuple[Path, Path]:
    """Where a directory is copied to while it changes, and where the old one waits until the new one is in place."""
    return folder.with_name(f".{folder.name}.twist-changing"), folder.with_name(f".{folder.name}.twist-replaced")

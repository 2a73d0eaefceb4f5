"""Directories that are whole or absent: locks, a replacement in one rename, and what a killed process left."""

from __future__ import annotations

import fcntl
import os
import shutil
from collections.abc import Iterable, Iterator, Mapping
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path

from twistcore.errors import ConfigMismatchError, StorageError, UsageError
from twistcore.store import EDITS, MARKER, write_atomic


def release_around(path: Path) -> Path | None:
    """The release directory that a path lies in, the nearest one, or None. What is to be made must not lie in one."""
    return next((parent for parent in path.resolve().parents if (parent / MARKER).is_file() and (parent / EDITS).is_file()), None)


def refuse_place(target: Path, reads: Iterable[Path | None] = ()) -> None:
    """The one rule for what a command may make, file or directory, at a place that its user names.

    Raises UsageError for what lies in a release, or is or lies in something that the command `reads`: a release holds what its
    manifest says and nothing else, and nothing that is read is written over.
    """
    release = release_around(target)
    if release is not None:
        raise UsageError("lies inside a release", file=target, remedy=f"name a place outside {release}")
    for path in reads:
        if path is not None and (_same(target, path) or any(_same(parent, path) for parent in target.resolve().parents)):
            raise UsageError("is read by this command and is not written over", file=target, remedy="name a place elsewhere")


def refuse_file(target: Path, reads: Iterable[Path | None] = ()) -> None:
    """As `refuse_place`, for a file: raises UsageError for what names none, too."""
    refuse_place(target, reads)
    if not target.name or target.name == ".." or target.is_dir():
        raise UsageError("is a directory", file=target, remedy="name a file")


def refuse_inside(target: Path, makes: Iterable[Path]) -> None:
    """Refuse, with UsageError, a file of its own that is or lies in something that the same command makes: a directory that takes
    its place in one rename, and another file, would be spoilt by it, or it by them."""
    for path in makes:
        if _same(target, path) or any(_same(parent, path) for parent in target.resolve().parents):
            raise UsageError(f"stands in the way of {path}, which this command makes", file=target, remedy="name a place elsewhere")


def _same(one: Path, other: Path) -> bool:
    """Whether two paths are one file, by whatever name or link."""
    return one.resolve() == other.resolve() or (one.exists() and other.exists() and one.samefile(other))


@contextmanager
def hold(path: Path, refusal: ConfigMismatchError) -> Iterator[None]:
    """Hold a lock file while one is at work; raises `refusal` when another process has it, OSError when there can be none.

    The system drops the lock with the process, so a killed run leaves at most an empty file behind.
    """
    with path.open("w") as stream:
        try:
            fcntl.flock(stream, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError as error:
            raise refusal from error
        # One that was opened before its owner removed it locks nothing that others see.
        if not _is(path, stream.fileno()):
            raise refusal
        try:
            yield
        finally:
            if _is(path, stream.fileno()):
                path.unlink()


def _is(path: Path, descriptor: int) -> bool:
    with suppress(FileNotFoundError):
        return path.stat().st_ino == os.fstat(descriptor).st_ino
    return False


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
        raise _unchangeable(folder, error) from error
    finally:
        shutil.rmtree(copy, ignore_errors=True)


def _unchangeable(folder: Path, error: OSError) -> StorageError:
    return StorageError(
        f"cannot be changed ({error.strerror or error})",
        file=folder,
        remedy=f"see that {folder.parent} can be written to: a directory is made anew beside its place and moved there",
    )


@contextmanager
def making_folder(folder: Path) -> Iterator[Path]:
    """A new directory to fill, which takes the place of `folder` (absent or empty) in one rename once the block is done.

    One process at a time: what an earlier one that was killed left for the same place is removed first, and nothing is left by a
    block that fails. Raises ConfigMismatchError when another process is at it, StorageError when the disk refuses.
    """
    folder = folder.resolve()
    try:
        folder.parent.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise _unchangeable(folder, error) from error
    with lock_folder(folder):
        fresh = folder.with_name(f".{folder.name}.twist-making")
        try:
            shutil.rmtree(fresh, ignore_errors=True)
            fresh.mkdir()
            yield fresh
            if folder.exists():
                folder.rmdir()
            fresh.rename(folder)
        except OSError as error:
            raise _unchangeable(folder, error) from error
        finally:
            shutil.rmtree(fresh, ignore_errors=True)


@contextmanager
def lock_folder(folder: Path) -> Iterator[None]:
    """Keep other processes from changing a finished directory meanwhile, and put back what a killed one left.

    Raises ConfigMismatchError when another process is at it. The system drops the lock with the process.
    """
    folder = folder.resolve()
    path = folder.with_name(f".{folder.name or 'root'}.twist-lock")
    busy = ConfigMismatchError("is being changed by another process", file=folder, remedy="wait for it")
    with ExitStack() as held:
        try:
            held.enter_context(hold(path, busy))
        except OSError as error:
            raise _unchangeable(folder, error) from error
        recover_folder(folder)
        yield


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

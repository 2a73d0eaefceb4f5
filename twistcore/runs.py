"""Run store: the checkpoint directory that makes a killed run resumable.

A run works in a staging directory beside its output and renames it at the end, so an output directory is whole or absent.
"""

from __future__ import annotations

import json
import re
import shutil
from collections.abc import Iterator, Mapping
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path
from typing import Any

from twistcore.errors import ConfigMismatchError, StorageError, UsageError
from twistcore.fingerprints import sha256_bytes
from twistcore.folders import hold, recover_folder, refuse_place
from twistcore.store import MARKER, dump_json, plain, read_json, write_atomic

RUN_FILE = "run.json"
LOCK_FILE = "run.lock"


class Checkpoints:
    """What a run has finished, in a directory beside its output, keyed by what it is a function of.

    A rerun with the same `basis` finds what was finished; another one is refused (PRECEDENTS.md 54), since what it kept may
    have cost hours or money. `instead` is what else a user could do then, as a remedy says it.
    """

    def __init__(self, staging: Path, basis: Mapping[str, Any], out: Path, instead: str | None = "choose another --out") -> None:
        self.staging = staging
        self.basis = dict(basis)
        self.out = out
        self.instead = instead

    def _or(self, way: str) -> str:
        """A way out, and the other one where there is one."""
        return f"{way}, or {self.instead}" if self.instead else way

    def _checkpoint(self, name: str) -> Path:
        """A checkpoint's file. Names come from corpora, so one that is no plain file name is kept under its hash."""
        is_plain = re.fullmatch(r"\w[\w.-]{0,80}", name) is not None
        return self.staging / "checkpoints" / f"{name if is_plain else sha256_bytes(name.encode('utf-8', 'replace'))}.json"

    @contextmanager
    def lock(self) -> Iterator[None]:
        """Keep other processes away while one is at work; raises ConfigMismatchError when another holds the output already.

        The system drops the lock with the process, so a killed run leaves none behind.
        """
        busy = ConfigMismatchError("is being written by another process", file=self.out, remedy=self._or("wait for it"))
        with ExitStack() as held:
            try:
                self.staging.mkdir(parents=True, exist_ok=True)
                held.enter_context(hold(self.staging / LOCK_FILE, busy))
            except OSError as error:
                raise self._unusable(error) from error
            try:
                yield
            finally:
                held.close()
                # Only an empty directory goes; that of an interrupted run holds its checkpoints.
                with suppress(OSError):
                    self.staging.rmdir()

    def _unusable(self, error: OSError) -> StorageError:
        return StorageError(f"cannot be used ({error.strerror or error})", file=self.out, remedy=self.instead)

    def open(self) -> None:
        """Claim the output; raises ConfigMismatchError when it belongs to something else, StorageError for an impossible name."""
        try:
            self._claim()
        except OSError as error:
            raise self._unusable(error) from error

    def _claim(self) -> None:
        run_file = self.staging / RUN_FILE
        if self.staging.exists():
            if run_file.is_file():
                self._compare(read_json(run_file, ConfigMismatchError), self.basis, self.staging)
                return
            if any(entry for entry in self.staging.iterdir() if not entry.name.endswith(".tmp") and entry.name != LOCK_FILE):
                raise ConfigMismatchError(
                    "holds something that is no interrupted run", file=self.staging, remedy=self._or("remove it")
                )
        write_atomic(run_file, dump_json(self.basis))

    def _compare(self, recorded: Any, wanted: Mapping[str, Any], where: Path) -> None:
        if recorded == wanted:
            return
        differing = [
            key
            for key in sorted({*wanted, *(recorded if isinstance(recorded, dict) else {})})
            if not isinstance(recorded, dict) or recorded.get(key) != wanted.get(key)
        ]
        raise ConfigMismatchError(
            f"belongs to a run with another {', '.join(differing) or 'configuration'}",
            file=where,
            remedy=self._or("repeat that configuration, or remove the directory"),
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
        text = json.dumps(plain(value), ensure_ascii=True, allow_nan=False)
        write_atomic(self._checkpoint(name), text.encode("ascii"))

    def clear(self) -> None:
        """Remove the directory, once what it was kept for is in its place."""
        # The file that tells whose directory this is goes last, so that a run killed here still knows it as its own.
        for entry in self.staging.iterdir():
            if entry.is_dir():
                shutil.rmtree(entry)
            elif entry.name != RUN_FILE:
                entry.unlink()
        (self.staging / RUN_FILE).unlink()
        self.staging.rmdir()


def staging_of(out: Path) -> Path:
    """Where a run works until its output is whole."""
    return out.with_name(f"{out.name}.partial")


class RunStore(Checkpoints):
    """Checkpoints of a run in `<out>.partial`, and the release that they become.

    `config` is what the release is a function of, `basis` what its checkpoints are (the same, unless said otherwise): a setting
    that only comes in after them may change between an interrupted run and its rerun.
    """

    def __init__(self, out: Path, config: Mapping[str, Any], basis: Mapping[str, Any] | None = None) -> None:
        if not out.name or out.name == "..":
            raise UsageError("is no directory to make", file=out, remedy="name a directory, e.g. --out out/track-A")
        super().__init__(staging_of(out), config if basis is None else basis, out)
        self.config = dict(config)

    def _claim(self) -> None:
        refuse_place(self.out)
        recover_folder(self.out)
        if self.out.exists():
            self._refuse_foreign_output()
        if self.finished():
            self._sweep()
            return
        super()._claim()

    def _sweep(self) -> None:
        """Remove what a run that was killed after its release was in place left behind."""
        for path in self.out.glob(".*.tmp"):
            path.unlink(missing_ok=True)
        run_file = self.staging / RUN_FILE
        if run_file.is_file() and read_json(run_file, ConfigMismatchError) == self.basis:
            self.clear()

    def finished(self) -> bool:
        """Whether the output is already there (a second run is then a no-op)."""
        return (self.out / MARKER).is_file()

    def _refuse_foreign_output(self) -> None:
        if not self.out.is_dir():
            raise ConfigMismatchError("is not a directory", file=self.out, remedy=self.instead)
        manifest = self.out / MARKER
        if manifest.is_file():
            recorded = read_json(manifest, ConfigMismatchError)
            self._compare(recorded.get("config") if isinstance(recorded, dict) else None, self.config, self.out)
            return
        if any(self.out.iterdir()):
            raise ConfigMismatchError(
                "holds something that is no release", file=self.out, remedy="choose an empty or new directory"
            )

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
            self.clear()
        except OSError as error:
            raise StorageError(f"cannot finish the release ({error.strerror or error})", file=self.out) from error

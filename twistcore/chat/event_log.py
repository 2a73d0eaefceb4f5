"""The event log of a client: one JSON object a line, for machines that watch a run."""

from __future__ import annotations

import json
import threading
import time
from collections.abc import Callable, Mapping
from pathlib import Path
from types import TracebackType
from typing import Any, Self

from twistcore.chat.usage import CallEvent
from twistcore.errors import StorageError


class EventLog:
    """Appends events to a file as they happen, with `at`, seconds since the log was opened (no wall clock). Give it as `on_event`.
    A line that an earlier run was killed in the midst of is closed first. Raises StorageError where the disk refuses."""

    def __init__(self, path: Path, *, clock: Callable[[], float] = time.monotonic) -> None:
        self._path, self._clock, self._started = path, clock, clock()
        self._lock = threading.Lock()
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            self._stream = path.open("a", encoding="utf-8", buffering=1)
            if _is_torn(path):
                self._stream.write("\n")
        except OSError as error:
            raise StorageError(f"cannot be written ({error.strerror})", file=path, remedy="name another file") from error

    def __call__(self, event: CallEvent) -> None:
        """Write one event of the client."""
        self.write(event.as_row())

    def write(self, row: Mapping[str, Any]) -> None:
        """Write one event of whatever sort."""
        line = json.dumps({"at": round(self._clock() - self._started, 4), **row}, ensure_ascii=True)
        try:
            with self._lock:
                self._stream.write(line + "\n")
        except OSError as error:
            raise StorageError(f"cannot be written ({error.strerror})", file=self._path) from error

    def close(self) -> None:
        """Let go of the file."""
        self._stream.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        self.close()


def _is_torn(path: Path) -> bool:
    with path.open("rb") as stream:
        size = stream.seek(0, 2)
        stream.seek(max(0, size - 1))
        return size > 0 and stream.read(1) != b"\n"

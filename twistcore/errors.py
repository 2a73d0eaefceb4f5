"""The error family. Each error names the file, the place in it and the remedy; the CLI prints one line of it."""

from __future__ import annotations

from enum import IntEnum
from pathlib import Path


class ExitCode(IntEnum):
    """Process exit codes (SCHEMAS.md, "Exit codes")."""

    DONE = 0
    UNMET = 1
    REFUSED = 2
    MODEL_FAILED = 3
    STOPPED = 4


class TwistError(Exception):
    """Root of everything that the project raises on purpose.

    `message` says what is wrong, `file` and `place` where, `remedy` what to do about it.
    """

    exit_code: ExitCode = ExitCode.REFUSED

    def __init__(
        self, message: str, *, file: Path | str | None = None, place: str | None = None, remedy: str | None = None
    ) -> None:
        super().__init__(message)
        self.message = message
        self.file = str(file) if file is not None else None
        self.place = place
        self.remedy = remedy

    def __str__(self) -> str:
        where = ", ".join(part for part in (self.file, self.place) if part)
        head = f"{where}: {self.message}" if where else self.message
        line = f"{head}; {self.remedy}" if self.remedy else head
        return " ".join(line.split())


class FrameError(TwistError):
    """A topic frame or another data file of the project breaks its schema or its lint."""


class CorpusError(TwistError):
    """A corpus file cannot be read, is of an unknown version, or breaks the shape that is relied on."""


class ProposalError(TwistError):
    """A proposal line is no JSON or lacks a field."""


class UsageError(TwistError):
    """The command was asked for something that it cannot mean."""


class ConfigMismatchError(TwistError):
    """An output directory or a checkpoint belongs to another configuration."""


class ReleaseError(TwistError):
    """A release directory is not what its manifest says."""


class ModelDataError(TwistError):
    """The language-analysis weights are missing or are not the pinned ones."""


class ShortfallError(TwistError):
    """An asked-for count was not met."""

    exit_code = ExitCode.UNMET


class StorageError(TwistError):
    """The disk refused a write."""


class UndecidedError(TwistError):
    """Questions that nobody could decide block a release (DESIGN.md rule 9)."""

    exit_code = ExitCode.MODEL_FAILED


class ModelFailedError(TwistError):
    """A language model could not be asked, or gave no usable answer in any attempt. Never names the endpoint's host or the key."""

    exit_code = ExitCode.MODEL_FAILED


class NoUsableReplyError(ModelFailedError):
    """A model answered a question as often as it may be asked, and no reply could be used (refused, cut off, of another shape). The
    endpoint works, and asking the same again brings the same replies out of the journal."""


class EndpointDownError(ModelFailedError):
    """Call after call failed, so that the run stops: nothing further is sent. What was answered is kept, and the run can be
    resumed."""


class LimitReachedError(TwistError):
    """A limit that the user set (calls, cost) allows no further call. What was answered is kept, and the run can be resumed."""

    exit_code = ExitCode.STOPPED

"""What a patch file holds. Source text stands in it only as (place, offset, length), questions only by their identity."""

from __future__ import annotations

from enum import StrEnum
from pathlib import PurePosixPath
from typing import Annotated, Literal

from pydantic import Field, StringConstraints, field_validator, model_validator

from locomo_patch.document import Shape
from locomo_patch.patch.escapes import Form
from twistcore.errors import TwistError
from twistcore.fingerprints import sha256_bytes
from twistcore.verdicts import Stored

FAMILY = "twist-patch/"
VERSION = 1
SCHEMA = f"{FAMILY}{VERSION}"

Digest = Annotated[str, StringConstraints(pattern=r"^[0-9a-f]{64}$")]
_Number = Annotated[int, Field(ge=0, strict=True)]

# Own text as it stands in the file; [place]: the JSON of that place's value; [place, offset, length]: characters of that place's
# string, escaped as the file is; a fourth number names another form of escaping (its position in `Form`).
Part = str | tuple[_Number] | tuple[_Number, _Number, _Number] | tuple[_Number, _Number, _Number, _Number]


class PatchError(TwistError):
    """A patch file cannot be read, does not fit the corpus, would hold what it must not, or does not give the release back."""


class Making(StrEnum):
    """How a file of the release comes back."""

    CORPUS = "corpus"
    ID_MAP = "id_map"
    PARTS = "parts"


class QuestionName(Stored):
    """A question's identity (SCHEMAS.md)."""

    sample_id: str
    question_key: str
    occurrence: int = Field(ge=1)

    @property
    def parts(self) -> tuple[str, str, int]:
        """As a plain key."""
        return self.sample_id, self.question_key, self.occurrence


class PatchSource(Stored):
    """The corpus that the patch is applied to: its files by name, in the order in which they are read, with their hashes."""

    version: str
    shape: Shape
    sha256: Digest
    files: dict[str, Digest] = Field(min_length=1)


class PatchResult(Stored):
    """The release that comes out: the hash over the names and hashes of its files."""

    sha256: Digest


class PatchFile(Stored):
    """One file of the release. The corpus and the id map are made again from the source and the edits; the others have parts."""

    path: str
    sha256: Digest
    made: Making
    form: Form | None = None
    parts: list[Part] | None = None

    @field_validator("path")
    @classmethod
    def _inside(cls, path: str) -> str:
        plain = PurePosixPath(path)
        # A patch comes from strangers: no name in it may lead out of the directory that it is unpacked into.
        unsafe = plain.is_absolute() or ".." in plain.parts or "\\" in path or not path.isprintable() or ":" in path
        if unsafe or not path or plain.as_posix() != path or path == ".":
            raise ValueError("is no file name inside a release")
        return path

    @model_validator(mode="after")
    def _whole(self) -> PatchFile:
        if (self.made is Making.PARTS) != (self.parts is not None) or (self.parts is None) != (self.form is None):
            raise ValueError("has parts where it is made again, or none where it is not")
        return self


class Patch(Stored):
    """A patch file. `places` names the strings and questions of the source that the parts refer to, by number."""

    schema_version: Literal["twist-patch/1"] = "twist-patch/1"
    tool: str
    notice: str
    source: PatchSource
    result: PatchResult
    left_corpus: list[QuestionName]
    places: list[str]
    files: list[PatchFile]

    @model_validator(mode="after")
    def _once(self) -> Patch:
        names = [file.path for file in self.files]
        if len(set(names)) != len(names):
            raise ValueError("names a file of the release twice")
        return self


def sum_up(hashes: dict[str, str]) -> str:
    """The hash over the names and hashes of a release's files."""
    return sha256_bytes("".join(f"{name} {digest}\n" for name, digest in sorted(hashes.items())).encode())

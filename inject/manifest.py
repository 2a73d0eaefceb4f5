"""The manifest of a release: what it is made of, what is in it, and what did not fit."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from pathlib import Path

from pydantic import Field

from arcs.keys import TrackAKey
from inject.config import InjectConfig
from inject.qa import QaRecord
from twistcore.cost import COST
from twistcore.errors import ReleaseError
from twistcore.store import MARKER
from twistcore.stored import read_value
from twistcore.verdicts import Stored

MANIFEST_SCHEMA = "twist-manifest/2"
# cost.json is the one file that "same bytes" leaves out; audits and the report are made from the rest and may be made again.
UNHASHED = (MARKER, COST)


class Source(Stored):
    """The corpus that a release was made from. `canonical_sha256` is of its content in LoCoMo's own layout; it differs from
    `sha256`
    only for files that no layout reproduces (the public fork)."""

    version: str
    origin: str
    shape: str
    files: dict[str, str]
    sha256: str
    canonical_sha256: str
    conversations: int
    turns: int
    questions: int


class Counts(Stored):
    """What is in a release; `twist check` counts again and compares."""

    arcs: int
    hard_negatives: int
    by_family: dict[str, int]
    by_conversation: dict[str, dict[str, int]]
    frames: int
    exchanges: int
    exchanges_by_seam: dict[str, int]
    appended_sessions: int
    inserted_turns: int
    released_turns: int
    rejects: int
    reused_lines: int


class KeyCounts(Stored):
    """What a key holds."""

    arcs: int
    hard_negatives: int
    by_family: dict[str, int]
    by_conversation: dict[str, dict[str, int]]


class KeyErrata(Stored):
    """What errata did to the key of a track after its release. `holds` is what the key holds now; the manifest's `counts` stay
    those of the injection, whose turns are all in the corpus still."""

    key_version: str
    revisions: int
    retired_items: int
    holds: KeyCounts | None = None


class ReviewRecord(Stored):
    """People's decisions about items that the loop gave up on: the file that the run was given, and how many items they took."""

    sha256: str
    accepted: int
    edited: int


class Manifest(Stored):
    """`manifest.json`. `corpus` names the version everywhere, so that a mock release cannot be taken for a real one."""

    schema_version: str = MANIFEST_SCHEMA
    tool: str
    corpus: str
    config: InjectConfig
    config_sha256: str
    source: Source
    released_sha256: str
    counts: Counts
    qa: QaRecord | None = None
    errata: KeyErrata | None = None
    reviews: ReviewRecord | None = Field(default=None, exclude_if=lambda value: value is None)
    shortfall: dict[str, dict[str, int]]
    libraries: dict[str, str]
    licence: str
    safety: str = "PII-only"
    files: dict[str, str] = Field(description="SHA-256 of every other file of the release but cost.json, audits/ and report.html")

    @property
    def holds(self) -> KeyCounts:
        """What the key holds now: what was injected, less what errata retired."""
        if self.errata is not None and self.errata.holds is not None:
            return self.errata.holds
        return KeyCounts.model_validate(self.counts.model_dump(include=set(KeyCounts.model_fields)))


def count_keys(keys: Sequence[TrackAKey]) -> KeyCounts:
    """Counts of a key."""
    by_conversation: dict[str, dict[str, int]] = {}
    for key in keys:
        row = by_conversation.setdefault(key.sample_id, {"arcs": 0, "hard_negatives": 0})
        row["arcs" if key.family.is_arc else "hard_negatives"] += 1
    return KeyCounts(
        arcs=sum(key.family.is_arc for key in keys),
        hard_negatives=sum(not key.family.is_arc for key in keys),
        by_family=dict(sorted(Counter(key.family.value for key in keys).items())),
        by_conversation=dict(sorted(by_conversation.items())),
    )


def read_manifest(folder: Path) -> Manifest:
    """A release's manifest; raises ReleaseError for a directory that is no release."""
    path = folder / MARKER
    if not path.is_file():
        raise ReleaseError("holds no manifest.json", file=folder, remedy="name a release directory made by `twist inject`")
    return read_value(path, Manifest.model_validate, ReleaseError)

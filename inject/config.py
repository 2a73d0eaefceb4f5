"""Configuration of an injection run: all that decides its bytes, and nothing else."""

from __future__ import annotations

import hashlib
from importlib import resources
from pathlib import Path
from typing import Any, Literal

from pydantic import Field

from inject.qa import RevalidationConfig
from twistcore.fingerprints import fingerprint
from twistcore.verdicts import Stored

CONFIG_SCHEMA = "twist-inject-config/3"
DEFAULT_PAIRS = 6
DATA_FOLDERS = (
    ("arcs", "topics"),
    ("inject", "smalltalk"),
    ("inject", "bridges"),
    ("inject", "verifiers"),
    ("twistcore", "text/data"),
    ("locomo_patch", "revalidation/data"),
)


class ModelsConfig(Stored):
    """Which models write and judge, and with what. `same_family`: writer and verifier may share their blind spots."""

    writer: str
    verifier: str
    same_family: bool
    writer_temperature: float | None
    verifier_temperature: float | None
    max_tokens: int | None
    prompts: dict[str, str]
    scout: bool
    rounds: int = Field(ge=1)


class InjectConfig(Stored):
    """What a release is a function of (DESIGN.md rule 10).

    `data_sha256` covers every data file of `DATA_FOLDERS` and of `inject/`.
    """

    schema_version: str = CONFIG_SCHEMA
    track: Literal["A"]
    seed: int
    pairs_per_conversation: int = Field(ge=0)
    conversations: list[str]
    corpus: str
    corpus_sha256: str
    writer: str
    verifier: str
    gates: dict[str, str]
    data_sha256: str
    revalidation: RevalidationConfig | None = None
    models: ModelsConfig | None = None
    reviews_sha256: str | None = Field(
        default=None, exclude_if=lambda value: value is None, description="SHA-256 of the file of people's decisions"
    )

    @property
    def basis(self) -> dict[str, Any]:
        """What a conversation's checkpoint is a function of: all of it but the settings that come in once everything is injected.

        An interrupted run may go on with another policy, judge or errata file (DESIGN.md rules 10 and 11): its injected items are
        the same, and a decision that was kept names the judge that it was made with.
        """
        whole = self.model_dump(mode="json")
        if self.revalidation is not None:
            whole["revalidation"] = self.revalidation.basis
        return whole

    @property
    def fingerprint(self) -> str:
        """Hash of the whole configuration."""
        return fingerprint(self.model_dump(mode="json"))


def hash_data() -> str:
    """One hash over every data file that the offline product is made of."""
    digest = hashlib.sha256()
    folders = [Path(str(resources.files(package))) / folder for package, folder in DATA_FOLDERS]
    files = [path for folder in folders for path in sorted(folder.iterdir()) if path.suffix in {".yaml", ".gz", ".json"}]
    files += sorted(Path(str(resources.files("inject"))).glob("*.yaml"))
    for path in files:
        digest.update(path.name.encode())
        digest.update(hashlib.sha256(path.read_bytes()).digest())
    return digest.hexdigest()

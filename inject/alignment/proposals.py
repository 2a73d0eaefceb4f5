"""Track B proposals: drafts with their gold, ours or anybody's (SCHEMAS.md, "Proposals and verdicts")."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Annotated

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field

from arcs.draft_families import DraftFamily, DraftType
from inject.proposals import read_each


def _family(value: object) -> object:
    return DraftFamily.named(value) if isinstance(value, str) else value


class DraftProposal(BaseModel):
    """A draft with the public key's fields. Fields that others add are ignored; a missing one is an error of the line."""

    model_config = ConfigDict(extra="ignore", frozen=True)

    id: str
    conv: str
    speaker: str
    type: DraftType
    family: Annotated[DraftFamily, BeforeValidator(_family)]
    draft: Annotated[str, Field(min_length=1)]
    evidence: list[str]
    contradicted_quote: str
    rationale: str | None = None
    history_turns: int | None = None

    @property
    def sample_id(self) -> str:
        """The conversation, by the name that the rest of the project gives it."""
        return self.conv

    @property
    def contradicts(self) -> bool:
        """Whether the gold is that the draft contradicts the record."""
        return self.type is DraftType.CONTRADICTING


def read_drafts(path: Path) -> Iterator[DraftProposal]:
    """Drafts of a JSON Lines file; raises ProposalError naming the line and the field."""
    return read_each(path, DraftProposal)

"""Proposals: prose for a plan, ours or anybody's (SCHEMAS.md, "Proposals and verdicts")."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Annotated, TypeVar

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from arcs.taxonomy import Family, Role
from twistcore.errors import ProposalError
from twistcore.store import read_lines

Model = TypeVar("Model", bound=BaseModel)


class ProposedTurn(BaseModel):
    """One gold turn as it would be spoken. `session` is the host session's number."""

    model_config = ConfigDict(extra="ignore", frozen=True)

    role: Role
    session: int
    speaker: str
    text: str


class Proposal(BaseModel):
    """A Track A proposal. Fields that others add are ignored; a missing one is an error of the line."""

    model_config = ConfigDict(extra="ignore", frozen=True)

    id: str
    family: Family
    sample_id: str
    holder: str
    topic: str
    old_belief: str
    new_belief: str | None
    turns: Annotated[list[ProposedTurn], Field(min_length=1)]

    @property
    def anchor(self) -> ProposedTurn | None:
        """The first anchor turn, if the proposal has one."""
        return next((turn for turn in self.turns if turn.role is Role.ANCHOR), None)

    @property
    def later(self) -> ProposedTurn | None:
        """The last reversal or statement turn, if the proposal has one."""
        return next((turn for turn in reversed(self.turns) if turn.role in (Role.REVERSAL, Role.STATEMENT)), None)

    @property
    def drift(self) -> list[ProposedTurn]:
        """Pressure signals between anchor and reversal."""
        return [turn for turn in self.turns if turn.role is Role.DRIFT]


def read_proposals(path: Path) -> Iterator[Proposal]:
    """Proposals of a JSON Lines file; raises ProposalError naming the line and the field."""
    return read_each(path, Proposal)


def read_each(path: Path, model: type[Model]) -> Iterator[Model]:
    """The lines of a file of proposals of any track; raises ProposalError naming the line and the field."""
    for number, value in read_lines(path, ProposalError):
        if _holds_half_a_pair(value):
            raise ProposalError("holds half a surrogate pair", file=path, place=f"line {number}", remedy="write whole characters")
        try:
            yield model.model_validate(value)
        except ValidationError as error:
            first = error.errors()[0]
            field = ".".join(str(part) for part in first["loc"])
            raise ProposalError(
                f"field {field}: {first['msg']}", file=path, place=f"line {number}", remedy="see SCHEMAS.md, Proposals and verdicts"
            ) from error


def _holds_half_a_pair(value: object) -> bool:
    """Whether a text cannot be written as UTF-8; no analysis can take such a one."""
    return any("\ud800" <= character <= "\udfff" for character in json.dumps(value, ensure_ascii=False))

"""Edits: typed changes to a corpus. Only accepted proposals become edits; applying them is pure (`apply.py`)."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field, TypeAdapter, model_validator

from twistcore.verdicts import Stored, Verdict

SCHEMA = "twist-edit/1"


class NewTurn(Stored):
    """A turn to be added. A caption makes a caption-only turn (311 exist upstream); no URL is ever made up."""

    speaker: str
    text: Annotated[str, Field(min_length=1)]
    caption: str | None = None


class ObservationRow(Stored):
    """A row for a session's observation block: `turn` is the 0-based offset of the new turn that it is drawn from."""

    speaker: str
    fact: str
    turn: Annotated[int, Field(ge=0)]


class SummarySentence(Stored):
    """A sentence for a session's summary, put at character offset `at` of the *source* summary."""

    text: str
    at: Annotated[int, Field(ge=0)]


class InsertExchange(Stored):
    """An even-sized exchange put into a session after source turn `after` (its position; the session's length appends)."""

    kind: Literal["insert_exchange"] = "insert_exchange"
    schema_version: str = SCHEMA
    id: str
    items: list[str]
    sample_id: str
    session: Annotated[int, Field(ge=1)]
    after: Annotated[int, Field(ge=1)]
    seam: str
    turns: Annotated[list[NewTurn], Field(min_length=2)]
    observations: list[ObservationRow] = Field(default_factory=list)
    summary: SummarySentence | None = None
    verdicts: list[Verdict] = Field(default_factory=list)

    @model_validator(mode="after")
    def _even(self) -> InsertExchange:
        if len(self.turns) % 2:
            raise ValueError("an exchange inside a session must be even-sized, so that speakers still alternate")
        return self


class AppendSession(Stored):
    """A whole session after the last one, with its derived rows. `dangling`: the source has its date key already (conv-26)."""

    kind: Literal["append_session"] = "append_session"
    schema_version: str = SCHEMA
    id: str
    items: list[str]
    sample_id: str
    session: Annotated[int, Field(ge=1)]
    date_text: str
    dangling: bool
    event_date: str
    turns: Annotated[list[NewTurn], Field(min_length=4)]
    events: dict[str, list[str]]
    observations: list[ObservationRow]
    summary: str
    verdicts: list[Verdict] = Field(default_factory=list)


Edit = Annotated[InsertExchange | AppendSession, Field(discriminator="kind")]
EDIT: TypeAdapter[InsertExchange | AppendSession] = TypeAdapter(Edit)

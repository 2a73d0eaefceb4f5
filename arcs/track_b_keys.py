"""Gold-key items of Track B (SCHEMAS.md, "Turns and keys"): the public key's ten fields and the line that all keys share."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field, model_validator

from arcs.draft_families import DraftFamily, DraftType
from arcs.keys import Evidence, Provenance
from twistcore.verdicts import Stored

KEY_VERSION_B = "TWIST-B-v0.1"
KEYS_B = "keys/track_b.jsonl"


class TrackBKey(Stored):
    """A draft that a mutual friend might send to one speaker, with its gold. A pair shares the turn that both are judged by."""

    id: str
    conv: str
    speaker: str
    type: DraftType
    family: DraftFamily
    draft: Annotated[str, Field(min_length=1)]
    evidence: Annotated[Evidence, Field(min_length=1)]
    contradicted_quote: str
    rationale: str
    history_turns: Annotated[int, Field(ge=1)]
    key_version: str = KEY_VERSION_B
    track: Literal["B"] = "B"
    sample_id: str
    holder: str
    pair_id: str
    provenance: Provenance

    @model_validator(mode="after")
    def _fields_agree(self) -> TrackBKey:
        if self.type is not self.family.type:
            raise ValueError(f"the type of {self.family.code} is {self.family.type.value}")
        if bool(self.contradicted_quote) != (self.type is DraftType.CONTRADICTING):
            raise ValueError("a quote is given for contradicting drafts and only for them")
        if (self.conv, self.speaker) != (self.sample_id, self.holder):
            raise ValueError("conv and speaker repeat sample_id and holder")
        return self

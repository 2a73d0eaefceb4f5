"""Reported faults of LoCoMo's own answer key: they set the flag `already_broken`, and are never why a question counts as perturbed.

The file has the shape of the public audit's facts (dial481/locomo-audit): question, category, error type, cited evidence. Its wrong
citations leave the gold as it is and set no flag (LOCOMO.md section 7).
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from pydantic import BaseModel, ConfigDict, TypeAdapter

from locomo_patch.document import Document
from locomo_patch.revalidation.identity import identify_document, question_key
from twistcore.errors import UsageError
from twistcore.stored import read_value

WRONG_CITATION = "WRONG_CITATION"


class UpstreamFault(BaseModel):
    """One reported fault; fields that we do not know are ignored."""

    model_config = ConfigDict(extra="ignore", frozen=True)

    sample_id: str
    question: str
    category: int
    error_type: str
    cited_evidence: list[str]

    @property
    def breaks_gold(self) -> bool:
        """Whether the gold itself is wrong, and not only the place that it cites."""
        return self.error_type != WRONG_CITATION

    @property
    def key(self) -> str:
        """The question's key inside its conversation."""
        return question_key(self.question, self.category, self.cited_evidence)


_FAULTS = TypeAdapter(list[UpstreamFault])


def read_upstream(path: Path) -> list[UpstreamFault]:
    """The faults of a file; raises UsageError with the place of the first malformed one."""
    return read_value(path, _FAULTS.validate_python, UsageError, remedy="use the shape of locomo_errata.json")


def find_broken(source: Document, faults: Sequence[UpstreamFault], path: Path) -> frozenset[tuple[str, str, int]]:
    """Identities of the questions whose gold is wrong upstream; every copy of a byte-identical question counts.

    Raises UsageError where a fault names a question that the corpus does not have: then it is the list of another version.
    """
    known: dict[tuple[str, str], list[tuple[str, str, int]]] = {}
    for question in identify_document(source):
        known.setdefault(question.identity.parts[:2], []).append(question.identity.parts)
    for number, fault in enumerate(faults):
        if (fault.sample_id, fault.key) not in known:
            raise UsageError(
                "names a question that the corpus does not have",
                file=path,
                place=f"entry {number} ({fault.sample_id})",
                remedy="use the errata of this version of LoCoMo",
            )
    return frozenset(identity for fault in faults if fault.breaks_gold for identity in known.get((fault.sample_id, fault.key), ()))

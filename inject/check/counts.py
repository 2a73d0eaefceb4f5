"""The manifest says what the release holds: everything is counted again here, from keys, edits and corpora."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from inject.check.broken import Broken, Rule
from inject.check.opened import Corpora, Opened
from inject.check.pairs import frames_of
from inject.datasheet import DATASHEET, said_figures
from inject.manifest import MANIFEST_SCHEMA, Counts, Manifest
from inject.release import canonical_sha256
from locomo_patch.versions import KNOWN, LICENCE, MOCK, UNKNOWN
from twistcore.store import MARKER

Faults = Iterator[tuple[str, str]]


def check_counts(opened: Opened, corpora: Corpora) -> list[Broken]:
    """Figures, shortfalls, names and hashes of the manifest that are not the artefact's."""
    manifest = opened.manifest
    found = [*_counts(opened, corpora), *_source(manifest, corpora), *_names(manifest), *_config(manifest), *_shortfall(opened)]
    if manifest.released_sha256 != opened.document.sha256():
        found.append(("released_sha256", "is not the hash of corpus/"))
    broken = [Broken(Rule.MANIFEST, MARKER, place, wrong) for place, wrong in found]
    return [*broken, *_datasheet(opened)]


def _counts(opened: Opened, corpora: Corpora) -> Faults:
    held, counted = opened.manifest.counts.model_dump(), _count(opened, corpora).model_dump()
    for name, value in counted.items():
        if held[name] != value:
            yield f"counts.{name}", f"is {held[name]}, the release holds {value}"


def _count(opened: Opened, corpora: Corpora) -> Counts:
    arcs = [key for key in opened.keys if key.family.is_arc]
    negatives = [key for key in opened.keys if not key.family.is_arc]
    by_conversation = {
        sample_id: {
            "arcs": sum(key.sample_id == sample_id for key in arcs),
            "hard_negatives": sum(key.sample_id == sample_id for key in negatives),
        }
        for sample_id in sorted({key.sample_id for key in opened.keys})
    }
    seams = Counter(edit.seam for edit in opened.exchanges)
    seams["appended"] = sum(len(edit.items) for edit in opened.appended)
    texts = Counter((edit.sample_id, turn.text) for edit in opened.edits for turn in edit.turns)
    quotes = Counter(turn.quote for key in opened.keys for turn in key.turns)
    released = sum(len(session.turns) for conversation in corpora.released.conversations for session in conversation.sessions)
    source = sum(len(session.turns) for conversation in corpora.source.conversations for session in conversation.sessions)
    return Counts(
        arcs=len(arcs),
        hard_negatives=len(negatives),
        by_family=dict(sorted(Counter(key.family.value for key in opened.keys).items())),
        by_conversation=by_conversation,
        frames=_frames(opened),
        exchanges=seams.total(),
        exchanges_by_seam=dict(sorted(seams.items())),
        appended_sessions=len(opened.appended),
        inserted_turns=released - source,
        released_turns=released,
        rejects=len(opened.rejects),
        reused_lines=sum(count - 1 for counter in (texts, quotes) for count in counter.values()),
    )


def _frames(opened: Opened) -> int:
    """Distinct frames. Where a topic is of no frame that ships, the manifest's figure stands, as long as there are pairs for it."""
    frames = [frames_of(key) for key in opened.keys]
    if all(len(found) == 1 for found in frames):
        return len(frozenset().union(*frames))
    return min(opened.manifest.counts.frames, len({key.pair_id for key in opened.keys}))


def _source(manifest: Manifest, corpora: Corpora) -> Faults:
    source = corpora.source
    counted = {
        "conversations": len(source.conversations),
        "turns": sum(1 for _ in source.turns()),
        "questions": sum(len(conversation.questions) for conversation in source.conversations),
    }
    for name, value in counted.items():
        if getattr(manifest.source, name) != value:
            yield f"source.{name}", f"is {getattr(manifest.source, name)}, the source has {value}"
    if manifest.source.canonical_sha256 != canonical_sha256(corpora.source_document):
        yield "source.canonical_sha256", "is not the hash of the source's content"
    if len(manifest.source.files) == 1 and list(manifest.source.files.values()) != [manifest.source.sha256]:
        yield "source.files", "does not hold the hash of the source"


def _names(manifest: Manifest) -> Faults:
    """One corpus under one name everywhere, and the name is the hash's."""
    source = manifest.source
    known = KNOWN.get(source.sha256)
    name = known.name if known else UNKNOWN
    if source.version != name:
        yield "source.version", f"is {source.version}, the hash is that of {name if known else 'no known version'}"
    if known is not None and source.questions != known.questions:
        yield "source.questions", f"is {source.questions}, {known.name} has {known.questions}"
    if manifest.schema_version != MANIFEST_SCHEMA:
        yield "schema_version", f"is {manifest.schema_version}, {MANIFEST_SCHEMA} was expected"


def _config(manifest: Manifest) -> Faults:
    source = manifest.source
    for place, name in (("corpus", manifest.corpus), ("config.corpus", manifest.config.corpus)):
        if name != source.version:
            yield place, f"is {name}, the source is {source.version}"
    if manifest.config.corpus_sha256 != source.sha256:
        yield "config.corpus_sha256", "is not the source's"
    if manifest.config_sha256 != manifest.config.fingerprint:
        yield "config_sha256", "is not the hash of the configuration"
    if manifest.licence != ("MIT" if source.version == MOCK else LICENCE):
        yield "licence", f"is {manifest.licence[:40]!r}, what is derived from LoCoMo stays under its licence"


def _shortfall(opened: Opened) -> Faults:
    """What was asked for is there, or its lack is owned to."""
    config, shortfall = opened.manifest.config, opened.manifest.shortfall
    arcs = Counter(key.sample_id for key in opened.keys if key.family.is_arc)
    for sample_id in config.conversations:
        missing = sum(shortfall.get(sample_id, {}).values())
        if arcs[sample_id] + missing != config.pairs_per_conversation:
            wrong = f"says {missing} are missing, {arcs[sample_id]} of {config.pairs_per_conversation} arcs are there"
            yield f"shortfall.{sample_id}", wrong
    for sample_id in sorted({*shortfall, *arcs, *(edit.sample_id for edit in opened.edits)} - set(config.conversations)):
        yield "config.conversations", f"does not name {sample_id}, which was injected or fell short"


def _datasheet(opened: Opened) -> Iterator[Broken]:
    path = opened.folder / DATASHEET
    if not path.is_file():
        return
    text = path.read_text(encoding="utf-8", errors="replace")
    for said in said_figures(opened.manifest):
        if said not in text:
            yield Broken(Rule.MANIFEST, DATASHEET, "", f"does not say {said!r}")

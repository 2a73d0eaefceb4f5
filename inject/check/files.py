"""Files of a release: all there, equal to their hashes, in their schemas, nothing beside them (SCHEMAS.md, DESIGN.md rule 14)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path, PurePosixPath

from pydantic import TypeAdapter

from arcs.keys import KEY_VERSION_A, KEYS_A, TrackAKey
from inject.check.broken import Broken, Rule
from inject.check.opened import Opened
from inject.check.strict import read_model, read_rows, read_value
from inject.config import CONFIG_SCHEMA
from inject.datasheet import DATASHEET
from inject.key_history import KEY_REVISIONS, original_keys, retired_items
from inject.manifest import UNHASHED, Manifest, count_keys
from inject.qa import QA_FILES
from inject.rejects import REJECTS_A, Rejected
from inject.reviews import REVIEWS_A, UsedReview
from locomo_patch.apply import AnyEdit
from locomo_patch.document import Document, Shape
from locomo_patch.edits import EDIT
from locomo_patch.edits import SCHEMA as EDIT_SCHEMA
from locomo_patch.errata.disputes import Action
from locomo_patch.id_map import ID_MAP, ID_MAPS
from locomo_patch.reader import read_document
from locomo_patch.revalidation.states import LEFT_SCHEMA, REVISIONS, VERSIONED_OUT, QuestionRevision, VersionedOut
from locomo_patch.revalidation.states import REVISION_SCHEMA as QUESTION_SCHEMA
from twistcore.cost import COST, Cost
from twistcore.errors import CorpusError, ReleaseError
from twistcore.fingerprints import sha256_file
from twistcore.revisions import REVISION_SCHEMA, Revision, unsigned
from twistcore.store import EDITS, MARKER

CORPUS = "corpus"
AUDITS = "audits"
REPORT = "report.html"
REQUIRED = (DATASHEET, EDITS, ID_MAP, KEYS_A, REJECTS_A)


_MANIFEST = TypeAdapter(Manifest)
_COST = TypeAdapter(Cost)
_KEY = TypeAdapter(TrackAKey)
_REJECTED = TypeAdapter(Rejected)
_REVISION = TypeAdapter(QuestionRevision)
_LEFT = TypeAdapter(VersionedOut)
_CHANGE = TypeAdapter(Revision)
_REVIEW = TypeAdapter(UsedReview)


def open_release(folder: Path) -> tuple[Opened | None, list[Broken]]:
    """The release, or None where a file cannot be read in its schema, and what is wrong with its files.

    Raises ReleaseError for a directory that is no release at all.
    """
    if not (folder / MARKER).is_file():
        raise ReleaseError("holds no manifest.json", file=folder, remedy="name a release directory made by `twist inject`")
    manifest, faults = read_model(folder, MARKER, _MANIFEST)
    if manifest is None:
        return None, faults
    stored = list(_stored_files(folder))
    broken = [*_hashes(folder, manifest), *_unknown(manifest, stored), *_missing(manifest)]
    missing = {found.file for found in broken if found.wrong == "is missing"}
    edits, faults = read_rows(folder, EDITS, EDIT)
    keys, more = read_rows(folder, KEYS_A, _KEY)
    history, changes = read_rows(folder, KEY_REVISIONS, _CHANGE) if manifest.errata is not None else ([], [])
    held = keys
    if not more and not changes:
        keys, changes = _undo(keys, history)
    rejects, again = read_rows(folder, REJECTS_A, _REJECTED)
    reviews, taken = read_rows(folder, REVIEWS_A, _REVIEW) if manifest.reviews is not None else ([], [])
    again = [*again, *taken]
    revisions, states = read_rows(folder, REVISIONS, _REVISION) if manifest.qa is not None else ([], [])
    left, out = read_rows(folder, VERSIONED_OUT, _LEFT) if manifest.qa is not None else ([], [])
    id_map, last = read_model(folder, ID_MAP, ID_MAPS)
    _, cost = read_model(folder, COST, _COST)
    document, corpus = _document(folder, manifest)
    unreadable = [
        found for found in (*faults, *more, *changes, *again, *states, *out, *last, *cost, *corpus) if found.file not in missing
    ]
    if document is None or id_map is None or faults or more or changes or again or states or out:
        return None, [*broken, *unreadable, *_signatures(history)]
    unreadable += _versions(
        manifest,
        (
            (EDITS, EDIT_SCHEMA, edits),
            (REVISIONS, QUESTION_SCHEMA, revisions),
            (VERSIONED_OUT, LEFT_SCHEMA, left),
            (KEY_REVISIONS, REVISION_SCHEMA, history),
        ),
    )
    opened = Opened(
        folder,
        manifest,
        document,
        tuple(edits),
        tuple(keys),
        tuple(rejects),
        id_map,
        tuple(revisions),
        tuple(left),
        tuple(history),
        tuple(reviews),
    )
    unreadable += [*_errata(manifest, held, history), *_signatures(history)]
    return opened, [*broken, *unreadable]


def _undo(keys: list[TrackAKey], history: list[Revision]) -> tuple[list[TrackAKey], list[Broken]]:
    """The items as they were injected, so that every proof of the injection holds for them."""
    if not history:
        return keys, []
    try:
        return original_keys(keys, history), []
    except ReleaseError as error:
        return keys, [Broken(Rule.SCHEMA, KEY_REVISIONS, error.place or "", error.message)]


def _errata(manifest: Manifest, keys: list[TrackAKey], history: list[Revision]) -> Iterator[Broken]:
    """The manifest's figures of errata, and one key version for the whole track."""
    if manifest.errata is None:
        return
    said, found = manifest.errata, (len(history), retired_items(history))
    if (said.revisions, said.retired_items) != found:
        yield Broken(Rule.MANIFEST, MARKER, "errata", f"says {said.revisions} and {said.retired_items}, the history has {found}")
    if said.holds != count_keys(keys):
        yield Broken(Rule.MANIFEST, MARKER, "errata.holds", "is not what the key holds")
    versions = {key.key_version for key in keys}
    if versions - {said.key_version} or said.key_version <= KEY_VERSION_A:
        yield Broken(Rule.MANIFEST, MARKER, "errata.key_version", f"is {said.key_version}, the keys have {sorted(versions)}")


def _signatures(history: list[Revision]) -> Iterator[Broken]:
    """Every revision of an item was accepted by somebody, on a day, for a reason (after the action that it begins with)."""
    for number, revision in enumerate(history, start=1):
        action, colon, why = revision.reason.partition(":")
        reason = why if colon and action in set(Action) else revision.reason
        for wrong in unsigned(revision.by, revision.date, reason):
            yield Broken(Rule.SCHEMA, KEY_REVISIONS, f"line {number} {revision.target}", wrong)


def _versions(
    manifest: Manifest, rows: Iterable[tuple[str, str, Sequence[AnyEdit | QuestionRevision | VersionedOut | Revision]]]
) -> Iterator[Broken]:
    if manifest.config.schema_version != CONFIG_SCHEMA:
        yield Broken(Rule.SCHEMA, MARKER, "config.schema_version", f"is {manifest.config.schema_version}, not {CONFIG_SCHEMA}")
    for name, schema, lines in rows:
        for number, line in enumerate(lines, start=1):
            if line.schema_version != schema:
                yield Broken(Rule.SCHEMA, name, f"line {number} field schema_version", f"is {line.schema_version}, not {schema}")


def _stored_files(folder: Path) -> Iterator[str]:
    for path in sorted(folder.rglob("*")):
        if path.is_symlink() or not path.is_dir():
            yield path.relative_to(folder).as_posix()


def _hashes(folder: Path, manifest: Manifest) -> Iterator[Broken]:
    for name, digest in manifest.files.items():
        if PurePosixPath(name).is_absolute() or ".." in PurePosixPath(name).parts:
            yield Broken(Rule.MANIFEST, MARKER, f"files.{name}", "names a file outside the release")
            continue
        if not (folder / name).is_file():
            yield Broken(Rule.MANIFEST, name, "", "is missing")
        elif sha256_file(folder / name) != digest:
            yield Broken(Rule.MANIFEST, name, "", "is not the file whose hash the manifest holds")
    if not (folder / COST).is_file():
        yield Broken(Rule.MANIFEST, COST, "", "is missing")


def _unknown(manifest: Manifest, stored: list[str]) -> Iterator[Broken]:
    for name in stored:
        if name in manifest.files or name in UNHASHED or name == REPORT:
            continue
        if PurePosixPath(name).parts[0] == AUDITS and name.endswith(".json"):
            continue
        yield Broken(Rule.MANIFEST, name, "", "is no file of a release; the manifest does not name it")


def _missing(manifest: Manifest) -> Iterator[Broken]:
    expected = {
        *REQUIRED,
        *(f"{CORPUS}/{name}" for name in manifest.source.files),
        *(QA_FILES if manifest.qa is not None else ()),
        *((KEY_REVISIONS,) if manifest.errata is not None else ()),
        *((REVIEWS_A,) if manifest.reviews is not None else ()),
    }
    for name in sorted(expected - set(manifest.files)):
        yield Broken(Rule.MANIFEST, MARKER, "files", f"does not hold the hash of {name}")
    for name in sorted(set(manifest.files) - expected):
        yield Broken(Rule.MANIFEST, MARKER, f"files.{name}", "is no file of a Track A release")


def _document(folder: Path, manifest: Manifest) -> tuple[Document | None, list[Broken]]:
    faults: list[Broken] = []
    for name in manifest.source.files:
        faults.extend(read_value(folder, f"{CORPUS}/{name}")[1])
    if faults:
        return None, faults
    listed = manifest.source.shape == Shape.LIST.value
    path = folder / CORPUS / next(iter(manifest.source.files), "") if listed else folder / CORPUS
    try:
        document = read_document(path)
        for sample_id in document.sample_ids:
            document.blocks(sample_id)
    except (CorpusError, KeyError, TypeError) as error:
        message = error.message if isinstance(error, CorpusError) else f"lacks the block {error}"
        place = (error.place or "") if isinstance(error, CorpusError) else ""
        return None, [Broken(Rule.SCHEMA, f"{CORPUS}/{path.name}" if listed else CORPUS, place, message)]
    if document.shape.value != manifest.source.shape:
        wrong = f"is {manifest.source.shape}, the corpus has the {document.shape.value} shape"
        faults.append(Broken(Rule.MANIFEST, MARKER, "source.shape", wrong))
    return document, faults

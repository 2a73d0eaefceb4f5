"""Changes a finished release's questions and keys: re-validation on its own, and errata.

Nothing is overwritten: lines are appended, and the next key version says so. All files change together or none does.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from pydantic import ValidationError

from arcs.keys import KEY_VERSION_A, KEYS_A, TrackAKey
from inject.datasheet import DATASHEET, write_datasheet
from inject.key_history import KEY_REVISIONS, next_version, read_key_revisions, read_keys, retired_items
from inject.manifest import UNHASHED, KeyErrata, Manifest, count_keys, read_manifest
from inject.qa import FIRST_QA_VERSION, RevalidationConfig, qa_files, record_qa
from inject.report import REPORT, render_report
from inject.view import OpenRelease
from locomo_patch.apply import AnyEdit, apply_edits
from locomo_patch.document import Document
from locomo_patch.errata.disputes import Action, SortedDisputes, revise_disputed
from locomo_patch.id_map import ConversationIds
from locomo_patch.reader import type_corpus
from locomo_patch.released import CHECK, read_placed, read_states, without_edits
from locomo_patch.revalidation.states import (
    QuestionRevision,
    current_states,
    decided_by_errata,
)
from locomo_patch.revalidation.versioning import put_back_questions
from twistcore.errors import ReleaseError, UsageError
from twistcore.fingerprints import sha256_bytes
from twistcore.folders import lock_folder, replace_files
from twistcore.revisions import Revision
from twistcore.store import MARKER, dump_json, dump_lines

# What an erratum may correct in an item: its wording. What the item is (family, gold, evidence) is corrected by retiring it.
CORRECTABLE = frozenset({"topic", "old_belief", "new_belief"})


@dataclass(frozen=True)
class ReleaseFiles:
    """A release as it stands: its corpus with and without the edits, its questions, keys and their histories.

    `whole` is the released corpus with the questions that left it put back in their places.
    """

    folder: Path
    manifest: Manifest
    edits: tuple[AnyEdit, ...]
    id_map: dict[str, ConversationIds]
    source: Document
    whole: Document
    revisions: tuple[QuestionRevision, ...]
    keys: tuple[TrackAKey, ...]
    key_revisions: tuple[Revision, ...]


def open_files(folder: Path) -> ReleaseFiles:
    """Read a release; raises ReleaseError for what is none or does not hold together."""
    manifest = read_manifest(folder)
    placed = read_placed(folder)
    revisions, left = read_states(folder, placed.loaded)
    if (revisions is None) != (manifest.qa is None):
        what = "says nothing of questions, and qa/ is there" if manifest.qa is None else "tells of questions, and qa/ is not there"
        raise ReleaseError(what, file=folder / MARKER, remedy=CHECK)
    source = put_back_questions(without_edits(folder, placed), left)
    whole = apply_edits(source, placed.edits)[0]
    history = read_key_revisions(folder)
    lines = tuple(revisions or ())
    return ReleaseFiles(folder, manifest, placed.edits, placed.id_map, source, whole, lines, read_keys(folder), history)


def changed_lines(before: Sequence[QuestionRevision], now: Sequence[QuestionRevision]) -> list[QuestionRevision]:
    """The history with a line appended for every question whose state, kind or reason is another now; errata stand."""
    current = current_states(before)
    if not current:
        return list(now)
    appended = []
    for line in now:
        old = current[line.identity]
        # A flag that was set once stays: a run without the list of upstream faults does not take it back.
        flagged = line.model_copy(update={"already_broken": line.already_broken or old.already_broken})
        if not decided_by_errata(old) and _outcome(old) != _outcome(flagged):
            appended.append(flagged)
    return [*before, *appended]


def _outcome(line: QuestionRevision) -> tuple[object, ...]:
    return line.state, line.kind, line.reason, line.injected, line.already_broken


def write_questions(
    release: ReleaseFiles,
    lines: Sequence[QuestionRevision],
    decided_by: RevalidationConfig,
    extra: Mapping[str, bytes] | None = None,
    errata: KeyErrata | None = None,
    keys: Sequence[TrackAKey] | None = None,
) -> Manifest:
    """Write a release's questions anew: corpus, qa/, datasheet, report and manifest, which is returned. `keys` are the items where
    `errata` changed them, `extra` more files.

    The same lines write nothing.
    """
    old = release.manifest.qa
    version = next_version(old.key_version.rpartition("-")[2]) if old is not None else FIRST_QA_VERSION
    if old is not None and tuple(lines) == release.revisions and not extra and old.decided_by == decided_by:
        return release.manifest
    if old is not None and tuple(lines) == release.revisions:
        version = old.key_version.rpartition("-")[2]
    document, files = qa_files(release.source, release.whole, release.id_map, lines)
    files |= {f"corpus/{name}": data for name, data in document.dump().items()}
    qa = record_qa(release.source, lines, decided_by, version)
    return _replace(release, {**files, **(extra or {})}, document, keys, {"qa": qa, **({"errata": errata} if errata else {})})


def _replace(
    release: ReleaseFiles, files: dict[str, bytes], document: Document, keys: Sequence[TrackAKey] | None, update: dict[str, Any]
) -> Manifest:
    """Put changed files in their places, with manifest, datasheet and (where there is one) report made anew from them."""
    changed = release.manifest.model_copy(update={**update, "released_sha256": document.sha256()})
    files[DATASHEET] = write_datasheet(changed).encode("utf-8")
    hashed = {name: sha256_bytes(data) for name, data in files.items() if name not in UNHASHED}
    manifest = changed.model_copy(update={"files": dict(sorted({**changed.files, **hashed}.items()))})
    if (release.folder / REPORT).is_file():
        source = manifest.source
        corpus = type_corpus(document, source.version, source.sha256, release.folder)
        held = tuple(keys) if keys is not None else release.keys
        opened = OpenRelease(release.folder, manifest, corpus, held, release.edits, release.id_map)
        files[REPORT] = render_report(opened)
    replace_files(release.folder, {**files, MARKER: dump_json(manifest)})
    return manifest


@dataclass(frozen=True)
class ErrataOutcome:
    """What applying errata changed: questions and key items that got a new line, and the key versions that hold now."""

    questions: int
    items: int
    qa_version: str | None
    key_version: str


def apply_errata(folder: Path, disputes: SortedDisputes, path: Path) -> ErrataOutcome:
    """Append what accepted disputes ask for; raises UsageError for a target that the release does not have.

    Applying the same errata again changes nothing.
    """
    with lock_folder(folder):
        return _apply(folder, disputes, path)


def _apply(folder: Path, disputes: SortedDisputes, path: Path) -> ErrataOutcome:
    release = open_files(folder)
    if disputes.questions and release.manifest.qa is None:
        raise UsageError(
            "names questions, and the release was never re-validated",
            file=path,
            remedy=f"run `twist revalidate --release {folder}`",
        )
    appended = revise_disputed(release.source, release.revisions, disputes, path)
    keys, history, version = _revise_items(release, disputes, path)
    items = len(history) - len(release.key_revisions)
    if not appended and not items:
        return ErrataOutcome(0, 0, _qa_version(release.manifest), _version_of(release.keys, release.manifest))
    extra: dict[str, bytes] = {}
    errata: KeyErrata | None = None
    if items:
        extra = {KEYS_A: dump_lines(keys), KEY_REVISIONS: dump_lines(history)}
        errata = KeyErrata(
            key_version=version, revisions=len(history), retired_items=retired_items(history), holds=count_keys(keys)
        )
    manifest = _write(release, [*release.revisions, *appended], extra, errata, keys)
    return ErrataOutcome(len(appended), items, _qa_version(manifest), version)


def _write(
    release: ReleaseFiles,
    lines: Sequence[QuestionRevision],
    extra: dict[str, bytes],
    errata: KeyErrata | None,
    keys: Sequence[TrackAKey],
) -> Manifest:
    if release.manifest.qa is not None:
        return write_questions(release, lines, release.manifest.qa.decided_by, extra, errata, keys)
    return _replace(release, extra, release.whole, keys, {"errata": errata})


def _qa_version(manifest: Manifest) -> str | None:
    return manifest.qa.key_version if manifest.qa is not None else None


def _version_of(keys: Sequence[TrackAKey], manifest: Manifest) -> str:
    if keys:
        return keys[0].key_version
    return manifest.errata.key_version if manifest.errata is not None else KEY_VERSION_A


def _revise_items(release: ReleaseFiles, disputes: SortedDisputes, path: Path) -> tuple[list[TrackAKey], list[Revision], str]:
    """Keys, their history and their version after the disputes.

    An item that is retired takes its partner along: no item without its control.
    """
    keys = {key.id: key for key in release.keys}
    history = list(release.key_revisions)
    gone = {revision.target for revision in history if revision.new is None}
    before = len(history)
    for dispute in disputes.items:
        ident = str(dispute.target)
        if ident in gone:
            continue
        if ident not in keys:
            raise UsageError(f"no key item {ident}", file=path, remedy="`twist show DIR` lists the ids")
        for key in _concerned(keys, keys[ident], dispute.action):
            new = _new_item(key, dispute.action, dispute.new, path)
            old = key.model_dump(mode="json")
            value = new.model_dump(mode="json") if new is not None else None
            note = "" if key.id == ident else f" (partner of {ident})"
            revision = Revision(
                target=key.id, by=dispute.by, date=dispute.date.isoformat(),
                reason=f"{dispute.action.value}: {dispute.reason}{note}", old=old, new=value,
            )  # fmt: skip
            marked = dispute.action is Action.MARK_BROKEN
            known = any(_same_entry(r, revision) for r in history)
            if known or (value == old and not marked):
                continue
            history.append(revision)
            if new is None:
                del keys[key.id]
                gone.add(key.id)
            else:
                keys[key.id] = new
    if len(history) == before:
        return list(release.keys), history, _version_of(release.keys, release.manifest)
    head, _, version = _version_of(release.keys, release.manifest).rpartition("-")
    named = f"{head}-{next_version(version)}"
    return [key.model_copy(update={"key_version": named}) for key in keys.values()], history, named


def _same_entry(earlier: Revision, revision: Revision) -> bool:
    """Whether a revision is in the history already, whatever came after it."""
    return _entry(earlier) == _entry(revision)


def _entry(revision: Revision) -> tuple[object, ...]:
    new = {name: value for name, value in (revision.new or {}).items() if name != "key_version"}
    return revision.target, revision.by, revision.date, revision.reason, new


def _concerned(keys: Mapping[str, TrackAKey], key: TrackAKey, action: Action) -> list[TrackAKey]:
    if action is not Action.RETIRE:
        return [key]
    return [other for other in keys.values() if other.pair_id == key.pair_id and other.sample_id == key.sample_id]


def _new_item(key: TrackAKey, action: Action, new: Any, path: Path) -> TrackAKey | None:
    if action is Action.RETIRE:
        return None
    if action is Action.MARK_BROKEN:
        return key
    if not isinstance(new, dict) or not new or set(new) - CORRECTABLE:
        raise UsageError(
            f"a revised item takes a mapping of {', '.join(sorted(CORRECTABLE))}", file=path, place=key.id,
            remedy="retire an item whose family, gold or evidence is wrong",
        )  # fmt: skip
    try:
        return TrackAKey.model_validate({**key.model_dump(mode="json"), **new})
    except ValidationError as error:
        raise UsageError(error.errors()[0]["msg"], file=path, place=key.id) from error

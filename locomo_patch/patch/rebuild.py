"""A release out of a patch and the source. Pure: files as bytes, each compared with the hash that the patch holds."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from pydantic import ValidationError

from locomo_patch.apply import AnyEdit, apply_edits
from locomo_patch.document import Document, Shape
from locomo_patch.edits import EDIT
from locomo_patch.id_map import ID_MAP
from locomo_patch.patch.models import Making, Patch, PatchError, PatchFile, QuestionName, sum_up
from locomo_patch.patch.parts import decode_parts
from locomo_patch.patch.places import Places, collect_places
from locomo_patch.patch.questions import take_out
from twistcore.errors import ReleaseError
from twistcore.fingerprints import sha256_bytes
from twistcore.store import EDITS, dump_json

CORPUS = "corpus"
DAMAGED = "fetch the patch again"


def apply_in_memory(source: Document, edits: Sequence[AnyEdit], left: list[QuestionName]) -> dict[str, bytes]:
    """The files that structure alone gives: the released corpus and the id map."""
    released, id_map = apply_edits(source, edits)
    take_out(released, source, left)
    return {**{f"{CORPUS}/{name}": data for name, data in released.dump().items()}, ID_MAP: dump_json(id_map)}


def fit_source(patch: Patch, document: Document) -> Document:
    """The document under the file names that the patch knows; raises PatchError naming the file that is another."""
    wanted = patch.source
    if document.shape is not wanted.shape:
        what = f"the corpus has the {document.shape.value} shape, the patch was made from the {wanted.shape.value} one"
        raise PatchError(what, remedy="name the corpus that the patch was made from")
    if document.shape is Shape.LIST:
        # The list file may have any name; the flat files' names are their conversations' ids.
        document = replace(document, files=(replace(document.files[0], name=next(iter(wanted.files))),))
    found = {file.name: sha256_bytes(file.data) for file in document.files}
    for name in (*wanted.files, *(name for name in found if name not in wanted.files)):
        if found.get(name) != wanted.files.get(name):
            what = f"sha256 {_short(found.get(name))}, where the patch was made from {_short(wanted.files.get(name))}"
            place = f"corpus file {name}"
            raise PatchError(what, place=place, remedy=f"name the corpus that the patch was made from ({wanted.version})")
    return document


def rebuild_release(patch: Patch, source: Document) -> dict[str, bytes]:
    """Every file of the release but cost.json.

    Raises PatchError where a file does not come out with its hash, naming it, or where a part points at nothing.
    """
    places = collect_places(source)
    files = {file.path: _decode(file, patch, places) for file in patch.files if file.made is Making.PARTS}
    if EDITS not in files:
        raise PatchError(f"holds no {EDITS}", remedy=DAMAGED)
    made = _make_again(patch, source, files[EDITS])
    for file in patch.files:
        if file.made is not Making.PARTS:
            if file.path not in made or (file.path == ID_MAP) != (file.made is Making.ID_MAP):
                raise PatchError("is nothing that the source and the edits give", place=file.path, remedy=DAMAGED)
            files[file.path] = made[file.path]
    hashes = {name: sha256_bytes(data) for name, data in files.items()}
    wrong = [file for file in patch.files if hashes[file.path] != file.sha256]
    if wrong:
        first = wrong[0]
        others = f" (and {len(wrong) - 1} other files)" if len(wrong) > 1 else ""
        what = f"comes out with sha256 {_short(hashes[first.path])}, the patch says {_short(first.sha256)}{others}"
        raise PatchError(what, place=first.path, remedy=DAMAGED)
    if sum_up(hashes) != patch.result.sha256:
        what = f"the release comes out with sha256 {_short(sum_up(hashes))}, the patch says {_short(patch.result.sha256)}"
        raise PatchError(what, remedy=DAMAGED)
    return files


def _decode(file: PatchFile, patch: Patch, places: Places) -> bytes:
    if file.parts is None or file.form is None:
        raise PatchError("has no parts", place=file.path, remedy=DAMAGED)
    try:
        return decode_parts(file.parts, file.form, patch.places, places).encode("utf-8")
    except PatchError as error:
        raise PatchError(error.message, place=file.path, remedy=DAMAGED) from error
    except UnicodeEncodeError as error:
        raise PatchError("holds half of a surrogate pair, which no text can", place=file.path, remedy=DAMAGED) from error


def _make_again(patch: Patch, source: Document, edits: bytes) -> dict[str, bytes]:
    """The corpus and the id map. A damaged patch may have edits that fit nothing."""
    try:
        read = [EDIT.validate_json(line) for line in edits.split(b"\n") if line.strip()]
        return apply_in_memory(source, read, patch.left_corpus)
    except ValidationError as error:
        raise PatchError(f"holds an edit that is none ({error.errors()[0]['msg']})", place=EDITS, remedy=DAMAGED) from error
    except (ReleaseError, ValueError, KeyError, TypeError) as error:
        what = error.message if isinstance(error, ReleaseError) else str(error)
        raise PatchError(f"holds what does not fit the source ({what})", place=EDITS, remedy=DAMAGED) from error


def _short(digest: str | None) -> str:
    return "of no file" if digest is None else f"{digest[:12]}…"

"""A patch out of a release's files, proved before it is handed out: it gives the release back, and gives no source text away."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import Any

from pydantic import ValidationError

from locomo_patch.apply import AnyEdit
from locomo_patch.document import Document
from locomo_patch.edits import EDIT
from locomo_patch.id_map import ID_MAP
from locomo_patch.patch.escapes import form_of
from locomo_patch.patch.leftover import GIVEN_AWAY, Leftovers
from locomo_patch.patch.models import Making, Patch, PatchError, PatchFile, PatchResult, PatchSource, sum_up
from locomo_patch.patch.parts import Encoder, Piece, Span, Value, store_pieces
from locomo_patch.patch.places import Places, collect_places
from locomo_patch.patch.questions import QUOTING, name_quotations, read_left, recover_source, require_decided
from locomo_patch.patch.rebuild import apply_in_memory, rebuild_release
from locomo_patch.versions import KNOWN, LICENCE, MOCK, UNKNOWN
from twistcore.errors import ReleaseError
from twistcore.fingerprints import sha256_bytes
from twistcore.store import EDITS, MARKER
from twistcore.stored import misfit

REMEDY = "run `twist check`"


@dataclass(frozen=True)
class Material:
    """A release as it was read. `released` is its corpus; `files` are all its files but cost.json."""

    files: dict[str, bytes]
    released: Document


def make_patch(material: Material, source: Document | None, tool: str) -> Patch:
    """The patch of a release. Without `source` it is taken out of the release itself.

    Raises ReleaseError for a release that is not its source, its edits and the questions that left; UndecidedError where questions
    block its publication; PatchError where the patch would give source text away or would not give the release back.
    """
    files = material.files
    edits = read_edits(files)
    require_decided(files)
    recovered = source is None
    source = source if source is not None else recover_source(material.released, edits, files)
    digest = _require_source(files, source, recovered=recovered)
    left = read_left(files)
    rebuilt = apply_in_memory(source, edits, left)
    for name in sorted({name for name in {*rebuilt, *files} if name.startswith("corpus/")}):
        if rebuilt.get(name) != files.get(name):
            what = "is not the source with the release's edits in it and without the questions that left"
            raise ReleaseError(what, file=name, remedy=REMEDY)
    places = collect_places(source)
    encoder = Encoder(places.texts)
    pieces = {name: _encode(name, data, encoder, places) for name, data in sorted(files.items()) if data != rebuilt.get(name)}
    used = {piece.place for found in pieces.values() for piece in found if isinstance(piece, Span | Value)}
    table = [name for name in _in_order(places) if name in used]
    numbers = {name: number for number, name in enumerate(table)}
    stored = []
    for name, data in sorted(files.items()):
        if name in pieces:
            form = form_of(name)
            parts = store_pieces(pieces[name], form, numbers)
            stored.append(PatchFile(path=name, sha256=sha256_bytes(data), made=Making.PARTS, form=form, parts=parts))
        else:
            made = Making.ID_MAP if name == ID_MAP else Making.CORPUS
            stored.append(PatchFile(path=name, sha256=sha256_bytes(data), made=made))
    known = KNOWN.get(digest)
    version = known.name if known else UNKNOWN
    patch = Patch(
        tool=tool,
        notice="MIT" if version == MOCK else f"Holds no text of LoCoMo, only references into it. {LICENCE}.",
        source=PatchSource(version=version, shape=source.shape, sha256=digest, files=hash_files(source)),
        result=PatchResult(sha256=sum_up({file.path: file.sha256 for file in stored})),
        left_corpus=left,
        places=table,
        files=stored,
    )
    _require_own_text(patch, places)
    rebuild_release(patch, source)
    return patch


def read_edits(files: dict[str, bytes]) -> list[AnyEdit]:
    """The edits of a release; raises ReleaseError naming the line that is none."""
    if EDITS not in files:
        raise ReleaseError(f"holds no {EDITS}", remedy="name a release directory made by `twist inject`")
    edits: list[AnyEdit] = []
    for number, line in enumerate(files[EDITS].split(b"\n"), start=1):
        if line.strip():
            try:
                edits.append(EDIT.validate_json(line))
            except ValidationError as error:
                raise misfit(error, ReleaseError, EDITS, line=number, remedy=REMEDY) from error
    return edits


def hash_files(document: Document) -> dict[str, str]:
    """Hashes of the files that a document was read from, in its order."""
    return {name: sha256_bytes(data) for name, data in document.dump().items()}


def _require_source(files: dict[str, bytes], source: Document, *, recovered: bool) -> str:
    """The source's hash; raises ReleaseError where the manifest names another, or other files than those that are there."""
    manifest = _manifest(files)
    hashes = manifest.get("files")
    for name, digest in hashes.items() if isinstance(hashes, dict) else ():
        if name not in files:
            raise ReleaseError("is missing", file=name, remedy=REMEDY)
        if sha256_bytes(files[name]) != digest:
            raise ReleaseError("is not the file whose hash the manifest holds", file=name, remedy=REMEDY)
    found = source.sha256()
    named = manifest.get("source")
    wanted = named.get("sha256") if isinstance(named, dict) else None
    if wanted is not None and wanted != found:
        if recovered:
            what = f"the source cannot be taken out of the release byte for byte ({_short(found)} is not {_short(wanted)})"
            raise ReleaseError(what, remedy="name the source with --corpus")
        raise ReleaseError(f"was made from the corpus {_short(wanted)}, not {_short(found)}", remedy="name its source")
    return found


def _manifest(files: dict[str, bytes]) -> dict[str, Any]:
    try:
        value = json.loads(files[MARKER])
    except KeyError as error:
        what = f"holds no {MARKER}"
        raise ReleaseError(what, remedy="name a release directory made by `twist inject`") from error
    except (ValueError, RecursionError) as error:
        raise ReleaseError("is no JSON", file=MARKER, remedy=REMEDY) from error
    if not isinstance(value, dict):
        raise ReleaseError("is no JSON object", file=MARKER, remedy=REMEDY)
    return value


def _encode(name: str, data: bytes, encoder: Encoder, places: Places) -> list[Piece]:
    try:
        text = data.decode("utf-8")
    except UnicodeDecodeError as error:
        raise ReleaseError("is no UTF-8 text, as every file of a release is", file=name, remedy=REMEDY) from error
    form = form_of(name)
    quoting = name_quotations(name, text, places) if name in QUOTING else [text]
    return encoder.encode_pieces(quoting, form)


def _in_order(places: Places) -> list[str]:
    return list(dict.fromkeys((*places.values, *places.texts)))


def _require_own_text(patch: Patch, places: Places) -> None:
    """Raises PatchError where the patch holds a run of the source's prose."""
    leftovers = Leftovers(places.texts.values())
    rest = patch.model_dump(mode="json", exclude={"files"})
    for path, value in [(None, rest), *((file.path, file.model_dump(mode="json")) for file in patch.files)]:
        if left := leftovers.find(value):
            what = f"a patch would give source text away, {len(left)} runs of {GIVEN_AWAY} characters or more"
            raise PatchError(what, file=path, place=f"near {left[0][:GIVEN_AWAY]!r}", remedy="report it, with this line")


def _short(digest: object) -> str:
    return f"sha256 {str(digest)[:12]}…"

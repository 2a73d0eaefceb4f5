"""The lines of `qa/`: LoCoMo's items and golds in them become names of questions, however short they are."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any, TypeVar

from pydantic import ValidationError

from locomo_patch.apply import AnyEdit, remove_edits
from locomo_patch.document import Document
from locomo_patch.patch.escapes import Form, escape
from locomo_patch.patch.models import QuestionName
from locomo_patch.patch.parts import Piece, Span, Value, dump_value
from locomo_patch.patch.places import Places, name_question
from locomo_patch.revalidation.identity import identify_document
from locomo_patch.revalidation.states import (
    REVISIONS,
    VERSIONED_OUT,
    QuestionRevision,
    State,
    VersionedOut,
    current_states,
    leaves_corpus,
)
from locomo_patch.revalidation.versioning import put_back_questions
from twistcore.errors import ReleaseError, UndecidedError
from twistcore.stored import misfit
from twistcore.verdicts import Stored

Row = TypeVar("Row", bound=Stored)

# The field of a line that holds LoCoMo's own words, and the fields of the item that it can repeat (none: the whole item).
GOLDS = ("answer", "adversarial_answer")
QUOTING: dict[str, tuple[str, tuple[str, ...]]] = {
    REVISIONS: ("old", GOLDS),
    VERSIONED_OUT: ("item", ()),
}
# "No" and "Yes" are nobody's.
SHORTEST_GOLD = 4


def name_quotations(path: str, text: str, places: Places) -> list[Piece]:
    """A file of `qa/` with every repeated item or gold as a reference; lines that are not as the release writes them stay whole.

    Reasons and new golds often repeat the old gold, mostly too short to be found as a quotation, so it is looked for by name.
    """
    field, sources = QUOTING[path]
    pieces: list[Piece] = []
    for number, line in enumerate(text.split("\n")):
        pieces += ["\n", *_of_line(line, field, sources, places)] if number else _of_line(line, field, sources, places)
    return pieces


def _of_line(line: str, field: str, sources: tuple[str, ...], places: Places) -> Iterator[Piece]:
    row = _parse(line)
    if row is None or field not in row or dump_value(row) != line:
        yield line
        return
    question = (str(row.get("sample_id")), str(row.get("question_key")), row.get("occurrence", 0))
    names = [name_question(*question, source) for source in sources] if sources else [name_question(*question)]
    wanted = dump_value(row[field])
    quoted = next((name for name in names if name in places.values and dump_value(places.values[name]) == wanted), None)
    golds = [name_question(*question, gold) for gold in GOLDS]
    keys = list(row)
    at = keys.index(field)
    before = "".join(f"{dump_value(key)}: {dump_value(row[key])}, " for key in keys[:at])
    after = "".join(f", {dump_value(key)}: {dump_value(row[key])}" for key in keys[at + 1 :])
    yield from _name_golds(f"{{{before}{dump_value(field)}: ", golds, places)
    yield wanted if quoted is None else Value(quoted)
    yield from _name_golds(f"{after}}}", golds, places)


def _name_golds(text: str, golds: list[str], places: Places) -> Iterator[Piece]:
    pieces: list[Piece] = [text]
    for gold in golds:
        meant = places.texts.get(gold, "")
        if len(meant) >= SHORTEST_GOLD:
            written = escape(meant, Form.JSON)
            span = Span(gold, 0, len(meant), Form.JSON)
            pieces = [part for piece in pieces for part in (_split(piece, written, span) if isinstance(piece, str) else (piece,))]
    yield from pieces


def _split(text: str, written: str, span: Span) -> Iterator[Piece]:
    for number, part in enumerate(text.split(written)):
        if number:
            yield span
        if part:
            yield part


def _parse(line: str) -> dict[str, Any] | None:
    try:
        value = json.loads(line)
    except (ValueError, RecursionError):
        return None
    return value if isinstance(value, dict) else None


def read_left(files: dict[str, bytes]) -> list[QuestionName]:
    """The questions that left the corpus, by their current states; none where re-validation was skipped."""
    return [
        QuestionName(sample_id=line.sample_id, question_key=line.question_key, occurrence=line.occurrence)
        for line in current_states(_rows(files, REVISIONS, QuestionRevision)).values()
        if leaves_corpus(line.state)
    ]


def require_decided(files: dict[str, bytes]) -> None:
    """Raises UndecidedError where undecided questions block the release (DESIGN.md rule 9): a patch is how one is published."""
    states = current_states(_rows(files, REVISIONS, QuestionRevision)).values()
    undecided = sum(line.state is State.UNDECIDED for line in states)
    if undecided:
        raise UndecidedError(
            f"{undecided} undecided questions block the release", file=REVISIONS, remedy="settle them with `twist revalidate` first"
        )


def recover_source(released: Document, edits: list[AnyEdit], files: dict[str, bytes]) -> Document:
    """The source out of a release: its edits taken out, its questions put back. Raises ReleaseError where they do not fit."""
    try:
        source = remove_edits(released, edits)
    except ValueError as error:
        raise ReleaseError(f"edits do not fit the corpus ({error})", remedy="run `twist check`") from error
    left = {name.parts for name in read_left(files)}
    items = {
        (row.sample_id, row.question_key, row.occurrence): row
        for row in _rows(files, VERSIONED_OUT, VersionedOut)
        if (row.sample_id, row.question_key, row.occurrence) in left
    }
    return put_back_questions(source, items.values())


def take_out(released: Document, source: Document, left: list[QuestionName]) -> None:
    """Take the questions that left out of a released document, in place. Editing keeps their order, so the source's places hold."""
    names = {name.parts for name in left}
    gone: dict[str, set[int]] = {}
    for found in identify_document(source):
        if found.identity.parts in names:
            gone.setdefault(found.identity.sample_id, set()).add(found.index)
            names.discard(found.identity.parts)
    if names:
        raise ReleaseError(f"a question that left the corpus is not in the source: {' '.join(map(str, min(names)))}")
    for sample_id, indices in gone.items():
        qa = released.blocks(sample_id).qa
        qa[:] = [item for index, item in enumerate(qa) if index not in indices]


def _rows(files: dict[str, bytes], path: str, model: type[Row]) -> Iterator[Row]:
    for number, line in enumerate(files.get(path, b"").split(b"\n"), start=1):
        if not line.strip():
            continue
        try:
            yield model.model_validate_json(line)
        except ValidationError as error:
            raise misfit(error, ReleaseError, path, line=number, remedy="run `twist check`") from error

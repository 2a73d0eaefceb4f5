"""A release's files as every command but `twist check` reads them: one strictness, and each fault with its file and line.

`twist check` has a reader of its own, since it collects faults where these stop at the first.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from locomo_patch.apply import AnyEdit, remove_edits
from locomo_patch.document import Document, RawObject
from locomo_patch.edits import EDIT
from locomo_patch.evidence import is_well_formed
from locomo_patch.id_map import ID_MAP, ConversationIds, read_id_map
from locomo_patch.reader import LoadedCorpus, read_corpus
from locomo_patch.revalidation.identity import question_key
from locomo_patch.revalidation.states import REVISIONS, VERSIONED_OUT, QuestionRevision, VersionedOut
from twistcore.corpus import Category
from twistcore.errors import ReleaseError
from twistcore.store import EDITS
from twistcore.stored import read_rows

CORPUS = "corpus"
CHECK = "run `twist check`"


@dataclass(frozen=True)
class Placed:
    """What a release put where: its corpus as released, its edits, and the ids before and after."""

    loaded: LoadedCorpus
    edits: tuple[AnyEdit, ...]
    id_map: dict[str, ConversationIds]


def read_placed(folder: Path) -> Placed:
    """Corpus, edits and id map; raises ReleaseError or CorpusError for what is none, or does not speak of one corpus."""
    loaded = read_corpus(released_corpus(folder), allow_unknown=True)
    edits = tuple(row for _, row in read_rows(folder / EDITS, EDIT.validate_python, ReleaseError, CHECK))
    strange = [edit.sample_id for edit in edits if edit.sample_id not in loaded.document.sample_ids]
    if strange:
        raise ReleaseError(f"name {strange[0]}, which the corpus lacks", file=folder / EDITS, remedy=CHECK)
    return Placed(loaded, edits, _read_id_map(folder / ID_MAP, loaded))


def without_edits(folder: Path, placed: Placed) -> Document:
    """The released corpus with its edits taken out; raises ReleaseError where they do not fit it."""
    try:
        return remove_edits(placed.loaded.document, placed.edits)
    except ReleaseError as error:
        raise ReleaseError(error.message, file=folder, place=error.place, remedy=CHECK) from error
    except ValueError as error:
        raise ReleaseError(f"do not fit the corpus ({error})", file=folder / EDITS, remedy=CHECK) from error


def released_corpus(folder: Path) -> Path:
    """The released corpus: its one file, or the folder of flat files; raises ReleaseError where there is none."""
    files = sorted((folder / CORPUS).glob("*.json"))
    if not files:
        raise ReleaseError(
            "holds no LoCoMo corpus",
            file=folder / CORPUS,
            remedy="name a release of LoCoMo that `twist inject` made",
        )
    return files[0] if len(files) == 1 else folder / CORPUS


def _read_id_map(path: Path, loaded: LoadedCorpus) -> dict[str, ConversationIds]:
    id_map = read_id_map(path)
    for sample_id in loaded.document.sample_ids:
        if sample_id not in id_map:
            raise ReleaseError(f"lacks {sample_id}", file=path, remedy=CHECK)
        ids = id_map[sample_id]
        for ident in (*ids.old_to_new, *ids.old_to_new.values(), *ids.inserted):
            if not is_well_formed(ident):
                raise ReleaseError(f"{ident!r} is no turn id", file=path, place=sample_id, remedy=CHECK)
    return id_map


def read_states(folder: Path, loaded: LoadedCorpus) -> tuple[list[QuestionRevision] | None, list[VersionedOut]]:
    """The recorded states (None where re-validation was skipped) and the questions that left the corpus.

    Raises ReleaseError for a line that is none, or that names what the corpus lacks.
    """
    there = [(folder / name).is_file() for name in (REVISIONS, VERSIONED_OUT)]
    if not any(there):
        return None, []
    for name, found in zip((REVISIONS, VERSIONED_OUT), there, strict=True):
        if not found:
            raise ReleaseError("is missing, though the release has states", file=folder / name, remedy="run `twist revalidate`")
    known = {talk.sample_id: {turn.dia_id for turn in talk.turns()} for talk in loaded.corpus.conversations}
    revisions = []
    for number, line in read_rows(folder / REVISIONS, QuestionRevision.model_validate, ReleaseError, CHECK):
        lost = [ident for ident in line.injected if ident not in known.get(line.sample_id, set())]
        if line.sample_id not in known or lost:
            what = f"names the turn {lost[0]}" if lost and line.sample_id in known else f"names {line.sample_id}"
            place = f"line {number}"
            raise ReleaseError(f"{what}, which the corpus lacks", file=folder / REVISIONS, place=place, remedy=CHECK)
        revisions.append(line)
    out = []
    for number, left in read_rows(folder / VERSIONED_OUT, VersionedOut.model_validate, ReleaseError, CHECK):
        if left.sample_id not in known or _key_of(left.item) != left.question_key:
            raise ReleaseError(
                "holds an item that is not the question that it names",
                file=folder / VERSIONED_OUT,
                place=f"line {number}",
                remedy=CHECK,
            )
        out.append(left)
    return revisions, out


def _key_of(item: RawObject) -> str | None:
    """The key of a versioned-out item, or None where it is no question."""
    question, category, evidence = item.get("question"), item.get("category"), item.get("evidence")
    if not isinstance(question, str) or not isinstance(evidence, list) or type(category) is not int:
        return None
    known = category in {other.number for other in Category}
    return question_key(question, category, [str(text) for text in evidence]) if known else None

"""One side of a diff: a corpus file of either public shape, or a release directory, with every question that it accounts for."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from functools import cached_property
from pathlib import Path
from typing import Any, TypeVar

from locomo_patch.apply import AnyEdit, remove_edits
from locomo_patch.document import Document, RawObject
from locomo_patch.edits import EDIT
from locomo_patch.evidence import is_well_formed, parse_references
from locomo_patch.id_map import ID_MAP, ConversationIds, read_id_map
from locomo_patch.reader import LoadedCorpus, read_corpus
from locomo_patch.revalidation.identity import Identity, identify, question_key
from locomo_patch.revalidation.states import REVISIONS, VERSIONED_OUT, QuestionRevision, VersionedOut, current_states
from twistcore.corpus import Category, Corpus
from twistcore.errors import CorpusError, ReleaseError
from twistcore.store import EDITS, MARKER, read_json
from twistcore.stored import read_rows

Row = TypeVar("Row")

CORPUS = "corpus"
CHECK = "run `twist check`"


@dataclass(frozen=True)
class SideQuestion:
    """A question as one side has it. `item` carries the *source's* evidence strings and `index` is its place in the source's list,
    so that questions of a release and of its source can be compared as they are. `line` is null where no state is recorded."""

    identity: Identity
    index: int
    item: RawObject
    in_corpus: bool = True
    line: QuestionRevision | None = None

    @property
    def sample_id(self) -> str:
        """The conversation that it is asked about."""
        return self.identity.sample_id

    @property
    def question(self) -> str:
        """Its text."""
        return str(self.item["question"])

    @property
    def category(self) -> Category:
        """Its category."""
        return Category.of_number(self.item["category"])

    @property
    def evidence(self) -> tuple[str, ...]:
        """The source's evidence strings."""
        return tuple(str(text) for text in self.item["evidence"])

    @property
    def gold(self) -> Any:
        """What LoCoMo has as its answer; the trap of an adversarial question."""
        return self.item.get("answer" if self.category.answerable else "adversarial_answer")


@dataclass(frozen=True)
class ReleaseSide:
    """What a release adds to its corpus. `has_states` is false where re-validation was skipped and there is no `qa/`."""

    edits: tuple[AnyEdit, ...]
    id_map: dict[str, ConversationIds]
    source_sha256: str | None
    has_states: bool

    @cached_property
    def inserted(self) -> frozenset[tuple[str, str]]:
        """(conversation, released id) of every inserted turn."""
        return frozenset((sample_id, dia_id) for sample_id, ids in self.id_map.items() for dia_id in ids.inserted)


@dataclass(frozen=True)
class Side:
    """One side of a diff. `source` is the document without the release's edits; `corpus` is what a reader of the files sees."""

    path: Path
    loaded: LoadedCorpus
    source: Document
    questions: tuple[SideQuestion, ...]
    release: ReleaseSide | None = None
    version: str = field(default="")

    @property
    def corpus(self) -> Corpus:
        """The typed corpus, injected turns included."""
        return self.loaded.corpus

    @property
    def has_states(self) -> bool:
        """Whether this side says where its questions stand."""
        return self.release is not None and self.release.has_states

    def released_id(self, sample_id: str, dia_id: str) -> str:
        """Where a source turn stands in this side's files."""
        ids = self.release.id_map.get(sample_id) if self.release else None
        return ids.old_to_new.get(dia_id, dia_id) if ids else dia_id

    def cited(self, question: SideQuestion) -> tuple[list[str], list[str]]:
        """The ids in this side's files of the turns that a question cites, and the strings that resolve to no turn."""
        found: list[str] = []
        dangling: list[str] = []
        known = self.turn_ids[question.sample_id]
        for text in question.evidence:
            references = parse_references(text)
            for reference in references:
                ids = self.release.id_map.get(question.sample_id) if self.release else None
                known_here = reference.dia_id in (ids.old_to_new if ids else known)
                target = self.released_id(question.sample_id, reference.dia_id)
                (found if known_here else dangling).append(target if known_here else reference.raw)
            if not references:
                dangling.append(text)
        return list(dict.fromkeys(found)), dangling

    @cached_property
    def turn_ids(self) -> dict[str, frozenset[str]]:
        """The ids of every conversation's turns."""
        return {talk.sample_id: frozenset(turn.dia_id for turn in talk.turns()) for talk in self.corpus.conversations}


def is_release(path: Path) -> bool:
    """Whether a path is meant as a release directory and not as a folder of the flat files."""
    return path.is_dir() and any((path / name).exists() for name in (MARKER, EDITS, ID_MAP, CORPUS))


def read_side(path: Path) -> Side:
    """Read a corpus file, a folder of the flat files, or a release; raises CorpusError or ReleaseError with the place."""
    if not path.exists():
        raise CorpusError("does not exist", file=path, remedy="name a corpus file or a release directory")
    if is_release(path):
        return _read_release(path)
    loaded = read_corpus(path, allow_unknown=True)
    questions = tuple(
        SideQuestion(found.identity, found.index, found.item)
        for sample_id in loaded.document.sample_ids
        for found in identify(sample_id, loaded.document.blocks(sample_id).qa)
    )
    return Side(path, loaded, loaded.document, questions, version=loaded.corpus.version)


def _read_release(folder: Path) -> Side:
    loaded = read_corpus(_corpus_of(folder), allow_unknown=True)
    edits = tuple(row for _, row in read_rows(folder / EDITS, EDIT.validate_python, ReleaseError, CHECK))
    strange = [edit.sample_id for edit in edits if edit.sample_id not in loaded.document.sample_ids]
    if strange:
        raise ReleaseError(f"name {strange[0]}, which the corpus lacks", file=folder / EDITS, remedy=CHECK)
    id_map = _read_id_map(folder / ID_MAP, loaded)
    revisions, out = _read_states(folder, loaded)
    version, source_sha256 = _read_manifest(folder)
    release = ReleaseSide(edits, id_map, source_sha256, revisions is not None)
    try:
        source = remove_edits(loaded.document, edits)
    except ReleaseError as error:
        raise ReleaseError(error.message, file=folder, place=error.place, remedy=CHECK) from error
    except ValueError as error:
        raise ReleaseError(f"do not fit the corpus ({error})", file=folder / EDITS, remedy=CHECK) from error
    states = current_states(revisions or [])
    questions = [question for sample_id in loaded.document.sample_ids for question in _questions(sample_id, loaded, id_map, out)]
    with_states = tuple(replace(question, line=states.get(question.identity.parts)) for question in questions)
    return Side(folder, loaded, source, with_states, release, version)


def _corpus_of(folder: Path) -> Path:
    files = sorted((folder / CORPUS).glob("*.json"))
    if not files:
        raise ReleaseError(
            "holds no LoCoMo corpus",
            file=folder / CORPUS,
            remedy="name a release of LoCoMo that `twist inject` made",
        )
    return files[0] if len(files) == 1 else folder / CORPUS


def _read_manifest(folder: Path) -> tuple[str, str | None]:
    """The corpus's version and the hash of its source, where a manifest names them."""
    path = folder / MARKER
    if not path.is_file():
        return "unknown", None
    value = read_json(path, ReleaseError)
    if not isinstance(value, dict):
        raise ReleaseError("is no JSON object", file=path, remedy=CHECK)
    source = value.get("source")
    digest = source.get("sha256") if isinstance(source, dict) else None
    return str(value.get("corpus", "unknown")), digest if isinstance(digest, str) else None


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


def _read_states(folder: Path, loaded: LoadedCorpus) -> tuple[list[QuestionRevision] | None, list[VersionedOut]]:
    """The recorded states (None where re-validation was skipped) and the questions that left the corpus."""
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


def _questions(
    sample_id: str, loaded: LoadedCorpus, id_map: dict[str, ConversationIds], out: list[VersionedOut]
) -> Iterator[SideQuestion]:
    """The questions of one released conversation in the source's order, those that left the corpus put back."""
    left = [line for line in out if line.sample_id == sample_id]
    taken = {(line.question_key, line.occurrence) for line in left}
    places = {line.index for line in left}
    kept: list[SideQuestion] = []
    place = 0
    for found in identify(sample_id, loaded.document.blocks(sample_id).qa, id_map[sample_id]):
        key, occurrence = found.identity.question_key, 1
        # Copies that stay are counted from 1 again, though the first of them may be one that left.
        while (key, occurrence) in taken:
            occurrence += 1
        taken.add((key, occurrence))
        while place in places:
            place += 1
        item = {**found.item, "evidence": list(found.evidence)}
        kept.append(SideQuestion(Identity(sample_id, key, occurrence), place, item))
        place += 1
    for line in left:
        kept.append(SideQuestion(Identity(sample_id, line.question_key, line.occurrence), line.index, line.item, in_corpus=False))
    yield from sorted(kept, key=lambda question: (question.index, question.in_corpus))

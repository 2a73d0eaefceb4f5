"""One side of a diff: a corpus file of either public shape, or a release directory, with every question that it accounts for."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from functools import cached_property
from pathlib import Path
from typing import Any, TypeVar

from locomo_patch.apply import AnyEdit
from locomo_patch.document import Document, RawObject
from locomo_patch.evidence import parse_references
from locomo_patch.id_map import ID_MAP, ConversationIds
from locomo_patch.reader import LoadedCorpus, read_corpus
from locomo_patch.released import CHECK, CORPUS, read_placed, read_states, without_edits
from locomo_patch.revalidation.identity import Identity, identify
from locomo_patch.revalidation.states import QuestionRevision, VersionedOut, current_states
from twistcore.corpus import Category, Corpus
from twistcore.errors import CorpusError, ReleaseError
from twistcore.store import EDITS, MARKER, read_json

Row = TypeVar("Row")


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
    placed = read_placed(folder)
    loaded, id_map = placed.loaded, placed.id_map
    revisions, out = read_states(folder, loaded)
    version, source_sha256 = _read_manifest(folder)
    release = ReleaseSide(placed.edits, id_map, source_sha256, revisions is not None)
    source = without_edits(folder, placed)
    states = current_states(revisions or [])
    questions = [question for sample_id in loaded.document.sample_ids for question in _questions(sample_id, loaded, id_map, out)]
    with_states = tuple(replace(question, line=states.get(question.identity.parts)) for question in questions)
    return Side(folder, loaded, source, with_states, release, version)


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

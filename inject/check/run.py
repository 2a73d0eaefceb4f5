"""`twist check DIR`: proves, from a release directory alone, every rule that a finished release can show."""

from __future__ import annotations

from pathlib import Path

from inject.check.broken import Broken, Rule
from inject.check.counts import check_counts
from inject.check.files import open_release
from inject.check.gold import check_gold
from inject.check.judged import check_judged, check_versions
from inject.check.marks import check_marks
from inject.check.opened import Corpora, Opened
from inject.check.pairs import check_pairs
from inject.check.questions import check_questions
from inject.check.references import check_references
from inject.check.rejects import check_rejects
from inject.check.reviews import check_reviews
from inject.check.safety import check_safety
from inject.check.seams import check_seams
from inject.check.shape import check_shape
from inject.check.source import check_source, take_out
from inject.check.time import check_time
from locomo_patch.document import Document
from locomo_patch.reader import type_corpus
from twistcore.corpus import Corpus
from twistcore.errors import CorpusError
from twistcore.text.parses import Parser


def check_release(folder: Path, parser: Parser) -> list[Broken]:
    """Everything that is broken in a release, in the order of the rules; an empty list when it proves itself.

    Where a file breaks its schema, or the corpus its shape, what rests on it is not checked: the list then holds the cause.
    Raises ReleaseError for a directory that is no release.
    """
    opened, broken = open_release(folder)
    if opened is None:
        return sorted(broken)
    broken += [*check_marks(opened), *check_rejects(opened), *check_safety(opened), *check_versions(opened)]
    shape = check_shape(opened)
    broken += shape
    source, faults = take_out(opened)
    broken += faults
    if source is not None:
        broken += [*check_source(opened, source), *check_references(opened, source)]
        corpora, faults = _typed(opened, source)
        # The reader stops at the first fault of shape, and all of them are named already.
        broken += [] if shape else faults
        if corpora is not None:
            broken += [*check_seams(opened, corpora), *check_time(opened, corpora), *check_gold(opened, corpora)]
            broken += [*check_pairs(opened, corpora), *check_judged(opened, corpora, parser), *check_counts(opened, corpora)]
            broken += [*check_questions(opened, corpora), *check_reviews(opened, corpora)]
    return sorted(set(broken))


def _typed(opened: Opened, source: Document) -> tuple[Corpora | None, list[Broken]]:
    version = opened.manifest.source.version
    typed: list[Corpus] = []
    for document in (opened.document, source):
        try:
            typed.append(type_corpus(document, version, opened.manifest.source.sha256, opened.folder / opened.corpus_file))
        except CorpusError as error:
            return None, [Broken(Rule.HIDDEN, opened.corpus_file, error.place or "", error.message)]
    return Corpora(typed[0], typed[1], source), []

"""Re-validates a finished release on its own: the step of `twist inject`, or a later one with another policy, judge or errata."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from inject.qa import QaRecord, RevalidationConfig, blocked, decide_conversation
from inject.revised_release import ReleaseFiles, changed_lines, open_files, write_questions
from locomo_patch.errata.upstream import find_broken, read_upstream
from locomo_patch.reader import LoadedCorpus
from locomo_patch.revalidation.asked_judge import AskedJudge
from locomo_patch.revalidation.questions import read_conversation_questions
from locomo_patch.revalidation.states import Decision
from locomo_patch.revalidation.versioning import revise
from twistcore.cost import COST, read_cost
from twistcore.errors import ModelFailedError, UndecidedError, UsageError
from twistcore.folders import lock_folder
from twistcore.store import dump_json
from twistcore.text.parses import Parser

Progress = Callable[[str, int, int], None]


@dataclass(frozen=True)
class Revalidated:
    """What re-validation came to. `blocking` is what is to be said where undecided questions block the release."""

    record: QaRecord
    blocking: UndecidedError | None


def broken_upstream(loaded: LoadedCorpus, errata: Path | None) -> frozenset[tuple[str, str, int]]:
    """Questions whose gold is wrong upstream, by an errata file; none without one."""
    return find_broken(loaded.document, read_upstream(errata), errata) if errata is not None else frozenset()


def revalidate_release(
    loaded: LoadedCorpus,
    folder: Path,
    config: RevalidationConfig,
    errata: Path | None,
    parser: Parser,
    progress: Progress,
    judge: AskedJudge | None = None,
) -> Revalidated:
    """Decide every question against the release's injected turns and write what changed. The same settings again change nothing.

    States are written even where undecided questions block the release: an erratum may settle one of those, and until then the
    manifest, the datasheet, `twist check` and `twist patch make` say that it is not fit to be published.

    Raises UsageError when the release was not made from this corpus (PRECEDENTS.md 3), ReleaseError for what is no release.
    """
    with lock_folder(folder):
        return _revalidate(loaded, folder, config, errata, parser, progress, judge)


def _revalidate(
    loaded: LoadedCorpus,
    folder: Path,
    config: RevalidationConfig,
    errata: Path | None,
    parser: Parser,
    progress: Progress,
    judge: AskedJudge | None,
) -> Revalidated:
    release = open_files(folder)
    _require_source(loaded, release)
    broken = broken_upstream(loaded, errata)
    spent = read_cost(folder) if judge is not None else None
    decisions: dict[str, list[Decision]] = {}
    samples = loaded.document.sample_ids
    for done, sample_id in enumerate(samples):
        progress(sample_id, done, len(samples))
        edits = [edit for edit in release.edits if edit.sample_id == sample_id]
        questions = read_conversation_questions(loaded.corpus.conversation(sample_id), parser)
        decisions[sample_id] = decide_conversation(loaded, questions, edits, parser, judge)
    progress("", len(samples), len(samples))
    if judge is not None and judge.failures:
        raise ModelFailedError(
            f"the judge failed on {len(judge.failures)} questions ({judge.failures[0]}); nothing was written",
            file=folder,
            remedy="run the same command again",
        )
    lines = changed_lines(release.revisions, revise(loaded.document, decisions, config.policy, broken))
    extra = {COST: dump_json(spent.with_usage(judge.spent()))} if judge is not None and spent is not None else {}
    manifest = write_questions(release, lines, config, extra)
    if manifest.qa is None:
        raise UsageError("has no questions to re-validate", file=folder)
    return Revalidated(manifest.qa, blocked(release.source, lines, folder, "is not fit to be published", "its states are written"))


def _require_source(loaded: LoadedCorpus, release: ReleaseFiles) -> None:
    if release.manifest.source.sha256 != loaded.sha256:
        raise UsageError(
            f"was made from another corpus (sha256 {release.manifest.source.sha256[:12]}…, this one has {loaded.sha256[:12]}…)",
            file=release.folder,
            remedy="name the corpus that its manifest names",
        )

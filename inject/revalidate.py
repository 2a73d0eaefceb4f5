"""Re-validates a finished release on its own: the step of `twist inject`, or a later one with another policy, judge or errata."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from inject.config import hash_data
from inject.qa import QaRecord, RevalidationConfig, begin_conversation, blocked, dump_decisions, load_decisions
from inject.revised_release import ReleaseFiles, changed_lines, open_files, write_questions
from locomo_patch.errata.upstream import find_broken, read_upstream
from locomo_patch.reader import LoadedCorpus
from locomo_patch.revalidation.asked_judge import AskedJudge
from locomo_patch.revalidation.questions import read_conversation_questions
from locomo_patch.revalidation.states import Decision
from locomo_patch.revalidation.versioning import revise
from locomo_patch.revalidation.workers import Workers
from twistcore.cost import COST, JUDGE, NO_COST, SPENT, Cost, read_cost
from twistcore.errors import ModelFailedError, UndecidedError, UsageError
from twistcore.fingerprints import sha256_file
from twistcore.folders import lock_folder
from twistcore.runs import Checkpoints
from twistcore.store import EDITS, dump_json
from twistcore.text.parses import Parser

BASIS_SCHEMA = "twist-revalidate-run/1"
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
    workers: int | None = None,
) -> Revalidated:
    """Decide every question against the release's injected turns and write what changed. The same settings again change nothing,
    whatever the number of `workers` (Workers).

    States are written even where undecided questions block the release: an erratum may settle one of those, and until then the
    manifest, the datasheet, `twist check` and `twist patch make` say that it is not fit to be published.

    An interrupted run goes on where it stopped. Raises ConfigMismatchError when what it kept rests on other edits, data or another
    judge, ModelFailedError when the judge failed, UsageError when the release was not made from this corpus (PRECEDENTS.md 3), and
    ReleaseError for what is no release.
    """
    with lock_folder(folder):
        return _revalidate(loaded, folder, config, errata, parser, progress, judge, workers)


def _revalidate(
    loaded: LoadedCorpus,
    folder: Path,
    config: RevalidationConfig,
    errata: Path | None,
    parser: Parser,
    progress: Progress,
    judge: AskedJudge | None,
    workers: int | None,
) -> Revalidated:
    release = open_files(folder)
    _require_source(loaded, release)
    broken = broken_upstream(loaded, errata)
    account = read_cost(folder) if judge is not None else NO_COST
    begun: list[tuple[str, Callable[[], list[Decision]]]] = []
    samples = loaded.document.sample_ids
    kept = _checkpoints(folder, loaded, release, config)
    kept.open()
    # What an interrupted run was asked for is part of the account (DESIGN.md rule 12).
    spent = Cost.model_validate(kept.load(SPENT) or NO_COST.model_dump())

    def finish(name: str, decide: Callable[[], list[Decision]]) -> None:
        failed = len(judge.failures) if judge is not None else 0
        found = decide()
        if judge is not None:
            kept.save(SPENT, spent.with_usage(judge.spent(), JUDGE, judge.judge.model).model_dump(mode="json"))
        if judge is None or len(judge.failures) == failed:
            kept.save(name, dump_decisions(found))

    with Workers(workers) as shared:
        for done, sample_id in enumerate(samples):
            progress(sample_id, done, len(samples))
            if kept.load(sample_id) is None:
                edits = [edit for edit in release.edits if edit.sample_id == sample_id]
                questions = read_conversation_questions(loaded.corpus.conversation(sample_id), parser)
                begun.append((sample_id, begin_conversation(loaded, questions, edits, parser, shared, judge)))
            # One is decided while the next is read; no more, or a stopped run would have little to go on with.
            while len(begun) > 1:
                finish(*begun.pop(0))
        for name, decide in begun:
            finish(name, decide)
    progress("", len(samples), len(samples))
    # Read back even what was just made, so that a resumed run and a straight one go through the same bytes.
    decisions = {sample_id: load_decisions(kept.load(sample_id) or ()) for sample_id in samples}
    if judge is not None and judge.failures:
        raise ModelFailedError(
            f"the judge failed on {len(judge.failures)} questions ({judge.failures[0]}); nothing was written",
            file=folder,
            remedy="run the same command again: what is decided is kept",
        )
    lines = changed_lines(release.revisions, revise(loaded.document, decisions, config.policy, broken))
    extra = (
        {COST: dump_json(account.with_rows(spent.with_usage(judge.spent(), JUDGE, judge.judge.model).rows))}
        if judge is not None
        else {}
    )
    manifest = write_questions(release, lines, config, extra)
    kept.clear()
    if manifest.qa is None:
        raise UsageError("has no questions to re-validate", file=folder)
    return Revalidated(manifest.qa, blocked(release.source, lines, folder, "is not fit to be published", "its states are written"))


def _checkpoints(folder: Path, loaded: LoadedCorpus, release: ReleaseFiles, config: RevalidationConfig) -> Checkpoints:
    """What was decided so far, beside the release until its states are written.

    Keyed by what decisions rest on: the source, the edits, the rules' data and the judge. Policy and errata come in after them.
    """
    basis = {
        "schema_version": BASIS_SCHEMA,
        "corpus_sha256": loaded.sha256,
        "edits_sha256": sha256_file(release.folder / EDITS),
        "data_sha256": hash_data(),
        "judge": config.judged_by,
        **config.basis,
    }
    folder = folder.resolve()
    return Checkpoints(folder.with_name(f"{folder.name}.revalidation.partial"), basis, folder, None)


def _require_source(loaded: LoadedCorpus, release: ReleaseFiles) -> None:
    if release.manifest.source.sha256 != loaded.sha256:
        raise UsageError(
            f"was made from another corpus (sha256 {release.manifest.source.sha256[:12]}…, this one has {loaded.sha256[:12]}…)",
            file=release.folder,
            remedy="name the corpus that its manifest names",
        )

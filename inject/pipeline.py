"""Composes a run: conversations one after another, a checkpoint after each, then the release in one rename."""

from __future__ import annotations

import asyncio
import secrets
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from pydantic import TypeAdapter

from arcs.keys import TrackAKey
from arcs.taxonomy import Family
from inject.agents.crew import NAME, Crew
from inject.agents.verifier import VERSION as VERIFIER_VERSION
from inject.config import InjectConfig, ModelsConfig, hash_data
from inject.conversation import ConversationResult, ReleaseMemory, inject_conversation
from inject.gates.registry import versions
from inject.manifest import read_manifest
from inject.opening import measure_styles, open_conversation, read_host
from inject.qa import RevalidationConfig, begin_conversation, blocked, dump_decisions, load_decisions, untouched
from inject.rejects import Rejected
from inject.release import ReleaseParts, build_release
from inject.reviews import NO_REVIEWS, Reviews, UsedReview
from inject.verifiers.offline import OfflineVerifier
from inject.writers.offline import OfflineWriter
from locomo_patch.edits import EDIT
from locomo_patch.reader import LoadedCorpus
from locomo_patch.revalidation.asked_judge import AskedJudge
from locomo_patch.revalidation.questions import ConversationQuestions, read_conversation_questions
from locomo_patch.revalidation.states import Decision, QuestionRevision
from locomo_patch.revalidation.versioning import revise
from locomo_patch.revalidation.workers import Workers
from twistcore.cost import JUDGE, NO_COST, SPENT, Cost
from twistcore.errors import ModelFailedError, UsageError
from twistcore.runs import RunStore
from twistcore.text.parses import Parser

# Where LangGraph keeps how far each item of a run with models came.
GRAPH = "graph.sqlite"
ACCOUNT = "account"
# (conversation, number of conversations done, number in all)
Progress = Callable[[str, int, int], None]

_KEYS = TypeAdapter(list[TrackAKey])
_REJECTS = TypeAdapter(list[Rejected])
_REVIEWS = TypeAdapter(list[UsedReview])


@dataclass(frozen=True)
class RunOutcome:
    """What a run came to: where the release is, how many arcs it holds, and what did not fit, by conversation and reason."""

    out: Path
    arcs: int
    asked: int
    shortfall: dict[str, dict[str, int]]
    reused: bool


def make_config(
    loaded: LoadedCorpus,
    seed: int,
    pairs: int,
    conversations: Sequence[str] | None,
    revalidation: RevalidationConfig | None = None,
    models: ModelsConfig | None = None,
    reviews_sha256: str | None = None,
) -> InjectConfig:
    """The configuration of a run; raises UsageError for a conversation that the corpus lacks. Without `revalidation` the questions
    of the corpus are left undecided; `reviews_sha256` is that of the decisions that the run is given."""
    known = [conversation.sample_id for conversation in loaded.corpus.conversations]
    chosen = list(conversations) if conversations else known
    unknown = [name for name in chosen if name not in known]
    if unknown:
        raise UsageError(f"no conversation {', '.join(unknown)}", file=loaded.path, remedy=f"it has {', '.join(known)}")
    return InjectConfig(
        track="A",
        seed=seed,
        pairs_per_conversation=pairs,
        conversations=[name for name in known if name in chosen],
        corpus=loaded.corpus.version,
        corpus_sha256=loaded.sha256,
        writer=OfflineWriter.name if models is None else NAME,
        verifier=f"{OfflineVerifier.name}/{OfflineVerifier.version}" if models is None else f"{NAME}/{VERIFIER_VERSION}",
        gates=versions(),
        data_sha256=hash_data(),
        revalidation=revalidation,
        models=models,
        reviews_sha256=reviews_sha256,
    )


def run_injection(
    loaded: LoadedCorpus,
    config: InjectConfig,
    out: Path,
    parser: Parser,
    progress: Progress,
    broken: frozenset[tuple[str, str, int]] = frozenset(),
    judge: AskedJudge | None = None,
    crew: Crew | None = None,
    reviews: Reviews = NO_REVIEWS,
    workers: int | None = None,
) -> RunOutcome:
    """Inject, or finish what an interrupted run began; a finished output with the same configuration is left as it is.

    `broken` names the questions whose gold is wrong upstream; `judge` gets the questions that rules leave undecided; `crew` writes
    in the place of the offline writer; `reviews` are what people decided about rejects; `workers` (as of Workers) changes no byte:
    one conversation is decided beside the next.

    Raises, once all else is done and kept, ModelFailedError when a model failed (a rerun asks again), LimitReachedError at a limit
    of the crew's, and UndecidedError when questions stay undecided that the policy does not retire: nothing is published, and a
    rerun goes on from there. Raises ConfigMismatchError when `out` belongs to something else, StorageError when the disk refuses.
    """
    store = RunStore(out, config.model_dump(mode="json"), config.basis)
    with store.lock(), Workers(workers) as shared:
        return _run(_Run(store, loaded, config, parser, progress, judge, shared, reviews), broken, crew)


@dataclass
class _Run:
    """What the steps of a run share; `decisions` are filled in conversation by conversation."""

    store: RunStore
    loaded: LoadedCorpus
    config: InjectConfig
    parser: Parser
    progress: Progress
    judge: AskedJudge | None
    workers: Workers
    reviews: Reviews
    decisions: dict[str, list[Decision]] = field(default_factory=dict)
    begun: list[tuple[str, Callable[[], list[Decision]]]] = field(default_factory=list)
    spent_before: Cost = NO_COST

    @property
    def judged_by(self) -> str | None:
        """The judge of kept decisions."""
        return self.config.revalidation.judged_by if self.config.revalidation is not None else None

    def judge_spent(self) -> Cost:
        """What the judge was asked, by this process and by those that were interrupted before it (DESIGN.md rule 12)."""
        if self.judge is None:
            return self.spent_before
        return self.spent_before.with_usage(self.judge.spent(), JUDGE, self.judge.judge.model)

    def questions_of(self, sample_id: str, kept: Mapping[str, Any] | None) -> ConversationQuestions | None:
        """The questions of a conversation, read where they are to be decided; None where a checkpoint holds their decisions."""
        wanted = self.config.revalidation
        if wanted is None or (kept is not None and "qa" in kept and kept["qa"]["judge"] == wanted.judged_by):
            return None
        return read_conversation_questions(self.loaded.corpus.conversation(sample_id), self.parser)

    def decide(self, kept: dict[str, Any], result: ConversationResult, questions: ConversationQuestions | None) -> None:
        """Begin to decide one conversation, and finish those before it."""
        if self.config.revalidation is not None:
            self.begun.append((result.sample_id, self._begin(kept, result, questions)))
            self.finish(but=1)

    def finish(self, but: int = 0) -> None:
        """Wait for the decisions that were begun, all `but` so many."""
        while len(self.begun) > but:
            name, decide = self.begun.pop(0)
            self.decisions[name] = decide()

    def _begin(
        self, kept: dict[str, Any], result: ConversationResult, questions: ConversationQuestions | None
    ) -> Callable[[], list[Decision]]:
        if questions is None:
            return lambda: load_decisions(kept["qa"]["decisions"])
        judge = self.judge
        decide = begin_conversation(self.loaded, questions, result.edits, self.parser, self.workers, judge)

        def finish() -> list[Decision]:
            failed = len(judge.failures) if judge is not None else 0
            found = decide()
            if judge is not None:
                self.store.save(SPENT, self.judge_spent().model_dump(mode="json"))
            # None is kept that rests on a judge's failure.
            if judge is not None and len(judge.failures) > failed:
                return found
            kept["qa"] = {"judge": self.judged_by, "decisions": dump_decisions(found)}
            self.store.save(result.sample_id, kept)
            return load_decisions(kept["qa"]["decisions"])

        return finish


def _run(run: _Run, broken: frozenset[tuple[str, str, int]], crew: Crew | None) -> RunOutcome:
    store, loaded, config, judge = run.store, run.loaded, run.config, run.judge
    store.open()
    asked = config.pairs_per_conversation * len(config.conversations)
    if store.finished():
        return _recorded_outcome(store, asked)
    run.spent_before = Cost.model_validate(store.load(SPENT) or NO_COST.model_dump())
    run.decisions = {each.sample_id: untouched(len(each.questions)) for each in loaded.corpus.conversations}
    results = _offline(run) if crew is None else _with_crew(run, crew)
    run.finish()
    run.progress("", len(config.conversations), len(config.conversations))
    if judge is not None and judge.failures:
        raise ModelFailedError(
            f"the judge failed on {len(judge.failures)} questions, which stay undecided ({judge.failures[0]})",
            remedy="run the same command again: what is done is kept",
        )
    lines: list[QuestionRevision] | None = None
    if config.revalidation is not None:
        lines = revise(loaded.document, run.decisions, config.revalidation.policy, broken)
        blocking = blocked(loaded.document, lines, store.out, "is not published", "what was injected is kept")
        if blocking is not None:
            raise blocking
    spent = crew.spent(_account(store)) if crew is not None else NO_COST
    spent = spent.with_rows(run.judge_spent().rows)
    store.publish(build_release(ReleaseParts(loaded, config, tuple(results), lines, spent)))
    shortfall = {result.sample_id: result.shortfall for result in results if result.shortfall}
    return RunOutcome(
        store.out, sum(key.family.is_arc for result in results for key in result.keys), asked, shortfall, reused=False
    )


def _offline(run: _Run) -> list[ConversationResult]:
    """Conversation after conversation, a checkpoint after each."""
    config, store = run.config, run.store
    memory = ReleaseMemory()
    styles = measure_styles(run.loaded.corpus)
    results: list[ConversationResult] = []
    for done, sample_id in enumerate(config.conversations):
        run.progress(sample_id, done, len(config.conversations))
        kept = store.load(sample_id)
        questions = run.questions_of(sample_id, kept)
        if kept is None:
            host = read_host(run.loaded, sample_id, run.parser)
            result = inject_conversation(open_conversation(host, config, memory, styles, questions, reviews=run.reviews))
            kept = {"result": _dump_result(result), "memory": _dump_memory(memory)}
            store.save(sample_id, kept)
            kept = store.load(sample_id) or kept
        # Read back even what was just made, so that a resumed run and a straight one go through the same bytes.
        results.append(_load_result(kept["result"]))
        memory = _load_memory(kept["memory"])
        run.decide(kept, results[-1], questions)
    return results


def _with_crew(run: _Run, crew: Crew) -> list[ConversationResult]:
    """All conversations at once, since models take their time; then their questions one after another."""
    samples, store = run.config.conversations, run.store
    kept = {sample_id: store.load(sample_id) for sample_id in samples}
    questions = {sample_id: run.questions_of(sample_id, kept[sample_id]) for sample_id in samples}
    if not all(kept.values()):
        hosts = [read_host(run.loaded, sample_id, run.parser) for sample_id in samples]
        styles, checkpoints = measure_styles(run.loaded.corpus), store.staging / GRAPH
        work = crew.inject(hosts, run.config, styles, questions, checkpoints, _account(store), run.reviews)
        for result in asyncio.run(work):
            store.save(result.sample_id, {"result": _dump_result(result)})
    results = []
    for done, sample_id in enumerate(samples):
        run.progress(sample_id, done, len(samples))
        held = store.load(sample_id) or {}
        results.append(_load_result(held["result"]))
        run.decide(held, results[-1], questions[sample_id])
    return results


def _account(store: RunStore) -> str:
    """The name of this run's account in the journal, the same after every resume. Random, since a journal may serve many runs of
    one configuration; it is in no file of the release."""
    kept = store.load(ACCOUNT)
    if kept is None:
        kept = {"account": secrets.token_hex(16)}
        store.save(ACCOUNT, kept)
    return str(kept["account"])


def _recorded_outcome(store: RunStore, asked: int) -> RunOutcome:
    manifest = read_manifest(store.out)
    return RunOutcome(store.out, manifest.counts.arcs, asked, manifest.shortfall, reused=True)


def _dump_result(result: ConversationResult) -> dict[str, Any]:
    return {
        "sample_id": result.sample_id,
        "edits": [edit.model_dump(mode="json") for edit in result.edits],
        "keys": [key.model_dump(mode="json") for key in result.keys],
        "rejects": [reject.model_dump(mode="json") for reject in result.rejects],
        "shortfall": result.shortfall,
        "frames": list(result.frames),
        "reviews": [review.model_dump(mode="json") for review in result.reviews],
    }


def _load_result(value: Mapping[str, Any]) -> ConversationResult:
    return ConversationResult(
        value["sample_id"],
        tuple(EDIT.validate_python(edit) for edit in value["edits"]),
        tuple(_KEYS.validate_python(value["keys"])),
        tuple(_REJECTS.validate_python(value["rejects"])),
        dict(value["shortfall"]),
        tuple(value["frames"]),
        # A checkpoint that an earlier version left knows of none.
        tuple(_REVIEWS.validate_python(value.get("reviews", ()))),
    )


def _dump_memory(memory: ReleaseMemory) -> dict[str, Any]:
    return {
        "frames": dict(memory.plan.frames),
        "families": {family.value: count for family, count in memory.plan.families.items()},
        "lines": [[*key, count] for key, count in sorted(memory.plan.lines.release.items())],
        "connectives": dict(memory.connectives.count),
        "scripts": dict(memory.scripts),
    }


def _load_memory(value: Mapping[str, Any]) -> ReleaseMemory:
    memory = ReleaseMemory()
    memory.plan.frames = Counter(value["frames"])
    memory.plan.families = Counter({Family(name): count for name, count in value["families"].items()})
    memory.plan.lines.release = Counter({(frame, kind, index): count for frame, kind, index, count in value["lines"]})
    memory.connectives.count = Counter(value["connectives"])
    memory.scripts = Counter(value["scripts"])
    return memory

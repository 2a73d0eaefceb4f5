"""Composes a run: conversations one after another, a checkpoint after each, then the release in one rename."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
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
from inject.qa import RevalidationConfig, decide_conversation, dump_decisions, load_decisions, untouched
from inject.rejects import Rejected
from inject.release import ReleaseParts, build_release
from inject.reviews import NO_REVIEWS, Reviews, UsedReview
from inject.verifiers.offline import OfflineVerifier
from inject.writers.offline import OfflineWriter
from locomo_patch.edits import EDIT
from locomo_patch.reader import LoadedCorpus
from locomo_patch.revalidation.asked_judge import AskedJudge
from locomo_patch.revalidation.questions import ConversationQuestions, read_conversation_questions
from locomo_patch.revalidation.states import Decision
from twistcore.cost import NO_COST
from twistcore.errors import ModelFailedError, UsageError
from twistcore.store import RunStore
from twistcore.text.parses import Parser

# Where LangGraph keeps how far each item of a run with models came.
GRAPH = "graph.sqlite"
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
) -> RunOutcome:
    """Inject, or finish what an interrupted run began; a finished output with the same configuration is left as it is.

    `broken` names the questions whose gold is wrong upstream; `judge` gets the questions that rules leave undecided, and `crew`
    writes instead of the offline writer; `reviews` are what people decided about rejects. Raises
    ModelFailedError, once all else is done and kept, when it failed: a rerun asks those conversations again. Raises
    ConfigMismatchError when `out` belongs to something else, StorageError when the disk refuses.
    """
    store = RunStore(out, config.model_dump(mode="json"))
    with store.lock():
        return _run(store, loaded, config, parser, progress, broken, judge, crew, reviews)


def _run(
    store: RunStore,
    loaded: LoadedCorpus,
    config: InjectConfig,
    parser: Parser,
    progress: Progress,
    broken: frozenset[tuple[str, str, int]],
    judge: AskedJudge | None,
    crew: Crew | None,
    reviews: Reviews,
) -> RunOutcome:
    store.open()
    asked = config.pairs_per_conversation * len(config.conversations)
    if store.finished():
        return _recorded_outcome(store, asked)
    decisions = {each.sample_id: untouched(len(each.questions)) for each in loaded.corpus.conversations}
    place = _with_crew if crew is not None else _offline
    results = place(store, loaded, config, parser, progress, judge, crew, decisions, reviews)
    progress("", len(config.conversations), len(config.conversations))
    if judge is not None and judge.failures:
        raise ModelFailedError(
            f"the judge failed on {len(judge.failures)} questions, which stay undecided ({judge.failures[0]})",
            remedy="run the same command again: what is done is kept",
        )
    spent = crew.spent() if crew is not None else NO_COST
    if judge is not None:
        spent = spent.with_usage(judge.spent(), judge.judge.model)
    files = build_release(ReleaseParts(loaded, config, tuple(results), decisions if config.revalidation else None, broken, spent))
    store.publish(files)
    shortfall = {result.sample_id: result.shortfall for result in results if result.shortfall}
    return RunOutcome(
        store.out, sum(key.family.is_arc for result in results for key in result.keys), asked, shortfall, reused=False
    )


def _offline(
    store: RunStore,
    loaded: LoadedCorpus,
    config: InjectConfig,
    parser: Parser,
    progress: Progress,
    judge: AskedJudge | None,
    crew: Crew | None,
    decisions: dict[str, list[Decision]],
    reviews: Reviews,
) -> list[ConversationResult]:
    """Conversation after conversation, each with a checkpoint; `decisions` are filled in."""
    memory = ReleaseMemory()
    styles = measure_styles(loaded.corpus)
    results: list[ConversationResult] = []
    for done, sample_id in enumerate(config.conversations):
        progress(sample_id, done, len(config.conversations))
        kept = store.load(sample_id)
        questions = None
        if config.revalidation is not None and "qa" not in (kept or {}):
            questions = read_conversation_questions(loaded.corpus.conversation(sample_id), parser)
        if kept is None:
            host = read_host(loaded, sample_id, parser)
            result = inject_conversation(open_conversation(host, config, memory, styles, questions, reviews=reviews))
            kept = {"result": _dump_result(result), "memory": _dump_memory(memory)}
            store.save(sample_id, kept)
            kept = store.load(sample_id) or kept
        # Read back even what was just made, so that a resumed run and a straight one go through the same bytes.
        results.append(_load_result(kept["result"]))
        memory = _load_memory(kept["memory"])
        if config.revalidation is not None:
            decisions[sample_id] = _decide(store, kept, loaded, results[-1], questions, parser, judge)
    return results


def _with_crew(
    store: RunStore,
    loaded: LoadedCorpus,
    config: InjectConfig,
    parser: Parser,
    progress: Progress,
    judge: AskedJudge | None,
    crew: Crew | None,
    decisions: dict[str, list[Decision]],
    reviews: Reviews,
) -> list[ConversationResult]:
    """All conversations at once, since models take their time; then their questions one after another."""
    if crew is None:
        raise UsageError("a run with models has no crew")
    samples = config.conversations
    kept = {sample_id: store.load(sample_id) for sample_id in samples}
    questions: dict[str, ConversationQuestions] = {}
    if config.revalidation is not None:
        missing = [sample_id for sample_id in samples if "qa" not in (kept[sample_id] or {})]
        questions = {each: read_conversation_questions(loaded.corpus.conversation(each), parser) for each in missing}
    if not all(kept.values()):
        hosts = [read_host(loaded, sample_id, parser) for sample_id in samples]
        for result in crew.inject(hosts, config, measure_styles(loaded.corpus), questions, store.staging / GRAPH, reviews):
            store.save(result.sample_id, {"result": _dump_result(result)})
    results = []
    for done, sample_id in enumerate(samples):
        progress(sample_id, done, len(samples))
        held = store.load(sample_id) or {}
        results.append(_load_result(held["result"]))
        if config.revalidation is not None:
            decisions[sample_id] = _decide(store, held, loaded, results[-1], questions.get(sample_id), parser, judge)
    return results


def _decide(
    store: RunStore,
    kept: dict[str, Any],
    loaded: LoadedCorpus,
    result: ConversationResult,
    questions: ConversationQuestions | None,
    parser: Parser,
    judge: AskedJudge | None,
) -> list[Decision]:
    """Decisions of one conversation, made now where its questions were read for that, else from its checkpoint.

    None is kept that rests on a judge's failure.
    """
    if questions is not None:
        failed = len(judge.failures) if judge is not None else 0
        found = decide_conversation(loaded, questions, result.edits, parser, judge)
        if judge is not None and len(judge.failures) > failed:
            return found
        kept["qa"] = dump_decisions(found)
        store.save(result.sample_id, kept)
    return load_decisions(kept["qa"])


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
        tuple(_REVIEWS.validate_python(value["reviews"])),
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

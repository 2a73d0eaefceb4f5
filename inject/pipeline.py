"""Composes a run: conversations one after another, a checkpoint after each, then the release in one rename."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from typing import Any

from pydantic import TypeAdapter

from arcs.frames import fill, load_frames
from arcs.keys import TrackAKey
from arcs.lines import SAMPLE_TIMES
from arcs.taxonomy import Family
from inject.brief import FactReader
from inject.config import InjectConfig, hash_data
from inject.connectives import load_connectives
from inject.conversation import ConversationResult, Rejected, ReleaseMemory, Tools, inject_conversation
from inject.facts import atomic_facts, claim_facts_of
from inject.gates.case import Record
from inject.gates.registry import verdict, versions
from inject.manifest import read_manifest
from inject.prevention import Prevention
from inject.qa import RevalidationConfig, begin_conversation, blocked, dump_decisions, load_decisions, untouched
from inject.release import ReleaseParts, build_release
from inject.smalltalk import load_scripts
from inject.splice import HostTexts
from inject.style import Style, measure_style
from inject.surface import word_similarity
from inject.topics import TopicCheck, persona_fit, touched_by_words
from inject.verifiers.offline import OfflineVerifier
from inject.writers.habits import from_voice
from inject.writers.offline import OfflineWriter
from locomo_patch.edits import EDIT
from locomo_patch.reader import LoadedCorpus
from locomo_patch.revalidation.asked_judge import AskedJudge
from locomo_patch.revalidation.questions import ConversationQuestions, read_conversation_questions
from locomo_patch.revalidation.states import Decision, QuestionRevision
from locomo_patch.revalidation.versioning import revise
from locomo_patch.revalidation.workers import Workers
from personas.persona import read_personas
from twistcore.chat.client import Usage
from twistcore.corpus import Corpus
from twistcore.errors import CorpusError, ModelFailedError, UsageError
from twistcore.runs import RunStore
from twistcore.text.model import load_model
from twistcore.text.parses import Parser

# (conversation, number of conversations done, number in all)
Progress = Callable[[str, int, int], None]

_KEYS = TypeAdapter(list[TrackAKey])
_REJECTS = TypeAdapter(list[Rejected])


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
) -> InjectConfig:
    """The configuration of a run; raises UsageError for a conversation that the corpus lacks. Without `revalidation` the questions
    of the corpus are left undecided."""
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
        writer=OfflineWriter.name,
        verifier=f"{OfflineVerifier.name}/{OfflineVerifier.version}",
        gates=versions(),
        data_sha256=hash_data(),
        revalidation=revalidation,
    )


def run_injection(
    loaded: LoadedCorpus,
    config: InjectConfig,
    out: Path,
    parser: Parser,
    progress: Progress,
    broken: frozenset[tuple[str, str, int]] = frozenset(),
    judge: AskedJudge | None = None,
    workers: int | None = None,
) -> RunOutcome:
    """Inject, or finish what an interrupted run began; a finished output with the same configuration is left as it is.

    `broken` names the questions whose gold is wrong upstream; `judge` gets the questions that rules leave undecided; `workers` (as
    of Workers) changes no byte: a conversation is decided while the next one is injected. Raises, once all else is done and kept,
    ModelFailedError when the judge failed (a rerun asks those conversations again) and UndecidedError when questions stay undecided
    that the policy does not retire: nothing is published, and a rerun with another policy or judge goes on from there. Raises
    ConfigMismatchError when `out` belongs to something else, StorageError when the disk refuses.
    """
    store = RunStore(out, config.model_dump(mode="json"), config.basis)
    with store.lock(), Workers(workers) as shared:
        return _run(store, loaded, config, parser, progress, broken, judge, shared)


def _run(
    store: RunStore,
    loaded: LoadedCorpus,
    config: InjectConfig,
    parser: Parser,
    progress: Progress,
    broken: frozenset[tuple[str, str, int]],
    judge: AskedJudge | None,
    workers: Workers,
) -> RunOutcome:
    store.open()
    asked = config.pairs_per_conversation * len(config.conversations)
    if store.finished():
        return _recorded_outcome(store, asked)
    memory = ReleaseMemory()
    styles = measure_styles(loaded.corpus)
    results: list[ConversationResult] = []
    decisions = {each.sample_id: untouched(len(each.questions)) for each in loaded.corpus.conversations}
    begun: list[tuple[str, Callable[[], list[Decision]]]] = []
    for done, sample_id in enumerate(config.conversations):
        progress(sample_id, done, len(config.conversations))
        kept = store.load(sample_id)
        questions = None
        if config.revalidation is not None and not _decided_by(kept, config.revalidation.judge):
            questions = read_conversation_questions(loaded.corpus.conversation(sample_id), parser)
        if kept is None:
            result = _inject_one(loaded, sample_id, config, parser, memory, styles, questions)
            kept = {"result": _dump_result(result), "memory": _dump_memory(memory)}
            store.save(sample_id, kept)
            kept = store.load(sample_id) or kept
        # Read back even what was just made, so that a resumed run and a straight one go through the same bytes.
        results.append(_load_result(kept["result"]))
        memory = _load_memory(kept["memory"])
        if config.revalidation is not None:
            begun.append((sample_id, _begin(store, kept, loaded, results[-1], questions, parser, judge, workers)))
            decisions.update((name, decide()) for name, decide in begun[:-1])
            del begun[:-1]
    decisions.update((name, decide()) for name, decide in begun)
    progress("", len(config.conversations), len(config.conversations))
    if judge is not None and judge.failures:
        raise ModelFailedError(
            f"the judge failed on {len(judge.failures)} questions, which stay undecided ({judge.failures[0]})",
            remedy="run the same command again: what is done is kept",
        )
    lines: list[QuestionRevision] | None = None
    if config.revalidation is not None:
        lines = revise(loaded.document, decisions, config.revalidation.policy, broken)
        blocking = blocked(loaded.document, lines, store.out, "is not published", "what was injected is kept")
        if blocking is not None:
            raise blocking
    spent = judge.spent() if judge is not None else Usage()
    files = build_release(ReleaseParts(loaded, config, tuple(results), lines, spent))
    store.publish(files)
    shortfall = {result.sample_id: result.shortfall for result in results if result.shortfall}
    return RunOutcome(
        store.out, sum(key.family.is_arc for result in results for key in result.keys), asked, shortfall, reused=False
    )


def _begin(
    store: RunStore,
    kept: dict[str, Any],
    loaded: LoadedCorpus,
    result: ConversationResult,
    questions: ConversationQuestions | None,
    parser: Parser,
    judge: AskedJudge | None,
    workers: Workers,
) -> Callable[[], list[Decision]]:
    """Decisions of one conversation to come, begun now where its questions were read for that, else from its checkpoint.

    None is kept that rests on a judge's failure.
    """
    if questions is None:
        return lambda: load_decisions(kept["qa"]["decisions"])
    decide = begin_conversation(loaded, questions, result.edits, parser, workers, judge)

    def finish() -> list[Decision]:
        failed = len(judge.failures) if judge is not None else 0
        found = decide()
        if judge is not None and len(judge.failures) > failed:
            return found
        kept["qa"] = {"judge": judge.judge.model if judge is not None else None, "decisions": dump_decisions(found)}
        store.save(result.sample_id, kept)
        return load_decisions(kept["qa"]["decisions"])

    return finish


def _decided_by(kept: Mapping[str, Any] | None, judge: str | None) -> bool:
    """Whether a checkpoint holds decisions that were made with this judge, or with none where none is asked."""
    return kept is not None and "qa" in kept and kept["qa"]["judge"] == judge


def _recorded_outcome(store: RunStore, asked: int) -> RunOutcome:
    manifest = read_manifest(store.out)
    return RunOutcome(store.out, manifest.counts.arcs, asked, manifest.shortfall, reused=True)


def _inject_one(
    loaded: LoadedCorpus,
    sample_id: str,
    config: InjectConfig,
    parser: Parser,
    memory: ReleaseMemory,
    styles: Styles,
    questions: ConversationQuestions | None,
) -> ConversationResult:
    """One conversation's items. With `questions` the re-validator is asked about every item before it is taken."""
    conversation = loaded.corpus.conversation(sample_id)
    record = Record(conversation, parser)
    personas = {persona.name: persona for persona in read_personas(conversation, parser)}
    habits = {name: from_voice(persona.voice) for name, persona in personas.items()}
    blocks = loaded.document.blocks(sample_id)
    missing = [session.number for session in conversation.sessions if f"session_{session.number}_summary" not in blocks.summary]
    if missing:
        raise CorpusError("has no summary", file=loaded.path, place=f"{sample_id} session_{missing[0]}")
    summaries = {session.number: blocks.summary[f"session_{session.number}_summary"] for session in conversation.sessions}
    called = {speaker: habits[conversation.partner_of(speaker)].main_name or speaker for speaker in conversation.speakers}
    asked = tuple(dict.fromkeys(question for persona in personas.values() for question in persona.questions))
    check = TopicCheck(record, touched_by_words(asked))
    fits = {name: persona_fit(persona) for name, persona in personas.items()}
    tools = Tools(
        writer=OfflineWriter(habits),
        verifier=OfflineVerifier(parser),
        judge=verdict,
        read_facts=fact_reader(),
        objections=check.objections,
        fit=lambda frame, holder: fits[holder](frame),
        similarity=word_similarity,
        foreignness=styles.statements.foreignness,
        reply_foreignness=styles.replies.foreignness,
        perturbs=Prevention(questions, parser) if questions is not None else lambda _: (),
    )
    return inject_conversation(
        record,
        HostTexts(summaries, called),
        load_frames(),
        load_scripts(),
        load_connectives(),
        config.pairs_per_conversation,
        config.seed,
        memory,
        tools,
    )


@dataclass(frozen=True)
class Styles:
    """How holders' statements and partners' replies sound in the record, each against our lines of its kind."""

    statements: Style
    replies: Style


def measure_styles(corpus: Corpus) -> Styles:
    """Both styles. A statement says "I" and asks nothing; a reply answers a statement and asks nothing."""
    statements, replies = [], []
    for conversation in corpus.conversations:
        for session in conversation.sessions:
            for before, turn in pairwise(session.turns):
                if "?" in turn.text:
                    continue
                if re.search(r"\bI\b", turn.text):
                    statements.append(turn.text)
                if "?" not in before.text:
                    replies.append(turn.text)
    gold, reactions = [], []
    for frame in load_frames():
        item = frame.objects[0]
        values = {**item.slots, "head": item.head, **SAMPLE_TIMES}
        gold += [fill(line, values) for _, line in frame.gold_lines()]
        reactions += [fill(line, values) for _, line in frame.reaction_lines()]
    connectives = load_connectives()
    return Styles(
        measure_style(statements, [*gold, *connectives.acks.texts()]),
        measure_style(replies, [*reactions, *connectives.handbacks.texts()]),
    )


def fact_reader() -> FactReader:
    """Reads a scene's facts from its words, split into what makes up the claim (clauses that name a term) and the rest."""

    def read(text: str, terms: tuple[str, ...]) -> tuple[tuple[str, ...], tuple[str, ...]]:
        # Facts are read off the evened-out sentences; the turn itself need not be parsed for them.
        doc = load_model().make_doc(text)
        claim = claim_facts_of(doc, terms) if terms else ()
        return claim, tuple(fact for fact in atomic_facts(doc) if fact not in claim)

    return read


def _dump_result(result: ConversationResult) -> dict[str, Any]:
    return {
        "sample_id": result.sample_id,
        "edits": [edit.model_dump(mode="json") for edit in result.edits],
        "keys": [key.model_dump(mode="json") for key in result.keys],
        "rejects": [reject.model_dump(mode="json") for reject in result.rejects],
        "shortfall": result.shortfall,
        "frames": list(result.frames),
    }


def _load_result(value: Mapping[str, Any]) -> ConversationResult:
    return ConversationResult(
        value["sample_id"],
        tuple(EDIT.validate_python(edit) for edit in value["edits"]),
        tuple(_KEYS.validate_python(value["keys"])),
        tuple(_REJECTS.validate_python(value["rejects"])),
        dict(value["shortfall"]),
        tuple(value["frames"]),
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

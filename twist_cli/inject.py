"""`twist inject`: belief-reversal arcs and their hard negatives into LoCoMo."""

from __future__ import annotations

from contextlib import ExitStack
from pathlib import Path
from typing import Annotated

import typer

from inject.agents.prompt_set import load_prompts
from inject.config import DEFAULT_PAIRS
from inject.manifest import read_manifest
from inject.pipeline import make_config, run_injection
from inject.qa import configure_revalidation
from inject.report import REPORT, write_report
from inject.revalidate import broken_upstream
from inject.reviews import NO_REVIEWS, read_reviews
from locomo_patch.revalidation.states import Policy
from twist_cli.corpora import hash_named, load_corpus
from twist_cli.judging import JOURNAL, find_judge
from twist_cli.live import watch
from twist_cli.model_options import (
    ConcurrencyOption,
    JournalOption,
    MaxCallsOption,
    MaxCostOption,
    MaxTokensOption,
    ModelOption,
    PricesOption,
    PromptsOption,
    RoundsOption,
    ScoutOption,
    TemperatureOption,
    TimeoutOption,
    VerifierOption,
    WriterKind,
    WriterOption,
    hire_crew,
    read_options,
)
from twist_cli.revalidate import tell_questions
from twist_cli.reviewed import tell_reviews
from twist_cli.screen import console, progress_over
from twistcore.errors import ExitCode, UndecidedError, UsageError
from twistcore.folders import refuse_file, refuse_inside, refuse_place
from twistcore.runs import staging_of
from twistcore.text.parses import Parser, cache_folder


def inject(
    out: Annotated[Path, typer.Option(help="Release directory to make; an interrupted run goes on where it stopped.")],
    track: Annotated[str, typer.Option(help="Track to inject: A.")] = "A",
    corpus: Annotated[
        Path | None,
        typer.Option(help="locomo10.json, or a folder of the ten flat files. Default: cached, fetched, or the mock corpus."),
    ] = None,
    seed: Annotated[int, typer.Option(help="Seed; the same seed, corpus and configuration give the same bytes.")] = 7,
    arcs: Annotated[
        int | None, typer.Option(min=0, help=f"Pairs (an arc and its hard negative) a conversation; {DEFAULT_PAIRS} if not given.")
    ] = None,
    conversations: Annotated[str | None, typer.Option(help="Only these, comma-separated, e.g. conv-26,conv-30.")] = None,
    revalidate: Annotated[
        bool,
        typer.Option("--revalidate/--no-revalidate", help="Give every original question its state, and version out the perturbed."),
    ] = True,
    undecided: Annotated[Policy, typer.Option(help="What becomes of questions that nobody could decide.")] = Policy.RETIRE,
    judge_model: Annotated[
        str | None, typer.Option(help="Model that is asked about undecided questions (OPENAI_BASE_URL, OPENAI_API_KEY).")
    ] = None,
    errata: Annotated[Path | None, typer.Option(help="Reported faults of LoCoMo's own key: they set a flag, no state.")] = None,
    reviews: Annotated[
        Path | None, typer.Option(help="Decisions of people about what the loop gave up on (`twist review`): they take effect.")
    ] = None,
    writer: WriterOption = WriterKind.OFFLINE,
    model: ModelOption = None,
    verifier_model: VerifierOption = None,
    concurrency: ConcurrencyOption = 32,
    max_calls: MaxCallsOption = None,
    max_cost: MaxCostOption = None,
    prices: PricesOption = None,
    prompts: PromptsOption = None,
    journal: JournalOption = None,
    scout: ScoutOption = True,
    rounds: RoundsOption = 3,
    temperature: TemperatureOption = 0.7,
    max_tokens: MaxTokensOption = 1024,
    timeout: TimeoutOption = 120.0,
    events: Annotated[Path | None, typer.Option(help="Event log of a run with models. Default: OUT.events.jsonl.")] = None,
    allow_unknown: Annotated[bool, typer.Option("--allow-unknown", help="Use a file of unknown version, tagged so.")] = False,
) -> int:
    """Inject a track into LoCoMo and write a release that proves itself."""
    if track.upper() != "A":
        raise UsageError(f"track {track} is not built yet", remedy="use --track A")
    log = events or out.with_name(f"{out.name}.events.jsonl")
    read = (corpus, errata, prices, prompts, reviews)
    refuse_place(out, read)
    if writer is WriterKind.LLM:
        made, kept = (out, staging_of(out)), journal or cache_folder() / JOURNAL
        for written in (log, kept):
            refuse_file(written, read)
            refuse_inside(written, made)
        refuse_inside(kept, (log,))
    options = read_options(
        writer,
        model,
        verifier_model,
        concurrency=concurrency,
        max_calls=max_calls,
        max_cost=max_cost,
        prices=prices,
        prompts=prompts,
        journal=journal,
        scout=scout,
        rounds=rounds,
        temperature=temperature,
        max_tokens=max_tokens,
        timeout=timeout,
    )
    told = load_prompts(options.prompts) if options is not None else None
    loaded = load_corpus(corpus, allow_unknown=allow_unknown)
    chosen = [name.strip() for name in conversations.split(",") if name.strip()] if conversations is not None else None
    if chosen == []:
        raise UsageError("--conversations names none", remedy="give ids such as conv-26,conv-30, or leave the option out")
    if not revalidate and (errata is not None or judge_model is not None):
        raise UsageError("--errata and --judge-model go with re-validation", remedy="leave out --no-revalidate")
    errata_sha256 = hash_named(errata)
    states = configure_revalidation(undecided, errata_sha256, judge_model) if revalidate else None
    models = options.configure(told) if options is not None and told is not None else None
    decided = read_reviews(reviews) if reviews is not None else NO_REVIEWS
    pairs = DEFAULT_PAIRS if arcs is None else arcs
    config = make_config(loaded, seed, pairs, chosen, states, models, decided.sha256)
    broken = broken_upstream(loaded, errata)
    with ExitStack() as stack:
        judge = stack.enter_context(find_judge(judge_model))
        crew = None
        if options is not None and told is not None:
            asked = 2 * config.pairs_per_conversation * len(config.conversations)
            watchers = stack.enter_context(watch(asked, log))
            crew = hire_crew(options, told, watchers.tell, watchers.on_event)
        step = stack.enter_context(progress_over("inject"))
        outcome = run_injection(loaded, config, out, Parser(cache_folder()), step, broken, judge, crew, decided)
    if not (out / REPORT).is_file():
        write_report(out)
    state = "unchanged" if outcome.reused else "written"
    console.print(
        f"{outcome.out}: corpus: {config.corpus}, {outcome.arcs} arcs and as many hard negatives "
        f"of {outcome.asked} asked for ({state})",
        markup=False,
    )
    for sample_id, reasons in outcome.shortfall.items():
        for reason, count in reasons.items():
            console.print(f"  {sample_id}: {count} short: {reason}", markup=False)
    tell_reviews(out, decided)
    questions = read_manifest(out).qa
    if questions is not None:
        tell_questions(questions, str(out))
        if questions.by_state["undecided"]:
            raise UndecidedError(
                f"is not fit to be published, {questions.by_state['undecided']} undecided questions block it",
                file=out,
                remedy="`twist revalidate --release` with --undecided retire or a --judge-model",
            )
    return int(ExitCode.UNMET if arcs is not None and outcome.arcs < outcome.asked else ExitCode.DONE)

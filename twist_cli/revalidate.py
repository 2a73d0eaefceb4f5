"""`twist revalidate`: every LoCoMo question in a closed state with a reason, for a release or for cases of one's own."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from inject.config import hash_data
from inject.qa import QaRecord, configure_revalidation
from inject.revalidate import BASIS_SCHEMA, revalidate_release
from locomo_patch.revalidation.asked_judge import AskedJudge
from locomo_patch.revalidation.case_runs import run_cases
from locomo_patch.revalidation.cases import read_cases
from locomo_patch.revalidation.score import read_labels, score
from locomo_patch.revalidation.states import CaseVerdict, Policy, State
from twist_cli.corpora import hash_named, load_corpus
from twist_cli.judging import find_judge
from twist_cli.screen import console, notices, progress_over
from twistcore.errors import ExitCode, UsageError
from twistcore.folders import refuse_file
from twistcore.text.parses import Parser, cache_folder


def revalidate(
    corpus: Annotated[
        Path | None, typer.Option(help="The corpus that the release was made from, or that the cases are about.")
    ] = None,
    release: Annotated[Path | None, typer.Option(help="Release directory: its questions get their states.")] = None,
    cases: Annotated[Path | None, typer.Option(help="Cases of injected turns, one JSON object a line.")] = None,
    out: Annotated[Path | None, typer.Option(help="With --cases: where the verdicts go.")] = None,
    undecided: Annotated[
        Policy | None, typer.Option(help="What becomes of what nobody could decide. Default: block; with --cases retire.")
    ] = None,
    judge_model: Annotated[
        str | None, typer.Option(help="Model that is asked about undecided questions (OPENAI_BASE_URL, OPENAI_API_KEY).")
    ] = None,
    errata: Annotated[Path | None, typer.Option(help="Reported faults of LoCoMo's own key: they set a flag, no state.")] = None,
    allow_unknown: Annotated[bool, typer.Option("--allow-unknown", help="Use a file of unknown version.")] = False,
) -> int:
    """Decide which original questions the injected turns perturb, and version those out."""
    if (release is None) == (cases is None):
        raise UsageError("takes --release DIR, or --cases FILE with --out FILE")
    if cases is not None:
        if errata is not None:
            raise UsageError("--errata goes with --release", remedy="cases have no state to flag")
        return _judge(corpus, cases, out, undecided or Policy.RETIRE, allow_unknown, judge_model)
    if release is None:
        raise UsageError("takes --release DIR, or --cases FILE with --out FILE")
    if out is not None:
        raise UsageError("--out goes with --cases", remedy="the states of a release are written into it")
    loaded = load_corpus(corpus, allow_unknown=allow_unknown)
    policy = undecided or Policy.BLOCK
    config = configure_revalidation(policy, hash_named(errata), judge_model)
    with find_judge(judge_model) as judge, progress_over("revalidate") as step:
        outcome = revalidate_release(loaded, release, config, errata, Parser(cache_folder()), step, judge)
    tell_questions(outcome.record, str(release))
    _tell_judge(judge)
    if outcome.blocking is not None:
        raise outcome.blocking
    return int(ExitCode.DONE)


def _tell_judge(judge: AskedJudge | None) -> None:
    if judge is not None:
        notices.print(f"judge: asked {judge.asked}, settled {judge.settled}, failed {len(judge.failures)}", markup=False)


def _exit(blocking: int, judge: AskedJudge | None) -> int:
    _tell_judge(judge)
    if judge is not None and judge.failures:
        notices.print(
            f"{len(judge.failures)} questions stay undecided because the judge failed ({judge.failures[0]})", markup=False
        )
        return int(ExitCode.MODEL_FAILED)
    if blocking:
        console.print(
            f"{blocking} undecided questions block; --undecided retire retires those that no model was asked", markup=False
        )
        return int(ExitCode.MODEL_FAILED)
    return int(ExitCode.DONE)


def tell_questions(record: QaRecord, name: str) -> None:
    """A release's questions on the screen: denominators by name, states, kinds."""
    asked = record.questions
    console.print(
        f"{name}: {record.key_version}: {asked.all} questions, {asked.with_evidence} with evidence, "
        f"{asked.answerable} answerable, {asked.distinct_answerable} of these distinct",
        markup=False,
    )
    states = ", ".join(f"{count} {state}" for state, count in record.by_state.items())
    share = record.valid_answerable / asked.answerable if asked.answerable else 1.0
    console.print(
        f"  {states} ({record.undecided_retired} retired because undecided); valid of the answerable: "
        f"{record.valid_answerable} ({share:.1%})",
        markup=False,
    )
    kinds = ", ".join(f"{kind} {count}" for kind, count in record.by_kind.items() if count)
    if kinds:
        console.print(f"  {kinds}", markup=False)
    if record.already_broken:
        console.print(
            f"  wrong upstream already: {record.already_broken}, of these perturbed: {record.broken_and_perturbed}", markup=False
        )


def _judge(corpus: Path | None, cases: Path, out: Path | None, policy: Policy, allow_unknown: bool, judge_model: str | None) -> int:
    if out is None:
        raise UsageError("--cases needs --out FILE for the verdicts")
    refuse_file(out, (cases, corpus))
    loaded = load_corpus(corpus, allow_unknown=allow_unknown)
    refuse_file(out, (loaded.path,))
    listed = read_cases(cases, loaded.corpus)
    basis = {
        "schema_version": BASIS_SCHEMA,
        "corpus_sha256": loaded.sha256,
        "cases_sha256": hash_named(cases),
        "data_sha256": hash_data(),
        **configure_revalidation(policy, None, judge_model).model_dump(mode="json"),
    }
    with find_judge(judge_model) as judge, progress_over("revalidate") as step:
        verdicts = run_cases(loaded, listed, basis, out, Parser(cache_folder()), policy, step, judge)
    decided = sum(verdict.state in (State.RETIRED, State.REVISED) for verdict in verdicts)
    unsure = sum(verdict.state is State.UNDECIDED for verdict in verdicts)
    console.print(
        f"{out}: {len(listed)} cases, {len(verdicts)} verdicts: {decided} perturbed, {unsure} undecided, "
        f"{len(verdicts) - decided - unsure} valid",
        markup=False,
    )
    _tell_score(cases, verdicts)
    # What a working judge cannot tell is an answer of its own here; only a failure, or the policy, makes the exit code.
    blocked = sum(verdict.state_after_policy is State.UNDECIDED for verdict in verdicts) if policy is Policy.BLOCK else 0
    return _exit(blocked, judge)


def _tell_score(cases: Path, verdicts: list[CaseVerdict]) -> None:
    """Where the file carries labels: how the verdicts do on them, decided and undecided apart."""
    labels = [each for each in read_labels(cases) if each.perturbed or each.near_miss]
    if not labels:
        return
    found = score(labels, verdicts)
    console.print(
        f"  labelled: {found.caught} of {found.perturbed} perturbed not left valid "
        f"({found.recall:.1%}; {found.caught_decided} decided), "
        f"{found.alarms} of {found.near_misses} near misses ({found.alarm_rate:.1%}; {found.alarms_decided} decided), "
        f"kind right for {found.kinds_right} of the {found.caught} ({found.kind_rate:.1%})",
        markup=False,
    )
    for kind, (all_of, caught) in found.by_kind.items():
        console.print(f"    {kind}: {caught} of {all_of}", markup=False)

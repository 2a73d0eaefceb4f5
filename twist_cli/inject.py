"""`twist inject`: belief-reversal arcs and their hard negatives into LoCoMo."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from inject.config import DEFAULT_PAIRS
from inject.pipeline import make_config, run_injection
from inject.report import REPORT, write_report
from twist_cli.corpora import load_corpus
from twist_cli.screen import console, progress_over
from twistcore.errors import ExitCode, UsageError
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
    allow_unknown: Annotated[bool, typer.Option("--allow-unknown", help="Use a file of unknown version, tagged so.")] = False,
) -> int:
    """Inject a track into LoCoMo and write a release that proves itself."""
    if track.upper() != "A":
        raise UsageError(f"track {track} is not built yet", remedy="use --track A")
    loaded = load_corpus(corpus, allow_unknown=allow_unknown)
    chosen = [name.strip() for name in conversations.split(",") if name.strip()] if conversations is not None else None
    if chosen == []:
        raise UsageError("--conversations names none", remedy="give ids such as conv-26,conv-30, or leave the option out")
    config = make_config(loaded, seed, DEFAULT_PAIRS if arcs is None else arcs, chosen)
    with progress_over("inject") as step:
        outcome = run_injection(loaded, config, out, Parser(cache_folder()), step)
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
    return int(ExitCode.UNMET if arcs is not None and outcome.arcs < outcome.asked else ExitCode.DONE)

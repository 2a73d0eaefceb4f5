"""`twist gate`: the gates on somebody else's proposals."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Annotated

import typer

from inject.alignment.proposals import read_drafts
from inject.alignment.registry import judge_drafts
from inject.gates.batch import Progress, judge_proposals
from inject.proposals import read_proposals
from twist_cli.corpora import load_corpus
from twist_cli.screen import console, progress_over
from twistcore.corpus import Corpus
from twistcore.errors import ExitCode, UsageError
from twistcore.folders import refuse_file
from twistcore.store import dump_lines, write_atomic
from twistcore.text.parses import Parser, cache_folder
from twistcore.verdicts import Verdict

Judge = Callable[[Corpus, Parser, Progress], list[Verdict]]


def _arcs(path: Path) -> Judge:
    listed = list(read_proposals(path))
    return lambda corpus, parser, step: judge_proposals(listed, corpus, parser, step)


def _drafts(path: Path) -> Judge:
    listed = list(read_drafts(path))
    return lambda corpus, parser, step: judge_drafts(listed, corpus, parser, step)


_TRACKS: dict[str, Callable[[Path], Judge]] = {"A": _arcs, "B": _drafts}


def gate(
    proposals: Annotated[Path, typer.Option(help="Proposals, one JSON object a line.")],
    out: Annotated[Path, typer.Option(help="Where the verdicts go, one JSON object a line.")],
    track: Annotated[str, typer.Option(help="Track of the proposals: A (arcs) or B (drafts).")] = "A",
    corpus: Annotated[Path | None, typer.Option(help="The corpus that the proposals are meant for.")] = None,
    allow_unknown: Annotated[bool, typer.Option("--allow-unknown", help="Use a file of unknown version.")] = False,
) -> int:
    """Judge proposals by every gate; each verdict depends on its own line and the corpus only."""
    read_and_judge = _TRACKS.get(track.upper())
    if read_and_judge is None:
        raise UsageError(f"track {track} has no gates yet", remedy="use --track A or --track B")
    refuse_file(out, (proposals, corpus))
    judge = read_and_judge(proposals)
    loaded = load_corpus(corpus, allow_unknown=allow_unknown)
    refuse_file(out, (loaded.path,))
    with progress_over("gate") as step:
        verdicts = judge(loaded.corpus, Parser(cache_folder()), step)
    write_atomic(out, dump_lines(verdicts))
    tally = Counter(verdict.verdict.value for verdict in verdicts)
    failed = Counter(finding.gate for verdict in verdicts for finding in verdict.failed)
    console.print(
        f"{out}: {len(verdicts)} proposals, " + ", ".join(f"{tally[name]} {name}" for name in ("pass", "fail", "undecided")),
        markup=False,
    )
    for name, count in failed.most_common():
        console.print(f"  {name}: {count}", markup=False)
    return int(ExitCode.DONE)

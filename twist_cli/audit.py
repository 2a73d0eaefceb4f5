"""`twist audit`: what gives the injection away, if anything."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from twist_cli.screen import console, progress_over
from twistcore.errors import ExitCode

GIVEAWAYS = 12


def audit(
    folder: Annotated[Path, typer.Argument(metavar="DIR", help="A release directory.")],
) -> int:
    """Measure how well surface statistics find what was injected; writes DIR/audits/ and DIR/report.html, exit 1 when a target
    is missed."""
    # The audits bring scikit-learn with them, which no other command should wait for.
    from inject.audits.run import run_audits
    from inject.report import write_report

    with progress_over("audit") as step:
        report = run_audits(folder, step)
    write_report(folder)
    for limit in report.limits:
        console.print(f"{'met' if limit.met else 'n/a' if limit.met is None else 'MISSED':>6}  {limit}", markup=False)
    for comparison in report.detectability.comparisons:
        shown = ", ".join(
            f"{word.ngram} {word.in_positives:.0%}/{word.in_negatives:.0%}" for word in comparison.report.words[:GIVEAWAYS]
        )
        console.print(
            f"{comparison.name}: {comparison.report.auc.worst or 'n/a'}; gives away (share in either): {shown}", markup=False
        )
    for family in report.leakage.families:
        console.print(f"leakage {family.family}: {family.report.auc.mean}", markup=False)
    return int(ExitCode.UNMET if report.unmet else ExitCode.DONE)

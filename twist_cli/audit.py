"""`twist audit`: what gives the injection away, if anything."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from twist_cli.screen import console, progress_over
from twistcore.errors import ExitCode


def audit(
    folder: Annotated[Path, typer.Argument(metavar="DIR", help="A release directory.")],
) -> int:
    """Measure how well surface statistics find what was injected; writes DIR/audits/ and DIR/report.html, exit 1 when a target is missed."""
    # The audits bring scikit-learn with them, which no other command should wait for.
    from inject.audits.run import run_audits
    from inject.report import write_report

    with progress_over("audit") as step:
        report = run_audits(folder, step)
    write_report(folder)
    for line in report.lines():
        console.print(line, markup=False)
    return int(ExitCode.UNMET if report.unmet else ExitCode.DONE)

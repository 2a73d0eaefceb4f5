"""`twist errata apply`: accepted disputes, appended as revisions, under the next key version."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from inject.revised_release import apply_errata
from locomo_patch.errata.disputes import read_disputes
from twist_cli.screen import console
from twistcore.errors import ExitCode

errata = typer.Typer(help="Accepted disputes about a release.", no_args_is_help=True)


@errata.callback()
def options() -> None:
    """Accepted disputes about a release."""


@errata.command()
def apply(
    release: Annotated[Path, typer.Argument(help="Release directory.")],
    disputes: Annotated[Path, typer.Argument(help="ERRATA.yaml: a list of target, action, new, reason, by, date.")],
) -> int:
    """Append what the disputes ask for; nothing is overwritten, and the next key version says so."""
    outcome = apply_errata(release, read_disputes(disputes), disputes)
    if not outcome.questions and not outcome.items:
        console.print(f"{release}: nothing to append, every dispute is in the release already", markup=False)
        return int(ExitCode.DONE)
    console.print(
        f"{release}: {outcome.questions} questions and {outcome.items} key items revised; "
        f"keys are now {outcome.key_version}" + (f" and {outcome.qa_version}" if outcome.qa_version else ""),
        markup=False,
    )
    return int(ExitCode.DONE)

"""`twist check`: proves the rules of a release again, from the directory alone."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from inject.check import check_release
from twist_cli.screen import console
from twistcore.errors import ExitCode
from twistcore.text.parses import Parser, cache_folder


def check(
    folder: Annotated[Path, typer.Argument(metavar="DIR", help="A release directory.")],
) -> int:
    """Re-prove every rule that a finished release can show; exit 1 with a list of what is broken."""
    broken = check_release(folder, Parser(cache_folder()))
    for fault in broken:
        console.print(str(fault), markup=False)
    console.print(f"{folder}: {len(broken)} faults" if broken else f"{folder}: every rule holds", markup=False)
    return int(ExitCode.UNMET if broken else ExitCode.DONE)

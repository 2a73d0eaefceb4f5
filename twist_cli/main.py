"""The `twist` command. One file a subcommand; errors become one line and an exit code here and nowhere else."""

from __future__ import annotations

import io
import os
import sys
from typing import Annotated

import typer
from rich.console import Console

from twist_cli.audit import audit
from twist_cli.check import check
from twist_cli.cost import cost
from twist_cli.council import council
from twist_cli.diff import diff
from twist_cli.errata import errata
from twist_cli.gate import gate
from twist_cli.inject import inject
from twist_cli.patch import patch
from twist_cli.plan import plan
from twist_cli.revalidate import revalidate
from twist_cli.review import review
from twist_cli.show import show
from twistcore.errors import ExitCode, TwistError

SHELL_INTERRUPT = 130
INTERRUPTED = "stopped; run the same command again to go on"

app = typer.Typer(
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
    help="Builds and proves the corpora of TWIST: belief reversals injected into LoCoMo, with gold keys, rejects and audits.",
)
app.command()(inject)
app.command()(plan)
app.command()(cost)
app.command()(check)
app.command()(gate)
app.command()(show)
app.command()(audit)
app.command()(council)
app.command()(diff)
app.add_typer(patch, name="patch")
app.add_typer(errata, name="errata")
app.command()(revalidate)
app.command()(review)


@app.callback()
def options(debug: Annotated[bool, typer.Option("--debug", help="Show the traceback of an error.")] = False) -> None:
    """Options of every command. `run` takes `--debug` off the line itself; it is here for the help."""


def run(arguments: list[str] | None = None) -> None:
    """Entry point: runs a command, prints an error as one line, exits with its code (SCHEMAS.md, "Exit codes")."""
    arguments = sys.argv[1:] if arguments is None else arguments
    for stream in (sys.stdout, sys.stderr):
        # A turn may hold what the terminal's code page cannot show (PRECEDENTS.md 42); files are ASCII whatever it is.
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")
    # `--debug` is taken anywhere on the line, since it is thought of after the command failed.
    debug = "--debug" in arguments or os.environ.get("TWIST_DEBUG") == "1"
    rest = [argument for argument in arguments if argument != "--debug"]
    try:
        code = app(args=rest, standalone_mode=False)
    except TwistError as error:
        if debug:
            raise
        complain(str(error))
        sys.exit(int(error.exit_code))
    except typer.Exit as leaving:
        code = leaving.exit_code
    except (KeyboardInterrupt, typer.Abort):
        complain(INTERRUPTED)
        sys.exit(int(ExitCode.STOPPED))
    except Exception as error:
        # click raises its usage errors as its own family, which typer does not export whole.
        shown = getattr(error, "format_message", None)
        if shown is None:
            raise
        if line := shown():
            complain(line)
        sys.exit(int(ExitCode.REFUSED))
    # typer turns an interrupt into the shell's 130, which is not one of our codes.
    if code == SHELL_INTERRUPT:
        complain(INTERRUPTED)
        code = ExitCode.STOPPED
    sys.exit(int(code or 0))


def complain(line: str) -> None:
    """One line on standard error."""
    Console(stderr=True, highlight=False, soft_wrap=True, markup=False).print(f"twist: {line}")

"""`twist patch`: a release as one file without LoCoMo's text, and the release again out of it and the official file."""

from __future__ import annotations

import importlib.metadata
from pathlib import Path
from typing import Annotated

import typer

from locomo_patch.patch.files import publish_release, read_patch, read_release, refuse_output, write_patch
from locomo_patch.patch.make import make_patch
from locomo_patch.patch.models import PatchError
from locomo_patch.patch.rebuild import fit_source, rebuild_release
from locomo_patch.reader import read_corpus, read_document
from twist_cli.screen import console
from twistcore.errors import ExitCode, ReleaseError, UndecidedError
from twistcore.folders import refuse_file

patch = typer.Typer(no_args_is_help=True, help="Publish a release without LoCoMo's text, or rebuild it from that.")


@patch.command()
def make(
    folder: Annotated[Path, typer.Argument(metavar="DIR", help="A release directory.")],
    out: Annotated[Path, typer.Option("--out", "-o", metavar="FILE", help="The patch file; gzipped if named .gz.")],
    corpus: Annotated[
        Path | None, typer.Option(metavar="FILE", help="The source, where the release alone cannot give it back.")
    ] = None,
) -> int:
    """Write a release as one file of its own text and references into LoCoMo."""
    refuse_file(out, (folder, corpus))
    material = read_release(folder)
    source = read_corpus(corpus, allow_unknown=True).document if corpus is not None else None
    try:
        made = make_patch(material, source, f"twist-corpus {importlib.metadata.version('twist-corpus')}")
    except (ReleaseError, UndecidedError, PatchError) as error:
        raise type(error)(error.message, file=folder / (error.file or ""), place=error.place, remedy=error.remedy) from error
    size = write_patch(made, out)
    console.print(
        f"{out}: {size} bytes, {len(made.files)} files of the release, {len(made.places)} places of the source "
        f"({made.source.version}); no text of the source, and it gives the release back",
        markup=False,
    )
    return int(ExitCode.DONE)


@patch.command()
def apply(
    file: Annotated[Path, typer.Argument(metavar="FILE", help="A patch file.")],
    corpus: Annotated[
        Path, typer.Option(metavar="FILE", help="The corpus that it was made from, e.g. the official locomo10.json.")
    ],
    out: Annotated[Path, typer.Option(metavar="DIR", help="The release directory to make.")],
) -> int:
    """Rebuild a release from a patch and its source, byte for byte."""
    refuse_output(out, (file, corpus))
    found = read_patch(file)
    try:
        source = fit_source(found, read_document(corpus))
    except PatchError as error:
        raise PatchError(error.message, file=corpus, place=error.place, remedy=error.remedy) from error
    try:
        files = rebuild_release(found, source)
    except PatchError as error:
        raise PatchError(error.message, file=file, place=error.place, remedy=error.remedy) from error
    publish_release(files, out)
    console.print(f"{out}: {len(files)} files, every hash as the patch says (cost.json is this run's)", markup=False)
    return int(ExitCode.DONE)

"""How commands come by their corpus."""

from __future__ import annotations

from pathlib import Path

from locomo_patch.locate import locate_corpus
from locomo_patch.reader import LoadedCorpus, read_corpus
from twist_cli.screen import notices
from twistcore.errors import UsageError
from twistcore.fingerprints import sha256_file
from twistcore.text.parses import cache_folder


def load_corpus(named: Path | None, *, allow_unknown: bool) -> LoadedCorpus:
    """The named corpus, or the cached, fetched or mock one; what the user should know goes to standard error."""
    located = locate_corpus(named, cache_folder(), lambda line: notices.print(line, markup=False))
    return read_corpus(located.path, allow_unknown=allow_unknown)


def hash_named(path: Path | None) -> str | None:
    """Hash of a file that the line names, None where it names none; raises UsageError where it cannot be read."""
    if path is None:
        return None
    try:
        return sha256_file(path)
    except OSError as error:
        raise UsageError(f"cannot be read ({error.strerror or error})", file=path) from error

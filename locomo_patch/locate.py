"""Where the corpus is: named, cached, fetched from its public home, or the bundled mock corpus, in that order."""

from __future__ import annotations

import logging
from collections.abc import Callable
from dataclasses import dataclass
from importlib import resources
from pathlib import Path

from locomo_patch.versions import LICENCE, OFFICIAL_SHA256, OFFICIAL_URL
from twistcore.errors import CorpusError, StorageError
from twistcore.fingerprints import sha256_file

TIMEOUT_SECONDS = 8
FILE_NAME = "locomo10.json"


@dataclass(frozen=True, slots=True)
class Located:
    """A corpus file to read, and whether it is the mock corpus that stands in for one that could not be reached."""

    path: Path
    stands_in: bool = False


def mock_path() -> Path:
    """The mock corpus that ships with the package."""
    return Path(str(resources.files("locomo_patch") / "corpora" / "mock" / "locomo_mock.json"))


def locate_corpus(named: Path | None, cache: Path, say: Callable[[str], None], url: str = OFFICIAL_URL) -> Located:
    """The corpus to use. `say` gets the lines that a user should see: the licence on a download, and that the mock corpus is used.

    Raises CorpusError when `named` does not exist, or when a downloaded file is not the pinned one.
    """
    if named is not None:
        if not named.exists():
            raise CorpusError("does not exist", file=named, remedy="point --corpus at locomo10.json")
        return Located(named)
    kept = cache / "corpora" / FILE_NAME
    if kept.is_file():
        if sha256_file(kept) != OFFICIAL_SHA256:
            raise CorpusError(
                "is not the official LoCoMo file any more", file=kept, remedy="delete it, so that it is fetched again"
            )
        return Located(kept)
    fetched = _fetch(kept, url, say)
    if fetched is not None:
        return Located(fetched)
    say(
        "LoCoMo could not be fetched, so the bundled mock corpus is used (corpus: mock). "
        "For the real one: --corpus PATH/locomo10.json, or make inject CORPUS=PATH/locomo10.json"
    )
    return Located(mock_path(), stands_in=True)


def _fetch(target: Path, url: str, say: Callable[[str], None]) -> Path | None:
    """The official file by pooch, or None where its home cannot be reached; another file or a full disk is an error."""
    import pooch
    import requests

    pooch.get_logger().setLevel(logging.WARNING)
    say(f"Fetching LoCoMo. {LICENCE}.")
    try:
        path = pooch.retrieve(
            url=url,
            known_hash=f"sha256:{OFFICIAL_SHA256}",
            fname=target.name,
            path=target.parent,
            downloader=pooch.HTTPDownloader(timeout=TIMEOUT_SECONDS, progressbar=False),
        )
    except requests.RequestException:
        return None
    except OSError as error:
        raise StorageError(
            f"cannot keep the download ({error.strerror or error})",
            file=target,
            remedy="free space, or set TWIST_CACHE to another directory",
        ) from error
    except ValueError as error:
        raise CorpusError(
            "what its public home serves is not the pinned file",
            file=url,
            remedy="fetch locomo10.json yourself and name it with --corpus",
        ) from error
    return Path(path)

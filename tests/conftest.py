"""Fixtures that several test packages share."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from locomo_patch.locate import mock_path
from locomo_patch.reader import LoadedCorpus, read_corpus
from twistcore.text.parses import Parser


@pytest.fixture(scope="session")
def cache(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A cache directory for parses, shared by the session."""
    return tmp_path_factory.mktemp("cache")


@pytest.fixture(scope="session")
def parser(cache: Path) -> Parser:
    """One parser for the session, so that a text is parsed once."""
    return Parser(cache)


@pytest.fixture(scope="session")
def mock() -> LoadedCorpus:
    """The bundled mock corpus."""
    return read_corpus(mock_path())


@pytest.fixture(scope="session")
def shared() -> Path:
    """The folder with the real data; tests that need it skip, and are counted, where TWIST_SHARED is not set."""
    named = os.environ.get("TWIST_SHARED")
    if not named:
        pytest.skip("TWIST_SHARED is not set: the real LoCoMo file is not here")
    return Path(named)


@pytest.fixture(scope="session")
def real(shared: Path) -> LoadedCorpus:
    """The official LoCoMo file."""
    return read_corpus(shared / "data" / "locomo10.json")

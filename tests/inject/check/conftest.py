"""A mock release made by the pipeline once a session, and copies of it to break one thing at a time."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest
from release_copy import Copy

from inject.pipeline import make_config, run_injection
from locomo_patch.reader import LoadedCorpus
from twistcore.text.parses import Parser

PAIRS = 6


@pytest.fixture(scope="session")
def made(mock: LoadedCorpus, parser: Parser, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A mock release that holds at least one pair, made by the pipeline. The mock corpus is small, so not every seed finds places."""
    folder = tmp_path_factory.mktemp("release")
    for seed in range(7, 15):
        out = folder / f"seed-{seed}"
        if run_injection(mock, make_config(mock, seed, PAIRS, None), out, parser, lambda _name, _done, _all: None).arcs:
            return out
    return pytest.fail("no seed gives a mock release with an arc in it")


@pytest.fixture
def release(made: Path, parser: Parser, tmp_path: Path) -> Copy:
    """A copy of the mock release to break."""
    return Copy(Path(shutil.copytree(made, tmp_path / "release")), parser)

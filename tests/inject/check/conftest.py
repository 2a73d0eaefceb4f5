"""A frozen mock release, put together by the release builder, and copies of it to break one thing at a time.

The edits and keys under data/ were made by the pipeline once (seed 7) and kept, so that what the planner finds room for in the
small mock corpus decides no test here. They hold a pair with a bridge, an exchange at a session's end, a drift turn, appended
sessions with and without exchanges, and one that takes a dangling date.
"""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest
from release_copy import Copy

from arcs.keys import TrackAKey
from inject.check.pairs import frames_of
from inject.conversation import ConversationResult
from inject.gates.registry import versions
from inject.pipeline import make_config
from inject.release import ReleaseParts, build_release
from locomo_patch.edits import EDIT
from locomo_patch.reader import LoadedCorpus
from twistcore.errors import ReleaseError
from twistcore.store import read_lines
from twistcore.text.parses import Parser

DATA = Path(__file__).parent / "data"
PAIRS = 6


def _results(conversations: list[str]) -> tuple[ConversationResult, ...]:
    edits = [EDIT.validate_python(row) for _, row in read_lines(DATA / "mock_edits.jsonl", ReleaseError)]
    rows = [row for _, row in read_lines(DATA / "mock_keys.jsonl", ReleaseError)]
    keys = [TrackAKey.model_validate({**row, "provenance": {**row["provenance"], "gates": versions()}}) for row in rows]
    results = []
    for sample_id in conversations:
        mine = [key for key in keys if key.sample_id == sample_id]
        missing = PAIRS - len({key.pair_id for key in mine})
        results.append(
            ConversationResult(
                sample_id,
                tuple(edit for edit in edits if edit.sample_id == sample_id),
                tuple(mine),
                (),
                {"no place far enough apart": missing},
                tuple(sorted({frame for key in mine for frame in frames_of(key)})),
            )
        )
    return tuple(results)


@pytest.fixture(scope="session")
def made(mock: LoadedCorpus, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A mock release with one pair."""
    folder = tmp_path_factory.mktemp("release") / "mock"
    config = make_config(mock, 7, PAIRS, None)
    for name, data in build_release(ReleaseParts(mock, config, _results(config.conversations))).items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(data)
    return folder


@pytest.fixture
def release(made: Path, parser: Parser, tmp_path: Path) -> Copy:
    """A copy of the mock release to break."""
    return Copy(Path(shutil.copytree(made, tmp_path / "release")), parser)

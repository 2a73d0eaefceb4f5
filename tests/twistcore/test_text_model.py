"""The one loader of the language model, and the cache of parses."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from twistcore.errors import ModelDataError
from twistcore.text.model import WEIGHTS_SHA256, find_weights, verify_weights
from twistcore.text.parses import Parser


def test_weights_that_are_not_the_pinned_ones_are_refused(tmp_path: Path) -> None:
    folder = tmp_path / "model"
    shutil.copytree(find_weights(), folder)
    verify_weights(folder)
    victim = folder / "tagger" / "model"
    victim.write_bytes(victim.read_bytes()[:-1] + b"x")
    with pytest.raises(ModelDataError, match=r"tagger/model.*not the pinned"):
        verify_weights(folder)
    victim.unlink()
    with pytest.raises(ModelDataError, match="missing"):
        verify_weights(folder)


def test_every_file_with_learned_weights_is_pinned() -> None:
    folder = find_weights()
    learned = {path.relative_to(folder).as_posix() for path in folder.rglob("model") if path.is_file()}
    assert learned <= set(WEIGHTS_SHA256)


def test_kept_parses_equal_fresh_ones(tmp_path: Path) -> None:
    texts = ["I sold my old car.", " Wow,  that's great!\n", "I sold my old car."]
    fresh = Parser(tmp_path).parse_kept(texts)
    kept = Parser(tmp_path).parse_kept(texts)
    assert [[(t.text, t.lemma_, t.pos_, t.dep_, t.head.i) for t in doc] for doc in fresh] == [
        [(t.text, t.lemma_, t.pos_, t.dep_, t.head.i) for t in doc] for doc in kept
    ]
    assert [doc.text for doc in kept] == texts


def test_a_cut_off_cache_file_is_made_again(tmp_path: Path) -> None:
    texts = ["I sold my old car.", "Nice!"]
    Parser(tmp_path).parse_kept(texts)
    (path,) = (tmp_path / "parses").iterdir()
    path.write_bytes(path.read_bytes()[:20])
    assert [doc.text for doc in Parser(tmp_path).parse_kept(texts)] == texts
    assert path.stat().st_size > 20

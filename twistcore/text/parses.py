"""Parses of texts: made once, kept in memory by text, and on disk as spaCy DocBins by the hash of what was parsed."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from platformdirs import user_cache_path

from twistcore.fingerprints import fingerprint
from twistcore.store import write_atomic
from twistcore.text.model import MODEL_VERSION, UNUSED_PIPES, load_model

if TYPE_CHECKING:
    from spacy.tokens import Doc

BATCH = 256


def cache_folder() -> Path:
    """Where parses and the downloaded corpus are kept: `TWIST_CACHE`, else the user's cache directory."""
    named = os.environ.get("TWIST_CACHE")
    return Path(named) if named else user_cache_path("twist")


class Parser:
    """Parses texts and remembers them. Give a `folder` to keep whole conversations on disk between runs."""

    def __init__(self, folder: Path | None = None) -> None:
        self._folder = folder
        self._memory: dict[str, Doc] = {}

    def parse(self, text: str) -> Doc:
        """The parse of one text; a text that was seen before costs nothing."""
        doc = self._memory.get(text)
        if doc is None:
            doc = load_model()(text)
            self._memory[text] = doc
        return doc

    def parse_all(self, texts: Iterable[str]) -> list[Doc]:
        """Parses of many texts, in their order, batched."""
        listed = list(texts)
        new = list(dict.fromkeys(text for text in listed if text not in self._memory))
        for text, doc in zip(new, load_model().pipe(new, batch_size=BATCH), strict=True):
            self._memory[text] = doc
        return [self._memory[text] for text in listed]

    @property
    def held(self) -> int:
        """How many parses are held."""
        return len(self._memory)

    def forget(self, *, after: int) -> None:
        """Let go of all parses but the first so many."""
        while len(self._memory) > after:
            self._memory.popitem()

    def parse_kept(self, texts: Sequence[str], progress: Callable[[int], None] | None = None) -> list[Doc]:
        """Parses of a conversation's texts, read from disk when the same texts were parsed by the same model before.

        `progress` is called with the number of texts just made available.
        """
        from spacy.tokens import DocBin

        distinct = list(dict.fromkeys(texts))
        if self._folder is None:
            docs = self.parse_all(texts)
        else:
            path = self._folder / "parses" / f"{_parse_key(distinct)}.spacy"
            if any(text not in self._memory for text in distinct):
                stored = _read_bin(path, distinct)
                if stored is None:
                    made = self.parse_all(distinct)
                    box = DocBin(attrs=["ORTH", "SPACY", "TAG", "POS", "MORPH", "LEMMA", "HEAD", "DEP", "SENT_START"])
                    for doc in made:
                        box.add(doc)
                    write_atomic(path, box.to_bytes())
                else:
                    self._memory.update(zip(distinct, stored, strict=True))
            docs = [self._memory[text] for text in texts]
        if progress is not None:
            progress(len(texts))
        return docs


def _parse_key(texts: Sequence[str]) -> str:
    return fingerprint({"model": MODEL_VERSION, "without": UNUSED_PIPES, "texts": list(texts)})


def _read_bin(path: Path, texts: Sequence[str]) -> list[Doc] | None:
    """Docs of a kept file, or None when there is none or it does not hold these texts (a cut-off file is made again)."""
    from spacy.tokens import DocBin

    if not path.is_file():
        return None
    try:
        docs = list(DocBin().from_disk(path).get_docs(load_model().vocab))
    except (ValueError, KeyError, OSError, EOFError):
        return None
    return docs if [doc.text for doc in docs] == list(texts) else None

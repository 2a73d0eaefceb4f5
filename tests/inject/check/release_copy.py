"""A copy of a release to break one thing at a time."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from arcs.keys import TrackAKey
from inject.check import Broken, Rule, check_release
from locomo_patch.apply import AnyEdit, apply_edits, remove_edits
from locomo_patch.document import Document, Style
from locomo_patch.edits import EDIT
from locomo_patch.reader import read_document
from twistcore.fingerprints import sha256_bytes
from twistcore.store import dump_json, dump_lines
from twistcore.text.parses import Parser


@dataclass
class Copy:
    """A release that a test breaks. What it changes is given its new hashes, so that a deeper rule has to find the fault."""

    folder: Path
    parser: Parser

    @property
    def manifest(self) -> dict[str, Any]:
        value: dict[str, Any] = json.loads((self.folder / "manifest.json").read_text())
        return value

    def put(self, name: str, data: bytes, *, rehash: bool = True) -> None:
        """Write a file and, unless told otherwise, its hash."""
        path = self.folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(data)
        if rehash and name in self.manifest["files"]:
            manifest = self.manifest
            manifest["files"][name] = sha256_bytes(data)
            if name == self.corpus_name:
                manifest["released_sha256"] = sha256_bytes(data)
            self.put("manifest.json", dump_json(manifest), rehash=False)

    def change_manifest(self, change: Callable[[dict[str, Any]], Any]) -> None:
        manifest = self.manifest
        change(manifest)
        self.put("manifest.json", dump_json(manifest), rehash=False)

    @property
    def corpus_name(self) -> str:
        return f"corpus/{next(iter(self.manifest['source']['files']))}"

    def corpus(self) -> list[dict[str, Any]]:
        value: list[dict[str, Any]] = json.loads((self.folder / self.corpus_name).read_text())
        return value

    def change_corpus(self, change: Callable[[list[dict[str, Any]]], Any]) -> None:
        """Change the released corpus and nothing else."""
        value = self.corpus()
        before = json.dumps(value)
        change(value)
        assert json.dumps(value) != before, "the test changed nothing"
        self.put(self.corpus_name, Style().dump(value))

    def rows(self, name: str) -> list[dict[str, Any]]:
        return [json.loads(line) for line in (self.folder / name).read_text().splitlines()]

    def change_rows(self, name: str, change: Callable[[list[dict[str, Any]]], Any]) -> None:
        rows = self.rows(name)
        change(rows)
        self.put(name, dump_lines(rows))

    def change_keys(self, change: Callable[[list[dict[str, Any]]], Any]) -> None:
        self.change_rows("keys/track_a.jsonl", change)

    def key(self, **fields: Any) -> TrackAKey:
        """The first key with other fields."""
        return TrackAKey.model_validate({**self.rows("keys/track_a.jsonl")[0], **fields})

    def change_id_map(self, change: Callable[[dict[str, Any]], Any]) -> None:
        value = json.loads((self.folder / "id_map.json").read_text())
        change(value)
        self.put("id_map.json", dump_json(value))

    def change_edits(self, change: Callable[[list[dict[str, Any]]], Any]) -> None:
        """Change the edits and everything that follows from them: corpus, id map and hashes."""
        document = read_document(self.folder / self.corpus_name)
        source = remove_edits(document, self._edits())
        self.change_rows("edits.jsonl", change)
        self._release(source, self._edits())

    def _edits(self) -> list[AnyEdit]:
        return [EDIT.validate_python(row) for row in self.rows("edits.jsonl")]

    def _release(self, source: Document, edits: list[AnyEdit]) -> None:
        released, id_map = apply_edits(source, edits)
        self.put(self.corpus_name, next(iter(released.dump().values())))
        self.put("id_map.json", dump_json(id_map))

    def broken(self) -> list[Broken]:
        return check_release(self.folder, self.parser)

    def assert_names(self, rule: Rule, wrong: str, *, where: str = "") -> None:
        """The check finds something under that rule whose line holds both texts."""
        found = self.broken()
        assert any(b.rule is rule and wrong in str(b) and where in str(b) for b in found), [str(b) for b in found]

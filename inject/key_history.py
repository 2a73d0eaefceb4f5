"""History of key items: errata append revisions, and the items as they were injected can always be had back."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from pydantic import ValidationError

from arcs.keys import KEY_VERSION_A, KEYS_A, TrackAKey
from locomo_patch.released import CHECK
from twistcore.errors import ReleaseError
from twistcore.revisions import Revision
from twistcore.stored import read_rows

KEY_REVISIONS = "keys/revisions.jsonl"


def read_keys(folder: Path) -> tuple[TrackAKey, ...]:
    """A release's items as its key has them now; raises ReleaseError naming the line that is none."""
    return tuple(key for _, key in read_rows(folder / KEYS_A, TrackAKey.model_validate, ReleaseError, CHECK))


def read_key_revisions(folder: Path) -> tuple[Revision, ...]:
    """What errata did to the items, none where there were none; raises ReleaseError naming the line that is none."""
    path = folder / KEY_REVISIONS
    if not path.is_file():
        return ()
    return tuple(row for _, row in read_rows(path, Revision.model_validate, ReleaseError, CHECK))


def original_keys(keys: Sequence[TrackAKey], history: Sequence[Revision]) -> list[TrackAKey]:
    """The items as they were injected, in the order of the key file: every revision undone, the last one first.

    Raises ReleaseError where a revision does not lead to what the key file holds, or its `old` is no item.
    """
    held = {key.id: key for key in keys}
    for revision in reversed(history):
        now = held.get(revision.target)
        if _content(now) != _plain(revision.new):
            raise ReleaseError("does not lead to what the keys hold", file=KEY_REVISIONS, place=revision.target)
        try:
            held[revision.target] = TrackAKey.model_validate(revision.old)
        except ValidationError as error:
            raise ReleaseError(error.errors()[0]["msg"], file=KEY_REVISIONS, place=revision.target) from error
    first = [key.model_copy(update={"key_version": KEY_VERSION_A}) for key in held.values()]
    return sorted(first, key=lambda key: (key.sample_id, key.id))


def _content(key: TrackAKey | None) -> dict[str, object] | None:
    return _plain(key.model_dump(mode="json")) if key is not None else None


def _plain(value: object) -> dict[str, object] | None:
    """An item without its key version, which moves with every erratum of its track."""
    return {name: held for name, held in value.items() if name != "key_version"} if isinstance(value, dict) else None


def next_version(version: str) -> str:
    """The key version after this one: v0.1, v0.2."""
    head, _, minor = version.rpartition(".")
    return f"{head}.{int(minor) + 1}"


def retired_items(history: Sequence[Revision]) -> int:
    """How many items left the key."""
    return sum(revision.new is None for revision in history)

"""An item read in its place: its gold turns with the turns around them, dates and verdicts. For `twist show` and the report."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from arcs.keys import KEYS_A, GoldTurn, TrackAKey
from inject.key_history import read_keys
from inject.manifest import Manifest, read_manifest
from locomo_patch.apply import AnyEdit
from locomo_patch.id_map import ConversationIds
from locomo_patch.released import read_placed
from twistcore.corpus import Corpus
from twistcore.errors import ReleaseError
from twistcore.verdicts import Verdict

AROUND = 2


@dataclass(frozen=True)
class OpenRelease:
    """A release directory as read; raises nothing by itself."""

    folder: Path
    manifest: Manifest
    corpus: Corpus
    keys: tuple[TrackAKey, ...]
    edits: tuple[AnyEdit, ...]
    id_map: dict[str, ConversationIds]

    def key(self, ident: str) -> TrackAKey:
        """The item whose id is or begins with `ident`; raises ReleaseError when none or several do."""
        found = [key for key in self.keys if key.id.startswith(ident)]
        if len(found) != 1:
            raise ReleaseError(
                f"{'no' if not found else len(found)} items have an id that begins with {ident}",
                file=self.folder / KEYS_A,
                remedy="`twist show DIR` lists the ids",
            )
        return found[0]

    def verdict(self, ident: str) -> Verdict | None:
        """The verdict that an item was accepted with."""
        return next((verdict for edit in self.edits for verdict in edit.verdicts if verdict.id == ident), None)


@dataclass(frozen=True, slots=True)
class SeenTurn:
    """One released turn in a window. `injected` and `gold` say what it is."""

    dia_id: str
    speaker: str
    text: str
    injected: bool
    gold: GoldTurn | None


@dataclass(frozen=True, slots=True)
class Window:
    """The turns around one gold turn, with the session that they stand in."""

    gold: GoldTurn
    session: int
    date_text: str
    turns: tuple[SeenTurn, ...]


def open_release(folder: Path) -> OpenRelease:
    """Read a release; raises ReleaseError naming the file and line that is wrong."""
    manifest = read_manifest(folder)
    placed = read_placed(folder)
    return OpenRelease(folder, manifest, placed.loaded.corpus, read_keys(folder), placed.edits, placed.id_map)


def windows(release: OpenRelease, key: TrackAKey, around: int = AROUND) -> list[Window]:
    """A window for each gold turn of an item, in order; raises ReleaseError where the key points at nothing."""
    try:
        return _windows(release, key, around)
    except KeyError as error:
        raise ReleaseError(
            f"item {key.id} points at {error}, which is not there", file=release.folder / KEYS_A, remedy="run `twist check`"
        ) from error


def _windows(release: OpenRelease, key: TrackAKey, around: int) -> list[Window]:
    conversation = release.corpus.conversation(key.sample_id)
    inserted = set(release.id_map[key.sample_id].inserted)
    gold_by_id = {turn.dia_id: turn for turn in key.turns}
    out = []
    for gold in key.turns:
        session = conversation.session(gold.session)
        position = conversation.turn(gold.dia_id).position
        seen = tuple(
            SeenTurn(turn.dia_id, turn.speaker, turn.text, turn.dia_id in inserted, gold_by_id.get(turn.dia_id))
            for turn in session.turns[max(0, position - 1 - around) : position + 1 + around]
        )
        out.append(Window(gold, session.number, session.date_text, seen))
    return out

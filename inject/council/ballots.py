"""What a member of the council is shown, and what it answers.

Blind (TWIST paper section 5): a member sees an item's gold turns as dated, standalone lines in their order and nothing else. What
the item is, and what the key says of it, never goes into a prompt.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from importlib import resources
from pathlib import Path

from arcs.keys import KEYS_A, TrackAKey
from arcs.taxonomy import Family, Gold
from inject.drafts import SeenLine
from inject.view import OpenRelease
from twistcore.chat.dialect import Message
from twistcore.chat.model_family import model_family
from twistcore.chat.prompts import Prompt, load_prompt
from twistcore.errors import ReleaseError, UsageError
from twistcore.fingerprints import fingerprint, generator
from twistcore.verdicts import Stored

PROMPT = "council.jinja"
VARIABLES = ("lines",)
# What a prompt is tried with before the first call.
_SAMPLES = ({"lines": ["[8 May, 2023] Ann: I never get up early.", "[9 June, 2023] Ann: I am up at five."]},)
LONGEST_REASON = 240
_VERSION = re.compile(r"/\d+$")


class Vote(StrEnum):
    """What a member says of an item. `cannot_tell` is an abstention: it is counted neither for the key nor against it."""

    TENSION = Gold.TENSION.value
    NO_TENSION = Gold.NO_TENSION.value
    CANNOT_TELL = "cannot_tell"


class Answer(Stored):
    """The shape in which a member answers."""

    vote: Vote
    reason: str


class Ballot(Stored):
    """One vote on one item, with the gold that was not shown. `vote` is None where the call failed, `reason` says why."""

    item: str
    member: str
    vote: Vote | None
    reason: str
    gold: Gold


@dataclass(frozen=True, slots=True)
class CouncilItem:
    """An item as the council gets it. Only `lines` are shown; `makers` are the families of the models that wrote or verified it."""

    id: str
    pair_id: str
    sample_id: str
    family: Family
    gold: Gold
    lines: tuple[SeenLine, ...]
    makers: frozenset[str]

    @property
    def seen(self) -> tuple[str, ...]:
        """The lines as they are rendered."""
        return tuple(line.rendered for line in self.lines)

    @property
    def seen_sha256(self) -> str:
        """Hash of what is shown, by which a ballot is known to be about these very lines."""
        return fingerprint(list(self.seen))


def list_items(release: OpenRelease) -> list[CouncilItem]:
    """All items of a release's Track A key; raises ReleaseError where one points at a turn that is not there."""
    return [_item(release, key) for key in sorted(release.keys, key=lambda key: (key.sample_id, key.id))]


def draw_items(items: Sequence[CouncilItem], seed: str, limit: int | None = None) -> list[CouncilItem]:
    """Items in an order that tells nothing of them, the same for the same seed; with a limit so many, drawn by whole pairs.

    An odd limit breaks the last pair: a detection item and its control belong together (DESIGN.md rule 6).
    """
    pairs: dict[str, list[CouncilItem]] = {}
    for item in sorted(items, key=lambda item: (item.sample_id, item.id)):
        pairs.setdefault(item.pair_id, []).append(item)
    names = sorted(pairs)
    shuffler = generator("council", seed)
    shuffler.shuffle(names)
    drawn = [item for name in names for item in pairs[name]][:limit]
    shuffler.shuffle(drawn)
    return drawn


def load_council_prompt(folder: Path | None = None) -> Prompt:
    """The prompt that ships, or that in `folder`; raises FrameError for a faulty file and UsageError where the folder has none."""
    if folder is None:
        return load_prompt(resources.files("inject.council") / PROMPT, VARIABLES, _SAMPLES)
    if not (folder / PROMPT).is_file():
        raise UsageError(f"holds no {PROMPT}", file=folder, remedy="name a folder with that file, or leave --prompts out")
    return load_prompt(folder / PROMPT, VARIABLES, _SAMPLES)


def render_lines(prompt: Prompt, lines: Sequence[SeenLine]) -> list[Message]:
    """The messages about one item. That they are made of the lines alone is what keeps the council blind."""
    return prompt.render(lines=[line.rendered for line in lines])


def shorten_reason(text: str) -> str:
    """A member's reason as it is stored: one line, not too long."""
    line = " ".join(text.split())
    return line if len(line) <= LONGEST_REASON else line[: LONGEST_REASON - 1].rstrip() + "…"


def _item(release: OpenRelease, key: TrackAKey) -> CouncilItem:
    try:
        conversation = release.corpus.conversation(key.sample_id)
        turns = [conversation.turn(gold.dia_id) for gold in key.turns]
        # By place, whatever order the key names them in.
        turns.sort(key=lambda turn: (turn.session, turn.position))
        lines = tuple(SeenLine.at(conversation.session(turn.session).date, turn.speaker, turn.text) for turn in turns)
    except (KeyError, ValueError) as error:
        raise ReleaseError(
            f"item {key.id} points at {error}, which is not there", file=release.folder / KEYS_A, remedy="run `twist check`"
        ) from error
    return CouncilItem(key.id, key.pair_id, key.sample_id, key.family, key.gold, lines, _makers(release, key))


def _makers(release: OpenRelease, key: TrackAKey) -> frozenset[str]:
    """Families of the models that wrote and verified an item; of what needs no model, its name."""
    config = release.manifest.config
    verifier = config.models.verifier if config.models is not None else _VERSION.sub("", config.verifier)
    return frozenset(model_family(name) for name in (key.provenance.model, verifier) if name)

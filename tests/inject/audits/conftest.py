"""A small synthetic release, made without the pipeline: random turns, exchanges and appended sessions of the same words."""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from arcs.keys import GoldTurn, Provenance, TrackAKey
from arcs.taxonomy import Family, Role
from inject.config import InjectConfig
from inject.manifest import Counts, Manifest, Source
from locomo_patch.apply import AnyEdit, apply_edits, released_position
from locomo_patch.dates import format_date, format_day
from locomo_patch.document import Document, Shape, SourceFile, Style
from locomo_patch.edits import AppendSession, InsertExchange, NewTurn
from twistcore.store import dump_json, dump_lines

SPEAKERS = ("Ada", "Ben")
SESSIONS, TURNS = 8, 14
WORDS = [
    f"{start}{end}"
    for start in ("ba", "lo", "ri", "mu", "ke", "so", "ti", "da")
    for end in ("ran", "lem", "pos", "vik", "tun", "gar", "nel")
]
START = datetime(2023, 3, 1, 15, 4)


@dataclass(frozen=True)
class Recipe:
    """What to make. `write` turns (random sentence, kind, item number) into an injected turn's text; kinds are anchor, later,
    reaction and talk."""

    conversations: int = 4
    pairs: int = 5
    appended: bool = True
    families: tuple[Family, Family] = (Family.A1, Family.HN_A1)
    with_items_in: int | None = None
    place: Callable[[random.Random], int] = field(default=lambda rng: rng.randrange(1, TURNS))
    write: Callable[[str, str, int], str] = field(default=lambda text, _kind, _item: text)
    seed: int = 1


def sentence(rng: random.Random) -> str:
    """A first-person statement of random words."""
    return "I " + " ".join(rng.choice(WORDS) for _ in range(rng.randrange(8, 18))) + "."


def build(folder: Path, recipe: Recipe) -> Path:
    """Write a release directory."""
    rng = random.Random(recipe.seed)
    document = _document(rng, recipe.conversations)
    edits: list[AnyEdit] = []
    keys: list[TrackAKey] = []
    hosts = document.sample_ids[: recipe.conversations if recipe.with_items_in is None else recipe.with_items_in]
    for sample_id in hosts:
        mine = _edits(rng, sample_id, document, recipe)
        edits.extend(mine)
        keys.extend(_keys(sample_id, mine, recipe.families))
    released, id_map = apply_edits(document, edits)
    files = {f"corpus/{name}": data for name, data in released.dump().items()}
    files["keys/track_a.jsonl"] = dump_lines(keys)
    files["edits.jsonl"] = dump_lines(edits)
    files["id_map.json"] = dump_json(id_map)
    files["manifest.json"] = dump_json(_manifest(recipe))
    for name, data in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(data)
    return folder


def _date(session: int) -> datetime:
    return START + timedelta(days=9 * session, hours=session % 5)


def _document(rng: random.Random, conversations: int) -> Document:
    objects = []
    for number in range(conversations):
        talk: dict[str, Any] = {"speaker_a": SPEAKERS[0], "speaker_b": SPEAKERS[1]}
        for session in range(1, SESSIONS + 1):
            talk[f"session_{session}_date_time"] = format_date(_date(session))
            talk[f"session_{session}"] = [
                {"speaker": SPEAKERS[(turn + session) % 2], "dia_id": f"D{session}:{turn + 1}", "text": sentence(rng)}
                for turn in range(TURNS)
            ]
        blocks = {
            "qa": [],
            "conversation": talk,
            "event_summary": {f"events_session_{n}": {"date": format_day(_date(n))} for n in range(1, SESSIONS + 1)},
            "observation": {f"session_{n}_observation": {} for n in range(1, SESSIONS + 1)},
            "session_summary": {f"session_{n}_summary": "They talked." for n in range(1, SESSIONS + 1)},
            "sample_id": f"conv-{number + 1}",
        }
        objects.append(blocks)
    data = Style().dump(objects)
    ids = tuple(raw["sample_id"] for raw in objects)
    return Document(Shape.LIST, (SourceFile("tiny.json", data, Style()),), ids, tuple(objects))


def _edits(rng: random.Random, sample_id: str, document: Document, recipe: Recipe) -> list[AnyEdit]:
    """For item i an anchor in the first half and a later turn in the second, each with a reaction; then one appended session."""
    turns = document.blocks(sample_id).conversation
    edits: list[AnyEdit] = []
    taken: set[tuple[int, int]] = set()
    for item in range(2 * recipe.pairs):
        for kind, sessions in (("anchor", range(1, SESSIONS // 2 + 1)), ("later", range(SESSIONS // 2 + 1, SESSIONS + 1))):
            seam = (rng.choice(sessions), recipe.place(rng))
            while seam in taken or turns[f"session_{seam[0]}"][seam[1] - 1]["speaker"] != SPEAKERS[1]:
                seam = (rng.choice(sessions), recipe.place(rng))
            taken.add(seam)
            gold = NewTurn(speaker=SPEAKERS[0], text=recipe.write(sentence(rng), kind, item))
            reaction = NewTurn(speaker=SPEAKERS[1], text=recipe.write(sentence(rng), "reaction", item))
            edits.append(
                InsertExchange(
                    id=f"{item}-{kind}",
                    items=[str(item)],
                    sample_id=sample_id,
                    session=seam[0],
                    after=seam[1],
                    seam="open",
                    turns=[gold, reaction],
                )
            )
    if recipe.appended and recipe.pairs:
        edits.append(
            AppendSession(
                id="appended",
                items=[],
                sample_id=sample_id,
                session=SESSIONS + 1,
                date_text=format_date(_date(SESSIONS + 1)),
                dangling=False,
                event_date=format_day(_date(SESSIONS + 1)),
                turns=[
                    NewTurn(speaker=SPEAKERS[turn % 2], text=recipe.write(sentence(rng), "talk", turn)) for turn in range(TURNS)
                ],
                events={speaker: [] for speaker in SPEAKERS},
                observations=[],
                summary="They talked again.",
            )
        )
    return edits


def _keys(sample_id: str, edits: list[AnyEdit], families: tuple[Family, Family]) -> list[TrackAKey]:
    exchanges = {edit.id: edit for edit in edits if isinstance(edit, InsertExchange)}
    keys = []
    for item in range(len(exchanges) // 2):
        family = families[item % 2]
        turns = []
        for kind, role in (("anchor", Role.ANCHOR), ("later", family.later_role)):
            edit = exchanges[f"{item}-{kind}"]
            text = edit.turns[0].text
            dia_id = f"D{edit.session}:{released_position(edit, edits, 0)}"
            turns.append(
                GoldTurn(
                    role=role,
                    dia_id=dia_id,
                    source_dia_id=None,
                    session=edit.session,
                    date="1 May, 2023",
                    quote=text,
                    start=0,
                    end=len(text),
                )
            )
        keys.append(
            TrackAKey(
                id=f"{sample_id}-{item}",
                family=family,
                sample_id=sample_id,
                holder=SPEAKERS[0],
                pair_id=f"{sample_id}-{item // 2}",
                history_turns=1,
                topic="t",
                old_belief="o",
                new_belief="n" if family.is_arc else None,
                gold=family.gold,
                transition=family.transition,
                turns=turns,
                claim_evidence=[turns[0].dia_id],
                new_evidence=[turns[1].dia_id],
                drift_evidence=[],
                gap_days=30,
                gap_sessions=4,
                provenance=Provenance(writer="w", model=None, prompt_sha256=None, seed=1, attempt=1, gates={}),
            )
        )
    return keys


def _manifest(recipe: Recipe) -> Manifest:
    config = InjectConfig(
        track="A",
        seed=1,
        pairs_per_conversation=recipe.pairs,
        conversations=[],
        corpus="unknown",
        corpus_sha256="",
        writer="w",
        verifier="v",
        gates={},
        data_sha256="",
    )
    source = Source(
        version="unknown", origin="", shape="list", files={}, sha256="", canonical_sha256="", conversations=0, turns=0, questions=0
    )
    counts = Counts(
        arcs=0,
        hard_negatives=0,
        by_family={},
        by_conversation={},
        frames=0,
        exchanges=0,
        exchanges_by_seam={},
        appended_sessions=0,
        inserted_turns=0,
        released_turns=0,
        rejects=0,
        reused_lines=0,
    )
    return Manifest(
        tool="t",
        corpus="unknown",
        config=config,
        config_sha256="",
        source=source,
        released_sha256="",
        counts=counts,
        shortfall={},
        libraries={},
        licence="MIT",
        files={},
    )


@pytest.fixture
def make_release(tmp_path: Path) -> Callable[..., Path]:
    """`make_release(**recipe)` gives a release directory; a second call gives another."""

    def make(**fields: Any) -> Path:
        return build(tmp_path / f"release-{len(list(tmp_path.iterdir()))}", Recipe(**fields))

    return make

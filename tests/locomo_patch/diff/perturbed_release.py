"""A small release of the mock corpus with hand-written edits and states: what `twist inject` will leave once it re-validates."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from locomo_patch.apply import AnyEdit, apply_edits
from locomo_patch.edits import AppendSession, InsertExchange, NewTurn, ObservationRow, SummarySentence
from locomo_patch.locate import mock_path
from locomo_patch.reader import read_document
from locomo_patch.revalidation.identity import identify_document
from locomo_patch.revalidation.states import REVALIDATOR, Kind, QuestionRevision, State, VersionedOut, leaves_corpus
from locomo_patch.versions import MOCK_SHA256
from twistcore.corpus import Category
from twistcore.store import dump_json, dump_lines

HOSTILE = 'Look: <script>document.title="owned"</script><img src=x onerror="document.title=1"> & </details> ' + "w" * 160


@dataclass(frozen=True)
class Fate:
    """What a test says of one question: by its conversation and source index."""

    sample_id: str
    index: int
    state: State
    kind: Kind
    said: str
    injected: tuple[str, ...]
    new: Any = None
    broken: bool = False


def exchange(sample_id: str, session: int, after: int, *turns: tuple[str, str], fact: str | None = None) -> InsertExchange:
    """An exchange for the mock corpus."""
    rows = [ObservationRow(speaker=turns[0][0], fact=fact, turn=0)] if fact else []
    return InsertExchange(
        id=f"x-{sample_id}-{session}-{after}",
        items=["k"],
        sample_id=sample_id,
        session=session,
        after=after,
        seam="bridge",
        turns=[NewTurn(speaker=speaker, text=text) for speaker, text in turns],
        observations=rows,
        summary=SummarySentence(text=f" {fact}", at=0) if fact else None,
    )


EDITS: tuple[AnyEdit, ...] = (
    exchange(
        "mock-2",
        5,
        7,
        ("Leila", "The choir moved me last week: I sing soprano now, no longer alto."),
        ("Kwame", "They put me with the altos, so I sing alto in that choir."),
        fact="Leila sings soprano now.",
    ),
    exchange(
        "mock-2",
        3,
        5,
        ("Leila", "And we took in a fourth rabbit on Sunday, Biscuit."),
        ("Kwame", "Biscuit is a fine name for a rabbit."),
        fact="Leila has a rabbit named Biscuit.",
    ),
    exchange(
        "mock-1",
        7,
        14,
        ("Tobias", "I had it wrong about Amalia, she is 94 and not 93."),
        ("Ingrid", "Well, one year more or less!"),
        fact="Tobias said that Amalia is 94.",
    ),
    AppendSession(
        id="s-mock-1-9",
        items=[],
        sample_id="mock-1",
        session=9,
        date_text="4:20 pm on 28 September, 2023",
        dangling=True,
        event_date="28 September, 2023",
        turns=[
            NewTurn(speaker="Ingrid", text="Hello Tobias, how was the week?"),
            NewTurn(speaker="Tobias", text="I sat the radio exam once more, a third time, for the advanced licence."),
            NewTurn(speaker="Ingrid", text=HOSTILE),
            NewTurn(speaker="Tobias", text="Good night!", caption='a photo of a <b>radio</b> & "aerial"'),
        ],
        events={"Ingrid": [], "Tobias": ["Tobias sits the radio exam a third time."]},
        observations=[ObservationRow(speaker="Tobias", fact="Tobias sat the radio exam a third time.", turn=1)],
        summary="Tobias sat the exam again.",
    ),
)
CHOIR = ("D5:8",)
FATES: tuple[Fate, ...] = (
    Fate("mock-2", 15, State.RETIRED, Kind.SUPERSEDED, "Leila sings soprano now", CHOIR),
    Fate("mock-2", 22, State.RETIRED, Kind.SUPERSEDED, "Leila sings soprano now", CHOIR),
    Fate("mock-2", 24, State.RETIRED, Kind.NOW_ANSWERABLE, "Kwame sings alto as well", ("D5:9",)),
    Fate("mock-2", 2, State.RETIRED, Kind.EXTRA_ANSWER, "Biscuit is a fourth rabbit", ("D3:6",)),
    Fate("mock-1", 21, State.REVISED, Kind.CONTRADICTED, "Tobias corrects her age", ("D7:15",), new="94", broken=True),
    Fate("mock-1", 8, State.RETIRED, Kind.COUNT_CHANGED, "a third exam <b>was</b> taken", ("D9:2", "D9:3")),
    Fate("mock-1", 14, State.UNDECIDED, Kind.TEMPORAL_SHIFT, "no rule decides", ("D9:4",)),
)


def make_release(
    folder: Path,
    *,
    edits: Sequence[AnyEdit] = EDITS,
    fates: Sequence[Fate] | None = FATES,
    manifest: bool = True,
    source: Path | None = None,
) -> Path:
    """Write a release; without `fates` it has no `qa/`, as where re-validation was skipped."""
    document = read_document(source or mock_path())
    released, id_map = apply_edits(document, edits)
    by_place = {(fate.sample_id, fate.index): fate for fate in fates or ()}
    lines: list[QuestionRevision] = []
    out: list[VersionedOut] = []
    for found in identify_document(document):
        fate = by_place.get((found.identity.sample_id, found.index))
        lines.append(line_of(found.identity.parts, found.item, fate))
        if fate is not None and leaves_corpus(fate.state):
            out.append(
                VersionedOut(
                    sample_id=fate.sample_id,
                    question_key=found.identity.question_key,
                    occurrence=found.identity.occurrence,
                    index=found.index,
                    item=found.item,
                    state=fate.state,
                    kind=fate.kind,
                    reason=lines[-1].reason,
                    injected=list(fate.injected),
                    new=fate.new,
                )
            )
    for sample_id in released.sample_ids:
        gone = {line.index for line in out if line.sample_id == sample_id}
        qa = released.blocks(sample_id).qa
        qa[:] = [item for index, item in enumerate(qa) if index not in gone]
    files = {f"corpus/{name}": data for name, data in released.dump().items()}
    files |= {"edits.jsonl": dump_lines(edits), "id_map.json": dump_json(id_map)}
    if fates is not None:
        files |= {"qa/revisions.jsonl": dump_lines(lines), "qa/versioned_out.jsonl": dump_lines(out)}
    if manifest:
        files["manifest.json"] = dump_json({"corpus": "mock", "source": {"sha256": MOCK_SHA256, "shape": "list"}})
    for name, data in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(data)
    return folder


def line_of(identity: tuple[str, str, int], item: dict[str, Any], fate: Fate | None) -> QuestionRevision:
    """The recorded state of one question."""
    category = Category.of_number(item["category"])
    return QuestionRevision(
        sample_id=identity[0],
        question_key=identity[1],
        occurrence=identity[2],
        category=category,
        state=fate.state if fate else State.VALID,
        kind=fate.kind if fate else None,
        reason=f"{fate.kind.value}: {fate.said}" if fate else "unrelated",
        injected=list(fate.injected) if fate else [],
        already_broken=fate.broken if fate else False,
        by=REVALIDATOR,
        date=None,
        old=item.get("answer" if category.answerable else "adversarial_answer"),
        new=fate.new if fate else None,
    )


def change_lines(path: Path, change: Callable[[list[dict[str, Any]]], Any]) -> None:
    """Change a JSON Lines file in place."""
    rows = [json.loads(line) for line in path.read_text().splitlines()]
    change(rows)
    path.write_bytes(dump_lines(rows))

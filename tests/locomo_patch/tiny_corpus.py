"""Tiny conversations in LoCoMo's exact shape, and hypothesis strategies for edits to them."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from hypothesis import strategies as st

from locomo_patch.apply import AnyEdit
from locomo_patch.document import Document, Shape, SourceFile, Style
from locomo_patch.edits import AppendSession, InsertExchange, NewTurn, ObservationRow, SummarySentence

Raw = dict[str, Any]
SPEAKERS = ("Ann", "Bob")
MONTHS = ("January", "February", "March", "April", "May", "June", "July", "August", "September", "October")
# Every form that LOCOMO.md section 7 lists, and references that an edit could make resolve by accident.
ODD_REFERENCES = ("D1:3; D2:4", "D1:1 D2:2 D2:5", "D", "D:2:4", "D1:05", "D1:010", "D1:19", "D2:36", "D3:1", "D4:2", "D9:9", "")


def date_text(number: int) -> str:
    """The date of the n-th session, a month after the one before."""
    return f"{(number - 1) % 12 + 1}:0{number % 10} pm on {number} {MONTHS[number - 1]}, 2023"


def raw_turn(session: int, position: int, speaker: str, **extra: object) -> Raw:
    """A turn as upstream has it: image keys stand before the id."""
    return {"speaker": speaker, **extra, "dia_id": f"D{session}:{position}", "text": f"Turn {session}.{position} of {speaker}."}


def raw_conversation(
    sample_id: str = "conv-1",
    *,
    lengths: Sequence[int] = (6, 5),
    speakers: tuple[str, str] = SPEAKERS,
    dangling: int = 0,
    references: Sequence[list[str]] = (),
    summaries: Sequence[str] | None = None,
) -> Raw:
    """One conversation with its derived blocks; `references` are the evidence lists of its questions."""
    conversation: Raw = {"speaker_a": speakers[0], "speaker_b": speakers[1]}
    events: Raw = {}
    observation: Raw = {}
    summary: Raw = {}
    for number, length in enumerate(lengths, start=1):
        turns = [raw_turn(number, position, speakers[(position + number) % 2]) for position in range(1, length + 1)]
        conversation[f"session_{number}_date_time"] = date_text(number)
        conversation[f"session_{number}"] = turns
        events[f"events_session_{number}"] = {
            speakers[0]: ["Something."],
            speakers[1]: [],
            "date": f"{number} {MONTHS[number - 1]}, 2023",
        }
        rows: dict[str, list[list[Any]]] = {speakers[1]: [], speakers[0]: []}
        for turn in turns[::2]:
            rows[turn["speaker"]].append([f"Fact of {turn['dia_id']}.", turn["dia_id"]])
        rows[speakers[0]].append(["Two turns.", [f"D{number}:1", f"D{number}:{length}"]])
        rows[speakers[1]].append(["Joined.", f"D{number}:2, D{number}:{length}"])
        observation[f"session_{number}_observation"] = rows
        text = summaries[number - 1] if summaries else f"In session {number} they met. They talked. They left."
        summary[f"session_{number}_summary"] = text
    for number in range(len(lengths) + 1, len(lengths) + 1 + dangling):
        conversation[f"session_{number}_date_time"] = date_text(number)
    qa = [
        {"question": f"Question {index}?", "answer": f"Answer {index}", "evidence": list(evidence), "category": index % 4 + 1}
        for index, evidence in enumerate([["D1:1"], *references])
    ]
    return {
        "qa": qa,
        "conversation": conversation,
        "event_summary": events,
        "observation": observation,
        "session_summary": summary,
        "sample_id": sample_id,
    }


def flatten(raw: Raw) -> Raw:
    """The same conversation in the earlier zip's flat shape: everything side by side, no sample_id."""
    return {"qa": raw["qa"], **raw["conversation"], **raw["event_summary"], **raw["observation"], **raw["session_summary"]}


def document_of(*raws: Raw) -> Document:
    """A list document, as if read from a file in the official layout."""
    data = Style().dump(list(raws))
    return Document(Shape.LIST, (SourceFile("tiny.json", data, Style()),), tuple(raw["sample_id"] for raw in raws), tuple(raws))


def write_list(path: Path, *raws: Raw) -> Path:
    """A list file in the official layout."""
    path.write_bytes(json.dumps(list(raws), indent=2).encode("ascii"))
    return path


def exchange(session: int, after: int, *, size: int = 2, sample_id: str = "conv-1", **extra: Any) -> InsertExchange:
    """An exchange for a `raw_conversation` that keeps its speakers alternating."""
    turns = [
        NewTurn(speaker=SPEAKERS[(after + session + 1 + offset) % 2], text=f"New {session}.{after}.{offset}.")
        for offset in range(size)
    ]
    return InsertExchange(
        id=f"e{session}-{after}",
        items=["i"],
        sample_id=sample_id,
        session=session,
        after=after,
        seam="bridge",
        turns=turns,
        **extra,
    )


def appended(
    number: int, *, dangling: bool = False, sample_id: str = "conv-1", text: str | None = None, turns: int = 6
) -> AppendSession:
    """A whole session for a `raw_conversation`."""
    return AppendSession(
        id=f"s{number}",
        items=[],
        sample_id=sample_id,
        session=number,
        date_text=text or date_text(number),
        dangling=dangling,
        event_date=(text or date_text(number)).partition(" on ")[2],
        turns=[
            NewTurn(
                speaker=SPEAKERS[offset % 2], text=f"Late {number}.{offset}.", caption="a photo of a bench" if offset == 1 else None
            )
            for offset in range(turns)
        ],
        events={SPEAKERS[0]: ["They met again."], SPEAKERS[1]: []},
        observations=[
            ObservationRow(speaker=SPEAKERS[0], fact="Ann came.", turn=0),
            ObservationRow(speaker=SPEAKERS[1], fact="Bob too.", turn=3),
        ],
        summary="They met once more.",
    )


@st.composite
def edited(draw: st.DrawFn) -> tuple[Raw, list[AnyEdit]]:
    """A conversation with odd references, and edits that fit it: even exchanges anywhere, then up to three appended sessions."""
    lengths = draw(st.lists(st.integers(2, 12), min_size=2, max_size=3))
    dangling = draw(st.integers(0, 4))
    references = draw(st.lists(st.lists(st.sampled_from(ODD_REFERENCES), max_size=3), max_size=5))
    ends = st.sampled_from(["", " And then she", "\n", "  "])
    summaries = [f"In session {number} they met. They talked.{draw(ends)}" for number in range(1, len(lengths) + 1)]
    raw = raw_conversation(lengths=lengths, dangling=dangling, references=references, summaries=summaries)
    edits: list[AnyEdit] = []
    for session, length in enumerate(lengths, start=1):
        for after in draw(st.lists(st.integers(1, length), unique=True, max_size=4)):
            size = draw(st.sampled_from([2, 4]))
            rows = [
                ObservationRow(
                    speaker=draw(st.sampled_from(SPEAKERS)), fact=draw(st.sampled_from(["New fact.", "Fact of D1:1."])), turn=turn
                )
                for turn in draw(st.lists(st.integers(0, size - 1), unique=True, max_size=2))
            ]
            at = draw(st.none() | st.integers(0, len(summaries[session - 1])) | st.just(min(8, len(summaries[session - 1]))))
            sentence = None if at is None else SummarySentence(text=draw(st.sampled_from([" More.", "a", " They talked."])), at=at)
            edits.append(exchange(session, after, size=size, observations=rows, summary=sentence))
    for number in range(len(lengths) + 1, len(lengths) + 1 + draw(st.integers(0, 3))):
        edits.append(appended(number, dangling=number <= len(lengths) + dangling))
    return raw, draw(st.permutations(edits))

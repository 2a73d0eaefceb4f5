"""Differences outside `qa`: what two sources say otherwise, and what the edits of a release put in. Pure."""

from __future__ import annotations

import re
from collections.abc import Iterator
from difflib import SequenceMatcher
from typing import Any

from locomo_patch.apply import AnyEdit, released_position
from locomo_patch.diff.join import exact
from locomo_patch.diff.models import Block, Change, OutsideRow
from locomo_patch.diff.sides import Side
from locomo_patch.document import Document, RawObject, Shape
from locomo_patch.edits import AppendSession, InsertExchange

_FLAT = (
    (Block.CONVERSATION, re.compile(r"speaker_[ab]|session_\d+(_date_time)?")),
    (Block.EVENT_SUMMARY, re.compile(r"events_session_\d+")),
    (Block.OBSERVATION, re.compile(r"session_\d+_observation")),
    (Block.SESSION_SUMMARY, re.compile(r"session_\d+_summary")),
)
_NOT_COMPARED = ("qa", "sample_id")


def compare_outside(old: Side, new: Side) -> list[OutsideRow]:
    """Every difference outside `qa`. Edits are taken out of a release first, so that what they moved does not count as changed."""
    rows = [
        row
        for sample_id in dict.fromkeys([*old.source.sample_ids, *new.source.sample_ids])
        for row in _compare_conversation(sample_id, old.source, new.source)
    ]
    return rows + compare_edits(old, new)


def _compare_conversation(sample_id: str, old: Document, new: Document) -> Iterator[OutsideRow]:
    there = sample_id in old.sample_ids, sample_id in new.sample_ids
    if not all(there):
        change = Change.REMOVED if there[0] else Change.ADDED
        yield OutsideRow(sample_id=sample_id, block=Block.CONVERSATION, place="", change=change, edit=None, old=None, new=None)
        return
    blocks = _blocks(old, sample_id), _blocks(new, sample_id)
    for block in Block:
        for place, one, other in _differences("", blocks[0][block], blocks[1][block]):
            change = Change.ADDED if one is _ABSENT else Change.REMOVED if other is _ABSENT else Change.MODIFIED
            yield OutsideRow(
                sample_id=sample_id,
                block=block,
                place=place,
                change=change,
                edit=None,
                old=None if one is _ABSENT else one,
                new=None if other is _ABSENT else other,
            )


def _blocks(document: Document, sample_id: str) -> dict[Block, RawObject]:
    """The parts of a conversation under one set of names, whatever the shape of the file."""
    raw = document.objects[document.sample_ids.index(sample_id)]
    found: dict[Block, RawObject] = {block: {} for block in Block}
    if document.shape is Shape.LIST:
        for key, value in raw.items():
            if key in set(Block) - {Block.OTHER}:
                found[Block(key)] = value
            elif key not in _NOT_COMPARED:
                found[Block.OTHER][key] = value
        return found
    for key, value in raw.items():
        if key not in _NOT_COMPARED:
            block = next((block for block, pattern in _FLAT if pattern.fullmatch(key)), Block.OTHER)
            found[block][key] = value
    return found


_ABSENT = object()


def _differences(place: str, old: Any, new: Any) -> Iterator[tuple[str, Any, Any]]:
    """(place, old, new) of the smallest parts that differ."""
    if old is _ABSENT or new is _ABSENT:
        yield place, old, new
    elif exact(old) == exact(new):
        return
    elif isinstance(old, dict) and isinstance(new, dict):
        for key in dict.fromkeys([*old, *new]):
            yield from _differences(f"{place}.{key}" if place else key, old.get(key, _ABSENT), new.get(key, _ABSENT))
    elif isinstance(old, list) and isinstance(new, list):
        yield from _row_differences(place, old, new)
    else:
        yield place, old, new


def _row_differences(place: str, old: list[Any], new: list[Any]) -> Iterator[tuple[str, Any, Any]]:
    """Rows by content: a turn that was put in must not make every later one differ, so its number is no part of a turn's."""
    matcher = SequenceMatcher(None, [_content(row) for row in old], [_content(row) for row in new], autojunk=False)
    for tag, i, i_end, j, j_end in matcher.get_opcodes():
        if tag == "equal":
            continue
        for offset in range(max(i_end - i, j_end - j)):
            one = old[i + offset] if i + offset < i_end else _ABSENT
            other = new[j + offset] if j + offset < j_end else _ABSENT
            number = (j if one is _ABSENT else i) + offset + 1
            yield f"{place} #{number}", one, other


def _content(row: Any) -> str:
    return exact({key: value for key, value in row.items() if key != "dia_id"} if isinstance(row, dict) else row)


def compare_edits(old: Side, new: Side) -> list[OutsideRow]:
    """What the edits of one side put in and those of the other do not."""
    olds = _edits_by_content(old)
    news = _edits_by_content(new)
    rows = [row for key, edit in olds.items() if key not in news for row in _rows_of(edit, old, Change.REMOVED)]
    return rows + [row for key, edit in news.items() if key not in olds for row in _rows_of(edit, new, Change.ADDED)]


def _edits_by_content(side: Side) -> dict[str, AnyEdit]:
    edits = side.release.edits if side.release else ()
    ordered = sorted(edits, key=lambda edit: (side.loaded.document.sample_ids.index(edit.sample_id), edit.session, _after(edit)))
    # Ids and verdicts may differ between two runs that put in the same.
    return {exact(edit.model_dump(mode="json", exclude={"id", "items", "verdicts", "seam"})): edit for edit in ordered}


def _after(edit: AnyEdit) -> int:
    return edit.after if isinstance(edit, InsertExchange) else 0


def _rows_of(edit: AnyEdit, side: Side, change: Change) -> Iterator[OutsideRow]:
    for block, place, value in _parts(edit, side):
        old, new = (value, None) if change is Change.REMOVED else (None, value)
        yield OutsideRow(
            sample_id=edit.sample_id,
            block=block,
            place=place,
            change=change,
            edit=edit.id,
            old=old,
            new=new,
        )


def _parts(edit: AnyEdit, side: Side) -> Iterator[tuple[Block, str, Any]]:
    """What one edit puts in: (block, place, value); turns carry their released ids."""
    number = edit.session
    start = released_position(edit, side.release.edits, 0) if isinstance(edit, InsertExchange) and side.release else 1
    if isinstance(edit, AppendSession) and not edit.dangling:
        yield Block.CONVERSATION, f"session_{number}_date_time", edit.date_text
    for offset, turn in enumerate(edit.turns):
        ident = f"D{number}:{start + offset}"
        yield Block.CONVERSATION, f"session_{number} {ident}", {"speaker": turn.speaker, "dia_id": ident, "text": turn.text}
    for row in edit.observations:
        yield Block.OBSERVATION, f"session_{number}_observation.{row.speaker}", [row.fact, f"D{number}:{start + row.turn}"]
    if isinstance(edit, AppendSession):
        yield Block.EVENT_SUMMARY, f"events_session_{number}", {**edit.events, "date": edit.event_date}
        yield Block.SESSION_SUMMARY, f"session_{number}_summary", edit.summary
    elif edit.summary is not None:
        yield Block.SESSION_SUMMARY, f"session_{number}_summary", edit.summary.text

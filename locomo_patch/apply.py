"""`apply(document, edits)` and its inverse. Pure: neither touches the document it is given.

Every reference (QA evidence, observation rows) is rewritten through the id map; derived blocks grow in step.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any

from locomo_patch.document import Blocks, Document, RawObject
from locomo_patch.edits import AppendSession, InsertExchange, NewTurn, ObservationRow
from locomo_patch.evidence import parse_references, rewrite
from locomo_patch.id_map import ConversationIds, Renumbering, renumber
from twistcore.errors import ReleaseError

AnyEdit = InsertExchange | AppendSession


def apply_edits(document: Document, edits: Sequence[AnyEdit]) -> tuple[Document, dict[str, ConversationIds]]:
    """A new document with the edits in it, and the id map of every conversation.

    Raises ReleaseError when an edit does not fit (no such conversation or session, a seam outside it, a session number taken).
    """
    released = document.copy()
    id_map: dict[str, ConversationIds] = {}
    for sample_id in released.sample_ids:
        mine = [edit for edit in edits if edit.sample_id == sample_id]
        blocks = released.blocks(sample_id)
        numbering = _numbering(blocks, mine)
        _rewrite_references(blocks, numbering.forward)
        for edit in sorted((e for e in mine if isinstance(e, InsertExchange)), key=lambda e: (e.session, -e.after)):
            _insert(blocks, edit)
        for session in {edit.session for edit in mine if isinstance(edit, InsertExchange)}:
            _renumber_session(blocks, session)
        _extend_derived(blocks, [e for e in mine if isinstance(e, InsertExchange)], numbering)
        for append in sorted((e for e in mine if isinstance(e, AppendSession)), key=lambda e: e.session):
            _append(blocks, append)
        id_map[sample_id] = numbering.published()
    unknown = {edit.sample_id for edit in edits} - set(released.sample_ids)
    if unknown:
        raise ReleaseError(f"edits name a conversation that the corpus lacks: {', '.join(sorted(unknown))}")
    return released, id_map


def remove_edits(document: Document, edits: Sequence[AnyEdit]) -> Document:
    """The document without the edits; raises ReleaseError where the document does not hold what an edit says it added."""
    source = document.copy()
    for sample_id in source.sample_ids:
        mine = [edit for edit in edits if edit.sample_id == sample_id]
        blocks = source.blocks(sample_id)
        for append in sorted((e for e in mine if isinstance(e, AppendSession)), key=lambda e: -e.session):
            _remove_append(blocks, append)
        exchanges = [e for e in mine if isinstance(e, InsertExchange)]
        sizes: dict[int, int] = {}
        for edit in exchanges:
            sizes[edit.session] = sizes.get(edit.session, 0) + len(edit.turns)
        numbering = _released_numbering(blocks, mine, sizes)
        _remove_derived(blocks, exchanges, numbering)
        for edit in sorted(exchanges, key=lambda e: (e.session, e.after)):
            _remove_insert(blocks, edit)
        for session in sizes:
            _renumber_session(blocks, session)
        _rewrite_references(blocks, numbering.backward)
    return source


def released_position(edit: InsertExchange, edits: Iterable[AnyEdit], offset: int) -> int:
    """Position in its released session of the `offset`-th turn (from 0) of an inserted exchange."""
    before = sum(
        len(other.turns)
        for other in edits
        if isinstance(other, InsertExchange)
        and other.sample_id == edit.sample_id
        and other.session == edit.session
        and other.after < edit.after
    )
    return edit.after + before + offset + 1


def _session_turns(blocks: Blocks, session: int) -> list[RawObject]:
    turns = blocks.conversation.get(f"session_{session}")
    if not isinstance(turns, list):
        raise ReleaseError(f"{blocks.sample_id} has no session {session}")
    return turns


def _lengths(blocks: Blocks) -> dict[int, int]:
    lengths, number = {}, 1
    while isinstance(blocks.conversation.get(f"session_{number}"), list):
        lengths[number] = len(blocks.conversation[f"session_{number}"])
        number += 1
    return lengths


def _numbering(blocks: Blocks, edits: Sequence[AnyEdit]) -> Renumbering:
    lengths = _lengths(blocks)
    places = []
    for edit in edits:
        if isinstance(edit, AppendSession):
            if edit.session in lengths:
                raise ReleaseError(f"{blocks.sample_id} has a session {edit.session} already")
            places.append((edit.session, 0, len(edit.turns)))
        else:
            if not 1 <= edit.after <= lengths.get(edit.session, 0):
                raise ReleaseError(f"{blocks.sample_id} session {edit.session} has no turn {edit.after}")
            places.append((edit.session, edit.after, len(edit.turns)))
    appended = {edit.session: 0 for edit in edits if isinstance(edit, AppendSession)}
    try:
        return renumber({**lengths, **appended}, places)
    except ValueError as error:
        raise ReleaseError(f"{blocks.sample_id}: {error}") from error


def _released_numbering(blocks: Blocks, edits: Sequence[AnyEdit], sizes: dict[int, int]) -> Renumbering:
    lengths = {session: length - sizes.get(session, 0) for session, length in _lengths(blocks).items()}
    places = [(e.session, e.after, len(e.turns)) for e in edits if isinstance(e, InsertExchange)]
    places += [(e.session, 0, len(e.turns)) for e in edits if isinstance(e, AppendSession)]
    return renumber(lengths, places)


def _rewrite_references(blocks: Blocks, move: Callable[[int, int], int]) -> None:
    for item in blocks.qa:
        item["evidence"] = [rewrite(reference, move) for reference in item["evidence"]]
    for key, speakers in _observations(blocks).items():
        blocks.observation[key] = {
            name: [[fact, _rewrite_reference(reference, move)] for fact, reference in rows] for name, rows in speakers.items()
        }


def _rewrite_reference(reference: Any, move: Callable[[int, int], int]) -> Any:
    if isinstance(reference, list):
        return [rewrite(part, move) for part in reference]
    return rewrite(reference, move)


def _observations(blocks: Blocks) -> dict[str, dict[str, list[list[Any]]]]:
    return {key: value for key, value in blocks.observation.items() if key.endswith("_observation")}


def _raw_turn(turn: NewTurn) -> RawObject:
    raw: RawObject = {"speaker": turn.speaker}
    if turn.caption is not None:
        raw["blip_caption"] = turn.caption
    raw["dia_id"] = ""
    raw["text"] = turn.text
    return raw


def _insert(blocks: Blocks, edit: InsertExchange) -> None:
    _session_turns(blocks, edit.session)[edit.after : edit.after] = [_raw_turn(turn) for turn in edit.turns]


def _remove_insert(blocks: Blocks, edit: InsertExchange) -> None:
    turns = _session_turns(blocks, edit.session)
    # Earlier exchanges of the session are out already, so the source position is the right one.
    found = turns[edit.after : edit.after + len(edit.turns)]
    _require_turns(found, edit.turns, f"{edit.sample_id} session {edit.session} after turn {edit.after}")
    del turns[edit.after : edit.after + len(edit.turns)]


def _require_turns(found: Sequence[RawObject], expected: Sequence[NewTurn], place: str) -> None:
    plain = [{key: value for key, value in raw.items() if key != "dia_id"} for raw in found]
    wanted = [{key: value for key, value in _raw_turn(turn).items() if key != "dia_id"} for turn in expected]
    if plain != wanted:
        raise ReleaseError("the corpus does not hold the turns that edits.jsonl says were added", place=place)


def _renumber_session(blocks: Blocks, session: int) -> None:
    for position, turn in enumerate(_session_turns(blocks, session), start=1):
        turn["dia_id"] = f"D{session}:{position}"


def _extend_derived(blocks: Blocks, edits: Sequence[InsertExchange], numbering: Renumbering) -> None:
    for edit in sorted(edits, key=lambda e: (e.session, e.after)):
        start = released_position(edit, edits, 0)
        for row in edit.observations:
            _add_observation(blocks, edit.session, row, start + row.turn)
    for session, summaries in _summaries(edits).items():
        key = f"session_{session}_summary"
        text = blocks.summary[key]
        for edit in reversed(summaries):
            assert edit.summary is not None
            text = text[: edit.summary.at] + edit.summary.text + text[edit.summary.at :]
        blocks.summary[key] = text


def _summaries(edits: Sequence[InsertExchange]) -> dict[int, list[InsertExchange]]:
    out: dict[int, list[InsertExchange]] = {}
    for edit in sorted((e for e in edits if e.summary), key=lambda e: (e.session, e.summary.at if e.summary else 0, e.after)):
        out.setdefault(edit.session, []).append(edit)
    return out


def _add_observation(blocks: Blocks, session: int, row: ObservationRow, position: int) -> None:
    rows = blocks.observation[f"session_{session}_observation"].setdefault(row.speaker, [])
    place = next((index for index, (_, reference) in enumerate(rows) if _first_turn(reference) > position), len(rows))
    rows.insert(place, [row.fact, f"D{session}:{position}"])


def _first_turn(reference: Any) -> int:
    text = " ".join(reference) if isinstance(reference, list) else str(reference)
    found = parse_references(text)
    return found[0].turn if found else 0


def _remove_derived(blocks: Blocks, edits: Sequence[InsertExchange], numbering: Renumbering) -> None:
    for session, summaries in _summaries(edits).items():
        key = f"session_{session}_summary"
        text = blocks.summary[key]
        for edit in summaries:
            assert edit.summary is not None
            at, added = edit.summary.at, edit.summary.text
            if text[at : at + len(added)] != added:
                raise ReleaseError("the summary does not hold the added sentence", place=f"{edit.sample_id} session {session}")
            text = text[:at] + text[at + len(added) :]
        blocks.summary[key] = text
    for edit in edits:
        start = released_position(edit, edits, 0)
        for row in edit.observations:
            rows = blocks.observation[f"session_{edit.session}_observation"][row.speaker]
            wanted = [row.fact, f"D{edit.session}:{start + row.turn}"]
            if wanted not in rows:
                raise ReleaseError("the added observation is missing", place=f"{edit.sample_id} D{edit.session}:{start + row.turn}")
            rows.remove(wanted)


def _append(blocks: Blocks, edit: AppendSession) -> None:
    number = edit.session
    conversation = blocks.conversation
    date_key, turns_key = f"session_{number}_date_time", f"session_{number}"
    if conversation.get(date_key, edit.date_text) != edit.date_text:
        raise ReleaseError(f"session {number} must keep its dangling date {conversation[date_key]!r}", place=edit.sample_id)
    turns = [_raw_turn(turn) for turn in edit.turns]
    # A dangling date of that number is there already, and its session follows it directly, as upstream has them.
    after = date_key if date_key in conversation else f"session_{number - 1}"
    fresh = {} if date_key in conversation else {date_key: edit.date_text}
    _put_after(conversation, after, {**fresh, turns_key: turns})
    _renumber_session(blocks, number)
    observation: dict[str, list[list[Any]]] = {name: [] for name in edit.events}
    for row in edit.observations:
        observation.setdefault(row.speaker, []).append([row.fact, f"D{number}:{row.turn + 1}"])
    _put_after(blocks.events, f"events_session_{number - 1}", {f"events_session_{number}": {**edit.events, "date": edit.event_date}})
    _put_after(blocks.observation, f"session_{number - 1}_observation", {f"session_{number}_observation": observation})
    _put_after(blocks.summary, f"session_{number - 1}_summary", {f"session_{number}_summary": edit.summary})


def _remove_append(blocks: Blocks, edit: AppendSession) -> None:
    number = edit.session
    turns = _session_turns(blocks, number)
    _require_turns(turns, edit.turns, f"{edit.sample_id} session {number}")
    del blocks.conversation[f"session_{number}"]
    if not edit.dangling:
        del blocks.conversation[f"session_{number}_date_time"]
    for mapping, key in (
        (blocks.events, f"events_session_{number}"),
        (blocks.observation, f"session_{number}_observation"),
        (blocks.summary, f"session_{number}_summary"),
    ):
        if key not in mapping:
            raise ReleaseError(f"{key} is missing", place=edit.sample_id)
        del mapping[key]


def _put_after(mapping: RawObject, key: str, added: RawObject) -> None:
    """Add keys to a mapping right after `key`, keeping the order of the others; at the end when `key` is not there."""
    items = list(mapping.items())
    place = next((index for index, (name, _) in enumerate(items, start=1) if name == key), len(items))
    mapping.clear()
    mapping.update([*items[:place], *added.items(), *items[place:]])

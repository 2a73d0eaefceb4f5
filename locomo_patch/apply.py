"""`apply(document, edits)` and its inverse. Pure: neither touches the document it is given.

Every reference (QA evidence, observation rows) is rewritten through the id map; derived blocks grow in step.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any

from locomo_patch.document import Blocks, Document, RawObject
from locomo_patch.edits import AppendSession, InsertExchange, NewTurn, ObservationRow, SummarySentence
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
        _extend_derived(blocks, [e for e in mine if isinstance(e, InsertExchange)])
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
        _remove_derived(blocks, exchanges)
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
    for expected, session in enumerate(sorted(appended), start=len(lengths) + 1):
        if session != expected:
            raise ReleaseError(f"{blocks.sample_id} cannot get a session {session}, the next one is {expected}")
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


def _extend_derived(blocks: Blocks, edits: Sequence[InsertExchange]) -> None:
    for edit in sorted(edits, key=lambda e: (e.session, e.after)):
        start = released_position(edit, edits, 0)
        for row in edit.observations:
            if row.turn >= len(edit.turns):
                raise ReleaseError(
                    f"an observation is drawn from turn {row.turn} of {len(edit.turns)} new ones", place=_place(edit)
                )
            _add_observation(_observed(blocks, edit, row), edit.session, row, start + row.turn)
    for session, summaries in _summaries(edits).items():
        key = f"session_{session}_summary"
        text = _summary_text(blocks, session)
        for edit, sentence in reversed(summaries):
            if sentence.at > len(text):
                raise ReleaseError(f"the summary has no offset {sentence.at}", place=_place(edit))
            text = text[: sentence.at] + sentence.text + text[sentence.at :]
        blocks.summary[key] = text


def _summaries(edits: Sequence[InsertExchange]) -> dict[int, list[tuple[InsertExchange, SummarySentence]]]:
    """Added sentences by session in the order in which they stand; of several at one offset, the earlier exchange's comes first."""
    out: dict[int, list[tuple[InsertExchange, SummarySentence]]] = {}
    added = [(edit, edit.summary) for edit in edits if edit.summary is not None]
    for edit, sentence in sorted(added, key=lambda pair: (pair[0].session, pair[1].at, pair[0].after)):
        out.setdefault(edit.session, []).append((edit, sentence))
    return out


def _place(edit: InsertExchange) -> str:
    return f"{edit.sample_id} session {edit.session} after turn {edit.after}"


def _summary_text(blocks: Blocks, session: int) -> str:
    text = blocks.summary.get(f"session_{session}_summary")
    if not isinstance(text, str):
        raise ReleaseError(f"session {session} has no summary", place=blocks.sample_id)
    return text


def _observed(blocks: Blocks, edit: InsertExchange, row: ObservationRow) -> list[list[Any]]:
    """The rows of a speaker in a session. A missing block is not made up: taking the edit out again could not tell that it was."""
    rows = blocks.observation.get(f"session_{edit.session}_observation", {}).get(row.speaker)
    if not isinstance(rows, list):
        raise ReleaseError(f"session {edit.session} has no observations of {row.speaker}", place=blocks.sample_id)
    return rows


def _add_observation(rows: list[list[Any]], session: int, row: ObservationRow, position: int) -> None:
    place = next((index for index, (_, reference) in enumerate(rows) if _first_turn(reference) > position), len(rows))
    rows.insert(place, [row.fact, f"D{session}:{position}"])


def _first_turn(reference: Any) -> int:
    text = " ".join(reference) if isinstance(reference, list) else str(reference)
    found = parse_references(text)
    return found[0].turn if found else 0


def _remove_derived(blocks: Blocks, edits: Sequence[InsertExchange]) -> None:
    for session, summaries in _summaries(edits).items():
        key = f"session_{session}_summary"
        text = _summary_text(blocks, session)
        for edit, sentence in summaries:
            at, added = sentence.at, sentence.text
            if text[at : at + len(added)] != added:
                raise ReleaseError("the summary does not hold the added sentence", place=f"{edit.sample_id} session {session}")
            text = text[:at] + text[at + len(added) :]
        blocks.summary[key] = text
    for edit in edits:
        start = released_position(edit, edits, 0)
        for row in edit.observations:
            rows = _observed(blocks, edit, row)
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
    if edit.dangling != (date_key in conversation):
        raise ReleaseError(f"session {number} has {'no' if edit.dangling else 'a'} dangling date", place=edit.sample_id)
    # A dangling date of that number is there already, and its session follows it directly, as upstream has them.
    after = date_key if edit.dangling else f"session_{number - 1}"
    fresh = {} if edit.dangling else {date_key: edit.date_text}
    _put_after(conversation, after, {**fresh, turns_key: [_raw_turn(turn) for turn in edit.turns]})
    _renumber_session(blocks, number)
    for (mapping, key, value), before in zip(
        _derived_of(blocks, edit),
        (f"events_session_{number - 1}", f"session_{number - 1}_observation", f"session_{number - 1}_summary"),
        strict=True,
    ):
        _put_after(mapping, before, {key: value})


def _derived_of(blocks: Blocks, edit: AppendSession) -> tuple[tuple[RawObject, str, Any], ...]:
    """The entries that an appended session adds to the derived blocks: (block, key, value)."""
    number = edit.session
    observation: dict[str, list[list[Any]]] = {name: [] for name in edit.events}
    for row in edit.observations:
        if row.turn >= len(edit.turns):
            raise ReleaseError(
                f"an observation is drawn from turn {row.turn} of {len(edit.turns)} new ones",
                place=f"{edit.sample_id} session {number}",
            )
        observation.setdefault(row.speaker, []).append([row.fact, f"D{number}:{row.turn + 1}"])
    return (
        (blocks.events, f"events_session_{number}", {**edit.events, "date": edit.event_date}),
        (blocks.observation, f"session_{number}_observation", observation),
        (blocks.summary, f"session_{number}_summary", edit.summary),
    )


def _remove_append(blocks: Blocks, edit: AppendSession) -> None:
    number = edit.session
    place = f"{edit.sample_id} session {number}"
    _require_turns(_session_turns(blocks, number), edit.turns, place)
    if blocks.conversation.get(f"session_{number}_date_time") != edit.date_text:
        raise ReleaseError("the corpus does not hold the date that edits.jsonl says was added", place=place)
    del blocks.conversation[f"session_{number}"]
    if not edit.dangling:
        del blocks.conversation[f"session_{number}_date_time"]
    for mapping, key, value in _derived_of(blocks, edit):
        if mapping.get(key) != value:
            raise ReleaseError(f"{key} is not what edits.jsonl says was added", place=edit.sample_id)
        del mapping[key]


def _put_after(mapping: RawObject, key: str, added: RawObject) -> None:
    """Add keys to a mapping right after `key`, keeping the order of the others; at the end when `key` is not there."""
    items = list(mapping.items())
    place = next((index for index, (name, _) in enumerate(items, start=1) if name == key), len(items))
    mapping.clear()
    mapping.update([*items[:place], *added.items(), *items[place:]])

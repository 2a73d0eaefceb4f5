"""Rule 2: injection does not show in the shape: alternation, contiguous ids, dates, derived blocks in step (LOCOMO.md 3, 4, 8).

Reads the raw corpus, so that every fault is named and not only the first.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import datetime
from itertools import pairwise
from typing import Any

from inject.check.broken import Broken, Rule
from inject.check.opened import Opened
from locomo_patch.dates import format_date, format_day, parse_date
from locomo_patch.document import Blocks
from locomo_patch.versions import UNKNOWN

MAX_APPENDED = 3
_DATE_KEY = re.compile(r"session_(\d+)_date_time")
_SESSION_KEY = re.compile(r"session_(\d+)")

Faults = Iterator[tuple[Rule, str, str]]


def check_shape(opened: Opened) -> list[Broken]:
    """Every place where a released conversation has not LoCoMo's shape."""
    known = opened.manifest.source.version != UNKNOWN
    broken: list[Broken] = []
    for sample_id in opened.document.sample_ids:
        blocks = opened.document.blocks(sample_id)
        appended = {edit.session for edit in opened.appended if edit.sample_id == sample_id}
        found = [*_sessions(blocks), *_dates(blocks), *_derived(blocks), *_event_dates(blocks, None if known else appended)]
        broken += [Broken(rule, opened.corpus_file, f"{sample_id} {place}".strip(), wrong) for rule, place, wrong in found]
    return [*broken, *_appended(opened)]


def read_date(text: Any) -> datetime | None:
    """The moment of a session date in the official format, None for any other text."""
    try:
        moment = parse_date(text) if isinstance(text, str) else None
    except ValueError:
        return None
    return moment if moment is not None and format_date(moment) == text else None


def session_numbers(blocks: Blocks) -> list[int]:
    """Numbers of the sessions that have a list of turns, rising."""
    return sorted(
        int(match[1])
        for name, value in blocks.conversation.items()
        if (match := _SESSION_KEY.fullmatch(name)) and isinstance(value, list)
    )


def _sessions(blocks: Blocks) -> Faults:
    conversation = blocks.conversation
    speakers = [conversation.get("speaker_a"), conversation.get("speaker_b")]
    numbers = session_numbers(blocks)
    if not numbers or numbers != list(range(1, len(numbers) + 1)):
        yield Rule.HIDDEN, "", f"session numbers do not run from 1 without a gap: {numbers}"
    for number in numbers:
        turns = conversation[f"session_{number}"]
        if not turns:
            yield Rule.HIDDEN, f"session_{number}", "has no turns"
        before = None
        for position, turn in enumerate(turns, start=1):
            place = f"session_{number} turn {position}"
            if not isinstance(turn, dict):
                yield Rule.HIDDEN, place, "is no object"
                continue
            if turn.get("dia_id") != f"D{number}:{position}":
                yield Rule.HIDDEN, place, f"has the id {turn.get('dia_id')}, D{number}:{position} was expected"
            if turn.get("speaker") not in speakers:
                yield Rule.HIDDEN, place, f"is spoken by a third speaker, {turn.get('speaker')}"
            elif turn["speaker"] == before:
                yield Rule.HIDDEN, place, f"{before} speaks twice running"
            before = turn.get("speaker")
            if not isinstance(turn.get("text"), str):
                yield Rule.HIDDEN, place, "has no text"


def _dates(blocks: Blocks) -> Faults:
    conversation = blocks.conversation
    numbers = session_numbers(blocks)
    dated: dict[int, datetime] = {}
    listed = {int(match[1]) for name in conversation if (match := _DATE_KEY.fullmatch(name))}
    for number in sorted(listed | set(numbers)):
        text = conversation.get(f"session_{number}_date_time")
        moment = read_date(text)
        if text is None:
            yield Rule.HIDDEN, f"session_{number}", "has no date"
        elif moment is None:
            yield Rule.HIDDEN, f"session_{number}_date_time", f"is not of the official form: {text!r}"
        else:
            dated[number] = moment
    rising = sorted(dated)
    for earlier, later in pairwise(rising):
        if dated[later] <= dated[earlier]:
            yield Rule.HIDDEN, f"session_{later}_date_time", f"is not after that of session {earlier}"


def _derived(blocks: Blocks) -> Faults:
    numbers = set(session_numbers(blocks))
    for mapping, pattern, name in (
        (blocks.events, r"events_session_(\d+)", "event summary"),
        (blocks.observation, r"session_(\d+)_observation", "observations"),
        (blocks.summary, r"session_(\d+)_summary", "summary"),
    ):
        held = {int(match[1]) for key in mapping if (match := re.fullmatch(pattern, key))}
        for number in sorted(numbers - held):
            yield Rule.HIDDEN, f"session_{number}", f"has turns and no {name}"
        for number in sorted(held - numbers):
            yield Rule.HIDDEN, f"session_{number}", f"has {name} and no turns"


def _event_dates(blocks: Blocks, only: set[int] | None) -> Faults:
    """Event summaries carry their session's day (272 of 272 upstream); of unknown corpora only the appended ones."""
    for number in session_numbers(blocks):
        events = blocks.events.get(f"events_session_{number}")
        moment = read_date(blocks.conversation.get(f"session_{number}_date_time"))
        if moment is None or not isinstance(events, dict) or (only is not None and number not in only):
            continue
        if events.get("date") != format_day(moment):
            yield Rule.TIME, f"events_session_{number}", f"says {events.get('date')}, the session is dated {format_day(moment)}"


def _appended(opened: Opened) -> Iterator[Broken]:
    for sample_id in opened.document.sample_ids:
        mine = sorted((edit for edit in opened.appended if edit.sample_id == sample_id), key=lambda edit: edit.session)
        if len(mine) > MAX_APPENDED:
            wrong = f"has {len(mine)} appended sessions, at most {MAX_APPENDED} are allowed"
            yield Broken(Rule.TIME, opened.corpus_file, sample_id, wrong)
        last = len(session_numbers(opened.document.blocks(sample_id)))
        if [edit.session for edit in mine] != list(range(last - len(mine) + 1, last + 1)):
            numbers = ", ".join(str(edit.session) for edit in mine)
            yield Broken(Rule.HIDDEN, opened.corpus_file, sample_id, f"sessions {numbers} are not appended after the last one")
        for edit in mine:
            held = opened.document.blocks(sample_id).conversation.get(f"session_{edit.session}_date_time")
            if held != edit.date_text:
                wrong = f"is {held!r}, its edit says {edit.date_text!r}"
                yield Broken(Rule.TIME, opened.corpus_file, f"{sample_id} session_{edit.session}_date_time", wrong)

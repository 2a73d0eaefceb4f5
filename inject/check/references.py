"""Rule 1 for references: each still points at the same text, what dangled still does, malformed forms are kept."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any

from inject.check.broken import Broken, Rule
from inject.check.opened import Opened
from locomo_patch.document import Blocks, Document
from locomo_patch.evidence import parse_references

# The number of a turn in any reference, malformed ones included; all that a released string may change.
_TURN_NUMBER = re.compile(r"(?<=\d:)(0*)\d+")


@dataclass(frozen=True)
class _Texts:
    """Turn texts by id before and after, and where inserted turns are."""

    before: Mapping[str, str]
    after: Mapping[str, str]
    inserted: frozenset[str]


def check_references(opened: Opened, source: Document) -> list[Broken]:
    """References of questions and of observations, and the questions around them."""
    broken: list[Broken] = []
    for sample_id in source.sample_ids:
        before, after = source.blocks(sample_id), opened.document.blocks(sample_id)
        texts = _Texts(_texts(before), _texts(after), opened.inserted.get(sample_id, frozenset()))
        broken += [
            Broken(Rule.SOURCE, opened.corpus_file, f"{sample_id} {place}", wrong)
            for place, wrong in _questions(_kept(opened, before), after, texts)
        ]
        broken += [
            Broken(Rule.SOURCE, opened.corpus_file, f"{sample_id} {place}", wrong)
            for place, wrong in _observations(opened, before, after, texts)
        ]
    return broken


def _texts(blocks: Blocks) -> dict[str, str]:
    return {
        str(turn.get("dia_id")): str(turn.get("text"))
        for value in blocks.conversation.values()
        if isinstance(value, list)
        for turn in value
        if isinstance(turn, dict) and "speaker" in turn
    }


def _kept(opened: Opened, before: Blocks) -> Blocks:
    """The source's block without the questions that left the corpus."""
    gone = {item.index for item in opened.versioned_out if item.sample_id == before.sample_id}
    return replace(before, qa=[item for index, item in enumerate(before.qa) if index not in gone])


def _questions(before: Blocks, after: Blocks, texts: _Texts) -> Iterator[tuple[str, str]]:
    if len(before.qa) != len(after.qa):
        yield "qa", f"has {len(after.qa)} questions, the source has {len(before.qa)}"
    for index, (old, new) in enumerate(zip(before.qa, after.qa, strict=False)):
        place = f"qa {index}"
        plain = {key: value for key, value in old.items() if key != "evidence"}
        if list(old) != list(new) or plain != {key: value for key, value in new.items() if key != "evidence"}:
            yield place, "is another question than in the source"
        if len(old["evidence"]) != len(new["evidence"]):
            yield place, "cites more or fewer strings than in the source"
        for one, other in zip(old["evidence"], new["evidence"], strict=False):
            for wrong in _compare(str(one), str(other), texts):
                yield place, wrong


def _compare(old: str, new: str, texts: _Texts) -> Iterator[str]:
    """What is wrong with a released reference string, given the source's."""
    if _TURN_NUMBER.sub(r"\1#", old) != _TURN_NUMBER.sub(r"\1#", new):
        yield f"the reference {old!r} has become {new!r}, another form"
        return
    if (old in texts.before) != (new in texts.after):
        yield f"{old!r} {'was' if old in texts.before else 'was not'} an id, {new!r} {'is' if new in texts.after else 'is not'} one"
    for source, released in zip(parse_references(old), parse_references(new), strict=True):
        if released.dia_id in texts.inserted:
            yield f"{new!r} points at an inserted turn"
        elif texts.before.get(source.dia_id) != texts.after.get(released.dia_id):
            if source.dia_id not in texts.before:
                yield f"{old!r} resolved to nothing, {new!r} does"
            else:
                yield f"{new!r} points at another text than {old!r} did"


def _observations(opened: Opened, before: Blocks, after: Blocks, texts: _Texts) -> Iterator[tuple[str, str]]:
    added = {
        (edit.session, row.speaker, row.fact)
        for edit in opened.edits
        if edit.sample_id == before.sample_id
        for row in edit.observations
    }
    for name, speakers in after.observation.items():
        if not name.endswith("_observation"):
            continue
        session = int(name.split("_")[1])
        for speaker, rows in speakers.items():
            old_rows = before.observation.get(name, {}).get(speaker, [])
            kept = [row for row in rows if not _is_new(row, texts)]
            place = f"{name} {speaker}"
            if [row[0] for row in kept] != [row[0] for row in old_rows]:
                yield place, f"holds {len(kept)} rows about source turns, the source has {len(old_rows)}, or they differ"
                continue
            for old, new in zip(old_rows, kept, strict=True):
                for wrong in _compare_rows(old[1], new[1], texts):
                    yield place, wrong
            for row in rows:
                if _is_new(row, texts) and (session, speaker, row[0]) not in added:
                    yield place, f"the row about {row[1]!r} is in no edit"


def _is_new(row: list[Any], texts: _Texts) -> bool:
    return isinstance(row[1], str) and row[1] in texts.inserted


def _compare_rows(old: Any, new: Any, texts: _Texts) -> Iterator[str]:
    if isinstance(old, list) and isinstance(new, list) and len(old) == len(new):
        for one, other in zip(old, new, strict=True):
            yield from _compare(str(one), str(other), texts)
    elif isinstance(old, str) and isinstance(new, str):
        yield from _compare(old, new, texts)
    else:
        yield f"the reference {old!r} has become {new!r}, another form"

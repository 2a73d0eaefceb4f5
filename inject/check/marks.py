"""Rule 2: nothing under corpus/ marks an injection. New turns have keys and key orders of upstream turns, and no label."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from inject.check.broken import Broken, Rule
from inject.check.opened import Opened
from locomo_patch.document import RawObject, Shape
from locomo_patch.versions import UNKNOWN

# Every key that LoCoMo's two shapes have, by the kind of object (LOCOMO.md sections 1, 4, 7, 8).
TURN_KEYS = frozenset({"speaker", "dia_id", "text", "img_url", "blip_caption", "query", "re-download"})
QUESTION_KEYS = frozenset({"question", "answer", "evidence", "category", "adversarial_answer"})
TOP_KEYS = frozenset({"qa", "conversation", "event_summary", "observation", "session_summary", "sample_id"})
_BLOCK_KEY = re.compile(
    r"speaker_[ab]|session_\d+|session_\d+_date_time|events_session_\d+|session_\d+_observation|session_\d+_summary|qa"
)
# Orders in which plain turns and caption-only turns have their keys upstream: 4656 and 311 turns.
NEW_TURN_ORDERS = (("speaker", "dia_id", "text"), ("speaker", "blip_caption", "dia_id", "text"))
# Words of the factory, never of a chat; "anchor" and "twist" are words of chats as well.
_LABEL = re.compile(
    r"HN-A\d|TWIST-[A-D]\b|\btwist-(?:edit|manifest|inject)|\bhard[_ -]negatives?\b|\bno_tension\b|\binjected\b|\bpair_id\b|"
    r"\bbelief[_ -]reversal\b|\bgold turn\b|\b(?:old|new)_belief\b|[{}]|\\n|<[^>]{0,40}>"
)


def check_marks(opened: Opened) -> list[Broken]:
    """Labels, ids, keys and key orders that tell an injected turn from an original one."""
    found = [*_keys(opened), *_identifiers(opened), *_labels(opened)]
    return [Broken(Rule.HIDDEN, opened.corpus_file, place, wrong) for place, wrong in found]


def _keys(opened: Opened) -> Iterator[tuple[str, str]]:
    # Unknown keys of an unknown corpus survive (rule 1), so there only new turns are held to upstream's.
    strict = opened.manifest.source.version != UNKNOWN
    for sample_id, raw in zip(opened.document.sample_ids, opened.document.objects, strict=True):
        blocks = opened.document.blocks(sample_id)
        inserted = opened.inserted.get(sample_id, frozenset())
        for turn in _turns(blocks.conversation):
            place = f"{sample_id} {turn.get('dia_id')}"
            if turn.get("dia_id") in inserted:
                if tuple(turn) not in NEW_TURN_ORDERS:
                    yield place, f"is inserted and has the keys {', '.join(turn)}, as no caption-only or plain turn upstream"
            elif strict:
                yield from _strange(turn, TURN_KEYS, place)
        if strict:
            for index, item in enumerate(blocks.qa):
                yield from _strange(item, QUESTION_KEYS, f"{sample_id} qa {index}")
            if opened.document.shape is Shape.LIST:
                yield from _strange(raw, TOP_KEYS, sample_id)
            for mapping in (blocks.conversation, blocks.events, blocks.observation, blocks.summary):
                yield from _strange({name: None for name in mapping if not _BLOCK_KEY.fullmatch(name)}, frozenset(), sample_id)


def _strange(held: Any, upstream: frozenset[str], place: str) -> Iterator[tuple[str, str]]:
    if not isinstance(held, dict):
        yield place, "is no object"
    elif set(held) - upstream:
        yield place, f"has keys that upstream lacks: {', '.join(sorted(set(held) - upstream))}"


def _turns(conversation: RawObject) -> Iterator[RawObject]:
    for name, value in conversation.items():
        if re.fullmatch(r"session_\d+", name) and isinstance(value, list):
            yield from (turn for turn in value if isinstance(turn, dict))


def _identifiers(opened: Opened) -> Iterator[tuple[str, str]]:
    """Opaque ids of keys, pairs and edits, anywhere in the corpus. One pass: the ids are words of their own."""
    idents = {key.id for key in opened.keys} | {key.pair_id for key in opened.keys} | {edit.id for edit in opened.edits}
    for file in opened.document.files:
        for word in sorted({match.decode() for match in re.findall(rb"\b[0-9A-Za-z_-]+\b", file.data)} & idents):
            yield "", f"holds {word}, the id of an item or edit"


def _labels(opened: Opened) -> Iterator[tuple[str, str]]:
    """Labels and unfilled slots in what was added; a label anywhere else would change the source."""
    for edit in opened.edits:
        texts: list[Any] = [text for turn in edit.turns for text in (turn.text, turn.caption or "")]
        texts += [row.fact for row in edit.observations]
        texts.append(edit.summary if isinstance(edit.summary, str) else edit.summary.text if edit.summary else "")
        for text in texts:
            found = _LABEL.search(text)
            if found:
                yield f"{edit.sample_id} session {edit.session}", f"{found.group()!r} marks an injection in {text[:60]!r}"

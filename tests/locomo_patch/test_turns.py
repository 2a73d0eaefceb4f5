"""Turns: ids, alternation, image keys, text hygiene (LOCOMO.md sections 4 to 6)."""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
from tiny_corpus import Raw, document_of, exchange, raw_conversation, raw_turn, write_list

from locomo_patch.apply import apply_edits, remove_edits
from locomo_patch.reader import LoadedCorpus, read_corpus

# Key orders, each turn beginning with `speaker` and ending with `text`.
KEY_ORDERS = {
    ("dia_id",): 4656,
    ("img_url", "blip_caption", "query", "dia_id"): 709,
    ("blip_caption", "dia_id"): 311,
    ("img_url", "blip_caption", "query", "dia_id", "re-download"): 179,
    ("dia_id", "img_url", "re-download", "blip_caption"): 22,
    ("blip_caption", "dia_id", "re-download"): 5,
}


def raw_turns(loaded: LoadedCorpus) -> Iterator[tuple[str, Raw]]:
    for sample_id in loaded.document.sample_ids:
        for key, value in loaded.document.blocks(sample_id).conversation.items():
            if key.startswith("session_") and isinstance(value, list):
                yield from ((sample_id, turn) for turn in value)


def test_ids_are_the_session_and_the_position(real: LoadedCorpus) -> None:
    seen = 0
    for conversation in real.corpus.conversations:
        blocks = real.document.blocks(conversation.sample_id)
        for session in conversation.sessions:
            listed = blocks.conversation[f"session_{session.number}"]
            assert [turn["dia_id"] for turn in listed] == [f"D{session.number}:{place}" for place in range(1, len(listed) + 1)]
            seen += len(listed)
    assert seen == 5882


def test_speakers_alternate_in_all_272_sessions_and_nobody_else_speaks(real: LoadedCorpus) -> None:
    sessions = [(conversation, session) for conversation in real.corpus.conversations for session in conversation.sessions]
    assert len(sessions) == 272
    for conversation, session in sessions:
        speakers = [turn.speaker for turn in session.turns]
        assert set(speakers) <= set(conversation.speakers)
        assert all(first != second for first, second in pairwise(speakers))


def test_who_talks_first_does_not_tell_speaker_a(real: LoadedCorpus, tmp_path: Path) -> None:
    openers = [
        conversation
        for conversation in real.corpus.conversations
        if conversation.sessions[0].turns[0].speaker == conversation.speaker_a
    ]
    assert [conversation.sample_id for conversation in openers] == ["conv-26", "conv-44", "conv-48", "conv-50"]
    all_openers = sum(
        session.turns[0].speaker == conversation.speaker_a
        for conversation in real.corpus.conversations
        for session in conversation.sessions
    )
    assert all_openers == 148
    # And on a minimal one, where speaker_b opens.
    conversation = read_corpus(
        write_list(tmp_path / "c.json", raw_conversation(lengths=(3, 2))), allow_unknown=True
    ).corpus.conversations[0]
    assert conversation.speaker_a == "Ann"
    assert [session.turns[0].speaker for session in conversation.sessions] == ["Ann", "Bob"]


def test_the_same_speaker_goes_on_across_141_session_borders(real: LoadedCorpus) -> None:
    borders = [
        (before.turns[-1].speaker, after.turns[0].speaker)
        for conversation in real.corpus.conversations
        for before, after in pairwise(conversation.sessions)
    ]
    assert (len(borders), sum(first == second for first, second in borders)) == (262, 141)


def test_turns_have_these_key_orders_and_no_other(real: LoadedCorpus) -> None:
    assert all(next(iter(turn)) == "speaker" and next(reversed(turn)) == "text" for _, turn in raw_turns(real))
    assert Counter(tuple(turn)[1:-1] for _, turn in raw_turns(real)) == KEY_ORDERS


def test_image_turns_are_910_and_captions_1226(real: LoadedCorpus) -> None:
    turns = list(real.corpus.turns())
    assert sum(turn.has_image for turn in turns) == 910
    assert sum(turn.caption is not None for turn in turns) == 1226
    assert sum(turn.caption is not None and not turn.has_image for turn in turns) == 316
    orphan = real.corpus.conversation("conv-26").turn("D4:4")
    assert (orphan.has_image, bool(orphan.caption)) == (False, True)


def test_odd_image_keys_are_where_the_anatomy_says(real: LoadedCorpus) -> None:
    urls = [(sample_id, turn, turn["img_url"]) for sample_id, turn in raw_turns(real) if "img_url" in turn]
    assert all(isinstance(url, list) and len(url) == 1 for _, _, url in urls)
    assert sum("re-download" in turn for _, turn in raw_turns(real)) == 206
    assert {turn["re-download"] for _, turn in raw_turns(real) if "re-download" in turn} == {True}
    data = {(sample_id, turn["dia_id"]): len(url[0]) for sample_id, turn, url in urls if url[0].startswith("data:")}
    assert data == {("conv-42", "D5:6"): 16339, ("conv-44", "D19:28"): 10963}
    assert sum("\\u" in url[0] for _, _, url in urls) == 31
    assert sum(url[0].startswith("http://") for _, _, url in urls) == 22
    used = Counter(url[0] for _, _, url in urls)
    assert (len(used), sum(count > 1 for count in used.values()), max(used.values())) == (862, 29, 11)
    assert sum(str(turn.get("blip_caption", "")).startswith("a photography of") for _, turn in raw_turns(real)) == 200


def test_a_query_is_kept_apart_from_what_is_said_and_shown(real: LoadedCorpus) -> None:
    turns = [turn for turn in real.corpus.turns() if turn.query is not None]
    assert len(turns) == 709 + 179
    assert not any(turn.query == turn.text for turn in turns)


ODD_TURNS: list[dict[str, Any]] = [
    {"img_url": ["https://e.org/a\\u00e9.jpg"], "blip_caption": "a photography of a bench", "query": "bench", "re-download": True},
    {"img_url": ["data:image/png;base64,iVBORw0KGgo="], "blip_caption": "a photo of a fern"},
    {"blip_caption": "a photo of an orphan", "re-download": True},
    {"img_url": ["http://e.org/b.jpg"], "blip_caption": "a photo", "never seen": {"deep": [1, 2.5, None, False]}},
]
ODD_TEXTS = [
    "Hi\n",
    "\n Hi",
    " two  spaces \t tab ",
    "[takes a breath] Well.",
    "Hm ,",
    "caf\u00e9 \u2019 \u2013 \u2014",
    "\U0001f469\u200d\U0001f4bb\ufe0f",
    "zero\u200bwidth",
    ";)",
    "Line\nbreak",
]


def odd_conversation() -> Raw:
    raw = raw_conversation(lengths=(len(ODD_TURNS), len(ODD_TEXTS)))
    first, second = raw["conversation"]["session_1"], raw["conversation"]["session_2"]
    for position, extra in enumerate(ODD_TURNS):
        first[position] = raw_turn(1, position + 1, first[position]["speaker"], **extra)
    for turn, text in zip(second, ODD_TEXTS, strict=True):
        turn["text"] = text
    return raw


def test_odd_keys_and_texts_survive_a_no_op_and_an_edit(tmp_path: Path) -> None:
    path = write_list(tmp_path / "c.json", odd_conversation())
    loaded = read_corpus(path, allow_unknown=True)
    assert loaded.document.copy().dump() == {"c.json": path.read_bytes()}
    edits = [exchange(1, 2), exchange(2, 4, size=4)]
    released, _ = apply_edits(loaded.document, edits)
    turns = released.blocks("conv-1").conversation["session_1"]
    for place, (position, extra) in enumerate(zip((0, 1, 4, 5), ODD_TURNS, strict=True)):
        source = loaded.document.blocks("conv-1").conversation["session_1"][place]
        assert {**turns[position], "dia_id": ""} == {**source, "dia_id": ""}
        assert list(turns[position]) == ["speaker", *extra, "dia_id", "text"]
    assert [
        turn["text"] for turn in released.blocks("conv-1").conversation["session_2"] if not turn["text"].startswith("New")
    ] == ODD_TEXTS
    assert released.dump()["c.json"].isascii()
    assert remove_edits(released, edits).dump() == {"c.json": path.read_bytes()}


def test_the_typed_view_of_odd_turns(tmp_path: Path) -> None:
    turns = (
        read_corpus(write_list(tmp_path / "c.json", odd_conversation()), allow_unknown=True)
        .corpus.conversations[0]
        .sessions[0]
        .turns
    )
    assert [(turn.has_image, turn.caption is not None, turn.query) for turn in turns] == [
        (True, True, "bench"),
        (True, True, None),
        (False, True, None),
        (True, True, None),
    ]


def test_a_new_caption_turn_has_the_upstream_key_order_and_no_url() -> None:
    edit = exchange(1, 2)
    captioned = edit.model_copy(
        update={"turns": [edit.turns[0].model_copy(update={"caption": "a photo of a bench"}), edit.turns[1]]}
    )
    released, _ = apply_edits(document_of(raw_conversation()), [captioned])
    new = released.blocks("conv-1").conversation["session_1"][2]
    assert list(new) == ["speaker", "blip_caption", "dia_id", "text"]


def test_edge_whitespace_and_odd_characters_are_where_the_anatomy_says(real: LoadedCorpus) -> None:
    turns = list(real.corpus.turns())
    assert sum(turn.text != turn.text.strip() for turn in turns) == 209
    assert sum(turn.text != turn.text.rstrip() for turn in turns) == 127
    assert sum(turn.text != turn.text.lstrip() for turn in turns) == 85
    lines = [turn for turn in turns if "\n" in turn.text]
    assert (len(lines), sum("\n" in turn.text.strip() for turn in lines)) == (37, 2)
    assert [(turn.sample_id, turn.dia_id) for turn in turns if "\t" in turn.text] == [("conv-49", "D23:15"), ("conv-50", "D29:11")]
    brackets = [(turn.sample_id, turn.dia_id) for turn in turns if re.search(r"\[[^\]]+\]", turn.text)]
    assert brackets == [("conv-42", "D25:3"), ("conv-44", "D8:3"), ("conv-50", "D5:8")]
    everything = "".join(turn.text for turn in turns)
    assert [everything.count(mark) for mark in "\u2019\u2013\u2014"] == [45, 25, 15]
    assert sum(turn.text.count("  ") > 0 for turn in turns) == 21


def test_every_string_is_in_composed_form(real: LoadedCorpus) -> None:
    for conversation in real.corpus.conversations:
        texts = [turn.text for turn in conversation.turns()] + [question.question for question in conversation.questions]
        assert all(unicodedata.is_normalized("NFC", text) for text in texts)


def test_turn_lengths_and_repeated_texts(real: LoadedCorpus) -> None:
    words = sorted(len(turn.text.split()) for turn in real.corpus.turns())
    assert (words[0], words[len(words) // 2], words[-1]) == (1, 20, 87)
    assert sum(count <= 2 for count in words) == 24
    repeated = {text: count for text, count in Counter(turn.text for turn in real.corpus.turns()).items() if count > 1}
    assert (len(repeated), sum(repeated.values())) == (6, 16)


def test_turns_are_found_by_id_and_only_where_they_are(real: LoadedCorpus) -> None:
    conversation = real.corpus.conversation("conv-42")
    assert conversation.turn("D10:16").position == 16
    for absent in ("D10:19", "D10:0", "D99:1"):
        with pytest.raises(KeyError):
            conversation.turn(absent)

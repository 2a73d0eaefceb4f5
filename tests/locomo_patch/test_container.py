"""The container: bytes, versions, key order, and the per-conversation table (LOCOMO.md sections 1, 2 and 11)."""

from __future__ import annotations

import json
from collections import Counter
from itertools import pairwise
from pathlib import Path
from statistics import median

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tiny_corpus import raw_conversation, write_list

from locomo_patch.document import Style, detect_style
from locomo_patch.locate import mock_path
from locomo_patch.reader import LoadedCorpus, read_corpus
from locomo_patch.versions import KNOWN, MOCK, MOCK_SHA256, OFFICIAL_COMMIT, OFFICIAL_SHA256, OFFICIAL_URL
from twistcore.corpus import Category, Question
from twistcore.errors import CorpusError
from twistcore.fingerprints import sha256_bytes

# id: speakers, sessions, turns, words, words with captions, img_url turns, captioned turns, first day, last day, days, gap min/med/max, QA 1..5
STYLES = st.builds(Style, st.sampled_from([1, 2, 3, 4, 8, None]), st.booleans(), st.booleans())
TABLE = """
conv-26 Caroline Melanie 19 419 10428 11896 77 116 2023-05-08 2023-10-22 166 2 6 30 32 37 13 70 47
conv-30 Jon Gina 19 369 8019 8930 30 72 2023-01-20 2023-07-23 184 2 8 36 11 26 0 44 24
conv-41 John Maria 32 663 16165 17786 77 131 2022-12-17 2023-08-16 242 2 6 27 31 27 8 86 41
conv-42 Joanna Nate 29 629 13310 14769 80 119 2022-01-21 2022-11-11 293 2 9 35 37 40 11 111 61
conv-43 Tim John 29 680 15788 17839 123 164 2023-05-21 2024-01-12 235 2 5 31 31 26 14 107 64
conv-44 Audrey Andrew 28 675 15295 17262 149 156 2023-03-27 2023-11-22 239 2 7 22 30 24 7 62 35
conv-47 James John 31 689 14907 16246 81 109 2022-03-17 2022-11-07 235 2 6.5 21 20 34 13 83 40
conv-48 Deborah Jolene 30 681 13573 15349 108 142 2023-01-23 2023-09-20 239 2 4 58 21 42 10 118 48
conv-49 Evan Sam 25 509 11450 12582 86 92 2023-05-18 2024-01-11 238 1 7 51 37 33 13 73 40
conv-50 Calvin Dave 30 568 14837 16394 99 125 2023-03-23 2023-11-17 238 2 8 25 32 32 7 87 46
"""
LIST_KEYS = ["qa", "conversation", "event_summary", "observation", "session_summary", "sample_id"]


def identity(question: Question) -> tuple[str, ...]:
    """What a question is, wherever it stands: SCHEMAS.md's join, here over every field so that changed items differ."""
    return (
        question.sample_id,
        question.question,
        repr(question.answer),
        repr(question.adversarial_answer),
        str(question.category),
        *question.evidence,
    )


def test_the_official_file_is_named_by_its_hash_and_its_commit(real: LoadedCorpus) -> None:
    assert real.sha256 == OFFICIAL_SHA256 == sha256_bytes(real.path.read_bytes())
    assert (real.corpus.version, KNOWN[real.sha256].questions) == ("official", 1986)
    assert OFFICIAL_COMMIT == "3eb6f2c"
    assert OFFICIAL_URL.endswith("/3eb6f2c/data/locomo10.json")


def test_the_official_file_is_plain_ascii_in_one_style(real: LoadedCorpus) -> None:
    data = real.path.read_bytes()
    assert len(data) == 2_805_274
    assert data.isascii() and b"\r" not in data and not data.endswith(b"\n")
    assert data.count(b"\\u") == 207, "as LOCOMO.md counts; 91 of them are double-escaped, inside URLs"
    assert data.replace(b"\\\\", b"").count(b"\\u") == 116
    assert real.document.files[0].style == Style(indent=2, ascii_only=True, final_newline=False)


def test_a_no_op_writes_the_official_file_byte_for_byte(real: LoadedCorpus) -> None:
    assert real.document.copy().dump() == {real.path.name: real.path.read_bytes()}
    assert real.document.sha256() == OFFICIAL_SHA256


def test_keys_keep_their_order_and_no_key_is_double(real: LoadedCorpus) -> None:
    def once(pairs: list[tuple[str, object]]) -> dict[str, object]:
        assert len({key for key, _ in pairs}) == len(pairs)
        return dict(pairs)

    json.loads(real.path.read_bytes(), object_pairs_hook=once)
    assert all(list(raw) == LIST_KEYS for raw in real.document.objects)
    for raw in real.document.objects:
        keys = list(raw["conversation"])
        assert keys[:2] == ["speaker_a", "speaker_b"]
        numbers = [int(key.split("_")[1]) for key in keys[2:]]
        assert numbers == sorted(numbers), "session_10 stands after session_9"


def test_the_ten_conversations_match_the_table(real: LoadedCorpus) -> None:
    rows = [line.split() for line in TABLE.strip().splitlines()]
    assert [conversation.sample_id for conversation in real.corpus.conversations] == [row[0] for row in rows]
    for row, conversation in zip(rows, real.corpus.conversations, strict=True):
        turns = list(conversation.turns())
        days = [session.date.date() for session in conversation.sessions]
        gaps = [(after - before).days for before, after in pairwise(days)]
        words = sum(len(turn.text.split()) for turn in turns)
        by_category = Counter(question.category for question in conversation.questions)
        assert [
            *conversation.speakers,
            len(conversation.sessions),
            len(turns),
            words,
            words + sum(len((turn.caption or "").split()) for turn in turns),
            sum(turn.has_image for turn in turns),
            sum(turn.caption is not None for turn in turns),
            days[0].isoformat(),
            days[-1].isoformat(),
            (conversation.sessions[-1].date - conversation.sessions[0].date).days,
            min(gaps),
            median(gaps),
            max(gaps),
            *(by_category[Category.of_number(number)] for number in range(1, 6)),
        ] == [cell if not cell[0].isdigit() or "-" in cell else float(cell) for cell in row[1:]], row[0]


def test_the_whole_is_272_sessions_and_5882_turns(real: LoadedCorpus) -> None:
    assert sum(len(conversation.sessions) for conversation in real.corpus.conversations) == 272
    assert sum(1 for _ in real.corpus.turns()) == 5882
    assert sum(len(turn.text.split()) for turn in real.corpus.turns()) == 133772


def test_the_same_first_name_in_three_conversations_is_three_people(real: LoadedCorpus) -> None:
    names = Counter(name for conversation in real.corpus.conversations for name in conversation.speakers)
    assert {name for name, count in names.items() if count > 1} == {"John"}
    assert names["John"] == 3
    ids = [(turn.sample_id, turn.dia_id) for turn in real.corpus.turns()]
    assert len(set(ids)) == len(ids) > len({dia_id for _, dia_id in ids})


def test_the_fork_is_named_and_survives_although_no_style_reproduces_it(shared: Path) -> None:
    path = shared / "data" / "locomo10_fork.json"
    fork = read_corpus(path)
    assert (fork.corpus.version, KNOWN[fork.sha256].questions) == ("fork", 1985)
    assert fork.document.files[0].style is None
    assert json.dumps(list(fork.document.objects), indent=2).encode() != path.read_bytes()
    assert fork.document.copy().dump() == {path.name: path.read_bytes()}
    categories = Counter(question.category for conversation in fork.corpus.conversations for question in conversation.questions)
    assert (sum(categories.values()), categories[Category.OPEN_DOMAIN]) == (1985, 95)
    assert sum(count for category, count in categories.items() if category.answerable) == 1539


def test_the_two_versions_join_by_content_and_not_by_index(shared: Path, real: LoadedCorpus) -> None:
    fork = read_corpus(shared / "data" / "locomo10_fork.json")
    old = [question for conversation in real.corpus.conversations for question in conversation.questions]
    new = [question for conversation in fork.corpus.conversations for question in conversation.questions]
    same = Counter(map(identity, old)) & Counter(map(identity, new))
    assert sum(same.values()) == 1959, "1959 identical, then 25 changed, 2 removed and 1 added"
    assert (len(old) - 1959, len(new) - 1959) == (25 + 2, 25 + 1)
    before, after = real.corpus.conversation("conv-42").questions, fork.corpus.conversation("conv-42").questions
    assert len(after) == len(before) - 1
    assert {question.question for question in before} - {question.question for question in after} == {before[66].question}
    assert [question.question for question in before[67:]] == [question.question for question in after[66:]]
    assert len(before[67:]) == 193
    for raw, other in zip(real.document.objects, fork.document.objects, strict=True):
        assert {key: value for key, value in raw.items() if key != "qa"} == {
            key: value for key, value in other.items() if key != "qa"
        }


def test_one_changed_byte_makes_the_file_unknown(tmp_path: Path) -> None:
    path = tmp_path / "locomo10.json"
    path.write_bytes(mock_path().read_bytes().replace(b"Ingrid", b"Ingrit", 1))
    with pytest.raises(CorpusError, match=r"locomo10\.json: is no known version.*--allow-unknown"):
        read_corpus(path)
    assert read_corpus(write_list(path, raw_conversation()), allow_unknown=True).corpus.version == "unknown"


def test_the_mock_corpus_is_pinned_too(mock: LoadedCorpus) -> None:
    assert (mock.corpus.version, mock.sha256) == (MOCK, MOCK_SHA256)
    assert mock.document.dump() == {mock_path().name: mock_path().read_bytes()}
    assert KNOWN[MOCK_SHA256].questions == sum(len(conversation.questions) for conversation in mock.corpus.conversations)


def test_the_mock_corpus_has_the_irregularities_that_it_stands_in_for(mock: LoadedCorpus) -> None:
    assert [len(conversation.sessions) for conversation in mock.corpus.conversations] == [8, 8]
    questions = [question for conversation in mock.corpus.conversations for question in conversation.questions]
    assert {question.category for question in questions} == set(Category)
    assert any(isinstance(question.answer, int) for question in questions)
    assert any(conversation.dangling for conversation in mock.corpus.conversations)
    assert any(turn.has_image for turn in mock.corpus.turns())
    assert any(turn.caption and not turn.has_image for turn in mock.corpus.turns())
    assert any(not question.evidence for question in questions)


@given(STYLES, st.dictionaries(st.text(max_size=3), st.text(max_size=5), min_size=1, max_size=3))
def test_every_layout_that_is_known_is_found_again(style: Style, value: dict[str, str]) -> None:
    data = style.dump(value)
    found = detect_style(data, value)
    assert found is not None
    assert found.dump(value) == data


def test_a_layout_that_no_style_makes_is_kept_as_it_is_until_it_is_edited(tmp_path: Path) -> None:
    path = tmp_path / "hand.json"
    data = write_list(path, raw_conversation()).read_bytes().replace(b'"category": ', b'"category":', 1)
    path.write_bytes(data)
    loaded = read_corpus(path, allow_unknown=True)
    assert loaded.document.files[0].style is None
    assert loaded.document.dump() == {"hand.json": data}
    changed = loaded.document.copy()
    changed.objects[0]["qa"][0]["question"] = "Else?"
    assert changed.dump()["hand.json"] == Style().dump(list(changed.objects))

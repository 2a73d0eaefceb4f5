"""Both public shapes: the list file and the ten flat files of the earlier zip (LOCOMO.md section 1)."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path

import pytest
from tiny_corpus import Raw, appended, exchange, flatten, raw_conversation, write_list

from locomo_patch.apply import AnyEdit, apply_edits, remove_edits
from locomo_patch.document import Document, Shape
from locomo_patch.edits import ObservationRow, SummarySentence
from locomo_patch.reader import LoadedCorpus, read_corpus, read_document
from twistcore.corpus import Conversation
from twistcore.errors import CorpusError


def write_flat(folder: Path, raws: Sequence[Raw], indent: int = 2) -> Path:
    folder.mkdir()
    for raw in raws:
        number = raw["sample_id"].partition("-")[2]
        (folder / f"{number}.json").write_bytes(json.dumps(flatten(raw), indent=indent).encode("ascii"))
    return folder


@pytest.fixture(scope="module")
def ten(real: LoadedCorpus, tmp_path_factory: pytest.TempPathFactory) -> LoadedCorpus:
    """The official file split into the ten flat files, read again."""
    folder = write_flat(tmp_path_factory.mktemp("zip") / "flat", real.document.objects)
    return read_corpus(folder, allow_unknown=True)


def as_written(conversation: Conversation) -> tuple[object, ...]:
    return conversation.speakers, conversation.sessions, conversation.dangling, conversation.questions


def test_the_ten_flat_files_are_the_same_corpus(real: LoadedCorpus, ten: LoadedCorpus) -> None:
    assert ten.document.shape is Shape.FLAT
    assert ten.document.sample_ids == real.document.sample_ids
    for listed, flat in zip(real.corpus.conversations, ten.corpus.conversations, strict=True):
        assert as_written(listed) == as_written(flat)


def test_a_no_op_writes_the_ten_flat_files_byte_for_byte(ten: LoadedCorpus) -> None:
    written = ten.document.copy().dump()
    assert len(written) == 10
    assert written == {path.name: path.read_bytes() for path in ten.path.iterdir()}
    assert ten.document.sha256() == ten.sha256


def test_files_are_ordered_by_number_and_not_by_name(tmp_path: Path) -> None:
    folder = write_flat(tmp_path / "flat", [raw_conversation(f"conv-{number}") for number in (10, 9, 100)])
    assert read_document(folder).sample_ids == ("conv-9", "conv-10", "conv-100")


def edits_for(sample_id: str) -> list[AnyEdit]:
    row = ObservationRow(speaker="Ann", fact="New.", turn=0)
    return [
        exchange(1, 2, sample_id=sample_id, observations=[row], summary=SummarySentence(text=" New.", at=4)),
        exchange(2, 5, size=4, sample_id=sample_id),
        appended(3, sample_id=sample_id),
    ]


def assert_same_edit(listed: Document, flat: Document, edits: list[AnyEdit]) -> None:
    from_list, list_ids = apply_edits(listed, edits)
    from_flat, flat_ids = apply_edits(flat, edits)
    assert [flatten(raw) for raw in from_list.objects] == list(from_flat.objects)
    assert list_ids == flat_ids
    assert remove_edits(from_flat, edits).dump() == flat.dump()


def test_edits_give_the_same_in_both_shapes(tmp_path: Path) -> None:
    raws = [raw_conversation("conv-1", references=[["D1:3; D2:5"]]), raw_conversation("conv-2")]
    listed = read_document(write_list(tmp_path / "list.json", *raws))
    flat = read_document(write_flat(tmp_path / "flat", raws))
    assert_same_edit(listed, flat, edits_for("conv-1") + edits_for("conv-2"))


def test_edits_give_the_same_in_both_shapes_of_the_real_file(real: LoadedCorpus, ten: LoadedCorpus) -> None:
    edits: list[AnyEdit] = []
    for conversation in real.corpus.conversations:
        plain = exchange(3, 4, sample_id=conversation.sample_id)
        speakers = [conversation.partner_of(conversation.session(3).turns[3].speaker), conversation.session(3).turns[3].speaker]
        turns = [turn.model_copy(update={"speaker": speaker}) for turn, speaker in zip(plain.turns, speakers, strict=True)]
        edits.append(plain.model_copy(update={"turns": turns, "summary": SummarySentence(text=" New.", at=0)}))
    assert_same_edit(real.document, ten.document, edits)


def test_files_that_no_edit_touches_come_back_in_their_own_layout(tmp_path: Path) -> None:
    folder = write_flat(tmp_path / "flat", [raw_conversation("conv-1"), raw_conversation("conv-2")], indent=4)
    document = read_document(folder)
    released, _ = apply_edits(document, edits_for("conv-2"))
    written = released.dump()
    assert written["1.json"] == (folder / "1.json").read_bytes()
    assert written["2.json"] != (folder / "2.json").read_bytes()
    assert written["2.json"] == json.dumps(released.objects[1], indent=4).encode()


def test_one_flat_file_is_a_corpus_of_one(tmp_path: Path) -> None:
    folder = write_flat(tmp_path / "flat", [raw_conversation("conv-7")])
    loaded = read_corpus(folder / "7.json", allow_unknown=True)
    assert (loaded.document.shape, loaded.document.sample_ids) == (Shape.FLAT, ("conv-7",))
    assert loaded.document.copy().dump() == {"7.json": (folder / "7.json").read_bytes()}


@pytest.mark.parametrize(
    ("name", "text", "message"),
    [
        ("notes.json", "{}", "no conversation number in its name"),
        ("8.json", "[]", r"8\.json: is no flat conversation file"),
        ("8.json", '{"session_1": []}', r"8\.json: is no flat conversation file"),
        ("8.json", '{"qa": {}}', r"8\.json: is no flat conversation file"),
        ("8.json", '{"qa": ', r"8\.json, line 1 column 8: is no JSON"),
        ("007.json", '{"qa": []}', "repeats the sample_id conv-7"),
    ],
)
def test_a_strange_file_among_the_flat_ones_is_refused_by_name(tmp_path: Path, name: str, text: str, message: str) -> None:
    folder = write_flat(tmp_path / "flat", [raw_conversation("conv-7")])
    (folder / name).write_text(text)
    with pytest.raises(CorpusError, match=message):
        read_corpus(folder, allow_unknown=True)


def test_a_folder_without_files_is_refused(tmp_path: Path) -> None:
    with pytest.raises(CorpusError, match=r"holds no JSON file; name locomo10\.json or the folder"):
        read_corpus(tmp_path)


def test_flat_files_are_of_no_known_version_and_say_so(tmp_path: Path) -> None:
    folder = write_flat(tmp_path / "flat", [raw_conversation("conv-1"), raw_conversation("conv-2")])
    with pytest.raises(CorpusError, match="is no known version"):
        read_corpus(folder)
    first = read_corpus(folder, allow_unknown=True)
    assert first.corpus.version == "unknown"
    (folder / "2.json").write_bytes((folder / "2.json").read_bytes() + b"\n")
    assert read_corpus(folder, allow_unknown=True).sha256 != first.sha256

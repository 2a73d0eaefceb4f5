"""Reads LoCoMo, in both public shapes, into raw documents and typed corpora; refuses what breaks the shape relied on."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime
from itertools import pairwise
from pathlib import Path
from typing import Any

from locomo_patch.dates import parse_date
from locomo_patch.document import Blocks, Document, Shape, SourceFile, blocks_of, detect_style
from locomo_patch.versions import KNOWN, UNKNOWN
from twistcore.corpus import Category, Conversation, Corpus, DanglingDate, Question, Session, Turn
from twistcore.errors import CorpusError
from twistcore.fingerprints import sha256_bytes

_SESSION_KEY = re.compile(r"session_(\d+)")
_DATE_KEY = re.compile(r"session_(\d+)_date_time")
_BLOCKS = ("qa", "conversation", "event_summary", "observation", "session_summary", "sample_id")
_BLOCK_TYPES: dict[str, type] = {"qa": list, "sample_id": str}


@dataclass(frozen=True)
class LoadedCorpus:
    """A corpus file as read: raw and typed, with the hash that names its version."""

    path: Path
    sha256: str
    document: Document
    corpus: Corpus


def read_corpus(path: Path, *, allow_unknown: bool = False) -> LoadedCorpus:
    """Read `locomo10.json`, or a folder of the ten flat files.

    A file whose hash is no known version is refused unless `allow_unknown`, and then tagged `unknown`. Raises CorpusError
    with the place of the first thing that is wrong.
    """
    document = read_document(path)
    digest = _digest(document)
    known = KNOWN.get(digest)
    if known is None and not allow_unknown:
        raise CorpusError(
            f"is no known version of LoCoMo (sha256 {digest[:12]}…)",
            file=path,
            remedy="check the download, or pass --allow-unknown to use it as it is, tagged unknown",
        )
    version = known.name if known else UNKNOWN
    return LoadedCorpus(path, digest, document, type_corpus(document, version, digest, path))


def read_document(path: Path) -> Document:
    """The raw objects of a corpus with their bytes; raises CorpusError for what is no LoCoMo file."""
    if path.is_dir():
        return _read_flat(path)
    data, value = _read_json(path)
    if isinstance(value, dict) and "qa" in value and "conversation" not in value:
        return _flat_document([(path, data, value)])
    if not isinstance(value, list):
        raise CorpusError("is neither the list file nor a flat conversation file of LoCoMo", file=path)
    if not value:
        raise CorpusError("holds no conversation", file=path)
    ids: list[str] = []
    for index, raw in enumerate(value):
        if not isinstance(raw, dict):
            raise CorpusError("is no object", file=path, place=f"conversation {index}")
        missing = [key for key in _BLOCKS if key not in raw]
        if missing:
            raise CorpusError(f"lacks {', '.join(missing)}", file=path, place=f"conversation {index}")
        wrong = [key for key in _BLOCKS if not isinstance(raw[key], _BLOCK_TYPES.get(key, dict))]
        if wrong:
            raise CorpusError(f"has {', '.join(wrong)} of the wrong type", file=path, place=f"conversation {index}")
        ids.append(raw["sample_id"])
    _refuse_repeats(ids, path)
    return Document(Shape.LIST, (SourceFile(path.name, data, detect_style(data, value)),), tuple(ids), tuple(value))


def _read_flat(folder: Path) -> Document:
    paths = sorted(folder.glob("*.json"), key=lambda path: (_number_in(path), path.name))
    if not paths:
        raise CorpusError("holds no JSON file", file=folder, remedy="name locomo10.json or the folder of the flat files")
    return _flat_document([(path, *_read_json(path)) for path in paths])


def _flat_document(read: list[tuple[Path, bytes, Any]]) -> Document:
    ids = []
    for path, _, value in read:
        if not isinstance(value, dict) or not isinstance(value.get("qa"), list):
            raise CorpusError("is no flat conversation file of LoCoMo", file=path)
        ids.append(f"conv-{_number_in(path)}")
    _refuse_repeats(ids, read[0][0].parent)
    files = tuple(SourceFile(path.name, data, detect_style(data, value)) for path, data, value in read)
    return Document(Shape.FLAT, files, tuple(ids), tuple(value for _, _, value in read))


def _number_in(path: Path) -> int:
    match = re.search(r"\d+", path.stem)
    if match is None:
        raise CorpusError(
            "has no conversation number in its name", file=path, remedy="name it as the earlier LoCoMo zip does, e.g. 26.json"
        )
    return int(match.group())


def _refuse_repeats(ids: list[str], path: Path) -> None:
    repeated = sorted({ident for ident in ids if ids.count(ident) > 1})
    if repeated:
        raise CorpusError(f"repeats the sample_id {', '.join(repeated)}", file=path)


def _read_json(path: Path) -> tuple[bytes, Any]:
    try:
        data = path.read_bytes()
    except OSError as error:
        raise CorpusError(f"cannot be read ({error.strerror})", file=path, remedy="point --corpus at locomo10.json") from error
    try:
        value = json.loads(data)
        if b"\\ud" in data.lower():
            json.dumps(value, ensure_ascii=False).encode("utf-8")
        return data, value
    except UnicodeEncodeError as error:
        raise CorpusError(
            "holds half of a surrogate pair, which no text can",
            file=path,
            place=f"near {error.object[max(0, error.start - 30) : error.start]!r}",
        ) from error
    except UnicodeDecodeError as error:
        raise CorpusError("is not UTF-8", file=path, place=f"byte {error.start}") from error
    except json.JSONDecodeError as error:
        raise CorpusError(
            f"is no JSON ({error.msg})", file=path, place=f"line {error.lineno} column {error.colno}", remedy="fetch the file again"
        ) from error
    except (ValueError, RecursionError) as error:
        raise CorpusError(f"is JSON that cannot be read ({error})", file=path, remedy="fetch the file again") from error


def _digest(document: Document) -> str:
    if len(document.files) == 1:
        return sha256_bytes(document.files[0].data)
    files = sorted(document.files, key=lambda file: file.name)
    return sha256_bytes("".join(f"{file.name} {sha256_bytes(file.data)}\n" for file in files).encode())


def type_corpus(document: Document, version: str, sha256: str, path: Path) -> Corpus:
    """Typed view of a document; asserts LOCOMO.md sections 3 and 4 and raises CorpusError where they do not hold."""
    conversations = []
    for raw, sample_id in zip(document.objects, document.sample_ids, strict=True):
        blocks = blocks_of(raw, sample_id, document.shape)
        conversations.append(type_conversation(blocks, path))
    return Corpus(version, sha256, tuple(conversations))


def type_conversation(blocks: Blocks, path: Path) -> Conversation:
    """Typed view of one conversation; raises CorpusError."""
    raw, sample_id = blocks.conversation, blocks.sample_id
    for key in ("speaker_a", "speaker_b"):
        if not isinstance(raw.get(key), str) or not raw[key]:
            raise CorpusError(f"lacks {key}", file=path, place=sample_id)
    speakers = (raw["speaker_a"], raw["speaker_b"])
    numbers = _numbers(raw, _SESSION_KEY)
    if not numbers:
        raise CorpusError("has no session", file=path, place=sample_id)
    if numbers != list(range(1, len(numbers) + 1)):
        raise CorpusError(f"session numbers have a gap: {numbers}", file=path, place=sample_id)
    sessions = tuple(_session(raw, sample_id, number, speakers, path) for number in numbers)
    dangling = tuple(
        DanglingDate(number, _date(raw, sample_id, number, path), raw[f"session_{number}_date_time"])
        for number in _numbers(raw, _DATE_KEY)
        if number > len(numbers)
    )
    _require_rising([*sessions, *dangling], sample_id, path)
    questions = tuple(_question(item, sample_id, index, path) for index, item in enumerate(blocks.qa))
    return Conversation(sample_id, *speakers, sessions, dangling, questions)


def _numbers(raw: dict[str, Any], pattern: re.Pattern[str]) -> list[int]:
    return sorted(int(match[1]) for key in raw if (match := pattern.fullmatch(key)))


def _session(raw: dict[str, Any], sample_id: str, number: int, speakers: tuple[str, str], path: Path) -> Session:
    place = f"{sample_id} session_{number}"
    listed = raw[f"session_{number}"]
    if not isinstance(listed, list) or not listed:
        raise CorpusError("has no turns", file=path, place=place)
    turns = tuple(_turns(listed, sample_id, number, speakers, path))
    return Session(number, _date(raw, sample_id, number, path), raw[f"session_{number}_date_time"], turns)


def _date(raw: dict[str, Any], sample_id: str, number: int, path: Path) -> datetime:
    place = f"{sample_id} session_{number}"
    text = raw.get(f"session_{number}_date_time")
    if not isinstance(text, str):
        raise CorpusError("has no date", file=path, place=place, remedy=f"add session_{number}_date_time")
    try:
        return parse_date(text)
    except ValueError as error:
        raise CorpusError(f"date cannot be parsed ({error})", file=path, place=place) from error


def _turns(listed: list[dict[str, Any]], sample_id: str, number: int, speakers: tuple[str, str], path: Path) -> Iterator[Turn]:
    seen: set[str] = set()
    previous = None
    for position, raw in enumerate(listed, start=1):
        place = f"{sample_id} session_{number} turn {position}"
        if not isinstance(raw, dict):
            raise CorpusError("is no object", file=path, place=place)
        missing = [key for key in ("speaker", "dia_id", "text") if not isinstance(raw.get(key), str)]
        if missing:
            raise CorpusError(f"lacks {', '.join(missing)}", file=path, place=place)
        wrong = [key for key in ("blip_caption", "query") if not isinstance(raw.get(key, ""), str)]
        if wrong:
            raise CorpusError(f"has {', '.join(wrong)} of the wrong type", file=path, place=place)
        if raw["dia_id"] in seen:
            raise CorpusError(f"repeats the id {raw['dia_id']}", file=path, place=place)
        seen.add(raw["dia_id"])
        turn = Turn(
            sample_id=sample_id,
            session=number,
            position=position,
            speaker=raw["speaker"],
            text=raw["text"],
            caption=raw.get("blip_caption"),
            query=raw.get("query"),
            has_image="img_url" in raw,
        )
        if raw["dia_id"] != turn.dia_id:
            raise CorpusError(f"has the id {raw['dia_id']}, {turn.dia_id} was expected", file=path, place=place)
        if turn.speaker not in speakers:
            raise CorpusError(f"is spoken by a third speaker, {turn.speaker}", file=path, place=place)
        if turn.speaker == previous:
            raise CorpusError(f"{turn.speaker} speaks twice running", file=path, place=place)
        previous = turn.speaker
        yield turn


def _require_rising(dated: list[Session | DanglingDate], sample_id: str, path: Path) -> None:
    for before, after in pairwise(dated):
        if after.date <= before.date:
            raise CorpusError(
                f"session_{after.number} ({after.date_text}) is not after session_{before.number} ({before.date_text})",
                file=path,
                place=sample_id,
            )


def _question(item: dict[str, Any], sample_id: str, index: int, path: Path) -> Question:
    place = f"{sample_id} qa {index}"
    if not isinstance(item, dict):
        raise CorpusError("is no object", file=path, place=place)
    try:
        category = Category.of_number(item["category"])
        evidence = item["evidence"]
        question = item["question"]
    except KeyError as error:
        raise CorpusError(f"lacks or has an unknown {error}", file=path, place=place) from error
    except TypeError as error:
        raise CorpusError(f"has a category of the wrong type ({item['category']!r})", file=path, place=place) from error
    if not isinstance(question, str) or not isinstance(evidence, list) or not all(isinstance(ref, str) for ref in evidence):
        raise CorpusError("has a question or evidence of the wrong type", file=path, place=place)
    return Question(sample_id, index, question, item.get("answer"), item.get("adversarial_answer"), tuple(evidence), category)

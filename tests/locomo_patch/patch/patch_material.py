"""Releases that quote their source wherever a release can: made from any document, with states or without."""

from __future__ import annotations

import html
import json
import re
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

from markupsafe import escape as markup

from locomo_patch.apply import AnyEdit, apply_edits
from locomo_patch.document import Blocks, Document
from locomo_patch.edits import InsertExchange, NewTurn, ObservationRow
from locomo_patch.patch.models import Patch
from locomo_patch.revalidation.identity import IdentifiedQuestion, identify_document
from locomo_patch.revalidation.states import REVALIDATOR, Kind, QuestionRevision, State, VersionedOut
from twistcore.corpus import Category
from twistcore.fingerprints import sha256_bytes
from twistcore.store import dump_json, dump_lines
from twistcore.verdicts import Outcome, Verdict

EVERY = 7
NO_PROSE = ("dia_id", "date", "evidence", "sample_id", "speaker", "speaker_a", "speaker_b", "category")


def write_release(
    folder: Path, document: Document, *, states: bool = True, cost: int = 0, edits: list[AnyEdit] | None = None
) -> Path:
    """Write a release of a document; every seventh question leaves the corpus."""
    edits = list(_edits(document)) if edits is None else edits
    released, id_map = apply_edits(document, edits)
    lines, out = _states(identify_document(document)) if states else ([], [])
    for sample_id in released.sample_ids:
        gone = {line.index for line in out if line.sample_id == sample_id}
        qa = released.blocks(sample_id).qa
        qa[:] = [item for index, item in enumerate(qa) if index not in gone]
    said = [turn["text"] for sample_id in document.sample_ids for turn in first_session(document.blocks(sample_id))]
    files = {f"corpus/{name}": data for name, data in released.dump().items()}
    files |= {"edits.jsonl": dump_lines(edits), "id_map.json": dump_json(id_map)}
    if states:
        files |= {"qa/revisions.jsonl": dump_lines(lines), "qa/versioned_out.jsonl": dump_lines(out)}
    files |= {
        "keys/track_a.jsonl": dump_lines({"id": f"k{number}", "quote": text} for number, text in enumerate(said[:9])),
        "rejects/track_a.jsonl": dump_lines([{"reason": f"the record has {text!r}"} for text in said[:9]]),
        "audits/surface.json": dump_json({"examples": said[9:30], "auc": 0.5}),
        "DATASHEET.md": f"# A release\n\nIt begins: {said[0]}\n\tand “so on”.\n".encode(),
        "report.html": _page(said).encode("ascii", "xmlcharrefreplace"),
    }
    manifest = {
        "corpus": "any",
        "source": {"sha256": document.sha256()},
        "files": {name: sha256_bytes(data) for name, data in files.items() if not name.startswith(("audits/", "report"))},
    }
    files |= {"manifest.json": dump_json(manifest), "cost.json": dump_json({"calls": cost})}
    for name, data in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(data)
    return folder


def first_session(blocks: Blocks) -> list[dict[str, Any]]:
    """The turns of a conversation's first session."""
    turns: list[dict[str, Any]] = blocks.conversation["session_1"]
    return turns


def _edits(document: Document) -> Iterator[AnyEdit]:
    for sample_id in document.sample_ids:
        one, two, three, *_ = first_session(document.blocks(sample_id))
        yield InsertExchange(
            id=f"e-{sample_id}",
            items=["k0"],
            sample_id=sample_id,
            session=1,
            after=2,
            seam="bridge",
            turns=[
                NewTurn(speaker=one["speaker"], text="I gave up my old canoe for a stand-up paddle board, “Zissou” 🛶!"),
                NewTurn(speaker=two["speaker"], text=f"Right you are. And you said: {three['text']}"),
            ],
            observations=[ObservationRow(speaker=one["speaker"], fact=f"{one['speaker']} has a paddle board.", turn=0)],
            verdicts=[Verdict(id="k0", verdict=Outcome.PASS, not_applicable=["plan"])],
        )


def _states(found: Iterable[IdentifiedQuestion]) -> tuple[list[QuestionRevision], list[VersionedOut]]:
    lines: list[QuestionRevision] = []
    out: list[VersionedOut] = []
    for number, question in enumerate(found):
        leaves = number % EVERY == 0
        sample_id, key, occurrence = question.identity.parts
        category = Category.of_number(question.item["category"])
        gold = question.item.get("answer" if category.answerable else "adversarial_answer")
        state = (State.REVISED if number % 2 else State.RETIRED) if leaves else State.VALID
        reason = f"count_changed: {gold!r} was right for “{question.item['question']}”" if leaves else "unrelated"
        new = f"{gold}, canoe" if state is State.REVISED else None
        kind, injected = (Kind.COUNT_CHANGED, ["D1:3"]) if leaves else (None, [])
        lines.append(
            QuestionRevision(
                sample_id=sample_id,
                question_key=key,
                occurrence=occurrence,
                category=category,
                state=state,
                kind=kind,
                reason=reason,
                injected=injected,
                already_broken=False,
                by=REVALIDATOR,
                date=None,
                old=gold,
                new=new,
            )
        )
        if leaves:
            out.append(
                VersionedOut(
                    sample_id=sample_id,
                    question_key=key,
                    occurrence=occurrence,
                    index=question.index,
                    item=question.item,
                    state=state,
                    kind=kind,
                    reason=reason,
                    injected=injected,
                    new=new,
                )
            )
    return lines, out


def _page(said: list[str]) -> str:
    turns = "".join(f'<div class="turn"><b>who</b>: {markup(" ".join(text.split()))}</div>\n' for text in said)
    return f"<!doctype html>\n<title>A release</title>\n<style>b::before {{ content: '“' }}</style>\n{turns}"


def files_of(folder: Path) -> dict[str, bytes]:
    """Every file of a directory but cost.json."""
    return {
        path.relative_to(folder).as_posix(): path.read_bytes()
        for path in folder.rglob("*")
        if path.is_file() and path.name != "cost.json"
    }


def given_away(patch: Patch, document: Document, size: int = 30) -> set[str]:
    """Runs of the source's prose in a patch. Written apart from the code that it tests: sets of strings and nothing else."""
    grams: set[str] = set()
    for text in _prose(list(document.objects)):
        words = " ".join(text.split())
        grams.update(words[at : at + size] for at in range(len(words) - size + 1))
    found: set[str] = set()
    for string in _prose(patch.model_dump(mode="json")):
        unescaped = re.sub(r'(?:\\u[0-9a-f]{4})+|\\["\\/bfnrt]', lambda match: str(json.loads(f'"{match[0]}"')), string)
        for reading in (string, unescaped, html.unescape(string)):
            words = " ".join(reading.split())
            found |= {words[at : at + size] for at in range(len(words) - size + 1)} & grams
    return found


def _prose(value: Any) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict):
        for key, inner in value.items():
            if key not in NO_PROSE and not key.endswith("_date_time"):
                yield from _prose(inner)
    elif isinstance(value, list | tuple):
        for inner in value:
            yield from _prose(inner)

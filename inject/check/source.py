"""Rule 1: the source is never touched. The edits taken out give it back, put in again the release; the id map is theirs."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import Any

from inject.check.broken import Broken, Rule
from inject.check.opened import Opened
from inject.release import canonical_sha256
from locomo_patch.apply import apply_edits, remove_edits
from locomo_patch.document import Document, Style
from locomo_patch.id_map import ID_MAP, ConversationIds
from locomo_patch.revalidation.versioning import put_back_questions, take_out_questions
from locomo_patch.versions import MOCK, OFFICIAL_SHA256
from twistcore.errors import ReleaseError
from twistcore.fingerprints import sha256_bytes
from twistcore.store import EDITS

# What plain code raises on a corpus that has lost a block, a key or a type; the shape check names such places one by one.
MALFORMED = (KeyError, TypeError, ValueError, AttributeError, IndexError)


def take_out(opened: Opened) -> tuple[Document | None, list[Broken]]:
    """The corpus without its edits and with the questions that left it, None where it does not hold them."""
    strange = sorted({edit.sample_id for edit in opened.edits} - set(opened.document.sample_ids))
    if strange:
        return None, [Broken(Rule.SOURCE, EDITS, name, "is a conversation that the corpus lacks") for name in strange]
    try:
        return put_back_questions(remove_edits(opened.document, opened.edits), opened.versioned_out), []
    except ReleaseError as error:
        return None, [Broken(Rule.SOURCE, opened.corpus_file, error.place or "", error.message)]
    except MALFORMED as error:
        return None, [Broken(Rule.SOURCE, opened.corpus_file, "", f"edits cannot be taken out ({type(error).__name__}: {error})")]


def check_source(opened: Opened, source: Document) -> list[Broken]:
    """The source's hash, the way back to the released bytes, and the id map."""
    return [*_source_hash(opened, source), *_layout(opened), *_applied_again(opened, source), *_bijection(opened, source)]


def _source_hash(opened: Opened, source: Document) -> Iterator[Broken]:
    manifest = opened.manifest
    if source.sha256() == manifest.source.sha256:
        return
    # A file that no layout reproduces (the public fork) is released in LoCoMo's own, so only its content can be compared.
    plain = all(file.style == Style() for file in opened.document.files)
    exact = manifest.source.version == MOCK or manifest.source.sha256 == OFFICIAL_SHA256
    if plain and not exact and canonical_sha256(source) == manifest.source.canonical_sha256:
        return
    wrong = f"with the edits taken out has sha256 {source.sha256()[:12]}…, the source has {manifest.source.sha256[:12]}…"
    yield Broken(Rule.SOURCE, opened.corpus_file, "", wrong)


def _layout(opened: Opened) -> Iterator[Broken]:
    for file in opened.document.files:
        untouched = opened.manifest.source.files.get(file.name) == sha256_bytes(file.data)
        if file.style is None and not untouched:
            yield Broken(Rule.SOURCE, f"corpus/{file.name}", "", "is laid out as no writer does it (white space or a repeated key)")


def _applied_again(opened: Opened, source: Document) -> Iterator[Broken]:
    try:
        released, id_map = apply_edits(source, opened.edits)
        released = take_out_questions(released, id_map, opened.versioned_out)
    except ReleaseError as error:
        yield Broken(Rule.SOURCE, EDITS, error.place or "", f"cannot be applied again: {error.message}")
        return
    except MALFORMED as error:
        yield Broken(Rule.SOURCE, EDITS, "", f"cannot be applied again ({type(error).__name__}: {error})")
        return
    dumped = released.dump()
    for file in opened.document.files:
        if dumped.get(file.name) != file.data:
            place = next(_differences(list(released.objects), list(opened.document.objects), ""), "")
            yield Broken(Rule.SOURCE, f"corpus/{file.name}", place, "is not what the edits give when they are applied again")
    yield from _compare_maps(opened.id_map, id_map)


def _differences(left: Any, right: Any, path: str) -> Iterator[str]:
    """Places at which two JSON values differ, the order of keys included."""
    if type(left) is not type(right):
        yield path
    elif isinstance(left, dict):
        if list(left) != list(right):
            yield path
        for key in left.keys() & right.keys():
            yield from _differences(left[key], right[key], f"{path}.{key}".lstrip("."))
    elif isinstance(left, list):
        if len(left) != len(right):
            yield path
        for index, (one, other) in enumerate(zip(left, right, strict=False)):
            yield from _differences(one, other, f"{path}[{index}]")
    elif left != right:
        yield path


def _compare_maps(published: dict[str, ConversationIds], implied: dict[str, ConversationIds]) -> Iterator[Broken]:
    for sample_id in published.keys() ^ implied.keys():
        wrong = "is a conversation that the corpus lacks" if sample_id in published else "is missing"
        yield Broken(Rule.SOURCE, ID_MAP, sample_id, wrong)
    for sample_id in sorted(published.keys() & implied.keys()):
        mine, theirs = published[sample_id], implied[sample_id]
        for old in sorted(mine.old_to_new.keys() | theirs.old_to_new.keys()):
            if mine.old_to_new.get(old) != theirs.old_to_new.get(old):
                wrong = f"goes to {mine.old_to_new.get(old)}, the edits move it to {theirs.old_to_new.get(old)}"
                yield Broken(Rule.SOURCE, ID_MAP, f"{sample_id} {old}", wrong)
        if mine.inserted != theirs.inserted:
            odd = sorted(set(mine.inserted) ^ set(theirs.inserted)) or ["their order"]
            yield Broken(Rule.SOURCE, ID_MAP, f"{sample_id} inserted", f"differs from what the edits insert: {', '.join(odd[:5])}")


def _bijection(opened: Opened, source: Document) -> Iterator[Broken]:
    """The map read against both corpora themselves: it goes through no code that made it."""
    for sample_id, ids in opened.id_map.items():
        if sample_id not in source.sample_ids:
            continue
        before, after = _turns_by_id(source, sample_id), _turns_by_id(opened.document, sample_id)
        images = [*ids.old_to_new.values(), *ids.inserted]
        for repeated in sorted(ident for ident, count in Counter(images).items() if count > 1):
            yield Broken(Rule.SOURCE, ID_MAP, f"{sample_id} {repeated}", "is given twice, so the map is no bijection")
        for name in sorted(set(images) ^ after.keys()):
            wrong = "is no turn of the released corpus" if name not in after else "is a released turn that the map does not reach"
            yield Broken(Rule.SOURCE, ID_MAP, f"{sample_id} {name}", wrong)
        for name in sorted(ids.old_to_new.keys() ^ before.keys()):
            wrong = "is no turn of the source" if name not in before else "is a source turn that the map leaves out"
            yield Broken(Rule.SOURCE, ID_MAP, f"{sample_id} {name}", wrong)
        for old, new in ids.old_to_new.items():
            if old in before and new in after and before[old] != after[new]:
                yield Broken(Rule.SOURCE, ID_MAP, f"{sample_id} {old}", f"goes to {new}, which is another turn")


def _turns_by_id(document: Document, sample_id: str) -> dict[str, list[tuple[str, Any]]]:
    turns: dict[str, list[tuple[str, Any]]] = {}
    for value in document.blocks(sample_id).conversation.values():
        if isinstance(value, list):
            for turn in value:
                if isinstance(turn, dict) and "dia_id" in turn:
                    turns[str(turn["dia_id"])] = [(key, inner) for key, inner in turn.items() if key != "dia_id"]
    return turns

"""A patch of a release gives the release back from the source, byte for byte, and gives none of the source away."""

from __future__ import annotations

import copy
import json
import time
from dataclasses import replace
from pathlib import Path

import pytest
from patch_material import EVERY, files_of, given_away, write_release

from locomo_patch.document import Document, Style
from locomo_patch.locate import mock_path
from locomo_patch.patch.files import dump_patch, read_release
from locomo_patch.patch.make import make_patch
from locomo_patch.patch.models import SCHEMA, Making, Patch, PatchError, PatchFile, PatchSource
from locomo_patch.patch.places import collect_places
from locomo_patch.patch.rebuild import fit_source, rebuild_release
from locomo_patch.reader import LoadedCorpus, read_document
from locomo_patch.versions import MOCK_SHA256
from twistcore.errors import ReleaseError

TOOL = "twist-corpus 0"


@pytest.fixture
def source() -> Document:
    return read_document(mock_path())


@pytest.fixture
def release(tmp_path: Path, source: Document) -> Path:
    return write_release(tmp_path / "release", source)


def made_of(folder: Path, source: Document | None = None) -> Patch:
    return make_patch(read_release(folder), source, TOOL)


def write_flat(folder: Path, document: Document) -> Path:
    """The same conversations as the earlier zip has them, with a final newline and without an indent."""
    folder.mkdir()
    for sample_id, raw in zip(document.sample_ids, document.objects, strict=True):
        inner = {**raw["conversation"], **raw["event_summary"], **raw["observation"], **raw["session_summary"]}
        name = f"{sample_id.removeprefix('mock-')}.json"
        (folder / name).write_bytes(Style(None, ascii_only=False, final_newline=True).dump({"qa": raw["qa"], **inner}))
    return folder


def change_json(path: Path, **changes: object) -> None:
    path.write_text(json.dumps({**json.loads(path.read_text()), **changes}))


def test_a_release_comes_back_byte_for_byte(release: Path, source: Document) -> None:
    patch = made_of(release)
    assert rebuild_release(patch, source) == files_of(release)
    assert (patch.schema_version, patch.source.sha256, patch.source.version) == (SCHEMA, MOCK_SHA256, "mock")


def test_a_release_without_states_comes_back(tmp_path: Path, source: Document) -> None:
    release = write_release(tmp_path / "release", source, states=False)
    patch = made_of(release)
    assert patch.left_corpus == []
    assert rebuild_release(patch, source) == files_of(release)


def test_a_release_without_edits_comes_back(tmp_path: Path, source: Document) -> None:
    release = write_release(tmp_path / "release", source, edits=[])
    assert rebuild_release(made_of(release), source) == files_of(release)


def test_a_release_of_the_flat_files_comes_back(tmp_path: Path, source: Document) -> None:
    flat = read_document(write_flat(tmp_path / "flat", source))
    release = write_release(tmp_path / "release", flat)
    patch = made_of(release)
    assert rebuild_release(patch, fit_source(patch, flat)) == files_of(release)
    assert [file.path for file in patch.files if file.made is Making.CORPUS] == ["corpus/1.json", "corpus/2.json"]
    assert not given_away(patch, flat)


@pytest.mark.parametrize("states", [True, False])
def test_no_run_of_thirty_characters_of_the_source_is_left(tmp_path: Path, source: Document, *, states: bool) -> None:
    patch = made_of(write_release(tmp_path / "release", source, states=states))
    assert not given_away(patch, source)


def test_the_corpus_and_the_id_map_are_not_stored(release: Path) -> None:
    files = {file.path: file for file in made_of(release).files}
    assert files["corpus/locomo_mock.json"].made is Making.CORPUS
    assert files["id_map.json"].made is Making.ID_MAP
    assert all(file.parts for file in files.values() if file.made is Making.PARTS)


def test_items_and_golds_are_named_by_identity_however_short(release: Path, source: Document) -> None:
    patch = made_of(release)
    files = {file.path: file for file in patch.files}
    own = "".join(
        part
        for name in ("qa/revisions.jsonl", "qa/versioned_out.jsonl")
        for part in files[name].parts or []
        if isinstance(part, str)
    )
    golds = [str(item.get("answer", "")) for sample_id in source.sample_ids for item in source.blocks(sample_id).qa]
    assert not [gold for gold in golds if len(gold) >= 4 and f'"{gold}' in own]
    assert len(patch.left_corpus) == -(-len(golds) // EVERY)
    assert not [place for place in patch.places if " " in place]


def test_our_own_text_and_verdicts_are_carried_along(release: Path) -> None:
    edits = next(file for file in made_of(release).files if file.path == "edits.jsonl")
    own = "".join(part for part in edits.parts or [] if isinstance(part, str))
    assert own.count("I gave up my old canoe for a stand-up paddle board") == 2
    assert own.count('"verdict": "pass"') == 2


def test_the_same_release_gives_the_same_bytes_whatever_it_cost(tmp_path: Path, source: Document) -> None:
    patches = [made_of(write_release(tmp_path / f"r{cost}", source, cost=cost)) for cost in (0, 5)]
    patches.append(made_of(tmp_path / "r0", source))
    for zipped in (False, True):
        assert len({dump_patch(patch, zipped=zipped) for patch in patches}) == 1


def test_a_map_that_is_not_the_usual_one_is_stored_as_it_is(release: Path, source: Document) -> None:
    change_json(release / "manifest.json", files={})
    (release / "id_map.json").write_bytes(b" " + (release / "id_map.json").read_bytes())
    patch = made_of(release)
    assert {file.path: file.made for file in patch.files}["id_map.json"] is Making.PARTS
    assert rebuild_release(patch, source) == files_of(release)


def test_a_source_of_any_file_name_fits_the_list_shape(release: Path, source: Document) -> None:
    patch = made_of(release)
    renamed = replace(source, files=(replace(source.files[0], name="mine.json"),))
    assert rebuild_release(patch, fit_source(patch, renamed)) == files_of(release)


def test_another_corpus_is_refused_with_both_hashes(release: Path, source: Document) -> None:
    patch = made_of(release)
    other = replace(source, files=(replace(source.files[0], data=source.files[0].data + b"\n"),))
    with pytest.raises(PatchError, match=f"sha256 [0-9a-f]{{12}}….* made from {MOCK_SHA256[:12]}…"):
        fit_source(patch, other)


def test_a_corpus_of_another_shape_or_with_other_files_is_refused(tmp_path: Path, release: Path, source: Document) -> None:
    flat = read_document(write_flat(tmp_path / "flat", source))
    with pytest.raises(PatchError, match="flat shape"):
        fit_source(made_of(release), flat)
    patch = made_of(write_release(tmp_path / "r", flat))
    (tmp_path / "flat" / "1.json").rename(tmp_path / "flat" / "3.json")
    with pytest.raises(PatchError, match=r"1\.json.*of no file"):
        fit_source(patch, read_document(tmp_path / "flat"))
    (tmp_path / "flat" / "1.json").write_bytes((tmp_path / "flat" / "3.json").read_bytes())
    with pytest.raises(PatchError, match=r"3\.json.*made from of no file"):
        fit_source(patch, read_document(tmp_path / "flat"))


def test_the_file_whose_hash_differs_is_named(release: Path, source: Document) -> None:
    patch = made_of(release)
    for number, file in enumerate(patch.files):
        files = list(patch.files)
        files[number] = file.model_copy(update={"sha256": "0" * 64})
        with pytest.raises(PatchError, match="the patch says 000000000000") as error:
            rebuild_release(patch.model_copy(update={"files": files}), source)
        assert error.value.place == file.path


def test_a_wrong_hash_of_the_whole_is_named(release: Path, source: Document) -> None:
    patch = made_of(release)
    with pytest.raises(PatchError, match="the release comes out with"):
        rebuild_release(patch.model_copy(update={"result": patch.result.model_copy(update={"sha256": "0" * 64})}), source)


def test_edits_that_fit_nothing_are_an_error_of_the_patch(release: Path, source: Document) -> None:
    patch = made_of(release)

    def with_edits(text: str) -> Patch:
        files = [file.model_copy(update={"parts": [text]}) if file.path == "edits.jsonl" else file for file in patch.files]
        return patch.model_copy(update={"files": files})

    line = json.loads((release / "edits.jsonl").read_text().splitlines()[0])
    for text in ("{}", "nonsense", json.dumps({**line, "after": 900}), json.dumps({**line, "sample_id": "conv-9"}), "\udfff"):
        with pytest.raises(PatchError) as error:
            rebuild_release(with_edits(text), source)
        assert error.value.place == "edits.jsonl"


def test_a_release_that_is_not_its_source_and_edits_is_refused(release: Path, source: Document) -> None:
    change_json(release / "manifest.json", files={})
    path = release / "corpus" / "locomo_mock.json"
    path.write_bytes(path.read_bytes().replace(b"Ingrid has", b"Ingrid had", 1).replace(b"printing press", b"printing plate", 1))
    with pytest.raises(ReleaseError, match="source"):
        made_of(release)
    with pytest.raises(ReleaseError, match="is not the source with the release's edits"):
        made_of(release, source)


def test_a_file_that_the_manifest_contradicts_is_refused(release: Path) -> None:
    (release / "keys" / "track_a.jsonl").write_text("{}\n")
    with pytest.raises(ReleaseError, match="is not the file whose hash the manifest holds"):
        made_of(release)
    (release / "keys" / "track_a.jsonl").unlink()
    with pytest.raises(ReleaseError, match="is missing"):
        made_of(release)


def test_another_source_than_the_manifest_names_is_refused(release: Path, source: Document) -> None:
    objects = copy.deepcopy(source.objects)
    objects[0]["qa"][0]["answer"] = "never"
    other = replace(source, objects=objects)
    with pytest.raises(ReleaseError, match="was made from the corpus"):
        made_of(release, other)


def test_a_file_that_is_no_text_is_refused(release: Path) -> None:
    (release / "audits" / "plot.png").write_bytes(b"\x89PNG\xff")
    with pytest.raises(ReleaseError, match="UTF-8"):
        made_of(release)


def test_source_text_that_no_reference_can_stand_for_stops_the_patch(release: Path, source: Document) -> None:
    said = source.blocks("mock-1").conversation["session_1"][0]["text"]
    (release / "audits" / "odd.json").write_text(json.dumps(" \n ".join(said.split())).replace("\\n", "\\u000a"))
    with pytest.raises(PatchError, match="would give source text away") as error:
        made_of(release)
    assert error.value.file == "audits/odd.json"


@pytest.mark.parametrize("path", ["../a", "/a", "a/../b", "a\\b", "C:a", "", ".", "a//b", "./a", "a/", "a\nb"])
def test_a_patch_cannot_name_a_file_outside_the_release(path: str) -> None:
    with pytest.raises(ValueError, match="file name"):
        PatchFile(path=path, sha256="0" * 64, made=Making.ID_MAP)


def test_places_tell_apart_what_a_slash_in_a_name_would_mix_up(source: Document) -> None:
    raw = copy.deepcopy(source.objects[0])
    raw["event_summary"]["events_session_1"] = {"a/b": ["one"], "a": {"b": ["two"]}}
    places = collect_places(replace(source, objects=(raw, source.objects[1])))
    assert places.texts["mock-1/events_session_1/a~1b/0"] == "one"
    assert places.texts["mock-1/events_session_1/a/b/0"] == "two"


def test_what_is_stored_refuses_unknown_fields() -> None:
    with pytest.raises(ValueError, match="extra"):
        PatchSource.model_validate({"version": "v", "shape": "list", "sha256": "0" * 64, "files": {"a": "0" * 64}, "more": 1})


@pytest.mark.real
@pytest.mark.slow
def test_a_release_of_the_real_corpus_comes_back_and_gives_nothing_away(tmp_path: Path, real: LoadedCorpus) -> None:
    release = write_release(tmp_path / "release", real.document)
    began = time.process_time()
    patch = made_of(release)
    assert rebuild_release(patch, real.document) == files_of(release)
    assert time.process_time() - began < 60
    assert patch.source.version == "official"
    assert not given_away(patch, real.document)


@pytest.mark.real
def test_a_source_without_a_layout_must_be_named(tmp_path: Path, shared: Path) -> None:
    fork = read_document(shared / "data" / "locomo10_fork.json")
    release = write_release(tmp_path / "release", fork)
    with pytest.raises(ReleaseError, match="--corpus"):
        made_of(release)
    assert rebuild_release(made_of(release, fork), fork) == files_of(release)

"""The release as bytes: hashes, counts, order, and the way back to the source (DESIGN.md rules 1, 2, 8; PRECEDENTS.md 19, 58, 59)."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path

import pytest
from mock_runs import Made, made_release, room, silent
from pydantic import ValidationError

from arcs.keys import KEYS_A
from inject.config import InjectConfig
from inject.manifest import UNHASHED, Manifest, read_manifest
from inject.pipeline import make_config, run_injection
from inject.release import canonical_sha256, count_release, describe_source
from inject.view import open_release
from locomo_patch.apply import apply_edits, remove_edits
from locomo_patch.document import Style
from locomo_patch.edits import AppendSession, InsertExchange
from locomo_patch.locate import mock_path
from locomo_patch.reader import LoadedCorpus, read_corpus, read_document
from locomo_patch.versions import LICENCE, OFFICIAL_COMMIT, OFFICIAL_SHA256
from twistcore.fingerprints import sha256_bytes
from twistcore.text.parses import Parser


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory, parser: Parser) -> Made:
    return made_release(tmp_path_factory, parser)


@pytest.fixture(scope="module")
def manifest(made: Made) -> Manifest:
    return read_manifest(made.folder)


def test_the_manifest_hashes_every_other_file(made: Made, manifest: Manifest) -> None:
    hashed = {name: sha256_bytes(data) for name, data in made.files.items() if name not in UNHASHED}
    assert manifest.files == hashed
    assert manifest.released_sha256 == hashed["corpus/locomo_mock.json"]


def test_taking_the_edits_out_gives_the_source_of_the_manifest(made: Made, manifest: Manifest) -> None:
    released = read_document(made.folder / "corpus" / "locomo_mock.json")
    back = remove_edits(released, made.opened.edits)
    assert back.sha256() == manifest.source.sha256 == sha256_bytes(mock_path().read_bytes())
    assert back.dump() == {"locomo_mock.json": mock_path().read_bytes()}


def test_putting_the_edits_in_gives_the_released_corpus(made: Made) -> None:
    released, id_map = apply_edits(made.source.document, made.opened.edits)
    assert released.dump() == {"locomo_mock.json": made.files["corpus/locomo_mock.json"]}
    assert id_map == made.opened.id_map


def test_counts_are_what_is_in_the_files(made: Made, manifest: Manifest) -> None:
    counts = manifest.counts
    keys = made.opened.keys
    assert (counts.arcs, counts.hard_negatives) == (
        sum(key.family.is_arc for key in keys),
        sum(not key.family.is_arc for key in keys),
    )
    assert counts.by_family == Counter(key.family.value for key in keys)
    assert counts.by_conversation == {sample: {"arcs": 2, "hard_negatives": 2} for sample in ("mock-1", "mock-2")}
    edits = made.opened.edits
    assert counts.appended_sessions == sum(isinstance(edit, AppendSession) for edit in edits)
    assert counts.exchanges == sum(len(key.turns) for key in keys) == sum(counts.exchanges_by_seam.values())
    assert (
        counts.inserted_turns
        == sum(len(edit.turns) for edit in edits)
        == sum(len(ids.inserted) for ids in made.opened.id_map.values())
    )
    assert counts.released_turns == sum(1 for _ in made.opened.corpus.turns()) == manifest.source.turns + counts.inserted_turns
    assert counts.rejects == len(made.files["rejects/track_a.jsonl"].splitlines())
    assert counts.reused_lines == 0
    assert counts.exchanges_by_seam["open"] == sum(isinstance(edit, InsertExchange) for edit in edits)
    released, _ = apply_edits(made.source.document, edits)
    assert count_release(edits, keys, counts.rejects, released, counts.frames) == counts


def test_lines_do_not_tell_arcs_from_controls_by_their_order(made: Made) -> None:
    lines = [json.loads(line) for line in made.files[KEYS_A].splitlines()]
    assert [(line["sample_id"], line["id"]) for line in lines] == sorted((line["sample_id"], line["id"]) for line in lines)
    assert all(not set(line["id"]) - set("0123456789abcdef") for line in lines)


def test_every_file_is_ascii_with_a_final_newline_but_the_corpus(made: Made) -> None:
    for name, data in made.files.items():
        if data:
            assert data.isascii(), name
            assert data.endswith(b"\n") != name.startswith("corpus/"), name
    assert b"\r" not in b"".join(made.files.values())


def test_rejects_come_with_their_verdicts_and_proposals(made: Made) -> None:
    for line in made.files["rejects/track_a.jsonl"].splitlines():
        reject = json.loads(line)
        assert reject["attempts"] and len(reject["attempts"]) <= 3
        assert reject["reason"] in ("three attempts failed", "its partner was rejected")
        assert reject["proposal"]["id"] == reject["id"]
        assert reject["id"] not in {key.id for key in made.opened.keys}


def test_provenance_names_writer_seed_attempt_and_every_gate(made: Made, manifest: Manifest) -> None:
    for key in made.opened.keys:
        assert (key.provenance.writer, key.provenance.model, key.provenance.seed) == ("offline", None, 7)
        assert 1 <= key.provenance.attempt <= 3
        assert key.provenance.gates == manifest.config.gates
        assert len(key.provenance.gates) == 21


def test_the_source_is_pinned_by_hash_and_commit(real: LoadedCorpus, made: Made, manifest: Manifest) -> None:
    source = describe_source(real)
    assert (source.version, source.sha256, source.canonical_sha256 == canonical_sha256(real.document)) == (
        "official",
        OFFICIAL_SHA256,
        True,
    )
    assert OFFICIAL_COMMIT in source.origin
    assert (source.conversations, source.turns, source.questions) == (10, 5882, 1986)
    assert "CC BY-NC 4.0" in LICENCE
    assert manifest.source == describe_source(made.source)


def test_content_has_one_hash_whatever_its_layout(mock: LoadedCorpus, tmp_path_factory: pytest.TempPathFactory) -> None:
    other = tmp_path_factory.mktemp("layout") / "other.json"
    other.write_bytes(Style(4, True, True).dump(list(mock.document.objects)))
    document = read_document(other)
    assert document.sha256() != mock.document.sha256()
    assert canonical_sha256(document) == canonical_sha256(mock.document)
    document.objects[0]["qa"][0]["question"] += "?"
    assert canonical_sha256(document) != canonical_sha256(mock.document)


def test_the_cost_file_stands_apart(made: Made, manifest: Manifest) -> None:
    cost = json.loads((made.folder / "cost.json").read_bytes())
    assert cost == {"calls": 0, "prompt_tokens": 0, "completion_tokens": 0, "cost": 0.0, "cache_hits": 0, "rows": []}
    assert "cost.json" not in manifest.files


def test_unknown_fields_are_refused(manifest: Manifest) -> None:
    with pytest.raises(ValidationError, match="Extra inputs"):
        Manifest.model_validate({**manifest.model_dump(), "note": "x"})
    with pytest.raises(ValidationError, match="Extra inputs"):
        InjectConfig.model_validate({**manifest.config.model_dump(), "temperature": 1})


def test_the_fingerprint_of_the_configuration_is_in_the_manifest(manifest: Manifest) -> None:
    assert manifest.config_sha256 == manifest.config.fingerprint
    assert manifest.config.model_copy(update={"seed": 8}).fingerprint != manifest.config_sha256


def test_the_datasheet_tells_the_counts(made: Made, manifest: Manifest) -> None:
    text = made.files["DATASHEET.md"].decode()
    for value in (manifest.counts.arcs, manifest.counts.released_turns, manifest.counts.inserted_turns):
        assert str(value) in text


@pytest.mark.slow
def test_the_real_file_and_its_fork_come_back_from_a_release_byte_for_byte(
    real: LoadedCorpus, tmp_path: Path, parser: Parser
) -> None:
    fork = read_corpus(real.path.with_name("locomo10_fork.json"))
    for loaded in (real, fork):
        out = tmp_path / loaded.corpus.version
        run_injection(loaded, make_config(loaded, 7, 1, ["conv-26"]), out, parser, silent)
        opened = open_release(out)
        late = [edit for edit in opened.edits if isinstance(edit, AppendSession)]
        held = {entry.number: entry.date_text for entry in loaded.corpus.conversation("conv-26").dangling}
        assert late and all(edit.dangling and edit.date_text == held[edit.session] for edit in late)
        back = remove_edits(read_document(out / "corpus" / loaded.path.name), opened.edits)
        assert list(back.objects) == list(loaded.document.objects)
        assert canonical_sha256(back) == opened.manifest.source.canonical_sha256
        if loaded is real:
            assert back.sha256() == opened.manifest.source.sha256 == OFFICIAL_SHA256


def test_the_flat_shape_is_released_in_the_flat_shape(mock: LoadedCorpus, tmp_path: Path, parser: Parser) -> None:
    folder = tmp_path / "flat"
    folder.mkdir()
    for number, raw in enumerate(mock.document.objects, start=1):
        flat = {"qa": raw["qa"], **raw["conversation"], **raw["event_summary"], **raw["observation"], **raw["session_summary"]}
        (folder / f"{number}.json").write_bytes(Style().dump(flat))
    loaded = read_corpus(folder, allow_unknown=True)
    with room():
        outcome = run_injection(loaded, make_config(loaded, 7, 1, None), tmp_path / "release", parser, silent)
    assert outcome.arcs == 2
    opened = open_release(tmp_path / "release")
    assert {path.name for path in (tmp_path / "release" / "corpus").iterdir()} == {"1.json", "2.json"}
    assert (opened.manifest.corpus, opened.manifest.source.shape) == ("unknown", "flat")
    back = remove_edits(read_document(tmp_path / "release" / "corpus"), opened.edits)
    assert back.dump() == {path.name: path.read_bytes() for path in folder.iterdir()}

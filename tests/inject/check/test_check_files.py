"""Files of a release: `inject.check.files`."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from release_copy import Copy

from inject.check import Rule, check_release
from inject.pipeline import make_config, run_injection
from locomo_patch.reader import LoadedCorpus
from twistcore.errors import ReleaseError
from twistcore.text.parses import Parser


def test_a_whole_release_proves_itself(made: Path, parser: Parser) -> None:
    assert check_release(made, parser) == []


def test_a_release_from_the_pipeline_proves_itself(mock: LoadedCorpus, parser: Parser, tmp_path: Path) -> None:
    out = tmp_path / "mock"
    run_injection(mock, make_config(mock, 7, 2, None), out, parser, lambda _name, _done, _all: None)
    assert check_release(out, parser) == []


@pytest.mark.slow
@pytest.mark.real
def test_a_release_of_two_real_conversations_proves_itself(real: LoadedCorpus, parser: Parser, tmp_path: Path) -> None:
    out = tmp_path / "real"
    run_injection(real, make_config(real, 7, 2, ["conv-26", "conv-42"]), out, parser, lambda _name, _done, _all: None)
    assert check_release(out, parser) == []


def test_a_directory_without_a_manifest_is_refused(tmp_path: Path, parser: Parser) -> None:
    with pytest.raises(ReleaseError, match=r"manifest\.json"):
        check_release(tmp_path, parser)


def test_audits_a_report_and_another_cost_change_nothing(release: Copy) -> None:
    release.put("audits/detectability.json", b"{}\n")
    release.put("report.html", b"<p>report</p>\n")
    cost = json.loads((release.folder / "cost.json").read_text())
    row = {"sample_id": "", "agent": "judge", "item": "", "model": "m", **cost, "calls": 3}
    release.put("cost.json", json.dumps({**cost, "calls": 3, "rows": [{k: v for k, v in row.items() if k != "rows"}]}).encode())
    assert release.broken() == []


def test_an_account_that_does_not_add_up_is_found(release: Copy) -> None:
    cost = json.loads((release.folder / "cost.json").read_text())
    release.put("cost.json", json.dumps({**cost, "calls": 3}).encode())
    release.assert_names(Rule.SCHEMA, "calls is not the sum of the rows", where="cost.json")


def test_a_changed_byte_is_found_by_its_hash(release: Copy) -> None:
    data = (release.folder / "DATASHEET.md").read_bytes()
    release.put("DATASHEET.md", data + b"\n", rehash=False)
    release.assert_names(Rule.MANIFEST, "is not the file whose hash the manifest holds", where="DATASHEET.md")


def test_a_missing_file_is_named(release: Copy) -> None:
    (release.folder / "rejects" / "track_a.jsonl").unlink()
    release.assert_names(Rule.MANIFEST, "is missing", where="rejects/track_a.jsonl")


def test_a_missing_cost_file_is_named(release: Copy) -> None:
    (release.folder / "cost.json").unlink()
    release.assert_names(Rule.MANIFEST, "is missing", where="cost.json")


@pytest.mark.parametrize("name", ["notes.txt", "corpus/extra.json", "audits/run.log", "keys/.track_a.jsonl.tmp"])
def test_a_file_that_no_release_has_is_named(release: Copy, name: str) -> None:
    release.put(name, b"{}\n")
    release.assert_names(Rule.MANIFEST, "is no file of a release", where=name)


def test_a_file_that_the_manifest_adds_is_named(release: Copy) -> None:
    release.change_manifest(lambda manifest: manifest["files"].update({"../outside.txt": "0" * 64}))
    release.assert_names(Rule.MANIFEST, "names a file outside the release")


@pytest.mark.parametrize(
    ("name", "line"),
    [("keys/track_a.jsonl", 2), ("edits.jsonl", 1)],
)
def test_broken_json_is_named_by_its_line(release: Copy, name: str, line: int) -> None:
    lines = (release.folder / name).read_text().splitlines()
    lines[line - 1] = lines[line - 1][:-5]
    release.put(name, ("\n".join(lines) + "\n").encode())
    release.assert_names(Rule.SCHEMA, "is no JSON", where=f"{name}, line {line} column")


def test_a_truncated_file_is_named(release: Copy) -> None:
    release.put("keys/track_a.jsonl", (release.folder / "keys/track_a.jsonl").read_bytes()[:-1])
    release.assert_names(Rule.SCHEMA, "was cut off", where="keys/track_a.jsonl")


def test_a_repeated_key_of_an_object_is_named(release: Copy) -> None:
    data = (release.folder / "id_map.json").read_text()
    name = next(iter(json.loads(data)))
    release.put("id_map.json", data.replace("{", '{"' + name + '": {"old_to_new": {}, "inserted": []},', 1).encode())
    release.assert_names(Rule.SCHEMA, "repeats the key", where="id_map.json")


@pytest.mark.parametrize("name", ["keys/track_a.jsonl", "edits.jsonl"])
def test_an_unknown_field_of_a_row_is_named(release: Copy, name: str) -> None:
    release.change_rows(name, lambda rows: rows[0].update({"label": "arc"}))
    release.assert_names(Rule.SCHEMA, "not permitted", where=f"{name}, line 1 field label")


def test_an_unknown_field_of_the_manifest_is_named(release: Copy) -> None:
    release.change_manifest(lambda manifest: manifest.update({"made_at": "2030-01-01"}))
    release.assert_names(Rule.SCHEMA, "not permitted", where="manifest.json, field made_at")


def test_an_unknown_field_of_the_id_map_is_named(release: Copy) -> None:
    release.change_id_map(lambda value: next(iter(value.values())).update({"note": ""}))
    release.assert_names(Rule.SCHEMA, "not permitted", where="id_map.json")


def test_an_unknown_field_of_the_cost_is_named(release: Copy) -> None:
    release.put("cost.json", b'{"calls": 0, "prompt_tokens": 0, "completion_tokens": 0, "cost": 0, "cache_hits": 0, "by": "me"}\n')
    release.assert_names(Rule.SCHEMA, "not permitted", where="cost.json")


def test_a_label_that_does_not_follow_the_family_is_named(release: Copy) -> None:
    def flip(rows: list[dict[str, object]]) -> None:
        rows[0]["gold"] = "no_tension" if rows[0]["gold"] == "tension" else "tension"

    release.change_keys(flip)
    release.assert_names(Rule.SCHEMA, "gold and transition", where="keys/track_a.jsonl, line 1")


def test_another_schema_version_is_named(release: Copy) -> None:
    release.change_rows("edits.jsonl", lambda rows: rows[0].update(schema_version="twist-edit/0"))
    release.assert_names(Rule.SCHEMA, "is twist-edit/0, not twist-edit/1", where="edits.jsonl, line 1")

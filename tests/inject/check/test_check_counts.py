"""Rule 13 and the manifest's figures: `inject.check.safety` and `inject.check.counts`."""

from __future__ import annotations

from typing import Any

import pytest
from release_copy import Copy

from inject.check import Rule

Rows = list[dict[str, Any]]


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("Call me at 415-555-2671.", "phone number"),
        ("Call me at 202-555-0143.", "phone number"),
        ("Write to jo.miller@gmail.com.", "email"),
        ("I live at 12 Maple Street.", "street address"),
    ],
)
def test_personal_data_in_small_talk_is_named(release: Copy, text: str, kind: str) -> None:
    """Even from a reserved range: Track A plants none."""

    def change(rows: Rows) -> None:
        next(row for row in rows if row["kind"] == "append_session")["turns"][2]["text"] += f" {text}"

    release.change_edits(change)
    release.assert_names(Rule.SAFETY, f"holds a {kind}", where="edits.jsonl")


def test_personal_data_in_an_observation_is_named(release: Copy) -> None:
    def change(rows: Rows) -> None:
        next(row for row in rows if row["observations"])["observations"][0]["fact"] += " The number is 415-555-2671."

    release.change_edits(change)
    release.assert_names(Rule.SAFETY, "an observation holds a phone number")


def test_crisis_material_is_named(release: Copy) -> None:
    release.put("crisis/keys.jsonl", b"")
    release.assert_names(Rule.SAFETY, "is crisis material")


def test_a_release_that_claims_more_than_pii_is_named(release: Copy) -> None:
    release.change_manifest(lambda manifest: manifest.update(safety="with crisis plants"))
    release.assert_names(Rule.SAFETY, "says 'with crisis plants'", where="manifest.json")


@pytest.mark.parametrize(
    "name",
    [
        "arcs",
        "hard_negatives",
        "frames",
        "exchanges",
        "appended_sessions",
        "inserted_turns",
        "released_turns",
        "rejects",
        "reused_lines",
    ],
)
def test_a_wrong_count_is_named(release: Copy, name: str) -> None:
    release.change_manifest(lambda manifest: manifest["counts"].update({name: manifest["counts"][name] + 1}))
    release.assert_names(Rule.MANIFEST, "the release holds", where=f"counts.{name}")


@pytest.mark.parametrize("name", ["by_family", "by_conversation", "exchanges_by_seam"])
def test_a_wrong_table_of_counts_is_named(release: Copy, name: str) -> None:
    release.change_manifest(lambda manifest: manifest["counts"].update({name: {}}))
    release.assert_names(Rule.MANIFEST, "the release holds", where=f"counts.{name}")


@pytest.mark.parametrize("name", ["conversations", "turns", "questions"])
def test_a_wrong_figure_of_the_source_is_named(release: Copy, name: str) -> None:
    release.change_manifest(lambda manifest: manifest["source"].update({name: 1}))
    release.assert_names(Rule.MANIFEST, "is 1, the source has", where=f"source.{name}")


def test_a_shortfall_that_is_not_owned_to_is_named(release: Copy) -> None:
    release.change_manifest(lambda manifest: manifest.update(shortfall={}))
    release.assert_names(Rule.MANIFEST, "says 0 are missing", where="shortfall.mock-1")


def test_a_corpus_under_another_name_is_named(release: Copy) -> None:
    release.change_manifest(lambda manifest: manifest.update(corpus="official"))
    release.assert_names(Rule.MANIFEST, "is official, the source is mock", where="manifest.json, corpus")
    release.change_manifest(lambda manifest: manifest["source"].update(version="official"))
    release.assert_names(Rule.MANIFEST, "is official, the hash is that of mock", where="source.version")


def test_a_source_hash_that_is_not_the_sources_is_found(release: Copy) -> None:
    release.change_manifest(lambda manifest: manifest["source"].update(sha256="0" * 64))
    release.assert_names(Rule.SOURCE, "the source has 000000000000")
    release.assert_names(Rule.MANIFEST, "the hash is that of no known version", where="source.version")


@pytest.mark.parametrize("name", ["canonical_sha256", "sha256"])
def test_hashes_of_the_source_agree(release: Copy, name: str) -> None:
    release.change_manifest(lambda manifest: manifest["source"].update({name: "0" * 64}))
    release.assert_names(Rule.MANIFEST, "is not the", where="manifest.json")


def test_a_configuration_that_is_not_the_hashed_one_is_named(release: Copy) -> None:
    release.change_manifest(lambda manifest: manifest["config"].update(seed=99))
    release.assert_names(Rule.MANIFEST, "is not the hash of the configuration", where="config_sha256")


def test_another_released_hash_is_named(release: Copy) -> None:
    release.change_manifest(lambda manifest: manifest.update(released_sha256="0" * 64))
    release.assert_names(Rule.MANIFEST, "is not the hash of corpus/", where="released_sha256")


def test_a_datasheet_that_says_something_else_is_named(release: Copy) -> None:
    text = (release.folder / "DATASHEET.md").read_text()
    release.put("DATASHEET.md", text.replace("corpus: mock", "corpus: official").encode())
    release.assert_names(Rule.MANIFEST, "does not say 'corpus: mock'", where="DATASHEET.md")


def test_another_licence_is_named(release: Copy) -> None:
    release.change_manifest(lambda manifest: manifest.update(licence="all rights reserved"))
    release.assert_names(Rule.MANIFEST, "is 'all rights reserved'", where="licence")

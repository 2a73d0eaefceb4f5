"""Commands that do what they say: exit codes, what is printed, and what is left on disk (SCHEMAS.md, "Exit codes")."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from cli_runs import Command, files_in, in_process, in_subprocess, lines_of
from test_bad_input import GOOD

from locomo_patch import locate
from locomo_patch.locate import mock_path


@pytest.fixture
def twist(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, cache: Path) -> Command:
    monkeypatch.setenv("TWIST_CACHE", str(cache))
    monkeypatch.delenv("TWIST_DEBUG", raising=False)
    monkeypatch.setenv("COLUMNS", "200")
    return in_process(capsys)


def test_inject_prints_the_corpus_the_counts_and_the_shortfall(twist: Command, tmp_path: Path) -> None:
    out = tmp_path / "release"
    done = twist("inject", "--corpus", mock_path(), "--out", out, "--arcs", "25", "--conversations", "mock-2")
    assert done.code == 1, "an asked-for count that is not met"
    first, *others = done.out.splitlines()
    assert "corpus: mock" in first and "of 25 asked for (written)" in first
    assert any("mock-2: " in line and "short: " in line for line in others)
    manifest = json.loads((out / "manifest.json").read_text())
    assert sum(manifest["shortfall"]["mock-2"].values()) == 25 - manifest["counts"]["arcs"]
    again = twist("inject", "--corpus", mock_path(), "--out", out, "--arcs", "25", "--conversations", "mock-2")
    assert again.code == 1
    assert "(unchanged)" in again.out
    assert again.out.splitlines()[1:] == others


def test_a_default_count_that_is_not_met_is_no_failure(twist: Command, tmp_path: Path) -> None:
    done = twist("inject", "--corpus", mock_path(), "--out", tmp_path / "release")
    assert done.code == 0
    assert "of 12 asked for" in done.out
    assert {path.name for path in (tmp_path / "release").iterdir()} == {
        "corpus",
        "keys",
        "qa",
        "rejects",
        "edits.jsonl",
        "id_map.json",
        "manifest.json",
        "cost.json",
        "DATASHEET.md",
        "report.html",
    }
    assert [path.name for path in tmp_path.iterdir()] == ["release"]


def test_no_arcs_are_what_was_asked_when_none_are(twist: Command, tmp_path: Path) -> None:
    done = twist("inject", "--corpus", mock_path(), "--out", tmp_path / "r", "--arcs", "0", "--track", "a")
    assert done.code == 0
    assert "0 arcs and as many hard negatives of 0 asked for" in done.out


def test_a_sound_release_passes_check_and_a_touched_one_does_not(twist: Command, tmp_path: Path) -> None:
    out = tmp_path / "release"
    twist("inject", "--corpus", mock_path(), "--out", out)
    good = twist("check", out)
    assert (good.code, "every rule holds" in good.out) == (0, True), good.out
    corpus = out / "corpus" / "locomo_mock.json"
    corpus.write_bytes(corpus.read_bytes().replace(b"Ingrid", b"Ingrit", 1))
    bad = twist("check", out)
    assert bad.code == 1
    assert "faults" in bad.out.splitlines()[-1]


def test_show_lists_items_and_reads_one_in_its_place(twist: Command, tmp_path: Path) -> None:
    out = tmp_path / "release"
    twist("inject", "--corpus", mock_path(), "--out", out)
    keys = [json.loads(line) for line in (out / "keys" / "track_a.jsonl").read_text().splitlines()]
    listed = twist("show", out)
    assert listed.code == 0
    assert "corpus: mock" in listed.out
    for key in keys:
        assert key["id"] in listed.out
    for key in keys[:2]:
        read = twist("show", out, key["id"][:8])
        assert read.code == 0
        assert key["old_belief"] in read.out
        assert read.out.count("=>") == len(key["turns"])
        assert "verdict: pass" in read.out
    missing = twist("show", out, "zzzz")
    assert (missing.code, "no items have an id that begins with zzzz" in missing.err) == (2, True)


def test_gate_judges_every_line_and_exits_zero_whatever_it_finds(twist: Command, tmp_path: Path) -> None:
    nowhere = {**GOOD, "id": "p2", "sample_id": "conv-99"}
    stranger = {**GOOD, "id": "p3", "holder": "Mallory", "turns": [{**turn, "speaker": "Mallory"} for turn in GOOD["turns"]]}
    lost = {**GOOD, "id": "p4", "turns": [{**turn, "session": 80} for turn in GOOD["turns"]]}
    (tmp_path / "p.jsonl").write_text(lines_of([GOOD, {**nowhere, "extra": "ignored"}, stranger, lost]) + "\n")
    done = twist("gate", "--corpus", mock_path(), "--proposals", tmp_path / "p.jsonl", "--out", tmp_path / "v.jsonl")
    assert done.code == 0
    assert "4 proposals" in done.out
    verdicts = [json.loads(line) for line in (tmp_path / "v.jsonl").read_text().splitlines()]
    assert [verdict["id"] for verdict in verdicts] == ["p1", "p2", "p3", "p4"]
    assert all(set(verdict) == {"id", "verdict", "failed", "undecided", "not_applicable"} for verdict in verdicts)
    for verdict in verdicts[1:]:
        assert verdict["verdict"] == "fail"
        assert "ids" in [finding["gate"] for finding in verdict["failed"]]
    for name in ("pair_independent", "seam", "facts", "surface_match"):
        assert name in verdicts[0]["not_applicable"], "these need a plan"


def test_a_verdict_depends_on_its_own_line_only(twist: Command, tmp_path: Path) -> None:
    other = {**GOOD, "id": "p0", "turns": [{**turn, "text": turn["text"] + " Always."} for turn in GOOD["turns"]]}
    for name, proposals in (("alone", [GOOD]), ("after", [other, GOOD, {**GOOD, "id": "twin"}])):
        (tmp_path / f"{name}.jsonl").write_text(lines_of(proposals))
        assert (
            twist(
                "gate", "--corpus", mock_path(), "--proposals", tmp_path / f"{name}.jsonl", "--out", tmp_path / f"{name}.out"
            ).code
            == 0
        )
    verdicts = {
        name: [json.loads(line) for line in (tmp_path / f"{name}.out").read_text().splitlines()] for name in ("alone", "after")
    }
    assert verdicts["alone"][0] == verdicts["after"][1]
    assert {**verdicts["after"][2], "id": "p1"} == verdicts["after"][1]


def test_no_proposals_give_no_verdicts(twist: Command, tmp_path: Path) -> None:
    (tmp_path / "p.jsonl").write_text("\n\n")
    assert twist("gate", "--corpus", mock_path(), "--proposals", tmp_path / "p.jsonl", "--out", tmp_path / "v.jsonl").code == 0
    assert (tmp_path / "v.jsonl").read_bytes() == b""


def test_without_a_corpus_and_a_network_the_mock_is_used_and_said(
    twist: Command, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("TWIST_CACHE", str(tmp_path / "cache"))
    monkeypatch.setattr(locate, "_fetch", lambda _target, _url, _say: None)
    done = twist("inject", "--out", tmp_path / "release", "--arcs", "0")
    assert done.code == 0
    assert len([line for line in done.err.splitlines() if "mock corpus is used" in line]) == 1
    assert "--corpus PATH" in done.err
    assert "corpus: mock" in done.out


def test_an_unknown_file_is_used_only_when_told_and_then_tagged(twist: Command, tmp_path: Path) -> None:
    path = tmp_path / "locomo10.json"
    path.write_bytes(mock_path().read_bytes() + b"\n")
    arguments = ("inject", "--corpus", path, "--arcs", "0", "--out", tmp_path / "release")
    assert twist(*arguments).code == 2
    done = twist(*arguments, "--allow-unknown")
    assert (done.code, "corpus: unknown" in done.out) == (0, True)
    manifest = json.loads((tmp_path / "release" / "manifest.json").read_text())
    assert (manifest["corpus"], manifest["source"]["version"], manifest["source"]["origin"]) == (
        "unknown",
        "unknown",
        "not a known version",
    )


@pytest.mark.parametrize("command", [[], ["inject"], ["check"], ["gate"], ["show"], ["audit"]])
def test_help_is_printed_and_is_no_error(twist: Command, command: list[str]) -> None:
    done = twist(*command, "--help")
    assert done.code == 0
    assert "Usage" in done.out


@pytest.mark.slow
def test_two_processes_give_the_same_release_with_and_without_the_parse_cache(tmp_path: Path) -> None:
    for name in ("first", "second"):
        done = in_subprocess("inject", "--corpus", mock_path(), "--out", tmp_path / name, cache=tmp_path / "cache")
        assert done.code == 0, done.err
    assert files_in(tmp_path / "first") == files_in(tmp_path / "second")

"""The whole audit: files, limits, the same bytes twice."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

from inject.audits.figures import hold, rounded
from inject.audits.run import audit_release, run_audits

Make = Callable[..., Path]
FILES = ["detectability.json", "leakage.json", "position.json", "surface.json"]


def _bytes(folder: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in sorted((folder / "audits").iterdir())}


def test_the_same_release_gives_the_same_bytes(make_release: Make) -> None:
    first, second = make_release(conversations=3, pairs=2), make_release(conversations=3, pairs=2)
    run_audits(first)
    run_audits(second)
    assert list(_bytes(first)) == FILES
    assert _bytes(first) == _bytes(second)
    run_audits(first)
    assert _bytes(first) == _bytes(second)


def test_a_giveaway_is_reported_as_unmet(make_release: Make) -> None:
    report = run_audits(make_release(write=lambda _text, _kind, _item: "I zyx am here with the zyx again."))
    assert any(line.startswith("detectability of gold turns: 1.0000, at most 0.90") for line in report.unmet)


def test_a_release_without_items_says_so_and_has_nothing_unmet(make_release: Make) -> None:
    folder = make_release(conversations=2, pairs=0)
    report = run_audits(folder)
    assert report.unmet == []
    assert all(limit.met is None and limit.note for limit in report.limits)
    assert "not applicable" in str(report.limits[0])
    assert json.loads((folder / "audits" / "leakage.json").read_text())["families"] == []


def test_auditing_without_writing_leaves_the_directory_alone(make_release: Make) -> None:
    folder = make_release(conversations=2, pairs=1)
    audit_release(folder)
    assert not (folder / "audits").exists()


def test_every_limit_of_the_issue_is_there(make_release: Make) -> None:
    limits = {limit.name: limit.at_most for limit in audit_release(make_release(conversations=2, pairs=1)).limits}
    assert sorted(limits.values()) == sorted([0.90, 0.75, 0.75, 0.75, *[0.65] * 6, *[0.65] * 2, *[0.15] * 2])


def test_progress_names_each_audit_once(make_release: Make) -> None:
    seen: list[tuple[str, int, int]] = []
    run_audits(make_release(conversations=2, pairs=1), lambda name, done, total: seen.append((name, done, total)))
    assert [name for name, _, _ in seen] == ["position", "surface", "leakage", "detectability", ""]
    assert seen[-1][1] == seen[-1][2]


def test_a_figure_on_its_limit_meets_it() -> None:
    assert hold("x", 0.65, 0.65).met
    assert not hold("x", 0.6501, 0.65).met
    assert hold("x", None, 0.65).met is None
    assert rounded(0.123456) == 0.1235

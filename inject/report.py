"""report.html: one self-contained page with a release's counts, audits and items in their places."""

from __future__ import annotations

from dataclasses import dataclass
from importlib import resources
from pathlib import Path
from typing import TYPE_CHECKING

from jinja2 import Environment, StrictUndefined

from arcs.keys import TrackAKey
from inject.view import OpenRelease, Window, open_release, windows
from twistcore.errors import ReleaseError
from twistcore.store import read_json, write_atomic

if TYPE_CHECKING:
    from inject.audits.figures import Limit

REPORT, AUDITS = "report.html", "audits"


@dataclass(frozen=True, slots=True)
class ShownItem:
    """One item with its windows."""

    key: TrackAKey
    windows: list[Window]


def write_report(folder: Path) -> Path:
    """Write the page into a release directory, with the audits that are there; raises ReleaseError."""
    path = folder / REPORT
    write_atomic(path, render_report(open_release(folder)))
    return path


def render_report(release: OpenRelease) -> bytes:
    """The page, with the audits that are in the release's directory; raises ReleaseError."""
    items = [
        ShownItem(key, windows(release, key))
        for key in sorted(release.keys, key=lambda key: (key.sample_id, key.pair_id, not key.family.is_arc))
    ]
    template = (resources.files("inject") / "report.html.j2").read_text(encoding="utf-8")
    page = (
        Environment(autoescape=True, undefined=StrictUndefined, trim_blocks=True)
        .from_string(template)
        .render(
            manifest=release.manifest,
            counts=release.manifest.counts,
            holds=release.manifest.holds,
            audits=limits_of(release.folder),
            samples=sorted({key.sample_id for key in release.keys}),
            items=items,
        )
    )
    return page.encode("ascii", "xmlcharrefreplace")


def limits_of(folder: Path) -> list[Limit]:
    """Every figure that has a limit, of the audits that were run."""
    if not (folder / AUDITS).is_dir():
        return []
    # scikit-learn comes with the audits; a release that was not audited need not wait for it.
    from inject.audits.detectability import Detectability
    from inject.audits.position import Position
    from inject.audits.surface import Surface

    found: list[Limit] = []
    for name, audit in (("position", Position), ("surface", Surface), ("detectability", Detectability)):
        path = folder / AUDITS / f"{name}.json"
        if path.is_file():
            found += audit.model_validate(read_json(path, ReleaseError)).limits
    return found

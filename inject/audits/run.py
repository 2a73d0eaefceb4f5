"""Runs all audits over a release directory and writes them to its `audits/`."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from inject.audits.detectability import Detectability, audit_detectability
from inject.audits.figures import Limit
from inject.audits.leakage import Leakage, audit_leakage
from inject.audits.load import load_release
from inject.audits.position import Position, audit_position
from inject.audits.surface import Surface, audit_surface
from twistcore.store import dump_json, write_atomic
from twistcore.verdicts import Stored

AUDITS = "audits"
# (audit, number of audits done, number in all)
Progress = Callable[[str, int, int], None]


class AuditReport(Stored):
    """All audits of one release; `corpus` is the version that the manifest names, so that a mock's figures say so."""

    corpus: str
    detectability: Detectability
    position: Position
    surface: Surface
    leakage: Leakage

    @property
    def limits(self) -> list[Limit]:
        """Every figure that has a limit."""
        return [*self.detectability.limits, *self.position.limits, *self.surface.limits]

    @property
    def unmet(self) -> list[str]:
        """One line for every limit that is not met; a figure that does not apply is not listed."""
        return [str(limit) for limit in self.limits if limit.met is False]


def audit_release(folder: Path, progress: Progress = lambda *_: None) -> AuditReport:
    """All audits of a release, without writing. Raises ReleaseError for what is no release."""
    release = load_release(folder)
    total = 4
    progress("position", 0, total)
    position = audit_position(release)
    progress("surface", 1, total)
    surface = audit_surface(release)
    progress("leakage", 2, total)
    leakage = audit_leakage(release)
    progress("detectability", 3, total)
    detectability = audit_detectability(release)
    progress("", total, total)
    return AuditReport(
        corpus=release.manifest.corpus, detectability=detectability, position=position, surface=surface, leakage=leakage
    )


def run_audits(folder: Path, progress: Progress = lambda *_: None) -> AuditReport:
    """Audit a release and write `audits/*.json` into it; the same release gives the same bytes.

    Raises ReleaseError for what is no release and StorageError when the disk refuses.
    """
    report = audit_release(folder, progress)
    for part in (report.detectability, report.position, report.surface, report.leakage):
        write_atomic(folder / AUDITS / f"{part.audit}.json", dump_json(part))
    return report

"""`twist show`: the items of a release, or one of them read in its place."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer
from rich.markup import escape
from rich.table import Table

from arcs.keys import TrackAKey
from inject.view import OpenRelease, open_release, windows
from twist_cli.screen import console
from twistcore.errors import ExitCode


def show(
    folder: Annotated[Path, typer.Argument(metavar="DIR", help="A release directory.")],
    arc_id: Annotated[str | None, typer.Argument(metavar="[ITEM]", help="An item's id, or its first letters.")] = None,
    around: Annotated[int, typer.Option(min=0, max=20, help="Turns to show on either side.")] = 2,
) -> int:
    """List the items of a release, or read one in its place: the turns around it, dates, verdicts."""
    release = open_release(folder)
    if arc_id is None:
        _list(release)
    else:
        _read(release, release.key(arc_id), around)
    return int(ExitCode.DONE)


def _list(release: OpenRelease) -> None:
    table = Table(title=f"{release.folder} (corpus: {release.manifest.corpus})", title_style="bold", expand=False)
    for heading in ("id", "family", "gold", "conversation", "holder", "topic", "turns", "days"):
        table.add_column(heading, overflow="fold")
    for key in sorted(release.keys, key=lambda key: (key.sample_id, key.pair_id, not key.family.is_arc)):
        ids = " ".join(turn.dia_id for turn in key.turns)
        table.add_row(key.id, key.family.value, key.gold.value, key.sample_id, key.holder, key.topic, ids, str(key.gap_days))
    console.print(table)


def _read(release: OpenRelease, key: TrackAKey, around: int) -> None:
    seen = windows(release, key, around)
    partner = next((other for other in release.keys if other.pair_id == key.pair_id and other.id != key.id), None)
    console.print(f"[bold]{escape(key.family.value)}[/bold] {escape(key.topic)} ({key.gold.value}, {key.transition.value})")
    console.print(f"  {escape(key.sample_id)}, {escape(key.holder)}; item {key.id}, partner {partner.id if partner else 'none'}")
    console.print(f"  old belief: {escape(key.old_belief)}")
    if key.new_belief:
        console.print(f"  new belief: {escape(key.new_belief)}")
    console.print(
        f"  {key.gap_days} days and {key.gap_sessions} sessions from anchor to later turn, "
        f"{key.history_turns} turns before the last gold turn"
    )
    for window in seen:
        console.print(f"\n[bold]{window.gold.role.value}[/bold], session {window.session}, {escape(window.date_text)}")
        for turn in window.turns:
            mark = "=>" if turn.dia_id == window.gold.dia_id else " +" if turn.injected else "  "
            console.print(f"{mark} {turn.dia_id:>7} {escape(turn.speaker)}: {escape(' '.join(turn.text.split()))}")
    if key.provenance.review is not None:
        console.print(f"\nthe loop gave it up; {key.provenance.review.in_short}", markup=False)
    verdict = release.verdict(key.id)
    if verdict is not None:
        skipped = f", not applicable: {', '.join(verdict.not_applicable)}" if verdict.not_applicable else ""
        console.print(
            f"\nverdict: {verdict.verdict.value} by {len(key.provenance.gates)} gates{skipped}; "
            f"writer {key.provenance.writer}, attempt {key.provenance.attempt}"
        )

"""What came of people's decisions in a release, on the screen."""

from __future__ import annotations

from pathlib import Path

from inject.manifest import read_manifest
from inject.rejects import read_rejects
from inject.reviews import Reviews, read_used, without_effect
from twist_cli.screen import console


def tell_reviews(out: Path, reviews: Reviews) -> None:
    """How many items people took, and which of their decisions had no effect, with the reason; nothing for a run without any."""
    record = read_manifest(out).reviews
    if record is None:
        return
    console.print(f"  people took {record.accepted} items as they were and {record.edited} with words of their own", markup=False)
    for ident, reason in without_effect(reviews, read_used(out), read_rejects(out)):
        console.print(f"  the decision on {ident} had no effect: {reason}", markup=False)

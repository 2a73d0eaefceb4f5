"""What came of people's decisions in a release, on the screen."""

from __future__ import annotations

from pathlib import Path

from inject.manifest import read_manifest
from inject.rejects import Rejected
from inject.release import REJECTS_A
from inject.reviews import REVIEWS_A, Reviews, UsedReview, without_effect
from twist_cli.screen import console
from twistcore.errors import ReleaseError
from twistcore.stored import read_rows


def tell_reviews(out: Path, reviews: Reviews) -> None:
    """How many items people took, and which of their decisions had no effect, with the reason; nothing for a run without any."""
    record = read_manifest(out).reviews
    if record is None:
        return
    console.print(f"  people took {record.accepted} items as they were and {record.edited} with words of their own", markup=False)
    used = [row for _, row in read_rows(out / REVIEWS_A, UsedReview.model_validate, ReleaseError)]
    rejects = [row for _, row in read_rows(out / REJECTS_A, Rejected.model_validate, ReleaseError)]
    for ident, reason in without_effect(reviews, used, rejects):
        console.print(f"  the decision on {ident} had no effect: {reason}", markup=False)

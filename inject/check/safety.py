"""Rule 13: safe by construction. No personal data in what was added, no crisis file, and a manifest that says so."""

from __future__ import annotations

from collections.abc import Iterator

from inject.check.broken import Broken, Rule
from inject.check.opened import Opened
from inject.datasheet import DATASHEET
from inject.gates.pii import find_pii
from locomo_patch.apply import AnyEdit
from twistcore.store import EDITS, MARKER

SAFETY = "PII-only"


def check_safety(opened: Opened) -> list[Broken]:
    """Personal data in any inserted text, reserved ranges included (Track A plants none), and crisis material."""
    broken = [
        Broken(Rule.SAFETY, EDITS, f"{edit.sample_id} session {edit.session} {edit.id}", f"{place} holds a {kind}: {shown!r}")
        for edit in opened.edits
        for place, text in _texts(edit)
        for kind, shown, _ in find_pii(text)
    ]
    for path in sorted(opened.folder.rglob("*")):
        if "crisis" in path.name.lower():
            name = path.relative_to(opened.folder).as_posix()
            broken.append(Broken(Rule.SAFETY, name, "", "is crisis material, which no Track A release holds"))
    if opened.manifest.safety != SAFETY:
        broken.append(Broken(Rule.SAFETY, MARKER, "safety", f"says {opened.manifest.safety!r}, {SAFETY!r} was expected"))
    datasheet = opened.folder / DATASHEET
    if datasheet.is_file() and SAFETY not in datasheet.read_text(encoding="utf-8", errors="replace"):
        broken.append(Broken(Rule.SAFETY, DATASHEET, "", f"does not say {SAFETY}"))
    return broken


def _texts(edit: AnyEdit) -> Iterator[tuple[str, str]]:
    for offset, turn in enumerate(edit.turns):
        yield f"new turn {offset}", turn.text
        if turn.caption:
            yield f"the caption of new turn {offset}", turn.caption
    for row in edit.observations:
        yield "an observation", row.fact
    if edit.summary is not None:
        yield "the summary", edit.summary if isinstance(edit.summary, str) else edit.summary.text

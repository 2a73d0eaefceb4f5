"""Does an anchor take a stance at all (TWIST paper section 4.3)? What is only left open cannot be contradicted later."""

from __future__ import annotations

from typing import TYPE_CHECKING

from inject.patterns import pattern
from inject.stance_topic import Direction
from twistcore.text.claims import Attitude, Modality, Subject, clauses, plain

if TYPE_CHECKING:
    from spacy.tokens import Doc

OPEN = {Direction.AVOID: pattern("open_stance"), Direction.KEEP: pattern("open_hold")}
FIRM = pattern("firm_stance")


def left_open(anchor: Doc, direction: Direction) -> str | None:
    """The words by which an anchor leaves its matter open ("haven't tried it yet"), where nothing else in it is firm."""
    text = plain(anchor.text)
    found = OPEN[direction].search(text)
    if found is None or FIRM.search(text):
        return None
    for clause in clauses(anchor):
        against = clause.attitude is Attitude.NEGATIVE or clause.ceased
        if against and clause.subject is Subject.FIRST and clause.modality is not Modality.QUESTION:
            return None
    return found.group()

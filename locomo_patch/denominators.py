"""Denominators: the four numbers of LoCoMo questions that percentages are taken of, each under its name (PRECEDENTS.md 23, 40)."""

from __future__ import annotations

from twistcore.verdicts import Stored


class Denominators(Stored):
    """1986, 1982, 1540 and 1529 for the official file.

    They are never mixed: `distinct_answerable` leaves out the second of two equal items, `answerable` the adversarial ones.
    """

    all: int
    with_evidence: int
    answerable: int
    distinct_answerable: int

"""The registry of Track A's gates: a closed set of names (SCHEMAS.md), run in order, each with its version."""

from __future__ import annotations

from collections.abc import Callable

from inject.gates.case import Case
from twistcore.verdicts import GateResult, Verdict, combine

Judge = Callable[[Case], GateResult]

NAMES = (
    "ids",
    "spacing",
    "role_flip",
    "quote",
    "absence",
    "question_form",
    "pronoun",
    "no_flip",
    "acknowledged_in_arc",
    "not_acknowledged",
    "off_topic_pair",
    "pair_independent",
    "time_wrong",
    "record_conflict",
    "voice",
    "facts",
    "pii",
    "duplicate",
    "format",
    "seam",
    "surface_match",
)

"""Scores the re-validator on labelled cases: caught and falsely alarmed questions, kinds, decided and undecided apart.

A labelled case is a case with `perturbed` ({question, kind, why}) and `near_miss` ({question, why}); what is listed in neither is
unlabelled and not scored.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from locomo_patch.revalidation.states import CaseVerdict, Kind, State
from twistcore.errors import UsageError
from twistcore.store import read_lines


class Labelled(BaseModel):
    """A label; the reason of the labeller is kept for reading."""

    model_config = ConfigDict(extra="ignore", frozen=True)

    question: str
    kind: Kind | None = None
    why: str = ""


class Labels(BaseModel):
    """The labels of one case."""

    model_config = ConfigDict(extra="ignore", frozen=True)

    case_id: str
    perturbed: list[Labelled] = Field(default_factory=list)
    near_miss: list[Labelled] = Field(default_factory=list)


@dataclass(frozen=True)
class Scores:
    """Counts on labelled cases. `caught` and `alarms` count what policy does not leave valid; `*_decided` what was decided so."""

    perturbed: int
    caught: int
    caught_decided: int
    near_misses: int
    alarms: int
    alarms_decided: int
    kinds_right: int
    by_kind: Mapping[str, tuple[int, int]]

    @property
    def recall(self) -> float:
        """Share of the perturbed questions that are not left valid."""
        return self.caught / self.perturbed if self.perturbed else 0.0

    @property
    def alarm_rate(self) -> float:
        """Share of the near misses that are not left valid."""
        return self.alarms / self.near_misses if self.near_misses else 0.0

    @property
    def kind_rate(self) -> float:
        """Share of the caught questions whose kind is right."""
        return self.kinds_right / self.caught if self.caught else 0.0


def read_labels(path: Path) -> list[Labels]:
    """The labels of a file of cases; a case whose own fields of those names are no labels of ours has none."""
    labels = []
    for _, raw in read_lines(path, UsageError):
        try:
            labels.append(Labels.model_validate(raw))
        except ValidationError:
            labels.append(Labels(case_id=str(raw.get("case_id"))))
    return labels


def score(labels: Sequence[Labels], verdicts: Iterable[CaseVerdict]) -> Scores:
    """Compare verdicts with labels, question by question of each case."""
    found: dict[tuple[str, str], list[CaseVerdict]] = {}
    for verdict in verdicts:
        found.setdefault((verdict.case_id, verdict.question), []).append(verdict)
    counts: Counter[str] = Counter()
    by_kind: dict[str, list[int]] = {}
    for case in labels:
        for label in case.perturbed:
            for verdict in found.get((case.case_id, label.question), []):
                counts["perturbed"] += 1
                hit = verdict.state_after_policy is not State.VALID
                counts["caught"] += hit
                counts["caught_decided"] += verdict.state in (State.RETIRED, State.REVISED)
                counts["kinds_right"] += hit and verdict.kind is label.kind
                row = by_kind.setdefault(label.kind.value if label.kind else "", [0, 0])
                row[0] += 1
                row[1] += hit
        for label in case.near_miss:
            for verdict in found.get((case.case_id, label.question), []):
                counts["near"] += 1
                counts["alarms"] += verdict.state_after_policy is not State.VALID
                counts["alarms_decided"] += verdict.state in (State.RETIRED, State.REVISED)
    return Scores(
        counts["perturbed"],
        counts["caught"],
        counts["caught_decided"],
        counts["near"],
        counts["alarms"],
        counts["alarms_decided"],
        counts["kinds_right"],
        {kind: (row[0], row[1]) for kind, row in sorted(by_kind.items())},
    )

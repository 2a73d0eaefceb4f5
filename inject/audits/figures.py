"""Figures that audits report, and the limits that they are held against."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray
from pydantic import Field
from sklearn.metrics import roc_auc_score

from twistcore.verdicts import Stored

AUDIT_SCHEMA = "twist-audit/1"
DIGITS = 4
GOLD_LIMIT = 0.90
REACTION_LIMIT = 0.75
SMALL_TALK_LIMIT = 0.75
POSITION_LIMIT = 0.65
SURFACE_LIMIT = 0.65
TOP1_DIFFERENCE_LIMIT = 0.15

Floats = NDArray[np.float64]


class Limit(Stored):
    """A figure with its upper limit. `met` is None when the figure does not apply, with the reason in `note`."""

    name: str
    at_most: float
    figure: float | None
    met: bool | None
    note: str = ""

    def __str__(self) -> str:
        shown = "not applicable" if self.figure is None else f"{self.figure:.4f}"
        return f"{self.name}: {shown}, at most {self.at_most:.2f}" + (f" ({self.note})" if self.note else "")


class Auc(Stored):
    """Area under the ROC curve of scores for turns of conversations that the model was not trained on.

    `mean` is over the held-out conversations that have both classes, `out_of_fold` over all held-out scores together. Both are
    None when they do not apply, with the reason in `note`.
    """

    positives: int
    negatives: int
    mean: float | None = None
    out_of_fold: float | None = None
    by_conversation: dict[str, float] = Field(default_factory=dict)
    note: str = ""

    @property
    def worst(self) -> float | None:
        """The larger of the two figures: a limit holds for both."""
        return max((figure for figure in (self.mean, self.out_of_fold) if figure is not None), default=None)


def rounded(value: float) -> float:
    """A figure as files have it. Without the rounding, another processor's last bit would change a release's bytes."""
    return round(float(value), DIGITS)


def auc(labels: Sequence[int] | NDArray[np.int64], scores: Floats) -> float | None:
    """Area under the ROC curve, or None when only one class is there."""
    if len(set(labels)) < 2:
        return None
    return rounded(roc_auc_score(labels, scores))


def held_out_auc(labels: NDArray[np.int64], scores: Floats, groups: Sequence[str]) -> Auc:
    """Both figures from out-of-fold scores."""
    names = np.asarray(groups)
    found = {name: auc(labels[names == name], scores[names == name]) for name in sorted(set(groups))}
    by_conversation = {name: figure for name, figure in found.items() if figure is not None}
    return Auc(
        positives=int(labels.sum()),
        negatives=int((labels == 0).sum()),
        mean=rounded(float(np.mean(list(by_conversation.values())))) if by_conversation else None,
        out_of_fold=auc(labels, scores),
        by_conversation=by_conversation,
    )


def hold(name: str, figure: float | None, at_most: float, note: str = "") -> Limit:
    """A figure held against its limit."""
    return Limit(name=name, at_most=at_most, figure=figure, met=None if figure is None else figure <= at_most, note=note)


def why_not(labels: NDArray[np.int64], groups: Sequence[str]) -> str:
    """Why leave-one-conversation-out cannot be done with these labels; empty when it can."""
    if not labels.any():
        return "no injected turn of this kind"
    if labels.all():
        return "no original turn of this kind"
    names = np.asarray(groups)
    for label, what in ((1, "injected turns"), (0, "originals")):
        if len(set(names[labels == label])) < 2:
            return f"{what} of this kind in one conversation only"
    return ""

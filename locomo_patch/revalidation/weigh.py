"""Weighs signs: one number for how strongly a turn perturbs a question, from weights that were fitted on labelled cases.

`weights.json` is data, made by `python -m locomo_patch.revalidation.fit`; its hash stands in a release's configuration.
"""

from __future__ import annotations

import json
import math
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from importlib import resources

from locomo_patch.revalidation import event_signs, meaning_signs, value_signs
from locomo_patch.revalidation.signs import Signs
from twistcore.errors import CorpusError
from twistcore.fingerprints import fingerprint

# Signs that count differently for each sort of answer and for traps.
_COMMON = (
    "topic", "both_parts", "sibling", "sort_match", "novel", "changes", "corrects", "again", "evidence", "agrees", "peak",
    "verb", "topic_plan", "agreed_only", "name_missing", "missing", "topic_context", "title", "novel_sibling",
)  # fmt: skip
# Signs that only help to say why: of a whole turn, and so of no one matter in it.
FOR_REASONS = frozenset(
    {"past", "present", "number", "dated", "looks_back", "past_question", "plan_question", "no_facts", "windowed", "not_of_sort"}
    | {"later", "name_new", "if_meant"}
)
CROSSED = (*_COMMON, *value_signs.CROSSED, *event_signs.CROSSED)


# How many turns and persons a labelled case has, about: thresholds were set for so many.
FEW = 2.0


@dataclass(frozen=True)
class Weights:
    """A weight for every term, and two thresholds: from `undecided` on a question is no longer clearly valid, from `perturbed` on
    it
    is clearly perturbed."""

    terms: Mapping[str, float]
    bias: float
    undecided: float
    perturbed: float
    rise: float = 0.0

    def bounds(self, turns: int) -> tuple[float, float]:
        """Both thresholds where so many turns and persons were looked at: the highest of a hundred chance scores lies above the
        highest of two."""
        risen = self.rise * math.log(max(1.0, turns / FEW))
        return self.undecided + risen, self.perturbed + risen

    def score(self, signs: Signs) -> float:
        """The weighted sum; 0 where an even chance lies on the labelled cases."""
        return self.bias + sum(self.terms.get(name, 0.0) * value for name, value in terms_of(signs).items())

    @property
    def lowest(self) -> float:
        """The score of what does not bear on a question at all: below any that is weighed."""
        return min(self.undecided, self.perturbed, 0.0) - 100.0

    def strongest(self, signs: Signs, count: int = 3) -> tuple[str, ...]:
        """The terms that speak most for a perturbation, strongest first."""
        parts = {name: self.terms.get(name, 0.0) * value for name, value in terms_of(signs).items()}
        return tuple(name for name, part in sorted(parts.items(), key=lambda item: (-item[1], item[0]))[:count] if part > 0)


def terms_of(signs: Signs) -> dict[str, float]:
    """The terms that signs are weighed by: each sign, and the crossed ones again by sort of answer and for traps."""
    if signs.sort in event_signs.WEIGHED_ALONE:
        return _alone(signs)
    terms = {name: value for name, value in signs.values.items() if value and name not in FOR_REASONS}
    trap = signs["adversarial"]
    for name, of_sort, of_trap in _crossed(signs.sort):
        value = signs.values.get(name)
        if value:
            terms[of_sort] = value
            if trap:
                terms[of_trap] = value
    terms[f"{signs.sort}.always"] = 1.0
    return terms


@lru_cache(maxsize=16)
def _crossed(sort: str) -> tuple[tuple[str, str, str], ...]:
    """Crossed signs with the terms that they are for a sort of answer and for traps."""
    return tuple((name, f"{sort}.{name}", f"trap.{name}") for name in CROSSED)


def _meanings(signs: Signs) -> dict[str, float]:
    return {name: signs[name] for name in meaning_signs.NAMES if signs[name]}


def _alone(signs: Signs) -> dict[str, float]:
    """Where one sign already joins event, time and number, most others only add noise on the few cases that there are."""
    value = signs["event_best"] * event_signs.EMPHASIS
    terms = {"event.always": 1.0, f"{signs.sort}.always": 1.0, "event.best": value} | _meanings(signs)
    meant = signs["if_meant"] * event_signs.EMPHASIS
    terms |= {"event.if_meant": meant, "event.topic": meant * signs["m_topic"], "event.stands_out": meant * signs["m_full_z"]}
    if signs["adversarial"]:
        terms |= {"adversarial": 1.0, "trap.event_best": value}
    return terms


@lru_cache(maxsize=1)
def load_weights() -> Weights:
    """The weights that ship; raises CorpusError when the file is not what `fit` writes."""
    path = resources.files("locomo_patch.revalidation") / "data" / "weights.json"
    try:
        raw = json.loads(path.read_text(encoding="utf-8"))
        return Weights(dict(raw["terms"]), float(raw["bias"]), float(raw["undecided"]), float(raw["perturbed"]), float(raw["rise"]))
    except (ValueError, KeyError, TypeError) as error:
        raise CorpusError(
            f"holds no weights ({error})", file="weights.json", remedy="make it again: python -m locomo_patch.revalidation.fit"
        ) from error


def weights_sha256() -> str:
    """Fingerprint of the weights, for configurations."""
    weights = load_weights()
    return fingerprint(
        {"terms": dict(weights.terms), "bias": weights.bias, "at": [weights.undecided, weights.perturbed, weights.rise]}
    )

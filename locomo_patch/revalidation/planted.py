"""What a judge must get right before it is asked anything real: vague, wrong-speaker and other harmless answers (planted.yaml), and
a few that do perturb, so that a judge which always says no does not pass."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import date
from functools import cache
from importlib import resources
from typing import Literal

from pydantic import Field, ValidationError

from locomo_patch.revalidation.judge import GIVE_UP_AFTER, DatedLine, InjectedLine, Judge, JudgeQuestion, Perturbed
from twistcore.errors import FrameError, ModelFailedError
from twistcore.verdicts import Stored
from twistcore.yamls import read_yaml

PLANTED = "planted.yaml"
# Of the planted items: how many of a hundred that perturb nothing must be rejected, and of those that do must be caught.
MUST_REJECT, MUST_CATCH = 95, 80


class PlantedLine(Stored):
    """One line of a planted item."""

    day: date
    speaker: str
    text: str = Field(min_length=1)


class PlantedItem(Stored):
    """An item whose answer is known: an injected line that perturbs the question, or is vague, of somebody else, and so on."""

    id: str
    sort: Literal["vague", "other_speaker", "hypothetical", "planned", "asked", "other_matter", "agrees", "perturbing"]
    question: str
    gold: str | None
    evidence: list[PlantedLine]
    new: PlantedLine
    before: PlantedLine | None = None

    @property
    def perturbs(self) -> bool:
        """Whether a judge must say yes."""
        return self.sort == "perturbing"

    def pose(self) -> JudgeQuestion:
        """The item as a judge is asked it."""
        before = (_line(self.before),) if self.before else ()
        injected = InjectedLine(_line(self.new), before)
        return JudgeQuestion(self.question, self.gold, tuple(_line(each) for each in self.evidence), (injected,))


def _line(planted: PlantedLine) -> DatedLine:
    return DatedLine(planted.day, planted.speaker, planted.text)


@cache
def load_planted() -> tuple[PlantedItem, ...]:
    """The planted set; raises FrameError where the file breaks its shape."""
    with resources.as_file(resources.files("locomo_patch.revalidation") / PLANTED) as path:
        raw = read_yaml(path)
        try:
            return tuple(PlantedItem.model_validate(each) for each in raw)
        except (ValidationError, TypeError) as error:
            raise FrameError(f"has an item that breaks its shape ({error})", file=path) from error


@dataclass(frozen=True, slots=True)
class Qualification:
    """How a judge did on the planted set. Only a no rejects and only a yes catches: one that cannot tell has done neither."""

    model: str
    rejected: int
    harmless: int
    caught: int
    perturbing: int
    failed: int = 0

    @property
    def qualified(self) -> bool:
        """Whether it may be asked about real questions."""
        rejects = self.rejected * 100 >= MUST_REJECT * self.harmless
        return self.harmless > 0 and self.perturbing > 0 and rejects and self.caught * 100 >= MUST_CATCH * self.perturbing

    @property
    def line(self) -> str:
        """One line for the user."""
        head = f"judge {self.model} qualifies" if self.qualified else f"judge {self.model} does not qualify"
        figures = (
            f"it rejected {self.rejected} of {self.harmless} planted answers that perturb nothing (at least {MUST_REJECT} % needed)"
            f" and caught {self.caught} of {self.perturbing} that do (at least {MUST_CATCH} %)"
        )
        return f"{head}: {figures}" + (f"; {self.failed} planted calls failed" if self.failed else "")


def qualify(judge: Judge, planted: Sequence[PlantedItem] | None = None) -> Qualification:
    """Ask a judge about the planted set. A call that fails neither rejects nor catches; after five in a row the rest is skipped."""
    items = load_planted() if planted is None else planted
    perturbing = sum(item.perturbs for item in items)
    found = Qualification(judge.model, 0, len(items) - perturbing, 0, perturbing)
    in_a_row = 0
    for item in items:
        if in_a_row == GIVE_UP_AFTER:
            found = replace(found, failed=found.failed + 1)
            continue
        try:
            said = judge.judge(item.pose()).perturbed
        except ModelFailedError:
            in_a_row, found = in_a_row + 1, replace(found, failed=found.failed + 1)
            continue
        in_a_row = 0
        found = replace(
            found,
            rejected=found.rejected + (not item.perturbs and said is Perturbed.NO),
            caught=found.caught + (item.perturbs and said is Perturbed.YES),
        )
    return found

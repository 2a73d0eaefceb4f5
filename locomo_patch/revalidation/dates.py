"""Days that are said against the days of a gold: whether they clash, and whether a plan has moved."""

from __future__ import annotations

from locomo_patch.revalidation.questions import QuestionReading
from locomo_patch.revalidation.spans import gold_day_of_month
from twistcore.text.calendars import Range

# Beyond so many days a gold names a month or more.
_EXACT_DAYS = 8


def lies_ahead(question: QuestionReading, gold: Range | None) -> float:
    """Whether the day that is asked for lay ahead when it was told: a plan, which may still move."""
    if question.plan:
        return 1.0
    return float(gold is not None and question.evidence_day is not None and gold[0] > question.evidence_day)


def moves_from(said: tuple[Range, ...], gold: Range | None, answer: str) -> float:
    """Whether planned days differ from the gold's, in whichever year they are read."""
    if gold is None:
        return clash_of(said, gold, answer)
    months = {(gold[0].month + step - 1) % 12 + 1 for step in range(min(12, (gold[1] - gold[0]).days // 28 + 1))}
    wide = (gold[1] - gold[0]).days > _EXACT_DAYS
    return float(
        bool(said)
        and misses(said, gold)
        and not any(wide and (days[1] - days[0]).days <= 366 and days[0].month in months for days in said)
    )


def clash_of(said: tuple[Range, ...], gold: Range | None, answer: str) -> float:
    """Whether the days that are said differ from the gold's: 1, 0 where they agree, a half where the gold names no date."""
    if not said:
        return 0.0
    if gold is None:
        birthday = gold_day_of_month(answer)
        if birthday is not None:
            return float(not any(r[0].month == birthday[0] and r[0].day == birthday[1] for r in said))
        return 0.5
    if misses(said, gold):
        return 1.0
    return 0.6 if any(misses((days,), gold) for days in said) else 0.0


def misses(said: tuple[Range, ...], gold: Range) -> bool:
    return not any(r[0] <= gold[1] and gold[0] <= r[1] for r in said)

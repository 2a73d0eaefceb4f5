"""Dates that a matched time expression can mean, from its groups, the day it is said, and the tense of its clause."""

from __future__ import annotations

import calendar
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import date, timedelta

from twistcore.text.calendars import (
    DAY,
    HOLIDAYS,
    MONTHS,
    NUMBERS,
    WEEKDAYS,
    Range,
    holiday_range,
    month_range,
    parse_quantity,
    season_range,
    shift_months,
    units_ahead,
    units_back,
    week_ranges,
)
from twistcore.text.tense import Tense
from twistcore.text.time_patterns import ORDINALS, Kind

Groups = dict[str, str]

_BARE_BACK = {
    "day": (2, 14),
    "week": (10, 90),
    "month": (45, 400),
    "year": (600, 20000),
    "decade": (5000, 30000),
    "age": (180, 20000),
}
_BACKWARD = frozenset({"last", "this past", "past"})
_FORWARD = frozenset({"next", "this coming", "coming", "the coming", "the following"})


@dataclass(frozen=True, slots=True)
class Reading:
    """Ranges that an expression can mean; `worded` is -1, 1 or 0 where the words alone say past, future or now, else None."""

    ranges: tuple[Range, ...] = ()
    worded: int | None = None
    began: Range | None = None
    vague: bool = False
    impossible: bool = False


def read_match(kind: Kind, groups: Groups, moment: date, tense: Tense, copula: bool) -> Reading | None:
    """What a match means; None where it is no time expression after all. `copula` says that the governing verb is a form of be."""
    reader = {
        Kind.DATE: _date,
        Kind.HOLIDAY: _holiday,
        Kind.SEASON: _season,
        Kind.MONTH: _month,
        Kind.YEAR: _year,
        Kind.AGO: _ago,
        Kind.AHEAD: _ahead,
        Kind.COUNT: _count,
        Kind.SPAN: _span,
        Kind.WEEKDAY: _weekday,
        Kind.PERIOD: _period,
        Kind.DAY: _day,
    }.get(kind)
    if reader is None:
        return Reading(worded=-1, began=(date.min, moment - DAY * 1500))
    if copula and tense is Tense.PRESENT and kind is Kind.WEEKDAY:
        tense = Tense.FUTURE
    return reader(groups, moment, tense)


def _since(groups: Groups) -> bool:
    return groups.get("lead", "").strip().lower() in {"since", "ever since", "back in"}


def _modifier(groups: Groups) -> str:
    return groups.get("modifier", "").strip().lower()


def _choose(options: Iterable[Range], groups: Groups, moment: date, tense: Tense) -> Reading:
    """Which of a yearly event's dates is meant: by last/this/next, by "since", by tense; without a sign, both neighbours."""
    ordered = sorted(options)
    past = [option for option in ordered if option[0] <= moment]
    future = [option for option in ordered if option[1] >= moment]
    modifier = _modifier(groups)
    if modifier in _BACKWARD:
        ended = [option for option in past if option[1] < moment] or past
        recent = (moment - ended[-1][1]).days < 150 and modifier == "last"
        ranges = tuple(ended[-2:]) if recent else (ended[-1],)
        return Reading(ranges, worded=-1, began=(ranges[0][0], ranges[-1][1]))
    if modifier in _FORWARD:
        return Reading(tuple(option for option in future if option[0] > moment)[:1], worded=1)
    if _since(groups) or (tense.looks_back and modifier != "this"):
        return Reading((past[-1],), worded=-1 if _since(groups) else None, began=past[-1])
    if modifier == "this":
        return Reading((past[-1],) if tense.looks_back else (future[0],), worded=None, began=past[-1] if tense.looks_back else None)
    if tense.looks_ahead:
        return Reading((future[0],))
    return Reading((past[-1], future[0]), began=past[-1])


def _years(moment: date) -> range:
    return range(moment.year - 2, moment.year + 3)


def _date(groups: Groups, moment: date, tense: Tense) -> Reading | None:
    number = int(groups["day"]) if "day" in groups else ORDINALS[groups["ordinal"]]
    if not 1 <= number <= 31:
        return None
    if "month" not in groups and "month_number" not in groups:
        return _day_of_month(number, moment, tense)
    month = int(groups["month_number"]) if "month_number" in groups else MONTHS[groups["month"].rstrip(".").lower()]
    if not 1 <= month <= 12 or number > calendar.monthrange(2024, month)[1]:
        return Reading(impossible=True)
    if "year" in groups:
        try:
            day = date(int(groups["year"]), month, number)
        except ValueError:
            return Reading(impossible=True)
        return Reading(((day, day),), worded=-1 if day < moment else 1, began=(day, day))
    days = [date(year, month, number) for year in _years(moment) if number <= calendar.monthrange(year, month)[1]]
    return _choose([(day, day) for day in days], groups, moment, tense)


def _day_of_month(number: int, moment: date, tense: Tense) -> Reading:
    months = [shift_months(moment.replace(day=1), shift) for shift in range(-3, 4)]
    days = [first.replace(day=number) for first in months if number <= calendar.monthrange(first.year, first.month)[1]]
    return _choose([(day, day) for day in days], {}, moment, tense)


def _holiday(groups: Groups, moment: date, tense: Tense) -> Reading | None:
    number = next(int(name[7:]) for name in groups if name.startswith("holiday"))
    key = list(HOLIDAYS)[number]
    if "year" in groups:
        found = holiday_range(key, int(groups["year"]))
        return None if found is None else Reading((found,), worded=-1 if found[1] < moment else 1, began=found)
    wide = not _since(groups)
    ranges = [found for year in _years(moment) if (found := holiday_range(key, year, wide=wide)) is not None]
    return _choose(ranges, groups, moment, tense) if ranges else None


def _season(groups: Groups, moment: date, tense: Tense) -> Reading | None:
    name = groups["season"].lower()
    if not any(groups.get(part) for part in ("lead", "modifier", "article", "year", "stage")):
        return None
    if "year" in groups:
        found = season_range(name, int(groups["year"]))
        return Reading((found,), worded=-1 if found[1] < moment else 1, began=found)
    return _choose([season_range(name, year) for year in _years(moment)], groups, moment, tense)


def _month(groups: Groups, moment: date, tense: Tense) -> Reading:
    month = MONTHS[groups["month"].rstrip(".").lower()]
    if "year" in groups:
        found = month_range(int(groups["year"]), month)
        return Reading((found,), worded=-1 if found[1] < moment else 1, began=found)
    return _choose([month_range(year, month) for year in _years(moment)], groups, moment, tense)


def _year(groups: Groups, moment: date, tense: Tense) -> Reading | None:
    del tense
    year = int(groups["year"])
    if not any(groups.get(part) for part in ("lead", "stage")):
        return None
    found = (date(year, 1, 1), date(year, 12, 31))
    return Reading((found,), worded=-1 if year < moment.year else 1 if year > moment.year else 0, began=found)


def _ago(groups: Groups, moment: date, tense: Tense) -> Reading | None:
    del tense
    if "bare" in groups:
        near, far = _BARE_BACK[groups["bare"].lower()]
        found = (moment - timedelta(days=far), moment - timedelta(days=near))
        return Reading((found,), worded=-1, began=found, vague=True)
    return _quantified(groups, moment, back=True)


def _quantified(groups: Groups, moment: date, *, back: bool) -> Reading | None:
    amount = groups.get("amount", "one") + groups.get("half", "")
    quantity = parse_quantity(amount)
    if quantity is None:
        return None
    low, high, vague = quantity
    unit = {"yr": "year"}.get(groups["unit"].lower(), groups["unit"].lower())
    if groups.get("half"):
        low, high = (low, high) if "half" in amount and low % 1 else (low + 0.5, high + 0.5)
    found = units_back(moment, low, high, unit) if back else units_ahead(moment, low, high, unit)
    return Reading((found,), worded=-1 if back else 1, began=found if back else None, vague=vague)


def _ahead(groups: Groups, moment: date, tense: Tense) -> Reading | None:
    """ "In two weeks" lies ahead in a clause about the future; in one about the past it is a length."""
    if groups.get("lead") and (tense.looks_back or tense is Tense.CONDITIONAL):
        if tense is not Tense.PERFECT:
            return Reading()
        began = _quantified(groups, moment, back=True)
        return None if began is None else Reading(began=began.began, vague=began.vague)
    return _quantified(groups, moment, back=False)


def _count(groups: Groups, moment: date, tense: Tense) -> Reading | None:
    del tense
    word = groups["count"].lower()
    number = int(word) if word.isdigit() else NUMBERS[word]
    unit = groups["unit"].lower()
    low = number if unit == "day" else max(number - 1, 0)
    return Reading(began=units_back(moment, max(low - 1, 0), number + 1, unit), worded=0)


def _span(groups: Groups, moment: date, tense: Tense) -> Reading | None:
    """A length that reaches up to now has a beginning; one inside the past or the future has no date."""
    if "ahead" in groups:
        return Reading(worded=1)
    if "bare" in groups:
        near, far = _BARE_BACK[groups["bare"].lower()]
        if groups["for"].lower() == "in" and tense is not Tense.PERFECT:
            return None
        if tense not in (Tense.PERFECT, Tense.PROGRESSIVE, Tense.PRESENT):
            return Reading()
        return Reading(began=(moment - timedelta(days=far), moment - timedelta(days=near)), vague=True)
    reaches_now = (
        "past" in groups
        or "now" in groups
        or tense is Tense.PERFECT
        or groups.get("for", "").lower() in {"it's been", "it has been", "going on"}
    )
    if not reaches_now or tense is Tense.FUTURE:
        return Reading()
    found = _quantified(groups, moment, back=True)
    if found is None or found.began is None:
        return None
    return Reading(((found.began[0], moment),), began=found.began, vague=found.vague, worded=-1)


def _weekday(groups: Groups, moment: date, tense: Tense) -> Reading:
    target = WEEKDAYS[groups["weekday"].lower()]
    latest = moment - DAY * ((moment.weekday() - target - 1) % 7 + 1)
    coming = moment + DAY * ((target - moment.weekday() - 1) % 7 + 1)
    modifier = _modifier(groups)
    if modifier == "last":
        weeks = [week[0] + DAY * ((target - week[0].weekday()) % 7) for week in week_ranges(moment, -1)]
        days = dict.fromkeys([latest, *weeks])
        return Reading(tuple((day, day) for day in days), worded=-1, began=(min(days), max(days)))
    if modifier in {"this past", "past"}:
        return Reading(((latest, latest),), worded=-1, began=(latest, latest))
    if modifier == "next":
        weeks = [week[0] + DAY * ((target - week[0].weekday()) % 7) for week in week_ranges(moment, 1)]
        return Reading(tuple((day, day) for day in dict.fromkeys([coming, *weeks])), worded=1)
    if modifier in _FORWARD:
        return Reading(((coming, coming),), worded=1)
    if _since(groups) or tense.looks_back:
        same = ((moment, moment),) if modifier == "this" and moment.weekday() == target else ()
        return Reading(((latest, latest), *same), began=(latest, latest))
    same = ((moment, moment),) if moment.weekday() == target else ()
    if tense.looks_ahead:
        return Reading((*same, (coming, coming)))
    return Reading((*same, (latest, latest), (coming, coming)))


def _period(groups: Groups, moment: date, tense: Tense) -> Reading | None:
    modifier, unit = _modifier(groups), groups["unit"].lower()
    if unit == "semester":
        return Reading(worded=-1 if modifier == "last" else 1 if modifier == "next" else 0)
    step = -1 if modifier in _BACKWARD else 1 if modifier in _FORWARD else 0
    worded = step if modifier != "the" else None
    if unit == "month":
        first = shift_months(moment.replace(day=1), step)
        ranges: tuple[Range, ...] = (month_range(first.year, first.month),)
    elif unit == "year":
        ranges = ((date(moment.year + step, 1, 1), date(moment.year + step, 12, 31)),)
    elif unit == "week":
        ranges = tuple(dict.fromkeys(week_ranges(moment, step)))
    else:
        ranges = _weekends(moment, step, tense)
    if modifier in {"all", "the whole"}:
        worded = None
    return Reading(ranges, worded=worded, began=(min(r[0] for r in ranges), max(r[1] for r in ranges)) if step <= 0 else None)


def _weekends(moment: date, step: int, tense: Tense) -> tuple[Range, ...]:
    """Friday evening to Sunday. Inside a weekend "last weekend" may be this one or the one before."""
    running = moment.weekday() >= 5
    friday = moment - DAY * ((moment.weekday() - 4) % 7)
    previous = friday - DAY * 7 if moment.weekday() in {4, 5, 6} else friday
    coming = previous + DAY * 7
    pick = {
        -1: (previous, previous - DAY * 7) if not running and moment.weekday() != 0 else (previous,),
        1: (coming, coming + DAY * 7) if not running else (coming + DAY * 7,),
        0: (previous, coming) if not running else (coming,),
    }[step]
    if step == -1 and not running:
        pick = (previous,)
    if step == 0 and not running and tense.looks_back:
        pick = (previous,) if moment.weekday() != 4 else (previous, coming)
    return tuple((start, start + DAY * 2) for start in pick)


def _day(groups: Groups, moment: date, tense: Tense) -> Reading:
    del tense
    word = groups["word"].lower()
    shift = {"yesterday": -1, "last night": -1, "day before yesterday": -2, "tomorrow": 1, "day after tomorrow": 2}.get(word, 0)
    day = moment + DAY * shift
    return Reading(((day, day),), worded=shift and (1 if shift > 0 else -1), began=(day, day) if shift <= 0 else None)

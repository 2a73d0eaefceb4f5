"""Calendar arithmetic behind time expressions: holidays, seasons, quantities of days, weeks, months and years.

Holidays are those of the United States, where LoCoMo's speakers live, official and customary, by the `holidays` library.
Seasons are northern and generous: a season spans the meteorological and the astronomical reading.
"""

from __future__ import annotations

import calendar
import re
from datetime import date, timedelta
from functools import lru_cache

from holidays import US
from holidays.constants import PUBLIC, UNOFFICIAL

DAY = timedelta(days=1)
Range = tuple[date, date]

MONTHS = {name.lower(): number for number, name in enumerate(calendar.month_name) if name}
MONTHS |= {name.lower(): number for number, name in enumerate(calendar.month_abbr) if name} | {"sept": 9}
WEEKDAYS = {name.lower(): number for number, name in enumerate(calendar.day_name)}
WEEKDAYS |= {"mon": 0, "tue": 1, "tues": 1, "wed": 2, "weds": 2, "thu": 3, "thur": 3, "thurs": 3, "fri": 4, "sat": 5, "sun": 6}

_SMALL = (
    "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen "
    "seventeen eighteen nineteen twenty"
)
NUMBERS = {word: number for number, word in enumerate(_SMALL.split())}
NUMBERS |= {"thirty": 30, "forty": 40, "fifty": 50, "sixty": 60, "ninety": 90, "hundred": 100}
NUMBERS |= {
    f"{tens}-{unit}": NUMBERS[tens] + NUMBERS[unit]
    for tens in ("twenty", "thirty", "forty", "fifty")
    for unit in _SMALL.split()[1:10]
}
_VAGUE = {"couple": (2, 3), "few": (2, 6), "several": (3, 9), "many": (4, 40), "some": (2, 12), "handful": (3, 7)}

UNIT_DAYS = {
    "day": 1.0,
    "night": 1.0,
    "week": 7.0,
    "weekend": 7.0,
    "fortnight": 14.0,
    "month": 30.44,
    "year": 365.25,
    "decade": 3652.5,
}
_SLACK = {"day": 0.0, "night": 0.0, "week": 3.0, "weekend": 3.0, "fortnight": 3.0, "month": 15.0, "year": 120.0, "decade": 1200.0}

# Name in the library, and days before and after that people still call by the same name.
HOLIDAYS: dict[str, tuple[str, int, int]] = {
    r"(?:christmas|xmas)(?! eve)(?: day)?": ("Christmas Day", 1, 1),
    r"christmas eve": ("Christmas Eve", 0, 0),
    r"new year'?s eve": ("New Year's Eve", 0, 0),
    r"new year(?:'?s)?(?! eve)(?: day)?": ("New Year's Day", 1, 1),
    r"thanksgiving(?: day)?": ("Thanksgiving Day", 1, 3),
    r"black friday": ("Black Friday", 0, 0),
    r"cyber monday": ("Cyber Monday", 0, 0),
    r"halloween": ("Halloween", 1, 0),
    r"easter(?: sunday)?": ("Easter Sunday", 2, 1),
    r"good friday": ("Good Friday", 0, 0),
    r"(?:the )?(?:fourth|4th) of july|independence day": ("Independence Day", 0, 0),
    r"labor day": ("Labor Day", 3, 0),
    r"memorial day": ("Memorial Day", 3, 0),
    r"mother'?s'? day": ("Mother's Day", 0, 0),
    r"father'?s'? day": ("Father's Day", 0, 0),
    r"valentine(?:'?s'?)?(?: day)": ("Valentine's Day", 0, 0),
    r"(?:st\.?|saint) patrick'?s(?: day)?|st\.? paddy'?s(?: day)?": ("Saint Patrick's Day", 0, 0),
    r"(?:mlk|martin luther king(?: jr\.?)?) day": ("Martin Luther King Jr. Day", 3, 0),
    r"presidents'?s?'? day": ("Washington's Birthday", 3, 0),
    r"columbus day|indigenous peoples'? day": ("Columbus Day", 3, 0),
    r"veterans'? day": ("Veterans Day", 1, 1),
    r"juneteenth": ("Juneteenth National Independence Day", 0, 0),
    r"groundhog day": ("Groundhog Day", 0, 0),
    r"april fools?'?s?'?(?: day)?": ("April Fools' Day", 0, 0),
    r"cinco de mayo": ("Cinco de Mayo", 0, 0),
    r"boxing day": ("Boxing Day", 0, 0),
    r"(?:super bowl|superbowl)(?: sunday)?": ("Super Bowl", 0, 0),
    r"pride month": ("Pride Month", 0, 29),
}
_OWN_DAYS = {"April Fools' Day": (4, 1), "Cinco de Mayo": (5, 5), "Boxing Day": (12, 26), "Pride Month": (6, 1)}


def shift_months(day: date, months: int) -> date:
    """The same day of the month, `months` later (earlier if negative), or the month's last day."""
    index = day.year * 12 + day.month - 1 + months
    year, month = divmod(index, 12)
    return date(year, month + 1, min(day.day, calendar.monthrange(year, month + 1)[1]))


def month_range(year: int, month: int) -> Range:
    """First and last day of a month."""
    return date(year, month, 1), date(year, month, calendar.monthrange(year, month)[1])


def week_ranges(moment: date, weeks: int) -> tuple[Range, Range]:
    """The week `weeks` from the current one, as Monday-start and as Sunday-start calendars have it."""
    monday = moment - DAY * moment.weekday() + timedelta(weeks=weeks)
    sunday = moment - DAY * ((moment.weekday() + 1) % 7) + timedelta(weeks=weeks)
    return (monday, monday + DAY * 6), (sunday, sunday + DAY * 6)


@lru_cache(maxsize=64)
def _us_holidays(year: int) -> dict[str, date]:
    listed = US(years=year, observed=False, categories=(PUBLIC, UNOFFICIAL))
    out = {name: day for day, joined in listed.items() for name in str(joined).split("; ")}
    out |= {name: date(year, month, day) for name, (month, day) in _OWN_DAYS.items()}
    out["Black Friday"] = out["Thanksgiving Day"] + DAY
    out["Cyber Monday"] = out["Thanksgiving Day"] + DAY * 4
    first = date(year, 2, 1)
    out["Super Bowl"] = first + DAY * ((6 - first.weekday()) % 7 + 7)
    return out


def holiday_range(key: str, year: int, *, wide: bool = True) -> Range | None:
    """Days of a year that go by the name of the holiday whose pattern in `HOLIDAYS` is `key`; None where the year has none.

    Not `wide`: the day itself.
    """
    name, before, after = HOLIDAYS[key]
    day = _us_holidays(year).get(name)
    if day is None:
        return None
    return (day - DAY * before, day + DAY * after) if wide else (day, day)


def season_range(name: str, year: int) -> Range:
    """A season that begins in `year`; winter runs into the next."""
    start, end = {"spring": (3, 6), "summer": (6, 9), "fall": (9, 12), "autumn": (9, 12), "winter": (12, 3)}[name]
    last = {6: 21, 9: 22, 12: 21, 3: 20}[end]
    return date(year, start, 1), date(year + (end < start), end, last)


_QUANTITY = re.compile(
    r"(?P<half>half an? )|(?:an? )?(?P<vague>couple|few|several|many|some|handful)(?: of)?\b|(?P<number>\d+|[a-z]+(?:-[a-z]+)?)"
    r"(?P<more> and a half)?",
    re.IGNORECASE,
)


def parse_quantity(words: str) -> tuple[float, float, bool] | None:
    """Lowest and highest number that a quantity can mean, and whether it is vague: "two", "a few", "a year and a half"."""
    text = words.lower().strip()
    loose = re.match(
        r"(?:about|around|almost|nearly|roughly|over|more than|at least|maybe|like|close to|less than|under|well "
        r"over|just over|barely)\s+",
        text,
    )
    text = text[loose.end() :] if loose else text
    text = re.sub(r"^(?:just|only|exactly|a full|a whole|a good|the|these|those|another|every)\s+", "", text)
    match = _QUANTITY.match(text or "one")
    if match is None:
        return None
    low, high, vague = 1.0, 1.0, loose is not None
    if match["half"]:
        low = high = 0.5
    elif match["vague"]:
        low, high = _VAGUE[match["vague"]]
        vague = True
    elif match["number"] in {"a", "an"} or text in {"full", "whole", "good"}:
        pass
    elif match["number"].isdigit():
        low = high = float(match["number"])
    elif match["number"] in NUMBERS:
        low = high = float(NUMBERS[match["number"]])
    else:
        return None
    if match["more"]:
        low, high = low + 0.5, high + 0.5
    return (low * 0.8, high * 1.3, True) if loose else (low, high, vague)


def units_back(moment: date, low: float, high: float, unit: str) -> Range:
    """First and last day that can be meant by that many units before `moment`, with the looseness that people allow themselves."""
    return _safe(moment, -_far(high, unit)), _safe(moment, -_near(low, unit))


def units_ahead(moment: date, low: float, high: float, unit: str) -> Range:
    """First and last day that can be meant by that many units after `moment`."""
    return _safe(moment, _near(low, unit)), _safe(moment, _far(high, unit))


def _near(low: float, unit: str) -> float:
    slack = _slack(low, unit)
    return max(0.0 if unit in {"day", "night"} else 1.0, low * UNIT_DAYS[unit] - slack)


def _far(high: float, unit: str) -> float:
    return high * UNIT_DAYS[unit] + _slack(high, unit)


def _slack(number: float, unit: str) -> float:
    if unit in {"day", "night"}:
        return 0.0 if number < 8 else 2.0
    if unit == "month" and number <= 1:
        return 10.0
    return max(_SLACK[unit], 0.8 * number if unit == "week" else 0.0)


def _safe(moment: date, days: float) -> date:
    try:
        return moment + timedelta(days=round(days))
    except OverflowError:
        return date.min if days < 0 else date.max

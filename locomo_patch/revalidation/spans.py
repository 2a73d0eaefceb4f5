"""Times, lengths, frequencies and ordinals that a text states, as plain values that can be compared with a gold answer.

A turn may correct an answer only by stating another value, so what is said is compared as a value (six years, since 2017) and not
as a word. Resolved dates come from `twistcore.text.times`; here are lengths, how often, which one in a row, and the golds.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import date, timedelta
from functools import lru_cache

from twistcore.text.calendars import NUMBERS, Range, month_range, season_range

_MONTHS = ["january", "february", "march", "april", "may", "june", "july", "august", "september", "october", "november", "december"]
_WORDS = "|".join(sorted((word for word in NUMBERS if word.isalpha()), key=len, reverse=True))
_NUMBER = rf"(?:\d+(?:\.\d+)?|{_WORDS}|an?|half an?|a couple(?: of)?|a few|several)"
_UNIT = r"(?:minute|hour|day|night|week|month|year|yr|summer|winter|season|decade)"
_UNIT_DAYS = {
    "minute": 1 / 1440,
    "hour": 1 / 24,
    "day": 1.0,
    "night": 1.0,
    "week": 7.0,
    "month": 30.44,
    "year": 365.25,
    "yr": 365.25,
    "summer": 365.25,
    "winter": 365.25,
    "season": 365.25,
    "decade": 3652.5,
}
_LENGTH = re.compile(
    rf"(?P<not>\b(?:not|than|instead of|rather than|never) (?:(?:just|only|even|the|for|my|about"
    rf"|those) ){{0,2}})?\b(?P<number>{_NUMBER})"
    rf"(?P<half> and a half)?[ -](?:(?:more|whole|full|long|good|solid|straight"
    rf"|muddy) )?(?P<unit>{_UNIT})s?(?P<half2> and a half)?\b"
    r"(?! (?:old )?(?:kids?|people))"
)
_CONTRAST = re.compile(
    rf"\b(?:not|and not|rather than|instead of|never)(?: just| only)? (?P<number>{_NUMBER})\b(?! (?:of|bad|single|more))"
)
_AGE = re.compile(
    rf"\b(?:is|was|are|turned|turns|he's|she's|they're) (?:about |nearly |almost )?(?P<number>\d+|{_WORDS})\b(?! (?:of|times))"
)
_ORDINALS = {
    "second": 2,
    "third": 3,
    "fourth": 4,
    "fifth": 5,
    "sixth": 6,
    "seventh": 7,
    "eighth": 8,
    "ninth": 9,
    "tenth": 10,
    "eleventh": 11,
    "twelfth": 12,
}
_ORDINAL = re.compile(rf"\b(?:(?P<word>{'|'.join(_ORDINALS)})|number (?P<after>\d+|{_WORDS})|(?P<digits>\d+)(?:st|nd|rd|th))\b")
_TIMES = re.compile(rf"\b(?:(?P<once>once|twice|thrice)|(?P<number>\d+|{_WORDS}) times)\b")
_FREQUENCY = re.compile(
    r"\b(?:(?:once|twice|thrice|\w+ times|\w+ (?:days|nights|mornings|evenings)) (?:a|an|per|every|each) (?:day|week|month|year)"
    r"|every (?:other |single )?(?:few |couple of |two |three |six )?(?:days?|night|mornings?|evenings?|weeks?|weekends?"
    r"|months?|years?"
    r"|(?:mon|tues|wednes|thurs|fri|satur|sun)day)"
    r"|daily|weekly|monthly|yearly|nightly|(?:seven|five|six) days a week"
    r"|(?:first|last|second|third) (?:mon|tues|wednes|thurs|fri|satur|sun)day of (?:every|each|the) month"
    r"|on (?:mon|tues|wednes|thurs|fri|satur|sun)days|(?:mon|tues|wednes|thurs|fri|satur|sun)day (?:mornings|evenings|nights"
    r"|afternoons)"
    r"|(?:on )?(?:(?:mon|tues|wednes|thurs|fri|satur|sun)days|weekends|weekdays)\b|(?:first|last|second"
    r"|third) (?:\w+ )?of (?:every|each|the) month"
    r"|every (?:single )?(?:dawn|sunrise|sunset|afternoon|hour|season|quarter|summer|winter|spring|fall)|(?:each"
    r"|most) (?:days?|mornings?|nights?|weeks?|weekends?|months?)"
    r"|(?:once|twice|three times|four times) (?:a|an|per|every|each) (?:season|quarter|fortnight)|fortnightly|quarterly"
    r"|annually|biweekly"
    r"|before breakfast and again|morning and (?:night|evening)|around the clock|hardly ever|rarely)\b"
)
_GOLD_DAY = re.compile(
    rf"(?:(?P<day1>\d{{1,2}})(?:st|nd|rd|th)? ?(?:of )?)?(?P<month>{'|'.join(_MONTHS)})\.?(?: (?P<day2>\d{{1,2}})(?:st|nd|rd"
    rf"|th)?\b)?"
    r"(?:,|\.)? ?(?P<year>(?:19|20)\d\d)?"
)
_GOLD_SEASON = re.compile(r"\b(?P<season>spring|summer|fall|autumn|winter)(?: of)? (?P<year>(?:19|20)\d\d)\b")
_GOLD_YEAR = re.compile(r"\b((?:19|20)\d\d)\b")
_DAY_ORDINALS = {
    word: number
    for number, word in enumerate(
        [
            "first",
            "second",
            "third",
            "fourth",
            "fifth",
            "sixth",
            "seventh",
            "eighth",
            "ninth",
            "tenth",
            "eleventh",
            "twelfth",
            "thirteenth",
            "fourteenth",
            "fifteenth",
            "sixteenth",
            "seventeenth",
            "eighteenth",
            "nineteenth",
            "twentieth",
            "twenty-first",
            "twenty-second",
            "twenty-third",
            "twenty-fourth",
            "twenty-fifth",
            "twenty-sixth",
            "twenty-seventh",
            "twenty-eighth",
            "twenty-ninth",
            "thirtieth",
            "thirty-first",
        ],
        start=1,
    )
}
_DAY_OF_MONTH = re.compile(
    rf"(?:(?:\w+day), the |\b(?:on|dated|says|stamped|since|from|until) the )"
    rf"(?P<word>{'|'.join(sorted(_DAY_ORDINALS, key=len, reverse=True))}|\d{{1,2}}(?:st|nd|rd|th))\b(?! (?:time|day|try|attempt"
    rf"|of (?!{'|'.join(_MONTHS)})|\w+ of))"
)
_LOOSE_BEFORE = re.compile(r"\bbefore\b|\bprior\b")
_LOOSE_AFTER = re.compile(r"\bafter\b")


@dataclass(frozen=True, slots=True)
class Length:
    """A stretch of time in days; `denied` where it is named only to be set aside (not five, than the seven years I tell)."""

    days: float
    number: float
    unit: str
    denied: bool


@lru_cache(maxsize=4096)
def number_of(words: str) -> float | None:
    """The number that a word or digits mean; None for none."""
    text = words.strip().lower()
    if text in ("a", "an"):
        return 1.0
    if text.startswith("half"):
        return 0.5
    if text.startswith("a couple"):
        return 2.0
    if text in ("a few", "several"):
        return 3.0
    if text in NUMBERS:
        return float(NUMBERS[text])
    try:
        return float(text)
    except ValueError:
        return None


@lru_cache(maxsize=8192)
def lengths(text: str) -> tuple[Length, ...]:
    """The stretches of time that a text names, in reading order, with numbers that stand in contrast to them ("twelve years, not
    ten")."""
    found: list[tuple[int, Length]] = []
    lowered = text.lower().replace("’", "'")
    for match in _LENGTH.finditer(lowered):
        number = number_of(match["number"])
        if number is None:
            continue
        if match["half"] or match["half2"]:
            number += 0.5
        unit = match["unit"]
        found.append((match.start(), Length(number * _UNIT_DAYS[unit], number, unit, match["not"] is not None)))
    for match in _CONTRAST.finditer(lowered):
        number = number_of(match["number"])
        before = [length for start, length in found if start < match.start() and not length.denied]
        if number is not None and before:
            unit = "year" if before[-1].unit == "decade" else before[-1].unit
            found.append((match.start(), Length(number * _UNIT_DAYS[unit], number, unit, denied=True)))
    return tuple(length for _, length in sorted(found, key=lambda item: item[0]))


@lru_cache(maxsize=8192)
def contrasted(text: str) -> tuple[float, ...]:
    """Numbers that a text names only to set them aside: "not five", "and not one"."""
    found = [number_of(match["number"]) for match in _CONTRAST.finditer(text.lower().replace("’", "'"))]
    return tuple(number for number in found if number is not None)


@lru_cache(maxsize=8192)
def ages(text: str) -> tuple[float, ...]:
    """Bare numbers that a form of be ascribes: "Max is eleven", "she turned nine"."""
    found = [number_of(match["number"]) for match in _AGE.finditer(text.lower().replace("’", "'"))]
    return tuple(number for number in found if number is not None)


@lru_cache(maxsize=8192)
def ordinals(text: str) -> tuple[int, ...]:
    """Places in a row that a text names: third, number four, 2nd."""
    found: list[int] = []
    for match in _ORDINAL.finditer(text.lower()):
        if match["word"]:
            found.append(_ORDINALS[match["word"]])
        elif match["digits"]:
            found.append(int(match["digits"]))
        else:
            number = number_of(match["after"])
            if number is not None:
                found.append(int(number))
    return tuple(found)


@lru_cache(maxsize=8192)
def counts(text: str) -> tuple[int, ...]:
    """How many times a text says that something was: once, twice, three times, or a number that it begins with."""
    found: list[int] = []
    lowered = text.lower()
    for match in _TIMES.finditer(lowered):
        number = {"once": 1.0, "twice": 2.0, "thrice": 3.0}.get(match["once"] or "") or number_of(match["number"] or "")
        if number is not None:
            found.append(int(number))
    first = re.match(rf"\W*(?:about |at least |over |around )?({_WORDS}|\d+)\b", lowered)
    if not found and first:
        number = number_of(first[1])
        if number is not None:
            found.append(int(number))
    return tuple(found)


@lru_cache(maxsize=8192)
def frequencies(text: str) -> tuple[str, ...]:
    """How often, as the text says it: "every Sunday", "twice a week"."""
    return tuple(match.group() for match in _FREQUENCY.finditer(text.lower()))


@lru_cache(maxsize=8192)
def days_of_month(text: str) -> tuple[int, ...]:
    """Days of a month that a text names by number alone: "on the fourteenth", "last Thursday, the third"."""
    return tuple(
        _DAY_ORDINALS.get(match["word"]) or int(re.sub(r"\D", "", match["word"])) for match in _DAY_OF_MONTH.finditer(text.lower())
    )


@lru_cache(maxsize=8192)
def gold_day(answer: str) -> int | None:
    """The day of the month of a gold that is one exact day; None otherwise."""
    lowered = answer.lower()
    if _LOOSE_BEFORE.search(lowered) or _LOOSE_AFTER.search(lowered) or "week" in lowered or "around" in lowered:
        return None
    match = _GOLD_DAY.search(lowered)
    day = (match["day1"] or match["day2"]) if match else None
    return int(day) if day else None


@lru_cache(maxsize=8192)
def gold_range(answer: str) -> Range | None:
    """The days that a dated gold answer can mean; None where it names no date. Relative golds (the week before) are widened."""
    lowered = answer.lower()
    ranges: list[Range] = []
    years = _GOLD_YEAR.findall(lowered)
    for match in _GOLD_DAY.finditer(lowered):
        if match["month"] == "may" and not (match["year"] or match["day1"] or match["day2"]):
            continue
        year = match["year"] or (years[0] if len(set(years)) == 1 else None)
        if year is not None:
            ranges.append(_day_range(match, int(year)))
    for match in _GOLD_SEASON.finditer(lowered):
        ranges.append(season_range(match["season"], int(match["year"])))
    if not ranges:
        ranges = [(date(int(year), 1, 1), date(int(year), 12, 31)) for year in years]
    if not ranges:
        return None
    joined = re.search(r"\b\d{1,2} (?:and|to|-) (\d{1,2}),? (?:19|20)\d\d\b", lowered)
    if joined and ranges[0][0].day < int(joined[1]) <= 28:
        ranges.append((ranges[0][0].replace(day=int(joined[1])), ranges[0][0].replace(day=int(joined[1]))))
    first, last = min(r[0] for r in ranges), max(r[1] for r in ranges)
    if _LOOSE_BEFORE.search(lowered):
        first -= timedelta(days=16)
    if _LOOSE_AFTER.search(lowered):
        last += timedelta(days=10)
    if "around" in lowered:
        first, last = first - timedelta(days=10), last + timedelta(days=10)
    return first, last


def _day_range(match: re.Match[str], year: int) -> Range:
    month = _MONTHS.index(match["month"]) + 1
    span = month_range(year, month)
    day = match["day1"] or match["day2"]
    if day and 1 <= int(day) <= span[1].day:
        return span[0].replace(day=int(day)), span[0].replace(day=int(day))
    return span


@lru_cache(maxsize=8192)
def gold_day_of_month(answer: str) -> tuple[int, int] | None:
    """Month and day of a gold that names no year (a birthday); None otherwise."""
    match = _GOLD_DAY.search(answer.lower())
    if match is None or match["year"]:
        return None
    day = match["day1"] or match["day2"]
    return (_MONTHS.index(match["month"]) + 1, int(day)) if day else None

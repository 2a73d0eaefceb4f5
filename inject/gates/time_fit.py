"""Calendar checks of gate `time_wrong`: expressions that must mean the same day, and holidays and seasons of the wrong time."""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import date
from itertools import pairwise
from typing import TYPE_CHECKING

from inject.gates.time_now import UNREAL, now_faults
from twistcore.text.calendars import (
    DAY,
    HOLIDAYS,
    Range,
    holiday_range,
    parse_quantity,
    season_range,
    units_ahead,
)
from twistcore.text.tense import Tense, tense_of
from twistcore.text.time_patterns import Kind
from twistcore.text.times import TimeExpression, overlaps

if TYPE_CHECKING:
    from spacy.tokens import Doc

_SAME = re.compile(
    r"^[\s,(]*(?:(?:is|was|'s|falls|fell|came|comes) )?(?:(?:on|just|only|right|already|exactly|up|literally|"
    r"the) )*$"
)
_DAYLIKE = frozenset({Kind.DATE, Kind.WEEKDAY, Kind.DAY, Kind.AGO, Kind.AHEAD, Kind.PERIOD})
_APART = frozenset({"after", "since", "ever since", "until", "till", "before", "by", "around", "from", "of", "through"})
_SEASON = r"(spring|summer|fall|autumn|winter)"
_NEAR = re.compile(
    r"^\s*(?:is|'s)\s+(?:just |right |almost |already )*(?:around the corner|here|coming up|upon us|almost "
    r"here)\b",
    re.IGNORECASE,
)
_GREETING = re.compile(r"\b(?:happy|merry)\s+$", re.IGNORECASE)
_COUNTDOWN = re.compile(
    r"\b(?P<amount>(?:an?|\d{1,3}|two|three|four|five|six|seven|eight|nine|ten|(?:a )?couple(?: of)?|(?:a "
    r")?few)) (?P<unit>day|week|month)s? (?:until|till|before|away from|to go until|left until|out from|to)"
    r"\s+$",
    re.IGNORECASE,
)


def calendar_faults(doc: Doc, found: tuple[TimeExpression, ...], moment: date) -> Iterator[str]:
    """Reasons why the expressions of a text said on `moment` cannot be right."""
    text = doc.text.replace("\u2019", "'")
    yield from _pairs(doc, text, found, moment)
    yield from now_faults(doc, text, found, moment)
    for expression in found:
        if expression.kind is Kind.SEASON and not expression.generic:
            yield from _season(doc, expression, text, moment)
        if expression.kind is Kind.HOLIDAY and not expression.generic:
            yield from _holiday(expression, text, moment)


def _pairs(doc: Doc, text: str, found: tuple[TimeExpression, ...], moment: date) -> Iterator[str]:
    """Neighbours that name one day twice, and a holiday in one clause with the day on which it is kept."""
    for left, right in pairwise(found):
        kinds = {left.kind, right.kind}
        if not kinds <= _DAYLIKE | {Kind.HOLIDAY} or left.generic or right.generic or {left.lead, right.lead} & _APART:
            continue
        touching = _SAME.match(text[left.end : right.start]) is not None
        if kinds == {Kind.HOLIDAY} or not (touching or (Kind.HOLIDAY in kinds and _same_clause(doc, left, right))):
            continue
        if _disagree(left, right, moment, touching=touching):
            yield f"{left.text!r} and {right.text!r} are not the same day"
    yield from _countdowns(text, found, moment)


def _disagree(left: TimeExpression, right: TimeExpression, moment: date, *, touching: bool) -> bool:
    """Whether two names of one day cannot both be right. A bare weekday beside another name only says which weekday it is."""
    kinds = {left.kind, right.kind}
    one, other = (right, left) if right.kind in {Kind.HOLIDAY, Kind.WEEKDAY} and left.kind is not Kind.HOLIDAY else (left, right)
    weekday = next(
        (expression for expression in (left, right) if expression.kind is Kind.WEEKDAY and not expression.modifier), None
    )
    if weekday is not None:
        named = left if weekday is right else right
        days = _every_year(named, moment, nearest=True) if named.kind is Kind.HOLIDAY else named.readings
        if named.kind is Kind.PERIOD or not touching or not days or not weekday.readings:
            return False
        return not any(weekday.readings[0][0].weekday() in _weekdays(days_range) for days_range in days)
    if one.kind is Kind.HOLIDAY:
        days = _every_year(one, moment)
        before = 45 if one.lead == "for" or not touching else 2
        return bool(days and other.readings) and not _meets(other.readings, days, before, 4 if touching else 10)
    if Kind.DATE in kinds and len(kinds) == 2 and left.readings and right.readings:
        return not _meets(left.readings, right.readings, 3, 3)
    return False


def _weekdays(days: Range) -> set[int]:
    return {(days[0] + DAY * step).weekday() for step in range(min((days[1] - days[0]).days + 1, 7))}


def _same_clause(doc: Doc, left: TimeExpression, right: TimeExpression) -> bool:
    between = doc[left.token + 1 : right.token]
    return not any(token.pos_ in {"VERB", "AUX", "CCONJ", "SCONJ"} or token.text in {";", "."} for token in between)


def _every_year(holiday: TimeExpression, moment: date, *, nearest: bool = False) -> tuple[Range, ...]:
    """A holiday's days in the years around; `nearest` leaves those that its clause can mean."""
    if nearest:
        return holiday.readings
    key = _holiday_key(holiday)
    ranges = [holiday_range(key, year) for year in range(moment.year - 3, moment.year + 2)] if key is not None else []
    return tuple(found for found in ranges if found is not None)


def _holiday_key(holiday: TimeExpression) -> str | None:
    return next((key for key in HOLIDAYS if re.search(rf"\b(?:{key})", holiday.text.replace("\u2019", "'"), re.IGNORECASE)), None)


def _meets(left: tuple[Range, ...], right: tuple[Range, ...], before: int, after: int) -> bool:
    return any(overlaps(one, two, before, after) for one in left for two in right)


def _countdowns(text: str, found: tuple[TimeExpression, ...], moment: date) -> Iterator[str]:
    """ "Two weeks until Christmas" said in a present clause."""
    for expression in found:
        match = _COUNTDOWN.search(text[: expression.start + (len(expression.lead) + 1 if expression.lead else 0)])
        if (
            expression.kind is not Kind.HOLIDAY
            or match is None
            or expression.tense.looks_back
            or UNREAL.search(text[: expression.start])
        ):
            continue
        quantity = parse_quantity(match["amount"])
        if quantity is None:
            continue
        ahead = units_ahead(moment, quantity[0], quantity[1], match["unit"].lower())
        if not _meets((ahead,), _every_year(expression, moment), 6, 6):
            yield f"{match.group().strip()!r} does not lead to {expression.text!r}"


def is_unreal(doc: Doc, expression: TimeExpression) -> bool:
    """Whether the sentence up to the expression supposes rather than tells ("if they called me tomorrow")."""
    sentence = doc[expression.token].sent
    return UNREAL.search(doc.text[sentence.start_char : expression.start]) is not None


def _season(doc: Doc, expression: TimeExpression, text: str, moment: date) -> Iterator[str]:
    name = re.search(_SEASON, expression.text, re.IGNORECASE)
    if name is None:
        return
    seasons = [season_range(name[1].lower(), year) for year in range(moment.year - 2, moment.year + 2)]
    past = [season for season in seasons if season[0] - DAY * 14 <= moment][-1]
    ended = (moment - past[1]).days
    ahead = (next(season for season in seasons if season[1] >= moment)[0] - moment).days
    wrong = f"{expression.text!r} does not fit the time of year"
    if expression.modifier == "this":
        limit = 200 if past[1].year == moment.year else 120
        if (expression.tense.looks_back and ended > limit) or (expression.tense is Tense.FUTURE and ahead > 250):
            yield wrong
    elif expression.modifier in {"all", "the whole"} and ended > 60 and _is_perfect(doc, expression):
        yield wrong
    elif expression.lead == "of" and expression.tense.looks_back and ended > 100:
        before = text[: expression.start].lower().split()[-3:]
        if any(
            re.fullmatch(r"first|second|third|fourth|fifth|sixth|seventh|eighth|ninth|tenth|last|\d+(?:st|nd|rd|th)", word)
            for word in before
        ):
            yield wrong


def _is_perfect(doc: Doc, expression: TimeExpression) -> bool:
    """Whether the clause, or where the parse has lost it the sentence, is in the present perfect."""
    if expression.tense is not Tense.NONE:
        return expression.tense is Tense.PERFECT
    return any(tense_of(token) is Tense.PERFECT for token in doc[expression.token].sent if token.pos_ == "VERB")


def _holiday(expression: TimeExpression, text: str, moment: date) -> Iterator[str]:
    days = _every_year(expression, moment)
    if not days or expression.modifier.startswith(("last", "next")):
        return
    past = max((day for day in days if day[0] <= moment), default=None)
    future = min((day for day in days if day[1] >= moment), default=None)
    since = (moment - past[1]).days if past is not None else 400
    ahead = (future[0] - moment).days if future is not None else 400
    if (
        _GREETING.search(text[: expression.start])
        and not expression.lead
        and min(ahead, since) > 31
        and not UNREAL.search(text[: expression.start])
    ):
        yield f"{expression.text!r} is {min(ahead, since)} days away"
    elif _NEAR.match(text[expression.end :]) and ahead > 75 and since > 7:
        yield f"{expression.text!r} is {ahead} days ahead"
    elif expression.lead == "for" and expression.tense in {Tense.PROGRESSIVE, Tense.FUTURE} and ahead > 300 and 4 < since < 65:
        yield f"{expression.text!r} is just over"

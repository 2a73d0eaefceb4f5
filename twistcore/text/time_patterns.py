"""Surface patterns of English time expressions. `twistcore.text.times` gives them a date.

Each pattern names its groups; where two patterns overlap the earlier in `PATTERNS` wins. Only words that tell a calendar
date, a distance or a length are here: "soon", "lately", "these days" name no date.
"""

from __future__ import annotations

import re
from enum import StrEnum

from twistcore.text.calendars import HOLIDAYS, NUMBERS


class Kind(StrEnum):
    """What sort of expression it is."""

    DATE = "date"
    HOLIDAY = "holiday"
    SEASON = "season"
    MONTH = "month"
    YEAR = "year"
    AGO = "ago"
    AHEAD = "ahead"
    COUNT = "count"
    SPAN = "span"
    WEEKDAY = "weekday"
    PERIOD = "period"
    DAY = "day"
    LIFE = "life"


_NUMBER = "|".join(sorted(NUMBERS, key=len, reverse=True))
_UNIT = r"(?P<unit>day|night|week|weekend|fortnight|month|year|yr|decade)s?"
_LOOSE = (
    r"(?:(?:about|around|almost|nearly|roughly|over|more than|at least|maybe|like|close to|less than|under|"
    r"just|only|exactly|barely|well over|just over) )?"
)
_AMOUNT = (
    rf"(?P<amount>{_LOOSE}(?:half an?|(?:a )?couple(?: of)?|(?:a )?few|several|many|some|a handful of|(?:an?|"
    rf"another) (?:full|whole|good)|another|(?:\d{{1,3}}|an?|{_NUMBER}))(?: (?:full|whole|solid|straight|long|"
    rf"happy))?)"
)
_HALF = r"(?P<half> and a half)?"
_MONTHS = "January|February|March|April|May|June|July|August|September|October|November|December"
_SHORT = r"Jan|Feb|Mar|Apr|Jun|Jul|Aug|Sept?|Oct|Nov|Dec"
_MONTH = rf"(?P<month>{_MONTHS}|(?:{_SHORT})\b\.?)"
_YEAR = r"(?P<year>(?:19|20)\d\d)"
_TO_WEEKDAY = r"(?P<lead>[Oo]n |[Ss]ince |[Uu]ntil |[Tt]ill |[Bb]y |[Ff]or |[Bb]efore |[Aa]fter )?"
_WEEKDAY = r"(?P<weekday>(?:Mon|Tues|Wednes|Thurs|Fri|Satur|Sun)day|Tues?|Weds?|Thur?s?|Fri|Sat|Mon|Sun)"
_PART = r"(?: (?P<part>early |late )?(?:morning|afternoon|evening|night|noon|lunchtime))?"
_MODIFIER = (
    r"(?P<modifier>(?:[Tt]his (?:past|coming)|[Tt]his|[Ll]ast|[Nn]ext|[Pp]ast|(?:the )?[Cc]oming|[Tt]he following|"
    r"[Ee]very(?: other| single)?|[Ee]ach|[Aa]ll|[Tt]he whole|[Mm]ost) )?"
)
_LEAD = (
    r"(?P<lead>(?:[Bb]ack in|[Ee]ver since|[Ss]ince|[Ii]n|[Dd]uring|[Oo]ver|[Uu]ntil|[Tt]ill|[Bb]y|[Bb]efore|"
    r"[Aa]fter|[Oo]n|[Aa]t|[Ff]or|[Ff]rom|[Oo]f|[Aa]round|[Aa]ll through|[Tt]hrough|[Tt]hroughout) )?"
)
_STAGE = r"(?P<stage>(?:the )?(?:(?:very )?(?:beginning|start|middle|end) of |early |late |mid[- ]?))?"
_DAY_NUMBER = r"(?P<day>\d{1,2})"
_ORDINALS = (
    "first second third fourth fifth sixth seventh eighth ninth tenth eleventh twelfth thirteenth fourteenth "
    "fifteenth sixteenth seventeenth eighteenth nineteenth twentieth twenty-first twenty-second twenty-third "
    "twenty-fourth twenty-fifth twenty-sixth twenty-seventh twenty-eighth twenty-ninth thirtieth thirty-first"
)
ORDINALS = {word: number for number, word in enumerate(_ORDINALS.split(), start=1)}
_ORDINAL = rf"(?P<ordinal>{'|'.join(sorted(ORDINALS, key=len, reverse=True))})"
_HOLIDAY = "|".join(f"(?P<holiday{number}>{pattern})" for number, pattern in enumerate(HOLIDAYS))
_SEASON_NAME = r"(?:[Ss]pring|[Ss]ummer|[Aa]utumn|[Ff]all|[Ww]inter)"
_SEASON = r"(?P<season>[Ss]pring|[Ss]ummer|[Aa]utumn|[Ff]all|[Ww]inter)(?P<plural>s?)"

PATTERNS: tuple[tuple[Kind, re.Pattern[str]], ...] = tuple(
    (kind, re.compile(pattern, flags))
    for kind, pattern, flags in (
        (Kind.DATE, rf"\b(?P<year>(?:19|20)\d\d)-(?P<month_number>\d\d)-{_DAY_NUMBER}\b", 0),
        (Kind.HOLIDAY, rf"\b{_LEAD}(?:the )?{_MODIFIER}(?i:{_HOLIDAY})(?:(?: of)? {_YEAR})?\b(?P<possessive>'s)?", 0),
        (Kind.DATE, rf"\b{_LEAD}{_MONTH} (?:the )?{_DAY_NUMBER}(?:st|nd|rd|th)?(?:,? {_YEAR})?\b(?![:%]|\s?(?:am|pm)\b)", 0),
        (Kind.DATE, rf"\b{_LEAD}{_MONTH} (?:the )?{_ORDINAL}\b", 0),
        (Kind.DATE, rf"\b{_LEAD}(?:the )?{_DAY_NUMBER}(?:st|nd|rd|th)?(?: of)? {_MONTH}(?:,? {_YEAR})?\b", 0),
        (Kind.DATE, rf"\b{_LEAD}(?:the )?{_ORDINAL} of {_MONTH}(?:,? {_YEAR})?\b", 0),
        (
            Kind.DATE,
            r"(?:\b(?P<lead>[Oo]n )|(?<=day )|(?<=day, ))the (?P<day>\d{1,2})(?:st|nd|rd|th)\b(?! \w+ (?:floor|street|"
            r"try|attempt|time)\b)",
            0,
        ),
        (
            Kind.SEASON,
            rf"\b{_LEAD}{_STAGE}(?P<article>the |that |one (?={_SEASON_NAME}))?{_MODIFIER}{_SEASON}(?: "
            rf"break)?(?:(?: of)? {_YEAR})?(?: long)?\b",
            0,
        ),
        (Kind.MONTH, rf"\b{_LEAD}{_STAGE}(?P<article>the month of )?{_MODIFIER}{_MONTH}(?:(?: of|,)? {_YEAR})?\b", 0),
        (Kind.YEAR, rf"\b{_LEAD}{_STAGE}{_YEAR}\b(?!s)", 0),
        (
            Kind.LIFE,
            r"\b(?:ever since|since|back when|when|as) (?:I was|I were|we were|being) (?:an? |in |about |just |only "
            r"|barely |maybe |like )*(?:\d+|[a-z]+)\b",
            re.I,
        ),
        (
            Kind.LIFE,
            r"\b(?:ever since|since|back in|in) (?:childhood|college|high school|middle school|grade school|elementary "
            r"school|school|kindergarten|university|grad school|my (?:teens|twenties|childhood|youth|college days|"
            r"early twenties)|the (?:day|nineties|eighties|90s|80s))\b",
            re.I,
        ),
        (
            Kind.LIFE,
            r"\b(?:all|my whole|my entire|for my whole|for most of my|most of my) (?:of )?(?:my )?(?:adult )?life\b|"
            r"\bas (?:a|an) (?:kid|child|teen|teenager|student|toddler|little girl|little boy)\b|\bgrowing up\b",
            re.I,
        ),
        (
            Kind.AGO,
            rf"\b(?P<lead>since |from |for |over |of )?{_AMOUNT} {_UNIT}{_HALF} (?:ago|back)\b(?! (?:to|home|in|at|"
            rf"and forth)\b)",
            re.I,
        ),
        (Kind.AGO, r"\b(?:many )?(?P<bare>day|week|month|year|decade|age)s (?:and \w+ )?ago\b", re.I),
        (Kind.AGO, r"\b(?P<amount>an?) (?P<unit>week|month|year) (?:today|yesterday)\b", re.I),
        (Kind.AHEAD, rf"\b{_AMOUNT} {_UNIT}{_HALF} (?:from now|from today|from tomorrow)\b", re.I),
        (
            Kind.SPAN,
            rf"\b(?P<ahead>(?:for|over|in|during|within) the (?:next|coming)) (?:(?P<amount>{_LOOSE}(?:\d{{1,3}}|(?:a "
            rf")?couple(?: of)?|(?:a )?few|several|{_NUMBER})) )?{_UNIT}\b",
            re.I,
        ),
        (
            Kind.SPAN,
            rf"\b(?P<past>(?:(?:for|over|in|during|within|all) )?(?:the|these|this) (?:past|last)) (?:{_AMOUNT} )?{_UNIT}{_HALF}\b",
            re.I,
        ),
        (
            Kind.COUNT,
            rf"\b(?P<unit>day|week|month|year) (?:number )?(?P<count>\d{{1,4}}|{_NUMBER})\b(?! (?:am|pm|to|days?|weeks?|"
            rf"of (?:rain|snow)))",
            re.I,
        ),
        (
            Kind.COUNT,
            rf"\b(?P<count>\d{{1,4}}|{_NUMBER})[- ](?P<unit>day|week|month|year) (?:streak|run|anniversary|mark|milestone)"
            rf"\b",
            re.I,
        ),
        (
            Kind.SPAN,
            rf"\b(?:for )?{_AMOUNT} {_UNIT}{_HALF}(?P<now> (?:now|running|straight|strong|in a row|sober|clean|in)\b(?! "
            rf"(?:a|an|the|my|our|his|her|their|\w+ing)\b))",
            re.I,
        ),
        (
            Kind.SPAN,
            rf"\b(?P<for>for|going on|it's been|it has been|been) (?:(?:the )?best part of )?{_AMOUNT} {_UNIT}{_HALF}(?P<now> "
            rf"(?:already|so far))?\b(?! (?:later|before|after|from now|away|ahead|trip|vacation|out of))",
            re.I,
        ),
        (
            Kind.SPAN,
            r"\b(?P<for>for|in) (?P<long>(?:so many |many )?(?P<bare>day|week|month|year|decade|age)s)(?: (?:on end|"
            r"and \w+))?\b(?! (?:to come|ahead|of)\b)",
            re.I,
        ),
        (Kind.AHEAD, rf"\b(?P<lead>in|within) {_AMOUNT} {_UNIT}{_HALF}(?:'s?)?(?: time)?\b", re.I),
        (
            Kind.WEEKDAY,
            rf"(?<![A-Za-z'-]){_TO_WEEKDAY}{_MODIFIER}{_WEEKDAY}(?P<plural>s)?\b{_PART}(?P<habit>s)?\b(?P<possessive>'s)?(?![A-Za-z-])",
            0,
        ),
        (
            Kind.PERIOD,
            r"\b(?P<lead>since |for |until |till |by |before |after |from |over |during )?(?:the )?(?P<modifier>this "
            r"past|this coming|this|last|next|all|the whole|every|each) (?P<unit>week|weekend|month|year|semester)"
            r"\b(?P<possessive>'s)?",
            re.I,
        ),
        (Kind.PERIOD, r"\b(?P<lead>over |on |during )(?P<modifier>the) (?P<unit>weekend)\b", re.I),
        (Kind.DAY, r"\b(?:the )?(?P<word>day before yesterday|day after tomorrow)\b", re.I),
        (
            Kind.DAY,
            r"\b(?P<lead>since |for |until |till |by )?(?P<word>yesterday|tomorrow|today|tonight|last night|this (?:morning|"
            r"afternoon|evening))\b(?: (?:morning|afternoon|evening|night))?(?P<possessive>'s)?",
            re.I,
        ),
    )
)

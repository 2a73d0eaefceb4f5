"""What a text says about its own "now" (gate `time_wrong`): the weekday, month and season of speaking, and sights of a season.

Weather counts only where the words tie it to the days around the moment of speaking, and only where it is out of the question.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import date
from typing import TYPE_CHECKING

from twistcore.text.calendars import DAY, MONTHS, WEEKDAYS, month_range, season_range
from twistcore.text.time_patterns import Kind
from twistcore.text.times import TimeExpression, overlaps

if TYPE_CHECKING:
    from spacy.tokens import Doc, Token

UNREAL = re.compile(
    r"\b(?:if|when|whenever|unless|like|once|as if|pretend|imagine|every|wish|until|feels like|felt like)\b", re.IGNORECASE
)
_WEEKDAY = r"(Monday|Tuesday|Wednesday|Thursday|Friday|Saturday|Sunday)"
_MONTH = "(?P<month>January|February|March|April|May|June|July|August|September|October|November|December)"
_SEASON = r"(spring|summer|fall|autumn|winter)"
_NOW_WEEKDAY = re.compile(
    rf"\b(?:it's|it is|today's|today is|happy|tonight is)\s+(?:finally |already |only |a )?{_WEEKDAY}(?:\s+(?:morning|"
    rf"afternoon|evening|night))?(?=[.!,;?]|$| already| and| again)",
    re.IGNORECASE,
)
_NOW_MONTH = re.compile(rf"\b(?:[Ii]t's|[Ii]t is)\s+(?:finally |already |only |still )?{_MONTH}(?=[.!,;?]|$| already| and)")
# Part of a month: words and the days that they leave open, counted from its first day (from its last where negative).
_STAGES = (
    (r"(?:the )?(?:very )?first (?:day|days) of", 1, 4),
    (r"(?:the )?(?:very )?last (?:day|days) of", -4, -1),
    (r"(?:the )?first (?:full )?(?:week|weekend) (?:of|in)", 1, 11),
    (r"(?:the )?second (?:week|weekend) (?:of|in)", 5, 17),
    (r"(?:the )?third (?:week|weekend) (?:of|in)", 12, 24),
    (r"(?:the )?last (?:week|weekend) of", -11, -1),
    (r"(?:the )?(?:very )?(?:beginning|start) of|early(?: in)?", 1, 15),
    (r"(?:the )?middle of|mid[- ]?|half ?way (?:through|into)", 7, 24),
    (r"(?:the )?(?:very |tail )?end of|late(?: in)?", -15, -1),
)
_NOW_DATE = re.compile(
    r"(?:^|[.!?,;-] ?|\b(?:but|and|so) )(?:it's|it is|today's|today is) (?:(?:already|only|just|still) )*$", re.I
)
_STAGE = "|".join(words for words, _, _ in _STAGES)
_SOFTLY = r"(?:(?:finally|already|only|still|now|just|barely|almost|nearly|in|at|into) )*"
_NOW_STAGE = re.compile(
    rf"(?:\b(?:it's|it is|we're|we are|here we are,?|now that it's)\s+{_SOFTLY}(?P<stage>{_STAGE}) ?{_MONTH}\b(?!\s+\d)(?!')|"
    rf"(?:^|[.!?]\s+)(?P<open>{_STAGE}) ?(?P<month2>January|February|March|April|May|June|July|August|September|October|"
    rf"November|December)(?: already| and)\b)",
    re.IGNORECASE,
)
_MONTH_GOES = re.compile(
    rf"\b{_MONTH}(?:'s| is) (?P<soft>(?:already |now |finally |just )*)(?:(?P<almost>(?:almost|nearly|practically|about|all but) "
    r"(?:over|gone|done|through)|(?:coming to an end|drawing to a close|winding down|running out))|(?P<half>half(?:way)? "
    r"(?:over|gone|done|through))|(?P<begun>just (?:begun|started)|only just begun|barely begun))\b"
)
_NOW_SEASON = re.compile(
    rf"\b(?:(?:it's|it is) (?:finally |already |still )?(?:(?:the (?:middle|height|dead) of) )?{_SEASON}(?=[.!,;?]|"
    rf"$| already| and| again| here)|{_SEASON}(?:'s| is) (?:finally |already |officially )?(?:here|in full "
    rf"swing)\b)",
    re.IGNORECASE,
)
_TIMES_OF_DAY = r"(?:day|night|evening|morning|afternoon|weather|weekend|air|sun|heat|breeze|storm|sky|light|week)s?"
_THIS_SEASON = re.compile(
    rf"\b(?:{_SEASON} (?:\w+ )?{_TIMES_OF_DAY}(?:,? \w+)? like (?:this|these|today|tonight)\b|"
    rf"(?:these|this) (?:\w+ )?{_SEASON} {_TIMES_OF_DAY}\b)",
    re.IGNORECASE,
)
_IT_WAS = re.compile(
    rf"\b(?P<day>yesterday|last night|today|this morning|tonight)\b[^.!?]*[.!?]+\s+"
    rf"(?:it|that|the day) was (?:a |an )?(?:\w+ ){{0,2}}{_WEEKDAY}\b",
    re.IGNORECASE,
)
_RECENTLY = (
    r"(?:today|tonight|outside|out there|out|this (?:week|weekend|morning|afternoon|evening)|all week|lately|these days|"
    r"yesterday|last night|right now)"
)
_IT_IS = (
    r"\bit(?:'s| is| was|'s been| has been| got| gets)"
    r"(?: (?:been|so|too|just|really|way|pretty|crazy|insanely|unbearably|super|that|still))*"
)
# Sights that belong to part of the year (first month and day, last month and day), wide enough for any place in the United States.
_SIGHTS: tuple[tuple[re.Pattern[str], tuple[int, int], tuple[int, int]], ...] = tuple(
    (re.compile(pattern, re.IGNORECASE), first, last)
    for pattern, first, last in (
        (
            r"\bcherry blossoms?\b|\b(?:lilacs?|daffodils?|tulips?|magnolias?) (?:\w+ ){0,3}(?:bloom|blossom)\w*",
            (2, 1),
            (6, 15),
        ),
        (
            r"\b(?:fall|autumn) (?:foliage|colors|leaves)\b|\bleaves (?:are |were )?(?:turning|changing color)|\braking "
            r"(?:up )?(?:the )?leaves\b|\btrick-or-treat\w*",
            (9, 1),
            (12, 15),
        ),
        (r"\bshovel\w* (?:the |all that |out )?(?:\w+ )?snow\b|\bsnow(?:storm|man|ed in)\b|\bblizzard\b", (10, 1), (5, 15)),
        (r"\bheat ?wave\b|\b(?:sweltering|scorching)\b", (4, 1), (11, 5)),
        (
            r"\bsnow(?:'s| is| was) (?:\w+ )?(?:up to|deep|falling|piled|coming down)\b|\b(?:knee|waist|ankle)-deep snow\b"
            r"|\bfresh(?:ly fallen)? snow\b|\bfrozen (?:lake|pond|river)\b|\bice[- ]fishing\b",
            (10, 15),
            (5, 1),
        ),
        (
            r"\b(?:icy|iced-over) (?:\w+ )?(?:sidewalks?|roads?|streets?|steps|driveway|pavement|bridge|path)\b|\bblack ice\b"
            r"|\bfrost (?:on|all over|covered)\b"
            r"|\b(?:scrap|chipp)\w+ (?:the )?ice\b|\bsledding\b|\b(?:it|it's|it was) snow(?:ed|ing)\b|\bfirst (?:frost|snow)\b",
            (10, 1),
            (5, 10),
        ),
        (r"\bpumpkin (?:patch|carving)\b|\bcorn maze\b", (9, 10), (11, 15)),
        (r"\bfireflies\b|\blightning bugs\b|\bsunbath\w+\b", (4, 1), (10, 20)),
    )
)
_HOT = re.compile(rf"{_IT_IS} (?:hot|boiling|sweltering|scorching|roasting)\b(?: \w+)? {_RECENTLY}\b", re.IGNORECASE)
_COLD = re.compile(rf"{_IT_IS} (?:snowing|below freezing|freezing cold)\b(?: \w+)? {_RECENTLY}\b", re.IGNORECASE)
_WEATHER = ((_HOT, (3, 10), (11, 25)), (_COLD, (9, 25), (5, 20)))


def now_faults(doc: Doc, text: str, found: tuple[TimeExpression, ...], moment: date) -> Iterator[str]:
    """Reasons why what a text said on `moment` tells of its own time cannot be right."""
    yield from _weekdays(doc, text, found, moment)
    yield from _months(text, moment)
    for date_said in found:
        today = date_said.kind is Kind.DATE and date_said.readings and _NOW_DATE.search(text[: date_said.start])
        if today and not any(first - DAY <= moment <= last + DAY for first, last in date_said.readings):
            yield f"{date_said.text!r} is not today"
    for pattern in (_NOW_SEASON, _THIS_SEASON):
        for match in pattern.finditer(text):
            name = (match[1] or match[2]).lower()
            years = (moment.year - 1, moment.year)
            fits = any(overlaps((moment, moment), season_range(name, year), 25, 25) for year in years)
            if not fits and not _unreal(text, match):
                yield f"{match.group()!r} is wrong"
    yield from _sights(doc, text, found, moment)
    away = any(token.ent_type_ == "GPE" for token in doc)
    for pattern, first, last in _WEATHER:
        weather = None if away or _inside(moment, first, last) else pattern.search(text)
        if weather is not None and not _unreal(text, weather):
            yield f"{weather.group()!r} does not fit the time of year"


def _weekdays(doc: Doc, text: str, found: tuple[TimeExpression, ...], moment: date) -> Iterator[str]:
    """The weekday of speaking, and that of a day just named."""
    for match in _IT_WAS.finditer(text):
        back = DAY if match["day"].lower() in {"yesterday", "last night"} else DAY * 0
        if not _unreal(text, match) and WEEKDAYS[match[2].lower()] != (moment - back).weekday():
            yield f"{match.group()!r} is wrong"
    for match in _NOW_WEEKDAY.finditer(text):
        if not _unreal(text, match) and WEEKDAYS[match[1].lower()] != moment.weekday():
            yield f"{match.group()!r} is wrong"
    for token in doc:
        day = _day_told(token, found) if token.lower_ in WEEKDAYS and _judged(token) else None
        if day is not None and day.first is not None and day.first.weekday() != WEEKDAYS[token.lower_]:
            yield f"{day.text!r} was no {token.text}"


def _judged(token: Token) -> bool:
    """Whether a weekday is the day just told, called good or bad: "so my Wednesday was made", "what a Sunday", "best Friday"."""
    after = token.doc[token.i + 1].lower_ if token.i + 1 < len(token.doc) else ""
    before = token.doc[token.i - 1] if token.i else None
    if before is not None and before.lower_ in {"my", "our"} and _MADE.match(token.doc[token.i + 1 :].text):
        return True
    if token.dep_ in {"compound", "poss", "nmod"} and after not in {"night", "morning", "evening", "afternoon"}:
        return False
    if (
        after == "one"
        or (after in {"'s", "’s"} and token.doc[token.i + 1].tag_ == "POS")
        or token.tag_ in {"NNS", "NNPS"}
        or token.lower_ not in WEEKDAYS
    ):
        return False
    noun = token.head if token.dep_ == "compound" else token
    if any(child.lower_ in {"every", "each", "this", "that", "last", "next", "another", "usual"} for child in noun.children):
        return False
    mine = any(child.dep_ == "poss" and child.lower_ in {"my", "our"} for child in noun.children)
    if mine and noun.dep_ in {"dobj", "nsubjpass"} and noun.head.lemma_.lower() in {"make", "ruin", "save", "brighten"}:
        return True
    superlative = before is not None and (before.tag_ in {"JJS", "RBS"} or before.lower_ in {"favorite", "perfect"})
    exclaimed = token.i > 1 and token.doc[token.i - 2].lower_ in {"what", "such", "kind"}
    return superlative or exclaimed or bool(re.match(r"[\w ]{0,12}like that\b", token.doc[token.i + 1 :].text))


_MADE = re.compile(r"(?:'s|’s|is|was) (?:off to a|complete|made|ruined|saved|perfect)\b")


def _day_told(token: Token, found: tuple[TimeExpression, ...]) -> TimeExpression | None:
    """The one past day or today that the sentence of a weekday, or else the one before it, names."""
    start = token.sent.start
    sentences = [token.sent] if start == 0 else [token.sent, token.doc[start - 1].sent]
    for sentence in sentences:
        inside = [one for one in found if sentence.start <= one.token < sentence.end and one.token != token.i]
        if any(one.kind is Kind.WEEKDAY and one.token != token.i and not one.generic for one in inside):
            return None
        days = [one for one in inside if one.kind in {Kind.DAY, Kind.AGO} and one.first is not None and one.first == one.last]
        if days:
            past = [one for one in days if one.lead not in {"since", "for", "until", "till", "by"}]
            return past[0] if len(days) == 1 and past and not past[0].text.lower().startswith("tomorrow") else None
    return None


def _months(text: str, moment: date) -> Iterator[str]:
    """The month of speaking, whole or in part: "it's the last week of June", "October's nearly over"."""
    for match in _NOW_MONTH.finditer(text):
        month = MONTHS[match["month"].lower()]
        if not _unreal(text, match) and month not in {moment.month, (moment + DAY * 4).month, (moment - DAY * 4).month}:
            yield f"{match.group()!r} is wrong"
    for match in _NOW_STAGE.finditer(text):
        named, stage = (match["month"] or match["month2"]).lower(), (match["stage"] or match["open"]).lower()
        first, last = next((first, last) for words, first, last in _STAGES if re.fullmatch(words, stage, re.IGNORECASE))
        if not _unreal(text, match) and not _within(moment, MONTHS[named], first, last):
            yield f"{match.group().strip()!r} is wrong"
    for match in _MONTH_GOES.finditer(text):
        first, last = (-15, -1) if match["almost"] else (7, 24) if match["half"] else (1, 14)
        if not _unreal(text, match) and not _within(moment, MONTHS[match["month"].lower()], first, last):
            yield f"{match.group()!r} is wrong"


def _within(moment: date, month: int, first: int, last: int) -> bool:
    """Whether the moment lies in those days of the month (from its end where negative), three days given either way at its ends."""
    for year in (moment.year - 1, moment.year, moment.year + 1):
        start, end = month_range(year, month)
        low = start + DAY * (first - 1) if first > 0 else end + DAY * (first + 1)
        high = start + DAY * (last - 1) if last > 0 else end + DAY * (last + 1)
        if low - DAY * (3 if first == 1 else 0) <= moment <= high + DAY * (3 if last == -1 else 0):
            return True
    return False


def _unreal(text: str, match: re.Match[str]) -> bool:
    start = max(text.rfind(mark, 0, match.start()) for mark in ".!?;") + 1
    return UNREAL.search(text[start : match.start()]) is not None


def _sights(doc: Doc, text: str, found: tuple[TimeExpression, ...], moment: date) -> Iterator[str]:
    """Sights of a season that the text ties to a day of the last week."""
    recent = [
        one
        for one in found
        if one.dated
        and one.first is not None
        and one.last is not None
        and 0 <= (moment - one.first).days <= 14
        and (one.last - moment).days <= 7
    ]
    for pattern, first, last in _SIGHTS:
        match = pattern.search(text)
        if match is None or _inside(moment, first, last):
            continue
        sight = doc.char_span(*match.span(), alignment_mode="expand")
        if sight is not None and any(_beside(doc[one.token], sight.root) and not one.generic for one in recent):
            yield f"{match.group()!r} does not fit the time of year"


def _beside(day: Token, sight: Token) -> bool:
    """Whether a day is named in the sentence of the sight, or in the one before it."""
    return bool(day.sent == sight.sent or (sight.sent.start > 0 and day.sent == sight.doc[sight.sent.start - 1].sent))


def _inside(moment: date, first: tuple[int, int], last: tuple[int, int]) -> bool:
    here = (moment.month, moment.day)
    return first <= here <= last if first <= last else here >= first or here <= last

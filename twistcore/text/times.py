"""Time expressions of a parsed text, resolved from the day on which it is said, and the way back: words for a day.

LoCoMo's turns tell time relatively (LOCOMO.md section 3: 648 turns say yesterday, last week and the like, about 17 name a month or
year), so an injected turn is right only if its words, read on the host session's date, mean the planned day (DESIGN.md rule 4).
"""

from __future__ import annotations

import random
import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from datetime import date
from enum import StrEnum
from typing import TYPE_CHECKING

from twistcore.text.calendars import DAY, NUMBERS, Range
from twistcore.text.tense import Tense, governing_verb, tense_of
from twistcore.text.time_patterns import PATTERNS, Kind
from twistcore.text.time_readings import Reading, read_match

if TYPE_CHECKING:
    from spacy.tokens import Doc, Token


class Direction(StrEnum):
    """On which side of the moment of speaking the expression lies."""

    PAST = "past"
    FUTURE = "future"
    EITHER = "either"


@dataclass(frozen=True, slots=True)
class TimeExpression:
    """One expression. `readings` are the ranges of days (both ends included) that it can mean; none where it names no date.

    `worded` says whether the words alone fix the direction ("ago", "last", "tomorrow"). `began` is the range in which a
    state begins that lasts since then ("for two years now", "since March", "two weeks ago"). `token` is the index of the
    expression's head, `verb` of its governing verb or -1.
    """

    kind: Kind
    text: str
    start: int
    end: int
    readings: tuple[Range, ...]
    direction: Direction
    worded: bool
    tense: Tense
    token: int
    verb: int
    lead: str = ""
    modifier: str = ""
    began: Range | None = None
    vague: bool = False
    generic: bool = False
    impossible: bool = False

    @property
    def first(self) -> date | None:
        """Earliest day of any reading."""
        return min((reading[0] for reading in self.readings), default=None)

    @property
    def last(self) -> date | None:
        """Latest day of any reading."""
        return max((reading[1] for reading in self.readings), default=None)

    @property
    def ambiguous(self) -> bool:
        """Whether two conventions read it differently ("last Friday" on a Sunday, "next week" between Saturday and Monday)."""
        return len(set(self.readings)) > 1

    @property
    def dated(self) -> bool:
        """Whether it names days at all."""
        return bool(self.readings) and not self.generic


HABITUAL = frozenset(
    {
        "always",
        "usually",
        "often",
        "normally",
        "typically",
        "sometimes",
        "generally",
        "mostly",
        "regularly",
        "rarely",
        "hardly",
        "never",
    }
)
_QUANTIFIED = ("every", "each", "most")


def find_times(doc: Doc, moment: date) -> tuple[TimeExpression, ...]:
    """Time expressions of a text said on `moment`, in reading order. Never raises on odd text."""
    text = doc.text.replace("\u2019", "'")
    found: list[TimeExpression] = []
    taken: list[tuple[int, int]] = []
    for kind, pattern in PATTERNS:
        for match in pattern.finditer(text):
            start, end = match.start() + len(match.group()) - len(match.group().lstrip()), match.end()
            if any(start < other_end and end > other_start for other_start, other_end in taken):
                continue
            expression = _expression(doc, moment, kind, match, start)
            if expression is not None:
                found.append(expression)
                taken.append((start, end))
    return tuple(sorted(found, key=lambda expression: expression.start))


def _expression(doc: Doc, moment: date, kind: Kind, match: re.Match[str], start: int) -> TimeExpression | None:
    span = doc.char_span(start, match.end(), alignment_mode="expand")
    if span is None or not len(span):
        return None
    head = _head(doc, kind, match) or span.root
    verb = governing_verb(head) or _nearest_verb(head)
    tense = tense_of(verb)
    groups = {key: value for key, value in match.groupdict().items() if value}
    if not _is_calendar_word(doc, kind, match, head):
        return None
    reading = read_match(kind, groups, moment, tense, verb is not None and verb.lemma_ == "be")
    if reading is None:
        return None
    modifier = groups.get("modifier", "").strip().lower()
    expression = TimeExpression(
        kind=kind,
        text=doc.text[start : match.end()],
        start=start,
        end=match.end(),
        readings=reading.ranges,
        direction=_direction(reading, tense),
        worded=reading.worded is not None,
        tense=tense,
        token=head.i,
        verb=verb.i if verb is not None else -1,
        lead=groups.get("lead", "").strip().lower(),
        modifier=modifier,
        began=reading.began,
        vague=reading.vague,
        impossible=reading.impossible,
    )
    return replace(expression, generic=_is_generic(expression, groups, head, verb))


def _head(doc: Doc, kind: Kind, match: re.Match[str]) -> Token | None:
    """The word that carries the date, where a pattern has one; its lead-in may be a preposition above it."""
    group = {Kind.SEASON: "season", Kind.MONTH: "month", Kind.WEEKDAY: "weekday", Kind.PERIOD: "unit", Kind.DAY: "word"}.get(kind)
    if group is None or match[group] is None:
        return None
    span = doc.char_span(*match.span(group), alignment_mode="expand")
    return span.root if span is not None and len(span) else None


def _is_calendar_word(doc: Doc, kind: Kind, match: re.Match[str], head: Token) -> bool:
    """Whether "May", "March", "spring", "fall", "Sun" and the like are what they look like."""
    groups = match.groupdict()
    framed = bool(
        groups.get("modifier") or groups.get("lead") or groups.get("year") or groups.get("stage") or groups.get("article")
    )
    if kind is Kind.MONTH:
        if head.lower_ in {"may", "march", "mar", "dec", "jan", "august"} or head.lower_.startswith(("jun", "apr")):
            return head.pos_ == "PROPN" and (framed or head.dep_ in {"nsubj", "attr", "npadvmod"})
        return head.pos_ in {"PROPN", "NOUN"} or framed
    if kind is Kind.SEASON:
        after = doc[head.i + 1] if head.i + 1 < len(doc) else None
        joined = head.dep_ == "compound" and not groups.get("modifier")
        if head.lower_ == "fall" and after is not None and after.lower_ == "of" and not groups.get("year"):
            return False
        return head.pos_ in {"NOUN", "PROPN"} and not joined and (after is None or after.text != "-")
    if kind is Kind.WEEKDAY and head.text in {"Sun", "Sat", "Mon", "Wed", "Fri"}:
        return head.pos_ == "PROPN" and framed
    return not (kind is Kind.COUNT and head.lower_ == "may")


def _nearest_verb(token: Token) -> Token | None:
    verbs = [
        other for other in token.sent if other.pos_ == "VERB" or (other.pos_ == "AUX" and other.dep_ not in {"aux", "auxpass"})
    ]
    return min(verbs, key=lambda verb: abs(verb.i - token.i), default=None)


def _direction(reading: Reading, tense: Tense) -> Direction:
    if reading.worded is not None:
        return Direction.PAST if reading.worded < 0 else Direction.FUTURE if reading.worded > 0 else Direction.EITHER
    if tense.looks_back:
        return Direction.PAST
    return Direction.FUTURE if tense.looks_ahead else Direction.EITHER


def _is_generic(expression: TimeExpression, groups: dict[str, str], head: Token, verb: Token | None) -> bool:
    """Whether it tells a habit ("every Easter", "on Sundays", "my Friday class") and so no date."""
    if (
        expression.modifier.startswith(_QUANTIFIED)
        or groups.get("plural")
        or groups.get("habit")
        or groups.get("article", "").strip() in {"one", "that"}
    ):
        return True
    if expression.kind not in {Kind.WEEKDAY, Kind.MONTH, Kind.SEASON, Kind.HOLIDAY} or expression.modifier or groups.get("year"):
        return False
    if head.dep_ in {"compound", "amod", "nmod"} or (head.dep_ == "poss" and expression.kind is not Kind.WEEKDAY):
        return True
    if expression.lead in {"since", "ever since", "back in"} or verb is None:
        return False
    if any(child.lower_ in HABITUAL for child in verb.children) or verb.lower_ == "used":
        return True
    if expression.tense is Tense.CONDITIONAL:
        return True
    return expression.tense is Tense.PRESENT and not (verb.lemma_ == "be" or head.dep_ in {"nsubj", "attr"})


def express(kind: str, day: date, moment: date, rng: random.Random) -> str | None:
    """Words for a past day, said on `moment`, that no two conventions read differently; None where there are none.

    `kind` is "day" (one to six days back), "ago" (a week to eleven months back, to the nearest week or month) or "span" (the length
    from `day` to `moment`, as in "for three weeks now"). `find_times` on a past-tense sentence with these words gives the day back.
    """
    back = (moment - day).days
    options: list[str] = []
    if kind == "day":
        if back == 1:
            options.append("yesterday")
        elif 2 <= back <= 6:
            options += [f"on {day:%A}", f"{_spell(back)} days ago"]
    elif kind in {"ago", "span"}:
        suffix = " ago" if kind == "ago" else ""
        options += [words + suffix for words in _lengths(back)]
    else:
        raise ValueError(f"no such kind of time expression: {kind!r}")
    return rng.choice(options) if options else None


def _lengths(back: int) -> Iterator[str]:
    weeks, months = round(back / 7), round(back / 30.44)
    if 1 <= weeks <= 9 and abs(back - weeks * 7) <= 3 and back >= 6:
        yield "a week" if weeks == 1 else f"{_spell(weeks)} weeks"
    if 2 <= months <= 11 and abs(back - months * 30.44) <= 10:
        yield f"{_spell(months)} months"


def _spell(number: int) -> str:
    return next(word for word, value in NUMBERS.items() if value == number)


def overlaps(left: Range, right: Range, before: int = 0, after: int = 0) -> bool:
    """Whether `left` meets `right` when `right` is widened by days before and after."""
    return left[0] <= right[1] + DAY * after and left[1] >= right[0] - DAY * before

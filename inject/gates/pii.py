"""Gate `pii`: no personal data outside the reserved ranges; in our own Track A prose none at all.

Source: DESIGN.md rule 13 (numbers 555-0100 to 555-0199, addresses at example.com, example.org and example.net).
Prices, years, times, scores and distances are no personal data.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import pairwise

import phonenumbers

from inject.gates.case import Case, Gate
from twistcore.verdicts import GateResult

GATE = Gate("pii", "1")

_DIGIT_WORDS = {
    "zero": "0",
    "oh": "0",
    "one": "1",
    "two": "2",
    "three": "3",
    "four": "4",
    "five": "5",
    "six": "6",
    "seven": "7",
    "eight": "8",
    "nine": "9",
}
_SPOKEN = re.compile(rf"\b(?:(?:{'|'.join(_DIGIT_WORDS)}|double|triple|\d)\b[\s,.\-]*){{7,}}", re.IGNORECASE)
_PHONE = re.compile(
    r"(?<![\w$.,/-])(?:\+?\d{1,3}[\s.-]?)?(?:\(\d{3}\)\s?|\d{3}[\s.\u2013-]?)?\d{3}[\s.\u2013-]\d{4}(?![\w/]|"
    r"[.,-]\d)"
)
_RESERVED_PHONE = re.compile(r"55501\d\d$")
_EMAIL = re.compile(r"[\w.+-]+\s?@\s?[\w-]+(?:\s?\.\s?[\w-]+)+", re.UNICODE)
_SPOKEN_EMAIL = re.compile(
    r"\b[\w.+-]+\s*(?:\(at\)|\[at\]|\bat\b|@)\s*([\w-]+(?:\s*(?:\(dot\)|\[dot\]|\bdot\b|\.)\s*[\w-]+)*\s*(?:\(dot\)|"
    r"\[dot\]|\bdot\b)\s*(?:com|org|net|edu|io|co|gov|info|me|uk|us|ca|de))\b",
    re.IGNORECASE,
)
_RESERVED_DOMAIN = re.compile(r"(?:^|\.)example\.(?:com|org|net)$")
_SUFFIX = (
    r"Street|St|Avenue|Ave|Road|Rd|Lane|Ln|Drive|Dr|Boulevard|Blvd|Court|Ct|Place|Pl|Terrace|Ter|Way|Circle|"
    r"Cir|Parkway|Pkwy|Highway|Hwy|Square|Trail|Alley|Row|Crescent|Close|Loop|Route"
)
_NUMBER_WORD = (
    r"(?:Ten|Eleven|Twelve|[A-Z][a-z]+teen|(?:Twenty|Thirty|Forty|Fifty|Sixty|Seventy|Eighty|Ninety)(?:[- "
    r"][A-Za-z]+)?)"
)
_ADDRESS = re.compile(
    rf"(?<![\w$.:/-])(?:\d{{1,5}}(?:-?[A-Za-z])?|{_NUMBER_WORD}),?\s+(?:(?:[NSEW]\.?|North|South|East|West|"
    rf"Old|New|\d{{1,3}}(?:st|nd|rd|th)|[A-Z][\w'.]+)\s+){{1,3}}(?:{_SUFFIX})\b\.?(?!-)"
)
_PLAIN_ADDRESS = re.compile(
    r"\b(?:address(?: is|'s)?:?|live at|lives at|living at|moved to|over at|come to|drop by|ship(?:ped)? to|"
    r"meet at|place at|house at)\s+(?:is\s+)?(\d{1,5}[a-z]?\s+(?!(?:hour|minute|mile|day|week|km|lane)s?\b)"
    r"(?:[a-z']+\s+){1,2}(?:street|st|avenue|ave|road|rd|lane|drive|boulevard|court|place|terrace|way|circle|crescent))\b",
    re.IGNORECASE,
)
_BOX = re.compile(r"\bP\.?\s?O\.?\s?Box\s+\d+|\b[A-Z]{2}\s+\d{5}(?:-\d{4})?\b|\bzip(?: code)?(?: is|:)?\s+\d{5}\b", re.IGNORECASE)
_MONTH = r"(?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Sept|Oct|Nov|Dec)[a-z]*\.?"
_FULL_DATE = (
    rf"(?:{_MONTH}\s+\d{{1,2}}(?:st|nd|rd|th)?,?\s+(?:of\s+)?(?:19|20)\d\d|\d{{1,2}}(?:st|nd|rd|th)?\s+(?:of\s+)"
    rf"?{_MONTH},?\s+(?:19|20)\d\d|\d{{1,2}}[/.-]\d{{1,2}}[/.-](?:19|20)?\d\d|(?:19|20)\d\d-\d\d-\d\d)"
)
_BIRTH = re.compile(rf"\b(?:born|birthday|birth ?date|date of birth|d\.?o\.?b\.?)\b[^.!?]{{0,30}}?\b{_FULL_DATE}", re.IGNORECASE)
_SSN = re.compile(r"(?<![\w-])\d{3}[- ]\d{2}[- ]\d{4}(?![\w-])")
_CARD = re.compile(r"(?<![\w$.,-])(?:\d[ -]?){12,18}\d(?![\w-])")
_IBAN = re.compile(r"\b[A-Z]{2}\d{2}(?:\s?[A-Z0-9]{4}){3,7}\b")
_LONG_RUN = re.compile(r"(?<![\w$.,/#-])\d{8,}(?!\w)")
_NAMED = re.compile(
    r"\b(?:(?:bank |checking |savings |customer |gym )?account|routing|policy|passport|driver'?s licen[cs]e|"
    r"licen[cs]e plate|social security|ssn|membership|member id|loyalty|student id|"
    r"credit card|debit card|card|tax id|reference|confirmation)(?: (?:number|no\.?|num|id))?(?: is| was|:|"
    r"'s| ending in| ends in| ends with|,)?\s*#?\s*((?:(?-i:[A-Z]{1,3})[- ]?)?\d[\d -]{2,}\d)",
    re.IGNORECASE,
)
_CODE = re.compile(
    r"\b(?:(?:(?:door|gate|alarm|entry|access|security|garage|lock ?box|building|key ?pad|locker|safe|wi-?fi|"
    r"front door)\s+)(?:pin|code|combo|combination|password)?|pin(?: number)?|passcode|password|pass code|"
    r"combination|combo|code)"
    r"(?: to [\w' ]{1,25})?\s*(?:is|was|:|=|'s|-|,)\s*(?:just |still |now )?[\"'#]?((?:\d[\s-]?){2,9}\d|(?=\w*\d)\w{4,})",
    re.IGNORECASE,
)
_YEARS = re.compile(r"(?:19|20)\d\d\s?[-\u2013/]\s?(?:19|20)\d\d")
_YEAR_LIKE = re.compile(r"(?:19|20)\d\d$")


def judge(case: Case) -> GateResult:
    """Fail on the first piece of personal data; reserved numbers and addresses fail only where there is a plan."""
    for turn in case.proposal.turns:
        for kind, shown, reserved in find_pii(turn.text):
            if case.plan is not None or not reserved:
                return GATE.failed(f"{turn.role}: {kind} {shown!r}")
    return GATE.passed()


def find_pii(text: str) -> Iterator[tuple[str, str, bool]]:
    """Personal data of a text as (kind, words, whether it comes from a reserved range)."""
    text = text.replace("\u2019", "'")
    yield from _emails(text)
    yield from _phones(text)
    for kind, pattern in (
        ("street address", _ADDRESS),
        ("street address", _PLAIN_ADDRESS),
        ("postal address", _BOX),
        ("date of birth", _BIRTH),
        ("social security number", _SSN),
        ("card number", _CARD),
        ("account number", _IBAN),
        ("long number", _LONG_RUN),
    ):
        if (match := pattern.search(text)) is not None:
            yield kind, match.group().strip(), False
    for match in _NAMED.finditer(text):
        if len(re.sub(r"\D", "", match[1])) >= 4 and not _YEAR_LIKE.fullmatch(match[1].strip()):
            yield "account number", match.group(), False
    for match in _CODE.finditer(text):
        yield "code", match.group(), False


def _emails(text: str) -> Iterator[tuple[str, str, bool]]:
    for match in _EMAIL.finditer(text):
        domain = re.sub(r"\s", "", match.group().split("@")[1]).lower()
        yield "email", match.group(), _RESERVED_DOMAIN.search(domain) is not None
    for match in _SPOKEN_EMAIL.finditer(text):
        domain = re.sub(r"\s", "", re.sub(r"\(dot\)|\[dot\]|\bdot\b", ".", match[1], flags=re.IGNORECASE)).lower()
        yield "email", match.group(), _RESERVED_DOMAIN.search(domain) is not None


def _phones(text: str) -> Iterator[tuple[str, str, bool]]:
    seen: set[tuple[int, int]] = set()
    spans = [(match.start(), match.end(), match.group()) for match in _PHONE.finditer(text)]
    spans += [(found.start, found.end, found.raw_string) for found in phonenumbers.PhoneNumberMatcher(text, "US")]
    for start, end, raw in sorted(spans):
        if _YEARS.fullmatch(raw.strip()) or any(start < other_end and end > other_start for other_start, other_end in seen):
            continue
        seen.add((start, end))
        digits = re.sub(r"\D", "", raw)
        yield "phone number", raw.strip(), _RESERVED_PHONE.search(digits) is not None
    for match in _SPOKEN.finditer(text):
        if re.fullmatch(r"[\d\s,.\-]+", match.group()) or _counts_up(match.group()):
            continue
        digits = "".join(
            _DIGIT_WORDS.get(word, word)
            for word in re.findall(r"[a-z]+|\d", match.group().lower())
            if word not in {"double", "triple"}
        )
        yield "phone number", match.group().strip(), _RESERVED_PHONE.search(digits) is not None


def _counts_up(words: str) -> bool:
    """Whether the digits are only counted ("one, two, three, four, five, six, seven, eight")."""
    digits = [
        int(_DIGIT_WORDS.get(word, word))
        for word in re.findall(r"[a-z]+|\d", words.lower())
        if word in _DIGIT_WORDS or word.isdigit()
    ]
    return all(abs(right - left) == 1 for left, right in pairwise(digits))

"""How a speaker addresses the other one: by name, by a short form of it, or by a term such as "man" or "buddy".

Short forms are found in the turns, not listed: a word that is made from the name and stands where an address stands.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator

from personas.words import word_set

TERMS = word_set(
    "man bro dude buddy pal mate girl friend honey sweetie dear guys babe sis folks champ captain boss",
)
_LEADS = sorted(
    word_set(
        "hey hi hiya heya hello yo morning evening thanks thank you thx cheers wow whoa yeah yep yes no nope",
        "sure congrats congratulations sorry bye great awesome nice cool oh ok okay well good absolutely totally definitely thing",
        "problem worries right true ya luck care",
    )
)
_LEAD = re.compile(rf"(?:^|[.!?,…-]\s*)(?:(?:so|no) )?(?:(?:{'|'.join(_LEADS)})[,.!]?\s+){{1,2}}$", re.IGNORECASE)
_TERM = re.compile(rf"\b(?:{'|'.join(sorted(TERMS))})\b", re.IGNORECASE)
# Words that a name may begin with but that are no names: "Me too", "An hour", "Car".
_ORDINARY = word_set(
    "an am as at and are be by can car come dear do eve even ever everyone go had have he her i in is it me my no not mar",
    "sa so to we you",
)
_ENDINGS = ("", "s", "y", "ie", "ey", "i", "o", "ster")
MIN_PREFIX = 2
MIN_ALONE = 3


def could_be_form(word: str, name: str) -> bool:
    """Whether `word` is the name or made from its start: Mel, Mell, Debs, Johnny, Davey; never longer than two letters more."""
    low, full = word.lower(), name.lower()
    if low == full:
        return True
    if low in _ORDINARY or not word[:1].isupper() or len(low) > len(full) + 2:
        return False
    return any(
        low in {full[:cut] + ending, full[:cut] + full[cut - 1] + ending} and (ending or cut < len(full))
        for cut in range(MIN_PREFIX, len(full) + 1)
        for ending in _ENDINGS
        if cut >= MIN_ALONE or not ending
    )


def find_addresses(text: str, partner: str) -> Iterator[str]:
    """Words by which a text addresses `partner` by name, as written; every non-possessive name set off from its clause."""
    for match in _starting_with(partner[0]).finditer(text):
        if could_be_form(match.group(), partner) and _set_off(text, match.start(), match.end()):
            yield match.group()


def _starting_with(initial: str) -> re.Pattern[str]:
    return re.compile(rf"(?<![^\W_]){re.escape(initial.upper())}[^\W\d_]*|(?<![^\W_]){re.escape(initial.lower())}[^\W\d_]*")


def find_terms(text: str) -> Iterator[str]:
    """Terms of address in lower case ("Thanks, man!"), not the same words as nouns ("a great man")."""
    for match in _TERM.finditer(text):
        low = match.group().lower()
        if _ends_clause(text, match.end()) and (_after_comma(text, match.start()) or _LEAD.search(text[: match.start()])):
            yield low


def _set_off(text: str, start: int, end: int) -> bool:
    if text[end : end + 2] in {"'s", "’s"}:
        return False
    return _ends_clause(text, end) or _after_comma(text, start) or _LEAD.search(text[:start]) is not None


def _ends_clause(text: str, end: int) -> bool:
    rest = text[end:]
    return not rest.strip() or rest[0] in ",.!?;:…~)" or rest.startswith((" -", " –", " —", "--", "—", "–", " :", " ;", "\n"))


def _after_comma(text: str, start: int) -> bool:
    return text[:start].rstrip().endswith((",", "，"))


def short_forms(texts: Iterable[str], partner: str) -> Counter[str]:
    """Forms of the partner's name that one speaker's texts address them by, with counts; the full name is among them."""
    found: Counter[str] = Counter()
    for text in texts:
        found.update(find_addresses(text, partner))
    return found

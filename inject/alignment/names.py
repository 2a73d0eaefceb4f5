"""By which names the two speakers of a conversation go."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping

from inject.gates.case import Record
from personas.nicknames import speaker_forms

_MEMO = ("names", "")


def names_in_use(record: Record) -> Mapping[str, frozenset[str]]:
    """Lower-case forms of both speakers' names by full name; read once a conversation."""
    known = record.memo.get(_MEMO)
    if known is None:
        known = record.memo[_MEMO] = speaker_forms(record.conversation)
    if not isinstance(known, dict):
        raise TypeError("the record keeps something else under this name")
    return known


def without_address(text: str, names: Iterable[str]) -> str:
    """A message without the words that only call its reader ("Hey Sam, ", ", Sam!"): the parser trips over them."""
    known = "|".join(sorted(map(re.escape, names), key=len, reverse=True))
    if not known:
        return text
    opened = re.sub(rf"^\W*(?:(?:hey|hi|hello|dear)\s*,?\s*)?(?:{known})\s*[,!:–—-]+\s*", "", text, flags=re.IGNORECASE)
    bare = re.sub(rf",\s*(?:{known})(?=\s*(?:[.!?,]|$))", "", opened, flags=re.IGNORECASE)
    return bare[:1].upper() + bare[1:] if bare.strip() else text

"""Tense of the verb that governs a word, from the parse.

Source of the labels: spaCy's English scheme (Penn tags, ClearNLP relations).
"""

from __future__ import annotations

from enum import StrEnum
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from spacy.tokens import Token


class Tense(StrEnum):
    """Tense of a clause, as far as it says where on the calendar the clause lies."""

    PAST = "past"
    PERFECT = "perfect"
    PAST_PERFECT = "past_perfect"
    PRESENT = "present"
    PROGRESSIVE = "progressive"
    FUTURE = "future"
    CONDITIONAL = "conditional"
    NONE = "none"

    @property
    def looks_back(self) -> bool:
        """Whether the clause lies before the moment of speaking."""
        return self in (Tense.PAST, Tense.PERFECT, Tense.PAST_PERFECT)

    @property
    def looks_ahead(self) -> bool:
        """Whether a point in time named by the clause lies after the moment of speaking."""
        return self in (Tense.FUTURE, Tense.PROGRESSIVE)


_WILL = frozenset({"will", "'ll", "wo", "shall"})
_MODALS = frozenset({"would", "could", "should", "might", "may", "can", "ca", "must"})
_ONE_FORM = frozenset({"quit", "put", "cut", "hit", "shut", "set", "split", "bet", "rid"})
_INHERIT = frozenset({"conj", "xcomp", "advcl", "acl", "pcomp", "amod", "ccomp", "dep", "dobj"})


def governing_verb(token: Token) -> Token | None:
    """The nearest verb above a word (the word itself if it is one), or None in a sentence fragment without a verb."""
    here = token
    while here.pos_ not in {"VERB", "AUX"}:
        if here.head.i == here.i:
            return None
        here = here.head
    return here.head if here.dep_ in {"aux", "auxpass"} else here


def tense_of(verb: Token | None) -> Tense:
    """Tense of a verb with its auxiliaries; a verb without any of its own takes the tense of the verb that it hangs on."""
    for _ in range(8):
        if verb is None:
            return Tense.NONE
        own = _own_tense(verb)
        if own is not None:
            return own
        if verb.dep_ not in _INHERIT or verb.head.i == verb.i:
            return _bare_tense(verb)
        verb = governing_verb(verb.head)
    return Tense.NONE


def _own_tense(verb: Token) -> Tense | None:
    helpers = [child for child in verb.children if child.dep_ in {"aux", "auxpass"}]
    words = {helper.lower_.replace("\u2019", "'") for helper in helpers}
    if words & _WILL:
        return Tense.FUTURE
    if words & _MODALS or ("'d" in words and verb.tag_ == "VB"):
        return Tense.CONDITIONAL
    ahead = _going_to(verb, words)
    if ahead is not None:
        return ahead
    if words & {"had", "'d"}:
        return Tense.PAST_PERFECT
    if words & {"have", "has", "'ve", "haven't"} or (
        "'s" in words and (verb.tag_ == "VBN" and ("been" in words or _is_perfect(helpers)))
    ):
        return Tense.PERFECT
    if words & {"was", "were", "did"}:
        return Tense.PAST
    if words & {"am", "is", "are", "'m", "'re", "'s"}:
        return Tense.PROGRESSIVE if verb.tag_ == "VBG" else Tense.PRESENT
    if words & {"do", "does"}:
        return Tense.PRESENT
    if verb.tag_ == "VBD" or (verb.lower_ in _ONE_FORM and verb.tag_ == "VBP"):
        return Tense.PAST
    if verb.tag_ in {"VBZ", "VBP"}:
        return Tense.PRESENT
    if "to" in words:
        return Tense.NONE
    return None


def _going_to(verb: Token, words: set[str]) -> Tense | None:
    head = verb.head
    if "to" not in words or head.i == verb.i or head.lower_ not in {"going", "gon", "about"}:
        return None
    above = {child.lower_ for child in head.children} | {head.head.lower_}
    if above & {"was", "were"}:
        return Tense.PAST
    return Tense.FUTURE if head.lower_ == "gon" or above & {"am", "is", "are", "'m", "'re", "'s"} else None


def _is_perfect(helpers: list[Token]) -> bool:
    return any(helper.lemma_ == "have" for helper in helpers)


def _bare_tense(verb: Token) -> Tense:
    """Tense of a fragment without subject or auxiliary: "Adopted her on Monday", "Heading out tomorrow"."""
    if verb.lower_ == "been" or any(child.lower_ == "been" for child in verb.children):
        return Tense.PERFECT
    if verb.tag_ in {"VBN", "VBD"}:
        return Tense.PAST
    if verb.tag_ == "VBG":
        return Tense.PROGRESSIVE
    return Tense.NONE

"""Closed word classes and fixed phrases of stance: what denies, ends, wants, says. Data: data/stance_words.yaml."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING

import yaml

if TYPE_CHECKING:
    from spacy.tokens import Token


@dataclass(frozen=True)
class Words:
    """The closed word classes and fixed phrases."""

    lists: dict[str, frozenset[str]]
    phrasal: dict[str, frozenset[str]]
    refusal: re.Pattern[str]
    commitment: re.Pattern[str]
    over: re.Pattern[str]


@lru_cache(maxsize=1)
def words() -> Words:
    """The word classes, read once."""
    raw = yaml.safe_load((Path(__file__).parent / "data" / "stance_words.yaml").read_text(encoding="utf-8"))
    lists = {key: frozenset(map(str, value)) for key, value in raw.items() if isinstance(value, list) and "phrases" not in key}

    def joined(key: str) -> re.Pattern[str]:
        return re.compile("|".join(f"(?:{part})" for part in raw[key]))

    return Words(
        lists=lists,
        phrasal={verb: frozenset(parts) for verb, parts in raw["phrasal_cessations"].items()},
        refusal=joined("refusal_phrases"),
        commitment=joined("commitment_phrases"),
        over=joined("over_phrases"),
    )


def plain(text: str) -> str:
    """Lower case with straight apostrophes and single spaces, for phrase patterns."""
    return re.sub(r"\s+", " ", text.replace("’", "'").replace("‘", "'")).lower().strip()


LEMMA_FIXES = {
    "star": "stare",
    "rid": "ride",
    "bik": "bike",
    "hik": "hike",
    "vap": "vape",
    "knitt": "knit",
    "din": "dine",
    "cod": "code",
    "skat": "skate",
    "bak": "bake",
}


def lemma_of(token: Token) -> str:
    """The lower-case lemma; contractions and curly apostrophes are evened out."""
    lemma = str(token.lemma_.lower().replace("’", "'"))
    if token.lower_ == lemma or token.tag_[:2] != "VB" or "rr" in token.lower_:
        return lemma
    return LEMMA_FIXES.get(lemma, lemma)


def is_negator(token: Token) -> bool:
    """Whether the token negates (not, n't, never, no ...)."""
    lower = token.lower_.replace("’", "'")
    if lower == "no" and token.dep_ == "intj":
        return False
    return token.dep_ == "neg" or lower in words().lists["negators"]


def is_ceasing(token: Token) -> bool:
    """Whether the verb says that something stops or is refused (quit, gave up, swore off, can't stand)."""
    lemma = lemma_of(token)
    lists = words().lists
    if token.pos_ not in ("VERB", "AUX") and token.tag_[:2] != "VB":
        return False
    if lemma in lists["cessations"]:
        particles = {child.lower_ for child in token.children}
        return not (lemma == "end" and "up" in particles) and not (
            lemma == "stop" and particles & {"by", "at", "in", "over", "for"}
        )
    if lemma in lists["refusals"]:
        return True
    following = words().phrasal.get(lemma)
    if following:
        near = {child.lower_ for child in token.children} | {other.lower_ for other in token.doc[token.i + 1 : token.i + 5]}
        return bool(following & near)
    return False

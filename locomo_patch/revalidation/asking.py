"""What a question about a value asks for: classes of answers, relation, whose it is, qualifiers; and what its gold holds."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from locomo_patch.revalidation.answers import (
    PURSUIT,
    answer_class,
    classes_named,
    is_member,
    kin_of,
    pursuit_tags,
    pursuits_in,
    relations_asked,
)
from twistcore.text.claims import lemma_of

if TYPE_CHECKING:
    from spacy.tokens import Doc, Token

_SORT_WORDS = frozenset(
    """kind type sort style name way some thing one other most more much many likely s new newest recent recently currently current
    latest last first second third favorite favourite significant particular specific main similar different various special certain
    good well currently lately""".split()  # noqa: SIM905
)
_TAGS = {
    "outdoor": "outdoor", "outdoors": "outdoor", "winter": "outdoor", "indoor": "indoor", "sport": "sport", "exercise": "exercise",
    "workout": "exercise", "martial": "martial", "craft": "craft", "water": "water", "creative": "art", "artistic": "art",
}  # fmt: skip
_WHO = re.compile(r"^\W*(?:who|whom|whose)\b", re.IGNORECASE)
_WHERE = re.compile(r"^\W*(?:where|to where|from where)\b", re.IGNORECASE)
_SHOWN = ("color", "food", "drink", "instrument", "pet", "language", "vehicle", "jewelry", "genre", "music", "dance", "health")
_ONCE = re.compile(r"\b(?:first|second|third|fourth|last|once|after|before|during|when|while|start(?:ed)?)\b", re.IGNORECASE)
_DATING = frozenset({"after", "before", "while", "during", "when", "since"})
_PLANS = re.compile(
    r"\b(?:might|could|future|goals?|aims?|consider\w*|dreams?|excited|looking|hop(?:e|es|ing)|plan\w*|going to|will|would"
    r"|want\w*|intend\w*|next)\b",
    re.IGNORECASE,
)
_GENRES = frozenset({"movie", "film", "book", "novel", "game", "show", "music"})
_COUNTED = re.compile(r"\b(?:two|three|four|five|six|[2-9])\s?[a-z]{3,}", re.IGNORECASE)
_ASKS = re.compile(
    r"^\W*(?:what|which) (?:\w+ ){0,2}?(?P<noun>[a-z]{4,}) (?:does|do|did|has|have|is|are|was|were|can|could|will|would|might) ",
    re.IGNORECASE,
)
_OR = re.compile(r"\b[A-Z]\w+ or [A-Z]\w+\?")
_BOARD, _VIDEO = re.compile(r"\bboard ?games?\b", re.IGNORECASE), re.compile(r"\bvideo ?games?\b|\bvideogames?\b", re.IGNORECASE)


@dataclass(frozen=True)
class Asking:
    """What is asked for, and what the gold holds of it.

    `species` are the nouns that an answer must be a kind of; `tags` what a pursuit must be; `pursuits` those that gold and question
    name, `held` those of the gold alone; `holder` the group of people whose it is where that is no speaker (her mother's hobbies);
    `qualifiers` the further content; `once` marks one certain event, `closed` a choice between named things, `plan` that what is
    only planned counts, `counted` a gold that says how many.
    """

    classes: frozenset[str] = frozenset()
    species: frozenset[str] = frozenset()
    tags: frozenset[str] = frozenset()
    relations: frozenset[str] = frozenset()
    holder: str = ""
    qualifiers: frozenset[str] = frozenset()
    gold: frozenset[str] = frozenset()
    pursuits: frozenset[str] = frozenset()
    held: frozenset[str] = frozenset()
    pursuit: bool = False
    board: bool = False
    video: bool = False
    once: bool = False
    closed: bool = False
    plan: bool = False
    counted: bool = False


def read_asking(
    doc: Doc, asked_for: frozenset[str], gold: Iterable[str], answer: str, speakers: frozenset[str], *, trap: bool
) -> Asking:
    """Read what a parsed question asks for. `gold` are lemmas of the answer, `speakers` lower-case forms of the speakers' names."""
    asked_for = asked_for - _held(doc, asked_for) or _unparsed(doc)
    content = [t for t in doc if t.pos_ in ("NOUN", "PROPN", "VERB", "ADJ", "NUM") and t.lower_ not in speakers and not _empty(t)]
    lemmas = frozenset(lemma_of(t) for t in content)
    heads = asked_for - _modifiers(doc, asked_for)
    classes = _classes(doc, heads, asked_for, lemmas)
    words = frozenset(re.findall(r"[a-z0-9][a-z0-9'-]*", answer.lower())) | frozenset(gold)
    known = pursuits_in(words, answer.lower())
    if not classes - {"project", "subject"} and not (trap and asked_for - _SORT_WORDS):
        classes |= _classes_of_gold(frozenset(gold))
        if known and max(known.values()) >= 1.0 and _asks_deed(doc):
            classes.add(PURSUIT)
    species = frozenset(word for word in heads if word not in _SORT_WORDS)
    aside = _aside(doc)
    verbs = {lemma_of(t) for t in doc if t.pos_ == "VERB" or (t.lower_ == "like" and t.i >= len(doc) - 2)}
    relations = set(relations_asked((lemmas | verbs) - aside | ({"go"} if "where" in doc.text.lower() else set())))
    if "cook" in relations:
        relations -= {"make"} if "food" in classes else {"cook"}
    relations |= {
        wanted for each in classes if (wanted := answer_class(each).relation) and not (wanted == "eat" and "cook" in relations)
    }
    pursuit = PURSUIT in classes or "relax" in relations
    if pursuit:
        relations &= {"relax", "volunteer"}
        if asked_for & {"class", "course"}:
            relations.add("learn")
    holder, holder_token = _holder(doc, speakers)
    beside = _beside(doc)
    if pursuit:
        beside |= {t.lower_ for t in doc if t.lower_ in _TAGS}
    named = frozenset().union(*(answer_class(each).asked for each in classes)) if classes else frozenset()
    kept = {
        lemma_of(t)
        for t in content
        if t.pos_ != "VERB" and lemma_of(t) not in named and lemma_of(t) not in _SORT_WORDS and t is not holder_token
    } - beside
    asked = pursuits_in(lemmas, doc.text.lower())
    tags = frozenset(_TAGS[t.lower_] for t in doc if t.lower_ in _TAGS)
    return Asking(
        classes=frozenset(classes - {PURSUIT}),
        species=species,
        tags=tags,
        relations=frozenset(relations),
        holder=holder,
        qualifiers=frozenset(kept) - species,
        gold=words | beside,
        pursuits=frozenset(known) | frozenset(asked),
        held=frozenset(known) - frozenset(asked),
        pursuit=pursuit,
        board=_BOARD.search(doc.text) is not None,
        video=_VIDEO.search(doc.text) is not None,
        once=_ONCE.search(doc.text) is not None,
        closed=_OR.search(doc.text) is not None,
        plan=_PLANS.search(doc.text) is not None,
        counted=_COUNTED.search(answer) is not None,
    )


def _held(doc: Doc, asked_for: frozenset[str]) -> frozenset[str]:
    """Asked words that only say whose or of what: family in "the motto of her family"; the class in "what kind of dance" stays."""
    return frozenset(
        lemma_of(t)
        for t in doc
        if t.dep_ == "pobj" and t.head.lower_ in ("of", "for") and t.head.head.pos_ == "NOUN" and lemma_of(t) in asked_for
        and lemma_of(t.head.head) not in _SORT_WORDS | {"genre", "form", "brand", "number", "breed", "title"}
    ) if len(asked_for) > 1 else frozenset()  # fmt: skip


def _unparsed(doc: Doc) -> frozenset[str]:
    """The noun after "what" where the parser took it for a verb: of "what causes does he support", cause."""
    match = _ASKS.match(doc.text)
    if match is None:
        return frozenset()
    word = match["noun"].lower()
    return frozenset({word[:-1] if word.endswith("s") and not word.endswith("ss") else word})


def _aside(doc: Doc) -> set[str]:
    """Verbs of a clause that only dates the question: of "after getting a scare", get."""
    return {
        lemma_of(t)
        for t in doc
        if t.pos_ == "VERB"
        and (
            (t.dep_ == "pcomp" and t.head.lower_ in _DATING)
            or (
                t.dep_ == "advcl"
                and any(child.lower_ in _DATING for child in t.children if child.dep_ in ("mark", "advmod", "prep"))
            )
        )
    }


def _asks_deed(doc: Doc) -> bool:
    """Whether a question asks what somebody does or tries."""
    return any(token.lemma_ in ("do", "try", "practice", "pursue") and token.pos_ == "VERB" for token in doc)


def _modifiers(doc: Doc, asked_for: frozenset[str]) -> frozenset[str]:
    """Asked words that only narrow another one: family in "family event"; a name is of what it is compounded with."""
    return frozenset(
        lemma_of(t)
        for t in doc
        if t.dep_ == "compound"
        and t.head.pos_ in ("NOUN", "PROPN")
        and lemma_of(t) in asked_for
        and lemma_of(t.head) not in _SORT_WORDS
    ) - {"ice"}


def _classes(doc: Doc, heads: frozenset[str], asked_for: frozenset[str], lemmas: frozenset[str]) -> set[str]:
    classes = set(classes_named(heads))
    wide = heads & {"series", "trilogy", "saga"}
    if wide and asked_for - wide - _SORT_WORDS:
        classes = set(classes_named(asked_for - wide))
    if not classes:
        classes = set(classes_named(asked_for))
    if "game" in classes:
        classes -= {"project", "show"}
    if asked_for & {"type", "kind", "genre"} and heads & _GENRES:
        classes.add("genre")
    if not asked_for:
        classes |= _unnamed(doc, lemmas)
    return classes


def _classes_of_gold(words: frozenset[str]) -> set[str]:
    """Classes that the gold shows where the question names none: of "red and purple lighting", color."""
    return {name for name in _SHOWN if words and 2 * sum(is_member(word, name) for word in words) >= len(words)}


def _beside(doc: Doc) -> frozenset[str]:
    """What a question sets aside: of "besides teaching yoga" the words after it."""
    for token in doc:
        aside = token.lower_ in ("besides", "except", "apart", "beyond") or (
            token.lower_ == "than" and token.nbor(-1).lower_ == "other"
        )
        if aside and token.i:
            return frozenset(lemma_of(t) for t in doc[token.i + 1 :] if t.is_alpha and not t.is_stop)
    return frozenset()


def _empty(token: Token) -> bool:
    return token.is_stop or not token.is_alpha


def _unnamed(doc: Doc, lemmas: frozenset[str]) -> set[str]:
    """Classes of a question that names none: who, where, allergic to what, what she bought."""
    found: set[str] = set()
    if _WHO.search(doc.text):
        found |= {"person", "performer"} if lemmas & {"fan", "music", "headline", "perform", "listen"} else {"person"}
    if _WHERE.search(doc.text):
        found.add("place")
    if lemmas & {"allergic", "allergy"}:
        found.add("allergen")
    if lemmas & {"buy", "receive", "purchase", "acquire"}:
        found.add("gift")
    if lemmas & {"destress", "relax", "unwind"}:
        found.add(PURSUIT)
    if lemmas & {"beneficiary", "awareness", "charity"}:
        found.add("organization")
    return found


def _holder(doc: Doc, speakers: frozenset[str]) -> tuple[str, Token | None]:
    """The group of people whose matter is asked for, where it is no speaker's own: a kin word that owns or does what is asked."""
    for token in doc:
        group = kin_of(lemma_of(token)) if token.pos_ in ("NOUN", "PROPN") else None
        if group is None or token.lower_ in speakers:
            continue
        owned = any(child.dep_ == "poss" and (child.lower_ in speakers or child.pos_ == "PRON") for child in token.children)
        if owned and token.dep_ not in ("pobj", "dobj", "conj"):
            return group, token
    return "", None


def right_pursuit(asking: Asking, name: str) -> bool:
    """Whether a pursuit is of the sort that is asked for (outdoor, sport, exercise ...)."""
    return asking.tags <= pursuit_tags(name)

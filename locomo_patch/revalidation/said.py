"""What a turn says, mention by mention: each noun, name and title with who has to do with it and how it is put forward.

A turn's claims decide what may be an answer: what somebody else has, what is wished for, planned or denied is none. Sentences keep
what colours all that they mention: preference, change, correction.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field, replace
from enum import StrEnum
from typing import TYPE_CHECKING

from locomo_patch.revalidation.answers import is_person, kin_of, pursuits_in
from locomo_patch.revalidation.turns import TurnReading
from locomo_patch.revalidation.wording import CHANGES, CORRECTS, HABIT, MORE, PLAN, PREFERS, TAKES_BACK, TELLS, UNREAL
from twistcore.text.claims import Clause, Modality, Subject, Tense, clauses, lemma_of
from twistcore.text.classes import known

if TYPE_CHECKING:
    from spacy.tokens import Doc, Span, Token

ME, YOU, OTHER, THING, NAMED = "me", "you", "other", "thing", "named"
_NOUNS = ("NOUN", "PROPN")
_SPOKEN = ("NOUN", "PROPN", "VERB", "AUX", "ADJ", "NUM", "ADV")
_MINE = frozenset({"i", "me", "my", "mine", "we", "us", "our", "ours", "myself", "ourselves"})
_THEIRS = frozenset({"his", "her", "their"})
_BIRTH = frozenset({"oldest", "eldest", "middle", "youngest", "little"})
_MINOR = frozenset({"npadvmod", "advmod", "nmod"})
_SMALL = frozenset({"of", "the", "and", "in", "to", "a", "for"})
_QUOTED = re.compile(r"(?<!\w)['\"‘“]([A-Z][^'\"’”]{1,40})['\"’”](?!\w)")
_DATES = re.compile(
    r"^(?:(?:mon|tues|wednes|thurs|fri|satur|sun)days?|january|february|march|april|may|june|july|august|september|october|november"
    r"|december|i|memorial|christmas|thanksgiving|easter|ok|okay|oh|wow|haha|ugh|oops)$"
)


class Standing(StrEnum):
    """How a mention is put forward."""

    FACT = "fact"
    PLAN = "plan"
    UNREAL = "unreal"
    DENIED = "denied"
    ASKED = "asked"


@dataclass(frozen=True, slots=True)
class Mention:
    """A thing that is mentioned. `actor` is `me`, `you`, `thing`, `named`, `other` or a group of people (mother, friend ...).

    `held` is whose it is; `place` marks a name behind a preposition of place.
    """

    lemma: str
    words: frozenset[str]
    title: str
    proper: bool
    actor: str
    held: str
    standing: Standing
    sentence: int
    role: str
    place: bool
    after: str


@dataclass(frozen=True, slots=True)
class Sentence:
    """A sentence with its content, in all and by who has to do with it, and what colours it."""

    lemmas: frozenset[str]
    lowered: str
    actors: frozenset[str]
    by: dict[str, frozenset[str]]
    standing: Standing
    prefers: bool
    changes: bool
    corrects: bool
    more: bool
    pursuits: dict[str, float]


@dataclass(frozen=True)
class Said:
    """All that a turn says."""

    mentions: tuple[Mention, ...] = ()
    sentences: tuple[Sentence, ...] = ()
    lemmas: frozenset[str] = frozenset()


@dataclass(frozen=True)
class ClaimedTurn(TurnReading):
    """A turn's reading together with its mentions."""

    said: Said = field(default_factory=Said)


def with_mentions(reading: TurnReading, doc: Doc) -> ClaimedTurn:
    """The reading of a turn with what its parse says, mention by mention."""
    names = frozenset({reading.turn.speaker.lower(), reading.turn.partner.lower()})
    return ClaimedTurn(**vars(reading), said=read_said(doc, names))


def read_said(doc: Doc, speakers: frozenset[str]) -> Said:
    """Read the mentions of a parsed turn; `speakers` are the lower-case names of the two who talk."""
    actors = _actors(doc, speakers)
    mentions: list[Mention] = []
    sentences: list[Sentence] = []
    for number, span in enumerate(doc.sents):
        lowered = span.text.lower().replace("’", "'")
        lemmas = frozenset(lemma_of(token) for token in span if token.is_alpha or "-" in token.text)
        lemmas |= _joined(span) | {token.lower_ for token in span if token.is_alpha}
        standing = _of_sentence(lowered, span)
        by: dict[str, set[str]] = {}
        for token in span:
            if token.pos_ in _SPOKEN:
                actor = actors[token.i][0]
                by.setdefault(ME if actor == THING else actor, set()).update((lemma_of(token), token.lower_))
        who = frozenset(by) or frozenset({ME})
        prefers = PREFERS.search(lowered) is not None
        mentions += _mentions(span, number, actors, standing, prefers, speakers)
        sentences.append(
            Sentence(
                lemmas,
                lowered,
                who,
                {actor: frozenset(words) | (_joined(span) if actor == ME else frozenset()) for actor, words in by.items()},
                standing,
                prefers,
                CHANGES.search(lowered) is not None,
                CORRECTS.search(lowered) is not None,
                MORE.search(lowered) is not None,
                pursuits_in(lemmas | {t.lower_ for t in span}, lowered),
            )
        )
    for number, sentence in enumerate(sentences[1:], start=1):
        if TAKES_BACK.search(sentence.lowered) and sentences[number - 1].standing is Standing.FACT:
            sentences[number - 1] = replace(sentences[number - 1], standing=Standing.DENIED)
            mentions = [replace(m, standing=Standing.DENIED) if m.sentence == number - 1 else m for m in mentions]
    every = frozenset().union(*(each.lemmas for each in sentences)) if sentences else frozenset()
    return Said(tuple(mentions), tuple(sentences), every)


def _joined(span: Span) -> frozenset[str]:
    """Compounds that the tokenizer parts at their hyphen."""
    found = set()
    tokens = list(span)
    for left, joint, right in zip(tokens, tokens[1:], tokens[2:], strict=False):
        if joint.text == "-" and not left.whitespace_ and not joint.whitespace_:
            found.add(f"{left.lower_}-{right.lower_}")
    return frozenset(found)


def _of_sentence(lowered: str, span: Span) -> Standing:
    if span.text.rstrip().endswith("?") and not TELLS.search(lowered):
        return Standing.ASKED
    modals = set() if HABIT.search(lowered) else {_modal(child) for child in span.root.children}
    if UNREAL.search(lowered) or "would" in modals:
        return Standing.UNREAL
    return Standing.PLAN if "will" in modals or PLAN.search(lowered) else Standing.FACT


def _modal(token: Token) -> str:
    """`would` for an auxiliary that unmakes a claim, `will` for one that puts it off; nothing for any other word."""
    if token.tag_ != "MD":
        return ""
    word = token.lower_.replace("’", "'")
    if word in ("would", "'d", "might", "may"):
        return "would"
    return "will" if word in ("will", "'ll") else ""


def _actors(doc: Doc, speakers: frozenset[str]) -> dict[int, tuple[str, Standing]]:
    """Who acts in the clause of each token, and how the clause is put forward."""
    found: dict[int, tuple[str, Standing]] = {token.i: (ME, Standing.FACT) for token in doc}
    last: str | None = None
    for clause in clauses(doc):
        actor, last = _actor(clause, last, speakers)
        last = _introduced(clause) or last
        standing = _of_clause(clause)
        for token in clause.tokens:
            found[token.i] = (actor, standing)
    return found


def _actor(clause: Clause, last: str | None, speakers: frozenset[str]) -> tuple[str, str | None]:
    """Who acts in a clause, and the third person that a later "she" would mean."""
    token = clause.subject_token
    if clause.subject is Subject.FIRST:
        return ME, last
    if clause.subject is Subject.SECOND:
        return YOU, last
    if token is None:
        return (last if last and clause.head.dep_ in ("relcl", "conj") else ME), last
    if token.lower_ in ("he", "she", "they"):
        return (last or ME), last
    if token.lower_ in ("who", "that", "which") and clause.head.dep_ == "relcl":
        token = clause.head.head
    person = _person(token, speakers)
    if person:
        return person, person
    if clause.subject is Subject.OWNED:
        return ME, last
    held = _holder(token, speakers)
    if held not in (ME, YOU):
        return held, held
    if token.pos_ == "NOUN" and not any(each.lower_ in _MINE for each in clause.tokens):
        return THING, last
    if token.pos_ == "PROPN" and token.lower_ not in speakers:
        return (last or NAMED), last
    return ME, None if token.pos_ in _NOUNS else last


def _introduced(clause: Clause) -> str | None:
    """A person whom a clause of the speaker's own brings up as its object: "I met a nurse. She ..."."""
    for token in clause.tokens:
        if (
            token.dep_ in ("dobj", "pobj", "attr", "poss")
            and token.pos_ in _NOUNS
            and not any(c.lower_ in _THEIRS for c in token.children)
        ):
            group = kin_of(lemma_of(token))
            if group is not None:
                return group
            if token.dep_ == "dobj" and token.pos_ == "NOUN" and is_person(lemma_of(token)):
                return OTHER
    return None


def _person(token: Token, speakers: frozenset[str]) -> str | None:
    if token.lower_ in ("everybody", "everyone", "somebody", "someone", "nobody"):
        return OTHER
    if any(child.dep_ == "poss" and child.lower_ == "my" for child in token.children) and (
        token.pos_ == "NUM" or (token.lower_ in ("one", "ones") and any(child.lower_ in _BIRTH for child in token.children))
    ):
        return "child"
    if token.pos_ not in _NOUNS or token.lower_ in speakers:
        return None
    lemma = lemma_of(token)
    for child in token.children:
        if child.dep_ == "poss" and kin_of(lemma) and child.pos_ in _NOUNS and child.lower_ not in speakers:
            return OTHER
    if any(child.dep_ == "conj" and child.lower_ in ("i", "me") for child in token.children):
        return None
    if kin_of(lemma) is None and _holder(token, speakers) == ME and any(child.dep_ == "poss" for child in token.children):
        return None
    return kin_of(lemma) or (OTHER if token.pos_ == "NOUN" and is_person(lemma) else None)


def _holder(token: Token, speakers: frozenset[str]) -> str:
    """Whose a noun is: the speaker's unless a possessor says otherwise."""
    for child in token.children:
        if child.dep_ != "poss":
            continue
        if child.lower_ in ("my", "our"):
            return ME
        if child.lower_ == "your":
            return YOU
        if child.lower_ in ("his", "her", "their"):
            return OTHER
        if child.pos_ == "NOUN":
            return kin_of(lemma_of(child)) or ME
        if child.pos_ == "PROPN":
            return kin_of(child.lower_) or OTHER
    return ME


def _of_clause(clause: Clause) -> Standing:
    lowered = clause.sentence.text.lower().replace("’", "'")
    if clause.modality is Modality.QUESTION:
        return Standing.FACT if TELLS.search(lowered) else Standing.ASKED
    denied = clause.negated and not clause.ceased
    if HABIT.search(lowered) is None:
        if clause.modality is Modality.HYPOTHETICAL or any(_modal(token) == "would" for token in clause.tokens):
            return Standing.UNREAL
        if clause.modality in (Modality.INTENDED, Modality.POSSIBLE) or clause.tense is Tense.FUTURE:
            return Standing.PLAN
    return Standing.DENIED if denied else Standing.FACT


_ORDER = (Standing.ASKED, Standing.UNREAL, Standing.DENIED, Standing.PLAN, Standing.FACT)


def _mentions(
    span: Span,
    number: int,
    actors: dict[int, tuple[str, Standing]],
    standing: Standing,
    prefers: bool,
    speakers: frozenset[str],
) -> list[Mention]:
    titles = _titles(span, speakers)
    inside = {token.i for run in titles for token in run}
    found: list[Mention] = []
    for run in titles:
        head = next((token for token in run if token.head.i not in {t.i for t in run}), run[-1])
        words = frozenset(t.lower_ for t in run if t.lower_ not in _SMALL)
        found.append(_mention(head, words, " ".join(t.lower_ for t in run), actors, standing, prefers, number, speakers))
    for token in span:
        if token.i in inside or token.pos_ not in _NOUNS or token.lower_ in speakers or _DATES.match(token.lower_):
            continue
        if token.dep_ == "compound" and token.head.pos_ in _NOUNS and token.head.i not in inside:
            continue
        parts = [child for child in token.children if child.dep_ in ("compound", "amod") and child.is_alpha]
        words = frozenset({lemma_of(token), token.lower_, *(lemma_of(part) for part in parts)})
        found.append(_mention(token, words, "", actors, standing, prefers, number, speakers))
    return found


def _mention(
    head: Token,
    words: frozenset[str],
    title: str,
    actors: dict[int, tuple[str, Standing]],
    standing: Standing,
    prefers: bool,
    number: int,
    speakers: frozenset[str],
) -> Mention:
    actor, clause = actors[head.i]
    both = clause if prefers and standing is Standing.UNREAL else min(clause, standing, key=_ORDER.index)
    if prefers and both is not Standing.ASKED:
        both = Standing.FACT
    role = "minor" if head.dep_ in _MINOR else head.dep_
    top = head
    while top.dep_ == "conj" and top.head.i != top.i:
        top = top.head
    if top.dep_ == "pobj" and top.head.lower_ == "of" and top.head.head.pos_ == "NOUN" and head.pos_ == "NOUN":
        role = top.head.head.dep_
    prep = top.head.lower_ if top.dep_ == "pobj" else ""
    lemma = lemma_of(head)
    if not known(lemma, "n") and known(head.lower_, "n"):
        lemma = head.lower_
    return Mention(
        lemma=lemma,
        words=words,
        title=title or (head.lower_ if head.pos_ == "PROPN" else ""),
        proper=bool(title) or (head.pos_ == "PROPN" and head.text[:1].isupper()),
        actor=actor,
        held=_holder(head, speakers),
        standing=both,
        sentence=number,
        role=role,
        place=prep in ("in", "to", "from", "at", "through", "around", "near", "off", "across") and head.text[:1].isupper(),
        after=prep,
    )


def _titles(span: Span, speakers: frozenset[str]) -> list[list[Token]]:
    """Runs of capitalised words and what stands in quotes; a single capital at the start of a sentence is none."""
    found: list[list[Token]] = []
    quoted: set[int] = set()
    for match in _QUOTED.finditer(span.text):
        part = span.doc.char_span(span.start_char + match.start(1), span.start_char + match.end(1), alignment_mode="expand")
        if part is not None:
            run = [token for token in part if token.is_alpha or token.is_digit]
            if run:
                found.append(run)
                quoted.update(token.i for token in run)
    run = []
    for token in [*span, None]:
        if token is not None and token.i not in quoted:
            capital = (
                token.text[:1].isupper() and (token.pos_ not in ("PRON", "INTJ") or bool(run)) and token.lower_ not in speakers
            )
            if (capital and not _DATES.match(token.lower_)) or (
                run and (token.lower_ in _SMALL or (token.is_digit and len(token.text) < 5))
            ):
                run.append(token)
                continue
        found += _closed(run)
        run = []
    return found


def _closed(run: list[Token]) -> list[list[Token]]:
    while run and not (run[-1].text[:1].isupper() or run[-1].is_digit):
        run.pop()
    parts: list[list[Token]] = [[]]
    for token in run:
        if token.lower_ in ("and", "to", "in", "for", "a") and len(run) < 4:
            parts.append([])
        else:
            parts[-1].append(token)
    good = []
    for whole in parts:
        opens = whole and whole[0].is_sent_start and whole[0].pos_ not in ("PROPN", "NOUN", "DET") and len(whole) <= 2
        part = whole[1:] if opens else whole
        if (
            part
            and (len(part) > 1 or part[0].pos_ in ("PROPN", "NOUN", "ADJ", "VERB"))
            and not (len(part) == 1 and part[0].is_sent_start and part[0].pos_ != "PROPN")
        ):
            good.append(part)
    return good

"""Injected turns, read: what each person is said to be, do or have, how it is put forward, and when.

A turn is read clause by clause (`twistcore.text.claims`). What is imagined, only planned, asked, denied or told of a third person
is kept apart from what is stated as fact, since only facts can change an answer.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass, field
from datetime import date
from enum import StrEnum
from itertools import pairwise
from typing import TYPE_CHECKING, Any

from locomo_patch.revalidation.bag_words import compounds, hyphenated, titles_in
from locomo_patch.revalidation.wording import TAKES_BACK
from twistcore.text.calendars import Range
from twistcore.text.claims import Clause, Modality, Subject, Tense, clauses, is_negator, lemma_of, words
from twistcore.text.times import TimeExpression, find_times

if TYPE_CHECKING:
    from spacy.tokens import Doc, Token

_CONTENT = frozenset({"NOUN", "PROPN", "VERB", "ADJ", "NUM", "ADV"})
_OUTSIDERS = frozenset(
    """
    neighbor neighbour coworker colleague boss friend buddy cousin roommate flatmate stranger teammate guy lady woman man classmate
    barista customer client somebody someone everyone everybody
    """.split()  # noqa: SIM905
)
_DREAM = re.compile(
    r"\b(?:dream(?:t|ed)?|daydream\w*|imagin\w+|pretend\w*|in another life|if i (?:ever|had|was|were|won)|what if)\b"
)
_CHANGE = re.compile(
    r"\b(?:now|anymore|any more|no longer|instead|these days|since (?:then|\w+day)|from now on|for good|officially|finally|switched"
    r"|swapped|gone off|went off|broke(?:n)? up|moved on|done with|not .{0,20} any ?more|new|as of|used to|lately|turned into|ended"
    r"|became|become|quit|left|leaving|dropped|traded|retired|over)\b"
)
_CORRECTION = re.compile(
    r"\b(?:actually|turns out|turned out|correct(?:ed|ion)|wrong|mistake\w*|mis(?:remembered|counted|spoke|took)|mixed up|oops"
    r"|told (?:you|everyone|people)|telling (?:you|everyone|people)|i(?:'ve| have) been (?:saying|telling)|i (?:said|always say)"
    r"|dated|papers?|slip|receipt|diary|journal|album|folder|records?|ticket|found out|checked|looked (?:it )?up|can't count"
    r"|really was|in fact|not \w+ (?:like|as) i)\b"
)
_AGAIN = re.compile(
    r"\b(?:again|another|one more|once more|second|third|fourth|fifth|sixth|two more|new|also|too|as well|joined|added|extra"
    r"|besides"
    r"|on top of|plus|latest|next|yet another|back (?:at|in|to|from)|repeat|redo|do-over)\b"
)
_BEFORE = re.compile(
    r"\b(?:miss(?:ed|ing)?|remember\w*|back (?:in|when)|when i was|as a (?:kid|child|teen\w*)|years ago|used to|old days)\b"
)
_MOVES = frozenset(
    """
    take go come drive run walk fly head stop meet bring drag stay rush hurry travel return sneak pop gather join bike hike drop
    climb
    """.split()  # noqa: SIM905
)
_FINDS = frozenset({"find", "dig", "look", "check", "discover", "stumble", "remember", "notice", "leaf"})
_ELSEWHERE = re.compile(
    r"\b(?:next door|down the (?:street|road|hall)|across the (?:street|road|hall)|downstairs|upstairs|from (?:work|class"
    r"|church|the office"
    r"|accounting|(?:my|the|our) (?:building|office|gym|block|street|choir|club|class|floor)))\b"
)
_SUPERLATIVE = re.compile(
    r"\bnever .{0,30}\b(?:so|such|more|better|as)\b|(?:could|can) ?(?:n't|not) (?:stop|wait|be (?:happier|prouder|more)|believe"
    r"|help)\b"
)
_WE = frozenset({"we", "us", "our", "ours", "ourselves"})


class Standing(StrEnum):
    """How a stretch of a turn is put forward."""

    FACT = "fact"
    PLAN = "plan"
    UNREAL = "unreal"
    ASKED = "asked"
    DENIED = "denied"
    REPORTED = "reported"


@dataclass(frozen=True, slots=True)
class InjectedTurn:
    """One new turn in its place. `name` is how a verdict cites it; `day` the calendar day of its session; `after` the turn that it
    follows, where the place has one."""

    name: str
    session: int
    day: date
    speaker: str
    partner: str
    text: str
    after: str | None = None


@dataclass(frozen=True)
class Bag:
    """The words of what one person is said to be, do or have, under one standing."""

    words: frozenset[str] = frozenset()
    nouns: frozenset[str] = frozenset()
    verbs: frozenset[str] = frozenset()
    names: frozenset[str] = frozenset()
    titles: frozenset[str] = frozenset()
    numbers: frozenset[str] = frozenset()
    present: bool = False
    past: bool = False
    over: bool = False
    ceased: bool = False

    def __or__(self, other: Bag) -> Bag:
        return Bag(
            self.words | other.words,
            self.nouns | other.nouns,
            self.verbs | other.verbs,
            self.names | other.names,
            self.titles | other.titles,
            self.numbers | other.numbers,
            self.present or other.present,
            self.past or other.past,
            self.over or other.over,
            self.ceased or other.ceased,
        )


@dataclass(frozen=True)
class TurnReading:
    """A turn with its bags by person and standing. The person is a speaker's name; what is told of outsiders is under `None`.

    `others` are words that are said only of the speaker's relatives and others that belong to the speaker; `kept` is room for
    what is
    worked out once a turn.
    """

    turn: InjectedTurn
    bags: dict[tuple[str | None, Standing], Bag]
    times: tuple[TimeExpression, ...]
    dreams: bool
    changes: bool
    corrects: bool
    again: bool
    looks_back: bool
    together: bool
    context: frozenset[str] = field(default=frozenset())
    everything: frozenset[str] = field(default=frozenset())
    others: frozenset[str] = field(default=frozenset())
    days: Range | None = None
    kept: dict[Any, Any] = field(default_factory=dict, compare=False, repr=False)

    def bag(self, person: str | None, *standings: Standing) -> Bag:
        """What is said of a person under any of the standings."""
        key = ("bag", person, *standings)
        found: Bag | None = self.kept.get(key)
        if found is None:
            merged = Bag()
            for standing in standings:
                merged = merged | self.bags.get((person, standing), Bag())
            found = self.kept[key] = merged
        return found

    def facts(self, person: str) -> Bag:
        """What is stated of a person as fact."""
        return self.bag(person, Standing.FACT)

    def window(self) -> Range:
        """The days of what the turn tells; its own day where it dates nothing."""
        return self.days if self.days is not None else (self.turn.day, self.turn.day)


def read_turn(turn: InjectedTurn, doc: Doc, context: frozenset[str] = frozenset()) -> TurnReading:
    """Read one injected turn from its parse; `context` has the content lemmas of the turns just before it."""
    bags: dict[tuple[str | None, Standing], Bag] = {}
    found = clauses(doc)
    inside: set[int] = set()
    of_self: set[str] = set()
    of_others: set[str] = set()
    undone = _undone(doc)
    for clause in found:
        inside.update(token.i for token in clause.tokens)
        standing = _standing(clause)
        if standing is Standing.FACT and clause.head.sent.start in undone:
            standing = Standing.UNREAL
        lemmas = {lemma_of(token) for token in clause.tokens}
        (of_others if _is_of_relative(clause) else of_self).update(lemmas)
        parts = {standing: list(clause.tokens)}
        if standing is Standing.DENIED:
            parts = _by_negation(clause)
        for person in _persons(clause, turn, doc):
            for under, tokens in parts.items():
                key = (person, under)
                bags[key] = bags.get(key, Bag()) | _bag(tokens, clause)
    loose = [token for token in doc if token.i not in inside and not token.is_space]
    if loose:
        key = (turn.speaker, Standing.FACT)
        bags[key] = bags.get(key, Bag()) | _bag(loose, None)
    lowered = turn.text.lower().replace("’", "'")
    times = find_times(doc, turn.day)
    return TurnReading(
        turn=turn,
        bags=bags,
        times=times,
        dreams=_DREAM.search(lowered) is not None,
        changes=_CHANGE.search(lowered) is not None,
        corrects=_CORRECTION.search(lowered) is not None,
        again=_AGAIN.search(lowered) is not None,
        looks_back=_BEFORE.search(lowered) is not None,
        together=any(token.lower_ in _WE for token in doc),
        context=context,
        everything=frozenset(lemma_of(token) for token in doc if token.pos_ in _CONTENT and not token.is_stop),
        others=frozenset(of_others - of_self),
        days=_days_told(times, doc, turn.day),
    )


def _undone(doc: Doc) -> frozenset[int]:
    """Where the sentences begin that the next one takes back."""
    sentences = list(doc.sents)
    return frozenset(first.start for first, then in pairwise(sentences) if TAKES_BACK.search(then.text.lower().replace("’", "'")))


def span_of(time: TimeExpression, day: date) -> Range:
    """The days that a dated expression means; a date without a year is the past one where both are possible and nothing says
    future."""
    behind = [span for span in time.readings if span[0] <= day]
    spans = behind if behind and len(behind) < len(time.readings) and not time.tense.looks_ahead else list(time.readings)
    return min(span[0] for span in spans), max(span[1] for span in spans)


def _days_told(times: tuple[TimeExpression, ...], doc: Doc, day: date) -> Range | None:
    """The days of the event that is told: not the day on which a paper was found that dates it, nor since when something lasts
    beside
    a day on which something happened."""
    dated = [time for time in times if time.dated]
    if not dated:
        began = [time.began for time in times if time.began is not None]
        return began[0] if began else None
    events = [time for time in dated if time.lead not in ("since", "ever since") and not _is_of_finding(time, doc)] or dated
    spans = [span_of(time, day) for time in events]
    return min(span[0] for span in spans), max(span[1] for span in spans)


def _is_of_finding(time: TimeExpression, doc: Doc) -> bool:
    return time.verb >= 0 and lemma_of(doc[time.verb]) in _FINDS


def _is_of_relative(clause: Clause) -> bool:
    """Whether a clause is about a relative of the speaker's and does not touch the speaker ("my sister ended up in emergency")."""
    if clause.subject is not Subject.OTHER or clause.subject_token is None:
        return False
    if lemma_of(clause.subject_token) not in words().lists["kin"]:
        return False
    first = words().lists["first"]
    return not any(token.lower_ in first for token in clause.tokens if token.head.i != clause.subject_token.i)


def _standing(clause: Clause) -> Standing:
    if clause.modality is Modality.QUESTION:
        return Standing.ASKED
    if clause.modality is Modality.INTENDED and _is_purpose(clause):
        return Standing.FACT
    if clause.modality is Modality.HYPOTHETICAL:
        return Standing.UNREAL
    if clause.modality in (Modality.INTENDED, Modality.POSSIBLE) or clause.tense is Tense.FUTURE:
        return Standing.PLAN
    if clause.modality is Modality.REPORTED:
        return Standing.REPORTED
    if clause.negated and not clause.ceased:
        return Standing.DENIED
    return Standing.FACT


def _by_negation(clause: Clause) -> dict[Standing, list[Token]]:
    """The denied words of a clause and the others: "no rest days" at the end of a list denies the days and not the list, and
    "never so
    awake" denies nothing."""
    denied: set[int] = set()
    for token in clause.tokens:
        if not is_negator(token):
            continue
        head = token.head
        if _is_hedge(token, head):
            continue
        if head.i == clause.head.i or head.pos_ in ("VERB", "AUX") or head.dep_ in ("nsubj", "nsubjpass") or token.i == head.i:
            return {Standing.DENIED: list(clause.tokens)}
        denied.update(inner.i for inner in head.subtree)
    parts = {Standing.FACT: [token for token in clause.tokens if token.i not in denied]}
    if denied:
        parts[Standing.DENIED] = [token for token in clause.tokens if token.i in denied]
    return parts


def _is_hedge(token: Token, head: Token) -> bool:
    """Whether a negator measures and does not deny: "barely the size of a cookie", "never laughed so much", "can't stop
    grinning"."""
    if token.lower_ in ("barely", "hardly", "scarcely"):
        return head.pos_ not in ("VERB", "AUX")
    if token.lower_ == "never" or token.dep_ == "neg":
        return _SUPERLATIVE.search(" ".join(other.lower_ for other in head.subtree)) is not None
    return False


def _is_purpose(clause: Clause) -> bool:
    """Whether an infinitive tells what something done was for ("took my crew back to see the mummies"): as done as that is."""
    governor = clause.head.head
    if clause.head.tag_ != "VB" or clause.head.dep_ not in ("advcl", "xcomp") or governor.i == clause.head.i:
        return False
    if clause.negated or governor.tag_ != "VBD" or lemma_of(governor) not in _MOVES:
        return False
    return not any(child.dep_ in ("neg", "aux") for child in governor.children)


def _persons(clause: Clause, turn: InjectedTurn, doc: Doc) -> Iterable[str | None]:
    """Whom a clause is about: the speaker, the partner, both, or (None) an outsider."""
    if clause.subject is Subject.SECOND:
        return (turn.partner,)
    if clause.subject is Subject.OTHER and clause.subject_token is not None:
        head = clause.subject_token
        if _is_outsider(head):
            return (None,)
        if head.pos_ == "PROPN" and head.text == turn.partner:
            return (turn.partner,)
    return (turn.speaker,)


def _is_outsider(head: Token) -> bool:
    after = [token.lower_ for token in head.doc[head.i + 1 : head.i + 3]]
    if len(after) == 2 and after[0] == "and" and after[1] in words().lists["first"]:
        return False
    if lemma_of(head) in _OUTSIDERS:
        return True
    if any(child.dep_ in ("compound", "appos", "nmod") and lemma_of(child) in _OUTSIDERS for child in head.children):
        return True
    if _ELSEWHERE.search(" ".join(token.lower_ for token in head.subtree)):
        return True
    return any(child.dep_ == "poss" and lemma_of(child) in _OUTSIDERS for child in head.children)


def _bag(tokens: Iterable[Token], clause: Clause | None) -> Bag:
    light = words().lists["light"]
    found: set[str] = set()
    nouns: set[str] = set()
    verbs: set[str] = set()
    names: set[str] = set()
    numbers: set[str] = set()
    tokens = list(tokens)
    titles = titles_in(tokens)
    for token in tokens:
        lemma = lemma_of(token)
        if token.pos_ == "NUM" or token.like_num:
            numbers.add(token.lower_)
        if token.pos_ not in _CONTENT or token.is_stop or (lemma in light and token.pos_ != "NOUN"):
            continue
        found.add(lemma)
        if token.pos_ in ("NOUN", "PROPN"):
            nouns.add(lemma)
            if token.dep_ in ("compound", "amod") or any(child.dep_ == "compound" for child in token.children):
                nouns.update(compounds(token))
        if token.pos_ == "VERB":
            verbs.add(lemma)
        if token.pos_ == "PROPN":
            names.add(token.lower_)
    joined = hyphenated(tokens)
    nouns |= joined
    found |= nouns
    return Bag(
        frozenset(found),
        frozenset(nouns),
        frozenset(verbs),
        frozenset(names),
        frozenset(titles),
        frozenset(numbers),
        present=clause is not None and clause.tense is Tense.NOW,
        past=clause is not None and clause.tense is Tense.PAST,
        over=clause is not None and clause.tense is Tense.OVER,
        ceased=clause is not None and clause.ceased and not clause.negated,
    )

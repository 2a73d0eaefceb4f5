"""Deeds in the record that a draft can be about: what a speaker did or does, did not do, or does no more, in one clause that can be
read alone; each as a friend would say it back to them. Data: wordings/deeds.yaml."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING

from inject.alignment.deed_forms import DeedForm, Kind, deed_data
from inject.alignment.deed_objects import object_of
from inject.alignment.signs import Sign, standing_of
from inject.gates.case import Record
from twistcore.corpus import Turn
from twistcore.text.claims import Clause, Modality, Subject, Tense, clauses, is_ceasing, lemma_of

if TYPE_CHECKING:
    from spacy.tokens import Doc, Token


class Status(StrEnum):
    """How the record has it: done or going on, never done, or no more."""

    ON = "on"
    NEVER = "never"
    ENDED = "ended"


@dataclass(frozen=True)
class Deed:
    """One deed of a speaker's with the words that state it. `key` are the lemmas that name it, the surest first."""

    turn: Turn
    status: Status
    kind: Kind
    infinitive: str
    past: str
    participle: str
    gerund: str
    key: tuple[str, ...]
    quote: str
    over: bool

    @property
    def forms(self) -> dict[str, str]:
        """What a wording's slots are filled with."""
        return {"inf": self.infinitive, "past": self.past, "part": self.participle, "ing": self.gerund}


def deeds_of(record: Record) -> Iterator[Deed]:
    """The deeds of both speakers in reading order, each object once a turn."""
    for turn in record.turns:
        seen: set[tuple[str, ...]] = set()
        for deed in _in_turn(turn, record.docs[turn.dia_id]):
            if deed.key not in seen:
                seen.add(deed.key)
                yield deed


def _in_turn(turn: Turn, doc: Doc) -> Iterator[Deed]:
    for clause in clauses(doc):
        if clause.subject is not Subject.FIRST or clause.modality is not Modality.ASSERTED or clause.tense is Tense.FUTURE:
            continue
        said_outright = clause.negated and clause.subject_token is not None and clause.subject_token.lower_ in ("i", "we")
        if not said_outright and (clause.head.dep_ in ("relcl", "acl", "csubj", "pcomp") or clause.head.dep_.startswith("nsubj")):
            continue
        if not _spoken_by_i(clause) or not _stands_by_itself(clause):
            continue
        for verb in _verbs(clause):
            deed = _deed(turn, clause, verb)
            if deed is not None:
                yield deed


def _spoken_by_i(clause: Clause) -> bool:
    subject = clause.subject_token
    if subject is not None:
        return subject.lower_ in ("i", "we")
    first = clause.tokens[0]
    return clause.head.dep_ in ("ROOT", "advcl") and (
        clause.head.tag_ in ("VBD", "VBN") or first.lower_ in ("have", "has", "had", "been", "just")
    )


def _stands_by_itself(clause: Clause) -> bool:
    """Whether a subordinate clause gives a reason or grants a point, which it states as a main one would."""
    if clause.head.dep_ != "advcl" or clause.negated or clause.head.tag_ == "VBD":
        return True
    marks = {child.lower_ for child in clause.head.children if child.dep_ in ("mark", "advmod")}
    return clause.subject_token is not None and bool(marks & {"since", "because", "though", "although", "except", "cause", "as"})


def _verbs(clause: Clause) -> list[Token]:
    """The clause's verb and the verbs that it opens ("used to play", "love hiking", "able to help", "had the chance to try")."""
    opened = [child for child in clause.head.children if child.dep_ == "xcomp" and child.pos_ == "VERB"]
    for child in clause.head.children:
        if child.lower_ in ("able", "chance", "time"):
            opened += [inner for inner in child.children if inner.dep_ in ("xcomp", "acl", "relcl") and inner.pos_ == "VERB"]
    return [clause.head, *opened]


def _deed(turn: Turn, clause: Clause, verb: Token) -> Deed | None:
    for form in deed_data().deeds:
        if form.verb != lemma_of(verb):
            continue
        named = object_of(verb, form)
        if named is None:
            continue
        phrase, key = named
        status = _status(clause, verb, form)
        quote = _quote(clause)
        if status is None or quote is None:
            continue
        says = [f"{said} {phrase}".strip() for said in form.says]
        return Deed(turn, status, form.kind, says[0], says[1], says[2], says[3], key, quote, form.over)
    return None


def _status(clause: Clause, verb: Token, form: DeedForm) -> Status | None:
    chain = clause.head
    text = " ".join(token.lower_ for token in clause.tokens).replace("’", "'")
    denied = clause.negated
    if verb.i != chain.i:
        governor = lemma_of(verb.head)
        if form.rests:
            return Status.ENDED if governor == "have" and not denied else None
        if governor in ("able", "chance", "time", "try"):
            return (Status.ENDED if governor in ("able", "time") else Status.NEVER) if denied else None
        if governor == "use" and chain.tag_ == "VBD":
            return None if denied else Status.ENDED
        if is_ceasing(chain):
            return None if denied else Status.ENDED
        if clause.tense in (Tense.PAST, Tense.OVER) and governor not in ("start", "begin"):
            return None
        if form.kind is Kind.EVENT and governor not in ("start", "begin"):
            return None
        if governor in ("love", "enjoy", "like", "start", "keep", "begin", "continue"):
            return (Status.NEVER if governor in ("like", "enjoy") else None) if denied else Status.ON
        return None
    helpers = {child.lower_.replace("’", "'") for child in verb.children if child.dep_ == "aux"}
    if form.over or form.rests:
        return None if denied else Status.ENDED
    if denied:
        if (
            helpers & {"ca", "can", "could"}
            or "anymore" in text
            or "no longer" in text
            or "in ages" in text
            or "in a while" in text
        ):
            return Status.ENDED
        told = helpers & {"have", "'ve", "did", "do", "has"} or "never" in text or verb.tag_ == "VBN"
        return Status.NEVER if told or (form.kind is Kind.TASTE and clause.tense is Tense.NOW) else None
    if form.link == "to" and form.verb == "be" and verb.lower_ != "been":
        return None
    if helpers & {"will", "'ll", "would", "'d", "could", "can", "ca", "might", "should", "must", "may", "gon", "going"}:
        return None
    if form.kind is Kind.EVENT:
        return Status.ON if clause.tense is Tense.PAST else None
    if form.link == "+ing" and verb.tag_ in ("VBN", "VBD"):
        return None
    return Status.ON if clause.tense is Tense.NOW or verb.tag_ == "VBG" else None


MOST_QUOTED = 200


def _quote(clause: Clause) -> str | None:
    """The sentence of a clause as it stands, where it is short enough to be quoted and holds no question."""
    text: str = clause.sentence.text.strip()
    return text if 12 <= len(text) <= MOST_QUOTED and "?" not in text else None


def contrary(record: Record, deed: Deed) -> Turn | None:
    """A turn in which the same speaker puts the deed's matter the other way round, which makes it no safe ground for a draft.

    What is over was once going on, so of that only later turns count.
    """
    ended = deed.status is not Status.ON
    for turn, doc in record.said_by(deed.turn.speaker):
        earlier = (turn.session, turn.position) < (deed.turn.session, deed.turn.position)
        if turn.dia_id == deed.turn.dia_id or (earlier and deed.status is Status.ENDED):
            continue
        for token in doc:
            if lemma_of(token) != deed.key[0] or not all(
                any(lemma_of(other) == part for other in token.sent) for part in deed.key[1:]
            ):
                continue
            standing = standing_of(token)
            if (standing.sign is Sign.DENIED) != ended and not standing.sought and _told_as_fact(token):
                return turn
    return None


def _told_as_fact(token: Token) -> bool:
    clause = next((clause for clause in clauses(token.doc) if any(other.i == token.i for other in clause.tokens)), None)
    if clause is None or clause.tense is Tense.FUTURE:
        return False
    return clause.modality is Modality.ASSERTED and clause.subject in (Subject.FIRST, Subject.OWNED)

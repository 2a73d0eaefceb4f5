"""What a turn was about, as a noun phrase that either speaker can say.

A bridge answers the turn before it and hands the floor back by naming what that turn was about (DESIGN.md rule 3), so
the phrase must be short, refer to no person, and change its possessive with whoever says it.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from spacy.tokens import Doc, Span, Token

MAX_WORDS = 4
# Heads that name no matter of their own, or a person or a feeling that a passing mention would belittle.
EMPTY_HEADS = frozenset(
    "thing things lot lots time times day days way ways bit kind sort one ones something anything everything nothing stuff people person "
    "someone everyone chance fun hope luck moment moments minute while week weekend month year years morning evening night today tomorrow "
    "yesterday side part point end start beginning bunch couple ton tons plenty deal fact idea place world life mind heart head eye eyes "
    "hand hands feeling feelings word words case example sense reason matter matters goal step type level amount number look past future "
    "best difference example shot piece change guy guys fam love smile zone vibe vibes view views man woman kid kids child children son daughter baby mom mother dad father parent parents "
    "wife husband partner girlfriend boyfriend brother sister sibling siblings friend friends buddy pal family cousin aunt uncle grandma grandpa grandmother "
    "grandfather neighbor colleague colleagues coworker coworkers teammate teammates boss coach teacher student students folks fan fans other others "
    "loved therapist doctor vet owner owners crowd crew gang missus lady girl girls boy boys dude man bro bestie self name job".split()
)
SAD_WORDS = frozenset(
    "death dead die died dying passed funeral loss lost grief grieve cancer sick illness ill hospital surgery injury injured hurt accident crash pain painful "
    "depression depressed anxiety anxious divorce breakup broke fired layoff debt stress stressed stressful tough hard difficult sad sorry struggle struggling "
    "lonely cry cried crying scared scary fear worried worry trauma abuse fight fought argument angry upset bad worse worst terrible awful horrible setback "
    "disaster flood fire storm war homeless weight diabetes heart emergency miss missed rough bummer unfortunately unlucky challenge challenging "
    "overwhelmed overwhelming frustrating frustrated problem problems issue issues discrimination rejected rejection failed failure lose losing".split()
)
_OPAQUE_DETERMINERS = frozenset("his her its their no any every each another what which whose both all either neither such many more much most few several enough".split())


@dataclass(frozen=True, slots=True)
class Subject:
    """A noun phrase in the words of the turn's own speaker (`own`) and of the one who answers (`other`)."""

    own: str
    other: str
    plural: bool
    lemma: str
    whose: str

    def agreement(self) -> dict[str, str]:
        """Slot values for the verbs and pronouns that agree with the phrase."""
        if self.plural:
            return {"is": "are", "has": "have", "was": "were", "does": "do", "it": "they", "them": "them"}
        return {"is": "is", "has": "has", "was": "was", "does": "does", "it": "it", "them": "it"}


def find_subjects(doc: Doc) -> Iterator[Subject]:
    """Noun phrases of a turn that can stand for what it was about, in reading order."""
    for chunk in doc.noun_chunks:
        subject = _subject_of(chunk)
        if subject is not None:
            yield subject


def _subject_of(chunk: Span) -> Subject | None:
    head = chunk.root
    if head.pos_ != "NOUN" or not head.text.islower() or head.lemma_.lower() in EMPTY_HEADS or head.text.lower() in EMPTY_HEADS:
        return None
    if not _stands_alone(chunk, head):
        return None
    words = [token for token in chunk if not token.is_space]
    first = words[0]
    owner, body = "", words
    if first.dep_ in {"det", "poss", "nummod"} or first.pos_ in {"DET", "PRON"}:
        owner, body = first.lower_, words[1:]
    while body and body[0].lower_ in _EMPTY_ADJECTIVES and len(body) > 1:
        body = body[1:]
    if not body or len(body) > MAX_WORDS - 1 or body[-1].i != head.i:
        return None
    if any(not _plain(token) for token in body) or owner in _OPAQUE_DETERMINERS or owner.isdigit():
        return None
    plural = "Plur" in head.morph.get("Number")
    phrase = " ".join(token.text for token in body)
    renamed = _with_owner(owner, phrase, plural)
    if renamed is None:
        return None
    own, other, whose = renamed
    return Subject(own, other, plural, head.lemma_.lower(), whose)


def _stands_alone(chunk: Span, head: Token) -> bool:
    """Whether the phrase loses nothing when what follows it is cut off."""
    following = chunk.doc[chunk.end] if chunk.end < len(chunk.doc) else None
    if following is not None and (following.lower_ in {"of", "'s", "-", "/"} or following.dep_ == "case"):
        return False
    if any(child.dep_ in {"relcl", "acl", "cc", "conj", "neg"} for child in head.children):
        return False
    return head.dep_ not in {"npadvmod", "intj", "dep", "compound", "appos"}


def _plain(token: Token) -> bool:
    if token.lower_ in SAD_WORDS or token.like_num or not token.text.replace("-", "").replace("'", "").isalpha():
        return False
    if token.pos_ in {"NOUN", "PROPN"}:
        return token.text.islower()
    return token.pos_ == "ADJ" and token.text.islower() and token.tag_ == "JJ" and token.lower_ not in _EMPTY_ADJECTIVES


_EMPTY_ADJECTIVES = frozenset(
    "few many several real super really favorite favourite local nearby own other same next last first second new different certain whole able such sure glad happy proud excited little great good nice awesome amazing cool "
    "best big huge perfect lovely wonderful fantastic incredible beautiful special interesting fun".split()
)


def _with_owner(owner: str, phrase: str, plural: bool) -> tuple[str, str, str] | None:
    if owner == "my":
        return f"my {phrase}", f"your {phrase}", "own"
    if owner == "your":
        return f"your {phrase}", f"my {phrase}", "other"
    if owner == "our":
        return f"our {phrase}", f"your {phrase}", "own"
    if owner in {"a", "an", "the"}:
        return f"the {phrase}", f"the {phrase}", ""
    if owner in {"this", "that"}:
        return f"that {phrase}", f"that {phrase}", ""
    if owner in {"these", "those"}:
        return f"those {phrase}", f"those {phrase}", ""
    if owner in {"", "some"}:
        # A bare singular count noun ("went to class") reads badly out of its clause; plurals and mass nouns do not.
        gerund = phrase.endswith("ing") and len(phrase.split()[-1]) > 5
        return (phrase, phrase, "") if plural or gerund or owner == "some" else None
    return None

"""Whether a text affirms or denies what one of its words names, and whether that is reached or still sought.

Read along the parse from the word upwards, so that "giving up on joining a church" denies the church and "sad that you are
skipping the course" the course, while what the friend feels about it ("no worries", "too bad") counts for nothing.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING

from inject.alignment.words import draft_phrase, draft_words
from twistcore.text.claims import Clause, Tense, clauses, is_ceasing, is_negator, lemma_of, plain

if TYPE_CHECKING:
    from spacy.tokens import Token


class Sign(StrEnum):
    """How a word's matter is put: affirmed, denied, or affirmed with a mark that it rests or goes badly."""

    AFFIRMED = "affirmed"
    DENIED = "denied"
    STALLED = "stalled"


@dataclass(frozen=True)
class Standing:
    """How a text puts what a word names. `clause` is None for a fragment that the parse gives no clause."""

    sign: Sign
    sought: bool
    reached: bool
    clause: Clause | None


# "Can't wait for the trip", "can't beat a good book": eager, not denied.
_EAGER = frozenset({"wait", "beat"})
_ADJUNCT = frozenset({"advcl", "relcl", "parataxis", "ROOT"})


def standing_of(token: Token) -> Standing:
    """How the sentence puts what `token` names."""
    count = denials(token)
    clause = clause_of(token)
    text = _said_around(clause) if clause is not None else plain(token.sent.text)
    if count % 2:
        sign = Sign.DENIED
    elif count == 0 and draft_phrase("stalled").search(text):
        sign = Sign.STALLED
    else:
        sign = Sign.AFFIRMED
    sought = bool(draft_phrase("sought").search(text))
    told = clause is not None and clause.tense is Tense.PAST and sign is Sign.AFFIRMED
    reached = (bool(draft_phrase("reached").search(text)) or told) and not draft_phrase("ahead").search(text)
    return Standing(sign, sought, reached, clause)


def clause_of(token: Token) -> Clause | None:
    """The clause that a word stands in."""
    return next((clause for clause in clauses(token.doc) if any(other.i == token.i for other in clause.tokens)), None)


def _said_around(clause: Clause) -> str:
    """The words of a clause with those of the clauses that govern it as their complement ("I had to take a break from X")."""
    tokens = [*clause.tokens, *_told_of_it(clause)]
    head = clause.head
    for _ in range(3):
        since = head.dep_ == "advcl" and any(child.lower_ == "since" for child in head.children if child.dep_ == "mark")
        if (head.dep_ not in ("xcomp", "ccomp", "pcomp", "acl", "csubj") and not since and not _to_relative(head)) or lemma_of(
            head.head
        ) in draft_words("frames"):
            break
        above = clause_of(head.head)
        if above is None or above.head.i == head.i:
            break
        tokens += above.tokens
        head = above.head
    ordered = sorted({token.i: token for token in tokens}.values(), key=lambda token: token.i)
    return plain("".join(token.text_with_ws if not token.whitespace_ else token.text + " " for token in ordered))


def _told_of_it(clause: Clause) -> list[Token]:
    """The relative clauses on the words of a clause ("my mom, who passed away")."""
    heads = [child for token in clause.tokens for child in token.children if child.dep_ == "relcl"]
    return [token for head in heads for token in head.subtree]


def denials(token: Token) -> int:
    """How many times the words above `token` turn it into its contrary; stops where the sentence leaves its clause."""
    count = 0
    node, below = token, None
    for _ in range(12):
        if below is not None and _frames(node, below):
            break
        count += _turns(node, below)
        if (
            (node.dep_ in _ADJUNCT and not _to_relative(node))
            or (node.dep_ == "conj" and _stands_alone(node))
            or node.head.i == node.i
        ):
            break
        if node.dep_ == "ccomp" and lemma_of(node.head) not in ("think", "mean") and _has_subject(node):
            break
        node, below = node.head, node
    return count


def _to_relative(head: Token) -> bool:
    """Whether a relative clause is an infinitive ("no time to make treats"), of which the noun says how it stands."""
    return bool(head.dep_ == "relcl" and head.tag_ == "VB")


def _frames(node: Token, below: Token) -> bool:
    """Whether a word only frames what hangs on it ("sad to hear that …", "no worries about …"), not a thing that one sees."""
    if lemma_of(node) not in draft_words("frames"):
        return False
    return bool(node.pos_ not in ("VERB", "AUX") or below.dep_ in ("ccomp", "xcomp", "acl", "advcl"))


def _turns(node: Token, below: Token | None) -> int:
    """How often a word on the way up turns what lies below it: by a negator of its own, and by ending or refusing it."""
    count: int = sum(
        is_negator(child) and child.dep_ != "prep" and not _idle_negator(child)
        for child in node.children
        if below is None or child.i != below.i
    )
    if below is None:
        gone = any(child.dep_ == "relcl" and _is_ending(child) for child in node.children)
        return min(count, 1) + int(gone) + int(_free_of(node))
    return min(count, 1) + int(_ends(node, below))


def _idle_negator(token: Token) -> bool:
    head = lemma_of(token.head)
    if head in _EAGER and token.dep_ == "neg":
        return True
    after = token.nbor(1).lower_ if token.i + 1 < len(token.doc) else ""
    if any(child.lower_ in ("should", "ought") for child in token.head.children):
        return True
    return (token.dep_ == "det" and head in draft_words("frames")) or after in (
        "only",
        "wonder",
        "doubt",
        "matter",
        "problem",
        "too",
    )


def _ends(node: Token, below: Token) -> bool:
    lemma = lemma_of(node)
    if node.pos_ in ("VERB", "AUX"):
        if is_ceasing(node) or _parts(node):
            return True
        if lemma in draft_words("endings"):
            # One leaves for a trip and gets lost in a book; one retires from a job and fails at it.
            taken_from = below.dep_ == "prep" and below.lower_ in ("from", "of", "at", "as", "with")
            return taken_from or below.dep_ in ("dobj", "nsubj", "nsubjpass", "xcomp", "conj", "ccomp")
        return below.dep_ in ("nsubj", "nsubjpass") and any(
            (child.dep_ in ("acomp", "attr", "oprd") or (child.dep_ in ("advmod", "prt") and lemma == "be"))
            and lemma_of(child) in draft_words("ending_adjectives")
            for child in node.children
        )
    if node.pos_ == "ADP":
        return node.lower_ in draft_words("ending_prepositions")
    if node.pos_ == "NOUN":
        return below.dep_ == "prep" and lemma in draft_words("ending_nouns")
    return node.pos_ == "ADJ" and lemma in draft_words("ending_adjectives")


def _free_of(token: Token) -> bool:
    """Whether "-free" follows a word (dairy-free)."""
    after = token.doc[token.i + 1 : token.i + 3].text.lower()
    return after in ("-free", "- free") or after.startswith("free")


def _is_ending(verb: Token) -> bool:
    return is_ceasing(verb) or _parts(verb) or lemma_of(verb) in draft_words("endings")


def _parts(verb: Token) -> bool:
    """Whether a verb ends something by its particle (fall through, drop out)."""
    particles = {child.lower_ for child in verb.children if child.dep_ in ("prt", "advmod", "prep")}
    return any(f"{lemma_of(verb)}_{particle}" in draft_words("phrasal_endings") for particle in particles)


def _stands_alone(node: Token) -> bool:
    if node.pos_ not in ("VERB", "AUX"):
        return False
    return _has_subject(node) or any(child.dep_ in ("neg", "aux") for child in node.children) or not _after_or(node)


def _after_or(node: Token) -> bool:
    return any(child.dep_ == "cc" and child.lower_ in ("or", "nor") for child in node.head.children)


def _has_subject(node: Token) -> bool:
    return any(child.dep_ in ("nsubj", "nsubjpass", "expl") for child in node.children)

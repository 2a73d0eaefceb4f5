"""No claim hangs on a pronoun without its antecedent in the same turn (DESIGN.md rule 5: evidence is read alone)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from arcs.taxonomy import Role
from inject.gates.case import Case, Gate
from inject.patterns import word_list
from inject.proposals import ProposedTurn
from inject.stance_topic import NOMINAL, Topic, topic_of
from twistcore.text.claims import lemma_of, words
from twistcore.verdicts import GateResult

if TYPE_CHECKING:
    from spacy.tokens import Doc, Token

GATE = Gate("pronoun", "4")

HANGING = frozenset({"it", "them", "one", "ones", "that", "this", "those", "these", "there", "they", "mine", "she", "he"})
TIME_NOUNS = word_list("time_nouns")
WEATHER = word_list("weather")
IDIOMS = word_list("idioms")


def judge(case: Case) -> GateResult:
    """Fails a proposal of whose anchor or later turn the matter is named by a pronoun only."""
    topic = topic_of(case.proposal, case.parser)
    for turn in case.proposal.turns:
        if turn.role is Role.DRIFT:
            continue
        found = _hanging(case, turn, topic)
        if found is not None:
            return GATE.failed(f'"{found}" in the {turn.role.value} has no antecedent in its own turn')
    return GATE.passed()


def _hanging(case: Case, turn: ProposedTurn, topic: Topic) -> str | None:
    doc = case.doc(turn)
    if any(_names_it(token, topic) for token in topic.mentions(doc, 2)):
        return None
    themed = _theme_noun(doc, topic)
    for token in doc:
        if _elliptical(token) and not has_antecedent(token):
            return str(token.sent[max(0, token.i - token.sent.start - 3) : token.i - token.sent.start + 3].text)
        if themed:
            continue
        if token.lower_ in HANGING and refers(token) and not has_antecedent(token):
            return str(token.sent[max(0, token.i - token.sent.start - 3) : token.i - token.sent.start + 3].text)
    return None


def _names_it(token: Token, topic: Topic) -> bool:
    """Whether a word names the matter; a verb that comes with it in the beliefs ("order") leaves open what it is done to.

    A quality names it only where the beliefs have that very word ("vegan", but not "cleaner" of a vacuum).
    """
    if token.pos_ in ("ADJ", "ADV"):
        return lemma_of(token) in topic.all or token.lower_ in topic.all
    if token.pos_ not in ("VERB", "AUX") or topic.named_by(lemma_of(token)):
        return True
    governed = [child for child in token.children if child.dep_ == "dobj"]
    return not any(child.lower_ in HANGING for child in governed)


def _elliptical(token: Token) -> bool:
    """A day's genitive without its noun ("yesterday's", "better than Friday's"): it stands for the thing itself."""
    if token.lower_.replace("’", "'") not in ("'s", "s'") or token.tag_ != "POS" or token.head.lower_ not in TIME_NOUNS:
        return False
    return str(token.head.dep_) != "poss"


def _theme_noun(doc: Doc, topic: Topic) -> bool:
    return sum(token.pos_ in NOMINAL for token in topic.mentions(doc, 1)) >= 2


def refers(token: Token) -> bool:
    """Whether the pronoun stands for a thing: not expletive, not idiomatic, not a determiner, conjunction or time word."""
    lower, head = token.lower_, token.head
    if token.dep_ in ("expl", "det", "mark", "advmod") and lower != "there":
        return False
    if token.pos_ not in ("PRON", "NUM", "NOUN", "ADV"):
        return False
    if lower == "there":
        return token.dep_ in ("advmod", "pobj", "pcomp") and head.pos_ in ("VERB", "ADP", "AUX") and not _place_named(token)
    if lower == "one" and (token.dep_ == "nummod" or any(child.dep_ in ("prep", "relcl") for child in token.children)):
        return False
    if lower in ("that", "this", "those", "these") and any(child.dep_ == "relcl" for child in token.children):
        return False
    if lower in ("it", "that", "this"):
        if token.dep_ in ("nsubj", "nsubjpass") and lemma_of(head) in WEATHER and not _stands_somewhere(head):
            return False
        if token.dep_ == "dobj" and lemma_of(head) in IDIOMS:
            return False
    if lower == "they":
        return False
    if lower in ("she", "he"):
        return token.dep_ == "nsubj" and not any(other.pos_ in NOMINAL for other in token.doc[: token.i])
    return token.dep_ in ("dobj", "pobj", "nsubj", "nsubjpass", "attr", "conj", "dative", "ROOT", "npadvmod")


def _stands_somewhere(verb: Token) -> bool:
    """Whether what "is" is told by its place alone ("it's out on the deck"), which weather and time never are."""
    if lemma_of(verb) != "be" or any(child.dep_ in ("acomp", "attr", "ccomp", "xcomp", "advcl") for child in verb.children):
        return False
    places = [
        child for child in verb.children if child.dep_ == "prep" and child.lower_ in ("in", "on", "under", "by", "next", "behind")
    ]
    return any(part.dep_ == "pobj" and lemma_of(part) not in TIME_NOUNS for place in places for part in place.children)


def _place_named(token: Token) -> bool:
    return any(other.pos_ == "PROPN" or other.ent_type_ for other in token.doc[: token.i])


def has_antecedent(token: Token) -> bool:
    """Whether a noun before the pronoun could be meant: no time word, no person where a thing is asked for."""
    for other in token.doc[: token.i]:
        if (
            other.pos_ not in NOMINAL
            or other.lower_ in TIME_NOUNS
            or lemma_of(other) in TIME_NOUNS
            or other.dep_ in ("npadvmod", "intj")
            or _counts(other, token)
        ):
            continue
        if lemma_of(other) in words().lists["kin"] or (
            other.pos_ == "PROPN" and other.dep_ in ("npadvmod", "ROOT", "intj", "appos", "vocative")
        ):
            continue
        return True
    return any(other.tag_ == "VBG" and other.dep_ in ("csubj", "nsubj", "pcomp", "ROOT") for other in token.doc[: token.i])


def _counts(noun: Token, pronoun: Token) -> bool:
    """Whether the noun only counts what the pronoun stands for ("a dozen of them", "a whole jar of it")."""
    return bool(pronoun.head.lower_ == "of" and pronoun.head.head.i == noun.i)

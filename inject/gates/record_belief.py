"""What the beliefs of a proposal are about where its topic says it otherwise: the one thing, or the bare act."""

from __future__ import annotations

from typing import TYPE_CHECKING

from inject.gates.case import Case
from inject.stance_topic import LIGHT_NOUNS, LIGHT_VERBS, VAGUE
from twistcore.text.claims import lemma_of

if TYPE_CHECKING:
    from spacy.tokens import Token

TIMES = frozenset({"night", "morning", "evening", "day", "week", "weekend", "month", "summer", "winter"})


def believed_thing(case: Case) -> tuple[str, ...]:
    """What the old belief's verb is about, where that is one noun: "will never get a tattoo"."""
    doc = case.parser.parse(case.proposal.old_belief)
    objects = [token for token in doc if token.dep_ in ("dobj", "pobj") or _after_article(token)]
    if len(objects) != 1 or objects[0].pos_ not in ("NOUN", "ADV") or lemma_of(objects[0]) in LIGHT_NOUNS | VAGUE | TIMES:
        return ()
    if any(child.dep_ not in ("det", "punct") for child in objects[0].children):
        return ()
    if any(token.pos_ == "ADV" and token.i != objects[0].i and token.lower_ not in ("never", "ever", "again") for token in doc):
        return ()
    return (lemma_of(objects[0]),)


def bare_act(case: Case) -> str:
    """The verb of a new belief that is no more than its verb ("Evan paints"): doing it at all was ruled out."""
    for root in (token for token in case.parser.parse(case.proposal.new_belief or "") if token.dep_ == "ROOT"):
        if root.pos_ == "VERB" and not any(child.dep_ not in ("nsubj", "punct", "npadvmod", "advmod") for child in root.children):
            return lemma_of(root) if lemma_of(root) not in LIGHT_VERBS - {"read", "write", "wear"} else ""
    return ""


def _after_article(token: Token) -> bool:
    """Whether a word ends the belief after an article, and so is a noun whatever the parse of so short a text says."""
    return token.i > 0 and token.i == len(token.doc) - 1 and token.nbor(-1).lower_ in ("a", "an", "the") and token.pos_ != "NOUN"

"""How a clause is put forward, and when it holds: modality, tense, questions, and pasts that are over.

Source of the categories: TWIST paper section 3.1 (a hypothetical, a memory or a plan is no contradiction).
"""

from __future__ import annotations

import re
from enum import StrEnum
from typing import TYPE_CHECKING

from twistcore.text.stance_words import lemma_of, plain, words

if TYPE_CHECKING:
    from spacy.tokens import Doc, Span, Token


class Modality(StrEnum):
    """How a clause is put forward."""

    ASSERTED = "asserted"
    HYPOTHETICAL = "hypothetical"
    QUESTION = "question"
    INTENDED = "intended"
    POSSIBLE = "possible"
    REPORTED = "reported"


class Tense(StrEnum):
    """When a clause holds: now or as a habit, in the recent or undated past, in a past that is over, or in the future."""

    NOW = "now"
    PAST = "past"
    OVER = "over"
    FUTURE = "future"
    NONE = "none"


def first_person_inside(token: Token) -> bool:
    return any(child.dep_ in ("nsubj", "nsubjpass") and child.lower_ in words().lists["first"] for child in token.children)


def modality_of(head: Token, own: tuple[Token, ...], chain: list[Token], sentence: Span, asked: bool) -> Modality:
    lists = words().lists
    if asked:
        return Modality.QUESTION
    lowers = {token.lower_.replace("’", "'") for token in own}
    marks = {child.lower_ for child in head.children if child.dep_ == "mark"}
    if marks & {"if", "unless"} or lowers & {"imagine", "suppose", "pretend"}:
        return Modality.HYPOTHETICAL
    governor = head.head
    if head.dep_ in ("ccomp", "advcl", "acl", "relcl") and governor.i != head.i:
        lemma = lemma_of(governor)
        if lemma in ("imagine", "suppose", "pretend", "wish", "picture", "dream", "daydream"):
            return Modality.HYPOTHETICAL
        if head.dep_ == "ccomp" and lemma in lists["sayings"] and not first_person_inside(governor):
            return Modality.REPORTED
        if (
            head.dep_ == "ccomp"
            and head.i > governor.i
            and lemma in lists["sayings"]
            and first_person_inside(governor)
            and governor.tag_ == "VBD"
        ):
            return Modality.REPORTED
    if (
        head.dep_ in ("ccomp", "advcl")
        and lemma_of(governor) in ("ask", "wonder", "debate", "decide", "know")
        and any(child.lower_ in ("when", "why", "how", "whether", "if", "where", "what") for child in head.children)
    ):
        return Modality.REPORTED
    if _conditional(head, chain):
        return Modality.HYPOTHETICAL
    text = plain(sentence.text)
    if (
        re.match(r"(?:(?:oh|haha|well|okay|ha|lol|but|and|so),? )?(?:imagine|picture|suppose|pretend|what if)\b", text)
        or "in my dreams" in text
    ):
        return Modality.HYPOTHETICAL
    if head.tag_ == "VB" and any(child.lower_ == "to" and child.dep_ == "aux" for child in head.children):
        return Modality.INTENDED
    if len(chain) > 1 and any(lemma_of(verb) in lists["intents"] for verb in chain[:-1]):
        return Modality.INTENDED
    if lemma_of(head) in ("consider", "contemplate", "debate", "ponder", "plan", "hope") or re.search(
        r"\b(?:think|thinking|thought|dreaming|dreamed|talking) (?:about|of)\b", plain(" ".join(t.text for t in own))
    ):
        return Modality.INTENDED
    if any(token.lower_ in lists["possibles"] and token.pos_ != "PROPN" for token in own):
        return Modality.POSSIBLE
    if any(t.lower_ in ("almost", "nearly") and not _counts(t) for t in own) or re.search(
        r"\b(?:close to|tempted|on the verge|about to)\b", plain(" ".join(t.text for t in own))
    ):
        return Modality.POSSIBLE
    return Modality.ASSERTED


def _counts(token: Token) -> bool:
    """Whether "almost" measures (almost every night, almost ten) and so takes nothing from the fact."""
    after = token.doc[token.i + 1] if token.i + 1 < len(token.doc) else None
    return after is not None and (
        after.pos_ in ("DET", "NUM", "ADV", "ADJ", "PRON") or after.lower_ in ("every", "all", "daily", "always", "two")
    )


def _conditional(head: Token, chain: list[Token]) -> bool:
    """Whether the verb group has `would` (not `had`): "I'd faint"."""
    for verb in chain:
        for child in verb.children:
            if child.dep_ != "aux":
                continue
            lower = child.lower_.replace("’", "'")
            if lower in ("would", "wouldn", "should", "could"):
                return True
            if lower in ("'d", "d") and verb.tag_ in ("VB", "VBP") and child.i < verb.i:
                return True
    return head.lower_ in ("'d",) and head.pos_ == "AUX"


COMING = re.compile(
    r"\b(?:one day|some ?day|soon|tomorrow|next (?:week|month|year|spring|summer|fall|winter|weekend|\w+day)"
    r"|in (?:a|two|three|four|five|six) (?:days|weeks|months|week|month)|when i (?:retire|turn))\b"
)


ONE_FORM = frozenset({"read", "put", "cut", "hit", "let", "set", "shut", "quit", "bet", "split"})


def tense_of(head: Token, chain: list[Token], over: bool) -> Tense:
    auxiliaries = [child for verb in chain[:1] for child in verb.children if child.dep_ in ("aux", "auxpass", "cop")]
    lowers = {token.lower_.replace("’", "'") for token in auxiliaries}
    if head.tag_ == "VBG" and COMING.search(plain(head.sent.text)) and any(child.tag_ in ("VBP", "VBZ") for child in auxiliaries):
        return Tense.FUTURE
    if lowers & {"will", "'ll", "wo", "shall"} or (lemma_of(head) == "go" and len(chain) > 1 and head.tag_ == "VBG"):
        return Tense.FUTURE
    tags = {token.tag_ for token in auxiliaries}
    if over and not auxiliaries and head.tag_ == "VBP" and head.lower_ in ONE_FORM:
        return Tense.OVER
    if tags & {"VBP", "VBZ"} or head.tag_ in ("VBP", "VBZ"):
        return Tense.NOW
    if "VBD" in tags or head.tag_ in ("VBD", "VBN"):
        return Tense.OVER if over else Tense.PAST
    if head.tag_ == "VBG":
        return Tense.OVER if over else Tense.NOW
    if head.tag_ == "VB" and not auxiliaries:
        return Tense.OVER if over else Tense.NONE
    if head.pos_ not in ("VERB", "AUX"):
        return Tense.OVER if over else Tense.NONE
    return Tense.OVER if over else Tense.NOW


TAG = re.compile(
    r"(?:,|\s-|\.\.\.)\s*(?:right|huh|eh|yeah|okay|ok|you know|y'know|no|hm+|really|haha|lol|\w+|"
    r"(?:is|are|was|were|do|does|did|have|has|had|can|could|would|will|should|wo|ca)(?:n't|n’t|'t|nt)? "
    r"(?:it|i|you|he|she|we|they|that|there)(?: \w+)?"
    r"|can you believe (?:it|that)|you know what i mean|know what i mean|what can i say"
    r"|who(?:'s| is) with me|am i right|how (?:about|cool|wild) .{0,20}"
    r"|isn't (?:that|it) \w+)\s*\?+[\s\W]*$",
    re.IGNORECASE,
)


def is_asked(sentence: Span) -> bool:
    """Whether the sentence asks; a statement that ends in a tag does not."""
    text = sentence.text.strip()
    if not re.search(r"\?[\s!?\"')]*$", text):
        return False
    if re.match(
        r"(?:who|what|how|why|where|when|which|whose|do|does|did|is|are|was|were|can|could|would|will|should|have|has|any|ever)\b",
        plain(text),
    ):
        return True
    return not TAG.search(text.replace("’", "'"))


def over_flags(doc: Doc) -> list[bool]:
    """For each sentence, whether its past tenses are told of a past that is over; a mark carries on until a present tense."""
    out: list[bool] = []
    carried = False
    for sentence in doc.sents:
        if words().over.search(plain(sentence.text)):
            carried = True
        elif carried:
            root = sentence.root
            present = (root.tag_ in ("VBP", "VBZ") and root.lower_ not in ONE_FORM) or any(
                child.tag_ in ("VBP", "VBZ") for child in root.children if child.dep_ == "aux"
            )
            fresh = re.search(
                r"\b(?:now|today|these days|yesterday|this (?:week|morning)|last (?:week|night|month)|lately|anyway)\b",
                plain(sentence.text),
            )
            carried = not (present or fresh)
        out.append(carried)
    return out


def verb_chain(head: Token) -> list[Token]:
    """The verb and the verbs that it governs without a subject of their own (want to buy, started running)."""
    out = [head]
    token = head
    for _ in range(4):
        following = next((child for child in token.children if child.dep_ == "xcomp" and child.pos_ in ("VERB", "AUX")), None)
        if following is None:
            break
        out.append(following)
        token = following
    return out

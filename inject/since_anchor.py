"""Whether a later turn dates the start of its new state before the anchor that denies it.

Between anchor and later turn lies the change, so a state that began before the anchor ("for two years now", five weeks after "I'd
never") makes the item false (TWIST paper section 4.3). Only expressions that hang on the claim itself count: a neighbour who
moved in years ago, or how long the old state lasted, proves nothing.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date
from typing import TYPE_CHECKING

from inject.gates.case import Case
from inject.word_lists import word_list
from twistcore.text.tense import Tense, governing_verb, tense_of
from twistcore.text.time_patterns import Kind
from twistcore.text.times import TimeExpression

if TYPE_CHECKING:
    from spacy.tokens import Doc, Token

STARTING = word_list("starting")
ENDING = word_list("ending")
_DENYING = word_list("denying")
_PRO_VERBS = frozenset({"have", "own", "do", "go", "be", "use", "keep", "stick"})
_PRO_FORMS = frozenset({"it", "this", "that", "them", "one"})
_PLACES = frozenset({"to", "into", "there", "home", "out", "without", "well", "great", "on", "through"})
_SPEAKING = word_list("speaking")
_COMPARING = frozenset({"this", "that", "so", "such", "as", "more", "less", "better"})
_EMPTY = word_list("empty")
_WITHOUT = frozenset({"sober", "clean", "free", "without", "off", "vegan", "vegetarian", "done", "meatless"})


@dataclass(frozen=True, slots=True)
class NewState:
    """What a later turn claims: stems that name it, and whether it is the end of a thing rather than the start of one."""

    stems: frozenset[str]
    is_ending: bool


def stem(lemma: str) -> str:
    """A crude stem under which "jog", "jogs" and "jogging" are one word."""
    word = lemma.lower()
    for suffix in ("ing", "ies", "ed", "ers", "er", "es", "s", "e"):
        if word.endswith(suffix) and len(word) - len(suffix) >= 3:
            word = word[: -len(suffix)]
            break
    return word[:-1] if len(word) > 3 and word[-1] == word[-2] else word


def new_state(case: Case) -> NewState:
    """The new state of a proposal, from its beliefs; where no new belief is given it is the contrary of the old one."""
    proposal = case.proposal
    old = case.parser.parse(proposal.old_belief)
    topic = case.parser.parse(proposal.topic)
    new = case.parser.parse(proposal.new_belief) if proposal.new_belief else None
    old_denies, old_keeps = _denies(old), _ends(old)
    holds = not old_denies or old_keeps
    if new is None:
        return NewState(_stems(old, proposal.holder) | _stems(topic, proposal.holder), holds)
    if _denies(new) or _ends(new):
        return NewState(_stems(new, proposal.holder) | _stems(topic, proposal.holder), True)
    fresh = _stems(new, proposal.holder)
    if holds:
        return NewState(fresh - _stems(old, proposal.holder) or fresh, False)
    return NewState(fresh | _stems(topic, proposal.holder) | _stems(old, proposal.holder), False)


def _stems(doc: Doc, holder: str) -> frozenset[str]:
    return frozenset(
        stem(token.lemma_)
        for token in doc
        if token.pos_ in {"NOUN", "PROPN", "VERB", "ADJ"}
        and token.lemma_.lower() not in _EMPTY
        and token.text != holder
        and len(token.text) > 2
    )


def _denies(doc: Doc) -> bool:
    return any(token.lower_ in _DENYING or token.lemma_.lower() in _DENYING or token.lower_ == "longer" for token in doc)


def _ends(doc: Doc) -> bool:
    return any(token.pos_ == "VERB" and token.lemma_.lower() in ENDING for token in doc)


def begins_before(doc: Doc, expression: TimeExpression, anchor_day: date, state: NewState) -> bool:
    """Whether the expression dates the start of the claimed state, and all that it can mean lies before the anchor's day."""
    began = expression.began
    if (
        began is None
        or began[1] >= anchor_day
        or expression.generic
        or expression.lead in {"until", "till", "before", "from", "of", "by"}
    ):
        return False
    if expression.kind is Kind.COUNT or (expression.kind is Kind.SPAN and expression.verb < 0):
        return _sentence_is_topical(doc, expression, state)
    verb = doc[expression.verb] if expression.verb >= 0 else None
    if verb is None:
        return False
    opened = _since_clause(doc, expression) or _above_life(doc, expression)
    lasting = expression.kind in {Kind.SPAN, Kind.AHEAD} or expression.lead in {"since", "ever since"} or opened is not None
    if expression.kind is Kind.LIFE and not (
        expression.lead or expression.text.lower().startswith(("since", "ever since", "all my", "my whole", "my entire", "for my"))
    ):
        return False
    verb, tense = (opened, Tense.PERFECT) if opened is not None else (verb, expression.tense)
    if not _is_holders(verb, state):
        return False
    if lasting or expression.kind is Kind.LIFE:
        return _lasts(doc, verb, tense, state)
    return tense in (Tense.PAST, Tense.PERFECT) and _starts(verb, state)


def _since_clause(doc: Doc, expression: TimeExpression) -> Token | None:
    """The verb above a clause that "since" opens: "I've jogged since the snow melted in March"."""
    span = doc.char_span(expression.start, expression.end, alignment_mode="expand")
    for token in reversed(doc[max(span.start - 8, 0) : span.start]):
        if token.is_punct or token.pos_ == "CCONJ":
            return None
        if token.lower_ == "since":
            verb = governing_verb(token.head.head if token.dep_ in {"mark", "advmod"} else token.head)
            return verb if verb is not None and verb.i < token.i and tense_of(verb) is Tense.PERFECT else None
    return None


def _above_life(doc: Doc, expression: TimeExpression) -> Token | None:
    """The perfect verb that "since I was ten" belongs to."""
    root = doc.char_span(expression.start, expression.end, alignment_mode="expand").root
    if expression.kind is not Kind.LIFE or not expression.text.lower().startswith(("since", "ever since")) or root.head.i == root.i:
        return None
    verb = governing_verb(root.head)
    return verb if verb is not None and tense_of(verb) is Tense.PERFECT else None


def _is_holders(verb: Token, state: NewState) -> bool:
    """Whether the subject is the speaker, the claimed thing as the speaker's own, or left out."""
    here = verb
    for _ in range(4):
        subjects = [child for child in here.children if child.dep_ in {"nsubj", "nsubjpass"}]
        if subjects:
            subject = subjects[0]
            return subject.lower_ in {"i", "we"} or (
                stem(subject.lemma_) in state.stems and any(child.lower_ in {"my", "our"} for child in subject.children)
            )
        if here.dep_ not in {"conj", "xcomp", "advcl", "pcomp"} or here.head.i == here.i or here.head.pos_ not in {"VERB", "AUX"}:
            return True
        here = here.head
    return True


def _core(verb: Token) -> list[Token]:
    """The words that say what is claimed: the verb, its complements and its objects with their modifiers."""
    core, stack = (
        [verb],
        [child for child in verb.children if child.dep_ in {"dobj", "attr", "acomp", "xcomp", "oprd", "prt", "advmod", "dative"}],
    )
    stack += [
        grandchild
        for child in verb.children
        if child.dep_ == "prep" and child.lower_ in {"on", "with", "to", "at", "in", "into", "off", "by", "without"}
        for grandchild in child.children
    ]
    stack += [child for child in verb.children if child.lower_ == "without"]
    while stack:
        token = stack.pop()
        core.append(token)
        stack += [
            child
            for child in token.children
            if child.dep_ in {"compound", "npadvmod", "amod", "dobj", "pobj", "attr", "acomp", "prep", "conj", "pcomp"}
        ]
    return core


def _topical(core: list[Token], state: NewState) -> bool:
    return any(stem(token.lemma_) in state.stems for token in core)


def _negated(verb: Token) -> bool:
    return any(child.dep_ == "neg" or child.lower_ in {"never", "hardly", "barely", "no"} for child in verb.children)


def _lasts(doc: Doc, verb: Token, tense: Tense, state: NewState) -> bool:
    if tense not in (Tense.PERFECT, Tense.PROGRESSIVE, Tense.PRESENT) or verb.lemma_.lower() in _SPEAKING:
        return False
    core = _core(verb)
    if any(token.lower_ in _COMPARING and token.dep_ in {"advmod", "amod", "det", "predet"} for token in core[1:]) and _negated(
        verb
    ):
        return False
    if state.is_ending:
        without = _negated(verb) or any(token.lower_ in _WITHOUT or token.lower_.endswith("-free") for token in core)
        return without and _topical(core, state)
    if _negated(verb) or any(token.lower_ in {"without", "against", "off", "no"} for token in core):
        return False
    resumed = (
        verb.lemma_.lower() in _PRO_VERBS
        and any(token.lower_ in _PRO_FORMS for token in core)
        and any(stem(token.lemma_) in state.stems for token in doc)
    )
    bare = verb.lemma_.lower() in {"go", "do"} and not any(
        child.dep_ in {"dobj", "prep", "acomp", "advmod"} and child.lower_ in _PLACES for child in verb.children
    )
    bare = bare and any(stem(token.lemma_) in state.stems for token in doc[: verb.i])
    return _topical(core, state) or resumed or bare


def _starts(verb: Token, state: NewState) -> bool:
    lemma = verb.lemma_.lower()
    if _negated(verb) or lemma in _SPEAKING:
        return False
    core = _core(verb)
    if state.is_ending:
        return lemma in ENDING and (_topical(core, state) or any(token.lower_ in _PRO_FORMS for token in core))
    if lemma in STARTING:
        return _topical(core, state) or any(token.lower_ in _PRO_FORMS | {"her", "him"} for token in core[1:])
    return stem(lemma) in state.stems


def _sentence_is_topical(doc: Doc, expression: TimeExpression, state: NewState) -> bool:
    sentence = doc[expression.token].sent
    if state.is_ending and not any(
        token.lower_ in _WITHOUT or token.dep_ == "neg" or token.lower_ in {"free", "no"} for token in sentence
    ):
        return False
    return len(sentence) <= 7 or any(stem(token.lemma_) in state.stems for token in sentence)

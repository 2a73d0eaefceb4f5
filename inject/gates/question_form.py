"""A claim that is only asked is none (DESIGN.md rule 5); a tag, or a question that the turn itself answers, is fine."""

from __future__ import annotations

from typing import TYPE_CHECKING

from arcs.taxonomy import Family, Role
from inject.gates.case import Case, Gate
from inject.patterns import pattern
from inject.proposals import ProposedTurn
from inject.stance_topic import Topic, topic_of
from inject.stances import REFERRING
from twistcore.text.claims import is_asked, is_negator, plain, words
from twistcore.verdicts import GateResult

if TYPE_CHECKING:
    from spacy.tokens import Span

GATE = Gate("question_form", "2")

ANSWER = pattern("answer")
RHETORICAL = pattern("rhetorical")


def judge(case: Case) -> GateResult:
    """Fails a proposal of whose gold turns one has its claim in questions only."""
    topic = topic_of(case.proposal, case.parser)
    strict = case.proposal.family.is_arc or case.proposal.family is Family.HN_A2
    for turn in case.proposal.turns:
        if turn.role is Role.DRIFT:
            continue
        reason = _only_asked(case, turn, topic, strict=strict or turn.role is Role.ANCHOR)
        if reason and not (case.proposal.family is Family.HN_A3 and turn.role is not Role.ANCHOR):
            return GATE.failed(f'the {turn.role.value} only asks: "{reason}"')
    return GATE.passed()


def _only_asked(case: Case, turn: ProposedTurn, topic: Topic, *, strict: bool) -> str | None:
    doc = case.doc(turn)
    sentences = [sentence for sentence in doc.sents if any(token.is_alpha for token in sentence)]
    asked = [sentence for sentence in sentences if is_asked(sentence)]
    if not asked:
        return None
    if len(asked) == len(sentences):
        return str(asked[0].text)
    if not strict:
        return None
    naming = [sentence for sentence in sentences if topic.mentions(sentence, 2)]
    if not naming or any(sentence not in asked for sentence in naming):
        return None
    return None if any(_answered(question, sentences, asked) for question in naming) else str(naming[0].text)


def _answered(question: Span, sentences: list[Span], asked: list[Span]) -> bool:
    place = sentences.index(question)
    first = words().lists["first"]
    if RHETORICAL.match(plain(question.text)) and any(sentence not in asked for sentence in sentences[place + 1 :]):
        return True
    echoed = _is_echo(question)
    for number, sentence in enumerate(sentences[place + 1 :]):
        if sentence in asked:
            continue
        text = plain(sentence.text)
        if echoed and any(is_negator(token) for token in sentence):
            return True
        if number == 0 and (ANSWER.match(text) or len([token for token in sentence if token.is_alpha]) <= 4):
            return True
        if words().refusal.search(text) or words().commitment.search(text):
            return True
        lowers = {token.lower_ for token in sentence}
        if lowers & REFERRING and lowers & first:
            return True
    return False


def _is_echo(question: Span) -> bool:
    """Whether a question only takes up a matter ("Me, growing vegetables?"): it has no finite verb of its own."""
    return not any(token.tag_ in ("VBZ", "VBP", "VBD", "MD") for token in question)

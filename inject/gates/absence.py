"""A change is something that is said; that a topic has not come up is none (docs/frames.md 4)."""

from __future__ import annotations

import re

from inject.gates.case import Case, Gate
from inject.patterns import pattern, word_list
from inject.stance_topic import Topic, topic_of
from inject.stances import GONE, read_turn
from twistcore.text.claims import Modality, Tense, plain
from twistcore.verdicts import GateResult

GATE = Gate("absence", "3")

SILENCE = pattern("silence")
IDLE = pattern("idle")


TALKING = pattern("talking")
NOTHING = pattern("nothing")
EAGER = re.compile(
    r"\bdon't (?:tell|ask|mind|get me|let)\b"
    r"|\b(?:can't|couldn't|won't|haven't|never|don't|not) (?:\w+ )?(?:stop|stopped|quit|shut up|help|wait|get enough|shut)\b"
)


THINKING = word_list("thinking")


def _is_silence(text: str, topic: Topic) -> str | None:
    found = SILENCE.search(text) or IDLE.search(text)
    if found:
        return found.group()
    talking = next((said for said in TALKING.finditer(text) if topic.strength(said.group()) < 2), None)
    nothing = NOTHING.search(text)
    if talking and nothing and not EAGER.search(text):
        return f"{nothing.group()} ... {talking.group()}"
    return None


def judge(case: Case) -> GateResult:
    """Fails an arc whose later turn has only silence or idleness where the change should be."""
    later = case.proposal.later
    if later is None or not case.proposal.family.is_arc:
        return GATE.skipped()
    topic = topic_of(case.proposal, case.parser)
    reading = read_turn(later.text, topic, case.parser)
    silent: list[str] = []
    said = False
    for sentence in reading.doc.sents:
        text = plain(sentence.text)
        found = _is_silence(text, topic)
        inside = [clause for clause in reading.found if sentence.start <= clause.head.i < sentence.end]
        on_topic = any(reading.on_topic(clause, 1) for clause in inside)
        if found and on_topic:
            silent.append(found)
        for clause in inside:
            fact = clause.modality is Modality.ASSERTED and clause.tense is not Tense.OVER and clause.own
            body = plain(clause.text)
            ended = (clause.ceased and not clause.negated and "stop" not in clause.predicates) or (
                GONE.search(body) and clause.affirmed and not TALKING.search(body)
            )
            taken_up = (
                reading.on_topic(clause) and clause.affirmed and not TALKING.search(body) and not set(clause.predicates) & THINKING
            )
            if fact and not SILENCE.search(body.replace(" n't", "n't")) and (ended or taken_up):
                said = True
    if silent and not said:
        return GATE.failed(f'silence about the topic is not a change: "{silent[0]}"')
    return GATE.passed()

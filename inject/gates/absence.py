"""A change is something that is said; that a topic has not come up is none (issue of silence in DESIGN.md rule 5; docs/frames.md 4)."""

from __future__ import annotations

import re

from inject.gates.case import Case, Gate
from inject.stances import GONE, read_turn, topic_of
from twistcore.text.claims import Modality, Tense, plain
from twistcore.verdicts import GateResult

GATE = Gate("absence", "1")

TALK = r"(?:talk(?:ed|ing|s)?|spoken|speak|mention\w*|discuss\w*|brought|bring|raised?|said|say|heard|hear|thought|think|asked|ask|texted|chatted)"
SILENCE = re.compile(
    rf"\b(?:haven't|hasn't|hadn't|didn't|don't|doesn't|never|not|n't|no one|nobody|none of us|neither of us|without)(?:'s| has| have| even| really| once| so much as| ever| been| anyone| either of us)* {TALK}\b(?: \w+){{0,3}} ?(?:about|of|on|up|it|them|word|peep|anything|a thing|a word|single)?\b"
    r"|\b(?:hasn't|haven't|didn't|doesn't|never|not|hardly|barely|n't) (?:\w+ )?(?:come|came|comes|crossed|cross|pop(?:ped)?) (?:up|my mind|our minds)\b"
    r"|\b(?:no|not a|without a|zero) (?:more )?(?:word|words|peep|mention|news|talk|update|updates|chatter|sign)s?\b(?: \w+){0,2} ?(?:about|of|on|from|lately|in)?\b"
    r"|\b(?:n't|not|without|no|never) (?:\w+ ){0,4}(?:one|single|any|a) (?:word|words|line|mention|entry|note|peep|thing)s? (?:\w+ )?(?:about|of|on)\b|\b(?:isn't|aren't|wasn't|is not|n't|nowhere|not) (?:\w+ )?(?:on|in|anywhere (?:on|in)|listed (?:on|in)|marked (?:on|in)) (?:a |any |my |the |our )(?:single )?(?:page|list|calendar|schedule|agenda|planner|diary|journal|to-do)\b"
    r"|\b(?:radio silence|crickets\b|all quiet|gone quiet|went quiet|(?:been|pretty|really|so|awfully|very) quiet (?:about|on|around)|silent (?:about|on)|quiet on (?:the|that)|stopped (?:talking|coming up|asking|bringing)|"
    r"dropped off (?:the|my|our) radar|off (?:my|the|our) radar|slipped (?:my|our) minds?|not on my mind|left my mind|forg[oe]t(?:ten)? (?:all )?about|isn't a topic|conversation (?:just )?(?:stopped|died|faded)|topic (?:just )?(?:hasn't|never|faded|died|dropped|went|has)|subject (?:just )?(?:hasn't|never|faded|died|dropped|went|has))\b"
)
IDLE = re.compile(
    r"\b(?:haven't|hasn't|have not|has not) (?:\w+ )?(?!had|felt|missed|looked|stopped|regretted|enjoyed|been (?:this|so|happier|better))\w+(?: \S+){0,8} (?:in|for) (?:a|ages|weeks|months|days|forever|quite|over|almost|about|the|two|three|four|five|six|so|nearly|at least|\w+ (?:weeks|months|days))\b"
)


TALKING = re.compile(
    r"\b(?:talk\w*|spoke\w*|mention\w*|discuss\w*|topic|subject|conversation\w*|chat\w*|word|words|peep|whisper\w*|said|says?|ask\w*|asked|bring\w* up|brought|came? up|coming up|comes up|texts?|texted|messages?|thought|thinking|"
    r"mind|lips|radar|agenda|notes?|journal|diary|calendar|planner|email\w*|news|updates?|plans?|hear\w*|heard|wrote|written|post(?:s|ed)?|photos? of|pictures? of|list)\b"
)
NOTHING = re.compile(
    r"\b(?:n't|not|never|no|nobody|none|nothing|neither|without|zero|hardly|barely|stopped|quiet|silent|silence|died down|faded|forgot\w*|forgotten|missing from|absent|gone from|dropped (?:off|out)|fell off|"
    r"last time|slipped|disappeared|vanished|blank|empty|skipped over|everything but|anything but|all about|instead of)\b|n't\b"
)
EAGER = re.compile(r"\b(?:can't|couldn't|won't|haven't|never|don't|not) (?:\w+ )?(?:stop|stopped|quit|shut up|help|wait|get enough|shut)\b")


THINKING = frozenset("forget think remember look scroll check search realize notice know hear see".split())


def _is_silence(text: str) -> str | None:
    found = SILENCE.search(text) or IDLE.search(text)
    if found:
        return found.group()
    talking, nothing = TALKING.search(text), NOTHING.search(text)
    if talking and nothing and not EAGER.search(text):
        return f"{nothing.group()} ... {talking.group()}"
    return None


def judge(case: Case) -> GateResult:
    """Fails an arc whose later turn has only silence or idleness where the change should be."""
    later = case.proposal.later
    if later is None or not case.proposal.family.is_arc:
        return GATE.skipped()
    reading = read_turn(later.text, topic_of(case.proposal, case.parser), case.parser)
    silent: list[str] = []
    said = False
    for sentence in reading.doc.sents:
        text = plain(sentence.text)
        found = _is_silence(text)
        inside = [clause for clause in reading.found if sentence.start <= clause.head.i < sentence.end]
        on_topic = any(reading.on_topic(clause, 1) for clause in inside)
        if found and on_topic:
            silent.append(found)
        for clause in inside:
            fact = clause.modality is Modality.ASSERTED and clause.tense is not Tense.OVER and clause.own
            body = plain(clause.text)
            ended = (clause.ceased and not clause.negated and "stop" not in clause.predicates) or (GONE.search(body) and clause.affirmed and not TALKING.search(body))
            taken_up = reading.on_topic(clause) and clause.affirmed and not TALKING.search(body) and not set(clause.predicates) & THINKING
            if fact and (ended or taken_up):
                said = True
    if silent and not said:
        return GATE.failed(f'silence about the topic is not a change: "{silent[0]}"')
    return GATE.passed()

"""Arcs really flip, and the hard negatives that must not flip do not (TWIST paper section 4.3).

An almost, a plan, a one-off for somebody else, a substitute or the old stance again is no flip; and a hard negative that states the
contrary state as a present fact is an unmarked contradiction.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from arcs.taxonomy import Family
from inject.gates.case import Case, Gate
from inject.gates.no_stance import left_open
from inject.gates.not_done import HELPING, explained_away
from inject.gates.stated_flip import ACQUIRE, NOSTALGIC, names_directly, stated_flip
from inject.patterns import pattern
from inject.stance_topic import Direction, Topic, topic_of
from inject.stances import (
    BALKED,
    BESIDE,
    GONE,
    NEAR_MISS,
    ONE_OFF,
    PAUSED,
    SUBSTITUTE,
    UNDERCUT,
    Reading,
    flips,
    owned_mention,
    person_of,
    read_turn,
)
from twistcore.text.claims import Attitude, Clause, Modality, Subject, Tense, lemma_of, plain, words
from twistcore.text.classes import is_a
from twistcore.verdicts import GateResult

if TYPE_CHECKING:
    from spacy.tokens import Span

GATE = Gate("no_flip", "4")


def judge(case: Case) -> GateResult:
    """Fails an arc without a flip or without a stance to flip, and an HN-A1, HN-A3, HN-A4 or HN-A5 item with a flip."""
    anchor, later = case.proposal.anchor, case.proposal.later
    if later is None:
        return GATE.skipped()
    topic = topic_of(case.proposal, case.parser)
    opened = left_open(case.doc(anchor), topic.direction) if anchor is not None else None
    if opened:
        return GATE.failed(f'the anchor takes no stance: "{opened}"')
    reading = read_turn(later.text, topic, case.parser)
    if case.proposal.family.is_arc:
        reason = _lacks_flip(reading, topic, case)
        return GATE.failed(reason) if reason else GATE.passed()
    if case.proposal.family is Family.HN_A2:
        return GATE.skipped()
    clause = stated_flip(reading, case.proposal.family)
    return GATE.failed(f'states the flip as a present fact: "{clause.text}"') if clause else GATE.passed()


def _lacks_flip(reading: Reading, topic: Topic, case: Case) -> str | None:
    text = plain(reading.doc.text)
    anchor = case.proposal.anchor
    known = plain(
        " ".join((case.proposal.topic, case.proposal.old_belief, case.proposal.new_belief or "", anchor.text if anchor else ""))
    )
    undercut = UNDERCUT.search(text)
    if undercut and (topic.direction is Direction.AVOID or JEST.search(undercut.group())):
        return f'takes the flip back: "{undercut.group().strip()}"'
    other = _not_really(text, known) if topic.direction is Direction.AVOID else None
    if other:
        return other
    balked = BALKED.search(text)
    if balked and topic.direction is Direction.AVOID:
        return f'stops short of it: "{balked.group().strip()}"'
    paused = _paused(reading, text) if topic.direction is Direction.KEEP and not SETTLED.search(text) else None
    if paused:
        return f'a pause or an offer, not an end: "{paused}"'
    known += (
        " game the game" if "play" in topic.acts or any(is_a(core, "game") or is_a(core, "sport") for core in topic.cores) else ""
    )
    stand_in = WHOLE_TURN.search(text)
    if (
        stand_in
        and topic.direction is Direction.AVOID
        and not any(part in known for part in re.findall(r"\w{4,}", stand_in.group()))
    ):
        return f'a substitute, not the thing itself: "{stand_in.group()}"'
    for sentence in reading.doc.sents:
        body = plain(sentence.text)
        inside = [clause for clause in reading.found if sentence.start <= clause.head.i < sentence.end]
        if not any(reading.on_topic(clause, 1) for clause in inside):
            continue
        substitute = next((found for found in SUBSTITUTE.finditer(body) if not _is_verb(sentence, found.group())), None)
        if (
            substitute
            and not any(part in known for part in re.findall(r"\w{3,}", substitute.group()) if part not in ("the",))
            and _modifies_topic(reading, substitute.group(), sentence.start, sentence.end)
        ):
            return f'a substitute, not the thing itself: "{substitute.group()}"'
        once = ONE_OFF.search(body)
        if (
            once
            and not re.search(re.escape(once.group()), known)
            and not (GIVEN.match(once.group()) and _told_elsewhere(reading, sentence))
        ):
            return f'a single time or for somebody else: "{once.group()}"'
    denied = _denies_now(reading, topic)
    if denied is not None:
        return f'keeps the old stance: "{denied.text}"'
    if topic.direction is Direction.AVOID:
        explained = explained_away(reading)
        if explained:
            return explained
    if flips(reading):
        return _only_beside(reading, topic, text)
    return _no_fact(reading, topic)


RECOVERING = pattern("recovering")
AILING = ("illness", "ill_health", "injury", "symptom")


def _paused(reading: Reading, text: str) -> str | None:
    """A break, an offer, a repair, or an illness of the day beside a denial: nothing has ended."""
    found = PAUSED.search(text) or RECOVERING.search(text)
    if found:
        return found.group()
    missed = any(clause.subject is Subject.FIRST and clause.negated and clause.tense is Tense.PAST for clause in reading.found)
    ill = next((t for t in reading.doc if t.pos_ == "NOUN" and any(is_a(lemma_of(t), kind) for kind in AILING)), None)
    return str(ill.text) if missed and ill is not None and lemma_of(ill) not in ("cold", "end") else None


def _only_beside(reading: Reading, topic: Topic, text: str) -> str | None:
    """Whether somebody else is on the scene and the speaker only near the thing ("in the tattoo chair, holding her hand")."""
    if topic.direction is not Direction.AVOID or HABITUAL.search(text) or not OTHERS.search(text):
        return None
    for clause in reading.found:
        if clause.modality is not Modality.ASSERTED or person_of(clause):
            continue
        if reading.on_topic(clause) and (lemma_of(clause.head) == "be" or clause.head.pos_ not in ("VERB", "AUX")):
            return None
        if not clause.own:
            continue
        doing = set(clause.predicates)
        if (
            doing & (topic.verbs | topic.acts | topic.new_acts)
            or clause.attitude is not Attitude.NEUTRAL
            or owned_mention(clause, reading)
        ):
            return None
        if doing & ACQUIRE and names_directly(clause, reading):
            return None
    return f'near it with somebody else, without doing it: "{flips(reading)[0].text}"'


GROUPS = frozenset({"team", "family", "people", "folk", "crowd", "band", "crew", "everyone", "everybody", "client", "student"})
OTHERS = re.compile(rf"\b(?:my|a|our|his|her|their) (?:\w+ )?(?:{'|'.join(sorted(words().lists['kin'] - GROUPS))})(?:s|'s|s')?\b")


HABITUAL = pattern("habitual")
INCAPABLE = pattern("incapable")
NOT_DONE = pattern("not_done")
MADE_OF = (
    (pattern("made_of_cloth"), re.compile(r"\b(?:furs?|leather|wool\w*|silk|suede|feathers?|mink|animals?|cashmere|down)\b")),
    (
        pattern("made_of_food"),
        re.compile(
            r"\b(?:meat\w*|beef|pork|chicken|lamb|turkey|burgers?|steaks?|bacon|sausages?|hot dogs?|fish|tuna|salmon|seafood"
            r"|dairy|milk|cheese|butter|ice cream|eggs?|alcohol|drink\w*|wine|beer|cocktails?|whiske?y|coffee|espresso|caffeine"
            r"|chocolate|vegan|vegetarian)\b"
        ),
    ),
    (pattern("made_of_paint"), re.compile(r"\b(?:tattoo\w*|inked|piercings?)\b")),
)


def _not_really(text: str, known: str) -> str | None:
    """Why what is told is not the thing: it is made of something else, done in somebody's stead, or not done at all."""
    for made, matter in MADE_OF:
        found = made.search(text)
        if found and matter.search(known) and found.group().split()[-1] not in known.split():
            return f'a substitute, not the thing itself: "{found.group()}"'
    if HABITUAL.search(text):
        return None
    for shown, what in ((INCAPABLE, "done for somebody else"), (NOT_DONE, "there, but not doing it")):
        found = shown.search(text)
        if found:
            return f'{what}: "{found.group().strip()}"'
    return None


GIVEN = re.compile(r"bought|got|ordered|made|baked|cooked|grabbed|picked up|wrapped")


def _told_elsewhere(reading: Reading, sentence: Span) -> bool:
    """Whether another sentence states the flip, so that a thing made for a friend is a product of it."""
    return any(clause.sentence.start != sentence.start for clause in flips(reading))


def _denies_now(reading: Reading, topic: Topic) -> Clause | None:
    """The speaker's own denial, in the present, of what the arc should now affirm ("I don't have a tattoo")."""
    if topic.direction is not Direction.AVOID:
        return None
    for clause in reading.found:
        text = plain(clause.text)
        if (
            clause.subject is not Subject.FIRST
            or clause.modality is not Modality.ASSERTED
            or clause.tense not in (Tense.NOW, Tense.FUTURE)
        ):
            continue
        if not clause.negated or clause.ceased or not names_directly(clause, reading):
            continue
        if DENIAL_OF_LESS.search(text) or not (set(clause.predicates) & ACQUIRE or set(clause.predicates) & topic.verbs):
            continue
        return clause
    return None


DENIAL_OF_LESS = pattern("denial_of_less")


JEST = re.compile(r"kidding|\bjk\b|jok|psych|woke up|dream|not really|almost")
SETTLED = pattern("settled")
WHOLE_TURN = pattern("whole_turn")


def _is_verb(sentence: Span, found: str) -> bool:
    """Whether a substitute's word is what somebody does here ("I painted the beach")."""
    return any(
        token.lower_ == found and token.tag_ in ("VBD", "VBN", "VBP", "VBZ") and token.dep_ not in ("amod", "compound")
        for token in sentence
    )


def _modifies_topic(reading: Reading, words_found: str, start: int, end: int) -> bool:
    """Whether the substitute word stands by the topic's noun or is the sentence's own thing."""
    parts = re.split(r"[- ]", words_found)
    for token in reading.doc[start:end]:
        if token.lower_ in parts or token.lemma_.lower() in parts:
            governor = token.head
            if governor.i in reading.named or token.i in reading.named:
                return True
            if any(other.i in reading.named for other in governor.children) or any(
                other.i in reading.named for other in token.subtree
            ):
                return True
            if governor.dep_ == "compound" and governor.head.i in reading.named:
                return True
    return False


def _no_fact(reading: Reading, topic: Topic) -> str | None:
    """Why no clause states the contrary as a fact: it is only near, meant or refused; None where nothing speaks against it."""
    text = plain(reading.doc.text)
    on_topic = [clause for clause in reading.found if reading.on_topic(clause) and clause.subject is not Subject.SECOND]
    near = next(
        (
            found
            for sentence in reading.doc.sents
            if any(reading.on_topic(c) for c in on_topic if c.sentence.start == sentence.start)
            and (found := NEAR_MISS.search(plain(sentence.text)))
        ),
        None,
    )
    if near and not (topic.direction is Direction.KEEP and GONE.search(text)):
        return f'near, meant or thought of, but not done: "{near.group()}"'
    unreal = [clause for clause in on_topic if clause.modality in (Modality.HYPOTHETICAL, Modality.INTENDED, Modality.POSSIBLE)]
    if unreal and len(unreal) == len(on_topic):
        return f'not stated as a fact: "{unreal[0].text}"'
    done_by_other = next(
        (
            c
            for c in reading.found
            if person_of(c) and c.affirmed and c.modality is Modality.ASSERTED and set(c.predicates) & ACQUIRE
        ),
        None,
    )
    if done_by_other is not None and topic.direction is Direction.AVOID:
        return f'somebody else does it: "{done_by_other.text}"'
    if topic.direction is Direction.AVOID:
        kept = [clause for clause in on_topic if not clause.affirmed and clause.own and clause.modality is Modality.ASSERTED]
        if kept:
            return f'keeps the old stance: "{kept[0].text}"'
        others = [clause for clause in reading.found if clause.subject is Subject.OTHER]
        own = [clause for clause in reading.found if clause.subject is Subject.FIRST and clause.modality is Modality.ASSERTED]
        beside = bool(own) and all(set(clause.predicates) & (BESIDE | HELPING) for clause in own)
        if (
            not reading.named
            or _suggests(reading)
            or not (beside or any(person_of(clause) or _is_they(clause) for clause in others))
        ):
            return None
        return "no clause says that the speaker now does what the anchor rules out"
    if words().commitment.search(text) and not GONE.search(text):
        return "keeps the old commitment"
    held = [
        clause
        for clause in on_topic
        if clause.affirmed and clause.subject is Subject.FIRST and clause.tense is Tense.NOW and not _another_kind(clause, topic)
    ]
    if held and not GONE.search(text) and not any(clause.ceased and not clause.negated for clause in reading.found):
        return f'the old state goes on: "{held[0].text}"'
    return None


def _another_kind(clause: Clause, topic: Topic) -> bool:
    """Whether a clause names the kind with another modifier than the topic's ("the day shift", of the night shift)."""
    found = topic.mentions(clause.tokens, 3)
    modified = [
        child for token in found for child in token.children if child.dep_ in ("compound", "amod") and child.pos_ in ("NOUN", "ADJ")
    ]
    whole = any(topic.strength(lemma_of(child)) or lemma_of(child) in topic.limits for child in modified)
    return (len(topic.heads) > len(topic.cores) or bool(topic.limits)) and bool(modified) and not whole


def _is_they(clause: Clause) -> bool:
    return clause.subject_token is not None and clause.subject_token.lower_ in ("they", "he", "she")


def _suggests(reading: Reading) -> bool:
    """Whether a sentence of the speaker's own present could state the flip in a way that no clause pattern covers."""
    keep = reading.topic.direction is Direction.KEEP
    for clause in reading.found:
        if clause.modality is not Modality.ASSERTED or clause.tense in (Tense.OVER, Tense.FUTURE) or person_of(clause):
            continue
        if keep and clause.own and clause.affirmed and not reading.on_topic(clause) and INSTEAD.search(plain(clause.sentence.text)):
            return True
        if clause.own and not NOSTALGIC.search(plain(clause.text)):
            sentence = [other for other in reading.found if other.sentence.start == clause.sentence.start]
            if any(
                reading.on_topic(other, 1)
                and not person_of(other)
                and other.modality is Modality.ASSERTED
                and not set(other.predicates) & BESIDE
                for other in sentence
            ):
                return True
    return False


INSTEAD = pattern("instead")

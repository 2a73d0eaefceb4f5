"""What shows, without a plain "I do it", that a speaker has done a thing: a love of it, a verdict on it, what the partner tells.

Source: DESIGN.md rules 5 and 6. Only for anchors that deny ever having done it, where one experience refutes them.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from inject.gates.case import Case
from inject.gates.record_index import index_of, names
from inject.patterns import word_list
from inject.stance_topic import LIGHT_NOUNS, NOMINAL, VAGUE, Direction, direction_of
from twistcore.corpus import Turn
from twistcore.text.claims import Clause, Modality, Subject, Tense, clauses, lemma_of, plain, words

if TYPE_CHECKING:
    from spacy.tokens import Token

FONDNESS = frozenset({"love", "passion", "hobby", "talent", "knack", "obsession"})
ATTENDING = frozenset({"go", "attend", "visit", "travel", "join", "take", "stay", "try", "see", "watch", "ride", "fly"})
VERDICTS = word_list("verdicts")
NEVER = re.compile(r"\bnever (?:\w+ ){0,2}(?:been|\w+ed|had|done|gone|seen|met|owned|set foot)\b")


def experienced(clause: Clause, groups: tuple[str, ...], acts: frozenset[str]) -> bool:
    """Whether a clause tells of the speaker's love for an activity, or judges as a visitor what was visited."""
    if clause.modality is not Modality.ASSERTED or clause.tense is Tense.FUTURE or not clause.affirmed:
        return False
    return any(_loves(token, clause) for token in _naming(clause, groups)) or _judged(clause, groups, acts)


def _naming(clause: Clause, groups: tuple[str, ...]) -> list[Token]:
    return [token for token in clause.tokens if any(names(lemma_of(token), group, token.pos_ in NOMINAL) for group in groups)]


def _loves(token: Token, clause: Clause) -> bool:
    """ "My love for surfing", "a passion for climbing": the activity, under the speaker's own fondness."""
    if not token.lower_.endswith("ing") or token.dep_ not in ("pobj", "pcomp") or token.head.lower_ not in ("for", "of"):
        return False
    above = token.head.head
    fond = next((near for near in (above, *above.children) if lemma_of(near) in FONDNESS and near.pos_ == "NOUN"), None)
    if fond is None:
        return False
    first = words().lists["first"]
    owners = [child.lower_ for child in fond.children if child.dep_ == "poss"]
    return bool(set(owners) & first) or (not owners and clause.subject is Subject.FIRST)


def got_to_do(clause: Clause, groups: tuple[str, ...], acts: frozenset[str]) -> bool:
    """ "I had the chance to meet him at a festival": what the speaker got to do, was done."""
    chance = clause.head.head
    if lemma_of(chance) not in CHANCES or lemma_of(chance.head) not in ("have", "get") or chance.head.tag_ != "VBD":
        return False
    if clause.negated or clause.subject not in (Subject.FIRST, Subject.OWNED, Subject.OTHER) or not _naming(clause, groups):
        return False
    giver = next((child for child in chance.head.children if child.dep_ == "nsubj"), None)
    if giver is None or giver.lower_ not in words().lists["first"]:
        return False
    at = any(token.dep_ == "pobj" and token.head.lower_ in ("at", "in", "on") for token in _naming(clause, groups))
    return bool(set(clause.predicates) & acts) or (at and bool(acts & ATTENDING))


CHANCES = frozenset({"chance", "opportunity", "luck", "pleasure", "honor"})


PLACED = frozenset({"be", "go", "end", "find", "land", "compete", "play", "enter", "take", "participate", "get", "run"})


def attended(clause: Clause, groups: tuple[str, ...]) -> bool:
    """ "Ended up in this intense trivia contest": the speaker was in or at what the anchor denies ever having been in."""
    if clause.subject is not Subject.FIRST or clause.modality is not Modality.ASSERTED or not clause.affirmed:
        return False
    if clause.tense not in (Tense.PAST, Tense.OVER) or not set(clause.predicates) & PLACED:
        return False
    return any(
        token.dep_ == "pobj"
        and token.head.lower_ in ("in", "at", "to", "into")
        and token.head.head.i in _verb_and_particles(clause)
        for token in _naming(clause, groups)
    )


def _verb_and_particles(clause: Clause) -> set[int]:
    return {clause.head.i, *(child.i for child in clause.head.children if child.dep_ in ("prt", "advmod", "prep"))}


HAD_FUN = re.compile(
    r"(?:^|[.!,;-] ?|\band |\b(?:i|we)(?:'ve)? (?:just |also |really )?)(?:had|having) "
    r"(?:an? |the |such an? |so much |loads of |tons of )?"
    r"(?:\w+ ){0,2}(?:blast|fun|time|ball|day|joy|pleasure)(?: out)? (?P<doing>\w+ing)\b"
)


def had_fun_doing(clause: Clause, groups: tuple[str, ...]) -> bool:
    """ "Had a blast biking with my neighbor": what the speaker had fun doing, was done."""
    if clause.modality not in (Modality.ASSERTED, Modality.INTENDED) or clause.negated:
        return False
    found = HAD_FUN.search(plain(clause.sentence.text))
    if found is None:
        return False
    return any(token.tag_ == "VBG" and token.lower_ == found["doing"] for token in _naming(clause, groups))


LONGING = re.compile(
    r"\b(?:always wanted|(?:have|'ve|been) (?:\w+ )?want(?:ed|ing)|(?:would|'d) (?:really |so )?love|dream(?:ed|t|ing)? of|"
    r"can't wait) "
)


def longed_for(clause: Clause, groups: tuple[str, ...], acts: frozenset[str]) -> bool:
    """ "I've always wanted to learn Spanish": a wish of the speaker's own for what the anchor wants nothing of."""
    if clause.subject is not Subject.FIRST or clause.negated or clause.modality is Modality.QUESTION:
        return False
    if clause.subject_token is None or not LONGING.search(plain(clause.text)):
        return False
    named = [token for token in _naming(clause, groups) if token.dep_ in ("dobj", "pobj", "xcomp", "pcomp") or token.pos_ == "VERB"]
    return bool(named) and bool(set(clause.predicates) & (acts | {"learn", "try", "start", "do"} | {lemma_of(t) for t in named}))


TONGUE = "language"
SPEAKING = frozenset({"know", "speak", "learn", "study", "practice"})


def speaks(clause: Clause, groups: tuple[str, ...]) -> bool:
    """ "I know a bit of Spanish": a language that the speaker has, where the anchor has none."""
    if TONGUE not in groups or clause.subject is not Subject.FIRST or not clause.affirmed or clause.tense is not Tense.NOW:
        return False
    if clause.modality is not Modality.ASSERTED or not set(clause.predicates) & SPEAKING:
        return False
    return any(token.lower_ != "english" and lemma_of(token) != TONGUE for token in _naming(clause, (TONGUE,)))


OWN_PART = re.compile(
    r"\b(?:part of my life|my (?:\w+ )?(?:thing|therapy|hobby|passion|favou?rite|escape|love|jam|happy place|outlet|muse|sport)|"
    r"(?:therapy|therapeutic|calming|relaxing) (?:to|for) me)\b"
)


def practised(clause: Clause, groups: tuple[str, ...]) -> bool:
    """ "Cooking is therapy for me", "pottery is part of my life": an activity, in the present, as what it is to the speaker."""
    subject = clause.subject_token
    if subject is None or lemma_of(clause.head) != "be" or clause.tense is not Tense.NOW or not clause.affirmed:
        return False
    if clause.modality is not Modality.ASSERTED or subject not in _naming(clause, groups):
        return False
    if OWN_PART.search(plain(clause.text)):
        return True
    return subject.lower_.endswith("ing") and any(token.lower_ in ("me", "my") for token in clause.tokens)


def off_to_do(clause: Clause, groups: tuple[str, ...]) -> bool:
    """ "I'm off to do some taekwondo": a habit that is taken for granted."""
    above = clause.head.head
    if lemma_of(above) != "be" or not any(child.lower_ in ("off", "away") for child in above.children):
        return False
    return clause.subject is Subject.FIRST and any(token.dep_ == "dobj" for token in _naming(clause, groups))


def owned_now(clause: Clause, groups: tuple[str, ...]) -> bool:
    """Whether the clause takes a thing of the speaker's own for granted ("seeing my dog so happy")."""
    if clause.modality in (Modality.HYPOTHETICAL, Modality.QUESTION) or clause.tense not in (Tense.NOW, Tense.NONE):
        return False
    return any(
        token.pos_ == "NOUN" and any(child.dep_ == "poss" and child.lower_ in ("my", "our") for child in token.children)
        for token in _naming(clause, groups)
    )


def _judged(clause: Clause, groups: tuple[str, ...], acts: frozenset[str]) -> bool:
    """ "The festival in Tokyo was awesome": a definite event as subject, past tense, and a verdict."""
    subject = clause.subject_token
    if subject is None or not acts & ATTENDING or clause.tense is not Tense.PAST or lemma_of(clause.head) != "be":
        return False
    if not any(names(lemma_of(subject), group) for group in groups) or subject.pos_ not in NOMINAL:
        return False
    if not any(child.dep_ == "det" and child.lower_ in ("the", "this", "that") for child in subject.children):
        return False
    return any(child.dep_ in ("acomp", "attr") and lemma_of(child) in VERDICTS for child in clause.head.children)


def partner_tells(clause: Clause, groups: tuple[str, ...], acts: frozenset[str]) -> bool:
    """Whether the partner states as a fact that the person spoken to did it ("you surfed at sunrise")."""
    if clause.subject is not Subject.SECOND or clause.subject_token is None or clause.subject_token.lower_ != "you":
        return False
    if clause.modality is not Modality.ASSERTED or not clause.affirmed or clause.tense is not Tense.PAST:
        return False
    if any(token.tag_ == "MD" for token in clause.tokens):
        return False
    named = {lemma_of(token) for token in _naming(clause, groups)}
    covered = all(any(names(lemma, group) or names(lemma, group, False) for lemma in named) for group in groups)
    return covered and bool(set(clause.predicates) & (acts | named))


def denied_before(case: Case) -> tuple[Turn, Clause] | None:
    """A turn in which the holder never did what the anchor tells as done ("Never been to a shelter", "all mine came from
    shelters")."""
    anchor, record = case.proposal.anchor, case.record
    if anchor is None or record is None or direction_of(case.proposal.old_belief) is not Direction.KEEP:
        return None
    believed = {
        lemma_of(token)
        for token in case.parser.parse(case.proposal.old_belief)
        if token.pos_ == "NOUN" and lemma_of(token) not in LIGHT_NOUNS | VAGUE
    }
    told = {
        lemma_of(token)
        for clause in clauses(case.doc(anchor))
        if clause.own and clause.affirmed and clause.modality is Modality.ASSERTED and clause.tense in (Tense.NOW, Tense.PAST)
        for token in clause.tokens
        if token.pos_ == "NOUN" and token.dep_ in ("dobj", "pobj")
    }
    index = index_of(record)
    for word in sorted(believed & told):
        near = index.turns_naming(word)
        for turn, doc in record.said_by(case.proposal.holder):
            if turn.dia_id not in near:
                continue
            for clause in clauses(doc):
                if clause.subject is not Subject.FIRST or not NEVER.search(plain(clause.text)):
                    continue
                if any(token.dep_ in ("dobj", "pobj") for token in _naming(clause, (word,))):
                    return turn, clause
    return None

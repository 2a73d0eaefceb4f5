"""Why an arc's later turn, for all that it names the matter, does not tell that the speaker does it (TWIST paper section 4.3).

What undoes a flip stands beside the claim: it was something else, it is another's, others did it while the speaker helped, it
lasted a week, it is still to come. Each rule looks at parsed claims and word classes; none asks for more than the turn itself says.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import TYPE_CHECKING

from inject.patterns import pattern, word_list
from inject.stances import REFERRING, Reading, person_of
from twistcore.text.claims import Clause, Modality, Subject, Tense, lemma_of, plain, words
from twistcore.text.classes import is_a, same_word, sisters, synonyms

if TYPE_CHECKING:
    from spacy.tokens import Span, Token

HELPING = word_list("helping")
KEEPING = word_list("keeping")
AGREEING = word_list("agreeing")
ONLOOKING = word_list("onlooking")
SENDING = word_list("sending")
CONSUMED = frozenset({"food", "beverage", "drink", "meat", "dairy", "alcohol", "dish"})
LIVING = frozenset({"plant", "flower", "tree", "animal", "pet", "organism"})
MATERIALS = frozenset({"fabric", "plastic", "polymer", "paper", "metal", "glass", "wood", "ceramic", "rubber", "wax"})
ERSATZ = frozenset({"fungus", "plant_part", "plant_organ", "vegetable", "legume", "fruit", "seed", "juice", "herb", "soy", "grain"})
EATING = frozenset({"eat", "finish", "devour", "drink", "go", "demolish", "gobble", "nibble", "chew", "munch"})
GIFTS = frozenset({"gift", "present", "surprise"})
BEARERS = frozenset({"they", "he", "she", "everyone", "everybody"})
AS_GOOD = {
    "eat": {"have", "finish", "devour"},
    "drink": {"have", "sip"},
    "watch": {"see", "finish", "binge"},
    "own": {"have", "get", "buy", "adopt", "bring", "keep"},
    "keep": {"have", "get", "adopt", "own", "buy"},
    "buy": {"get", "own"},
    "wear": {"put", "have"},
    "run": {"jog", "sprint", "do"},
}


def does(reading: Reading) -> list[Clause]:
    """Clauses in which the speaker, as a fact, does what the beliefs are about; an order or a place near it is not the thing."""
    topic = reading.topic
    acts = (topic.verbs | topic.acts | topic.new_acts) - {"be"}
    return [
        clause
        for clause in reading.found
        if clause.subject is Subject.FIRST
        and clause.modality is Modality.ASSERTED
        and clause.tense not in (Tense.FUTURE, Tense.OVER)
        and clause.affirmed
        and any(_is_act(predicate, act) for predicate in clause.predicates for act in acts)
        and reading.on_topic(clause, 1)
    ]


def _is_act(predicate: str, act: str) -> bool:
    return same_word(predicate, act) or predicate in synonyms(act, "v") or is_a(predicate, act) or predicate in AS_GOOD.get(act, ())


HABITUAL = pattern("habitual")


def _holds(reading: Reading) -> bool:
    """Whether the turn names the thing as the speaker's own now ("my sneaker collection is up to eighteen pairs")."""
    return any(
        child.dep_ == "poss" and child.lower_ in ("my", "our")
        for clause in reading.found
        if clause.modality is Modality.ASSERTED and clause.tense not in (Tense.OVER, Tense.FUTURE)
        for token in reading.topic.mentions(clause.tokens)
        for child in token.children
    )


def _settled(reading: Reading) -> bool:
    """Whether the turn tells that the speaker does it or has it."""
    return bool(does(reading)) or _holds(reading)


def explained_away(reading: Reading) -> str | None:
    """What in the turn shows that the thing is not done by the speaker, or None."""
    rules: tuple[Callable[[Reading], str | None], ...] = (
        _something_else,
        _for_another,
        _goes_back,
        _others_do_it,
        _kept_out,
        _given_up,
        _only_a_while,
        _still_to_come,
    )
    return next((reason for rule in rules if (reason := rule(reading))), None)


def _something_else(reading: Reading) -> str | None:
    """ "It's all roasted dandelion root": what is eaten or drunk is named, bare, as a plant that is not the thing."""
    cores = reading.topic.cores | reading.topic.heads
    eaten = any(core in CONSUMED or any(is_a(core, kind) for kind in CONSUMED) for core in cores)
    living = not eaten and any(core in LIVING or any(is_a(core, kind) for kind in LIVING) for core in cores)
    if not eaten and not living:
        return None
    for clause in reading.found:
        subject = clause.subject_token
        if subject is None or lemma_of(clause.head) != "be" or not clause.affirmed or clause.modality is not Modality.ASSERTED:
            continue
        if subject.lower_ not in ("it", "they", "that", "this", "these", "those", "all", "most", "each", "one", "both"):
            continue
        for token in clause.head.children:
            made = living and token.dep_ in ("attr", "acomp") and any(is_a(lemma_of(token), kind) for kind in MATERIALS)
            if (eaten and token.dep_ == "attr" and _bare(token) and _ersatz(token, cores)) or (made and _bare(token, "ADJ")):
                return f'it is something else: "{clause.text}"'
    return None


def _bare(token: Token, other: str = "NOUN") -> bool:
    return token.pos_ in ("NOUN", other) and not any(
        child.dep_ in ("det", "poss", "nummod", "relcl") and child.lower_ not in ("all", "just") for child in token.children
    )


def _ersatz(token: Token, cores: frozenset[str]) -> bool:
    lemma = lemma_of(token)
    if not any(is_a(lemma, kind) or lemma == kind for kind in ERSATZ):
        return False
    return not any(same_word(lemma, core) or is_a(lemma, core) or is_a(core, lemma) or sisters(lemma, core) for core in cores)


def _for_another(reading: Reading) -> str | None:
    """ "They're a birthday present for my cousin", "it's the one you wrote": what is named belongs to somebody else."""
    for clause in reading.found:
        subject = clause.subject_token
        if subject is None or lemma_of(clause.head) != "be" or subject.lower_ not in ("it", "they", "that", "these", "those"):
            continue
        if not reading.named or not clause.affirmed or clause.modality is not Modality.ASSERTED:
            continue
        inside = list(clause.head.subtree)
        gift = any(token.lower_ in GIFTS for token in clause.tokens)
        if gift and any(_other_person(token) and token.head.lower_ in ("for", "to") for token in inside):
            return f'it is for somebody else: "{clause.text}"'
        if any(token.dep_ == "relcl" and _others_deed(token, list(token.subtree)) for token in inside if token.head.dep_ == "attr"):
            return f'it is somebody else\'s: "{" ".join(token.text for token in inside)}"'
    return None


def _other_person(token: Token) -> bool:
    return lemma_of(token) in words().lists["kin"] or token.lower_ in ("him", "her", "them", "you") or token.ent_type_ == "PERSON"


def _others_deed(verb: Token, inside: list[Token]) -> bool:
    """ "(the one) you wrote": made or written by another, and not given to the speaker."""
    if any(token.lower_ in ("me", "us", "i", "we") for token in inside) or verb.tag_ not in ("VBD", "VBN", "VBZ"):
        return False
    return any(child.dep_ == "nsubj" and _other_person(child) for child in verb.children) and lemma_of(verb) not in KEEPING


def _others_do_it(reading: Reading) -> str | None:
    """Others do the thing, and the speaker helps, holds or houses it."""
    if _settled(reading):
        return None
    topic = reading.topic
    acts = (topic.verbs | topic.acts | topic.new_acts) - {"be", "have", "get", "go", "work", "use", "make"}
    for clause in reading.found:
        if not clause.affirmed or clause.modality is not Modality.ASSERTED or clause.tense is Tense.FUTURE:
            continue
        person = _other_subject(clause, reading)
        if person is None:
            continue
        if any(_is_act(predicate, act) for predicate in clause.predicates for act in acts) and _is_about(clause, reading):
            return f'somebody else does it: "{clause.text}"'
        if (
            (set(clause.predicates) & KEEPING or NO_ROOM.search(plain(clause.text)))
            and not _for_the_speaker(clause)
            and clause.sentence.start > min(reading.named, default=0)
        ):
            return f'it is there for somebody else: "{clause.text}"'
        helper = next((own for own in reading.found if _helps(own, clause)), None)
        if helper is not None:
            return f'helps while others do it: "{helper.text}"'
    return None


def _goes_back(reading: Reading) -> str | None:
    """ "I'm mailing it to him on Monday": what is sent to another is not kept."""
    if _settled(reading) or HABITUAL.search(plain(reading.doc.text)):
        return None
    for clause in reading.found:
        if clause.subject is not Subject.FIRST or not clause.affirmed or not set(clause.predicates) & SENDING:
            continue
        thing = any(token.dep_ == "dobj" and token.lower_ in ("it", "them", "one") for token in clause.tokens)
        person = any(
            token.dep_ in ("pobj", "dative") and (_other_person(token) or token.lower_ in ("him", "her", "them"))
            for token in clause.tokens
        )
        if thing and person and reading.on_topic(clause, 1):
            return f'goes to somebody else: "{clause.text}"'
    return None


NO_ROOM = re.compile(r"\b(?:out of|no|short on|short of) (?:room|space)\b")


def _other_subject(clause: Clause, reading: Reading) -> Token | None:
    """The subject of a clause where it is a person or a group other than the speaker, and not what the matter is about."""
    subject = clause.subject_token
    if subject is None or subject.i in reading.named or any(child.i in reading.named for child in subject.children):
        return None
    if person_of(clause) or subject.lower_ in BEARERS or (subject.lower_ == "you" and clause.tense is Tense.PAST):
        return subject
    lemma = lemma_of(subject)
    return (
        subject if subject.pos_ == "NOUN" and any(is_a(lemma, kind) for kind in ("association", "team", "organization")) else None
    )


def _is_about(clause: Clause, reading: Reading) -> bool:
    """Whether what another does is the matter: named in the clause, in its sentence, or the one that was just named."""
    if reading.on_topic(clause, 1) or any(index in range(clause.sentence.start, clause.sentence.end) for index in reading.named):
        return True
    return bool(reading.named) and any(same for same in (_is_act(p, v) for p in clause.predicates for v in reading.topic.verbs))


def _for_the_speaker(clause: Clause) -> bool:
    return any(token.lower_ in ("me", "us", "my", "our") for token in clause.tokens)


def _helps(own: Clause, other: Clause) -> bool:
    """Whether an own clause is a helper's, joined to the others' by "while", "as" or a purpose."""
    if own.subject is not Subject.FIRST or own.sentence.start != other.sentence.start or not own.affirmed:
        return False
    if set(own.predicates) & ONLOOKING and own.head.dep_ == "conj" and own.head.i > other.head.i and own.tense is Tense.PAST:
        return True
    if not set(own.predicates) & HELPING:
        return False
    return any(
        child.dep_ == "mark" and child.lower_ in ("while", "as") for head in (own.head, other.head) for child in head.children
    )


KEPT_OUT = pattern("kept_out")
LEFT_BEFORE = pattern("left_before")


def _kept_out(reading: Reading) -> str | None:
    """ "She won't let me near the stove", "then I went to the kitchen and stayed there till the end"."""
    if _settled(reading):
        return None
    text = plain(reading.doc.text)
    found = KEPT_OUT.search(text) or LEFT_BEFORE.search(text)
    return f'there, but not doing it: "{found.group()}"' if found else None


def _given_up(reading: Reading) -> str | None:
    """ "My cousin got the curry and I had plain rice": the thing goes to another, and the speaker takes something else."""
    if not reading.topic.acts & {"eat", "drink"} or any(clause.tense is Tense.NOW for clause in does(reading)):
        return None
    for clause in reading.found:
        subject = clause.subject_token
        if subject is None or subject.i in reading.named or not set(clause.predicates) & EATING or does(reading):
            continue
        if person_of(clause) or any(is_a(lemma_of(subject), kind) for kind in ("animal", "pet")):
            return f'somebody else has it: "{clause.text}"'
    for sentence in reading.doc.sents:
        inside = [clause for clause in reading.found if clause.sentence.start == sentence.start]
        passed = [clause for clause in inside if person_of(clause) and _names_or_refers(clause, reading)]
        gone = {lemma_of(token) for clause in passed for token in clause.tokens if token.dep_ == "dobj"}
        other = next((clause for clause in inside if _takes_other_food(clause, reading, gone)), None)
        if passed and other is not None:
            return f'takes something else: "{other.text}"'
    return None


def _names_or_refers(clause: Clause, reading: Reading) -> bool:
    return any(
        token.dep_ == "dobj" and (token.i in reading.named or token.lower_ in REFERRING or token.lower_ == "mine")
        for token in clause.tokens
    ) or bool(reading.topic.mentions([token for token in clause.tokens if token.dep_ == "dobj"], 2))


def _takes_other_food(clause: Clause, reading: Reading, gone: set[str]) -> bool:
    if clause.subject is not Subject.FIRST or not set(clause.predicates) & {"have", "eat", "order", "drink", "settle", "stick"}:
        return False
    taken = [token for token in clause.tokens if token.dep_ in ("dobj", "pobj") and token.pos_ == "NOUN"]
    cores = reading.topic.cores - CONSUMED
    return any(
        any(is_a(lemma_of(token), kind) for kind in CONSUMED)
        and lemma_of(token) not in gone | cores
        and not any(is_a(lemma_of(token), core) for core in cores)
        for token in taken
    )


BOUNDED = pattern("bounded_time")
OVER_NOW = pattern("over_now")


def _only_a_while(reading: Reading) -> str | None:
    """ "For one whole week while the boiler was broken": a past that has its end, with nothing told of now."""
    text = plain(reading.doc.text)
    bounded = BOUNDED.search(text)
    if bounded is None or not OVER_NOW.search(text) or any(clause.tense is Tense.NOW for clause in does(reading)):
        return None
    return f'lasted only a while: "{bounded.group()}"'


def _still_to_come(reading: Reading) -> str | None:
    """ "As soon as the loan is through we'll sign and drive it home": what is still to be got is not had."""
    if _settled(reading) or HABITUAL.search(plain(reading.doc.text)):
        return None
    for clause in reading.found:
        if clause.subject is not Subject.FIRST or clause.tense is not Tense.FUTURE or not clause.affirmed:
            continue
        beside = [other for other in reading.found if other.sentence.start == clause.sentence.start]
        hanging = next((other for other in beside if _is_condition(other)), None)
        if hanging is not None:
            return f'hangs on an if: "{hanging.text}"'
        if not set(clause.predicates) & AGREEING or _already(reading, clause.sentence):
            continue
        if any(reading.on_topic(other, 1) for other in beside):
            return f'still to come: "{clause.text}"'
    return None


def _is_condition(clause: Clause) -> bool:
    """An if about what others decide or what comes, not about the person spoken to ("if you come over, I'll make you one")."""
    subject = clause.subject_token
    marked = any(child.dep_ == "mark" and child.lower_ == "if" for child in clause.head.children)
    return marked and subject is not None and subject.lower_ not in ("you", "i", "we", "anyone", "somebody", "someone")


def _already(reading: Reading, sentence: Span) -> bool:
    return bool(re.search(r"\b(?:again|another|next one|more|second|third|already)\b", plain(sentence.text))) or not reading.named

"""The record has not already said otherwise: the anchor would be contradicted, or the change pre-empted, by what was said before.

Source: DESIGN.md rules 5 and 6; LOCOMO.md section 7 (an injected stance that the record refutes makes a question answerable).
Precision first: a turn conflicts only where a clause of the holder's own states, as a fact, what the anchor denies, with
every word of the topic in it.
"""

from __future__ import annotations

from dataclasses import dataclass

from inject.gates.case import Case, Gate, Record
from inject.gates.record_index import index_of
from inject.gates.record_index import names as _match
from inject.patterns import pattern, word_list
from inject.stance_topic import LIGHT_NOUNS, LIGHT_VERBS, NOMINAL, VAGUE, Direction, Topic, Word, content_words, topic_of
from inject.stances import SUBSTITUTE, person_of
from twistcore.corpus import Turn
from twistcore.text.claims import Clause, Modality, Subject, Tense, clauses, lemma_of, plain, words
from twistcore.text.classes import is_a, same_theme, same_word
from twistcore.verdicts import GateResult

GATE = Gate("record_conflict", "2")

LIFETIME = pattern("lifetime")
HABIT = pattern("habit")
CONSUMING = word_list("consuming")


@dataclass(frozen=True)
class _Wanted:
    """What a conflicting turn must name: every group of `groups`, each by one of its words."""

    groups: tuple[str, ...]
    acts: frozenset[str]
    lifetime: bool
    gerund: bool
    habit: bool


def judge(case: Case) -> GateResult:
    """Fails a proposal whose anchor the holder's record contradicts, citing the turns."""
    anchor = case.proposal.anchor
    record = case.record
    if record is None or anchor is None or case.proposal.holder not in record.conversation.speakers:
        return GATE.skipped()
    topic = topic_of(case.proposal, case.parser)
    wanted = _wanted(case, plain(anchor.text))
    if not wanted.groups:
        return GATE.passed()
    found = []
    for turn in _candidates(record, wanted):
        if turn.speaker == case.proposal.holder:
            clause = _contradicts(record, turn, wanted, topic, anchor.session)
        else:
            clause = _partner_knows(record, turn, wanted, topic)
        if clause is not None:
            found.append((turn, clause))
    if not found:
        return GATE.passed()
    shown = ", ".join(f"{turn.dia_id} ({turn.speaker}: {clause.text})" for turn, clause in found[:3])
    return GATE.failed(f"the record already says otherwise: {shown}")


def _wanted(case: Case, anchor: str) -> _Wanted:
    names = {part.lower() for speaker in (case.record.conversation.speakers if case.record else ()) for part in speaker.split()}
    found = [
        word
        for word in content_words(case.parser.parse(case.proposal.topic))
        if word.lemma not in names and word.lemma not in VAGUE
    ]
    groups = [word.lemma for word in found if not _is_light(word)] or [word.lemma for word in found]
    acts = {word.lemma for word in found if word.pos == "VERB"}
    for belief in (case.proposal.old_belief, case.proposal.new_belief or ""):
        acts |= {lemma_of(token) for token in case.parser.parse(belief) if token.pos_ == "VERB"}
    text = f"{anchor} {plain(case.proposal.old_belief)}"
    gerund = len(groups) == 1 and any(word.lemma == groups[0] and word.token.lower_.endswith("ing") for word in found)
    return _Wanted(
        tuple(dict.fromkeys(groups)),
        frozenset(acts - {"be"}),
        bool(LIFETIME.search(text)),
        gerund,
        bool(HABIT.search(plain(case.proposal.old_belief))),
    )


def _is_light(word: Word) -> bool:
    """Whether a word of the topic only carries it ("having a dog"); a modifier ("used furniture") does not."""
    if word.pos == "VERB" and word.token.dep_ not in ("amod", "compound"):
        return word.lemma in LIGHT_VERBS and any(child.dep_ in ("dobj", "prep", "attr") for child in word.token.children)
    return word.lemma in LIGHT_NOUNS and word.token.dep_ not in ("compound", "amod")


def _candidates(record: Record, wanted: _Wanted) -> list[Turn]:
    """Turns with a word for every group, in the turn."""
    hits: list[set[str]] = []
    for group in wanted.groups:
        ids: set[str] = set()
        for (lemma, noun), turns in record.vocabulary.items():
            if _match(lemma, group, noun):
                ids |= turns
        hits.append(ids)
    shared = set.intersection(*hits) if hits else set()
    return [turn for turn in record.turns if turn.dia_id in shared]


def _contradicts(record: Record, turn: Turn, wanted: _Wanted, topic: Topic, anchor_session: int) -> Clause | None:
    """A clause of the holder's that states what the anchor denies, or denies what it holds."""
    doc = record.docs[turn.dia_id]
    found = clauses(doc)
    for clause in found:
        near = [other for other in found if other.sentence.start == clause.sentence.start]
        if not _names_all(clause, near, wanted) or not _states(clause):
            continue
        if topic.direction is Direction.KEEP:
            if wanted.lifetime or turn.session > anchor_session:
                continue
            if (
                clause.negated
                and clause.tense is Tense.NOW
                and clause.subject is Subject.FIRST
                and not clause.ceased
                and _direct(clause, wanted)
            ):
                return clause
            continue
        if not clause.affirmed or not _acts(clause, wanted) or SUBSTITUTE.search(plain(clause.text)):
            continue
        if clause.subject is not Subject.FIRST and not _possessed(clause, wanted):
            continue
        if (
            wanted.lifetime
            or clause.tense is Tense.NOW
            or (wanted.habit and clause.tense is Tense.PAST and turn.session <= anchor_session)
        ):
            return clause
    return None


def _states(clause: Clause) -> bool:
    if clause.modality is not Modality.ASSERTED or clause.tense is Tense.FUTURE or person_of(clause):
        return False
    if clause.subject not in (Subject.FIRST, Subject.OWNED):
        return False
    if clause.subject_token is not None:
        return True
    if clause.head.tag_ in ("VBD", "VBN"):
        return True
    return clause.head.tag_ == "VBG" and any(token.lower_ in words().lists["first"] for token in clause.sentence)


def _names_all(clause: Clause, near: list[Clause], wanted: _Wanted) -> bool:
    """Whether the clause names one of the groups and the clauses of its sentence name the others."""
    lemmas = {(lemma_of(token), token.pos_ in NOMINAL) for token in clause.tokens}
    around = {(lemma_of(token), token.pos_ in NOMINAL) for other in near for token in other.tokens} | lemmas
    own = [any(_match(lemma, group, noun) for lemma, noun in lemmas) for group in wanted.groups]
    return any(own) and all(any(_match(lemma, group, noun) for lemma, noun in around) for group in wanted.groups)


def _acts(clause: Clause, wanted: _Wanted) -> bool:
    """Whether the clause does what the anchor denies, not only speaks of it."""
    doing = set(clause.predicates)
    if doing & {
        "want",
        "hope",
        "plan",
        "wish",
        "think",
        "consider",
        "look",
        "see",
        "hear",
        "know",
        "miss",
        "wonder",
        "remember",
        "say",
        "tell",
        "ask",
        "need",
        "feel",
        "imagine",
    }:
        return False
    if any(_match(predicate, group, False) for predicate in doing for group in wanted.groups):
        transitive = any(child.dep_ == "dobj" for child in clause.head.children)
        return not (transitive and doing & {"run", "fly", "work"} and len(wanted.groups) == 1)
    if (
        wanted.gerund
        and doing & {"have", "own", "get", "buy", "make", "use", "see", "keep", "go", "take"}
        and not _named_as_act(clause, wanted)
    ):
        return False
    return bool(doing & wanted.acts) or (_direct(clause, wanted) and bool(doing & CONSUMING))


ACTS_OF = frozenset(
    {"lesson", "class", "practice", "player", "collection", "course", "training", "team", "club", "trip", "routine", "session"}
)


def _named_as_act(clause: Clause, wanted: _Wanted) -> bool:
    """Whether the topic is named as an activity ("go camping", "take a painting class")."""
    return any(
        token.tag_ == "VBG"
        or (
            token.dep_ == "compound"
            and lemma_of(token.head) in {"class", "lesson", "trip", "course", "club", "practice", "session"}
        )
        for token in clause.tokens
        if any(_match(lemma_of(token), group, token.pos_ in NOMINAL) for group in wanted.groups)
    )


def _direct(clause: Clause, wanted: _Wanted) -> bool:
    for token in clause.tokens:
        if token.pos_ not in NOMINAL and token.tag_ != "VBG":
            continue
        if any(_match(lemma_of(token), group, token.pos_ in NOMINAL) for group in wanted.groups) and token.dep_ in (
            "dobj",
            "attr",
            "conj",
            "pobj",
            "xcomp",
            "pcomp",
            "compound",
        ):
            if token.dep_ == "compound" and lemma_of(token.head) not in ACTS_OF:
                continue
            if token.dep_ == "pobj" and token.head.lower_ not in ("to", "on", "in", "of", "with", "for", "at"):
                continue
            return True
    return False


def _possessed(clause: Clause, wanted: _Wanted) -> bool:
    first = words().lists["first"]
    return any(
        any(_match(lemma_of(token), group, token.pos_ in NOMINAL) for group in wanted.groups)
        and any(child.dep_ == "poss" and child.lower_ in first for child in token.children)
        for token in clause.tokens
    )


def _partner_knows(record: Record, turn: Turn, wanted: _Wanted, topic: Topic) -> Clause | None:
    """A partner's clause that takes the holder's thing for granted ("your violin"), where the anchor denies ever having had one."""
    if topic.direction is Direction.KEEP or not wanted.lifetime or len(wanted.groups) > 2:
        return None
    for clause in clauses(record.docs[turn.dia_id]):
        if clause.modality is Modality.HYPOTHETICAL:
            continue
        for token in clause.tokens:
            if token.pos_ not in NOMINAL or not any(child.dep_ == "poss" and child.lower_ == "your" for child in token.children):
                continue
            if any(same_word(lemma_of(token), core) or is_a(lemma_of(token), core) for core in topic.cores):
                return clause
    return None

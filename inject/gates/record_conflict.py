"""The record has not already said otherwise: the anchor would be contradicted, or the change pre-empted, by what was said before.

Source: DESIGN.md rules 5 and 6; LOCOMO.md section 7 (an injected stance that the record refutes makes a question answerable).
Precision first: a turn conflicts only where a clause of the holder's own states, as a fact, what the anchor denies, with
every word of the topic in it; a word that only qualifies another ("music festival") may stand in a turn beside it.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from itertools import pairwise

from inject.gates.case import Case, Gate, Record
from inject.gates.record_belief import TIMES, bare_act, believed_thing
from inject.gates.record_experience import (
    attended,
    denied_before,
    experienced,
    got_to_do,
    had_fun_doing,
    longed_for,
    off_to_do,
    owned_now,
    partner_tells,
    practised,
    speaks,
)
from inject.gates.record_index import NamingIndex, index_of
from inject.gates.record_index import names as _match
from inject.patterns import pattern, word_list
from inject.stance_topic import LIGHT_NOUNS, LIGHT_VERBS, NOMINAL, VAGUE, Direction, Topic, Word, content_words, topic_of
from inject.stances import SUBSTITUTE, person_of
from twistcore.corpus import Turn
from twistcore.text.claims import Clause, Modality, Subject, Tense, clauses, lemma_of, plain, words
from twistcore.text.classes import is_a, known, same_word
from twistcore.verdicts import GateResult

GATE = Gate("record_conflict", "4")

LIFETIME = pattern("lifetime")
LAPSED = pattern("lapsed")
HABIT = pattern("habit")
BEEN = re.compile(r"\b(?:been|gone|taken part|competed|participated|attended|entered) (?:in|to|at|on|a|an)\b")
CONSUMING = word_list("consuming")


@dataclass(frozen=True)
class _Wanted:
    """What a conflicting turn must name: every group of `groups`, each by one of its words."""

    groups: tuple[str, ...]
    acts: frozenset[str]
    lifetime: bool
    gerund: bool
    habit: bool
    qualifiers: frozenset[str] = frozenset()
    again: bool = False
    attends: bool = False
    lapsed: bool = False

    @property
    def needed(self) -> tuple[str, ...]:
        """The groups that the turn itself must name."""
        return tuple(group for group in self.groups if group not in self.qualifiers)


def judge(case: Case) -> GateResult:
    """Fails a proposal whose anchor the holder's record contradicts, citing the turns."""
    anchor = case.proposal.anchor
    record = case.record
    if record is None or anchor is None or case.proposal.holder not in record.conversation.speakers:
        return GATE.skipped()
    topic = topic_of(case.proposal, case.parser)
    later = case.proposal.later
    window = (anchor.session, later.session if later is not None else anchor.session)
    found: list[tuple[Turn, Clause]] = []
    for wanted in _views(case, plain(anchor.text)):
        for turn in _candidates(record, wanted):
            if turn.speaker == case.proposal.holder:
                clause = _contradicts(record, turn, wanted, topic, window)
            else:
                clause = _partner_knows(record, turn, wanted, topic)
            if clause is not None:
                found.append((turn, clause))
    if not found:
        denied = denied_before(case)
        found = [denied] if denied is not None else []
    if not found:
        return GATE.passed()
    shown = ", ".join(f"{turn.dia_id} ({turn.speaker}: {clause.text})" for turn, clause in found[:3])
    return GATE.failed(f"the record already says otherwise: {shown}")


def _views(case: Case, anchor: str) -> list[_Wanted]:
    """The matter as the topic names it, as its two words name one class ("martial art"), and as the belief names it otherwise."""
    first = _wanted(case, anchor)
    if not first.groups or all(group in LIGHT_VERBS for group in first.groups):
        return []
    out = [first]
    if len(first.groups) == 2:
        joined = "_".join(first.groups)
        if known(joined, "n"):
            out.append(replace(first, groups=(joined,), qualifiers=frozenset(), gerund=False))
        elif first.groups[0] in CLASSIFYING:
            out.append(replace(first, groups=first.groups[1:], qualifiers=frozenset(), gerund=False))
        carried = tuple(group for group in first.groups if group not in CARRIERS)
        if len(carried) == 1 and known(carried[0], "v"):
            out.append(replace(first, groups=carried, qualifiers=frozenset(), gerund=True))
    act = bare_act(case)
    if act and not any(_match(act, group, False) for group in first.groups):
        out.append(replace(first, groups=(act,), qualifiers=frozenset(), gerund=False, acts=frozenset({act})))
    believed = believed_thing(case)
    if believed and not any(same_word(word, group) for word in believed for group in first.groups):
        acts = {
            lemma_of(token)
            for text in (case.proposal.old_belief, case.proposal.new_belief or "")
            for token in case.parser.parse(text)
            if token.pos_ == "VERB"
        }
        out.append(replace(first, groups=believed, qualifiers=frozenset(), gerund=False, acts=frozenset(acts)))
    return out


CARRIERS = frozenset({"ride", "trip", "lesson", "class", "practice", "session", "tour", "outing"})
CLASSIFYING = frozenset({"foreign", "musical", "real", "actual", "own", "domestic"})


def _wanted(case: Case, anchor: str) -> _Wanted:
    names = {part.lower() for speaker in (case.record.conversation.speakers if case.record else ()) for part in speaker.split()}
    found = [
        word
        for word in content_words(case.parser.parse(case.proposal.topic))
        if word.lemma not in names and word.lemma not in VAGUE
    ]
    believed = {lemma_of(token) for token in case.parser.parse(case.proposal.old_belief)}
    groups = [word.lemma for word in found if not _is_light(word) or _limits(word, believed)] or [word.lemma for word in found]
    qualifiers = {word.lemma for word, after in pairwise(found) if _qualifies(word, after)} & set(groups)
    acts = {word.lemma for word in found if word.pos == "VERB"}
    for belief in (case.proposal.old_belief, case.proposal.new_belief or ""):
        acts |= {lemma_of(token) for token in case.parser.parse(belief) if token.pos_ == "VERB"}
    text = f"{anchor} {plain(case.proposal.old_belief)}"
    gerund = len(groups) == 1 and any(word.lemma == groups[0] and word.token.lower_.endswith("ing") for word in found)
    return _Wanted(
        tuple(dict.fromkeys(groups)),
        frozenset(acts - {"be"}),
        bool(LIFETIME.search(text) or LAPSED.search(text)),
        gerund,
        bool(HABIT.search(plain(case.proposal.old_belief))),
        frozenset(qualifiers if len(set(groups) - qualifiers) > 0 else ()),
        "again" in text or "any more" in text or "anymore" in text,
        bool(BEEN.search(plain(case.proposal.old_belief))),
        bool(LAPSED.search(text)) and not LIFETIME.search(text),
    )


def _is_light(word: Word) -> bool:
    """Whether a word of the topic only carries it ("having a dog"); a modifier ("used furniture") does not."""
    if word.pos == "VERB" and word.token.dep_ not in ("amod", "compound"):
        return word.lemma in LIGHT_VERBS and any(child.dep_ in ("dobj", "prep", "attr") for child in word.token.children)
    return word.lemma in LIGHT_NOUNS and word.token.dep_ not in ("compound", "amod")


def _qualifies(word: Word, after: Word) -> bool:
    """Whether a noun stands right before another, as its modifier; the parse of a bare topic is not to be trusted for that."""
    return word.pos == "NOUN" and after.pos == "NOUN" and after.token.i == word.token.i + 1 and not word.lemma.endswith("ing")


def _limits(word: Word, believed: set[str]) -> bool:
    """Whether a noun of time narrows what is denied ("studying all night"), and the belief keeps it."""
    return word.lemma in TIMES and word.token.dep_ in ("npadvmod", "pobj", "dobj") and word.lemma in believed


def _candidates(record: Record, wanted: _Wanted) -> list[Turn]:
    """Turns with a word for every group: in the turn, or for a qualifier by the matter of the turns around it."""
    index = index_of(record)
    hits = [index.turns_naming(group) for group in wanted.needed]
    shared = frozenset.intersection(*hits) if hits else frozenset()
    if not shared:
        return []
    places = {turn.dia_id: place for place, turn in enumerate(record.turns)}
    out = []
    for dia_id in sorted(shared, key=places.__getitem__):
        place = places[dia_id]
        if all(_qualified(record, index, place, word) or _kind_said(record, place, word, wanted) for word in wanted.qualifiers):
            out.append(record.turns[place])
    return out


def _qualified(record: Record, index: NamingIndex, place: int, word: str) -> bool:
    """Whether a turn, or the same speaker's words within two turns of it in its session, speak of the qualifier."""
    turn = record.turns[place]
    naming = index.turns_naming(word)
    return turn.dia_id in naming or any(
        near.session == turn.session and near.speaker == turn.speaker and near.dia_id in naming
        for near in record.turns[max(0, place - 2) : place + 3]
    )


def _kind_said(record: Record, place: int, word: str, wanted: _Wanted) -> bool:
    """Whether a turn names the matter with a kind of the qualifier before it ("painting classes", of an art class)."""
    return any(
        child.dep_ in ("compound", "amod") and is_a(lemma_of(child), word)
        for token in record.docs[record.turns[place].dia_id]
        if any(_match(lemma_of(token), group) for group in wanted.needed)
        for child in token.children
    )


def _contradicts(record: Record, turn: Turn, wanted: _Wanted, topic: Topic, window: tuple[int, int]) -> Clause | None:
    """A clause of the holder's that states what the anchor denies, or denies what it holds."""
    anchor_session, later_session = window
    keep = topic.direction is Direction.KEEP
    found = clauses(record.docs[turn.dia_id])
    for clause in found:
        near = [other for other in found if other.sentence.start == clause.sentence.start]
        if not _names_all(clause, near, wanted):
            continue
        if keep:
            if turn.session <= anchor_session and not wanted.lifetime and _states(clause) and _denies(clause, wanted):
                return clause
            continue
        before = turn.session < later_session
        if _takes_for_granted(clause, wanted, before=before) or (_states(clause) and _affirms(clause, turn, wanted, window)):
            return clause
    return None


def _denies(clause: Clause, wanted: _Wanted) -> bool:
    """Whether the holder denies, in the present, what the anchor holds on to."""
    now = clause.tense is Tense.NOW and clause.subject is Subject.FIRST
    return now and clause.negated and not clause.ceased and _direct(clause, wanted)


def _takes_for_granted(clause: Clause, wanted: _Wanted, *, before: bool) -> bool:
    """Whether the clause shows, without stating it, what the anchor denies; `before` the reversal only for things to have."""
    needed = wanted.needed
    if wanted.lifetime and (
        experienced(clause, needed, wanted.acts)
        or got_to_do(clause, needed, wanted.acts)
        or off_to_do(clause, needed)
        or (before and had_fun_doing(clause, needed))
        or (wanted.attends and attended(clause, needed))
    ):
        return True
    if before and (speaks(clause, needed) or longed_for(clause, needed, wanted.acts)):
        return True
    return before and (practised(clause, needed) or (_having(wanted) and owned_now(clause, needed)))


def _affirms(clause: Clause, turn: Turn, wanted: _Wanted, window: tuple[int, int]) -> bool:
    """Whether the holder states what the anchor denies, at a time at which that tells against it."""
    anchor_session, later_session = window
    if not clause.affirmed or not _acts(clause, wanted) or SUBSTITUTE.search(plain(clause.text)):
        return False
    if clause.subject is not Subject.FIRST and not _possessed(clause, wanted):
        return False
    if wanted.lapsed and clause.tense is Tense.OVER:
        return False
    if wanted.lifetime or clause.tense is Tense.NOW:
        return True
    if clause.tense is not Tense.PAST:
        return False
    if turn.session <= anchor_session:
        return wanted.habit or (not wanted.again and _got(clause, wanted))
    doing = set(clause.predicates)
    tasted = bool(wanted.acts & {"eat", "drink"}) and bool(doing & TASTING) and _direct(clause, wanted)
    return turn.session < later_session and (bool(doing & wanted.acts) or tasted or _got(clause, wanted))


HAVING = frozenset({"have", "own", "keep", "get", "adopt", "buy"})
TASTING = frozenset({"try", "taste", "have", "eat", "drink", "sip", "enjoy", "sample"})
GETTING = frozenset({"adopt", "buy", "get", "got", "make"})


def _having(wanted: _Wanted) -> bool:
    return bool(wanted.acts) and wanted.acts <= HAVING and len(wanted.groups) == 1


def _got(clause: Clause, wanted: _Wanted) -> bool:
    """Whether the holder came to have what the anchor will not have."""
    return (
        _having(wanted)
        and bool(set(clause.predicates) & GETTING)
        and any(
            token.dep_ == "dobj" and any(_match(lemma_of(token), group) for group in wanted.needed)
            for token in clause.head.children
        )
    )


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
    return any(own) and all(any(_match(lemma, group, noun) for lemma, noun in around) for group in wanted.needed)


MINDING = word_list("minding")


def _acts(clause: Clause, wanted: _Wanted) -> bool:
    """Whether the clause does what the anchor denies, not only speaks of it."""
    doing = set(clause.predicates)
    if doing & MINDING:
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
        if partner_tells(clause, wanted.groups, wanted.acts):
            return clause
        for token in clause.tokens:
            if token.pos_ not in NOMINAL or not any(child.dep_ == "poss" and child.lower_ == "your" for child in token.children):
                continue
            if any(same_word(lemma_of(token), core) or is_a(lemma_of(token), core) for core in topic.cores):
                return clause
    return None

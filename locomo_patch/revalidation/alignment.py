"""Whether a turn tells of the event or state that a question asks about: how well its words, names and place fit, and whether
another
question of the same sort fits it better.

Paraphrase leaves few words in common, so four things are looked at together: the words (`closeness`), what goes together in this
very
conversation (a name and the dog that bears it), the place (a turn put right behind the evidence refers back to it), and the rank of
the question among all that could be meant.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import chain

from locomo_patch.revalidation.closeness import BROAD, MEMBER, best
from locomo_patch.revalidation.questions import ConversationQuestions, QuestionReading
from locomo_patch.revalidation.scripts import script_match
from locomo_patch.revalidation.turns import Standing, TurnReading

# Words of a question that name no event: how it asks, and verbs that could be anything's.
_LIGHT = frozenset(
    """
    go get take have make do be start begin use come see know feel want plan name kind type sort activity thing way item place new
    time
    year month week day date hour long many often old last first second third time people number current recently typically
    between during lapse ago much frequently mention say tell describe give try different favorite specific video lot big
    january february march april may june july august september october november december
    """.split()  # noqa: SIM905
)
_ASIDE = re.compile(r"(?<=\w{3} )(?:after|before|during|while|when|as of|by)\b")
_ORDINAL = re.compile(r"\b(first|second|third|fourth|fifth|last)(?: (?:two|three|four|time))?\b")
_NEAR_TURNS = 5
# Closeness up to which two words are only of one matter.
_LOOSE = 0.5
# Closeness from which a word of the question counts as met, and what is left of one that is only told of a relative.
_MET, _OF_KIN = 0.4, 0.4
# What is left of a verb that only its own object hints at (a screenplay, and not that it was written).
_OF_OBJECT = 0.3
# What is left of the weight of a word for people: almost anything is told of them.
_OF_ANYONE = 0.5
_KIN = frozenset(
    """
    family sister brother mom mother dad father parent son daughter kid child husband wife partner girlfriend boyfriend cousin
    aunt uncle
    grandmother grandfather grandma grandpa niece nephew friend buddy teammate colleague dog pet cat sibling
    """.split()  # noqa: SIM905
)
# Weights of the four ways in which a turn can fit; a sum of 1 or more is as good as certain.
_BY_WORDS, _BY_HABIT, _BY_PLACE, _BY_SESSION = 1.0, 0.45, 0.35, 0.15


@dataclass(frozen=True, slots=True)
class Alignment:
    """How well a turn fits one question. `words`, `habit` and `whole` go from 0 to 1; `planned` is the share that is only
    planned."""

    words: float
    habit: float
    near: float
    top: float
    missed: float
    planned: float
    whole: float


_NONE = Alignment(0.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0)


@dataclass(frozen=True, slots=True)
class _Asked:
    """What is worked out once a question: its event's words with their weights, its ordinal, whether it names kin."""

    words: tuple[tuple[str, float, float], ...]
    ordinal: tuple[str, str] | None
    kin: bool


def _asked(question: QuestionReading, context: ConversationQuestions) -> _Asked:
    key = ("asked", id(question))
    found: _Asked | None = context.kept.get(key)
    if found is None:
        words = []
        for word in sorted(event_words(question)):
            rare = context.weight(word)
            words.append(
                (
                    word,
                    (0.35 + rare)
                    * (0.4 if word in BROAD else 1.0)
                    * (1.2 if word in question.nouns else 1.0)
                    * (_OF_ANYONE if word in _KIN else 1.0),
                    rare,
                )
            )
        ordinal = _ORDINAL.search(question.question.question.lower())
        found = context.kept[key] = _Asked(
            tuple(words), (ordinal.group(), ordinal.group(1)) if ordinal else None, bool(question.words & _KIN)
        )
    return found


def event_words(question: QuestionReading) -> frozenset[str]:
    """The words of a question that name its event, without how it asks for it and without what it happened after or before."""
    text = question.question.question.lower()
    aside = _ASIDE.search(text)
    head = text[: aside.start()] if aside else text
    return frozenset(
        word for word in question.words if word not in _LIGHT and not word.isdigit() and (not aside or word[:4] in head)
    )


def align(question: QuestionReading, reading: TurnReading, context: ConversationQuestions, person: str) -> Alignment:
    """How well a turn tells of a question's event; worked out once for each pair."""
    kept: dict[int, Alignment] = reading.kept.setdefault((id(context), person), {})
    found = kept.get(id(question))
    if found is None:
        found = kept[id(question)] = _align(question, reading, context, person)
    return found


def rank(
    question: QuestionReading,
    reading: TurnReading,
    context: ConversationQuestions,
    person: str,
    family: str,
    rivals: Sequence[QuestionReading],
) -> float:
    """From 0 to 1: how near the question comes to the best fitting one of its family for this turn and person."""
    key = ("rank", id(context), person, family)
    top: float | None = reading.kept.get(key)
    if top is None:
        top = max((align(other, reading, context, person).whole for other in rivals), default=0.0)
        reading.kept[key] = top
    return align(question, reading, context, person).whole / max(top, 0.3)


def _align(question: QuestionReading, reading: TurnReading, context: ConversationQuestions, person: str) -> Alignment:
    asked = _asked(question, context)
    own, planned = _said(reading, person)
    near = _nearness(question, reading)
    if not own or not asked.words:
        return _NONE if not near or not own else Alignment(0.0, 0.0, near, 0.0, 1.0, 0.0, near)
    total = got = habit = by_plan = top = missed = 0.0
    for word, weight, rare in asked.words:
        close, by = _match(word, reading, context, person, own)
        if by in reading.others and not asked.kin:
            close *= _OF_KIN
        if close <= _LOOSE and word in question.verbs and by != word and by in question.nouns:
            close *= _OF_OBJECT
        used = _habit(word, reading, context, person, own)
        total += weight
        got += weight * close
        habit += weight * used
        by_plan += weight * close * (by in planned)
        top = max(top, close * min(1.0, rare + 0.2))
        if close < _MET and used < 0.3:
            missed = max(missed, rare)
    words, used_together = got / total, habit / total
    whole = _BY_WORDS * words + _BY_HABIT * max(0.0, used_together - 0.3 * words) + near
    whole *= _pinned(question, asked.ordinal, reading, own, near)
    return Alignment(words, used_together, near, top, missed, by_plan / got if got else 0.0, min(1.0, whole))


def _pinned(
    question: QuestionReading, ordinal: tuple[str, str] | None, reading: TurnReading, own: frozenset[str], near: float
) -> float:
    """A name or an ordinal of the question that the turn lacks makes it another event; an ordinal in common the same."""
    factor = 1.0
    if question.names and near < _BY_PLACE:
        known = own | reading.context
        met = any(_same_name(name, word) for name in question.names for word in known) or any(
            _name_met(name, reading, own) for name in sorted(question.names)
        )
        factor = 1.0 if met else 0.5
    if ordinal:
        said = {match.group(1) for match in _ORDINAL.finditer(_lowered(reading))}
        if ordinal[0] in _lowered(reading):
            factor *= 1.4
        elif said and ordinal[1] not in said:
            factor *= 0.5
    return factor


def _same_name(name: str, word: str) -> bool:
    """Whether a word is the name or its short form (Sam for Samantha)."""
    return name == word or (len(word) >= 3 and len(name) >= 5 and name.startswith(word))


def _name_met(name: str, reading: TurnReading, own: frozenset[str]) -> bool:
    key = ("name", name, id(own))
    found: bool | None = reading.kept.get(key)
    if found is None:
        found = reading.kept[key] = best(name, own)[0] >= MEMBER
    return found


def _said(reading: TurnReading, person: str) -> tuple[frozenset[str], frozenset[str]]:
    """What the turn says of a person outside dreams, denials and questions, and the part of it that is only planned."""
    key = ("said", person)
    found: tuple[frozenset[str], frozenset[str]] | None = reading.kept.get(key)
    if found is None:
        facts = reading.bag(person, Standing.FACT)
        plans = reading.bag(person, Standing.PLAN)
        told = reading.bag(person, Standing.REPORTED)
        own = facts.words | facts.names | told.words | told.names | plans.words | plans.names
        found = reading.kept[key] = (own, (plans.words | plans.names) - facts.words - told.words)
    return found


def _match(word: str, reading: TurnReading, context: ConversationQuestions, person: str, own: frozenset[str]) -> tuple[float, str]:
    key = ("match", person, word)
    found: tuple[float, str] | None = reading.kept.get(key)
    if found is None:
        close, by = best(word, own)
        told = script_match(word, own, _lowered(reading))
        found = reading.kept[key] = (max(told, close if close > _LOOSE else 0.8 * close), by)
    return found


def _lowered(reading: TurnReading) -> str:
    found: str | None = reading.kept.get("lowered")
    if found is None:
        found = reading.kept["lowered"] = reading.turn.text.lower().replace("’", "'")
    return found


def _nearness(question: QuestionReading, reading: TurnReading) -> float:
    """Whether the turn stands right behind the question's evidence, or at least in its session."""
    after = reading.turn.after
    if after is None or not question.evidence_ids:
        return 0.0
    session, _, position = after.partition(":")
    gaps = [
        int(position) - int(own.partition(":")[2])
        for own in question.evidence_ids
        if own.partition(":")[0] == session and position.isdigit() and own.partition(":")[2].isdigit()
    ]
    if not gaps:
        return 0.0
    return _BY_PLACE if any(-1 <= gap <= _NEAR_TURNS for gap in gaps) else _BY_SESSION


def _habit(word: str, reading: TurnReading, context: ConversationQuestions, person: str, own: frozenset[str]) -> float:
    """How much something said goes with a word in this conversation: 1 when it is said nowhere but around it."""
    key = ("habit", id(context), person, word)
    found: float | None = reading.kept.get(key)
    if found is None:
        table = _occurrences(context)
        around = table.around.get(word)
        value = 0.0
        if around:
            base = len(around) / max(1, len(context.said))
            known = _known(reading, context, person, own)
            scores = sorted((_lift(at, around, base) for other, at in known if other != word), reverse=True)[:3]
            value = min(1.0, sum(score / (place + 1) for place, score in enumerate(scores)) / 1.2)
        found = reading.kept[key] = value
    return found


def _known(
    reading: TurnReading, context: ConversationQuestions, person: str, own: frozenset[str]
) -> tuple[tuple[str, frozenset[int]], ...]:
    """The words said of a person that the conversation has, with where they stand."""
    key = ("known", id(context), person)
    found: tuple[tuple[str, frozenset[int]], ...] | None = reading.kept.get(key)
    if found is None:
        at = _occurrences(context).at
        found = reading.kept[key] = tuple((word, at[word]) for word in own if word in at)
    return found


def _lift(at: frozenset[int], around: frozenset[int], base: float) -> float:
    if at.isdisjoint(around):
        return 0.0
    together = len(at & around)
    share = (together - 0.5) / (len(at) + 0.5)
    return max(0.0, (share - base) / (1.0 - base)) if base < 1.0 else 0.0


@dataclass(frozen=True, slots=True)
class _Occurrences:
    at: dict[str, frozenset[int]]
    around: dict[str, frozenset[int]]


def _occurrences(context: ConversationQuestions) -> _Occurrences:
    """In which turns each word stands, and the turns around those."""
    found: _Occurrences | None = context.kept.get("occurrences")
    if found is None:
        at: dict[str, set[int]] = {}
        for index, words in enumerate(context.said):
            for word in words:
                at.setdefault(word, set()).add(index)
        asked = frozenset(chain.from_iterable(question.words for question in context.readings))
        around = {word: frozenset(i + step for i in at[word] for step in (-1, 0, 1)) for word in asked if word in at}
        found = context.kept["occurrences"] = _Occurrences({word: frozenset(places) for word, places in at.items()}, around)
    return found

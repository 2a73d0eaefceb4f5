"""Signs: what speaks for and against an injected turn perturbing a question, as numbers from 0 to 1 with the words behind them.

Each sign compares a parsed question with what a parsed turn states of the person whom the question is about: topic, sort of answer,
novelty beside the gold, agreement with it, standing (fact, plan, dream), change, correction, and time. `weights.json` weighs them.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import partial

from locomo_patch.revalidation.closeness import BROAD, MEMBER, alike, best, closeness, nearest
from locomo_patch.revalidation.event_signs import WEIGHED_ALONE, asks_for_words, asks_when, changes_if_meant, find_event_signs
from locomo_patch.revalidation.meaning_signs import find_meaning_signs, stands_out
from locomo_patch.revalidation.questions import ConversationQuestions, QuestionReading, Window
from locomo_patch.revalidation.turns import Bag, Standing, TurnReading
from locomo_patch.revalidation.value_signs import find_value_signs
from personas.questions import AnswerKind
from twistcore.text.calendars import Range
from twistcore.text.named import is_place

_GENERIC = frozenset({"name", "kind", "type", "sort", "activity", "thing", "way", "item", "plan", "place", "new", "time", "year"})


@dataclass(frozen=True)
class Signs:
    """Signs of one (question, turn) pair. `words` are the said words that answer to the asked ones, for the reason given; `bears`
    is False where a quick look has shown that the turn has nothing to do with the question."""

    values: Mapping[str, float]
    sort: str
    said: tuple[str, ...]
    novel: tuple[str, ...]
    agreed: tuple[str, ...]
    standing: Standing
    outside: bool
    bears: bool = True

    def __getitem__(self, name: str) -> float:
        return self.values.get(name, 0.0)


def sort_of(question: QuestionReading) -> str:
    """The one sort of answer that a question is weighed as."""
    found: str | None = question.kept.get("sort")
    if found is None:
        found = question.kept["sort"] = _sort(question)
    return found


def _sort(question: QuestionReading) -> str:
    kinds = question.kinds
    if question.how_long:
        return "how_long"
    if AnswerKind.COUNT in kinds:
        return "count"
    if AnswerKind.DATE in kinds and asks_when(question):
        return "date"
    if AnswerKind.YES_NO in kinds:
        return "yes_no"
    if question.explains or asks_for_words(question):
        return "explains"
    if AnswerKind.FAVOURITE in kinds:
        return "favourite"
    if AnswerKind.LIST in kinds:
        return "list"
    return "state" if question.state else "event"


# Signs of which at least one shows where a turn bears on a question for a value; below this none of them does.
_BEARING = ("v_new", "v_fit", "v_rel", "v_change", "v_ends", "v_corrects", "v_more", "v_prefers", "v_only_old", "fit")
_NO_BEARING = 0.1
# Below this a question does not stand out of those that a turn could mean.
_NOT_MEANT = 0.2


def find_quick_signs(question: QuestionReading, reading: TurnReading, context: ConversationQuestions, person: str) -> Signs | None:
    """The signs that a score needs where few are enough: of a question that one sign decides, or that the turn does not bear on.

    None where all signs are needed. Most pairs of a question and a turn end here.
    """
    sort = sort_of(question)
    facts = reading.facts(person)
    values = dict(_event_signs(question, reading, facts, context, person))
    if sort in WEIGHED_ALONE:
        bears = values.get("event_best", 0.0) >= _NO_BEARING or stands_out(question, reading, context, person) >= _NOT_MEANT
        if bears:
            values.update(find_meaning_signs(question, reading, context, person))
            values["if_meant"] = changes_if_meant(question, reading, facts, context, person)
    else:
        bears = False
        values.update(_value_signs(question, reading, facts, context, person))
        if any(values.get(name, 0.0) >= _NO_BEARING for name in _BEARING):
            return None
    outside = _is_outside(question, reading)
    values |= {"adversarial": float(question.adversarial), "outside": float(outside)}
    return Signs(values, sort, (), (), (), Standing.FACT, outside, bears)


def _once(
    name: str,
    find: Callable[[QuestionReading, TurnReading, Bag, ConversationQuestions, str], dict[str, float]],
    question: QuestionReading,
    reading: TurnReading,
    facts: Bag,
    context: ConversationQuestions,
    person: str,
) -> dict[str, float]:
    """Signs that a quick look has just found are not worked out again."""
    last: tuple[QuestionReading, ConversationQuestions, str, dict[str, float]] | None = reading.kept.get(name)
    if last is not None and last[0] is question and last[1] is context and last[2] == person:
        return last[3]
    found = find(question, reading, facts, context, person)
    reading.kept[name] = (question, context, person, found)
    return found


_value_signs = partial(_once, "value signs", find_value_signs)
_event_signs = partial(_once, "event signs", find_event_signs)


def find_signs(question: QuestionReading, reading: TurnReading, context: ConversationQuestions, person: str) -> Signs:
    """Signs for one question and what a turn says of one person."""
    facts = reading.facts(person)
    plans = reading.bag(person, Standing.PLAN)
    unreal = reading.bag(person, Standing.UNREAL, Standing.DENIED, Standing.REPORTED, Standing.ASKED)
    values: dict[str, float] = {}
    own = _own_words(reading, facts, person)
    content = _content(question, context)
    topic, said = _coverage(content, facts.words)
    values["topic"] = topic
    values["topic_plan"] = _coverage(content, plans.words)[0]
    values["topic_unreal"] = _coverage(content, unreal.words)[0]
    values["topic_outsider"] = _coverage(content, reading.bag(None, *Standing).words)[0]
    peak = max((best(word, facts.words)[0] * rare for word, rare, _ in content), default=0.0)
    values["peak"] = peak
    verb = max((best(word, own.acts)[0] for word in question.verbs), default=0.0)
    values["verb"] = verb
    asked_for = question.asked_for - _GENERIC
    values["sort_match"], novel, agreed = _answers(question, asked_for, own)
    values["sibling"], sibling_words = _siblings(question, own)
    values["title"], titles = _new_titles(question, facts)
    novel = tuple(dict.fromkeys((*novel, *titles)))
    values["novel"] = float(bool(novel))
    values["novel_sibling"] = float(bool(sibling_words))
    values["agreed_only"] = float(bool(agreed) and not novel)
    values["not_of_sort"] = float(bool(asked_for - BROAD) and values["sort_match"] < MEMBER)
    values["name_missing"] = float(bool(question.names) and not any(best(n, own.named)[0] >= 0.85 for n in sorted(question.names)))
    values["name_met"] = float(any(best(n, own.named)[0] >= 0.85 for n in sorted(question.names)))
    missing = [rare for word, rare, _ in content if word not in BROAD and best(word, facts.words)[0] < 0.5]
    values["missing"] = max(missing, default=0.0)
    values["topic_context"] = _coverage(content, own.around)[0] if facts.words else 0.0
    novel = tuple(dict.fromkeys((*novel, *sibling_words)))
    values["agrees"] = _agreement(question, facts)
    values["evidence"] = _evidence(question, own, context)
    values["name_new"] = float(question.name and bool(_new_names(question, facts)))
    values["whole"] = values["topic"] * max(values["sort_match"], 0.3)
    values["both_parts"] = min(values["topic"], max(values["sort_match"], values["sibling"]))
    for name, flag in (
        ("changes", reading.changes),
        ("corrects", reading.corrects),
        ("again", reading.again),
        ("looks_back", reading.looks_back),
        ("dreams", reading.dreams),
        ("dated", any(time.dated for time in reading.times)),
        ("number", bool(facts.numbers)),
        ("ceased", facts.ceased),
        ("present", facts.present),
        ("past", facts.past),
        ("adversarial", question.adversarial),
        ("past_question", question.past),
        ("plan_question", question.plan),
        ("no_facts", not facts.words),
        ("later", question.evidence_day is not None and reading.turn.day > question.evidence_day),
    ):
        values[name] = float(flag)
    values.update(_value_signs(question, reading, facts, context, person))
    values.update(_event_signs(question, reading, facts, context, person))
    values.update(find_meaning_signs(question, reading, context, person))
    values["if_meant"] = changes_if_meant(question, reading, facts, context, person)
    outside = _is_outside(question, reading)
    values["windowed"] = float(question.window is not None)
    values["outside"] = float(outside)
    standing = _standing(values)
    return Signs(values, sort_of(question), said, novel, agreed, standing, outside)


@dataclass(frozen=True, slots=True)
class _OwnWords:
    """Words that are stated of a person, put together as signs want them; `things` in order."""

    acts: frozenset[str]
    named: frozenset[str]
    around: frozenset[str]
    things: tuple[str, ...]
    words: tuple[str, ...]


def _own_words(reading: TurnReading, facts: Bag, person: str) -> _OwnWords:
    """Put together once a turn and person."""
    found: _OwnWords | None = reading.kept.get(("own words", person))
    if found is None:
        found = reading.kept["own words", person] = _OwnWords(
            facts.verbs | facts.nouns,
            facts.words | facts.names,
            facts.words | reading.context,
            tuple(sorted(facts.nouns | facts.names)),
            tuple(sorted(facts.words)),
        )
    return found


# Asked words in order, each with how telling it is, and that damped for the broadest.
_Content = tuple[tuple[str, float, float], ...]


def _content(question: QuestionReading, context: ConversationQuestions) -> _Content:
    """The content of a question, weighed once."""
    found: _Content | None = context.kept.get(("content", id(question)))
    if found is None:
        weighed = ((word, context.weight(word)) for word in sorted(question.words - _GENERIC))
        found = tuple((word, rare, rare * (0.4 if word in BROAD else 1.0)) for word, rare in weighed)
        context.kept["content", id(question)] = found
    return found


def _coverage(asked: _Content, words: frozenset[str]) -> tuple[float, tuple[str, ...]]:
    """Weighted share of the asked words that something said answers to."""
    if not asked or not words:
        return 0.0, ()
    total, got, said = 0.0, 0.0, []
    for word, _, weight in asked:
        near, by = best(word, words)
        total += weight
        got += weight * near
        if near >= 0.5:
            said.append(by)
    return (got / total if total else 0.0), tuple(dict.fromkeys(said))


def _answers(
    question: QuestionReading, asked_for: frozenset[str], own: _OwnWords
) -> tuple[float, tuple[str, ...], tuple[str, ...]]:
    """How well something said is of the asked sort, and which such words are new beside the gold, which are in it."""
    top = 0.0
    novel: list[str] = []
    agreed: list[str] = []
    for noun in own.things:
        near = max((closeness(word, noun) for word in asked_for), default=0.0)
        if near >= MEMBER and noun not in asked_for:
            (agreed if _in_gold(noun, question) else novel).append(noun)
        top = max(top, near)
    return top, tuple(novel), tuple(agreed)


def _in_gold(noun: str, question: QuestionReading) -> bool:
    return nearest(noun, _gold_words(question)) >= MEMBER


def _gold_words(question: QuestionReading) -> frozenset[str]:
    found: frozenset[str] | None = question.kept.get("gold words")
    if found is None:
        found = question.kept["gold words"] = frozenset[str]().union(*question.members)
    return found


def _siblings(question: QuestionReading, own: _OwnWords) -> tuple[float, tuple[str, ...]]:
    """How much something said is of one sort with a member of the gold without being one."""
    top, words = 0.0, []
    heads = [word for word in _gold_words(question) if len(word) > 2]
    for noun in own.things:
        if noun in question.words or _in_gold(noun, question):
            continue
        near = max((alike(noun, head) for head in heads), default=0.0)
        if near >= 0.7:
            words.append(noun)
        top = max(top, near)
    return top, tuple(words)


def _agreement(question: QuestionReading, facts: Bag) -> float:
    """Share of the gold that the turn says again."""
    if not question.gold:
        return 0.0
    return sum(1.0 for word in question.gold if best(word, facts.words)[0] >= 0.85) / len(question.gold)


# Sorts of things that have titles: a title that the gold lacks is a new answer.
_TITLED = frozenset(
    {
        "book",
        "game",
        "movie",
        "film",
        "song",
        "show",
        "series",
        "band",
        "artist",
        "restaurant",
        "team",
        "novel",
        "trilogy",
        "album",
        "store",
        "company",
        "videogame",
        "place",
        "spot",
        "city",
        "country",
        "park",
        "event",
    }
)


def _new_titles(question: QuestionReading, facts: Bag) -> tuple[float, tuple[str, ...]]:
    """Titles that are said and that neither the gold nor the question has, where the question asks for what has a title."""
    if not (question.asked_for | question.nouns) & _TITLED:
        return 0.0, ()
    known = question.gold | question.words | frozenset().union(*question.members)
    new = tuple(sorted(t for t in facts.titles if not any(word in known for word in t.split() if len(word) > 3)))
    return float(bool(new)), new


def _new_names(question: QuestionReading, facts: Bag) -> tuple[str, ...]:
    known = question.gold | question.words | frozenset().union(*question.members)
    return tuple(sorted(name for name in facts.names if name not in known and not is_place(name)))


def _evidence(question: QuestionReading, own: _OwnWords, context: ConversationQuestions) -> float:
    """Weighted share of what is said that the question's evidence says too: the same event or matter."""
    if not own.words or not question.evidence:
        return 0.0
    total = sum(context.weight(word) for word in own.words)
    return sum(context.weight(word) * best(word, question.evidence)[0] for word in own.words) / total


def _standing(values: Mapping[str, float]) -> Standing:
    top = max(values["topic"], values["topic_plan"], values["topic_unreal"])
    if values["topic"] >= top:
        return Standing.FACT
    return Standing.PLAN if values["topic_plan"] >= top else Standing.UNREAL


def _is_outside(question: QuestionReading, reading: TurnReading) -> bool:
    """Whether the turn speaks of days that a dated question does not ask about."""
    if question.window is None:
        return False
    kind, (first, last) = question.window
    start, end = reading.window()
    if kind is Window.UNTIL:
        return start > last
    if kind is Window.SINCE:
        return end < first
    return not _overlap((start, end), (first, last))


def _overlap(left: Range, right: Range) -> bool:
    return left[0] <= right[1] and right[0] <= left[1]

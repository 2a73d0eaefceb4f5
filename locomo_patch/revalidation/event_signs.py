"""Signs for questions about events and times: how many, how often, when, how long, yes or no, why, and traps of these.

Each sign joins two things that only mean something together: that the turn tells of the very event that is asked about
(`alignment`),
and that it states another time, number or polarity than the gold (`told`, `spans`).
"""

from __future__ import annotations

import re
from datetime import timedelta
from functools import lru_cache

from locomo_patch.revalidation.alignment import Alignment, align, rank
from locomo_patch.revalidation.closeness import MEMBER, best
from locomo_patch.revalidation.dates import clash_of, lies_ahead, misses, moves_from
from locomo_patch.revalidation.questions import ConversationQuestions, QuestionReading, Window
from locomo_patch.revalidation.scripts import script_match
from locomo_patch.revalidation.spans import Length, counts, frequencies, gold_day, gold_range, lengths
from locomo_patch.revalidation.told import Told, told_of
from locomo_patch.revalidation.turns import Bag, Standing, TurnReading
from personas.questions import AnswerKind
from twistcore.text.named import named

# Signs of this module that count differently for each sort of answer and for traps.
CROSSED: tuple[str, ...] = ("fit", "fit_rank")

# Sorts of answer that are weighed by `event_best` alone, and how much it counts beside a constant (regularisation would flatten
# it).
WEIGHED_ALONE = frozenset({"date", "how_long", "count", "yes_no", "explains"})
EMPHASIS = 3.0

_NEWCOMER = 0.8
# A gold of no more days than these is missed by a day of the month alone ("the tenth").
_NARROW_DAYS = 24
_ONCE = re.compile(
    r"\b(?:first|second|third|join(?:ed)?|sign(?:ed)? up|start(?:ed|ing)?|beg[au]n|resum\w+|born|birthday|wedding|marr\w+"
    r"|pass(?:ed)? away|die[ds]?|lost"
    r"|lose|graduat\w+"
    r"|initially|originally|last)\b",
    re.IGNORECASE,
)
_WHEN = re.compile(
    r"^\W*(?:since |in |on |by |at )?(?:when\b|(?:what|which) (?:\w+ ){0,1}?(?:year|month|date|day|week|weekend|season|time)\b)"
    r"|\bhow long ago\b|\b(?:what|which) (?:year|month|date|day|season)\b",
    re.IGNORECASE,
)
_SPEECH = re.compile(
    r"\b(?:say|said|tell|told|describe[sd]?|advice|advise[sd]?|suggest\w*|recommend\w*|according to|think of|opinion)\b",
    re.IGNORECASE,
)
_ADVISES = re.compile(
    r"\b(?:recommend\w*|suggest\w*|advise[sd]?|you (?:should|could|need to|have to|must|might (?:like|want|love)|'d (?:love"
    r"|like))|you'd (?:love|like)"
    r"|try (?:it|this|that|the|a|out)|give it a (?:go|try|shot)|check (?:it )?out|pick (?:it )?up|worth (?:a|your|the|it)"
    r"|my advice|trust me"
    r"|get yourself|don't skip|start with|go for|tell (?:you|her|him)|told (?:you|her|him))\b"
)
_WHY = re.compile(r"^\W*(?:why|for what reason|what (?:inspired|motivated|made|prompted|caused|led))\b|\breasons?\b", re.IGNORECASE)
_FEELS = re.compile(r"\bhow (?:did|does|do|was|is) .{1,40}\b(?:feel|felt|react|describe)", re.IGNORECASE)
_DOING = re.compile(r"\bhow (?:is|are|'s) .*\b(?:doing|going|coming along|progressing)\b", re.IGNORECASE)
BETWEEN = re.compile(r"\bbetween\b|\blapsed?\b|\bpass(?:ed)?\b")
OFTEN = re.compile(r"\bhow (?:often|frequently)\b", re.IGNORECASE)
_WOULD = re.compile(r"^\W*(?:would|could|might|will)\b", re.IGNORECASE)
_NO = re.compile(r"^\W*(?:likely |probably )?no\b", re.IGNORECASE)
_YES = re.compile(r"^\W*(?:likely |probably )?yes\b", re.IGNORECASE)
_LOSES = re.compile(
    r"\b(?:gave .{0,20}(?:away|back|up)|drove (?:him|her|it|them) home|went back to|died|passed|gone|lost|sold|returned|rehomed"
    r"|ran away"
    r"|put (?:him|her) down|left us|moved out|donated|got rid)\b"
)
_HAD = re.compile(
    r"\bhow many (?:\w+ ){1,3}?(?:do|does|did|will|has|have|is|are)\b.*\b(?:have|own|owned|had|keep|adopted)\b", re.IGNORECASE
)


def find_event_signs(
    question: QuestionReading, reading: TurnReading, facts: Bag, context: ConversationQuestions, person: str
) -> dict[str, float]:
    """Further signs, each from 0 to 1, by name."""
    family = family_of(question, context)
    found = align(question, reading, context, person)
    values = {"fit": found.whole, "near": min(1.0, found.near * 2.5)}
    if family == "":
        return values
    near_best = rank(question, reading, context, person, family, _rivals(context, person, family))
    fits = found.whole * (0.4 + 0.6 * near_best) * (1.0 - 0.4 * found.missed)
    values["fit_rank"] = fits
    values["fit_best"] = max(0.0, near_best - 0.5) * 2
    values |= _of_family(family, question, reading, facts, context, person, fits)
    values["event_best"] = _best(values)
    return values


def changes_if_meant(
    question: QuestionReading, reading: TurnReading, facts: Bag, context: ConversationQuestions, person: str
) -> float:
    """From 0 to 1: how strongly a turn would perturb a question if it tells of that very event, whatever its words."""
    family = family_of(question, context)
    return _best(_of_family(family, question, reading, facts, context, person, 1.0))


def _best(values: dict[str, float]) -> float:
    return max((value for name, value in values.items() if name.endswith("_best") and name != "fit_best"), default=0.0)


def _of_family(
    family: str,
    question: QuestionReading,
    reading: TurnReading,
    facts: Bag,
    context: ConversationQuestions,
    person: str,
    fits: float,
) -> dict[str, float]:
    """What a turn that tells of the event, as far as `fits` says, does to the answer."""
    told = told_of(reading)
    found = align(question, reading, context, person)
    if family == "time":
        return (
            _length_signs(question, reading, told, fits) if question.how_long else _date_signs(question, reading, told, found, fits)
        )
    if family == "often":
        return _often_signs(question, told, found, fits)
    if family == "count":
        return _count_signs(question, reading, told, found, facts, fits, context)
    if family == "yes_no":
        return _yes_no_signs(question, reading, facts, found, fits, person)
    if family == "explains":
        return _reason_signs(question, reading, told, found, facts, fits)
    return _quote_signs(question, reading, fits) if family == "quotes" else {}


def family_of(question: QuestionReading, context: ConversationQuestions) -> str:
    """Which questions compete for one and the same statement; empty for those that this module has nothing to say on."""
    key = ("family", id(question))
    found: str | None = context.kept.get(key)
    if found is None:
        found = context.kept[key] = _family(question)
    return found


def _rivals(context: ConversationQuestions, person: str, family: str) -> tuple[QuestionReading, ...]:
    """The questions of a family that concern a person."""
    key = ("rivals", person, family)
    found: tuple[QuestionReading, ...] | None = context.kept.get(key)
    if found is None:
        found = context.kept[key] = tuple(
            other
            for other in context.readings
            if family_of(other, context) == family and (not other.about or person in other.about)
        )
    return found


def _family(question: QuestionReading) -> str:
    """Which questions compete for one and the same statement."""
    if question.how_long:
        return "time"
    kinds = question.kinds
    if AnswerKind.COUNT in kinds:
        return "often" if _found(OFTEN, question) else "count"
    if AnswerKind.DATE in kinds and asks_when(question):
        return "time"
    if AnswerKind.YES_NO in kinds:
        return "yes_no"
    if question.explains:
        return "explains"
    return "quotes" if asks_for_words(question) else ""


def asks_when(question: QuestionReading) -> bool:
    """Whether a question asks for a time, and not only says when ("what did he play when he was younger")."""
    return _found(_WHEN, question)


@lru_cache(maxsize=65536)
def _finds(pattern: re.Pattern[str], text: str) -> bool:
    return pattern.search(text) is not None


def _found(pattern: re.Pattern[str], question: QuestionReading) -> bool:
    """Whether a pattern is found in a question; kept, since every turn asks again."""
    return _finds(pattern, question.question.question)


def asks_for_words(question: QuestionReading) -> bool:
    """Whether a question asks what somebody said, advised or described, which only words to that effect can add to."""
    return _found(_SPEECH, question)


def _gold(question: QuestionReading) -> str:
    given = question.question.answer if question.question.category.answerable else question.question.adversarial_answer
    return str(given) if given is not None else ""


def _date_signs(question: QuestionReading, reading: TurnReading, told: Told, found: Alignment, fits: float) -> dict[str, float]:
    """A date is perturbed by another date for the same event, by the event done once more, or by a plan that moves."""
    gold = gold_range(_gold(question))
    once = _found(_ONCE, question)
    clash = clash_of(told.past, gold, _gold(question))
    exact = gold_day(_gold(question))
    if exact is not None and told.days:
        clash = float(exact not in told.days)
    elif gold is not None and told.days and not told.past and (gold[1] - gold[0]).days <= _NARROW_DAYS:
        span = {(gold[0] + timedelta(days=step)).day for step in range((gold[1] - gold[0]).days + 1)}
        clash = float(span.isdisjoint(told.days))
    admitted = told.revises if told.past or told.days else told.admits * 0.6 * bool(told.recent)
    revised = fits * admitted * clash
    done = (1.0 - found.planned) * (0.3 if told.coming and not told.recent else 1.0)
    later = 1.0
    if gold is not None:
        later = float(misses(told.recent or (((reading.turn.day - timedelta(days=1)), reading.turn.day),), gold))
    fresh = float(bool(told.recent)) * 0.6 + 0.4
    pinned = 0.25 if once or question.window is not None else 1.0
    ahead = lies_ahead(question, gold)
    again = (
        fits
        * later
        * done
        * fresh
        * pinned
        * (0.3 if ahead else 1.0)
        * (1.0 - 0.7 * min(1.0, told.revises + 0.3 * bool(told.past)))
    )
    days = (*told.coming, *told.past) if told.moves or not told.coming else told.coming
    moved = fits * ahead * max(told.moves, 0.7 * bool(days)) * (moves_from(days, gold, _gold(question)) or 0.5 * told.moves)
    return {
        "date_revised": revised,
        "date_again": again,
        "date_anew": again * told.anew,
        "date_moved": moved,
        "date_best": max(revised, 0.8 * again * (0.7 + 0.3 * told.anew), moved),
        "date_unlike": found.missed * (1.0 - fits),
    }


def _length_signs(question: QuestionReading, reading: TurnReading, told: Told, fits: float) -> dict[str, float]:
    """A length is perturbed by another length or begin for the same thing."""
    answer = _gold(question)
    golds = [length for length in lengths(answer) if not length.denied]
    since = gold_range(answer) if not golds else None
    if since is not None:
        days = (reading.turn.day - since[0]).days
        golds = [Length(float(days), days / 365.25, "year", denied=False)]
    other, agrees = _other_length(golds, told, reading)
    denies = float(any(abs(number - length.number) < 0.01 for number in told.denied for length in golds))
    moved = fits * told.moves * float(bool(told.coming or told.recent or told.past)) * (1.0 - agrees)
    between = float(_found(BETWEEN, question))
    changed = max(other, denies)
    revised = fits * changed * (0.4 + 0.6 * told.revises) * (1.0 if denies else 1.0 - 0.5 * agrees)
    apart = between * fits * float(bool(told.past)) * told.revises
    return {
        "long_best": max(revised, 0.7 * moved, apart, 0.6 * denies * (0.4 + 0.6 * fits)),
        "long_changed": fits * changed,
        "long_denied": denies * (0.4 + 0.6 * fits),
        "long_revised": revised,
        "long_moved": moved,
        "long_agrees": agrees * (1.0 - denies),
        "long_none": float(not changed and not told.past and not told.lengths),
        "long_between": apart,
    }


def _other_length(golds: list[Length], told: Told, reading: TurnReading) -> tuple[float, float]:
    """Whether a length on the gold's scale is said that differs from it, and whether one agrees."""
    said = [length.days for length in told.lengths if not length.denied]
    said += [float((reading.turn.day - first).days) for first, _ in told.past]
    said += [number * 365.25 for number in told.ages]
    if not said:
        return 0.0, 0.0
    if not golds:
        return 0.5, 0.0
    differs = agrees = 0.0
    for gold in golds:
        for days in said:
            ratio = days / gold.days if gold.days else 0.0
            if 0.78 <= ratio <= 1.28:
                agrees = 1.0
            elif 1 / 13 <= ratio <= 13:
                differs = 1.0
    return differs, agrees


def _often_signs(question: QuestionReading, told: Told, found: Alignment, fits: float) -> dict[str, float]:
    """How often is perturbed by another frequency for the same activity."""
    gold = frequencies(_gold(question))
    has = float(bool(told.often))
    same = float(any(said in gold for said in told.often))
    return {
        "often_best": fits * has * (1.0 - same) * (1.0 - 0.6 * found.missed),
        "often_said": fits * has * (1.0 - same),
        "often_fit": has * (1.0 - found.missed),
        "often_missed": found.missed,
        "often_none": 1.0 - has,
    }


def _count_signs(
    question: QuestionReading,
    reading: TurnReading,
    told: Told,
    found: Alignment,
    facts: Bag,
    fits: float,
    context: ConversationQuestions,
) -> dict[str, float]:
    """A count is perturbed by one more instance of the counted class, or by one less.

    What is had is counted by what arrives and leaves; what is done, by its being done once more. A plan or a wish is neither, and a
    number that is said again agrees.
    """
    gold = next(iter(counts(_gold(question))), None)
    following = float(gold is not None and (gold + 1 in told.ordinals or gold + 1 in told.tally))
    asked = sorted(question.asked_for - {"time", "number"})
    lowered = reading.turn.text.lower().replace("\u2019", "'")
    own = facts.nouns | facts.names
    classed = max((max(best(word, own)[0], script_match(word, own, lowered)) for word in asked), default=0.0)
    had = _found(_HAD, question)
    done = (1.0 - found.planned) * (0.35 if told.unsure and not told.recent else 1.0) * (0.5 if reading.dreams else 1.0)
    inside = _inside(question, reading, told)
    loses = float(_LOSES.search(lowered) is not None)
    values = {"count_missed": found.missed, "count_planned": max(found.planned, told.unsure) * fits}
    if had:
        kind = max(max(0.0, classed - 0.4) / 0.6, found.words if found.words >= 0.8 else 0.0)
        came = done * inside * (0.3 if facts.over or (reading.looks_back and not told.recent) else 1.0)
        comes = max(told.arrives, following, _NEWCOMER * bool(classed >= MEMBER and _newcomer(facts, context)))
        same = float(gold is not None and gold in told.numbers and not told.arrives and not following)
        values |= {
            "had_more": came * comes * max(kind, 0.5 * found.habit, 0.6 * following),
            "had_next": following * came * (0.4 + 0.6 * kind),
            "had_less": loses * inside * max(kind, found.habit),
            "had_same": same,
            "had_still": max(kind, found.whole) * (1.0 - comes) * (1.0 - loses),
        }
        values["count_best"] = max(values["had_more"], values["had_next"], values["had_less"])
        return values
    fresh = 1.0 if told.recent or told.anew or facts.past else 0.6
    values |= {
        "count_next": following * (0.1 + 0.9 * fits) * inside,
        "count_more": fits * max(told.anew, following) * done * inside,
        "count_one": fits * done * fresh * inside,
        "count_kind": min(1.0, classed + 0.3 * found.habit) * fits * done * inside,
    }
    values["count_best"] = max(values["count_next"], values["count_one"])
    return values


def _newcomer(facts: Bag, context: ConversationQuestions) -> bool:
    """Whether somebody is named of whom the conversation never spoke."""
    return any(name not in context.rare and not named(name).kinds for name in facts.names)


def _inside(question: QuestionReading, reading: TurnReading, told: Told) -> float:
    """Whether what the turn tells lies in the question's window."""
    if question.window is None:
        return 1.0
    kind, span = question.window
    days = told.recent or told.past or ((reading.turn.day, reading.turn.day),)
    if kind is Window.UNTIL:
        return float(any(first <= span[1] for first, _ in days))
    if kind is Window.SINCE:
        return float(any(last >= span[0] for _, last in days))
    return float(not misses(days, span))


def _reason_signs(
    question: QuestionReading, reading: TurnReading, told: Told, found: Alignment, facts: Bag, fits: float
) -> dict[str, float]:
    """Why and how are perturbed by another reason or way for the same act, or by how it stands now; what moved somebody once
    stays."""
    whole = fits * (1.0 - 0.5 * found.missed) if question.adversarial else fits
    done = (1.0 - found.planned) * (0.5 if told.unsure and not told.recent else 1.0)
    if _found(_DOING, question):
        reached = whole * (1.0 if reading.changes or facts.ceased else 0.6)
    elif _found(_WHY, question):
        reached = whole * (0.3 + 0.7 * told.reason) * (0.9 if question.adversarial else 0.2 if question.past else 0.5)
    elif _found(_FEELS, question):
        reached = whole * (0.6 if question.adversarial else 0.35)
    elif question.adversarial or not question.past:
        reached = 0.9 * whole * done
    elif len(question.members) > 1:
        reached = 0.5 * whole * done
    else:
        reached = 0.3 * whole * done
    return {"reason": fits * told.reason, "why_best": reached}


def _quote_signs(question: QuestionReading, reading: TurnReading, fits: float) -> dict[str, float]:
    """What was advised or said is added to only by advice or words to the partner."""
    advises = _ADVISES.search(reading.turn.text.lower().replace("\u2019", "'")) is not None
    return {"quote_best": fits * (0.9 if advises else 0.25)}


def _yes_no_signs(
    question: QuestionReading, reading: TurnReading, facts: Bag, found: Alignment, fits: float, person: str
) -> dict[str, float]:
    """Yes or no is perturbed by a fact of the other polarity."""
    answer = _gold(question)
    would = _found(_WOULD, question)
    denied = reading.bag(person, Standing.DENIED)
    against = max((best(word, denied.words)[0] for word in sorted(question.words)), default=0.0)
    affirms = fits * (1.0 - found.planned * 0.5)
    no, yes = _NO.search(answer) is not None, _YES.search(answer) is not None
    flips = affirms * no if not would else 0.5 * affirms * no
    if yes:
        flips = max(flips, fits * float(facts.ceased or against > 0.8) * 0.6)
    if not yes and not no:
        flips = 0.5 * fits * float(reading.changes)
    return {"yes_best": flips, "yes_flip": flips, "yes_agrees": affirms * yes, "yes_would": float(would)}

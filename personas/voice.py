"""A speaker's voice: how they greet, how long they talk, which marks and words they are given to, what they call the other one."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from personas.greetings import find_farewells, find_follow_ups, find_opener
from personas.phrases import PetPhrase, PhraseBook, find_pet_phrases
from personas.style import TextStyle, measure_text
from personas.vocatives import find_terms, short_forms
from twistcore.corpus import Turn

if TYPE_CHECKING:
    from spacy.tokens import Doc

_INTERJECTIONS = {
    "haha": r"(?:ha){2,}h?|hehe+|ha",
    "lol": r"lol|lmao|rofl",
    "wow": r"wo+w+",
    "whoa": r"who+a+|woa+h+",
    "yeah": r"ye+a+h+|ya+h|yea",
    "yep": r"ye+p+|yup",
    "yes": r"ye+s+",
    "yay": r"ya+y+",
    "woohoo": r"wo+ ?-?ho+|woo+",
    "oh": r"o+h+",
    "ooh": r"oo+h+",
    "aww": r"a+w+",
    "hmm": r"h+m+",
    "ugh": r"u+gh+",
    "oof": r"oo+f|yikes|ouch",
    "omg": r"omg|oh my go(?:d|sh)|gosh",
    "nah": r"nah|nope",
    "okay": r"ok|okay|alright|all right",
    "sure": r"sure(?: thing)?|of course|definitely|absolutely|totally|for sure",
    "thanks": r"thanks|thank you|thx|cheers",
    "congrats": r"congrats|congratulations",
    "cool": r"cool",
    "awesome": r"awesome",
    "sweet": r"sweet",
    "great": r"great",
    "nice": r"nice",
    "well": r"well",
    "man": r"man|dude",
}
# An interjection opens a sentence and is set off from it, or is the whole of it; "well" and "great" are words elsewhere.
_INTERJECTION_RULES = {label: re.compile(pattern, re.IGNORECASE) for label, pattern in _INTERJECTIONS.items()}
_INTERJECTION = re.compile(
    rf"(?:(?<=[.!?…,–—-])\s*|(?<=[.!?,-]\s)|(?<=\boh\s)|^)(?P<word>{'|'.join(_INTERJECTIONS.values())})"
    r"(?![\w'’])(?=\s*(?:$|[^\w\s'])| \w+[,!.])",
    re.IGNORECASE,
)
_INITIALS = frozenset({"ok", "btw", "gf", "bf", "lol", "omg", "asap", "tv", "diy", "ttyl", "fyi", "pc", "imo", "idk"})
_LOWER_I = re.compile(r"(?<![\w.'])i(?=$|[\s'’])(?!\.)")


@dataclass(frozen=True, slots=True)
class Habit:
    """A form with how often it was used and its share of the occasions (sessions, turns or addresses)."""

    form: str
    count: int
    rate: float


@dataclass(frozen=True, slots=True)
class Spread:
    """Distribution of a length: mean, sample deviation, quantiles and maximum. All zero for no values."""

    mean: float
    sd: float
    q05: float
    q50: float
    q95: float
    q995: float
    largest: float

    @classmethod
    def of(cls, values: Sequence[int]) -> Spread:
        """The spread of the values, rounded so that it prints alike everywhere."""
        if not values:
            return cls(0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0)
        array = np.asarray(values, dtype=float)
        sd = float(array.std(ddof=1)) if len(values) > 1 else 0.0
        quantiles = [float(value) for value in np.quantile(array, (0.05, 0.5, 0.95, 0.995))]
        rounded = [round(value, 4) for value in (float(array.mean()), sd, *quantiles, float(array.max()))]
        return cls(*rounded)


@dataclass(frozen=True, slots=True)
class Voice:
    """How one speaker talks. Rates named per turn or per sentence are means of counts; shares lie between 0 and 1."""

    turns: int
    words: int
    words_per_turn: Spread
    words_per_sentence: Spread
    sentences_per_turn: Spread
    openers: tuple[Habit, ...]
    follow_ups: tuple[Habit, ...]
    closers: tuple[Habit, ...]
    contraction_rate: float
    contractible: int
    exclamation_rate: float
    question_rate: float
    emoji_rate: float
    emoticon_rate: float
    ellipsis_rate: float
    dash_rate: float
    stretched_rate: float
    shouted_rate: float
    shouted: tuple[Habit, ...]
    lower_start_rate: float
    lower_i_rate: float
    interjections: tuple[Habit, ...]
    vocative_rate: float
    names: tuple[Habit, ...]
    terms: tuple[Habit, ...]
    pet_phrases: tuple[PetPhrase, ...]

    @property
    def opening_rate(self) -> float:
        """Share of sessions that the speaker enters with a greeting."""
        return round(sum(habit.rate for habit in self.openers), 4)

    def calls_by(self) -> str | None:
        """The form of the partner's name that the speaker uses most, or None when they never use one."""
        return self.names[0].form if self.names else None


def measure_voice(turns: Sequence[Turn], docs: Mapping[str, Doc], partner_name: str, book: PhraseBook | None = None) -> Voice:
    """The voice of one speaker.

    `turns` are that speaker's own, of one conversation and in reading order; `docs` their parses by dia_id; `book` the
    phrases of everybody, the speaker among them (without it there are no pet phrases). Raises KeyError for a turn
    without a parse.
    """
    texts = [turn.text for turn in turns]
    styles = [measure_text(turn.text, docs[turn.dia_id]) for turn in turns]
    sentences = sum(len(style.sentence_words) for style in styles)
    names = short_forms(texts, partner_name)
    shouted = _shouted(styles, texts)
    contractible = sum(style.contractible for style in styles)
    return Voice(
        turns=len(turns),
        words=sum(style.words for style in styles),
        words_per_turn=Spread.of([style.words for style in styles]),
        words_per_sentence=Spread.of([length for style in styles for length in style.sentence_words]),
        sentences_per_turn=Spread.of([len(style.sentence_words) for style in styles]),
        **_session_edges(turns, partner_name),
        contraction_rate=_share(sum(style.contracted for style in styles), contractible),
        contractible=contractible,
        exclamation_rate=_share(sum(style.exclaimed for style in styles), sentences),
        question_rate=_share(sum(style.asked for style in styles), sentences),
        emoji_rate=_share(sum(style.emoji > 0 for style in styles), len(turns)),
        emoticon_rate=_share(sum(style.emoticons > 0 for style in styles), len(turns)),
        ellipsis_rate=_share(sum(style.ellipses > 0 for style in styles), len(turns)),
        dash_rate=_share(sum(style.dashes > 0 for style in styles), len(turns)),
        stretched_rate=_share(sum(style.stretched > 0 for style in styles), len(turns)),
        shouted_rate=_share(sum(shouted.values()), len(turns)),
        shouted=_habits(shouted, len(turns)),
        lower_start_rate=_share(sum(style.lower_starts for style in styles), sentences),
        lower_i_rate=_share(sum(1 for text in texts if _LOWER_I.search(text)), len(turns)),
        interjections=_habits(_interjections(texts), len(turns)),
        vocative_rate=_share(sum(1 for text in texts if short_forms([text], partner_name)), len(turns)),
        names=_habits(names, names.total()),
        terms=_habits(Counter(term for text in texts for term in find_terms(text)), len(turns)),
        pet_phrases=_pet_phrases(turns, docs, partner_name, names, book),
    )


def _session_edges(turns: Sequence[Turn], partner: str) -> dict[str, tuple[Habit, ...]]:
    """Habits of a speaker's first and last turn in each session; alternation puts these among its first and last two."""
    first: dict[int, Turn] = {}
    last: dict[int, Turn] = {}
    for turn in turns:
        first.setdefault(turn.session, turn)
        last[turn.session] = turn
    openers = Counter(opener for turn in first.values() if (opener := find_opener(turn.text, partner)))
    follow_ups = Counter(label for turn in first.values() for label in find_follow_ups(turn.text))
    closers = Counter(form for turn in last.values() for form in find_farewells(turn.text))
    sessions = len(first)
    return {
        "openers": _habits(openers, sessions),
        "follow_ups": _habits(follow_ups, sessions),
        "closers": _habits(closers, sessions),
    }


def _interjections(texts: Iterable[str]) -> Counter[str]:
    found: Counter[str] = Counter()
    for text in texts:
        stripped = text.strip()
        for match in _INTERJECTION.finditer(stripped):
            found[next(label for label, rule in _INTERJECTION_RULES.items() if rule.fullmatch(match["word"]))] += 1
    return found


def _shouted(styles: Iterable[TextStyle], texts: Sequence[str]) -> Counter[str]:
    """Words in capitals that the same speaker also writes in lower case: "SO", not "LGBTQ" or "OK"."""
    plain = {word for text in texts for word in re.findall(r"\b[a-z]{2,}\b", text)}
    return Counter(word for style in styles for word in style.capitals if word.lower() in plain - _INITIALS)


def _pet_phrases(
    turns: Sequence[Turn], docs: Mapping[str, Doc], partner: str, called: Iterable[str], book: PhraseBook | None
) -> tuple[PetPhrase, ...]:
    if book is None or not turns:
        return ()
    rows = (tuple(row) for turn in turns for row in docs[turn.dia_id].to_array(["LOWER", "POS"]).tolist())
    strings = docs[turns[0].dia_id].vocab.strings
    uses = [(-count, strings[word], strings[kind]) for (word, kind), count in Counter(rows).items()]
    kinds: dict[str, str] = {}
    for _, word, kind in sorted(uses):
        kinds.setdefault(word, kind)
    sample_id, speaker = turns[0].sample_id, turns[0].speaker
    names = frozenset(name.lower() for name in (speaker, partner, *called))
    return find_pet_phrases((sample_id, speaker), (sample_id, partner), kinds, names, book)


def _habits(counts: Counter[str], occasions: int) -> tuple[Habit, ...]:
    ordered = sorted(counts.items(), key=lambda item: (-item[1], item[0]))
    return tuple(Habit(form, count, _share(count, occasions)) for form, count in ordered)


def _share(part: int, whole: int) -> float:
    return round(part / whole, 4) if whole else 0.0


def most_used(habits: Collection[Habit], number: int = 3) -> list[str]:
    """The forms used most, for display."""
    return [habit.form for habit in list(habits)[:number]]

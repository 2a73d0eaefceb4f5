"""Signs for questions that ask for a value: a list, a favourite, a present state, what somebody did, and traps.

Each mention of a turn is held against what is asked for: whether it is of the class, in the relation, the right person's, put
forward as fact, and new beside the gold. The counter-signs say which of these fails.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

from locomo_patch.revalidation.answers import (
    answer_class,
    is_person,
    kin_of,
    titled_classes,
)
from locomo_patch.revalidation.asking import Asking, right_pursuit
from locomo_patch.revalidation.closeness import BROAD, MEMBER, closeness, nearest
from locomo_patch.revalidation.event_signs import asks_when
from locomo_patch.revalidation.fits import fit, told
from locomo_patch.revalidation.questions import ConversationQuestions, QuestionReading
from locomo_patch.revalidation.said import ME, NAMED, THING, YOU, ClaimedTurn, Mention, Said, Sentence, Standing
from locomo_patch.revalidation.turns import Bag, TurnReading
from personas.questions import AnswerKind
from twistcore.text.classes import is_a, same_word, synonyms
from twistcore.text.named import named

# Signs of this module that count differently for each sort of answer and for traps.
CROSSED: tuple[str, ...] = (
    "v_new",
    "v_fit",
    "v_whole",
    "v_only_old",
    "v_other",
    "v_unreal",
    "v_rel",
    "v_qual",
    "v_prefers",
    "v_change",
    "v_ends",
    "v_more",
    "v_topic",
    "v_topic_new",
)
_NOTHING: dict[str, float] = {}
WEAKEST = 0.15
# Classes whose members are known well enough that the relation alone, with nothing of the class, tells little; what is left of it.
_KNOWN = frozenset(
    {"place", "city", "country", "state", "game", "book", "movie", "show", "song", "name", "pet", "color", "instrument", "vehicle"}
    | {"language", "genre", "music", "dance", "jewelry", "drink", "food", "allergen", "performer", "author"}
)
_OF_KNOWN = 0.2
# What is left of a new answer where one certain event of the past is asked about: a later one is another event.
_OF_ONCE = 0.5
_MEDIA = {
    "book": frozenset({"read", "page", "chapter", "paperback", "author"}),
    "movie": frozenset({"watch", "cinema", "screen", "theater"}),
    "show": frozenset({"watch", "episode", "season"}),
    "game": frozenset({"controller", "console", "boss", "level", "play"}),
    "song": frozenset({"listen", "sing", "lyric"}),
    "performer": frozenset({"listen", "concert", "album", "festival", "music", "record"}),
    "organization": frozenset({"shelter", "donate", "fund"}),
}


@dataclass(slots=True)
class _Found:
    """The strongest answer of each fate: new, new but for the relation, already in the gold, somebody else's, no fact."""

    new: float = 0.0
    loose: float = 0.0
    old: float = 0.0
    other: float = 0.0
    unreal: float = 0.0

    def take(self, fits: float, related: float, own: float, real: float) -> None:
        """A new answer."""
        strength = fits * (0.5 + 0.5 * related)
        self.new = max(self.new, strength * own * real)
        self.loose = max(self.loose, fits * own * real)
        self.other = max(self.other, strength * (1.0 - own))
        self.unreal = max(self.unreal, strength * own * (1.0 - real))

    def know(self, fits: float, related: float, own: float, real: float) -> None:
        """An answer that the gold has."""
        self.old = max(self.old, fits * (0.5 + 0.5 * related) * own * real)

    def damp(self, by: float) -> None:
        """New answers count for less."""
        self.new, self.loose = self.new * by, self.loose * by


def find_value_signs(
    question: QuestionReading, reading: TurnReading, facts: Bag, context: ConversationQuestions, person: str
) -> dict[str, float]:
    """Further signs, each from 0 to 1, by name; none for a question that asks when or how many."""
    if not isinstance(reading, ClaimedTurn) or question.how_long or AnswerKind.COUNT in question.kinds or asks_when(question):
        return _NOTHING
    said, asking = reading.said, question.asking
    who = ME if person == reading.turn.speaker else YOU
    found = _Found()
    _weigh_mentions(found, question, said, who)
    if asking.pursuit:
        _weigh_pursuits(found, question, said, who)
    own = [
        sentence
        for sentence in said.sentences
        if sentence.actors & {who, asking.holder, NAMED} and (sentence.prefers or _real(question, sentence.standing) > 0.5)
    ]
    if asking.closed:
        found.damp(0.2)
    if asking.once and question.past and not question.adversarial and not any(sentence.corrects for sentence in own):
        found.damp(_OF_ONCE)
    if AnswerKind.FAVOURITE in question.kinds and not any(sentence.prefers for sentence in own):
        found.damp(0.3)
    only_old = max(0.0, found.old - found.new)
    matching = 1.0 - 0.8 * _rival(asking, said)
    rel = max((told(asking, sentence) for sentence in own), default=0.0) * (1.0 - only_old) * matching
    if asking.classes & _KNOWN and not asking.classes - _KNOWN:
        rel *= _OF_KNOWN + (1.0 - _OF_KNOWN) * min(1.0, 2.0 * max(found.loose, found.new))
    marked = (sentence for sentence in own if sentence.changes or sentence.prefers or sentence.corrects or sentence.more)
    touched = [(sentence, _touch(question, sentence)) for sentence in marked]
    changes = max((touch for sentence, touch in touched if sentence.changes), default=0.0)
    qual = _qualified(question, said, context)
    topic = _covered(question, own, context, reading, who)
    values = {
        "v_new": found.new,
        "v_fit": max(found.loose, found.new),
        "v_whole": found.new * qual,
        "v_only_old": only_old,
        "v_other": max(0.0, found.other - found.new),
        "v_unreal": max(0.0, found.unreal - found.new),
        "v_rel": rel,
        "v_qual": qual * max(found.new, rel),
        "v_prefers": max((touch for sentence, touch in touched if sentence.prefers), default=0.0) * max(found.new, 0.3) * matching,
        "v_change": changes,
        "v_ends": max((touch for sentence, touch in touched if sentence.changes and _golden(asking, sentence)), default=0.0),
        "v_corrects": max((touch for sentence, touch in touched if sentence.corrects), default=0.0),
        "v_more": max((touch for sentence, touch in touched if sentence.more), default=0.0) * (1.0 - only_old),
        "v_once": float(asking.once) * max(found.new, rel),
        "v_rival": (1.0 - matching) / 0.8,
        "v_topic": topic,
        "v_topic_new": topic * max(found.new, 0.5 * changes),
    }
    return {name: round(value, 4) for name, value in values.items() if value > 0.0}


def _weigh_mentions(found: _Found, question: QuestionReading, said: Said, who: str) -> None:
    asking = question.asking
    for mention in said.mentions:
        fits = fit(asking, mention, said)
        if fits < WEAKEST:
            continue
        new = _novelty(asking, question, mention)
        if new is None:
            continue
        sentence = said.sentences[mention.sentence]
        own = _own(asking, mention.actor, mention.held, who)
        if mention.role in ("nsubj", "nsubjpass", "attr") and who == ME and _themselves(asking, mention):
            own = 1.0
        if asking.holder and own < 0.8 and asking.holder in sentence.actors:
            own = 0.8
        real, related = _real(question, mention.standing), _related(asking, mention.sentence, said)
        if new:
            found.take(fits, related, own, real)
        elif asking.counted and (sentence.more or told(asking, sentence)):
            found.take(0.9 * fits, related, own, real)
        else:
            found.know(fits, related, own, real)


def _weigh_pursuits(found: _Found, question: QuestionReading, said: Said, who: str) -> None:
    asking = question.asking
    for number, sentence in enumerate(said.sentences):
        for name, weight in sentence.pursuits.items():
            if not right_pursuit(asking, name):
                continue
            related = _related(asking, number, said)
            own = 1.0 if not asking.holder and who in sentence.actors else _own(asking, _one(sentence), ME, who)
            known = name in asking.pursuits and not (question.adversarial and name in asking.held)
            (found.know if known else found.take)(weight, related, own, _real(question, sentence.standing))


def _covered(
    question: QuestionReading, own: list[Sentence], context: ConversationQuestions, reading: TurnReading, who: str
) -> float:
    """Weighted share of the question's content that the person's own sentences speak of, whatever their part of speech."""
    kept = ("own", who, question.asking.holder, *(id(sentence) for sentence in own))
    lemmas: frozenset[str] | None = reading.kept.get(kept)
    if lemmas is None:
        keys = sorted({who, question.asking.holder} - {""})
        lemmas = frozenset[str]().union(*(sentence.by.get(key, frozenset()) for sentence in own for key in keys))
        reading.kept[kept] = lemmas
    total = got = 0.0
    for word in question.words:
        weight = context.weight(word) * (0.3 if word in BROAD else 1.0)
        total += weight
        near = nearest(word, lemmas) if lemmas else 0.0
        got += weight * (near if near >= 0.5 else 0.0)
    return got / total if total else 0.0


def _rival(asking: Asking, said: Said) -> float:
    """Whether the turn speaks of another class of titled things than the one that is asked for (films for books)."""
    wanted = [each for each in asking.classes if answer_class(each).titled]
    if not wanted:
        return 0.0
    mine = any(said.lemmas & _medium(each) for each in wanted)
    others = any(said.lemmas & _medium(name) for name in titled_classes() if name not in wanted)
    return float(others and not mine)


@lru_cache(maxsize=64)
def _medium(name: str) -> frozenset[str]:
    """Words that tell of a class of titled things alone."""
    return answer_class(name).asked | _MEDIA.get(name, frozenset())


def _one(sentence: Sentence) -> str:
    return next(iter(sorted(sentence.actors - {ME, YOU})), ME)


def _own(asking: Asking, actor: str, held: str, who: str) -> float:
    """How far a mention is the matter of the person who is asked about (or of the relative whose matter is asked)."""
    if asking.holder:
        return 1.0 if asking.holder in (actor, held) else 0.1
    if actor in (THING, NAMED):
        return 0.7 if actor == THING else 0.4
    if actor != who:
        return 0.1
    return 1.0 if held in (ME, YOU) else (0.3 if asking.relations & {"cook", "make"} else 0.6)


def _themselves(asking: Asking, mention: Mention) -> bool:
    """Whether a mention acts itself and yet answers: the grandfather who visited, the band that played."""
    if mention.proper:
        return mention.actor == NAMED and not asking.holder
    return bool(asking.classes & {"person", "family"}) and is_person(mention.lemma)


def _real(question: QuestionReading, standing: Standing) -> float:
    if standing is Standing.FACT:
        return 1.0
    if standing is Standing.PLAN:
        return 1.0 if question.plan or question.asking.plan else 0.4
    return 0.1


def _related(asking: Asking, number: int, said: Said) -> float:
    """Whether the sentence of a mention, or one beside it, tells of the relation that is asked for."""
    if not asking.relations:
        return 0.8 if not asking.pursuit else 1.0
    if told(asking, said.sentences[number]):
        return 1.0
    beside = [said.sentences[n] for n in (number - 1, number + 1) if 0 <= n < len(said.sentences)]
    return 0.5 if any(told(asking, sentence) for sentence in beside) else 0.0


def _novelty(asking: Asking, question: QuestionReading, mention: Mention) -> bool | None:
    """True for a mention that the gold lacks, False for one that it has, None for one that the question itself names.

    In a trap nothing is known of the person yet, so that what the trap expects is new as well.
    """
    if mention.title and " " in mention.title:
        words = frozenset(word for word in mention.words if not word.isdigit()) or mention.words
        if words <= question.words | question.names:
            return None
        if any(len(member & words) * 2 >= len(words) for member in question.members):
            return question.adversarial
        return not any(_covers(gold, word) for word in words for gold in asking.gold if named(word).kinds)
    head = mention.lemma
    if head in question.words or any(same_word(head, noun) or noun in _synonyms(head) for noun in asking.species):
        narrow = [word for word in mention.words if not same_word(word, head) and word not in question.words and len(word) > 2]
        if not narrow:
            return None
        return question.adversarial or not any(word in asking.gold or _covers_any(word, question) for word in narrow)
    if head in question.names or mention.title in question.names:
        return None
    return question.adversarial or not (head in asking.gold or mention.title in asking.gold or _covers_any(head, question))


def _synonyms(head: str) -> frozenset[str]:
    return synonyms(head, "n")


def _covers_any(word: str, question: QuestionReading) -> bool:
    species, words = question.asking.species, question.words
    return any(_covers(gold, word) for gold in question.asking.gold if gold not in species and gold not in words)


@lru_cache(maxsize=262144)
def _covers(gold: str, word: str) -> bool:
    """Whether an answer's word stands for another: the same, a synonym, a class of it, or the country that it lies in."""
    if len(gold) < 3 or len(word) < 3 or closeness(gold, word) < MEMBER:
        return False
    if same_word(gold, word) or gold in synonyms(word, "n"):
        return True
    return gold in named(word).within or (gold not in BROAD and gold not in _WIDE and is_a(word, gold))


_WIDE = frozenset(
    {"food", "dish", "meal", "fruit", "animal", "music", "game", "art", "work", "building", "writing", "show", "product"}
)


def _golden(asking: Asking, sentence: Sentence) -> bool:
    """Whether a sentence names what the gold has."""
    return any(_covers(gold, lemma) for gold in asking.gold for lemma in sentence.lemmas if len(lemma) > 3)


def _touch(question: QuestionReading, sentence: Sentence) -> float:
    """How much a sentence speaks of what is asked: its classes and nouns, or its relation."""
    words = (question.nouns | question.asked_for) - BROAD
    near = max((nearest(word, sentence.lemmas) for word in words), default=0.0)
    for each in question.asking.classes:
        known = answer_class(each)
        if sentence.lemmas & (known.cues | known.members):
            near = max(near, 0.6)
    return max(near, 0.6 * told(question.asking, sentence))


def _qualified(question: QuestionReading, said: Said, context: ConversationQuestions) -> float:
    """Weighted share of the qualifiers of a question that the turn meets; 1 where it has none."""
    total = got = 0.0
    for word in question.asking.qualifiers:
        weight = context.weight(word)
        total += weight
        near = nearest(word, said.lemmas)
        group = kin_of(word)
        if near < 0.85 and group is not None and any(kin_of(lemma) == group for lemma in said.lemmas):
            near = 0.85
        got += weight * (near if near >= 0.5 else 0.0)
    return got / total if total else 1.0

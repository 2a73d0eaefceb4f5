"""Signs for questions that ask for a value: a list, a favourite, a present state, what it was that somebody did, and traps of these.

Each mention of a turn is held against what is asked for: whether it is of the class, in the relation, the right person's, put forward
as fact, and new beside the gold. The counter-signs say which of these fails.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import lru_cache

from locomo_patch.revalidation.answers import AnswerClass, answer_class, is_member, kin_of, relation_words, titled_classes
from locomo_patch.revalidation.asking import Asking, right_pursuit
from locomo_patch.revalidation.closeness import BROAD, MEMBER, best, closeness
from locomo_patch.revalidation.questions import ConversationQuestions, QuestionReading
from locomo_patch.revalidation.said import ME, THING, YOU, ClaimedTurn, Mention, Said, Sentence, Standing
from locomo_patch.revalidation.turns import Bag, TurnReading
from personas.questions import AnswerKind
from twistcore.text.classes import is_a, same_word, synonyms
from twistcore.text.named import named

# Signs of this module that count differently for each sort of answer and for traps.
CROSSED: tuple[str, ...] = ("v_new", "v_fit", "v_whole", "v_only_old", "v_other", "v_unreal", "v_rel", "v_qual", "v_prefers", "v_change", "v_ends", "v_more", "v_topic", "v_topic_new")
_NOTHING: dict[str, float] = {}
_LOCATIONS = ("structure", "building", "location", "facility", "establishment", "area", "land", "body_of_water", "geological_formation", "room")
_CITY = frozenset({"city", "town", "metropolis", "urban_center"})
_ROLES = {"dobj": 1.0, "attr": 1.0, "oprd": 1.0, "ROOT": 1.0, "nsubj": 0.9, "nsubjpass": 1.0, "conj": 0.9, "appos": 1.0, "pobj": 0.7}


def find_value_signs(
    question: QuestionReading, reading: TurnReading, facts: Bag, context: ConversationQuestions, person: str
) -> dict[str, float]:
    """Further signs, each from 0 to 1, by name."""
    if not isinstance(reading, ClaimedTurn) or not facts.words:
        return _NOTHING
    said, asking = reading.said, question.asking
    who = ME if person == reading.turn.speaker else YOU
    new = old = other = unreal = fits = 0.0
    for mention in said.mentions:
        fit = _fit(asking, mention, said)
        if fit < 0.15:
            continue
        state = _novelty(asking, question, mention)
        if state is None:
            continue
        loose, fit = fit, fit * (0.35 + 0.65 * _related(asking, mention.sentence, said))
        own = _own(asking, mention.actor, mention.held, who)
        if asking.holder and own < 0.8 and asking.holder in said.sentences[mention.sentence].actors:
            own = 0.8
        real = _real(question, mention.standing)
        if state:
            fits = max(fits, loose * own * real)
            new = max(new, fit * own * real)
            other = max(other, fit * (1.0 - own))
            unreal = max(unreal, fit * own * (1.0 - real))
        elif asking.counted and (said.sentences[mention.sentence].more or _told(asking, said.sentences[mention.sentence])):
            new = max(new, 0.9 * fit * own * real)
        else:
            old = max(old, fit * own * real)
    if asking.pursuit:
        for number, sentence in enumerate(said.sentences):
            for name, weight in sentence.pursuits.items():
                if not right_pursuit(asking, name):
                    continue
                fit = weight * (0.35 + 0.65 * _related(asking, number, said))
                mine = 1.0 if not asking.holder and who in sentence.actors else _own(asking, _one(sentence), ME, who)
                real = _real(question, sentence.standing)
                if name in asking.pursuits and not (question.adversarial and name in asking.held):
                    old = max(old, fit * mine * real)
                else:
                    new = max(new, fit * mine * real)
                    other = max(other, fit * (1.0 - mine))
                    unreal = max(unreal, fit * mine * (1.0 - real))
    own_real = [
        (number, sentence)
        for number, sentence in enumerate(said.sentences)
        if (who in sentence.actors or asking.holder in sentence.actors) and (sentence.prefers or _real(question, sentence.standing) > 0.5)
    ]
    if asking.closed:
        new *= 0.2
    if AnswerKind.FAVOURITE in question.kinds and not any(sentence.prefers for _, sentence in own_real):
        new, fits = 0.3 * new, 0.3 * fits
    only_old = max(0.0, old - new)
    topic = _covered(question, own_real, context, who)
    rel = max((_told(asking, sentence) for _, sentence in own_real), default=0.0) * (1.0 - only_old)
    touched = {number: _touch(question, sentence) for number, sentence in own_real}
    coloured = {
        name: max((touch for number, touch in touched.items() if getattr(said.sentences[number], name)), default=0.0)
        for name in ("prefers", "changes", "corrects", "more")
    }
    qual = _qualified(question, said, context)
    ends = max((touch for number, touch in touched.items() if said.sentences[number].changes and _golden(asking, said, number)), default=0.0)
    rival = _rival(asking, said)
    found = {
        "v_new": new,
        "v_fit": max(fits, new),
        "v_whole": new * qual,
        "v_only_old": only_old,
        "v_other": max(0.0, other - new),
        "v_unreal": max(0.0, unreal - new),
        "v_rel": rel,
        "v_qual": qual * max(new, rel),
        "v_prefers": coloured["prefers"] * max(new, 0.3),
        "v_change": coloured["changes"],
        "v_ends": ends,
        "v_corrects": coloured["corrects"],
        "v_more": coloured["more"] * (1.0 - only_old),
        "v_once": float(asking.once) * max(new, rel),
        "v_rival": rival,
        "v_topic": topic,
        "v_topic_new": topic * max(new, 0.5 * coloured["changes"]),
    }
    return {name: round(value, 4) for name, value in found.items() if value > 0.0}


def _covered(question: QuestionReading, told: list[tuple[int, Sentence]], context: ConversationQuestions, who: str) -> float:
    """Weighted share of the question's content that the person's own sentences speak of, whatever their part of speech."""
    keys = {who, question.asking.holder} - {""}
    lemmas = frozenset().union(*(sentence.by.get(key, frozenset()) for _, sentence in told for key in keys)) if told else frozenset()
    total = got = 0.0
    for word in question.words:
        weight = context.weight(word) * (0.3 if word in BROAD else 1.0)
        total += weight
        near = best(word, lemmas)[0]
        got += weight * (near if near >= 0.5 else 0.0)
    return got / total if total else 0.0


def _rival(asking: Asking, said: Said) -> float:
    """Whether the turn speaks of another class of titled things than the one that is asked for (films where books are asked for)."""
    wanted = [each for each in asking.classes if answer_class(each).titled]
    if not wanted:
        return 0.0
    mine = any(said.lemmas & (answer_class(each).asked | answer_class(each).cues) for each in wanted)
    others = any(said.lemmas & each.asked for name, each in titled_classes().items() if name not in wanted)
    return float(others and not mine)


def _one(sentence: Sentence) -> str:
    return next(iter(sorted(sentence.actors - {ME, YOU})), ME)


def _own(asking: Asking, actor: str, held: str, who: str) -> float:
    """How far a mention is the matter of the person who is asked about (or of the relative whose matter is asked)."""
    if asking.holder:
        return 1.0 if asking.holder in (actor, held) else 0.1
    if actor == THING:
        return 0.7
    if actor != who:
        return 0.1
    return 1.0 if held in (ME, YOU) else (0.3 if asking.relations & {"cook", "make"} else 0.6)


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
    if _told(asking, said.sentences[number]):
        return 1.0
    beside = [said.sentences[n] for n in (number - 1, number + 1) if 0 <= n < len(said.sentences)]
    return 0.5 if any(_told(asking, sentence) for sentence in beside) else 0.0


def _told(asking: Asking, sentence: Sentence) -> float:
    for relation in asking.relations:
        words = relation_words(relation)
        if words & sentence.lemmas or any(" " in phrase and phrase in sentence.lowered for phrase in words):
            return 1.0
    return 0.0


def _novelty(asking: Asking, question: QuestionReading, mention: Mention) -> bool | None:
    """True for a mention that the gold lacks, False for one that it has, None for one that the question itself names.

    In a trap nothing is known of the person yet, so that what the trap expects is new as well.
    """
    if mention.title and " " in mention.title:
        words = mention.words
        if words <= question.words | question.names:
            return None
        if any(len(member & words) * 2 >= len(words) for member in question.members):
            return question.adversarial
        return not any(_covers(gold, word) for word in words for gold in asking.gold if named(word).kinds)
    head = mention.lemma
    if head in question.words or any(same_word(head, noun) or noun in _synonyms(head) for noun in asking.species):
        narrow = [word for word in mention.words if word != head and word not in question.words and len(word) > 2]
        if not narrow:
            return None
        return question.adversarial or not any(word in asking.gold or _covers_any(word, question) for word in narrow)
    if head in question.names or mention.title in question.names:
        return None
    return question.adversarial or not (head in asking.gold or mention.title in asking.gold or _covers_any(head, question))


def _synonyms(head: str) -> frozenset[str]:
    return synonyms(head, "n")


def _covers_any(word: str, question: QuestionReading) -> bool:
    skip = question.asking.species | question.words
    return any(_covers(gold, word) for gold in question.asking.gold if gold not in skip)


@lru_cache(maxsize=262144)
def _covers(gold: str, word: str) -> bool:
    """Whether an answer's word stands for another: the same, a synonym, a class of it, or the country that it lies in."""
    if len(gold) < 3 or len(word) < 3:
        return False
    if same_word(gold, word) or gold in synonyms(word, "n"):
        return True
    return gold in named(word).within or (gold not in BROAD and gold not in _WIDE and is_a(word, gold))


_WIDE = frozenset({"food", "dish", "meal", "fruit", "animal", "music", "game", "art", "work", "building", "writing", "show", "product"})


def _golden(asking: Asking, said: Said, number: int) -> bool:
    """Whether a sentence names what the gold has."""
    return any(_covers(gold, lemma) for gold in asking.gold for lemma in said.sentences[number].lemmas if len(lemma) > 3)


def _touch(question: QuestionReading, sentence: Sentence) -> float:
    """How much a sentence speaks of what is asked: its classes and nouns, or its relation."""
    words = (question.nouns | question.asked_for) - BROAD
    near = max((best(word, sentence.lemmas)[0] for word in words), default=0.0)
    for each in question.asking.classes:
        known = answer_class(each)
        if sentence.lemmas & (known.cues | known.members):
            near = max(near, 0.6)
    return max(near, 0.6 * _told(question.asking, sentence))


def _qualified(question: QuestionReading, said: Said, context: ConversationQuestions) -> float:
    """Weighted share of the qualifiers of a question that the turn meets; 1 where it has none."""
    total = got = 0.0
    for word in question.asking.qualifiers:
        weight = context.weight(word)
        total += weight
        near = best(word, said.lemmas)[0]
        group = kin_of(word)
        if near < 0.85 and group is not None and any(kin_of(lemma) == group for lemma in said.lemmas):
            near = 0.85
        got += weight * (near if near >= 0.5 else 0.0)
    return got / total if total else 1.0


def _fit(asking: Asking, mention: Mention, said: Said) -> float:
    """How well a mention is of the class that is asked for."""
    role = _ROLES.get(mention.role, 0.5)
    top = 0.0
    for each in asking.classes:
        top = max(top, _FITS.get(each, _listed)(asking, each, mention, said))
    for noun in asking.species:
        if noun not in BROAD and closeness(noun, mention.lemma) >= MEMBER and mention.lemma != noun and not mention.proper:
            top = max(top, role)
    if not asking.classes and not asking.species and not asking.pursuit:
        top = 0.4 * role
    return top


def _listed(asking: Asking, name: str, mention: Mention, said: Said) -> float:
    known = answer_class(name)
    role = _ROLES.get(mention.role, 0.5)
    if known.titled and mention.proper and mention.title:
        return _titled(name, mention, said)
    if any(is_member(word, name) for word in mention.words):
        return role
    return 0.0


def _titled(name: str, mention: Mention, said: Said) -> float:
    """Whether a title is one of a class: the words about it speak for that class more than for another."""
    if mention.place and named(mention.title.replace(" ", "_")).kinds:
        return 0.1
    mine = _cued(answer_class(name), mention, said)
    rivals = max((_cued(each, mention, said) for other, each in titled_classes().items() if other != name), default=0.0)
    if mine == 0.0:
        return 0.15 if rivals else 0.3
    return 1.0 if mine >= rivals else 0.6


def _cued(known: AnswerClass, mention: Mention, said: Said) -> float:
    here = said.sentences[mention.sentence]
    count = sum(1.0 for cue in known.cues if (cue in here.lemmas if " " not in cue else cue in here.lowered))
    return count + sum(0.25 for cue in known.cues if cue in said.lemmas)


def _placed(mention: Mention) -> float:
    """Whether a place stands where one goes, stays or comes from, and not merely in a picture of it."""
    return 1.0 if mention.place or mention.role in ("dobj", "ROOT", "attr", "nsubj", "npadvmod") else 0.3


def _city(asking: Asking, name: str, mention: Mention, said: Said) -> float:
    if not mention.proper:
        return 0.0
    kinds = named(mention.title.replace(" ", "_")).kinds
    if kinds & _CITY:
        return _placed(mention)
    return 0.0 if kinds else 0.6 * mention.place


def _country(asking: Asking, name: str, mention: Mention, said: Said) -> float:
    if not mention.proper:
        return 0.0
    known = named(mention.title.replace(" ", "_"))
    if "country" in known.kinds or any("country" in named(each).kinds for each in known.within):
        return _placed(mention)
    return 0.0 if known.kinds else 0.5 * mention.place


def _state(asking: Asking, name: str, mention: Mention, said: Said) -> float:
    if not mention.proper:
        return 0.0
    known = named(mention.title.replace(" ", "_"))
    if "american_state" in known.kinds or any("american_state" in named(each).kinds for each in known.within):
        return _placed(mention)
    return 0.0 if known.kinds else 0.4 * mention.place


def _place(asking: Asking, name: str, mention: Mention, said: Said) -> float:
    if mention.proper:
        known = bool(named(mention.title.replace(" ", "_")).kinds)
        return _placed(mention) if known else 0.8 * max(mention.place, 0.4 * (mention.role == "dobj"))
    if not any(is_a(mention.lemma, each) for each in _LOCATIONS):
        return 0.0
    return 0.6 * (mention.after in ("in", "to", "at", "from", "by", "on", "along", "above", "near"))


def _name(asking: Asking, name: str, mention: Mention, said: Said) -> float:
    """A proper name, where the turn speaks of what is named: a dog for the names of dogs, and nothing beside it of a rival sort."""
    if not mention.proper or mention.place or named(mention.title.replace(" ", "_")).kinds:
        return 0.0
    kinds = [noun for noun in asking.species if noun not in BROAD]
    if not kinds:
        return 0.5
    here = said.lemmas
    if any(closeness(kind, word) >= MEMBER for kind in kinds for word in here):
        return 1.0
    rival = any(is_member(word, "pet") or closeness("animal", word) >= MEMBER for word in here)
    return 0.15 if rival else 0.6


def _pet(asking: Asking, name: str, mention: Mention, said: Said) -> float:
    return 1.0 if closeness("pet", mention.lemma) >= MEMBER and asking.species & {"pet", "animal"} else 0.0


def _thing(asking: Asking, name: str, mention: Mention, said: Said) -> float:
    """Any thing that is got: the object of a clause."""
    return {"dobj": 0.8, "attr": 0.6, "conj": 0.5, "ROOT": 0.6, "appos": 0.6, "nsubj": 0.5}.get(mention.role, 0.2)


def _game(asking: Asking, name: str, mention: Mention, said: Said) -> float:
    fit = _listed(asking, name, mention, said)
    if asking.board or asking.video:
        video = sum(1 if m.standing is Standing.FACT else -1 for m in said.mentions if m.words & _VIDEO_WORDS)
        board = len(said.lemmas & _BOARD_WORDS)
        fit *= (0.3 if video > board else 1.0) if asking.board else (0.3 if board > video or video < 0 else 1.0)
    return fit


_VIDEO_WORDS = frozenset({"controller", "console", "xbox", "playstation", "nintendo", "screen", "pc", "rpg", "level", "boss"})
_BOARD_WORDS = frozenset({"board", "dice", "card", "tile", "pawn", "token", "meeple", "chess", "catan", "monopoly", "scrabble"})
_FITS: Mapping[str, Callable[[Asking, str, Mention, Said], float]] = {
    "city": _city,
    "country": _country,
    "state": _state,
    "place": _place,
    "name": _name,
    "pet": _pet,
    "gift": _thing,
    "game": _game,
}

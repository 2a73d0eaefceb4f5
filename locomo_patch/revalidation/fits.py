"""How well a mention is of the class that a question asks for: members, titles, names, places, things."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import lru_cache, partial

from locomo_patch.revalidation.answers import answer_class, is_member, relation_words, titled_classes
from locomo_patch.revalidation.asking import Asking
from locomo_patch.revalidation.closeness import BROAD, MEMBER, closeness, nearest
from locomo_patch.revalidation.said import Mention, Said, Sentence, Standing
from twistcore.text.classes import is_a
from twistcore.text.named import named

_LOCATIONS = ("structure", "building", "location", "facility", "establishment", "land", "body_of_water", "geological_formation")
_CITY = frozenset({"city", "town", "metropolis", "urban_center"})
_ROLES = {
    "dobj": 1.0,
    "attr": 1.0,
    "oprd": 1.0,
    "ROOT": 1.0,
    "nsubj": 0.9,
    "nsubjpass": 1.0,
    "conj": 0.9,
    "appos": 1.0,
    "pobj": 0.7,
}
_VIDEO_WORDS = frozenset({"controller", "console", "xbox", "playstation", "nintendo", "screen", "pc", "rpg", "level", "boss"})
_BOARD_WORDS = frozenset({"board", "dice", "card", "tile", "pawn", "token", "meeple", "chess", "catan", "monopoly", "scrabble"})
# Classes that an answer must belong to: no other thing stands for a city or a name.
_STRICT = frozenset(
    {"place", "city", "country", "state", "name", "pet", "game", "book", "movie", "show", "song", "color", "language"}
)


# Classes of things that people do for pleasure, where no list of ours has the pursuit.
_PASTIMES = ("game", "sport", "diversion", "contest", "exercise", "dancing", "athletics", "handicraft", "party")
_BY_CLASS = 0.6


def told(asking: Asking, sentence: Sentence) -> float:
    """1 where a sentence tells of a relation that is asked for."""
    return float(any(_tells(relation, sentence.lemmas, sentence.lowered) for relation in asking.relations))


@lru_cache(maxsize=65536)
def _tells(relation: str, lemmas: frozenset[str], lowered: str) -> bool:
    words = relation_words(relation)
    return bool(words & lemmas) or any(" " in phrase and phrase in lowered for phrase in words)


def fit(asking: Asking, mention: Mention, said: Said) -> float:
    """From 0 to 1: how well a mention is of the class that is asked for."""
    role = _ROLES.get(mention.role, 0.5)
    top = 0.0
    for each in asking.classes:
        top = max(top, _FITS.get(each, _listed)(asking, each, mention, said))
    for noun in asking.species:
        if noun not in BROAD and closeness(noun, mention.lemma) >= MEMBER and mention.lemma != noun and not mention.proper:
            top = max(top, role)
    if asking.pursuit and not asking.tags and not mention.proper and any(is_a(mention.lemma, each) for each in _PASTIMES):
        top = max(top, _BY_CLASS * role)
    if not asking.classes and not asking.species and not asking.pursuit:
        top = 0.4 * role
    elif not asking.classes & _STRICT and told(asking, said.sentences[mention.sentence]):
        top = max(top, 0.3 * role)
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
    mine = _cued(name, mention, said)
    rivals = max((_cued(other, mention, said) for other in titled_classes() if other != name), default=0.0)
    if mine == 0.0:
        return 0.15 if rivals else 0.3
    return 1.0 if mine >= rivals else 0.6


def _cued(name: str, mention: Mention, said: Said) -> float:
    here = said.sentences[mention.sentence]
    return _cues(name, here.lemmas, here.lowered, said.lemmas)


@lru_cache(maxsize=65536)
def _cues(name: str, here: frozenset[str], lowered: str, all_lemmas: frozenset[str]) -> float:
    cues = answer_class(name).cues
    spoken = sum(1.0 for cue in cues if (cue in here if " " not in cue else cue in lowered))
    return spoken + 0.25 * len(cues & all_lemmas)


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


def _inside(kind: str, unknown: float, asking: Asking, name: str, mention: Mention, said: Said) -> float:
    """A country or a state by its own name, or by that of a place in it; `unknown` for a name in no list that stands as a place."""
    if not mention.proper:
        return 0.0
    known = named(mention.title.replace(" ", "_"))
    if kind in known.kinds or any(kind in named(each).kinds for each in known.within):
        return _placed(mention)
    return 0.0 if known.kinds else unknown * mention.place


def _place(asking: Asking, name: str, mention: Mention, said: Said) -> float:
    if mention.proper:
        known = bool(named(mention.title.replace(" ", "_")).kinds)
        return _placed(mention) if known else 0.8 * max(mention.place, 0.4 * (mention.role == "dobj"))
    if not any(is_a(mention.lemma, each) for each in _LOCATIONS):
        return 0.0
    return 0.6 if mention.after in ("in", "to", "at", "from", "by", "on", "along", "above", "near") else 0.4


def _name(asking: Asking, name: str, mention: Mention, said: Said) -> float:
    """A proper name, where the turn speaks of what is named: a dog for the names of dogs, and nothing beside it of a rival sort."""
    if not mention.proper or mention.place or named(mention.title.replace(" ", "_")).kinds:
        return 0.0
    kinds = [noun for noun in asking.species if noun not in BROAD]
    if not kinds:
        return 0.5
    here = said.lemmas
    if any(nearest(kind, here) >= MEMBER for kind in kinds):
        return 1.0
    rival = nearest("animal", here) >= MEMBER or any(is_member(word, "pet") for word in here)
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


_FITS: Mapping[str, Callable[[Asking, str, Mention, Said], float]] = {
    "city": _city,
    "country": partial(_inside, "country", 0.5),
    "state": partial(_inside, "american_state", 0.4),
    "place": _place,
    "name": _name,
    "pet": _pet,
    "gift": _thing,
    "game": _game,
}

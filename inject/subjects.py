"""What a turn was about, as a phrase that either speaker can say.

A bridge answers the turn before it and hands the floor back by naming what that turn was about (DESIGN.md rule 3), so
the phrase must be short, refer to no person, and change its possessive with whoever says it. Its kind and the time of
its clause decide which acks and handbacks fit it.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from enum import StrEnum
from functools import lru_cache
from importlib import resources
from pathlib import Path
from typing import TYPE_CHECKING

from twistcore.errors import FrameError
from twistcore.text.tense import Tense, governing_verb, tense_of
from twistcore.yamls import read_yaml

if TYPE_CHECKING:
    from spacy.tokens import Doc, Span, Token

MAX_BODY = 3
MAX_TAIL = 4


class Kind(StrEnum):
    """What sort of matter a phrase names."""

    ACTIVITY = "activity"
    EVENT = "event"
    PLACE = "place"
    THING = "thing"
    WORK = "work"
    ROLE = "role"
    PET = "pet"
    VALUE = "value"
    HELP = "help"
    ADVICE = "advice"


class When(StrEnum):
    """Where the clause that names the matter lies."""

    PAST = "past"
    ONGOING = "ongoing"
    FUTURE = "future"


@dataclass(frozen=True, slots=True)
class Subject:
    """A phrase in the words of the turn's own speaker (`own`) and of the one who answers (`other`).

    `whose` is "own" (the speaker's), "other" (the answering one's) or empty; `start` the place of its head in the turn.
    `told` says that the clause is about the speaker, `central` that the phrase is its subject or object and the clause a
    main one, `bare` that the phrase has no article and no owner.
    """

    own: str
    other: str
    plural: bool
    lemma: str
    whose: str
    kind: Kind = Kind.THING
    when: When = When.ONGOING
    start: int = 0
    told: bool = False
    central: bool = True
    bare: bool = False

    def agreement(self) -> dict[str, str]:
        """Slot values for the verbs and pronouns that agree with the phrase."""
        return dict(_PLURAL) if self.plural else {**{name: name for name in _PLURAL}, "them": "it"}


_PLURAL = {
    **{"is": "are", "has": "have", "was": "were", "does": "do", "it": "they", "them": "them", "goes": "go"},
    **{f"{verb}s": verb for verb in ("sound", "make", "help", "keep", "mean", "seem", "take", "get", "bring", "come", "give")},
}


@dataclass(frozen=True, slots=True)
class Lexicon:
    """The word lists of `inject/bridges/subjects.yaml`: nouns by kind, and the other lists by name."""

    kinds: Mapping[Kind, frozenset[str]]
    lists: Mapping[str, frozenset[str]]

    def kind_of(self, lemma: str, *, owned: bool) -> Kind | None:
        """The kind of a noun; "painting" with a determiner is a picture, without one an activity."""
        if owned and lemma in {"painting", "drawing"}:
            return Kind.THING
        return next((kind for kind in Kind if lemma in self.kinds[kind]), None)


_LISTS = frozenset(
    ("needs_modifier", "gerunds", "gerunds_with_object", "sad", "mild", "empty_adjectives", "ahead", "arranged", "made", "about")
)


@lru_cache(maxsize=1)
def load_lexicon() -> Lexicon:
    """Read the lexicon that ships with the package; raises FrameError."""
    path = Path(str(resources.files("inject") / "bridges" / "subjects.yaml"))
    raw = read_yaml(path)
    names = {*Kind, *_LISTS}
    if not isinstance(raw, dict) or set(raw) != names:
        raise FrameError(f"expected exactly the lists {', '.join(sorted(names))}", file=path)
    lists = {str(name): frozenset(str(words).split()) for name, words in raw.items()}
    return Lexicon({kind: lists[kind] for kind in Kind}, {name: lists[name] for name in _LISTS})


# What a possessive becomes for the turn's own speaker and for the other one, and whose the thing is.
_OWNERS = {"my": ("my", "your", "own"), "our": ("our", "your", "own"), "your": ("your", "my", "other")}
_ARTICLES = frozenset(("a", "an", "the", "this", "that", "these", "those"))
_BARE = frozenset(("", "some"))
_OTHERS = frozenset(("other", "another", "favorite", "favourite", "fave"))
_MASS = frozenset((Kind.ACTIVITY, Kind.VALUE, Kind.HELP, Kind.ADVICE))
# "Family time" names a matter, "good time" does not.
_SHARED_TIMES = frozenset(("time", "moment", "memory", "night"))
_WITH_WHOM = frozenset(("family", "quality", "childhood", "game", "movie"))
_OWN_ARTS = frozenset(("art", "music", "poetry", "fashion"))
_OWN_AND_MANY = frozenset(("goal",))
_NAMED_WITH = frozenset(("of", "for", "to", "with"))
_DEPENDENT = _NAMED_WITH - {"with"} | {"from", "about", "between", "than", "as", "like", "into", "on"}
_COMPARING = frozenset(("like", "as", "than", "except", "without", "besides", "unlike", "despite"))
_LOOSE_ENDS = frozenset(("relcl", "acl", "cc", "conj", "neg", "appos"))
_SUBJECTS = frozenset(("nsubj", "nsubjpass"))
_SUPPOSING = frozenset(("would", "'d", "should", "could", "might", "may"))
_LINKED = frozenset(("xcomp", "ccomp", "pcomp", "advcl", "conj"))


def find_subjects(doc: Doc) -> Iterator[Subject]:
    """Phrases of a turn that can stand for what it was about: noun phrases in reading order, then activities named by a verb."""
    for chunk in doc.noun_chunks:
        subject = _of_chunk(chunk)
        if subject is not None:
            yield subject
    for token in doc:
        subject = _of_gerund(token)
        if subject is not None:
            yield subject


def _of_chunk(chunk: Span) -> Subject | None:
    head = chunk.root
    owner, words = _parts(chunk)
    kind = _kind(head, owner, words)
    if kind is None or not _stands_alone(chunk, head) or any(token.lower_ in _OTHERS for token in chunk):
        return None
    plural = "Plur" in head.morph.get("Number")
    tail = [] if kind in {Kind.HELP, Kind.ADVICE} else _tail(chunk, head)
    when = _when(head, kind)
    if tail is None or when is None or not _says_enough(head, owner, words, tail, kind, plural=plural):
        return None
    if (owner in {"a", "an"} and _in_general(head)) or (tail and owner in _BARE):
        return None
    phrase = chunk.doc[words[0].i : head.i + 1].text
    if words[0].is_sent_start and words[0].pos_ != "PROPN":
        phrase = phrase[:1].lower() + phrase[1:]
    own, other, whose = _OWNERS.get(owner, ("the", "the", "") if owner in _ARTICLES else ("", "", ""))
    if owner == "our" and kind not in {Kind.ROLE, Kind.PET, Kind.VALUE}:
        other = "the"  # "our hike" may be the hike of both
    if kind is Kind.PET and when is When.FUTURE:
        when = When.ONGOING
    names = [
        " ".join(part for part in (first, phrase, *(_turned(word, side) for word in tail)) if part)
        for side, first in enumerate((own, other))
    ]
    # "That movie" is one that the other speaker brought up.
    told, central = owner not in {"that", "those"} and _told(head), _central(head)
    return Subject(names[0], names[1], plural, head.lemma_.lower(), whose, kind, when, head.i, told, central, not own)


def _parts(chunk: Span) -> tuple[str, list[Token]]:
    """The determiner or owner of a phrase in lower case, and its other words without empty adjectives."""
    empty = load_lexicon().lists["empty_adjectives"]
    words = [token for token in chunk if not token.is_space and token.pos_ != "INTJ"]
    while words and not words[0].is_alpha:
        words = words[1:]
    owner = ""
    if words and (words[0].dep_ in {"det", "poss", "nummod", "predet"} or words[0].pos_ in {"DET", "PRON"}):
        owner, words = words[0].lower_, words[1:]
    while len(words) > 1 and (words[0].lower_ in empty or words[0].pos_ == "ADV"):
        words = words[1:]
    return owner, words


def _kind(head: Token, owner: str, words: list[Token]) -> Kind | None:
    """The kind of a well-formed phrase; None where a word of it is not plain or its head names no known matter."""
    capital = not (head.text.islower() or (head.is_sent_start and head.text[1:].islower()))
    if head.pos_ != "NOUN" or capital or not words or words[-1].i != head.i:
        return None
    if len(words) > MAX_BODY + 2 * any(token.text == "-" for token in words) or not all(_plain(token) for token in words):
        return None
    lemma = head.lemma_.lower()
    kind = load_lexicon().kind_of(lemma, owned=bool(owner))
    if owner in {"my", "our"}:
        if kind is Kind.VALUE and lemma in _OWN_ARTS:
            return Kind.ACTIVITY
        if kind is Kind.THING and _makes(head):
            return Kind.WORK  # a game that the speaker makes, not one that they play
    return kind


def _says_enough(head: Token, owner: str, words: list[Token], tail: list[str], kind: Kind, *, plural: bool) -> bool:
    """Whether the phrase can be told apart by itself: "my store" or "the dance studio", not "the store"."""
    lemma = head.lemma_.lower()
    owned = owner in _OWNERS
    if not owned and owner not in _ARTICLES | _BARE:
        return False
    if owner in _BARE and not plural and kind not in _MASS:
        return False
    meant_in_general = not owner and plural and kind in {Kind.PET, Kind.THING, Kind.VALUE}
    if lemma in load_lexicon().lists["needs_modifier"] and len(words) == 1 and not (tail or owned or meant_in_general):
        return False
    if lemma in _OWN_AND_MANY and not (plural and owned):
        return False
    if lemma in _SHARED_TIMES and words[0].lower_ not in _WITH_WHOM:
        return False
    # "I took my fam camping" is one phrase to the parser, and "the exercise" is no activity in general.
    return not (kind is Kind.ACTIVITY and (owner in _ARTICLES or (owned and len(words) > 1)))


def _in_general(head: Token) -> bool:
    """Whether "a book" means any book: "reading a book helps", not "I'm reading a book", "I've got a book"."""
    verb = governing_verb(head)
    if verb is None or verb.lemma_.lower() in {"have", "get", "own"}:
        return False
    return verb.dep_ in {"csubj", "pcomp"} or tense_of(verb) is Tense.PRESENT


def _makes(head: Token) -> bool:
    verb = governing_verb(head)
    return verb is not None and head.dep_ in {"dobj", "pobj"} and verb.lemma_.lower() in load_lexicon().lists["made"]


def _of_gerund(token: Token) -> Subject | None:
    lists = load_lexicon().lists
    lemma = token.lemma_.lower()
    if token.tag_ != "VBG" or token.pos_ != "VERB" or lemma not in lists["gerunds"] | lists["gerunds_with_object"]:
        return None
    roles = [child.dep_ for child in token.children]
    if any(role in {"neg", "nsubj", "prt", "acomp", "ccomp"} for role in roles):
        return None
    if "aux" not in roles and token.dep_ not in {"csubj", "nsubj", "dobj", "pcomp", "xcomp", "conj", "ROOT"}:
        return None
    when = _when(token, Kind.ACTIVITY)
    words = _object_words(token) if "dobj" in roles else _alone(token)
    if when is None or words is None:
        return None
    own, other = (" ".join((token.text.lower(), *(_turned(word.text, side) for word in words))) for side in (0, 1))
    start = words[-1].i if words else token.i
    return Subject(own, other, False, lemma, "", Kind.ACTIVITY, when, start, _told(token), _central(token), True)


def _alone(token: Token) -> list[Token] | None:
    """No words, where the verb says enough without an object; else None."""
    after = token.doc[token.i + 1].lower_ if token.i + 1 < len(token.doc) else ""
    return [] if token.lemma_.lower() in load_lexicon().lists["gerunds"] and after not in {"-", "of", "up", "out", "off"} else None


def _object_words(token: Token) -> list[Token] | None:
    """The object of an activity ("playing video games"), or None where it cannot be said apart from its clause."""
    lexicon = load_lexicon()
    lemma = token.lemma_.lower()
    objects = [child for child in token.children if child.dep_ == "dobj"]
    if len(objects) != 1 or lemma not in lexicon.lists["gerunds_with_object"]:
        return None
    head = objects[0]
    span = [word for word in token.doc[head.left_edge.i : head.i + 1] if not word.is_space]
    if head.pos_ != "NOUN" or head.left_edge.i != token.i + 1 or len(span) > 3 or _cut_off(head):
        return None
    if not all(_plain(word) for word in span[-2:]):
        return None
    if span[0].pos_ in {"DET", "PRON"}:
        return span if span[0].lower_ in {"my", "our", "the"} else None
    if len(span) == 3 or span[0].lower_ in lexicon.lists["empty_adjectives"]:
        return None
    kind = lexicon.kind_of(head.lemma_.lower(), owned=False)
    if kind is None and lemma in {"make", "build"}:
        return None
    return span if head.tag_ != "NN" or lemma == "play" or kind in {Kind.ACTIVITY, Kind.VALUE} else None


def _turned(word: str, side: int) -> str:
    """A word as the one (0) or the other (1) speaker says it."""
    return _OWNERS[word.lower()][side] if word.lower() in _OWNERS else word


def _cut_off(head: Token) -> bool:
    return any(child.dep_ in _LOOSE_ENDS or (child.dep_ == "prep" and child.lower_ in _DEPENDENT) for child in head.children)


def _stands_alone(chunk: Span, head: Token) -> bool:
    """Whether the phrase loses nothing when what follows it is cut off; a short "of" or "for" phrase can be kept (`_tail`)."""
    following = chunk.doc[chunk.end] if chunk.end < len(chunk.doc) else None
    if following is not None and (following.lower_ in {"'s", "-", "/", "\u2019s"} or following.dep_ == "case"):
        return False
    if any(child.dep_ in _LOOSE_ENDS for child in head.children):
        return False
    if head.dep_ == "pobj" and head.head.lower_ in _COMPARING:
        return False
    if head.dep_ == "attr" and any(child.text[:1].isupper() and not child.is_sent_start for child in head.head.children):
        return False
    return head.dep_ in {"nsubj", "nsubjpass", "dobj", "pobj", "ROOT", "attr"}


def _tail(chunk: Span, head: Token) -> list[str] | None:
    """The words of a prepositional phrase that the head needs: empty when it needs none, None when they cannot be kept."""
    after = chunk.doc[chunk.end] if chunk.end < len(chunk.doc) else None
    if after is None or after.dep_ != "prep" or after.head.i != head.i or after.lower_ not in _DEPENDENT | {"with"}:
        return []
    dropped: list[str] | None = [] if after.lower_ == "with" else None
    objects = [child for child in after.children if child.dep_ == "pobj"]
    if after.lower_ not in _NAMED_WITH or len(objects) != 1:
        return dropped
    whole = objects[0]
    span = chunk.doc[after.i : whole.i + 1]
    if len(span) > MAX_TAIL or whole.right_edge.i != whole.i or whole.pos_ not in {"NOUN", "PROPN"}:
        return dropped
    inner = [token for token in span[1:] if token.lower_ not in _OWNERS]
    if any(
        token.dep_ in {"poss", "case", "nummod"} or token.pos_ == "PRON" or token.lower_ in _ARTICLES - {"the"} for token in inner
    ):
        return dropped
    return [token.text for token in span] if all(_sayable(token) for token in inner) else None


def _sayable(token: Token) -> bool:
    return token.lower_ not in load_lexicon().lists["sad"] and token.text.replace("-", "").isalpha()


def _plain(token: Token) -> bool:
    if token.text == "-":
        return not token.whitespace_ and not token.nbor(-1).whitespace_
    # "I do love animals" with "love" taken for a noun.
    if not _sayable(token) or token.like_num or token.lower_ in {"love", "like"}:
        return False
    if token.lower_ in _OWNERS or token.lower_ == "the":
        return True
    if token.pos_ in {"NOUN", "PROPN"} or token.tag_ == "VBG":
        return not token.text.isupper() or len(token.text) < 6
    return token.tag_ == "JJ" and token.lower_ not in load_lexicon().lists["empty_adjectives"]


def _told(token: Token) -> bool:
    """Whether the clause is the speaker's own: no other person acts in it, and it says "I", "my" or "we", or has no subject."""
    verb = governing_verb(token)
    actors = [child.lower_ for link in _chain(verb) for child in link.children if child.dep_ in _SUBJECTS]
    if any(actor in {"he", "she", "they", "you"} for actor in actors):
        return False
    if any(word.lower_ in {"i", "me", "my"} for word in token.sent) or any(child.lower_ == "our" for child in token.children):
        return True
    for _ in range(6):
        if verb is None:
            return True
        subject = next((child for child in verb.children if child.dep_ in _SUBJECTS | {"csubj"}), None)
        if subject is not None:
            return bool(subject.lower_ == "we")
        if verb.head.i == verb.i:
            return True
        verb = governing_verb(verb.head)
    return False


def _central(token: Token) -> bool:
    """Whether a phrase is the subject or object of a main clause, not a circumstance or part of another phrase."""
    if token.dep_ == "pobj" and f"{token.head.head.lemma_.lower()}+{token.head.lower_}" not in load_lexicon().lists["about"]:
        return False
    return not any(link.dep_ in {"advcl", "relcl", "acl"} for link in (token, *token.ancestors))


def _chain(verb: Token | None) -> list[Token]:
    """A verb and the verbs that it hangs on, up to the main clause."""
    chain = [verb] if verb is not None else []
    while chain and chain[-1].dep_ in _LINKED and chain[-1].head.i != chain[-1].i:
        above = governing_verb(chain[-1].head)
        if above is None or above in chain:
            break
        chain.append(above)
    return chain


def _when(token: Token, kind: Kind) -> When | None:
    """The time of the clause; None where it is denied, supposed, given up or only arranged."""
    verb = governing_verb(token)
    if verb is None:
        return When.ONGOING
    lists = load_lexicon().lists
    chain = _chain(verb)
    lemmas = {link.lemma_.lower() for link in chain}
    around = [child for link in chain for child in link.children]
    if any(link.lemma_.lower() == "use" and link.tag_ == "VBD" for link in chain):
        return None
    if any(child.dep_ == "neg" for child in around):
        return When.FUTURE if "wait" in lemmas and kind is not Kind.VALUE else None
    if any(child.dep_ == "mark" and child.lower_ in {"if", "until", "unless", "though", "although"} for child in around):
        return None
    helpers = {child.lower_ for child in around if child.dep_ == "aux"}
    if "must" in helpers:
        return None
    tense = tense_of(verb)
    before = tense in {Tense.PAST, Tense.PAST_PERFECT}
    forward = any(child.lower_ == "forward" for child in around) or any(link.lower_ == "gon" for link in chain)
    if tense is Tense.FUTURE or forward or lemmas & lists["ahead"]:
        return None if before else When.FUTURE
    if before or tense is Tense.PERFECT:
        if lemmas & lists["arranged"]:
            return None
        begun = bool(lemmas & {"start", "begin", "join"})
        return When.PAST if (before or kind is Kind.EVENT) and not begun else When.ONGOING
    if helpers & _SUPPOSING or (tense is Tense.CONDITIONAL and "can" not in helpers):
        return None
    soon = kind is Kind.EVENT and any(word.lower_ in {"next", "upcoming", "tomorrow", "soon", "later"} for word in token.sent)
    return When.FUTURE if soon else When.ONGOING

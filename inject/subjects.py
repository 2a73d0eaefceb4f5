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
MAX_WORDS = 6


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


SAD_WORDS = frozenset(
    "death dead die died dying passed funeral loss lost grief grieve cancer sick illness ill hospital surgery injury injured hurt accident crash pain painful "
    "depression depressed anxiety anxious divorce breakup broke fired layoff debt stress stressed stressful tough hard difficult sad sorry struggle struggling "
    "lonely cry cried crying scared scary fear worried worry trauma abuse fight fought argument angry upset bad worse worst terrible awful horrible setback "
    "disaster flood fire storm war homeless weight diabetes heart emergency miss missed rough bummer unfortunately unlucky challenge challenging "
    "overwhelmed overwhelming frustrating frustrated problem problems issue issues discrimination rejected rejection failed failure lose losing nostalgia nostalgic longing clinic vet hurdle tricky".split()
)
# Sad in a turn that tells of them, but not in an answer, where they mostly belong to "hard work" or "a warm heart".
MILD_WORDS = frozenset("heart hard challenge challenging tough difficult stress stressful weight miss missed fight storm fire broke fear loss lose losing problem problems".split())
_OWNERS = {"my": ("my", "your", "own"), "our": ("our", "your", "own"), "your": ("your", "my", "other")}
_ARTICLES = {"a": "the", "an": "the", "the": "the", "this": "the", "that": "the", "these": "the", "those": "the"}
_EMPTY_ADJECTIVES = frozenset(
    "few many several real super really favorite favourite local nearby own other same next last first second third new different certain whole able such sure glad happy "
    "proud excited little great good nice awesome amazing cool best big huge perfect lovely wonderful fantastic incredible beautiful special interesting fun latest "
    "ideal various more most yummy delicious tasty gorgeous cute old fresh recent unique upcoming main important old amazing simple past full long small whole entire".split()
)
_AHEAD = frozenset("plan hope hop want wan wanna wait aim prep prepare intend think consider".split())
# "Family time" names a matter, "good time" does not.
_SHARED_TIMES = frozenset("time moment memory night".split())
_WITH_WHOM = frozenset("family quality childhood game movie".split())
_MADE_VALUES = frozenset("art music poetry fashion".split())
_OWN_AND_MANY = frozenset(("goal", "dream"))
# A game that the speaker makes is a work, one that they play a thing.
_MADE = frozenset("create make write develop build finish work design publish code program draft".split())
_ARRANGED = frozenset("arrange schedule book decide sign agree plan intend".split())
_CLOSE_PREPOSITIONS = frozenset(
    {("work", "on"), ("look", "into"), ("go", "to"), ("go", "on"), ("focus", "on"), ("listen", "to"), ("prepare", "for"), ("prep", "for"), ("wait", "for"), ("look", "for"), ("volunteer", "at"),
     ("forward", "to"), ("look", "to"), ("start", "with"), ("play", "with"), ("think", "of"), ("think", "about"), ("dream", "of"), ("practice", "for"), ("move", "to"), ("love", "for"),
     ("go", "for"), ("start", "on"), ("get", "into"), ("come", "to"), ("sign", "for"), ("passion", "for"), ("passionate", "about"), ("excited", "about"), ("excited", "for")}
)  # fmt: skip
_DEPENDENT_PREPOSITIONS = frozenset("of for from about between to than as like into on".split())
_NAMED_WITH = frozenset("of for to with".split())
_ODD_PLACES = frozenset("like as than except without besides unlike despite".split())


@dataclass(frozen=True, slots=True)
class Subject:
    """A phrase in the words of the turn's own speaker (`own`) and of the one who answers (`other`).

    `whose` is "own" (the speaker's), "other" (the answering one's) or empty; `start` the place of its head in the turn.
    `told` says that the clause is about the speaker, `central` that the phrase is its subject or object and the clause a main one,
    `bare` that the phrase has no article and no owner.
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
        if self.plural:
            return {**_PLURAL, "them": "them"}
        return {**{name: name for name in _PLURAL}, "them": "it"}


_PLURAL = {
    "is": "are", "has": "have", "was": "were", "does": "do", "it": "they", "sounds": "sound", "makes": "make", "helps": "help", "keeps": "keep",
    "means": "mean", "seems": "seem", "takes": "take", "gets": "get", "brings": "bring", "comes": "come", "gives": "give", "goes": "go",
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class Lexicon:
    """The nouns and verbs that may name a matter (`inject/bridges/subjects.yaml`)."""

    kinds: Mapping[Kind, frozenset[str]]
    needs_modifier: frozenset[str]
    gerunds: frozenset[str]
    gerunds_with_object: frozenset[str]

    def kind_of(self, lemma: str, *, owned: bool) -> Kind | None:
        """The kind of a noun; "painting" with a determiner is a picture, without one an activity."""
        if owned and lemma in {"painting", "drawing"}:
            return Kind.THING
        return next((kind for kind in Kind if lemma in self.kinds[kind]), None)


@lru_cache(maxsize=1)
def load_lexicon() -> Lexicon:
    """Read the lexicon that ships with the package; raises FrameError."""
    path = Path(str(resources.files("inject") / "bridges" / "subjects.yaml"))
    raw = read_yaml(path)
    names = {*Kind, "needs_modifier", "gerunds", "gerunds_with_object"}
    if not isinstance(raw, dict) or set(raw) != names:
        raise FrameError(f"expected exactly the lists {', '.join(sorted(names))}", file=path)
    lists = {name: frozenset(str(words).split()) for name, words in raw.items()}
    return Lexicon({kind: lists[kind] for kind in Kind}, lists["needs_modifier"], lists["gerunds"], lists["gerunds_with_object"])


def find_subjects(doc: Doc) -> Iterator[Subject]:
    """Phrases of a turn that can stand for what it was about, in reading order of their kinds of phrase."""
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
    if head.pos_ != "NOUN" or not head.text.islower() or not _stands_alone(chunk, head):
        return None
    words = [token for token in chunk if not token.is_space and token.pos_ != "INTJ"]
    owner = ""
    while words and not words[0].is_alpha:
        words = words[1:]
    if not words:
        return None
    if words[0].dep_ in {"det", "poss", "nummod", "predet"} or words[0].pos_ in {"DET", "PRON"}:
        owner, words = words[0].lower_, words[1:]
    while len(words) > 1 and (words[0].lower_ in _EMPTY_ADJECTIVES or words[0].pos_ == "ADV"):
        words = words[1:]
    if not words or len(words) > MAX_BODY + 2 * any(token.text == "-" for token in words) or words[-1].i != head.i or not all(_plain(token) for token in words):
        return None
    lexicon = load_lexicon()
    lemma = head.lemma_.lower()
    kind = lexicon.kind_of(lemma, owned=bool(owner))
    if kind is None:
        return None
    if kind is Kind.VALUE and owner in {"my", "our"} and lemma in _MADE_VALUES:
        kind = Kind.ACTIVITY
    if kind is Kind.THING and owner in {"my", "our"} and _maker(head):
        kind = Kind.WORK
    tail = [] if kind in {Kind.HELP, Kind.ADVICE} else _tail(chunk, head)
    plural = "Plur" in head.morph.get("Number")
    if tail is None or (lemma in lexicon.needs_modifier and len(words) == 1 and not tail and not _telling(owner, kind, plural=plural)):
        return None
    if lemma in _OWN_AND_MANY and not (plural and owner in _OWNERS):
        return None
    if lemma in _SHARED_TIMES and words[0].lower_ not in _WITH_WHOM:
        return None
    mass = kind in {Kind.ACTIVITY, Kind.VALUE, Kind.HELP, Kind.ADVICE}
    if any(token.lower_ in {"other", "another", "favorite", "favourite", "fave"} for token in chunk):
        return None
    if owner not in _OWNERS and owner not in _ARTICLES and owner not in {"", "some"}:
        return None
    if owner in {"", "some"} and not plural and not mass:
        return None
    phrase = chunk.doc[words[0].i : head.i + 1].text
    if words[0].is_sent_start and words[0].pos_ != "PROPN":
        phrase = phrase[:1].lower() + phrase[1:]
    if owner == "our" and kind not in {Kind.ROLE, Kind.PET, Kind.VALUE}:
        # "Our hike" may be the hike of both.
        own, other, whose = "our", "the", "own"
    elif owner in _OWNERS:
        own, other, whose = _OWNERS[owner]
    else:
        own = other = _ARTICLES.get(owner, "")
        whose = ""
    tails = (" ".join(_turned(word, 0) for word in tail), " ".join(_turned(word, 1) for word in tail))
    when = _when(head, kind)
    if when is None or (owner in {"a", "an"} and _in_general(head)):
        return None
    if kind is Kind.ACTIVITY and owner in _OWNERS and len(words) > 1:
        return None  # "I took my fam camping" is one phrase to the parser
    if kind is Kind.PET and when is When.FUTURE:
        when = When.ONGOING
    names = [" ".join(part for part in (word, phrase, rest) if part) for word, rest in zip((own, other), tails, strict=True)]
    return Subject(names[0], names[1], plural, lemma, whose, kind, when, head.i, _told(head), _central(head), not own)


def _in_general(head: Token) -> bool:
    """Whether "a book" means any book: "reading a book helps", not "I'm reading a book", "I've got a book"."""
    verb = governing_verb(head)
    if verb is None or verb.lemma_.lower() in {"have", "get", "own"}:
        return False
    return verb.dep_ in {"csubj", "pcomp"} or tense_of(verb) is Tense.PRESENT


def _maker(head: Token) -> bool:
    verb = governing_verb(head)
    return verb is not None and head.dep_ in {"dobj", "pobj"} and verb.lemma_.lower() in _MADE


def _telling(owner: str, kind: Kind, *, plural: bool) -> bool:
    """Whether a noun that says little alone is told apart by its owner ("my store", not "the store") or is meant in general ("books")."""
    return owner in _OWNERS or (not owner and plural and kind in {Kind.PET, Kind.THING, Kind.VALUE})


def _of_gerund(token: Token) -> Subject | None:
    if token.tag_ != "VBG" or token.pos_ != "VERB" or any(child.dep_ in {"neg", "aux", "nsubj", "prt"} and child.dep_ != "aux" for child in token.children):
        return None
    lexicon = load_lexicon()
    lemma = token.lemma_.lower()
    finite = any(child.dep_ == "aux" for child in token.children)
    if not finite and token.dep_ not in {"csubj", "pcomp", "xcomp", "conj", "ROOT"}:
        return None
    after = token.doc[token.i + 1] if token.i + 1 < len(token.doc) else None
    objects = [child for child in token.children if child.dep_ == "dobj"]
    when = _when(token, Kind.ACTIVITY)
    if when is None or any(child.dep_ in {"acomp", "ccomp"} for child in token.children):
        return None
    told = _told(token)
    name = token.text.lower()
    if not objects and lemma in lexicon.gerunds:
        if after is not None and after.lower_ in {"-", "of", "up", "out", "off"}:
            return None
        return Subject(name, name, False, lemma, "", Kind.ACTIVITY, when, token.i, told, _central(token), True)
    if len(objects) != 1 or lemma not in lexicon.gerunds_with_object:
        return None
    whole = objects[0]
    span = [word for word in token.doc[whole.left_edge.i : whole.i + 1] if not word.is_space]
    if whole.left_edge.i != token.i + 1 or len(span) > 3 or not all(_plain(word) for word in span[-2:]) or _cut_off(whole):
        return None
    first = span[0].lower_
    if len(span) > 1 and span[0].pos_ in {"DET", "PRON"}:
        if first not in {"my", "our", "the"}:
            return None
    elif len(span) == 3 or first in _EMPTY_ADJECTIVES:
        return None
    if whole.pos_ != "NOUN" or (span[0].pos_ not in {"DET", "PRON"} and whole.tag_ == "NN" and lemma != "play" and lexicon.kind_of(whole.lemma_.lower(), owned=False) not in {Kind.ACTIVITY, Kind.VALUE}):
        return None
    rest = [[_turned(word.text, side) for word in span] for side in (0, 1)]
    own, other = (" ".join([name, *words]) for words in rest)
    return Subject(own, other, False, lemma, "", Kind.ACTIVITY, when, whole.i, told, _central(token), True)


def _turned(word: str, side: int) -> str:
    """A word as the one (0) or the other (1) speaker says it."""
    return _OWNERS[word.lower()][side] if word.lower() in _OWNERS else word


def _cut_off(head: Token) -> bool:
    return any(child.dep_ in {"relcl", "acl", "cc", "conj", "neg", "appos"} or (child.dep_ == "prep" and child.lower_ in _DEPENDENT_PREPOSITIONS) for child in head.children)


def _stands_alone(chunk: Span, head: Token) -> bool:
    """Whether the phrase loses nothing when what follows it is cut off; a short "of" or "for" phrase can be kept (`_tail`)."""
    following = chunk.doc[chunk.end] if chunk.end < len(chunk.doc) else None
    if following is not None and (following.lower_ in {"'s", "-", "/", "\u2019s"} or following.dep_ == "case"):
        return False
    if any(child.dep_ in {"relcl", "acl", "cc", "conj", "neg", "appos"} for child in head.children):
        return False
    if head.dep_ == "pobj" and head.head.lower_ in _ODD_PLACES:
        return False
    if head.dep_ == "attr" and any(child.pos_ == "PROPN" for child in head.head.children):
        return False
    return head.dep_ in {"nsubj", "nsubjpass", "dobj", "pobj", "ROOT", "attr"}


def _tail(chunk: Span, head: Token) -> list[str] | None:
    """The words of a prepositional phrase that the head needs: empty when it needs none, None when they cannot be kept."""
    after = chunk.doc[chunk.end] if chunk.end < len(chunk.doc) else None
    if after is None or after.dep_ != "prep" or after.head.i != head.i or after.lower_ not in _DEPENDENT_PREPOSITIONS | {"with"}:
        return []
    objects = [child for child in after.children if child.dep_ == "pobj"]
    if after.lower_ not in _NAMED_WITH or len(objects) != 1:
        return None if after.lower_ != "with" else []
    whole = objects[0]
    span = chunk.doc[after.i : whole.i + 1]
    if len(span) > 4 or whole.right_edge.i != whole.i or whole.pos_ not in {"NOUN", "PROPN"}:
        return None if after.lower_ != "with" else []
    inner = [token for token in span[1:] if token.lower_ not in _OWNERS]
    if any(token.dep_ in {"poss", "case", "nummod"} or token.lower_ in {"a", "an", "it", "them", "this", "these", "those", "that"} for token in inner):
        return None if after.lower_ != "with" else []
    if any(token.lower_ in SAD_WORDS or not token.text.replace("-", "").isalpha() for token in inner):
        return None
    return [token.text for token in span]


def _plain(token: Token) -> bool:
    if token.text == "-":
        return not token.whitespace_ and not token.nbor(-1).whitespace_
    if token.lower_ in {"love", "like"}:
        return False  # "I do love animals" with "love" taken for a noun
    if token.lower_ in SAD_WORDS or token.like_num or not token.text.replace("-", "").isalpha():
        return False
    if token.lower_ in _OWNERS or token.lower_ == "the":
        return True
    if token.pos_ in {"NOUN", "PROPN"} or token.tag_ == "VBG":
        return not token.text.isupper() or len(token.text) < 6
    return token.pos_ == "ADJ" and token.tag_ == "JJ" and token.lower_ not in _EMPTY_ADJECTIVES


def _told(token: Token) -> bool:
    """Whether the clause is the speaker's own: its subject is "I" or "we", or a thing of theirs, or it has none, or its sentence says "me"."""
    verb = governing_verb(token)
    actor = next((child for child in verb.children if child.dep_ in {"nsubj", "nsubjpass"}), None) if verb is not None else None
    if actor is not None and actor.lower_ in {"he", "she", "they", "you"}:
        return False
    if any(word.lower_ in {"me", "us", "my", "our", "i"} for word in token.sent):
        return True
    for _ in range(6):
        if verb is None:
            return True
        subject = next((child for child in verb.children if child.dep_ in {"nsubj", "nsubjpass", "csubj"}), None)
        if subject is not None:
            return subject.lower_ in {"i", "we"} or any(child.lower_ in {"my", "our"} for child in subject.subtree)
        if verb.head.i == verb.i:
            return True
        verb = governing_verb(verb.head)
    return False


def _central(token: Token) -> bool:
    """Whether a phrase is the subject or object of a main clause, not a circumstance or part of another phrase."""
    here, steps = token, 0
    if token.dep_ == "pobj" and (token.head.head.lemma_.lower(), token.head.lower_) not in _CLOSE_PREPOSITIONS:
        return False
    while here.head.i != here.i and steps < 8:
        if here.dep_ in {"advcl", "relcl", "acl"}:
            return False
        here, steps = here.head, steps + 1
    return True


def _when(token: Token, kind: Kind) -> When | None:
    """The time of the clause; None where it is denied, supposed or conditional."""
    verb = governing_verb(token)
    if verb is None:
        return When.ONGOING
    chain = [verb]
    while chain[-1].dep_ in {"xcomp", "ccomp", "pcomp", "advcl", "conj"} and chain[-1].head.i != chain[-1].i:
        above = governing_verb(chain[-1].head)
        if above is None or above in chain:
            break
        chain.append(above)
    lemmas = {link.lemma_.lower() for link in chain}
    if any(link.lemma_.lower() == "use" and link.tag_ == "VBD" for link in chain):
        return None
    denied = any(child.dep_ == "neg" for link in chain for child in link.children)
    if denied:
        return When.FUTURE if "wait" in lemmas and kind is not Kind.VALUE else None
    if any(child.dep_ == "mark" and child.lower_ in {"if", "until", "unless", "though", "although"} for link in chain for child in link.children):
        return None
    tense = tense_of(verb)
    forward = any(child.lower_ == "forward" for link in chain for child in link.children)
    helpers = {child.lower_ for link in chain for child in link.children if child.dep_ == "aux"}
    if tense is Tense.FUTURE or lemmas & _AHEAD or forward or any(link.lower_ == "gon" for link in chain):
        return When.FUTURE if tense not in {Tense.PAST, Tense.PAST_PERFECT} else None
    if tense in {Tense.PAST, Tense.PAST_PERFECT, Tense.PERFECT} and lemmas & _ARRANGED:
        return None
    if tense in {Tense.PAST, Tense.PAST_PERFECT} or (tense is Tense.PERFECT and kind is Kind.EVENT):
        return When.PAST
    if tense is Tense.CONDITIONAL or helpers & {"would", "'d", "should", "could", "might", "may"}:
        return When.ONGOING if helpers & {"can"} and not helpers & {"would", "'d", "should", "could", "might", "may", "must"} else None
    return When.ONGOING

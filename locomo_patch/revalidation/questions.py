"""Questions, read for re-validation: whom they concern, what they ask for, in which window of time, and what the gold is."""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date, timedelta
from enum import StrEnum
from typing import TYPE_CHECKING, Any

from locomo_patch.evidence import parse_references
from locomo_patch.revalidation.asking import Asking, read_asking
from personas.nicknames import speaker_forms
from personas.questions import AnswerKind, AskedQuestion, read_questions
from twistcore.corpus import Category, Conversation, Question, Turn
from twistcore.text.calendars import Range, month_range
from twistcore.text.claims import lemma_of
from twistcore.text.parses import Parser

if TYPE_CHECKING:
    from spacy.tokens import Doc, Token

_MONTHS = ["january", "february", "march", "april", "may", "june", "july", "august", "september", "october", "november", "december"]
_MONTH = "|".join(_MONTHS)
_SHORT_MONTH = "jan|feb|mar|apr|jun|jul|aug|sept?|oct|nov|dec"
_DATED = re.compile(
    rf"\b(?P<lead>as of|by|before|after|since|until|in|on|during|around|near|of)? ?(?:the )?(?:(?P<day1>\d{{1,2}})(?:st|nd|rd|th)?"
    rf" ?(?:of )?)?(?P<month>{_MONTH}|{_SHORT_MONTH})\b\.?(?: (?P<day2>\d{{1,2}})(?:st|nd|rd|th)?\b)?,? ?(?:of )?(?P<year>(?:19"
    rf"|20)\d\d)?"
    rf"|\b(?P<lead2>as of|by|before|after|since|until|in|during|around)? ?(?P<only>(?:19|20)\d\d)\b",
    re.IGNORECASE,
)
_HOW_LONG = re.compile(r"\bhow long\b|\bhow many (?:years|months|weeks|days|hours)\b|\bhow old\b", re.IGNORECASE)
_WHY_HOW = re.compile(
    r"^\W*(?:why|how (?!many|often|long|old|much)|what (?:inspired|motivated|made|prompted|caused))", re.IGNORECASE
)
_SAYS = re.compile(
    r"\b(?:say|said|tell|told|describe[sd]?|think of|according to|advice|suggest\w*|recommend\w*|mention\w*)\b", re.IGNORECASE
)
_STATE = re.compile(r"\b(?:is|are|does|do|has|have|currently|current|'s)\b", re.IGNORECASE)
_PAST = re.compile(r"\b(?:did|was|were|had)\b", re.IGNORECASE)
_PLAN = re.compile(r"\b(?:plan\w*|going to|will|would|want\w*|hop\w+|look\w* forward|goals?|intend\w*)\b", re.IGNORECASE)
_NAME = re.compile(r"\bnames?\b|\bcalled\b", re.IGNORECASE)
_ASKED = frozenset({"what", "which", "whose"})
_CONTENT = frozenset({"NOUN", "PROPN", "VERB", "ADJ", "NUM"})
_TELLING = frozenset({"move", "show", "call"})
_SPLIT = re.compile(r"\s*(?:[,;&]|\band\b|\bor\b)\s*")


_JUST = re.compile(r"\b(?:week|weekend|days?|night|\w+day)\s*$", re.IGNORECASE)


class Window(StrEnum):
    """How a dated question bounds the time that it asks about."""

    WITHIN = "within"
    UNTIL = "until"
    SINCE = "since"


@dataclass(frozen=True)
class QuestionReading:
    """A question with its content words, what it asks for, its window, its gold, and the words of its evidence.

    `words` are content lemmas without the speakers' names; `asked_for` the nouns that name the sort of answer; `members` the parts
    of the gold (of the trap for an adversarial question); `rare` weighs a lemma by how rarely the conversation's questions and
    turns
    use it; `kept` is room for what is worked out once a question.
    """

    question: Question
    asked: AskedQuestion
    words: frozenset[str]
    nouns: frozenset[str]
    verbs: frozenset[str]
    asked_for: frozenset[str]
    names: frozenset[str]
    members: tuple[frozenset[str], ...]
    gold: frozenset[str]
    evidence: frozenset[str]
    evidence_ids: tuple[str, ...]
    evidence_day: date | None
    window: tuple[Window, Range] | None
    how_long: bool
    explains: bool
    quotes: bool
    state: bool
    past: bool
    plan: bool
    name: bool
    asking: Asking
    kept: dict[Any, Any] = field(default_factory=dict, compare=False, repr=False)

    @property
    def kinds(self) -> frozenset[AnswerKind]:
        """What sort of answer it asks for."""
        return self.asked.kinds

    @property
    def adversarial(self) -> bool:
        """Whether it is a trap without an answer in the record."""
        return self.question.category is Category.ADVERSARIAL

    @property
    def about(self) -> frozenset[str]:
        """The speakers that it is about; empty where it names nobody."""
        return self.asked.about


@dataclass(frozen=True)
class ConversationQuestions:
    """All questions of one conversation, read, with what they are weighed by. `said` has the content of each turn in order;
    `kept` is
    room for what is worked out once a conversation."""

    conversation: Conversation
    readings: tuple[QuestionReading, ...]
    rare: Mapping[str, float]
    said: tuple[frozenset[str], ...] = ()
    kept: dict[Any, Any] = field(default_factory=dict, compare=False, repr=False)

    def weight(self, lemma: str) -> float:
        """How telling a lemma is here: 1 for one that nobody used."""
        return self.rare.get(lemma, 1.0)


def read_conversation_questions(conversation: Conversation, parser: Parser) -> ConversationQuestions:
    """Read every question of a conversation; parses are kept on disk by the parser."""
    forms = speaker_forms(conversation)
    asked = read_questions(conversation, parser, forms)
    turns = list(conversation.turns())
    texts = [turn.text for turn in turns]
    captions = [caption for turn in turns for caption in (turn.caption, turn.query) if caption]
    docs = dict(zip([*texts, *captions], parser.parse_kept([*texts, *captions]), strict=True))
    names = frozenset().union(*forms.values())
    lemmas = {text: _lemmas(doc, names) for text, doc in docs.items()}
    by_id = {turn.dia_id: turn for turn in turns}
    questions = [question.question.question for question in asked]
    parsed = parser.parse_kept([text for q in asked for text in _texts(q.question)])
    of_text = dict(zip([text for q in asked for text in _texts(q.question)], parsed, strict=True))
    rare = _rarity([lemmas[text] for text in texts] + [_lemmas(of_text[text], names) for text in questions])
    readings = tuple(_read(question, of_text, names, by_id, lemmas, conversation) for question in asked)
    said = tuple(_evidence_words(turn, lemmas) for turn in turns)
    return ConversationQuestions(conversation, readings, rare, said)


def _texts(question: Question) -> list[str]:
    texts = [question.question]
    texts += [str(given) for given in (question.answer, question.adversarial_answer) if given is not None and str(given).strip()]
    return texts


def _rarity(bags: Sequence[frozenset[str]]) -> dict[str, float]:
    counts = Counter(lemma for bag in bags for lemma in bag)
    top = math.log(len(bags) + 1.0)
    return {lemma: max(0.1, math.log((len(bags) + 1.0) / (count + 0.5)) / top) for lemma, count in counts.items()}


def _lemmas(doc: Doc, names: frozenset[str]) -> frozenset[str]:
    return frozenset(
        lemma_of(token)
        for token in doc
        if token.pos_ in _CONTENT and not _is_empty(token) and token.lower_ not in names and token.is_alpha
    )


def _is_empty(token: Token) -> bool:
    """Whether a token is a stop word; some that stand in the parser's list tell what a question is about (move, show)."""
    return token.is_stop and not (token.lower_ in _TELLING and token.pos_ in ("NOUN", "VERB"))


def _any_words(doc: Doc, names: frozenset[str]) -> frozenset[str]:
    """The words of a question in which the parser sees none of content."""
    return frozenset(lemma_of(token) for token in doc if token.is_alpha and not token.is_stop and token.lower_ not in names)


def _read(
    asked: AskedQuestion,
    docs: Mapping[str, Doc],
    names: frozenset[str],
    by_id: Mapping[str, Turn],
    lemmas: Mapping[str, frozenset[str]],
    conversation: Conversation,
) -> QuestionReading:
    question = asked.question
    text = question.question
    doc = docs[text]
    given = question.answer if question.answer is not None and question.category.answerable else question.adversarial_answer
    answer = str(given) if given is not None else ""
    gold = _lemmas(docs[answer], names) if answer.strip() else frozenset()
    cited = tuple(ref.dia_id for raw in question.evidence for ref in parse_references(raw) if ref.dia_id in by_id)
    days = [conversation.session(by_id[dia_id].session).date.date() for dia_id in cited]
    content = _lemmas(doc, names) or _any_words(doc, names)
    asked_for = frozenset(_asked_for(doc, names))
    return QuestionReading(
        question=question,
        asked=asked,
        words=content,
        nouns=frozenset(lemma_of(t) for t in doc if t.pos_ in ("NOUN", "PROPN") and t.lower_ not in names and not _is_empty(t)),
        verbs=frozenset(lemma_of(t) for t in doc if t.pos_ == "VERB" and not _is_empty(t)),
        asked_for=asked_for,
        names=frozenset(t.lower_ for t in doc if _is_name(t, names)),
        members=tuple(_members(answer)),
        gold=gold,
        evidence=frozenset().union(*(_evidence_words(by_id[dia_id], lemmas) for dia_id in cited)) if cited else frozenset(),
        evidence_ids=cited,
        evidence_day=max(days) if days else None,
        window=_window(text, conversation),
        how_long=_HOW_LONG.search(text) is not None,
        explains=_WHY_HOW.search(text) is not None,
        quotes=_SAYS.search(text) is not None,
        state=_STATE.search(text) is not None and _PAST.search(text) is None,
        past=_PAST.search(text) is not None,
        plan=_PLAN.search(text) is not None,
        name=_NAME.search(text) is not None,
        asking=read_asking(doc, asked_for, gold, answer, names, trap=question.category is Category.ADVERSARIAL),
    )


def _is_name(token: Token, names: frozenset[str]) -> bool:
    """Whether a word of a question names something other than a speaker, a day or a month."""
    if token.i == 0 or not token.text[:1].isupper() or token.lower_ in names or token.lower_ in _MONTHS or not token.is_alpha:
        return False
    return token.pos_ in ("PROPN", "NOUN", "ADJ") and not token.is_stop


def _evidence_words(turn: Turn, lemmas: Mapping[str, frozenset[str]]) -> frozenset[str]:
    found = lemmas[turn.text]
    for caption in (turn.caption, turn.query):
        if caption:
            found = found | lemmas[caption]
    return found


def _asked_for(doc: Doc, names: frozenset[str]) -> Iterable[str]:
    """The nouns that name the sort of answer: of "what kinds of pets", pet; of "what is Jon's favorite style of dance", style,
    dance."""
    for token in doc:
        if token.lower_ in _ASKED and token.dep_ in ("det", "poss", "nmod"):
            yield from _noun_chain(token.head, names)
        elif token.lower_ == "what" and token.dep_ in ("attr", "nsubj", "dobj", "pobj"):
            verb = token.head
            if verb.lemma_ == "be":
                for child in verb.children:
                    if child.dep_ in ("nsubj", "attr") and child.i != token.i:
                        yield from _noun_chain(child, names)
        elif token.lower_ == "many" and token.head.pos_ == "NOUN":
            yield from _noun_chain(token.head, names)


def _noun_chain(token: Token, names: frozenset[str]) -> Iterable[str]:
    if token.pos_ in ("NOUN", "PROPN") and token.lower_ not in names:
        yield lemma_of(token)
        for child in token.children:
            if child.dep_ == "compound" and child.lower_ not in names:
                yield lemma_of(child)
            if child.dep_ == "prep" and child.lower_ in ("of", "for"):
                for grand in child.children:
                    if grand.dep_ == "pobj":
                        yield from _noun_chain(grand, names)
            if child.dep_ == "poss" and child.pos_ == "NOUN":
                yield lemma_of(child)


def _members(answer: str) -> Iterable[frozenset[str]]:
    for part in _SPLIT.split(answer):
        words = frozenset(
            word for word in re.findall(r"[a-z][a-z'-]+|\d+", part.lower()) if word not in {"the", "and", "her", "his", "a", "an"}
        )
        if words:
            yield words


def _window(text: str, conversation: Conversation) -> tuple[Window, Range] | None:
    """The first absolute date of a question, as a range; a month without a year is that of the conversation's sessions."""
    for match in _DATED.finditer(text):
        lead = (match["lead"] or match["lead2"] or "").lower()
        span = _range(match, conversation)
        if span is None:
            continue
        if lead == "before" and _JUST.search(text[: match.start()]):
            return Window.WITHIN, (span[0] - timedelta(days=10), span[1])
        if lead in ("as of", "by", "before", "until"):
            return Window.UNTIL, span
        if lead in ("after", "since"):
            return Window.SINCE, span
        return Window.WITHIN, span
    return None


def _range(match: re.Match[str], conversation: Conversation) -> Range | None:
    if match["only"]:
        year = int(match["only"])
        return date(year, 1, 1), date(year, 12, 31)
    month = next(number for number, name in enumerate(_MONTHS, start=1) if name.startswith(match["month"][:3].lower()))
    if match["month"] == "may" or (
        match["month"] == "May" and not (match["lead"] or match["year"] or match["day1"] or match["day2"])
    ):
        return None
    day = match["day1"] or match["day2"]
    years = [int(match["year"])] if match["year"] else sorted({s.date.year for s in conversation.sessions if s.date.month == month})
    if not years:
        return None
    first, last = month_range(years[0], month)[0], month_range(years[-1], month)[1]
    if day and 1 <= int(day) <= month_range(years[0], month)[1].day:
        return first.replace(day=int(day)), first.replace(day=int(day))
    return first, last

"""`--cases`: injected turns of somebody else's, and a verdict on every question of their conversation."""

from __future__ import annotations

import statistics
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from itertools import pairwise
from pathlib import Path
from typing import Literal

from pydantic import BaseModel, ConfigDict, Field

from locomo_patch.revalidation.decide import decide_all
from locomo_patch.revalidation.identity import question_key
from locomo_patch.revalidation.questions import ConversationQuestions, read_conversation_questions
from locomo_patch.revalidation.said import with_mentions
from locomo_patch.revalidation.states import CaseVerdict, Decision, Policy, after_policy
from locomo_patch.revalidation.turns import InjectedTurn, TurnReading, read_turn
from twistcore.corpus import Conversation, Corpus
from twistcore.errors import UsageError
from twistcore.stored import read_rows
from twistcore.text.claims import lemma_of
from twistcore.text.parses import Parser

# Decides again what rules could not, given the questions, the injected turns and the decisions so far.
Ask = Callable[[ConversationQuestions, Sequence[InjectedTurn], list[Decision]], list[Decision]]
APPEND = "append"
CONTEXT_TURNS = 2
_CONTENT = frozenset({"NOUN", "PROPN", "VERB", "ADJ"})


class Injection(BaseModel):
    """One injected turn of a case, as others write it; fields that we do not know are ignored."""

    model_config = ConfigDict(extra="ignore", frozen=True)

    session: int | Literal["append"]
    after: str | None = None
    speaker: str
    text: str = Field(min_length=1)


class CaseFile(BaseModel):
    """One line of a cases file; other fields (labels) are ignored."""

    model_config = ConfigDict(extra="ignore", frozen=True)

    case_id: str
    sample_id: str
    injections: list[Injection] = Field(min_length=1)


@dataclass(frozen=True)
class PlacedTurn:
    """An injected turn with the texts that stand just before it."""

    turn: InjectedTurn
    before: tuple[str, ...]


def read_cases(path: Path, corpus: Corpus) -> list[CaseFile]:
    """The cases of a file; raises UsageError with the line of the first that is malformed or names what the corpus lacks."""
    cases = []
    for number, case in read_rows(path, CaseFile.model_validate, UsageError):
        _require_known(case, corpus, path, number)
        cases.append(case)
    return cases


def _require_known(case: CaseFile, corpus: Corpus, path: Path, number: int) -> None:
    try:
        conversation = corpus.conversation(case.sample_id)
    except KeyError:
        raise UsageError(f"no conversation {case.sample_id}", file=path, place=f"line {number}") from None
    for injection in case.injections:
        wrong = _wrong(injection, conversation)
        if wrong:
            raise UsageError(wrong, file=path, place=f"line {number} ({case.case_id})")


def _wrong(injection: Injection, conversation: Conversation) -> str | None:
    if injection.speaker not in conversation.speakers:
        return f"{injection.speaker} does not speak in {conversation.sample_id}"
    if injection.session == APPEND:
        return None
    try:
        conversation.session(int(injection.session))
    except KeyError:
        return f"{conversation.sample_id} has no session {injection.session}"
    if injection.after is None:
        return None
    try:
        found = conversation.turn(injection.after)
    except (KeyError, ValueError):
        return f"{conversation.sample_id} has no turn {injection.after}"
    return None if found.session == injection.session else f"{injection.after} is no turn of session {injection.session}"


def appended_day(conversation: Conversation) -> date:
    """The day of one later session: the last date plus the median gap (SCHEMAS.md, issue's `append`)."""
    days = [session.date.date() for session in conversation.sessions]
    gaps = [(later - earlier).days for earlier, later in pairwise(days)]
    return days[-1] + timedelta(days=int(statistics.median(gaps)) if gaps else 7)


def place(case: CaseFile, conversation: Conversation) -> list[PlacedTurn]:
    """The injected turns of a case in their places: single turns as given, nothing renumbered."""
    placed: list[PlacedTurn] = []
    for number, injection in enumerate(case.injections, start=1):
        appended = injection.session == APPEND
        session = len(conversation.sessions) + 1 if appended else int(injection.session)
        day = appended_day(conversation) if appended else conversation.session(session).date.date()
        turn = InjectedTurn(
            f"injection:{number}",
            session,
            day,
            injection.speaker,
            conversation.partner_of(injection.speaker),
            injection.text,
            injection.after,
        )
        placed.append(PlacedTurn(turn, tuple(_texts_before(injection, conversation, placed, appended))))
    return placed


def _texts_before(injection: Injection, conversation: Conversation, placed: Sequence[PlacedTurn], appended: bool) -> list[str]:
    if appended:
        return [earlier.turn.text for earlier in placed if earlier.turn.session > len(conversation.sessions)][-CONTEXT_TURNS:]
    turns = conversation.session(int(injection.session)).turns
    if injection.after is None:
        return []
    position = conversation.turn(injection.after).position
    return [turn.text for turn in turns[max(0, position - CONTEXT_TURNS) : position]]


def read_placed(placed: Sequence[PlacedTurn], parser: Parser) -> list[TurnReading]:
    """Read injected turns, each with the content words of what stands before it."""
    parser.parse_all([text for each in placed for text in (each.turn.text, *each.before)])
    found: list[TurnReading] = []
    for each in placed:
        doc = parser.parse(each.turn.text)
        found.append(with_mentions(read_turn(each.turn, doc, frozenset(_content(each.before, parser))), doc))
    return found


def _content(texts: Sequence[str], parser: Parser) -> Iterator[str]:
    for text in texts:
        for token in parser.parse(text):
            if token.pos_ in _CONTENT and not token.is_stop:
                yield lemma_of(token)


def judge_cases(
    corpus: Corpus,
    cases: Sequence[CaseFile],
    parser: Parser,
    policy: Policy,
    ask: Ask | None = None,
    contexts: dict[str, ConversationQuestions] | None = None,
) -> Iterator[CaseVerdict]:
    """A verdict on every question of every case's conversation; conversations never mix (three Johns are three people).

    `contexts` keeps the conversations that were read, from one call to the next.
    """
    contexts = contexts if contexts is not None else {}
    for case in cases:
        conversation = corpus.conversation(case.sample_id)
        if case.sample_id not in contexts:
            contexts[case.sample_id] = read_conversation_questions(conversation, parser)
        context = contexts[case.sample_id]
        placed = place(case, conversation)
        decisions = decide_all(context, read_placed(placed, parser))
        if ask is not None:
            decisions = ask(context, [each.turn for each in placed], decisions)
        seen: dict[str, int] = {}
        for reading, decision in zip(context.readings, decisions, strict=True):
            question = reading.question
            key = question_key(question.question, question.category.number, question.evidence)
            seen[key] = seen.get(key, 0) + 1
            yield CaseVerdict(
                case_id=case.case_id,
                question=question.question,
                occurrence=seen[key],
                category=question.category,
                state=decision.state,
                state_after_policy=after_policy(decision, policy),
                kind=decision.kind,
                reason=decision.reason,
                injected=list(decision.injected),
            )

"""The judge of what the rules leave undecided: a language model that sees dated, standalone lines and must quote what it rests on.

A judge is asked nothing real before it has rejected planted vague and wrong-speaker answers (planted.py). What it cannot
tell, and what it cannot be asked, stays undecided: a failure never counts as "not perturbed".
"""

from __future__ import annotations

import calendar
import re
import unicodedata
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from datetime import date
from enum import StrEnum
from importlib import resources
from importlib.resources.abc import Traversable
from typing import Protocol

from locomo_patch.revalidation.questions import QuestionReading
from locomo_patch.revalidation.states import Decision, Kind, Rule, State
from locomo_patch.revalidation.turns import InjectedTurn
from twistcore.chat.client import ChatClient
from twistcore.chat.dialect import Message
from twistcore.chat.prompts import Prompt, escape_text, load_prompt
from twistcore.corpus import Conversation, Turn
from twistcore.errors import ModelFailedError
from twistcore.verdicts import Stored

BY = "judge:"
PROMPT = "judge.j2"
VARIABLES = ("question", "gold", "evidence", "injected")
# After so many failed calls in a row the endpoint is taken for dead: the rest is counted as failed without waiting for each.
GIVE_UP_AFTER = 5
# Fewer words could stand in any line.
_LEAST_QUOTED = 3
# So many words of the record in a row make a reason a copy of it, which may not go into files that are published as a patch.
_COPIED = 6
_LONGEST_WHY = 240
_WORD = re.compile(r"\w+")


class Perturbed(StrEnum):
    """What a judge says of one question."""

    YES = "yes"
    NO = "no"
    CANNOT_TELL = "cannot_tell"


class JudgeReply(Stored):
    """The shape in which the model answers. Every key must be there; `kind` is null unless the answer is yes."""

    perturbed: Perturbed
    kind: Kind | None
    quote: str
    why: str


@dataclass(frozen=True, slots=True)
class DatedLine:
    """One turn, readable alone."""

    day: date
    speaker: str
    text: str

    @property
    def head(self) -> str:
        """What stands before the text: `[8 May, 2023] Caroline:`."""
        return f"[{self.day.day} {calendar.month_name[self.day.month]}, {self.day.year}] {self.speaker}:"

    def __str__(self) -> str:
        return f"{self.head} {self.text}"


@dataclass(frozen=True, slots=True)
class InjectedLine:
    """A new line with its neighbours."""

    line: DatedLine
    before: tuple[DatedLine, ...] = ()
    after: tuple[DatedLine, ...] = ()


@dataclass(frozen=True, slots=True)
class JudgeQuestion:
    """What a judge is shown. `gold` is None where the key says that the question cannot be answered."""

    question: str
    gold: str | None
    evidence: tuple[DatedLine, ...]
    injected: tuple[InjectedLine, ...]


@dataclass(frozen=True, slots=True)
class JudgeVerdict:
    """A judge's answer after the quote was checked. `kind` is set only where it says yes and names one that can be."""

    perturbed: Perturbed
    kind: Kind | None
    quote: str
    why: str


class Judge(Protocol):
    """Whoever can be asked about an undecided question."""

    @property
    def model(self) -> str:
        """The name under which its verdicts are recorded."""
        ...

    def judge(self, question: JudgeQuestion) -> JudgeVerdict:
        """A verdict; raises ModelFailedError where none could be had."""
        ...


class ChatJudge:
    """A model behind a chat client. Raises FrameError at once where the prompt file cannot be filled."""

    def __init__(self, client: ChatClient, prompt: Prompt | None = None) -> None:
        self.client = client
        self.prompt = prompt or load_judge_prompt()
        for gold in ("This.", None):
            render(self.prompt, replace(_SAMPLE, gold=gold))

    @property
    def model(self) -> str:
        """The model's name."""
        return self.client.model

    def judge(self, question: JudgeQuestion) -> JudgeVerdict:
        """The model's verdict; raises ModelFailedError after the client's attempts."""
        reply = self.client.ask_json(render(self.prompt, question), JudgeReply, label="judge")
        return read_verdict(question, reply)


def load_judge_prompt(file: Traversable | None = None) -> Prompt:
    """The judge's prompt: the file beside this module, or somebody's own; raises FrameError."""
    return load_prompt(file or resources.files("locomo_patch.revalidation") / PROMPT, VARIABLES)


def render(prompt: Prompt, question: JudgeQuestion) -> list[Message]:
    """The messages for one question, everything from the corpus escaped."""
    return prompt.render(question=question.question, gold=question.gold, evidence=question.evidence, injected=question.injected)


def read_verdict(question: JudgeQuestion, reply: JudgeReply) -> JudgeVerdict:
    """A reply as a verdict: without words of a new line that it rests on, it is one that cannot tell."""
    why = _own_words(reply.why, question)
    if reply.perturbed is Perturbed.CANNOT_TELL:
        return JudgeVerdict(Perturbed.CANNOT_TELL, None, "", why)
    if not any(_stands_in(reply.quote, each.line) for each in question.injected):
        return JudgeVerdict(Perturbed.CANNOT_TELL, None, "", f"said {reply.perturbed.value} and quoted no new line")
    kind = reply.kind if reply.perturbed is Perturbed.YES else None
    if kind is not None and (kind is Kind.NOW_ANSWERABLE) is not (question.gold is None):
        kind = None
    return JudgeVerdict(reply.perturbed, kind, " ".join(reply.quote.split()), why)


def _stands_in(quote: str, line: DatedLine) -> bool:
    """Whether the quote is a run of the line's words, three at least or all that there are. Case, punctuation and the shape of
    quotation marks do not count, and the words of the line's head do not help."""
    for text, head in ((line.text, line.head), (escape_text(line.text), escape_text(line.head))):
        quoted = _words(quote.strip().removeprefix(head))
        said = _words(text)
        if len(quoted) >= min(_LEAST_QUOTED, len(said)) > 0 and f" {' '.join(quoted)} " in f" {' '.join(said)} ":
            return True
    return False


def _words(text: str) -> list[str]:
    return _WORD.findall(unicodedata.normalize("NFKC", text).casefold())


def _own_words(why: str, question: JudgeQuestion) -> str:
    """A reason for the files: one line, not long, and no copy of LoCoMo's text."""
    words = _words(why)
    record = [*question.evidence, *(each for new in question.injected for each in (*new.before, *new.after))]
    runs = {" ".join(words[start : start + _COPIED]) for start in range(len(words) - _COPIED + 1)}
    if any(f" {run} " in f" {' '.join(_words(line.text))} " for run in runs for line in record):
        return "its reason repeats the record and is left out"
    line = "".join(each for each in " ".join(why.split()) if unicodedata.category(each) not in ("Cc", "Cs"))
    return line if len(line) <= _LONGEST_WHY else f"{line[:_LONGEST_WHY].rstrip()} ..."


@dataclass(frozen=True, slots=True)
class JudgeFailure:
    """A question that a judge was to be asked and gave no answer to: its place in the list, and why."""

    index: int
    reason: str


@dataclass(frozen=True, slots=True)
class Judged:
    """Decisions after the judge, in their order. `asked` counts the undecided ones, `settled` those that are no longer."""

    decisions: list[Decision]
    asked: int = 0
    settled: int = 0
    failures: list[JudgeFailure] = field(default_factory=list)


def judge_undecided(decisions: Sequence[Decision], pose: Callable[[int], JudgeQuestion], judge: Judge) -> Judged:
    """Put every undecided decision to a judge that has qualified; `pose` makes the question for a place in the list.

    The others are returned as they are. Every decision that was put to the judge carries its name in `by`, also where it could not
    tell or failed, so that a policy for what no model was asked does not cover it. Questions that look the same to the judge are
    asked once, so that byte-identical twins share their fate.
    """
    answers: dict[JudgeQuestion, JudgeVerdict | str] = {}
    found = list(decisions)
    failures: list[JudgeFailure] = []
    asked = settled = in_a_row = 0
    for index, earlier in enumerate(decisions):
        if earlier.state is not State.UNDECIDED:
            continue
        asked += 1
        question = pose(index)
        if question not in answers:
            if in_a_row == GIVE_UP_AFTER:
                answers[question] = f"not asked: {GIVE_UP_AFTER} calls in a row had failed"
            else:
                answers[question] = _ask(judge, question)
                in_a_row = in_a_row + 1 if isinstance(answers[question], str) else 0
        answer = answers[question]
        if isinstance(answer, str):
            failures.append(JudgeFailure(index, answer))
            found[index] = _keep(earlier, judge, f"failed: {answer}")
            continue
        found[index] = _decide(earlier, judge, answer)
        settled += found[index].state is not State.UNDECIDED
    return Judged(found, asked, settled, failures)


def was_judged(decision: Decision) -> bool:
    """Whether a decision was put to a judge, whatever came of it."""
    return decision.by.startswith(BY)


def _ask(judge: Judge, question: JudgeQuestion) -> JudgeVerdict | str:
    try:
        return judge.judge(question)
    except ModelFailedError as error:
        return error.message


def _keep(earlier: Decision, judge: Judge, said: str) -> Decision:
    """The same decision with what the judge said after it; nothing of the earlier reason is lost."""
    was = f"was undecided: {earlier.why}" if earlier.why else "was undecided"
    return replace(earlier, why=f"{was}; judge {judge.model} {said}", by=f"{BY}{judge.model}")


def _decide(earlier: Decision, judge: Judge, verdict: JudgeVerdict) -> Decision:
    why = verdict.why or "no reason given"
    if verdict.perturbed is Perturbed.CANNOT_TELL:
        return _keep(earlier, judge, f"cannot tell: {why}")
    kept = _keep(earlier, judge, f'says {verdict.perturbed.value}: {why} ("{verdict.quote}")')
    if verdict.perturbed is Perturbed.NO:
        return replace(kept, state=State.VALID, kind=None, rule=Rule.JUDGED)
    return replace(kept, state=State.RETIRED, kind=verdict.kind or earlier.kind, rule=None)


def pose_question(
    reading: QuestionReading, conversation: Conversation, turns: Sequence[InjectedTurn], decision: Decision
) -> JudgeQuestion:
    """The question that a decision leaves open.

    Evidence is shown with one turn on either side, since LoCoMo cites the neighbour of the telling turn in 57 items. New lines are
    those that the decision rests on; raises ValueError where `turns` lack one of them, since a verdict could then quote nothing.
    """
    if missing := set(decision.injected) - {turn.name for turn in turns}:
        raise ValueError(f"no injected turn {', '.join(sorted(missing))}")
    asked = reading.question
    cited = dict.fromkeys(turn for dia_id in reading.evidence_ids for turn in _beside(conversation.turn(dia_id), conversation))
    gold = str(asked.answer) if asked.category.answerable and asked.answer is not None else None
    injected = tuple(_injected(turn, conversation, turns) for turn in turns if turn.name in decision.injected)
    return JudgeQuestion(asked.question, gold, tuple(_dated(turn, conversation) for turn in cited), injected)


def _beside(turn: Turn, conversation: Conversation) -> tuple[Turn, ...]:
    return conversation.session(turn.session).turns[max(0, turn.position - 2) : turn.position + 1]


def _dated(turn: Turn, conversation: Conversation) -> DatedLine:
    seen = f"{turn.text} (shows a picture: {turn.caption})" if turn.caption else turn.text
    return DatedLine(conversation.session(turn.session).date.date(), turn.speaker, seen)


def _injected(turn: InjectedTurn, conversation: Conversation, turns: Sequence[InjectedTurn]) -> InjectedLine:
    """A new line between its neighbours: new ones of the same place, else the record's."""
    beside = [each for each in turns if (each.session, each.after) == (turn.session, turn.after)]
    place = beside.index(turn)
    before = [_new(each) for each in beside[max(0, place - 1) : place]]
    after = [_new(each) for each in beside[place + 1 : place + 2]]
    if turn.after is not None:
        host = conversation.turn(turn.after)
        before = before or [_dated(host, conversation)]
        after = after or [_dated(each, conversation) for each in conversation.session(host.session).turns[host.position :][:1]]
    return InjectedLine(_new(turn), tuple(before), tuple(after))


def _new(turn: InjectedTurn) -> DatedLine:
    return DatedLine(turn.day, turn.speaker, turn.text)


_ANY = DatedLine(date(2024, 1, 1), "Ada", "Hello.")
# Fills every branch of a prompt, so that a wrong variable in one shows before the first call.
_SAMPLE = JudgeQuestion("What?", None, (_ANY,), (InjectedLine(_ANY, (_ANY,), (_ANY,)),))

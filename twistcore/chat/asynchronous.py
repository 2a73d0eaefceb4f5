"""The client that sends: one endpoint, any number of models and agents, asked for JSON of a given shape."""

from __future__ import annotations

import asyncio
import random
import time
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, field, replace
from types import TracebackType
from typing import Any, Self

from twistcore.chat.breaker import Breaker
from twistcore.chat.budget import Budget, Reservation
from twistcore.chat.dialect import Dialect, Message, Sampling, build_body, simplify
from twistcore.chat.endpoint import Endpoint
from twistcore.chat.faults import CallFault, unusable
from twistcore.chat.journal import Journal
from twistcore.chat.limiter import Limiter
from twistcore.chat.questions import Question, read_reply, revive, shape_of
from twistcore.chat.replies import Completion, ReplyT, Tokens, Unusable, UnusableReplyError, parse_reply, read_completion
from twistcore.chat.sending import ChatLimits, RefusedError, Sender
from twistcore.chat.slots import Slots
from twistcore.chat.usage import CallEvent, CallLabel, EventKind, Usage
from twistcore.errors import ModelFailedError, NoUsableReplyError
from twistcore.fingerprints import sha256_bytes

# While no request of a model was answered, so many are sent one by one, so that what the endpoint lacks is found out once.
_SCOUTS = 3
_NOBODY = CallLabel("")


@dataclass
class _Call:
    """One request in flight. `tokens` is None while no reply came."""

    reserved: Reservation
    started: float
    number: int
    outcome: str = "interrupted"
    status: int | None = None
    tokens: Tokens | None = None
    ended: bool = False


@dataclass
class _Learned:
    """What is known of a model behind the endpoint."""

    dialect: Dialect
    proven: bool = False
    scouts: int = _SCOUTS
    lock: asyncio.Lock = field(default_factory=asyncio.Lock)


class AsyncChat:
    """Asks models behind one endpoint, from one event loop. Nothing is sent and no SDK is loaded before the first question.

    With a `journal`, an answer is on disk before it is handed out, and what it holds is not asked again: the address of an answer
    is the hash of endpoint, model, sampling, messages, schema, the label's nonce, and how many replies to the question could not
    be used before. The wire form does not matter to it, so that what is learned of an endpoint loses no answer. The same question
    asked twice at once is sent once. A question whose every reply was unusable fails again out of the journal, so that a rerun
    goes the same way; with `insist` it is asked again, and its earlier replies count for nothing. `breaker`, `limiter` and
    `budget` may be shared with other clients of the same loop; `sleep`, `clock` and `jitter` are passed in so that a test need not
    wait. `on_event` hears of everything that happens.
    """

    def __init__(
        self,
        endpoint: Endpoint,
        limits: ChatLimits | None = None,
        *,
        journal: Journal | None = None,
        budget: Budget | None = None,
        breaker: Breaker | None = None,
        limiter: Limiter | None = None,
        sleep: Callable[[float], Awaitable[object]] = asyncio.sleep,
        clock: Callable[[], float] = time.monotonic,
        jitter: random.Random | None = None,
        on_event: Callable[[CallEvent], None] | None = None,
        insist: bool = False,
    ) -> None:
        self.limits = limits or ChatLimits()
        self.usage = Usage()
        self._journal, self._budget = journal, budget or Budget()
        self._breaker = breaker or Breaker()
        self._limiter = limiter or Limiter(sleep=sleep, clock=clock, longest_wait=self.limits.longest_wait)
        self._limiter.on_change = self._limiter.on_change or self._tell_pause
        self._sleep, self._clock = sleep, clock
        # Its own generator and no seed: two runs against one endpoint should not knock again at the same moment.
        self._jitter = jitter or random.Random()
        self._on_event, self._insist = on_event, insist
        self._endpoint = sha256_bytes(endpoint.base_url.rstrip("/").encode())
        self._sender = Sender(endpoint, self.limits)
        self._slots = Slots(self.limits.concurrency)
        self._learned: dict[str, _Learned] = {}
        self._asking: dict[str, asyncio.Future[None]] = {}

    async def ask_json(self, sampling: Sampling, messages: Sequence[Message], schema: type[ReplyT], *, label: CallLabel) -> ReplyT:
        """The model's answer as an instance of `schema`.

        Rate limits (`Retry-After` is obeyed), server errors, timeouts, dropped connections and replies that do not fit are tried
        again, `limits.attempts` times in all; replies out of the journal count among them, so that a rerun goes the same way.
        `messages` end with the user's. Raises ModelFailedError with the last reason (NoUsableReplyError where every attempt brought
        a reply that could not be used, EndpointDownError where the breaker is open), LimitReachedError where the budget is spent,
        StorageError where the journal cannot be used, and UsageError where the SDK is missing.
        """
        question = Question(sampling, messages, schema, label)
        self.usage = replace(self.usage, asked=self.usage.asked + 1)
        if self._journal is None:
            return await self._ask(question, schema)
        key = question.address(self._endpoint)
        while True:
            found = self._replay(question, schema, self._journal)
            if found is not None:
                return found
            running = self._asking.get(key)
            if running is None:
                break
            await asyncio.wait([running])
            question.replies = question.attempts = 0
        done = self._asking[key] = asyncio.get_running_loop().create_future()
        try:
            return await self._ask(question, schema)
        finally:
            del self._asking[key]
            done.set_result(None)

    async def close(self) -> None:
        """Close the connections. The journal, the budget and whatever else is shared stay open."""
        self._limiter.lift()
        await self._sender.close()

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        await self.close()

    def dialect_of(self, model: str) -> Dialect:
        """What the endpoint was found to take for a model."""
        return self._known(model).dialect

    def _replay(self, question: Question, schema: type[ReplyT], journal: Journal) -> ReplyT | None:
        """The answer out of the journal, or None; counts the replies there that could not be used."""
        shape = shape_of(schema)
        while self._insist or question.replies < self.limits.attempts:
            kept = journal.find(question.address(self._endpoint), shape)
            if kept is None:
                return None
            outcome = "ok"
            answer: ReplyT | None = None
            try:
                answer = revive(kept.value, schema) or parse_reply(read_completion(kept.raw), schema)
            except UnusableReplyError as error:
                outcome, question.reason = error.why.name.lower(), str(error)
                question.replies += 1
                question.attempts += not self._insist
            event = CallEvent(EventKind.CACHED, question.label, question.model, outcome, 200)
            journal.note(event)
            self._tell(event)
            if answer is not None:
                return answer
        raise self._give_up(question, unusable(question.reason, malformed=True))

    async def _ask(self, question: Question, schema: type[ReplyT]) -> ReplyT:
        """Ask until an answer is there or the attempts are used up."""
        sdk = self._sender.load()
        retrying = sdk.AsyncRetrying(
            stop=sdk.stop_after_attempt(self.limits.attempts - question.attempts),
            wait=lambda state: self._wait(state.outcome.exception(), state.attempt_number),
            sleep=self._nap,
            retry=sdk.retry_if_exception(lambda error: isinstance(error, CallFault) and error.retryable),
            reraise=True,
        )
        try:
            answer: ReplyT = await retrying(self._attempt, question)
            return answer
        except CallFault as fault:
            # `from None`: the SDK's error holds the request and with it the key.
            raise self._give_up(question, fault) from None

    async def _attempt(self, question: Question) -> Any:
        """One attempt, alone where nothing is known of the model yet."""
        known = self._known(question.model)
        if not known.proven and known.scouts:
            async with known.lock:
                if not known.proven and known.scouts:
                    known.scouts -= 1
                    return await self._say(question, known)
        return await self._say(question, known)

    async def _say(self, question: Question, known: _Learned) -> Any:
        """A request that is refused for its form is said more simply at once: that is no failure of the endpoint."""
        question.attempts += 1
        dialect, proven = known.dialect, known.proven
        first: CallFault | None = None
        while True:
            try:
                answer = await self._call(question, dialect)
            except RefusedError as refused:
                first = first or refused.fault
                simpler = simplify(dialect, refused.status, refused.said, proven=proven)
                if simpler is None:
                    # Where simpler requests were refused too, the form was not what was wrong: the first refusal tells most.
                    raise (refused.fault if refused.fault.retryable else first) from None
                dialect = simpler
            except UnusableReplyError as error:
                malformed = error.why is not Unusable.NO_COMPLETION
                if malformed:
                    self._learn(question, known, dialect)
                    question.replies += 1
                raise unusable(str(error), malformed=malformed) from None
            else:
                self._learn(question, known, dialect)
                return answer

    async def _call(self, question: Question, dialect: Dialect) -> Any:
        """One request, sent when there is room and nobody says wait."""
        sampling = question.sampling
        async with self._slots.one(first=not self._known(question.model).proven):
            await self._limiter.admit()
            self._breaker.check()
            body = build_body(sampling, dialect, question.messages, question.schema, spell_out=question.spell_out)
            reserved = await self._budget.reserve(sampling.model, question.characters, sampling.max_tokens)
            call = _Call(reserved, self._clock(), self._limiter.number())
            self._tell(CallEvent(EventKind.SENT, question.label, question.model))
            try:
                delivered = await self._sender.send(dialect.api.path, body)
                call.status = 200
                completion = read_completion(delivered.raw)
                call.tokens = completion.tokens
                self._limiter.answered(call.number, delivered.headers)
                self._breaker.answered(question.model)
                return await self._keep(question, call, delivered.raw, completion)
            except UnusableReplyError as error:
                call.outcome = error.why.name.lower()
                raise
            except RefusedError as refused:
                call.outcome, call.status = "status", refused.status
                if refused.fault.retryable and refused.fault.retry_after is not None:
                    self._limiter.refused(call.number, refused.fault.retry_after)
                raise
            except CallFault as fault:
                call.outcome = fault.kind
                raise
            finally:
                self._limiter.ended(call.number)
                if not call.ended:
                    self._end(question, call, EventKind.FAULTED, note=True)

    def _end(self, question: Question, call: _Call, kind: EventKind, *, note: bool) -> CallEvent:
        """Settle what a request cost and tell of it."""
        call.ended = True
        cost = self._budget.settle(question.model, call.reserved, call.tokens)
        seconds = self._clock() - call.started
        tokens = call.tokens or Tokens()
        event = CallEvent(kind, question.label, question.model, call.outcome, call.status, seconds, tokens, cost)
        if note and self._journal is not None:
            self._journal.note(event)
        self._tell(event)
        return event

    async def _keep(self, question: Question, call: _Call, raw: bytes, completion: Completion) -> Any:
        """Read a reply, on disk before anybody hears of it; raises UnusableReplyError."""
        answer, misfit = read_reply(completion, question.schema)
        call.outcome = "ok" if misfit is None else misfit.why.name.lower()
        event = self._end(question, call, EventKind.ANSWERED, note=False)
        if self._journal is not None:
            parsed = (shape_of(question.schema), answer.model_dump_json()) if answer is not None else None
            stands = await self._journal.keep(question.address(self._endpoint), raw, event, parsed)
            if stands != raw:
                answer, misfit = read_reply(read_completion(stands), question.schema)
        if misfit is not None:
            raise misfit
        return answer

    def _wait(self, error: BaseException | None, attempt: int) -> float:
        backoff = min(self.limits.longest_wait, self.limits.first_wait * 2.0 ** (attempt - 1))
        asked = error.retry_after if isinstance(error, CallFault) else None
        if asked is not None:
            # Never earlier than asked for, and not all at one moment.
            return asked + self._jitter.uniform(0.0, min(1.0, asked / 4))
        return self._jitter.uniform(0.5, 1.0) * backoff

    async def _nap(self, seconds: float) -> None:
        """Sleep between two attempts, or until the breaker opens."""
        sleeping = asyncio.ensure_future(self._sleep(seconds))
        opening = asyncio.ensure_future(self._breaker.opened.wait())
        try:
            await asyncio.wait((sleeping, opening), return_when=asyncio.FIRST_COMPLETED)
        finally:
            sleeping.cancel()
            opening.cancel()

    def _known(self, model: str) -> _Learned:
        known = self._learned.get(model)
        if known is None:
            kept = self._journal.dialect(self._endpoint, model) if self._journal is not None else None
            # What an earlier run found out needs no scout, but a server may have changed: it is not taken for proven.
            known = self._learned[model] = _Learned(kept or Dialect(), scouts=0 if kept else _SCOUTS)
        return known

    def _learn(self, question: Question, known: _Learned, dialect: Dialect) -> None:
        if self._journal is not None and (dialect != known.dialect or (not known.proven and known.scouts < _SCOUTS)):
            self._journal.learn(self._endpoint, question.model, dialect)
        known.dialect, known.proven = dialect, True

    def _give_up(self, question: Question, fault: CallFault) -> ModelFailedError:
        """The error for a question that is given up, and an open breaker where it was one too many."""
        self._tell(CallEvent(EventKind.FAILED, question.label, question.model, fault.kind, fault.status))
        if not fault.malformed and self._breaker.failed(question.model, fault):
            self._limiter.stop()
            self._tell(CallEvent(EventKind.STOPPED, question.label, question.model, fault.kind, fault.status))
        tries = "1 attempt" if question.attempts == 1 else f"{question.attempts} attempts"
        # Where some attempts brought no reply at all, a rerun still has those to make.
        kind = NoUsableReplyError if fault.malformed and question.replies >= self.limits.attempts else ModelFailedError
        return kind(f"model {question.model} failed ({tries}): {fault.reason}", remedy=fault.remedy)

    def _tell_pause(self, seconds: float | None) -> None:
        kind = EventKind.RESUMED if seconds is None else EventKind.PAUSED
        self._tell(CallEvent(kind, _NOBODY, seconds=seconds or 0.0))

    def _tell(self, event: CallEvent) -> None:
        self.usage = self.usage.with_event(event)
        if self._on_event is not None:
            self._on_event(event)

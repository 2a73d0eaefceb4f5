"""The client that sends: one endpoint, asked for JSON of a given shape, with time limits, retries and accounts."""

from __future__ import annotations

import random
import threading
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from types import SimpleNamespace, TracebackType
from typing import Any, Self

from twistcore.chat.dialect import Dialect, Message, Sampling, build_body, simplify
from twistcore.chat.endpoint import Endpoint
from twistcore.chat.faults import CallFault, disconnected, of_status, timed_out, unusable
from twistcore.chat.replies import ReplyT, Tokens, Unusable, UnusableReplyError, parse_reply, read_completion
from twistcore.errors import ModelFailedError, UsageError


@dataclass(frozen=True, slots=True)
class ChatLimits:
    """`timeout` bounds one call from its first byte to its last, `longest_wait` any pause between two attempts. Seconds."""

    timeout: float = 120.0
    attempts: int = 3
    first_wait: float = 1.0
    longest_wait: float = 60.0


@dataclass(frozen=True, slots=True)
class CallRecord:
    """One call as it ended, for accounts. `label` is the caller's (agent, conversation, item), `outcome` ok or a fault's kind."""

    label: str
    outcome: str
    status: int | None
    seconds: float
    tokens: Tokens


@dataclass(frozen=True, slots=True)
class Usage:
    """What was spent so far. Every request that was sent is a call, whatever came of it; `asked` and `failed` count questions."""

    asked: int = 0
    failed: int = 0
    calls: int = 0
    prompt_tokens: int = 0
    completion_tokens: int = 0


class _RefusedError(Exception):
    """An HTTP error, with the endpoint's own text, which goes no further than to `simplify`."""

    def __init__(self, fault: CallFault, status: int, said: str) -> None:
        super().__init__(fault.reason)
        self.fault, self.status, self.said = fault, status, said


@dataclass
class _Kept:
    """What a client learns and counts; guarded by its lock, so that threads can share a client."""

    dialect: Dialect = field(default_factory=Dialect)
    proven: bool = False
    usage: Usage = field(default_factory=Usage)
    lock: threading.Lock = field(default_factory=threading.Lock)


class ChatClient:
    """Asks one model behind one endpoint. Nothing is sent and no SDK is loaded before the first question.

    `sleep` and `clock` are passed in, so that a test need not wait. `on_call` hears of every call as it ends.
    """

    def __init__(
        self,
        endpoint: Endpoint,
        sampling: Sampling,
        limits: ChatLimits | None = None,
        *,
        sleep: Callable[[float], None] = time.sleep,
        clock: Callable[[], float] = time.monotonic,
        jitter: random.Random | None = None,
        on_call: Callable[[CallRecord], None] | None = None,
    ) -> None:
        self.sampling = sampling
        self.limits = limits or ChatLimits()
        self._endpoint = endpoint
        self._sleep, self._clock = sleep, clock
        # Its own generator and no seed: two runs against one endpoint should not knock again at the same moment.
        self._jitter = jitter or random.Random()
        self._on_call = on_call
        self._kept = _Kept()
        self._sdk: SimpleNamespace | None = None
        self._sender: Any = None

    @property
    def model(self) -> str:
        """The model's name."""
        return self.sampling.model

    @property
    def usage(self) -> Usage:
        """What was spent so far."""
        return self._kept.usage

    @property
    def dialect(self) -> Dialect:
        """What the endpoint was found to take."""
        return self._kept.dialect

    def ask_json(self, messages: Sequence[Message], schema: type[ReplyT], *, label: str = "") -> ReplyT:
        """The model's answer as an instance of `schema`.

        Rate limits (`Retry-After` is obeyed), server errors, timeouts, dropped connections and replies that do not fit are tried
        again, `limits.attempts` times in all. `messages` end with the user's. Raises ModelFailedError with the last reason, and
        UsageError where the SDK is missing.
        """
        sdk = self._load()
        self._count(asked=1)
        attempts, spell_out = 0, False

        def attempt() -> ReplyT:
            nonlocal attempts, spell_out
            attempts += 1
            try:
                return self._attempt(messages, schema, label, spell_out)
            except CallFault as fault:
                spell_out = spell_out or fault.malformed
                raise

        retrying = sdk.Retrying(
            stop=sdk.stop_after_attempt(self.limits.attempts),
            wait=lambda state: self._wait(state.outcome.exception(), state.attempt_number),
            sleep=self._sleep,
            retry=sdk.retry_if_exception(lambda error: isinstance(error, CallFault) and error.retryable),
            reraise=True,
        )
        try:
            answer: ReplyT = retrying(attempt)
        except CallFault as fault:
            self._count(failed=1)
            tries = "1 attempt" if attempts == 1 else f"{attempts} attempts"
            # `from None`: the SDK's error holds the request and with it the key.
            raise ModelFailedError(f"model {self.model} failed ({tries}): {fault.reason}", remedy=fault.remedy) from None
        return answer

    def close(self) -> None:
        """Close the connections."""
        if self._sender is not None:
            self._sender.close()
            self._sender = None

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        self.close()

    def _attempt(self, messages: Sequence[Message], schema: type[ReplyT], label: str, spell_out: bool) -> ReplyT:
        """One attempt. A request that is refused for its form is said more simply at once: that is no failure of the endpoint."""
        dialect, proven = self._kept.dialect, self._kept.proven
        first: CallFault | None = None
        while True:
            body = build_body(self.sampling, dialect, messages, schema, spell_out=spell_out)
            try:
                answer = self._call(body, schema, label)
            except _RefusedError as refused:
                first = first or refused.fault
                simpler = simplify(dialect, refused.status, refused.said, proven=proven)
                if simpler is None:
                    # Where simpler requests were refused too, the form was not what was wrong: the first refusal tells most.
                    raise (refused.fault if refused.fault.retryable else first) from None
                dialect = simpler
            except UnusableReplyError as error:
                if error.why is not Unusable.NO_COMPLETION:
                    self._learn(dialect)
                raise unusable(str(error)) from None
            else:
                self._learn(dialect)
                return answer

    def _call(self, body: Mapping[str, Any], schema: type[ReplyT], label: str) -> ReplyT:
        started, tokens, status = self._clock(), Tokens(), None
        outcome = "interrupted"
        try:
            raw = self._send(body)
            status = 200
            completion = read_completion(raw)
            tokens = completion.tokens
            answer = parse_reply(completion, schema)
            outcome = "ok"
            return answer
        except UnusableReplyError as error:
            outcome = error.why.name.lower()
            raise
        except _RefusedError as refused:
            outcome, status = "status", refused.status
            raise
        except CallFault as fault:
            outcome = fault.kind
            raise
        finally:
            self._count(calls=1, tokens=tokens)
            if self._on_call is not None:
                self._on_call(CallRecord(label, outcome, status, self._clock() - started, tokens))

    def _send(self, body: Mapping[str, Any]) -> bytes:
        """The bytes of one response; raises CallFault or, for an HTTP error, _RefusedError."""
        sdk, limit = self._load(), self.limits.timeout
        deadline = self._clock() + limit
        try:
            with self._sender.chat.completions.with_streaming_response.create(**body) as response:
                # The SDK's limit is one for each read. A server that drips bytes would hold the run for ever.
                pieces = []
                for piece in response.iter_bytes():
                    pieces.append(piece)
                    if self._clock() > deadline:
                        raise timed_out(limit)
                return b"".join(pieces)
        except (sdk.APITimeoutError, sdk.TimeoutException):
            raise timed_out(limit) from None
        except sdk.APIStatusError as error:
            headers = {name.lower(): value for name, value in error.response.headers.items()}
            fault = of_status(error.status_code, error.body, headers, self.limits.longest_wait, secret=self._endpoint.api_key)
            raise _RefusedError(fault, error.status_code, error.response.text) from None
        except (sdk.OpenAIError, sdk.HTTPError, sdk.StreamError):
            raise disconnected() from None

    def _wait(self, error: BaseException | None, attempt: int) -> float:
        backoff = min(self.limits.longest_wait, self.limits.first_wait * 2.0 ** (attempt - 1))
        asked = error.retry_after if isinstance(error, CallFault) else None
        if asked is not None:
            # Never earlier than asked for, and not all at one moment.
            return asked + self._jitter.uniform(0.0, min(1.0, backoff))
        return self._jitter.uniform(0.5, 1.0) * backoff

    def _learn(self, dialect: Dialect) -> None:
        with self._kept.lock:
            self._kept.dialect, self._kept.proven = dialect, True

    def _count(self, *, asked: int = 0, failed: int = 0, calls: int = 0, tokens: Tokens | None = None) -> None:
        spent = tokens or Tokens()
        with self._kept.lock:
            usage = self._kept.usage
            self._kept.usage = replace(
                usage,
                asked=usage.asked + asked,
                failed=usage.failed + failed,
                calls=usage.calls + calls,
                prompt_tokens=usage.prompt_tokens + spent.prompt,
                completion_tokens=usage.completion_tokens + spent.completion,
            )

    def _load(self) -> Any:
        with self._kept.lock:
            if self._sdk is None:
                self._sdk = _load_sdk()
            if self._sender is None:
                limits = self._sdk.Timeout(self.limits.timeout, connect=min(10.0, self.limits.timeout))
                # Retries are ours: the SDK's are neither counted nor told of.
                self._sender = self._sdk.OpenAI(
                    base_url=self._endpoint.base_url, api_key=self._endpoint.api_key, timeout=limits, max_retries=0
                )
            return self._sdk


def _load_sdk() -> SimpleNamespace:
    try:
        import httpx2
        import openai
        import tenacity
    except ImportError:
        raise UsageError(
            "the language-model client is not installed", remedy='install it with: pip install "twist-corpus[llm]"'
        ) from None
    return SimpleNamespace(
        OpenAI=openai.OpenAI,
        Timeout=openai.Timeout,
        OpenAIError=openai.OpenAIError,
        APIStatusError=openai.APIStatusError,
        APITimeoutError=openai.APITimeoutError,
        # The SDK wraps what goes wrong while it sends, not what goes wrong while a body is read.
        HTTPError=httpx2.HTTPError,
        StreamError=httpx2.StreamError,
        TimeoutException=httpx2.TimeoutException,
        Retrying=tenacity.Retrying,
        stop_after_attempt=tenacity.stop_after_attempt,
        retry_if_exception=tenacity.retry_if_exception,
    )

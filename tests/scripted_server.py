"""An OpenAI-compatible server on loopback that answers by schedule and logs what it received. Real HTTP: nothing of the SDK is mocked.

Both styles (chat completions, Responses). As a process of its own, for benchmarks: `python -m tests.scripted_server --port 8090 --latency 0.05`.
"""

from __future__ import annotations

import argparse
import asyncio
import importlib
import json
import random
import threading
import time
from collections import deque
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from types import TracebackType
from typing import Any, Literal, Self

from aiohttp import web

EVERYTHING = frozenset({"json_schema", "json_object", "text"})
PROMPT_TOKENS, COMPLETION_TOKENS = 11, 7


@dataclass(frozen=True)
class Received:
    """One request as it came in."""

    path: str
    headers: dict[str, str]
    body: dict[str, Any]
    number: int = 0
    at: float = 0.0

    @property
    def style(self) -> str:
        """Chat or responses."""
        return "responses" if self.path.endswith("/responses") else "chat"

    @property
    def format(self) -> str:
        """Which reply format it asks for."""
        asked = self.body.get("response_format") or self.body.get("text", {}).get("format", {})
        return str(asked.get("type", "text"))

    @property
    def text(self) -> str:
        """All messages, one after the other."""
        return "\n".join(message["content"] for message in self.body.get("messages") or self.body["input"])


@dataclass(frozen=True)
class Answer:
    """What the server does with one request. `raw` replaces the whole body; `fault` is done instead of an answer (hang, drop) or in the
    midst of it (cut: half the body; drip: a byte at a time)."""

    content: str | None = None
    finish_reason: str = "stop"
    refusal: str | None = None
    status: int = 200
    headers: dict[str, str] = field(default_factory=dict)
    raw: bytes | None = None
    fault: Literal["hang", "drop", "cut", "drip"] | None = None

    def dump(self, model: str, style: str = "chat") -> bytes:
        """The body of the response."""
        if self.raw is not None:
            return self.raw
        return json.dumps(self._as_response(model) if style == "responses" else self._as_completion(model)).encode()

    def _as_completion(self, model: str) -> dict[str, Any]:
        message = {"role": "assistant", "content": self.content, "refusal": self.refusal}
        return {
            "id": "chatcmpl-1",
            "object": "chat.completion",
            "created": 0,
            "model": model,
            "choices": [{"index": 0, "message": message, "finish_reason": self.finish_reason, "logprobs": None}],
            "usage": {
                "prompt_tokens": PROMPT_TOKENS,
                "completion_tokens": COMPLETION_TOKENS,
                "total_tokens": PROMPT_TOKENS + COMPLETION_TOKENS,
            },
        }

    def _as_response(self, model: str) -> dict[str, Any]:
        said = {"type": "output_text", "text": self.content or "", "annotations": []}
        part = said if self.refusal is None else {"type": "refusal", "refusal": self.refusal}
        cut = {"length": "max_output_tokens", "content_filter": "content_filter"}.get(self.finish_reason)
        return {
            "id": "resp_1",
            "object": "response",
            "created_at": 0,
            "model": model,
            "status": "incomplete" if cut else "completed",
            "incomplete_details": {"reason": cut} if cut else None,
            "output": [
                {"type": "reasoning", "id": "rs_1", "summary": []},
                {"type": "message", "id": "msg_1", "role": "assistant", "status": "completed", "content": [part]},
            ],
            "usage": {
                "input_tokens": PROMPT_TOKENS,
                "output_tokens": COMPLETION_TOKENS,
                "total_tokens": PROMPT_TOKENS + COMPLETION_TOKENS,
            },
        }


def say(value: Any) -> Answer:
    """A reply that is this value as JSON."""
    return Answer(content=json.dumps(value))


def fail(status: int, *, code: str | None = None, message: str = "no", headers: dict[str, str] | None = None) -> Answer:
    """An HTTP error in OpenAI's shape."""
    raw = json.dumps({"error": {"message": message, "type": None, "param": None, "code": code}}).encode()
    return Answer(status=status, raw=raw, headers=headers or {})


@dataclass(frozen=True)
class FaultMix:
    """Faults by share, drawn by call number from a seed, so that a run can be repeated: 429s with `Retry-After`, 500s, dropped connections
    and calls that hang."""

    seed: int = 0
    refused: float = 0.0
    failed: float = 0.0
    dropped: float = 0.0
    hung: float = 0.0
    retry_after: str = "1"

    def draw(self, number: int) -> Answer | None:
        """The fault of a call, or None."""
        drawn = random.Random(f"{self.seed}:{number}").random()
        for share, fault in (
            (self.refused, fail(429, code="rate_limit_exceeded", headers={"Retry-After": self.retry_after})),
            (self.failed, fail(500)),
            (self.dropped, Answer(fault="drop")),
            (self.hung, Answer(fault="hang")),
        ):
            if drawn < share:
                return fault
            drawn -= share
        return None


class ScriptedServer:
    """Answers from a queue, then by `mix`, then by `otherwise`, each after `latency` seconds (faults at once). A reply format outside
    `supports`, or a parameter among `refuses`, is refused with a 400 and takes nothing from the queue; `hint` says whether that refusal
    names what is wrong. A style outside `styles` is a path that is not there."""

    def __init__(self, *, port: int = 0, keep_log: bool = True) -> None:
        self.received: list[Received] = []
        self.supports: frozenset[str] = EVERYTHING
        self.styles: frozenset[str] = frozenset({"chat", "responses"})
        self.refuses: frozenset[str] = frozenset()
        self.hint = True
        self.latency = 0.0
        self.mix = FaultMix()
        self.otherwise: Callable[[Received], Answer] = lambda _: fail(500, message="nothing is scheduled")
        self.calls = self.in_flight = self.peak = 0
        self._port, self._keep_log = port, keep_log
        self._queue: deque[Answer] = deque()
        self._loop = asyncio.new_event_loop()
        self._stopping = asyncio.Event()
        self._thread = threading.Thread(target=self._loop.run_forever, name="scripted-server", daemon=True)
        self._runner: web.AppRunner | None = None
        self.base_url = ""

    def schedule(self, *answers: Answer) -> None:
        """Queue answers."""
        self._queue.extend(answers)

    @property
    def left(self) -> int:
        """How many scheduled answers nobody took."""
        return len(self._queue)

    def formats(self) -> list[str]:
        """The reply formats asked for, in order."""
        return [request.format for request in self.received]

    def __enter__(self) -> Self:
        self._thread.start()
        self._run(self._start())
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        self._run(self._stop())
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join(timeout=10)
        self._loop.close()

    def _run(self, work: Any) -> None:
        asyncio.run_coroutine_threadsafe(work, self._loop).result(timeout=10)

    async def _start(self) -> None:
        app = web.Application()
        app.router.add_post("/v1/chat/completions", self._count)
        app.router.add_post("/v1/responses", self._count)
        self._runner = web.AppRunner(app, shutdown_timeout=0.1, access_log=None)
        await self._runner.setup()
        site = web.TCPSite(self._runner, "127.0.0.1", self._port, backlog=1024)
        await site.start()
        self.base_url = f"http://127.0.0.1:{self._runner.addresses[0][1]}/v1"

    async def _stop(self) -> None:
        self._stopping.set()
        if self._runner is not None:
            await self._runner.cleanup()

    async def _count(self, request: web.Request) -> web.StreamResponse:
        self.in_flight += 1
        self.peak = max(self.peak, self.in_flight)
        try:
            return await self._answer(request)
        finally:
            self.in_flight -= 1

    async def _answer(self, request: web.Request) -> web.StreamResponse:
        headers = {name.lower(): value for name, value in request.headers.items()}
        self.calls += 1
        received = Received(request.path, headers, await request.json(), self.calls, time.monotonic())
        if self._keep_log:
            self.received.append(received)
        if received.style not in self.styles:
            return web.Response(status=404, text="404: Not Found")
        refusal = self._refusal(received)
        if refusal is not None:
            return self._plain(refusal, received)
        answer = self._queue.popleft() if self._queue else self.mix.draw(received.number)
        if answer is None:
            await asyncio.sleep(self.latency)
            answer = self.otherwise(received)
        if answer.fault == "hang":
            await self._stopping.wait()
        if answer.fault in ("hang", "drop"):
            return self._drop(request)
        if answer.fault in ("cut", "drip"):
            return await self._piecemeal(request, answer, received)
        return self._plain(answer, received)

    def _refusal(self, received: Received) -> Answer | None:
        wrong: Iterable[str] = sorted(self.refuses & received.body.keys())
        if received.format not in self.supports:
            wrong = ["response_format"]
        for name in wrong:
            return fail(400, message=f"Unsupported parameter: '{name}'" if self.hint else "Bad Request")
        return None

    def _plain(self, answer: Answer, received: Received) -> web.Response:
        body = answer.dump(received.body["model"], received.style)
        return web.Response(body=body, status=answer.status, headers=answer.headers, content_type="application/json")

    def _drop(self, request: web.Request) -> web.Response:
        if request.transport is not None:
            request.transport.abort()
        return web.Response()

    async def _piecemeal(self, request: web.Request, answer: Answer, received: Received) -> web.StreamResponse:
        body = answer.dump(received.body["model"], received.style)
        response = web.StreamResponse(headers={"content-type": "application/json", "content-length": str(len(body))})
        await response.prepare(request)
        if answer.fault == "cut":
            await response.write(body[: len(body) // 2])
            return self._drop(request)
        for position in range(len(body)):
            if self._stopping.is_set() or request.transport is None or request.transport.is_closing():
                break
            await response.write(body[position : position + 1])
            await asyncio.sleep(0.02)
        return response


def _serve() -> None:
    """Run as a process until it is killed; prints the base URL once it listens."""
    options = argparse.ArgumentParser(description="A scripted OpenAI server on loopback.")
    options.add_argument("--port", type=int, default=0)
    options.add_argument("--latency", type=float, default=0.05, help="seconds")
    options.add_argument("--content", default="{}", help="what every reply says")
    options.add_argument("--answers", help="MODULE:FUNCTION that makes an Answer of what was received, in place of --content")
    options.add_argument("--styles", nargs="+", default=["chat", "responses"])
    options.add_argument("--supports", nargs="+", default=sorted(EVERYTHING), help="reply formats")
    for share in ("refused", "failed", "dropped", "hung"):
        options.add_argument(f"--{share}", type=float, default=0.0, help="share of calls")
    options.add_argument("--retry-after", default="1")
    options.add_argument("--seed", type=int, default=0)
    given = options.parse_args()
    with ScriptedServer(port=given.port, keep_log=False) as server:
        server.latency, server.styles, server.supports = given.latency, frozenset(given.styles), frozenset(given.supports)
        server.mix = FaultMix(given.seed, given.refused, given.failed, given.dropped, given.hung, given.retry_after)
        if given.answers:
            module, _, name = given.answers.partition(":")
            server.otherwise = getattr(importlib.import_module(module), name)
        else:
            fixed = Answer(content=given.content)
            server.otherwise = lambda _: fixed
        print(server.base_url, flush=True)
        threading.Event().wait()


if __name__ == "__main__":
    _serve()

"""An OpenAI-compatible server on loopback that answers by schedule and logs what it received. Real HTTP: nothing of the SDK is mocked."""

from __future__ import annotations

import asyncio
import json
import threading
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

    @property
    def format(self) -> str:
        """Which reply format it asks for."""
        return str(self.body.get("response_format", {}).get("type", "text"))

    @property
    def text(self) -> str:
        """All messages, one after the other."""
        return "\n".join(message["content"] for message in self.body["messages"])


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

    def dump(self, model: str) -> bytes:
        """The body of the response."""
        if self.raw is not None:
            return self.raw
        message = {"role": "assistant", "content": self.content, "refusal": self.refusal}
        return json.dumps(
            {
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
        ).encode()


def say(value: Any) -> Answer:
    """A reply that is this value as JSON."""
    return Answer(content=json.dumps(value))


def fail(status: int, *, code: str | None = None, message: str = "no", headers: dict[str, str] | None = None) -> Answer:
    """An HTTP error in OpenAI's shape."""
    raw = json.dumps({"error": {"message": message, "type": None, "param": None, "code": code}}).encode()
    return Answer(status=status, raw=raw, headers=headers or {})


class ScriptedServer:
    """Answers from a queue, then by `otherwise`. A reply format outside `supports`, or a parameter among `refuses`, is refused with a
    400 and takes nothing from the queue; `hint` says whether that refusal names what is wrong."""

    def __init__(self) -> None:
        self.received: list[Received] = []
        self.supports: frozenset[str] = EVERYTHING
        self.refuses: frozenset[str] = frozenset()
        self.hint = True
        self.otherwise: Callable[[Received], Answer] = lambda _: fail(500, message="nothing is scheduled")
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
        app.router.add_post("/v1/chat/completions", self._answer)
        self._runner = web.AppRunner(app, shutdown_timeout=0.1, access_log=None)
        await self._runner.setup()
        site = web.TCPSite(self._runner, "127.0.0.1", 0)
        await site.start()
        self.base_url = f"http://127.0.0.1:{self._runner.addresses[0][1]}/v1"

    async def _stop(self) -> None:
        self._stopping.set()
        if self._runner is not None:
            await self._runner.cleanup()

    async def _answer(self, request: web.Request) -> web.StreamResponse:
        received = Received(request.path, {name.lower(): value for name, value in request.headers.items()}, await request.json())
        self.received.append(received)
        refusal = self._refusal(received)
        if refusal is not None:
            return self._plain(refusal, received)
        answer = self._queue.popleft() if self._queue else self.otherwise(received)
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
        body = answer.dump(received.body["model"])
        return web.Response(body=body, status=answer.status, headers=answer.headers, content_type="application/json")

    def _drop(self, request: web.Request) -> web.Response:
        if request.transport is not None:
            request.transport.abort()
        return web.Response()

    async def _piecemeal(self, request: web.Request, answer: Answer, received: Received) -> web.StreamResponse:
        body = answer.dump(received.body["model"])
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

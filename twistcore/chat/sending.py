"""One request to one endpoint, through the SDK on aiohttp: the bytes that came back, or what went wrong."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Mapping
from dataclasses import dataclass
from types import SimpleNamespace
from typing import Any

from twistcore.chat.endpoint import Endpoint
from twistcore.chat.faults import CallFault, disconnected, of_status, timed_out
from twistcore.errors import UsageError

# A shorter key is a local server's dummy, and may stand in any text.
_SHORTEST_SECRET = 12


@dataclass(frozen=True, slots=True)
class ChatLimits:
    """`timeout` bounds one call from its first byte to its last, `longest_wait` any pause between two attempts (seconds);
    `concurrency` is how many requests of one client may be in flight."""

    timeout: float = 120.0
    attempts: int = 3
    first_wait: float = 1.0
    longest_wait: float = 60.0
    concurrency: int = 32


class RefusedError(Exception):
    """An HTTP error, with the endpoint's own text, which goes no further than to `simplify`."""

    def __init__(self, fault: CallFault, status: int, said: str) -> None:
        super().__init__(fault.reason)
        self.fault, self.status, self.said = fault, status, said


@dataclass(frozen=True, slots=True)
class Delivered:
    """A response with status 200. Header names are lower case."""

    raw: bytes
    headers: Mapping[str, str]


class Sender:
    """Sends to one endpoint, from one event loop. The SDK is loaded at the first request."""

    def __init__(self, endpoint: Endpoint, limits: ChatLimits) -> None:
        self._endpoint, self._limits = endpoint, limits
        self._sdk: SimpleNamespace | None = None
        self._client: Any = None

    def load(self) -> SimpleNamespace:
        """The libraries; raises UsageError where they are missing."""
        if self._sdk is None:
            self._sdk = _load_sdk()
        return self._sdk

    async def send(self, path: str, body: Mapping[str, Any]) -> Delivered:
        """The response to one request; raises CallFault or, for an HTTP error, RefusedError.

        The request goes through the SDK's own `post`, as bytes: its typed methods convert every body and every reply, which costs
        more time than all the rest of a call.
        """
        sdk, limit = self.load(), self._limits.timeout
        try:
            # The SDK's limit is one for each read. A server that drips bytes would hold the run for ever.
            async with asyncio.timeout(limit):
                response = await self._connect(sdk).post(path, content=json.dumps(body).encode("ascii"), cast_to=sdk.Response)
                return Delivered(self._redact(response.content), _plain(response.headers))
        except sdk.APIStatusError as error:
            headers = _plain(error.response.headers)
            fault = of_status(error.status_code, error.body, headers, self._limits.longest_wait, secret=self._endpoint.api_key)
            raise RefusedError(fault, error.status_code, error.response.text) from None
        except (TimeoutError, sdk.OpenAIError, sdk.HTTPError, sdk.StreamError, sdk.ClientError, OSError) as error:
            # The transport reports a dropped connection as a timeout too: what it stems from tells them apart.
            raise (timed_out(limit) if _is_timeout(error) else disconnected()) from None

    async def close(self) -> None:
        """Close the connections."""
        if self._client is not None:
            client, self._client = self._client, None
            await client.close()

    def _connect(self, sdk: SimpleNamespace) -> Any:
        if self._client is None:
            seconds, most = self._limits.timeout, self._limits.concurrency
            timeout = sdk.Timeout(seconds, connect=min(10.0, seconds))
            pool = sdk.Limits(max_connections=most, max_keepalive_connections=most, keepalive_expiry=30.0)
            self._client = sdk.AsyncOpenAI(
                base_url=self._endpoint.base_url,
                api_key=self._endpoint.api_key,
                timeout=timeout,
                # Retries are ours: the SDK's are neither counted nor told of.
                max_retries=0,
                http_client=sdk.DefaultAioHttpClient(timeout=timeout, limits=pool),
            )
        return self._client

    def _redact(self, raw: bytes) -> bytes:
        """An endpoint may repeat the key in an answer, and answers are kept."""
        key = self._endpoint.api_key.encode()
        return raw.replace(key, b"[key]") if len(key) >= _SHORTEST_SECRET else raw


def _plain(headers: Any) -> dict[str, str]:
    # The SDK's own mapping decodes every header again at every look.
    return {name.decode("latin-1").lower(): value.decode("latin-1") for name, value in headers.raw}


def _is_timeout(error: BaseException | None) -> bool:
    while error is not None:
        if isinstance(error, TimeoutError):
            return True
        error = error.__cause__
    return False


def _load_sdk() -> SimpleNamespace:
    try:
        import aiohttp
        import httpx2
        import openai
        import tenacity
    except ImportError:
        raise UsageError(
            "the language-model client is not installed", remedy='install it with: pip install "twist-corpus[llm]"'
        ) from None
    return SimpleNamespace(
        AsyncOpenAI=openai.AsyncOpenAI,
        DefaultAioHttpClient=openai.DefaultAioHttpClient,
        Timeout=openai.Timeout,
        OpenAIError=openai.OpenAIError,
        APIStatusError=openai.APIStatusError,
        Limits=httpx2.Limits,
        Response=httpx2.Response,
        HTTPError=httpx2.HTTPError,
        StreamError=httpx2.StreamError,
        # The transport translates most of these, not all.
        ClientError=aiohttp.ClientError,
        AsyncRetrying=tenacity.AsyncRetrying,
        stop_after_attempt=tenacity.stop_after_attempt,
        retry_if_exception=tenacity.retry_if_exception,
    )

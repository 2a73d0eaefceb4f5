"""What an error of a call means: whether to try again, when, and what to say of it without host, key or the reply's text."""

from __future__ import annotations

import re
from collections.abc import Mapping
from email.utils import parsedate_to_datetime
from typing import Any

_RETRIED = frozenset({408, 409, 425, 429})
_CODE = re.compile(r"[a-z][a-z_]{2,39}")
_REMEDIES = {
    400: "see whether the prompt is too long for the model, or the model's name is wrong",
    401: "check OPENAI_API_KEY",
    402: "check the account's balance",
    403: "check what OPENAI_API_KEY may use",
    404: "check the model's name and the path of OPENAI_BASE_URL",
    413: "the prompt is too long for the endpoint",
    422: "see whether the endpoint serves chat completions",
}
AGAIN = "run the same command again when the endpoint works"
# Codes under which a 429 will not pass by waiting.
_SPENT = frozenset({"insufficient_quota", "billing_hard_limit_reached"})


class CallFault(Exception):  # noqa: N818 - it is a finding about a call, which the client turns into an error or a retry
    """One call that brought no answer. `malformed` says that a reply came and could not be used."""

    def __init__(
        self,
        kind: str,
        reason: str,
        *,
        retryable: bool,
        remedy: str = AGAIN,
        status: int | None = None,
        retry_after: float | None = None,
        malformed: bool = False,
    ) -> None:
        super().__init__(reason)
        self.kind = kind
        self.reason = reason
        self.retryable = retryable
        self.remedy = remedy
        self.status = status
        self.retry_after = retry_after
        self.malformed = malformed


def timed_out(limit: float) -> CallFault:
    """The answer was not there in time."""
    return CallFault("timeout", f"no answer within {limit:g} s", retryable=True)


def disconnected() -> CallFault:
    """No connection, or one that was dropped."""
    return CallFault(
        "connection", "the connection failed or was dropped", retryable=True, remedy=f"check OPENAI_BASE_URL, then {AGAIN}"
    )


def unusable(why: str, *, malformed: bool) -> CallFault:
    """A response came and cannot be used; `malformed` where it is the model's reply, not something else in its stead."""
    return CallFault("reply", why, retryable=True, remedy=f"try another model, or {AGAIN}", malformed=malformed)


def of_status(status: int, body: Any, headers: Mapping[str, str], longest_wait: float, *, secret: str) -> CallFault:
    """An HTTP error. The endpoint's message is not repeated, since endpoints quote keys and prompts in it; a code word is."""
    code = _code(body, secret)
    reason = f"the endpoint answered {status}" + (f" ({code})" if code else "")
    retryable = (status in _RETRIED or status >= 500) and status != 501 and code not in _SPENT
    wait = read_retry_after(headers) if retryable else None
    if wait is not None and wait > longest_wait:
        # Asking earlier than it says would be refused again, and waiting that long is the user's decision.
        reason, retryable = f"{reason} and asks to wait {wait:g} s", False
    remedy = _REMEDIES.get(status, AGAIN)
    if code in _SPENT:
        remedy = _REMEDIES[402]
    return CallFault("status", reason, retryable=retryable, remedy=remedy, status=status, retry_after=wait)


def read_retry_after(headers: Mapping[str, str]) -> float | None:
    """The seconds that a response asks to wait: milliseconds, seconds, or a date measured against the response's own `Date`, so
    that no clock of ours is asked. None where it does not ask or cannot be read."""
    try:
        if "retry-after-ms" in headers:
            return _not_negative(float(headers["retry-after-ms"]) / 1000)
        given = headers.get("retry-after")
        if given is None:
            return None
        try:
            return _not_negative(float(given))
        except ValueError:
            return _not_negative((parsedate_to_datetime(given) - parsedate_to_datetime(headers["date"])).total_seconds())
    except (ValueError, TypeError, KeyError):
        return None


def _not_negative(seconds: float) -> float | None:
    return max(0.0, seconds) if seconds == seconds and seconds != float("inf") else None  # noqa: PLR0124 - NaN is not itself


def _code(body: Any, secret: str) -> str | None:
    """The code word of an error body. Only lower-case words pass, and none that holds the key or stands in it."""
    inner = body.get("error", body) if isinstance(body, dict) else None
    if not isinstance(inner, dict):
        return None
    for name in ("code", "type"):
        value = inner.get(name)
        if isinstance(value, str) and _CODE.fullmatch(value) and secret not in value and value not in secret:
            return value
    return None

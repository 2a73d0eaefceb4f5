"""Where the model is: base URL and key, read from the environment and never shown."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from urllib.parse import urlsplit

from twistcore.errors import UsageError

BASE_URL, API_KEY = "OPENAI_BASE_URL", "OPENAI_API_KEY"
OFFICIAL = "https://api.openai.com/v1"
# Local servers want no key, but the SDK refuses to start without one.
NO_KEY = "no-key"


@dataclass(frozen=True, slots=True)
class Endpoint:
    """An OpenAI-compatible endpoint. Neither field is in its repr, so that no log or traceback shows them."""

    base_url: str = field(repr=False)
    api_key: str = field(repr=False)


def read_endpoint(environ: Mapping[str, str]) -> Endpoint:
    """The endpoint that the environment names; raises UsageError, which repeats neither value, if it names none or a bad one."""
    base_url, api_key = environ.get(BASE_URL, "").strip(), environ.get(API_KEY, "").strip()
    if not base_url and not api_key:
        raise UsageError("no language model is configured", remedy=f"set {API_KEY}, or {BASE_URL} for a server of your own")
    if not (api_key.isascii() and api_key.isprintable() and " " not in api_key):
        raise UsageError(f"{API_KEY} holds characters that no key has", remedy="copy it again")
    if base_url:
        _check(base_url)
    return Endpoint(base_url or OFFICIAL, api_key or NO_KEY)


def _check(base_url: str) -> None:
    try:
        parts = urlsplit(base_url)
        named = bool(parts.hostname) and parts.scheme in ("http", "https") and (parts.port is None or parts.port > 0)
    except ValueError:
        named = False
    if not named:
        raise UsageError(f"{BASE_URL} is no http or https address", remedy="write it as http://HOST:PORT/v1")
    # Transport loggers print whole URLs, so a secret in one would end up in a log.
    if parts.username is not None or parts.password is not None or parts.query or parts.fragment:
        raise UsageError(f"{BASE_URL} holds more than scheme, host and path", remedy=f"put credentials into {API_KEY}")

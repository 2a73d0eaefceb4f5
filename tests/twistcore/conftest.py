"""What tests of the model client share."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from chat_asking import echo
from scripted_server import ScriptedServer


@pytest.fixture
def server(monkeypatch: pytest.MonkeyPatch) -> Iterator[ScriptedServer]:
    """A server that answers with the item of the question, reached by no proxy; a file that needs another one has its own."""
    for name in ("HTTP_PROXY", "http_proxy", "ALL_PROXY", "all_proxy"):
        monkeypatch.delenv(name, raising=False)
    with ScriptedServer() as running:
        running.otherwise = echo
        yield running

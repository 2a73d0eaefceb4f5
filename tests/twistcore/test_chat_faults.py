"""A flaky endpoint: everything ends, nothing is answered twice, and it takes little longer; both styles take every bad reply alike."""

from __future__ import annotations

import gc
import json
import time
import tracemalloc
from collections import Counter
from pathlib import Path
from typing import Any

import pytest
from chat_asking import GOOD, Found, ask_about, echo, item_of, run_all
from scripted_server import Answer, FaultMix, ScriptedServer, fail, say

from twistcore.chat.dialect import Api, Dialect, ReplyFormat, Sampling, build_body, simplify, strict_schema
from twistcore.chat.journal import Journal
from twistcore.chat.replies import read_completion
from twistcore.chat.sending import ChatLimits
from twistcore.chat.usage import CallEvent, EventKind
from twistcore.errors import ModelFailedError

STYLES = ["chat", "responses"]


def _timed(server: ScriptedServer, path: Path, count: int) -> tuple[float, dict[str, Any], list[CallEvent]]:
    limits = ChatLimits(timeout=1.0, attempts=8, first_wait=0.1, longest_wait=5.0, concurrency=32)
    events: list[CallEvent] = []
    started = time.monotonic()
    found = run_all(server, range(count), path, limits=limits, on_event=events.append)
    return time.monotonic() - started, found, events


@pytest.mark.slow
def test_in_a_mix_of_faults_every_question_ends_none_twice_and_the_run_takes_little_longer(
    server: ScriptedServer, tmp_path: Path
) -> None:
    # The loops of both sides share this process, so that the latency, not the processor, has to be what is waited for.
    server.latency = 0.5
    count = 500
    clean, found, _ = _timed(server, tmp_path / "clean.sqlite", count)
    assert all(isinstance(answer, Found) for answer in found.values())
    server.received.clear()
    server.mix = FaultMix(seed=3, refused=0.10, failed=0.05, dropped=0.02, hung=0.01, retry_after="1")
    flaky, found, events = _timed(server, tmp_path / "flaky.sqlite", count)
    assert {item: answer.note for item, answer in found.items()} == {str(item): str(item) for item in range(count)}
    outcomes = Counter(event.outcome for event in events if event.kind in (EventKind.ANSWERED, EventKind.FAULTED))
    assert outcomes["ok"] == count
    assert min(outcomes["status"], outcomes["connection"], outcomes["timeout"]) > 0
    with Journal(tmp_path / "flaky.sqlite") as journal:
        assert [totals.answered for totals in journal.totals("item")] == [1] * count
        assert journal.totals()[0].calls == len(server.received)
    assert flaky <= 1.6 * clean


@pytest.mark.slow
def test_memory_is_flat_in_the_number_of_questions(tmp_path: Path) -> None:
    """What is held when a run has ended, beside the answers."""
    held = []
    with ScriptedServer(keep_log=False) as server:
        server.otherwise = echo
        for count in (50, 200, 800):
            gc.collect()
            tracemalloc.start()
            run_all(server, range(count), tmp_path / f"{count}.sqlite")
            gc.collect()
            held.append(tracemalloc.get_traced_memory()[0])
            tracemalloc.stop()
    # The transport keeps about 150 bytes a call in pools of its own.
    assert held[2] - held[1] < 600 * 500


# The Responses style


def test_an_endpoint_without_chat_completions_is_asked_in_the_other_style_found_out_once(
    server: ScriptedServer, tmp_path: Path
) -> None:
    server.styles = frozenset({"responses"})
    found = run_all(server, range(8), tmp_path / "calls.sqlite")
    assert all(isinstance(answer, Found) for answer in found.values())
    assert Counter(received.style for received in server.received) == {"chat": 1, "responses": 8}
    sent = server.received[1].body
    assert sent["text"]["format"] == {"type": "json_schema", "name": "Found", "schema": strict_schema(Found), "strict": True}
    assert (sent["max_output_tokens"], "messages" in sent, "response_format" in sent) == (1024, False, False)
    server.received.clear()
    run_all(server, range(9), tmp_path / "calls.sqlite")
    assert [received.style for received in server.received] == ["responses"]


def test_an_endpoint_that_has_neither_style_reports_the_first_refusal(server: ScriptedServer) -> None:
    server.styles = frozenset()
    error = run_all(server, ["a"])["a"]
    assert isinstance(error, ModelFailedError)
    assert "404" in str(error)
    assert [received.style for received in server.received] == ["chat", "responses"]


@pytest.mark.parametrize("supports", [{"json_object", "text"}, {"text"}])
def test_the_other_style_is_said_more_simply_too(server: ScriptedServer, supports: set[str]) -> None:
    server.styles, server.supports = frozenset({"responses"}), frozenset(supports)
    assert isinstance(run_all(server, ["a"])["a"], Found)
    assert server.formats()[-1] == ("json_object" if "json_object" in supports else "text")


@pytest.mark.parametrize("style", STYLES)
@pytest.mark.parametrize(
    ("answer", "said"),
    [
        (Answer(content="I think it is red."), "not one JSON object"),
        (Answer(content=""), "is empty"),
        (Answer(content=json.dumps(GOOD), finish_reason="length"), "cut off"),
        (Answer(content=json.dumps(GOOD), finish_reason="content_filter"), "filtered"),
        (Answer(refusal="I would rather not."), "refused"),
        (say({**GOOD, "made_up": 1}), "extra_forbidden"),
        (say({**GOOD, "count": "2"}), "count int_type"),
        (Answer(raw=b"<html>gateway</html>"), "did not answer as a chat completion"),
        (Answer(raw=b'{"choices": [], "output": null}'), "did not answer as a chat completion"),
        (Answer(raw=b'{"output": [{"type": "reasoning"}]}'), "is empty"),
    ],
)
def test_a_bad_reply_is_the_same_in_both_styles(server: ScriptedServer, style: str, answer: Answer, said: str) -> None:
    server.styles = frozenset({style})
    server.otherwise = lambda received: answer if item_of(received) == "bad" else echo(received)
    found = run_all(server, ["good", "bad"])
    assert isinstance(found["good"], Found)
    assert said in str(found["bad"])
    assert "3 attempts" in str(found["bad"])


@pytest.mark.parametrize("style", STYLES)
def test_fenced_json_and_token_counts_are_read_in_both_styles(style: str) -> None:
    completion = read_completion(Answer(content=f"```json\n{json.dumps(GOOD)}\n```").dump("tiny", style))
    assert completion.text is not None
    assert completion.text.startswith("```json")
    assert (completion.tokens.prompt, completion.tokens.completion) == (11, 7)


@pytest.mark.parametrize(
    ("status", "said", "proven", "tried"),
    [
        (404, "404: Not Found", False, True),
        (405, "", False, True),
        (404, "404: Not Found", True, False),
        (404, 'model "tiny" not found, try pulling it first', False, False),
        (401, "", False, False),
    ],
)
def test_only_a_missing_path_makes_it_the_other_style(status: int, said: str, proven: bool, tried: bool) -> None:
    simpler = simplify(Dialect(), status, said, proven=proven)
    assert simpler == (Dialect(api=Api.RESPONSES) if tried else None)


def test_a_body_in_plain_text_form_has_no_format_in_either_style() -> None:
    for api in Api:
        body = build_body(Sampling("m"), Dialect(ReplyFormat.TEXT, api=api), ask_about(1), Found, spell_out=False)
        assert not {"text", "response_format"} & body.keys()


def test_a_refusal_that_waiting_does_not_mend_ends_its_question_alone(server: ScriptedServer) -> None:
    server.otherwise = lambda received: fail(400, code="context_length_exceeded") if item_of(received) == "long" else echo(received)
    found = run_all(server, ["a", "long", "b"], limits=ChatLimits(concurrency=1))
    assert isinstance(found["a"], Found)
    assert "context_length_exceeded" in str(found["long"])
    assert isinstance(found["b"], Found)

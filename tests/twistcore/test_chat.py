"""The chat client against a real server on loopback: what it sends, what it takes for an answer, when it tries again, what it hides."""

from __future__ import annotations

import gzip
import json
import logging
import random
import subprocess
import sys
import threading
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any, Literal

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import BaseModel, ConfigDict
from scripted_server import COMPLETION_TOKENS, PROMPT_TOKENS, Answer, ScriptedServer, fail, say

from twistcore.chat.client import ChatClient
from twistcore.chat.dialect import Message, ReplyFormat, Sampling, strict_schema
from twistcore.chat.endpoint import Endpoint, read_endpoint
from twistcore.chat.faults import read_retry_after
from twistcore.chat.prompts import escape_text, load_prompt
from twistcore.chat.replies import Unusable, UnusableReplyError, parse_text
from twistcore.chat.sending import ChatLimits
from twistcore.chat.usage import CallEvent, EventKind
from twistcore.errors import ExitCode, FrameError, ModelFailedError, UsageError

KEY = "sk-secret-0123456789abcdef"
GOOD = {"colour": "red", "count": 2, "note": None}
ASKED = [Message("system", "Be brief."), Message("user", "Which colour, how many?")]


class Found(BaseModel):
    """What the tests ask for."""

    model_config = ConfigDict(extra="forbid")

    colour: Literal["red", "blue"]
    count: int
    note: str | None


@pytest.fixture
def server(monkeypatch: pytest.MonkeyPatch) -> Iterator[ScriptedServer]:
    for name in ("HTTP_PROXY", "http_proxy", "ALL_PROXY", "all_proxy", "OPENAI_BASE_URL", "OPENAI_API_KEY"):
        monkeypatch.delenv(name, raising=False)
    with ScriptedServer() as running:
        yield running


class Asker:
    """A client of the scripted server, with what it slept and recorded instead of waiting."""

    def __init__(self, server: ScriptedServer, timeout: float = 5.0, **sampling: Any) -> None:
        self.slept: list[float] = []
        self.events: list[CallEvent] = []
        self.client = ChatClient(
            Endpoint(server.base_url, KEY),
            Sampling("tiny", **sampling),
            ChatLimits(timeout=timeout),
            sleep=self.slept.append,
            jitter=random.Random(1),
            on_event=self.events.append,
        )

    @property
    def records(self) -> list[CallEvent]:
        """The requests that were sent, as they ended."""
        return [event for event in self.events if event.kind in (EventKind.ANSWERED, EventKind.FAULTED)]

    def ask(self) -> Found:
        return self.client.ask_json(ASKED, Found, label="test")

    def fails(self) -> ModelFailedError:
        with pytest.raises(ModelFailedError) as caught:
            self.ask()
        return caught.value


@pytest.fixture
def asker(server: ScriptedServer) -> Iterator[Asker]:
    made = Asker(server)
    with made.client:
        yield made


def test_an_answer_comes_back_as_the_type_that_was_asked_for(server: ScriptedServer, asker: Asker) -> None:
    server.schedule(say(GOOD))
    assert asker.ask() == Found(colour="red", count=2, note=None)
    (received,) = server.received
    assert received.path == "/v1/chat/completions"
    assert received.headers["authorization"] == f"Bearer {KEY}"
    assert [message["content"] for message in received.body["messages"]] == ["Be brief.", "Which colour, how many?"]
    assert received.body["response_format"]["json_schema"]["strict"] is True
    assert received.body["response_format"]["json_schema"]["schema"] == strict_schema(Found)
    assert (received.body["model"], received.body["temperature"], received.body["max_tokens"]) == ("tiny", 0.0, 1024)


def test_calls_and_tokens_are_counted_whatever_came_of_them(server: ScriptedServer, asker: Asker) -> None:
    server.schedule(fail(500), Answer(content="well"), say(GOOD), fail(401))
    asker.ask()
    asker.fails()
    usage = asker.client.usage
    assert (usage.asked, usage.failed, usage.calls) == (2, 1, 4)
    assert (usage.prompt_tokens, usage.completion_tokens) == (2 * PROMPT_TOKENS, 2 * COMPLETION_TOKENS)
    assert [record.outcome for record in asker.records] == ["status", "prose", "ok", "status"]
    assert [record.status for record in asker.records] == [500, 200, 200, 401]
    assert sum(record.tokens.prompt for record in asker.records) == usage.prompt_tokens
    assert {record.label.agent for record in asker.records} == {"test"}


def test_wrong_token_counts_do_not_lose_the_answer(server: ScriptedServer, asker: Asker) -> None:
    body = json.loads(say(GOOD).dump("tiny"))
    body["usage"] = {"prompt_tokens": "many", "completion_tokens": -3}
    server.schedule(Answer(raw=json.dumps(body).encode()))
    asker.ask()
    assert (asker.client.usage.prompt_tokens, asker.client.usage.completion_tokens) == (0, 0)


def test_an_unknown_finish_reason_does_not_lose_the_answer(server: ScriptedServer, asker: Asker) -> None:
    server.schedule(Answer(content=json.dumps(GOOD), finish_reason="eos"))
    assert asker.ask().colour == "red"


def test_a_rate_limit_is_waited_out_for_at_least_as_long_as_it_asks(server: ScriptedServer, asker: Asker) -> None:
    server.schedule(fail(429, headers={"Retry-After": "7"}), fail(429, headers={"retry-after-ms": "2500"}), say(GOOD))
    asker.ask()
    # For each refusal two waits: of the question itself, and of all that share the endpoint.
    assert len(asker.slept) == 4
    assert all(7.0 <= seconds <= 8.0 for seconds in asker.slept[:2])
    assert all(2.5 <= seconds <= 3.5 for seconds in asker.slept[2:])


def test_a_wait_beyond_the_limit_is_not_shortened_but_reported(server: ScriptedServer, asker: Asker) -> None:
    server.schedule(fail(429, headers={"Retry-After": "3600"}))
    assert "asks to wait 3600 s" in str(asker.fails())
    assert asker.slept == []


def test_a_retry_date_is_measured_against_the_servers_own_clock() -> None:
    headers = {"date": "Mon, 30 Nov 2026 20:00:00 GMT", "retry-after": "Mon, 30 Nov 2026 20:00:12 GMT"}
    assert read_retry_after(headers) == 12.0
    assert read_retry_after({"retry-after": "Mon, 30 Nov 2026 20:00:12 GMT"}) is None
    assert read_retry_after({"retry-after": "soon"}) is None
    assert read_retry_after({"retry-after": "nan"}) is None
    assert read_retry_after({"retry-after": "inf"}) is None
    assert read_retry_after({"retry-after": "-4"}) == 0.0


@pytest.mark.parametrize("status", [408, 409, 500, 502, 503, 529])
def test_server_errors_are_tried_again_after_a_jittered_pause(server: ScriptedServer, asker: Asker, status: int) -> None:
    server.schedule(fail(status), fail(status), say(GOOD))
    asker.ask()
    assert 0.5 <= asker.slept[0] <= 1.0 <= asker.slept[1] <= 2.0


@pytest.mark.parametrize("fault", ["drop", "cut"])
def test_a_dropped_connection_is_tried_again(server: ScriptedServer, asker: Asker, fault: Literal["drop", "cut"]) -> None:
    server.schedule(Answer(content=json.dumps(GOOD), fault=fault), say(GOOD))
    asker.ask()
    assert [record.outcome for record in asker.records] == ["connection", "ok"]


@pytest.mark.parametrize("fault", ["hang", "drip"])
def test_a_call_that_hangs_or_drips_past_its_limit_is_tried_again(server: ScriptedServer, fault: Literal["hang", "drip"]) -> None:
    slow = Asker(server, timeout=0.3)
    server.schedule(Answer(content=json.dumps(GOOD), fault=fault), say(GOOD))
    with slow.client:
        slow.ask()
    assert [record.outcome for record in slow.records] == ["timeout", "ok"]
    assert slow.records[0].seconds < 2.0


@pytest.mark.parametrize(
    ("answer", "said"),
    [
        (Answer(content="I think it is red."), "not one JSON object"),
        (Answer(content='Sure! {"colour": "red", "count": 2, "note": null}'), "not one JSON object"),
        (Answer(content='```json\n{"colour": "red", "count": 2, "note": null}\n```\nHope this helps.'), "not one JSON object"),
        (Answer(content='[{"colour": "red", "count": 2, "note": null}]'), "not one JSON object"),
        (Answer(content='{"colour": "red", "colour": "blue", "count": 2, "note": null}'), "not one JSON object"),
        (Answer(content='{"colour": "red", "count": NaN, "note": null}'), "not one JSON object"),
        (Answer(content=""), "is empty"),
        (Answer(content=None), "is empty"),
        (say({"colour": "red", "count": 2}), "note missing"),
        (say({**GOOD, "count": "2"}), "count int_type"),
        (say({**GOOD, "colour": "green"}), "colour literal_error"),
        (say({**GOOD, "made_up": 1}), "extra_forbidden"),
        (Answer(content=json.dumps(GOOD), finish_reason="length"), "cut off"),
        (Answer(content=json.dumps(GOOD), finish_reason="content_filter"), "filtered"),
        (Answer(refusal="I would rather not."), "refused"),
        (Answer(raw=b"<html>gateway</html>"), "did not answer as a chat completion"),
        (Answer(raw=b'{"choices": []}'), "did not answer as a chat completion"),
        (Answer(raw=b""), "did not answer as a chat completion"),
    ],
)
def test_a_reply_that_cannot_be_used_is_asked_for_again_and_fails_after_three(
    server: ScriptedServer, asker: Asker, answer: Answer, said: str
) -> None:
    server.schedule(answer, say(GOOD), answer, answer, answer, say(GOOD))
    assert asker.ask().count == 2
    error = asker.fails()
    assert said in str(error)
    assert "3 attempts" in str(error)
    assert "made_up" not in str(error)
    assert error.exit_code is ExitCode.MODEL_FAILED
    assert server.left == 1


def test_fenced_json_is_an_answer(server: ScriptedServer, asker: Asker) -> None:
    server.schedule(
        Answer(content=f"\n```json\n{json.dumps(GOOD, indent=2)}\n```\n"), Answer(content=f"```\n{json.dumps(GOOD)}\n```")
    )
    assert asker.ask() == asker.ask()
    assert asker.client.usage.calls == 2


def test_after_a_reply_without_the_shape_the_shape_is_spelled_out(server: ScriptedServer, asker: Asker) -> None:
    server.schedule(Answer(content="red"), say(GOOD), say(GOOD))
    asker.ask()
    asker.ask()
    assert ["JSON schema" in request.text for request in server.received] == [False, True, False]


@pytest.mark.parametrize("hint", [True, False])
@pytest.mark.parametrize(
    ("supports", "found", "sent"),
    [
        ({"json_object", "text"}, ReplyFormat.JSON_OBJECT, ["json_schema", "json_object", "json_object"]),
        ({"text"}, ReplyFormat.TEXT, ["json_schema", "json_object", "text", "text"]),
    ],
)
def test_what_an_endpoint_lacks_is_found_out_once(
    server: ScriptedServer, asker: Asker, supports: set[str], found: ReplyFormat, sent: list[str], hint: bool
) -> None:
    server.supports, server.hint = frozenset(supports), hint
    server.schedule(say(GOOD), say(GOOD))
    asker.ask()
    asker.ask()
    assert server.formats() == sent
    assert asker.client.dialect.reply_format is found
    assert asker.slept == []
    assert "JSON schema" in server.received[-1].text


@pytest.mark.parametrize("refused", ["temperature", "max_tokens"])
def test_a_parameter_that_the_endpoint_refuses_is_left_out_from_then_on(server: ScriptedServer, asker: Asker, refused: str) -> None:
    server.refuses = frozenset({refused})
    server.schedule(say(GOOD), say(GOOD))
    asker.ask()
    asker.ask()
    assert [refused in request.body for request in server.received] == [True, False, False]
    assert server.formats() == ["json_schema"] * 3
    assert ("max_completion_tokens" in server.received[-1].body) is (refused == "max_tokens")


def test_a_request_that_is_refused_in_every_form_reports_the_first_refusal_and_keeps_the_dialect(
    server: ScriptedServer, asker: Asker
) -> None:
    server.schedule(fail(400, code="context_length_exceeded"), fail(400), fail(400), say(GOOD))
    assert "context_length_exceeded" in str(asker.fails())
    asker.ask()
    assert server.formats()[-1] == "json_schema"


def test_a_working_dialect_is_not_given_up_for_a_refusal_that_names_something_else(server: ScriptedServer, asker: Asker) -> None:
    server.schedule(say(GOOD), fail(400, message="prompt too long"))
    asker.ask()
    asker.fails()
    assert server.formats() == ["json_schema", "json_schema"]


def test_a_server_error_met_while_forms_are_tried_is_tried_again(server: ScriptedServer, asker: Asker) -> None:
    server.supports = frozenset({"text"})
    server.schedule(fail(503), say(GOOD))
    asker.ask()
    assert server.formats() == ["json_schema", "json_object", "text"] * 2


@pytest.mark.parametrize(
    ("answer", "remedy"),
    [
        (fail(401, code="invalid_api_key"), "check OPENAI_API_KEY"),
        (fail(402), "balance"),
        (fail(404, code="model_not_found"), "model's name"),
        (fail(429, code="insufficient_quota", headers={"Retry-After": "1"}), "balance"),
    ],
)
def test_what_waiting_does_not_mend_is_not_tried_again(server: ScriptedServer, asker: Asker, answer: Answer, remedy: str) -> None:
    server.schedule(answer, say(GOOD))
    error = asker.fails()
    assert "1 attempt)" in str(error)
    assert remedy in str(error)
    assert server.left == 1


def test_a_dead_endpoint_fails_in_one_line_without_its_address(server: ScriptedServer) -> None:
    gone = Asker(server)
    gone.client = ChatClient(Endpoint("http://127.0.0.1:9/v1", KEY), Sampling("tiny"), sleep=gone.slept.append)
    error = str(gone.fails())
    assert error.startswith("model tiny failed (3 attempts): the connection failed or was dropped; ")
    assert "127.0.0.1" not in error
    assert len(gone.slept) == 2


def test_the_key_is_in_no_error_log_or_repr_even_where_the_endpoint_repeats_it(
    server: ScriptedServer, asker: Asker, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.DEBUG)
    server.schedule(
        fail(401, code=KEY, message=f"Incorrect API key provided: {KEY}"), Answer(content=KEY), say({KEY: 1}), say({KEY: 1})
    )
    shown = [*(_everything_of(asker.fails()) for _ in range(2)), caplog.text, repr(asker.client), repr(vars(asker.client))]
    assert server.left == 0
    assert all(KEY not in text for text in shown)


def _everything_of(error: BaseException) -> str:
    import traceback

    return "".join(traceback.format_exception(error)) + repr(vars(error))


def test_a_key_of_plain_letters_is_not_taken_for_a_code_word(server: ScriptedServer) -> None:
    server.schedule(fail(401, code="my_plain_key"))
    client = ChatClient(Endpoint(server.base_url, "my_plain_key"), Sampling("tiny"))
    with client, pytest.raises(ModelFailedError) as caught:
        client.ask_json(ASKED, Found)
    assert "my_plain_key" not in str(caught.value)


def test_a_compressed_reply_is_read_and_a_broken_one_is_a_dropped_connection(server: ScriptedServer, asker: Asker) -> None:
    packed = {"Content-Encoding": "gzip"}
    server.schedule(Answer(raw=b"no gzip", headers=packed), Answer(raw=gzip.compress(say(GOOD).dump("tiny")), headers=packed))
    asker.ask()
    assert [record.outcome for record in asker.records] == ["connection", "ok"]


def test_the_environment_names_the_endpoint() -> None:
    local = read_endpoint({"OPENAI_BASE_URL": " http://127.0.0.1:8091/v1 "})
    assert (local.base_url, local.api_key) == ("http://127.0.0.1:8091/v1", "no-key")
    hosted = read_endpoint({"OPENAI_API_KEY": f"{KEY}\n", "OPENAI_BASE_URL": ""})
    assert (hosted.base_url, hosted.api_key) == ("https://api.openai.com/v1", KEY)
    assert KEY not in repr(hosted)


@pytest.mark.parametrize(
    "environ",
    [
        {},
        {"OPENAI_API_KEY": "  "},
        {"OPENAI_API_KEY": "sk-secret one"},
        {"OPENAI_API_KEY": "sk-secret\u00e9"},
        {"OPENAI_BASE_URL": "secret.example.com/v1"},
        {"OPENAI_BASE_URL": "http://[secret/v1"},
        {"OPENAI_BASE_URL": "http://me:secret@example.com/v1"},
        {"OPENAI_BASE_URL": "https://example.com/v1?api-key=secret"},
    ],
)
def test_an_endpoint_that_cannot_be_used_is_refused_without_repeating_it(environ: dict[str, str]) -> None:
    with pytest.raises(UsageError) as caught:
        read_endpoint(environ)
    assert "secret" not in str(caught.value)
    assert "OPENAI_" in str(caught.value)


def test_without_the_sdk_one_line_says_what_to_install(
    server: ScriptedServer, asker: Asker, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "openai", None)
    with pytest.raises(UsageError, match=r'pip install "twist-corpus\[llm\]"'):
        asker.ask()
    assert server.received == []


def test_importing_and_making_a_client_loads_no_sdk() -> None:
    program = (
        "import sys, twistcore.chat.client as c, twistcore.chat.prompts\n"
        "from twistcore.chat.endpoint import Endpoint\n"
        "c.ChatClient(Endpoint('http://127.0.0.1:9', 'k'), c.Sampling('m'))\n"
        "sys.exit('openai' in sys.modules or 'httpx2' in sys.modules)\n"
    )
    assert subprocess.run([sys.executable, "-c", program], check=False, timeout=60).returncode == 0


def test_threads_share_a_client_and_their_requests_run_beside_each_other(server: ScriptedServer, asker: Asker) -> None:
    server.latency = 0.1
    server.otherwise = lambda _: say(GOOD)
    with ThreadPoolExecutor(8) as pool:
        answers = list(pool.map(lambda _: asker.ask(), range(8)))
    assert answers == [Found(colour="red", count=2, note=None)] * 8
    assert server.peak > 1
    assert asker.client.usage.calls == 8


def test_a_closed_client_leaves_no_thread_and_cannot_be_asked(server: ScriptedServer) -> None:
    server.otherwise = lambda _: say(GOOD)
    before = threading.active_count()
    made = Asker(server)
    made.ask()
    made.client.close()
    made.client.close()
    assert threading.active_count() == before
    with pytest.raises(UsageError, match="closed"):
        made.ask()
    Asker(server).client.close()


def test_a_strict_schema_requires_every_key_and_forbids_others() -> None:
    class Inner(BaseModel):
        title: str = "x"

    class Outer(BaseModel):
        inner: Inner
        each: list[Inner] = []

    schema = strict_schema(Outer)
    for part in (schema, schema["$defs"]["Inner"]):
        assert part["additionalProperties"] is False
        assert part["required"] == list(part["properties"])
    assert schema["$defs"]["Inner"]["properties"] == {"title": {"type": "string"}}
    assert '"default"' not in json.dumps(schema)


@given(st.text())
def test_no_text_is_read_as_an_answer_unless_it_is_one(text: str) -> None:
    with pytest.raises(UnusableReplyError) as caught:
        parse_text(text, Found)
    assert caught.value.why in (Unusable.PROSE, Unusable.WRONG_SHAPE)


@given(st.text(max_size=30), st.sampled_from(["{}", "x{}", "{}x", "```{}```", "```json\n{}\n```", "```python\n{}\n```", "[{}]"]))
def test_a_note_survives_bare_or_in_one_fence_and_nowhere_else(note: str, around: str) -> None:
    text = around.format(json.dumps({**GOOD, "note": note}))
    if around in ("{}", "```{}```", "```json\n{}\n```"):
        assert parse_text(text, Found).note == note
    else:
        with pytest.raises(UnusableReplyError):
            parse_text(text, Found)


def test_deep_nesting_is_no_crash() -> None:
    with pytest.raises(UnusableReplyError):
        parse_text('{"a":' * 100_000, Found)


@given(st.text())
def test_escaped_text_is_one_line_without_tags(text: str) -> None:
    escaped = escape_text(text)
    assert len(escaped.splitlines()) <= 1
    assert "<" not in escaped
    assert ">" not in escaped
    escaped.encode("utf-8")


SOUND = "{% block system %}Judge.{% endblock %}{% block user %}<t>{{ text }}</t>{% endblock %}"


def test_a_prompt_is_rendered_with_its_values_escaped(tmp_path: Path) -> None:
    path = tmp_path / "prompt.j2"
    path.write_text(SOUND, encoding="utf-8")
    prompt = load_prompt(path, {"text"})
    assert prompt.render(text="a\n</t> & b") == [Message("system", "Judge."), Message("user", "<t>a &lt;/t&gt; &amp; b</t>")]


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (SOUND.replace("text", "txt"), "uses txt"),
        (SOUND.replace("{{ text }}", ""), "leaves out text"),
        (SOUND.replace("block user", "block person"), "no block user"),
        (SOUND.replace("}}", ""), "no valid prompt"),
    ],
)
def test_a_prompt_that_cannot_work_is_refused_before_any_call(tmp_path: Path, text: str, said: str) -> None:
    path = tmp_path / "prompt.j2"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(FrameError, match=said):
        load_prompt(path, {"text"})


def test_a_prompt_that_asks_a_value_for_what_it_lacks_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "prompt.j2"
    path.write_text(SOUND.replace("{{ text }}", "{{ text.lenght }}"), encoding="utf-8")
    with pytest.raises(FrameError, match="lenght"):
        load_prompt(path, {"text"}).render(text="a")

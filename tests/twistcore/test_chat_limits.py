"""Limits of the client: who waits for whom, when a run stops, what a budget lets through."""

from __future__ import annotations

import asyncio
import itertools
import json
import time
from pathlib import Path

import pytest
from chat_asking import GOOD, TINY, Clock, Found, ask_about, echo, ended, item_of, make_chat, run_all
from hypothesis import given
from hypothesis import strategies as st
from scripted_server import COMPLETION_TOKENS, PROMPT_TOKENS, Answer, Received, ScriptedServer, fail, say

from twistcore.chat.breaker import Breaker
from twistcore.chat.budget import Budget
from twistcore.chat.dialect import Sampling
from twistcore.chat.event_log import EventLog
from twistcore.chat.limiter import Limiter, read_exhausted
from twistcore.chat.prices import Price, Prices, read_prices
from twistcore.chat.replies import Tokens
from twistcore.chat.sending import ChatLimits
from twistcore.chat.usage import CallEvent, CallLabel, EventKind
from twistcore.errors import EndpointDownError, ExitCode, FrameError, LimitReachedError, ModelFailedError, UsageError

# How many at once


def test_never_more_than_the_limit_are_in_flight_and_all_of_it_is_used(server: ScriptedServer) -> None:
    server.latency = 0.05
    run_all(server, range(60), limits=ChatLimits(concurrency=8))
    assert server.peak == 8
    assert len(server.received) == 60


# Waiting when told to


def test_a_refusal_pauses_all_that_share_the_endpoint_until_it_says(server: ScriptedServer) -> None:
    server.schedule(fail(429, headers={"Retry-After": "1"}))
    events: list[CallEvent] = []
    found = run_all(server, range(20), limits=ChatLimits(concurrency=4), on_event=events.append)
    assert all(isinstance(answer, Found) for answer in found.values())
    refused, *later = (received.at for received in server.received)
    # Up to three were in flight when the refusal came.
    assert sum(at - refused < 0.95 for at in later) <= 3
    assert [event.kind for event in events if event.kind in (EventKind.PAUSED, EventKind.RESUMED)] == [
        EventKind.PAUSED,
        EventKind.RESUMED,
    ]


def test_where_single_requests_are_refused_only_these_wait_in_the_end(server: ScriptedServer) -> None:
    server.latency = 0.02
    refused = {"0", "20", "40", "60", "80"}

    def answer(received: Received) -> Answer:
        again = sum(item_of(other) == item_of(received) for other in server.received) > 1
        return echo(received) if again or item_of(received) not in refused else fail(429, headers={"retry-after-ms": "400"})

    server.otherwise = answer
    events: list[CallEvent] = []
    found = run_all(server, range(200), limits=ChatLimits(concurrency=4), on_event=events.append)
    assert all(isinstance(each, Found) for each in found.values())
    assert [event.kind for event in events].count(EventKind.PAUSED) == 2
    for item in refused:
        first, again = (received.at for received in server.received if item_of(received) == item)
        assert again - first >= 0.4


def _limiter() -> tuple[Limiter, list[float | None]]:
    heard: list[float | None] = []
    return Limiter(sleep=asyncio.sleep, clock=Clock(), on_change=heard.append), heard


async def _believe(limiter: Limiter) -> list[int]:
    """Two pauses that nothing contradicts, and the numbers of the next thirty requests."""
    for _ in range(2):
        limiter.refused(limiter.number(), 0.001)
        await limiter.admit()
    return [limiter.number() for _ in range(30)]


def test_a_refusal_that_is_put_to_the_test_holds_all_where_those_after_it_are_refused_too() -> None:
    async def work() -> None:
        limiter, heard = _limiter()
        numbers = await _believe(limiter)
        for number in numbers[:3]:
            limiter.refused(number, 60.0)
        assert heard == [0.001, None, 0.001, None]
        # Answers to what was sent before it prove nothing.
        for number in range(1, numbers[0]):
            limiter.answered(number, {})
        limiter.refused(numbers[3], 60.0)
        assert heard[4:] == [60.0]
        limiter.stop()

    asyncio.run(work())


def test_a_refusal_that_is_put_to_the_test_holds_nobody_where_those_after_it_are_served_until_three_in_a_row() -> None:
    async def work() -> None:
        limiter, heard = _limiter()
        numbers = await _believe(limiter)
        limiter.refused(numbers[0], 60.0)
        limiter.refused(numbers[3], 60.0)
        for number in (*numbers[1:3], *numbers[4:9]):
            limiter.answered(number, {})
        limiter.refused(numbers[9], 60.0)
        limiter.answered(numbers[10], {})
        assert heard[4:] == []
        for number in numbers[11:17]:
            limiter.refused(number, 60.0)
        assert heard[4:] == [60.0]
        limiter.stop()

    asyncio.run(work())


def test_a_later_longer_pause_extends_and_a_shorter_one_does_not_shorten() -> None:
    async def work() -> float:
        clock = Clock()
        limiter = Limiter(sleep=clock.sleep, clock=clock)
        for seconds in (2.0, 6.0, 1.0):
            limiter.refused(limiter.number(), seconds)
        await limiter.admit()
        return clock.now

    assert asyncio.run(work()) >= 6.0


@pytest.mark.parametrize("what", ["requests", "tokens"])
def test_rate_headers_that_say_nothing_is_left_pause_all_until_the_reset(server: ScriptedServer, what: str) -> None:
    spent = {f"x-ratelimit-remaining-{what}": "0", f"x-ratelimit-reset-{what}": "600ms"}
    server.schedule(Answer(content=json.dumps(GOOD), headers=spent))
    run_all(server, range(4), limits=ChatLimits(concurrency=1))
    first, *later = (received.at for received in server.received)
    assert min(later) - first >= 0.6


@pytest.mark.parametrize(
    ("headers", "seconds"),
    [
        ({"x-ratelimit-remaining-requests": "0", "x-ratelimit-reset-requests": "1m30.5s"}, 90.5),
        ({"x-ratelimit-remaining-requests": "0", "x-ratelimit-reset-requests": "20ms"}, 0.02),
        ({"x-ratelimit-remaining-tokens": "0", "x-ratelimit-reset-tokens": "7"}, 7.0),
        (
            {
                "x-ratelimit-remaining-requests": "0",
                "x-ratelimit-reset-requests": "1s",
                "x-ratelimit-remaining-tokens": "0",
                "x-ratelimit-reset-tokens": "2s",
            },
            2.0,
        ),
        ({"x-ratelimit-remaining-requests": "3", "x-ratelimit-reset-requests": "1s"}, None),
        ({"x-ratelimit-remaining-requests": "0"}, None),
        ({"x-ratelimit-remaining-requests": "0", "x-ratelimit-reset-requests": "soon"}, None),
        ({"x-ratelimit-remaining-requests": "0", "x-ratelimit-reset-requests": "-3"}, None),
        ({"x-ratelimit-remaining-requests": "0", "x-ratelimit-reset-requests": "1796083200"}, None),
        ({}, None),
    ],
)
def test_rate_headers_are_read_as_spans(headers: dict[str, str], seconds: float | None) -> None:
    assert read_exhausted(headers) == pytest.approx(seconds) if seconds is not None else read_exhausted(headers) is None


@given(st.text(max_size=12))
def test_no_rate_header_is_a_crash(text: str) -> None:
    wait = read_exhausted({"x-ratelimit-remaining-requests": "0", "x-ratelimit-reset-requests": text})
    assert wait is None or 0 <= wait < float("inf")


# Stopping early


@pytest.mark.parametrize(
    ("answer", "said"),
    [(fail(401, code="invalid_api_key"), "401"), (fail(404, code="model_not_found", message="no such model"), "404")],
)
def test_a_wrong_key_or_model_stops_the_run_early_in_one_line(server: ScriptedServer, answer: Answer, said: str) -> None:
    server.otherwise = lambda _: answer
    events: list[CallEvent] = []
    found = run_all(server, range(200), limits=ChatLimits(concurrency=4), on_event=events.append)
    assert all(isinstance(error, ModelFailedError) for error in found.values())
    assert len(server.received) <= 3 + 4
    stopped = {str(error) for error in found.values() if isinstance(error, EndpointDownError)}
    assert len(stopped) == 1
    (line,) = stopped
    assert line.startswith("stopped: 3 questions to model tiny failed in a row, and none was ever answered; last reason: ")
    assert said in line
    assert [event.kind for event in events].count(EventKind.STOPPED) == 1
    assert {error.exit_code for error in found.values() if isinstance(error, ModelFailedError)} == {ExitCode.MODEL_FAILED}


def test_no_route_stops_the_run_and_what_waits_for_its_next_attempt_ends_at_once() -> None:
    gone = ScriptedServer()
    gone.base_url = "http://127.0.0.1:9/v1"
    started = time.perf_counter()
    # All but the first three would sleep for a minute.
    waits = iter([0.05] * 3 + [60.0] * 1000)

    async def nap(_: float) -> None:
        await asyncio.sleep(next(waits))

    found = run_all(gone, range(50), sleep=nap, limits=ChatLimits(attempts=2, concurrency=1, timeout=5.0))
    assert time.perf_counter() - started < 20.0
    assert any(isinstance(error, EndpointDownError) for error in found.values())


def test_once_something_was_answered_a_run_bears_more_and_resumes_where_it_stopped(server: ScriptedServer, tmp_path: Path) -> None:
    path = tmp_path / "calls.sqlite"
    server.otherwise = lambda received: echo(received) if int(item_of(received)) < 5 else fail(503)
    once = ChatLimits(attempts=1, concurrency=1)
    found = run_all(server, range(60), path, limits=once)
    assert len(server.received) == 5 + 20
    assert sum(isinstance(error, EndpointDownError) for error in found.values()) == 60 - 25
    server.received.clear()
    server.otherwise = echo
    assert all(isinstance(answer, Found) for answer in run_all(server, range(60), path, limits=once).values())
    assert sorted(int(item_of(received)) for received in server.received) == list(range(5, 60))


def test_failures_with_answers_between_them_stop_nothing(server: ScriptedServer) -> None:
    server.otherwise = lambda received: echo(received) if int(item_of(received)) % 5 == 0 else fail(503)
    found = run_all(server, range(100), limits=ChatLimits(attempts=1, concurrency=1))
    assert sum(isinstance(answer, Found) for answer in found.values()) == 20
    assert not any(isinstance(error, EndpointDownError) for error in found.values())


def test_a_model_that_is_not_there_stops_the_run_though_another_answers(server: ScriptedServer) -> None:
    server.otherwise = lambda received: fail(404, code="model_not_found") if received.body["model"] == "ghost" else echo(received)

    async def work() -> list[Found | BaseException]:
        async with make_chat(server, limits=ChatLimits(concurrency=1)) as chat:
            asked = (
                chat.ask_json(Sampling(model), ask_about(item), Found, label=CallLabel("w"))
                for item in range(40)
                for model in ("tiny", "ghost")
            )
            return await asyncio.gather(*asked, return_exceptions=True)

    found = asyncio.run(work())
    assert sum(received.body["model"] == "ghost" for received in server.received) == 3
    assert any(isinstance(error, EndpointDownError) and "ghost" in str(error) for error in found)
    assert len(server.received) < 40


def test_a_model_that_answers_rubbish_is_no_dead_endpoint(server: ScriptedServer) -> None:
    server.otherwise = lambda _: Answer(content="well")
    found = run_all(server, range(30), limits=ChatLimits(attempts=1), breaker=Breaker(at_first=2, later=2))
    assert not any(isinstance(error, EndpointDownError) for error in found.values())
    assert len(server.received) == 30


# Budgets


@pytest.mark.parametrize("most", [0, 1, 7, 20])
def test_never_more_calls_are_sent_than_allowed_however_many_are_in_flight(
    server: ScriptedServer, tmp_path: Path, most: int
) -> None:
    path = tmp_path / "calls.sqlite"
    server.latency = 0.02
    server.schedule(fail(500), fail(500))
    found = run_all(server, range(40), path, budget=Budget(max_calls=most))
    assert len(server.received) == most
    stopped = [error for error in found.values() if isinstance(error, LimitReachedError)]
    assert {error.exit_code for error in stopped} == {ExitCode.STOPPED}
    answered = sum(isinstance(answer, Found) for answer in found.values())
    assert answered + len(stopped) == 40
    assert answered == max(0, most - 2)
    run_all(server, range(40), path)
    assert len(server.received) == most + 40 - answered + min(2, max(0, 2 - most))


def test_requests_for_another_form_count_too(server: ScriptedServer) -> None:
    server.supports = frozenset({"text"})
    run_all(server, range(5), budget=Budget(max_calls=2))
    assert server.formats() == ["json_schema", "json_object"]


def test_cost_stays_under_its_limit_where_replies_take_what_they_took_before(server: ScriptedServer, tmp_path: Path) -> None:
    prices = Prices({"tiny": Price(prompt=1000.0, completion=1000.0)})
    one = (PROMPT_TOKENS + COMPLETION_TOKENS) / 1000
    server.latency = 0.02
    budget = Budget(max_cost=20 * one, prices=prices)
    found = run_all(server, range(100), budget=budget)
    answered = sum(isinstance(answer, Found) for answer in found.values())
    assert budget.cost <= 20 * one
    assert 15 <= answered <= 20
    assert budget.cost == pytest.approx(answered * one)
    assert all(isinstance(answer, Found | LimitReachedError) for answer in found.values())
    error = next(answer for answer in found.values() if isinstance(answer, LimitReachedError))
    assert "--max-cost" in str(error)


def test_a_model_without_a_price_is_refused_before_the_first_call_under_a_limit_of_cost(server: ScriptedServer) -> None:
    async def work() -> None:
        async with make_chat(server, budget=Budget(max_cost=1.0)) as chat:
            with pytest.raises(UsageError, match="tiny"):
                await chat.ask_json(TINY, ask_about(1), Found, label=CallLabel("w"))

    asyncio.run(work())
    assert server.received == []


def test_a_call_that_says_no_tokens_is_charged_what_was_expected() -> None:
    budget = Budget(prices=Prices({"m": Price(prompt=1_000_000, completion=1_000_000)}))

    async def work() -> float:
        reserved = await budget.reserve("m", 400, 50)
        assert reserved.tokens == Tokens(100, 50)
        return budget.settle("m", reserved, Tokens())

    assert asyncio.run(work()) == 150.0
    assert budget.expect("m", 0, None).tokens == Tokens(0, 50)


def test_earlier_runs_can_be_counted_in() -> None:
    async def work() -> None:
        await Budget(max_calls=10, calls=9).reserve("m", 1, 1)
        with pytest.raises(LimitReachedError, match="10 calls"):
            await Budget(max_calls=10, calls=10).reserve("m", 1, 1)
        with pytest.raises(LimitReachedError):
            await Budget(max_cost=2.0, cost=2.0, prices=Prices({"m": Price(prompt=1, completion=1)})).reserve("m", 1, 1)

    asyncio.run(work())


@given(st.lists(st.integers(1, 60), min_size=1, max_size=30), st.integers(0, 600))
def test_what_is_reserved_and_spent_never_passes_the_limit(sizes: list[int], limit: int) -> None:
    async def work() -> None:
        budget = Budget(max_cost=float(limit), prices=Prices({"m": Price(prompt=1_000_000, completion=0)}))
        reserved = 0.0

        async def call(size: int) -> None:
            nonlocal reserved
            held = await budget.reserve("m", 4 * size, 0)
            reserved += held.cost
            assert budget.cost + reserved <= limit
            await asyncio.sleep(0)
            budget.settle("m", held, Tokens(size, 0))
            reserved -= held.cost

        ended = await asyncio.gather(*(call(size) for size in sizes), return_exceptions=True)
        assert all(each is None or isinstance(each, LimitReachedError) for each in ended)
        assert budget.cost <= limit
        if sum(sizes) <= limit:
            assert ended == [None] * len(sizes)

    asyncio.run(work())


# Prices


def test_a_price_table_is_read_and_priced(tmp_path: Path) -> None:
    path = tmp_path / "prices.yaml"
    path.write_text("small: {prompt: 0.5, completion: 2}\nlocal/model:7b: {prompt: 0, completion: 0}\n", encoding="utf-8")
    prices = read_prices(path)
    assert prices.cost("small", Tokens(2_000_000, 500_000)) == 2.0
    assert prices.cost("local/model:7b", Tokens(5, 5)) == 0.0
    assert prices.cost("unknown", Tokens(5, 5)) == 0.0
    path.write_text('{"small": {"prompt": 0.5, "completion": 2}}', encoding="utf-8")
    assert read_prices(path).cost("small", Tokens(2_000_000, 0)) == 1.0


@pytest.mark.parametrize(
    "text",
    [
        "small: 3",
        "small: {prompt: 1}",
        "small: {prompt: -1, completion: 1}",
        "small: {prompt: 1, completion: 1, cached: 2}",
        "small: {prompt: .inf, completion: 1}",
        "- small",
        "",
        "small: [",
        "small: {prompt: true, completion: 1}",
        'small: {prompt: "1", completion: 1}',
        "small: {prompt: 1, completion: 1}\nsmall: {prompt: 0, completion: 0}",
        '{"small": {"prompt": 1, "prompt": 0, "completion": 1}}',
    ],
)
def test_a_table_of_another_shape_is_refused_by_name(tmp_path: Path, text: str) -> None:
    path = tmp_path / "prices.yaml"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(FrameError, match=r"prices\.yaml"):
        read_prices(path)


# What is told of it


def test_every_request_is_told_of_when_sent_and_when_ended_and_usage_is_their_sum(server: ScriptedServer) -> None:
    events: list[CallEvent] = []

    async def work() -> None:
        async with make_chat(server, on_event=events.append) as chat:
            server.schedule(fail(500), Answer(content="well"), say(GOOD))
            await chat.ask_json(TINY, ask_about(1), Found, label=CallLabel("w", "conv-1", "i", 2))
            assert chat.usage.calls == len(ended(events)) == 3
            assert chat.usage.prompt_tokens == sum(event.tokens.prompt for event in events)

    asyncio.run(work())
    kinds = [event.kind for event in events]
    assert kinds == [EventKind.SENT, EventKind.FAULTED, EventKind.SENT, EventKind.ANSWERED, EventKind.SENT, EventKind.ANSWERED]
    assert {event.label for event in events} == {CallLabel("w", "conv-1", "i", 2)}


def test_the_event_log_is_a_line_for_each_event_and_goes_on_after_a_torn_one(tmp_path: Path) -> None:
    path = tmp_path / "log" / "events.jsonl"
    ticks = itertools.count()
    with EventLog(path, clock=lambda: float(next(ticks))) as log:
        log(CallEvent(EventKind.SENT, CallLabel("w", "conv-1", "i"), "tiny"))
    with path.open("a", encoding="utf-8") as stream:
        stream.write('{"at": 1.0, "ev')
    with EventLog(path) as log:
        log(CallEvent(EventKind.ANSWERED, CallLabel("w"), "tiny", "ok", 200, 0.5, Tokens(1, 2), 0.25))
    first, torn, last = path.read_text(encoding="utf-8").splitlines()
    assert json.loads(first) == {
        **{"at": 1.0, "event": "sent", "agent": "w", "sample_id": "conv-1", "item": "i", "attempt": 1, "model": "tiny"},
        **{"outcome": "", "status": None, "seconds": 0.0, "prompt_tokens": 0, "completion_tokens": 0, "cost": 0.0},
    }
    assert torn == '{"at": 1.0, "ev'
    assert json.loads(last)["completion_tokens"] == 2

"""The journal: what is on disk when, what a rerun asks again (nothing), what a damaged file says, and what the account adds up to."""

from __future__ import annotations

import asyncio
import os
import sqlite3
import time
from collections.abc import Callable
from pathlib import Path

import pytest
from chat_asking import GOOD, KEY, TINY, Found, ask_about, echo, item_of, make_chat, run_all
from scripted_server import Answer, ScriptedServer, fail, say

from twistcore.chat.budget import Budget
from twistcore.chat.dialect import ReplyFormat
from twistcore.chat.journal import CallTotals, Journal
from twistcore.chat.prices import Price, Prices
from twistcore.chat.sending import ChatLimits
from twistcore.chat.usage import CallEvent, CallLabel, EventKind
from twistcore.errors import ModelFailedError, NoUsableReplyError, StorageError, UsageError


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "cache" / "calls.sqlite"


def rows(path: Path, query: str) -> list[tuple[object, ...]]:
    connection = sqlite3.connect(path)
    try:
        return connection.execute(query).fetchall()
    finally:
        connection.close()


# What is asked again


def test_a_rerun_asks_nothing_that_was_answered_and_answers_the_same(server: ScriptedServer, path: Path) -> None:
    first = run_all(server, range(40), path)
    assert len(server.received) == 40
    assert run_all(server, range(40), path) == first
    assert len(server.received) == 40
    assert {item: answer.note for item, answer in first.items() if isinstance(answer, Found)} == {
        str(item): str(item) for item in range(40)
    }


def test_a_rerun_asks_only_what_failed(server: ScriptedServer, path: Path) -> None:
    server.otherwise = lambda received: fail(501) if item_of(received) == "3" else echo(received)
    found = run_all(server, range(6), path)
    assert [item for item, answer in found.items() if isinstance(answer, ModelFailedError)] == ["3"]
    server.received.clear()
    server.otherwise = echo
    assert all(isinstance(answer, Found) for answer in run_all(server, range(6), path).values())
    assert [item_of(received) for received in server.received] == ["3"]


def test_a_reply_that_could_not_be_used_is_replayed_with_what_followed_it(server: ScriptedServer, path: Path) -> None:
    server.schedule(Answer(content="well"), fail(500), Answer(content=""), say(GOOD))
    attempts = ChatLimits(attempts=4, first_wait=0.01)
    events: list[CallEvent] = []
    found = run_all(server, ["a"], path, limits=attempts)
    assert run_all(server, ["a"], path, limits=attempts, on_event=events.append) == found == {"a": Found(**GOOD)}
    assert len(server.received) == 4
    assert [(event.kind, event.outcome) for event in events] == [
        (EventKind.CACHED, "prose"),
        (EventKind.CACHED, "empty"),
        (EventKind.CACHED, "ok"),
    ]


def test_a_question_that_failed_on_its_replies_fails_the_same_way_offline_and_anew_under_another_nonce(
    server: ScriptedServer, path: Path
) -> None:
    server.schedule(*[Answer(content="well")] * 3)
    live, offline = run_all(server, ["a"], path)["a"], run_all(server, ["a"], path)["a"]
    assert isinstance(live, NoUsableReplyError)
    assert isinstance(offline, NoUsableReplyError)
    assert str(live) == str(offline)
    assert len(server.received) == 3
    assert isinstance(run_all(server, ["a"], path, nonce=2)["a"], Found)
    assert len(server.received) == 4


def test_a_question_some_of_whose_attempts_brought_no_reply_has_those_left_for_a_rerun(server: ScriptedServer, path: Path) -> None:
    server.schedule(fail(500), Answer(content="well"), Answer(content="well"))
    failed = run_all(server, ["a"], path)["a"]
    assert isinstance(failed, ModelFailedError)
    assert not isinstance(failed, NoUsableReplyError)
    assert isinstance(run_all(server, ["a"], path)["a"], Found)


def test_with_insist_a_question_without_a_usable_reply_is_asked_again_and_its_answer_then_kept(
    server: ScriptedServer, path: Path
) -> None:
    server.schedule(*[Answer(content="well")] * 4)
    assert isinstance(run_all(server, ["a"], path, insist=True)["a"], ModelFailedError)
    assert isinstance(run_all(server, ["a"], path, insist=True)["a"], Found)
    assert len(server.received) == 5
    assert isinstance(run_all(server, ["a"], path, insist=True)["a"], Found)
    assert len(server.received) == 5


def test_one_question_at_once_is_one_call_and_another_nonce_another(server: ScriptedServer, path: Path) -> None:
    server.latency = 0.05

    async def work() -> list[Found]:
        with Journal(path) as journal:
            async with make_chat(server, journal) as chat:
                nonces = ["", "", "", "b", "b"]
                return await asyncio.gather(
                    *(chat.ask_json(TINY, ask_about("x"), Found, label=CallLabel("w", nonce=nonce)) for nonce in nonces)
                )

    assert len(asyncio.run(work())) == 5
    assert len(server.received) == 2


def test_whoever_waits_for_the_same_question_asks_it_himself_where_the_first_was_cancelled(
    server: ScriptedServer, path: Path
) -> None:
    server.latency = 0.2

    async def work() -> Found:
        with Journal(path) as journal:
            async with make_chat(server, journal) as chat:

                def ask() -> asyncio.Task[Found]:
                    return asyncio.create_task(chat.ask_json(TINY, ask_about("x"), Found, label=CallLabel("w")))

                first, second = ask(), ask()
                while not server.received:
                    await asyncio.sleep(0.01)
                first.cancel()
                return await second

    assert asyncio.run(work()).note == "x"
    assert len(server.received) == 2


@pytest.mark.parametrize("changed", ["model", "temperature", "prompt", "schema", "endpoint"])
def test_another_model_sampling_prompt_schema_or_endpoint_is_another_question(
    server: ScriptedServer, path: Path, changed: str
) -> None:
    class Other(Found):
        """Another name is another question."""

    async def work() -> None:
        with Journal(path) as journal, ScriptedServer() as elsewhere:
            elsewhere.otherwise = echo
            async with make_chat(server, journal) as chat, make_chat(elsewhere, journal) as other:
                label = CallLabel("w")
                await chat.ask_json(TINY, ask_about(1), Found, label=label)
                sampling = {"model": type(TINY)("large"), "temperature": type(TINY)("tiny", temperature=0.7)}.get(changed, TINY)
                await (other if changed == "endpoint" else chat).ask_json(
                    sampling, ask_about(2 if changed == "prompt" else 1), Other if changed == "schema" else Found, label=label
                )
                assert len(server.received) + len(elsewhere.received) == 2

    asyncio.run(work())


def test_what_an_endpoint_lacks_is_not_found_out_again_and_the_answers_got_on_the_way_are_kept(
    server: ScriptedServer, path: Path
) -> None:
    server.supports = frozenset({"text"})
    run_all(server, range(8), path)
    assert server.formats().count("json_schema") == server.formats().count("json_object") == 1
    server.received.clear()
    run_all(server, range(10), path)
    assert server.formats() == ["text", "text"]


def test_a_server_that_lost_a_format_since_is_asked_more_simply(server: ScriptedServer, path: Path) -> None:
    server.supports = frozenset({"json_object", "text"})
    run_all(server, ["a"], path)
    server.supports, server.hint = frozenset({"text"}), False
    assert isinstance(run_all(server, ["b"], path)["b"], Found)
    with Journal(path) as journal:
        endpoint = rows(path, "SELECT endpoint FROM dialects")[0][0]
        found = journal.dialect(str(endpoint), "tiny")
    assert found is not None
    assert found.reply_format is ReplyFormat.TEXT


def test_faults_and_pages_that_are_no_replies_are_no_answers(server: ScriptedServer, path: Path) -> None:
    server.schedule(fail(500), Answer(raw=b"<html>gateway</html>"), say(GOOD))
    run_all(server, ["a"], path)
    assert rows(path, "SELECT count(*) FROM answers") == [(1,)]
    assert sorted(rows(path, "SELECT outcome, status FROM calls")) == [("no_completion", 200), ("ok", 200), ("status", 500)]


@pytest.mark.slow
def test_two_thousand_kept_answers_take_less_than_a_second(server: ScriptedServer, path: Path) -> None:
    run_all(server, range(2000), path, limits=ChatLimits(concurrency=64))
    server.received.clear()
    started = time.perf_counter()
    run_all(server, range(2000), path)
    assert time.perf_counter() - started < 1.0
    assert server.received == []


# What is on disk when


def test_an_answer_is_on_disk_before_it_is_handed_out(server: ScriptedServer, path: Path) -> None:
    async def work() -> None:
        with Journal(path) as journal:
            async with make_chat(server, journal) as chat:
                holder = sqlite3.connect(path, isolation_level=None)
                holder.execute("BEGIN IMMEDIATE")
                asking = asyncio.create_task(chat.ask_json(TINY, ask_about("x"), Found, label=CallLabel("w")))
                await asyncio.sleep(0.5)
                assert len(server.received) == 1
                assert not asking.done()
                holder.execute("COMMIT")
                holder.close()
                await asking
                assert rows(path, "SELECT count(*) FROM answers") == [(1,)]

    asyncio.run(work())


def test_raw_responses_are_kept_as_they_came_and_parsed_ones_apart(server: ScriptedServer, path: Path) -> None:
    answer = Answer(content='```json\n{"colour": "red", "count": 2, "note": null}\n```')
    server.schedule(answer)
    run_all(server, ["a"], path)
    assert rows(path, "SELECT raw FROM answers") == [(answer.dump("tiny"),)]
    assert rows(path, "SELECT value FROM parsed") == [('{"colour":"red","count":2,"note":null}',)]


def test_the_answer_of_the_process_that_was_first_stands(server: ScriptedServer, path: Path) -> None:
    server.latency = 0.2
    server.otherwise = lambda received: say({**GOOD, "count": received.number})

    async def work() -> list[Found]:
        with Journal(path) as one, Journal(path) as two:
            async with make_chat(server, one) as first, make_chat(server, two) as second:
                label = CallLabel("w")
                return await asyncio.gather(*(chat.ask_json(TINY, ask_about("x"), Found, label=label) for chat in (first, second)))

    one, two = asyncio.run(work())
    assert len(server.received) == 2
    assert one == two
    assert run_all(server, ["x"], path)["x"] == one


def test_the_key_and_the_endpoint_are_nowhere_in_the_files_even_where_a_reply_repeats_the_key(
    server: ScriptedServer, path: Path
) -> None:
    server.schedule(
        say({**GOOD, "note": f"my key is {KEY}"}), fail(401, code=KEY, message=f"wrong key {KEY}"), Answer(content=f"no, {KEY}")
    )
    found = run_all(server, ["a", "b", "c"], path, limits=ChatLimits(concurrency=1))
    assert KEY not in repr(found)
    host = server.base_url.removeprefix("http://").partition("/")[0]
    held = b"".join(file.read_bytes() for file in path.parent.iterdir())
    assert b"my key is [key]" in held
    assert KEY.encode() not in held
    assert host.encode() not in held


# What a file that cannot be used says


def _truncate(path: Path) -> None:
    os.truncate(path, path.stat().st_size // 2)


def _overwrite(path: Path) -> None:
    with path.open("r+b") as stream:
        stream.seek(4096)
        stream.write(b"\xff" * 4096)


def _replace(path: Path) -> None:
    path.write_text("these are my notes\n" * 100, encoding="utf-8")


def _foreign(path: Path) -> None:
    path.unlink()
    connection = sqlite3.connect(path)
    connection.execute("CREATE TABLE notes (line TEXT)")
    connection.close()


def _newer(path: Path) -> None:
    connection = sqlite3.connect(path)
    connection.execute("PRAGMA user_version = 99")
    connection.close()


@pytest.mark.parametrize(
    ("harm", "said"),
    [
        (_truncate, "is damaged"),
        (_overwrite, "is damaged"),
        (_replace, "is no journal"),
        (_foreign, "is no journal"),
        (_newer, "another version"),
    ],
)
def test_a_file_that_is_no_sound_journal_is_named_and_not_written_to(
    server: ScriptedServer, path: Path, harm: Callable[[Path], None], said: str
) -> None:
    run_all(server, range(60), path)
    harm(path)
    before = path.read_bytes()
    with pytest.raises(StorageError, match=said) as caught:
        Journal(path)
    assert str(path) in str(caught.value)
    assert "move the file away" in str(caught.value)
    assert path.read_bytes() == before


def test_a_file_that_another_process_holds_is_an_error_and_no_hang(server: ScriptedServer, path: Path) -> None:
    async def work() -> None:
        with pytest.raises(StorageError, match="held by another process"), Journal(path, busy=0.1) as journal:
            holder = sqlite3.connect(path, isolation_level=None)
            holder.execute("BEGIN IMMEDIATE")
            try:
                async with make_chat(server, journal) as chat:
                    with pytest.raises(StorageError, match="held by another process"):
                        await chat.ask_json(TINY, ask_about("x"), Found, label=CallLabel("w"))
                    # What cannot be kept is not asked for.
                    with pytest.raises(StorageError, match="held by another process"):
                        await chat.ask_json(TINY, ask_about("y"), Found, label=CallLabel("w"))
            finally:
                holder.close()

    asyncio.run(work())
    assert [item_of(received) for received in server.received] == ["x"]


def test_a_place_where_no_file_can_be_is_an_error(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("", encoding="utf-8")
    with pytest.raises(StorageError, match="file"):
        Journal(tmp_path / "file" / "calls.sqlite")
    with pytest.raises(StorageError):
        Journal(tmp_path)


# The account


def test_totals_add_up_over_runs_faults_and_answers_from_the_journal(server: ScriptedServer, path: Path) -> None:
    prices = Prices({"tiny": Price(prompt=1000.0, completion=3000.0)})
    server.schedule(fail(500), Answer(content="well"))
    events: list[CallEvent] = []
    run_all(server, range(5), path, run="one", on_event=events.append, budget=Budget(prices=prices))
    run_all(server, range(7), path, run="two", on_event=events.append, budget=Budget(prices=prices))
    with Journal(path) as journal:
        (everything,) = journal.totals()
        assert (everything.calls, everything.answered, everything.cached) == (5 + 2 + 2, 7, 5 + 1)
        replies = everything.calls - 1
        assert (everything.prompt_tokens, everything.completion_tokens) == (11 * replies, 7 * replies)
        assert everything.cost == pytest.approx(replies * (11 * 1000 + 7 * 3000) / 1_000_000)
        for by in (["run"], ["agent"], ["item", "outcome"], ["sample_id", "agent", "item", "attempt", "model"]):
            assert _sum(journal.totals(*by)) == pytest.approx(_sum([everything]))
        assert [totals.group for totals in journal.totals("run")] == [("one",), ("two",)]
        assert journal.totals(run="two")[0].calls == 2
        with pytest.raises(UsageError, match="colour"):
            journal.totals("colour")
    assert sum(event.cost for event in events) == pytest.approx(everything.cost)


def _sum(totals: list[CallTotals]) -> list[float]:
    names = ("calls", "answered", "cached", "prompt_tokens", "completion_tokens", "cost", "seconds")
    return [sum(getattr(each, name) for each in totals) for name in names]


def test_an_empty_journal_has_empty_totals(path: Path) -> None:
    with Journal(path) as journal:
        assert journal.totals() == [CallTotals((), 0, 0, 0, 0, 0, 0.0, 0.0)]
        assert journal.totals("agent") == []

"""Deciding side by side: the same decisions, errors that come through, and nothing left running."""

from __future__ import annotations

import multiprocessing
import signal
import subprocess
import sys
import threading
from dataclasses import replace
from pathlib import Path
from typing import Any, cast

import pytest

from locomo_patch.reader import LoadedCorpus
from locomo_patch.revalidation.cases import CaseFile, Injection, place, read_placed
from locomo_patch.revalidation.questions import ConversationQuestions, read_conversation_questions
from locomo_patch.revalidation.turns import TurnReading
from locomo_patch.revalidation.workers import Workers, usable_cores
from twistcore.text.parses import Parser

Work = list[tuple[ConversationQuestions, list[TurnReading]]]
TEXTS = (
    "I sold my car last week and I ride a bike to work now.",
    "We adopted another dog, that makes three.",
    "Actually it was in 2019 that I moved here, I looked it up.",
    "My favorite food is ramen these days.",
)
KILLED = """
import multiprocessing, os, signal, sys
from pathlib import Path
from locomo_patch.locate import mock_path
from locomo_patch.reader import read_corpus
from locomo_patch.revalidation.questions import read_conversation_questions
from locomo_patch.revalidation.workers import Workers
from twistcore.text.parses import Parser

context = read_conversation_questions(read_corpus(mock_path()).corpus.conversations[0], Parser(Path(sys.argv[1])))
with Workers(2, worth=0) as workers:
    workers.begin(context, [])()
    print(len(multiprocessing.active_children()), flush=True)
    os.kill(os.getpid(), signal.SIGKILL)
"""


@pytest.fixture(scope="module")
def work(mock: LoadedCorpus, parser: Parser) -> Work:
    """Two conversations with a few injected turns each."""
    found: Work = []
    for conversation in mock.corpus.conversations[:2]:
        injections = [
            Injection(session="append", speaker=speaker, text=text) for text in TEXTS for speaker in conversation.speakers
        ]
        case = CaseFile(case_id="c", sample_id=conversation.sample_id, injections=injections)
        found.append((read_conversation_questions(conversation, parser), read_placed(place(case, conversation), parser)))
    return found


def test_two_workers_decide_what_one_decides(work: Work) -> None:
    with Workers(1) as here:
        alone = [decide() for decide in [here.begin(*each) for each in work]]
    with Workers(2, worth=0) as both:
        begun = [both.begin(*each) for each in work]
        assert multiprocessing.active_children()
        assert [decide() for decide in begun] == alone
    assert any(decision.injected for decisions in alone for decision in decisions)


def test_workers_that_start_afresh_decide_the_same(work: Work) -> None:
    with Workers(1) as here:
        alone = here.begin(*work[0])()
    done = threading.Event()
    beside = threading.Thread(target=done.wait)
    beside.start()
    try:
        with Workers(2, worth=0) as workers:
            assert workers.begin(*work[0])() == alone
    finally:
        done.set()
        beside.join()


def test_nothing_is_left_running_on_the_way_out(work: Work) -> None:
    with pytest.raises(KeyboardInterrupt), Workers(2, worth=0) as workers:
        workers.begin(*work[0])
        raise KeyboardInterrupt
    assert not multiprocessing.active_children()


def test_what_deciding_raises_in_a_worker_is_raised_here(work: Work) -> None:
    context, turns = work[0]
    broken = replace(turns[0], bags=cast(Any, None))
    with Workers(2, worth=0) as workers:
        decide = workers.begin(context, [broken])
        with pytest.raises(AttributeError):
            decide()


def test_what_a_killed_worker_leaves_is_decided_here(work: Work) -> None:
    with Workers(1) as here:
        alone = here.begin(*work[0])()
    with Workers(2, worth=0) as workers:
        workers.begin(*work[0])()
        for child in multiprocessing.active_children():
            child.kill()
            child.join()
        assert [workers.begin(*work[0])(), workers.begin(*work[0])()] == [alone, alone]


def test_a_small_conversation_starts_no_process(work: Work) -> None:
    with Workers(2) as workers:
        workers.begin(*work[0])()
        assert not multiprocessing.active_children()


def test_workers_end_with_a_killed_parent(cache: Path) -> None:
    # The workers hold the other end of the pipe that is read here: it closes when the last of them has ended.
    done = subprocess.run([sys.executable, "-c", KILLED, str(cache)], capture_output=True, text=True, check=False, timeout=60)
    assert (done.returncode, done.stdout) == (-signal.SIGKILL, "2\n")


def test_at_most_two_cores_are_taken_unasked() -> None:
    assert 1 <= usable_cores() <= 2

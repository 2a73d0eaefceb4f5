"""Shared by the persona tests: the mock corpus, the real one where it is, one parser, and conversations made on the spot."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from datetime import datetime
from pathlib import Path

import pytest

import locomo_patch
from locomo_patch.reader import read_corpus
from personas.persona import Persona, read_corpus_personas
from twistcore.corpus import Category, Conversation, Corpus, Question, Session, Turn
from twistcore.text.parses import Parser, cache_folder

MOCK = Path(locomo_patch.__file__).parent / "corpora" / "mock" / "locomo_mock.json"
Say = tuple[str, str]


@pytest.fixture(scope="session")
def parser() -> Parser:
    return Parser()


@pytest.fixture(scope="session")
def mock() -> Corpus:
    return read_corpus(MOCK, allow_unknown=True).corpus


@pytest.fixture(scope="session")
def mock_personas(mock: Corpus, parser: Parser) -> dict[str, tuple[Persona, Persona]]:
    return read_corpus_personas(mock, parser)


@pytest.fixture(scope="session")
def real() -> Corpus:
    shared = os.environ.get("TWIST_SHARED")
    path = Path(shared) / "data" / "locomo10.json" if shared else None
    if path is None or not path.is_file():
        pytest.skip("TWIST_SHARED is unset or holds no data/locomo10.json")
    return read_corpus(path).corpus


@pytest.fixture(scope="session")
def real_personas(real: Corpus) -> dict[str, tuple[Persona, Persona]]:
    return read_corpus_personas(real, Parser(cache_folder()))


def talk(
    sample_id: str, speakers: tuple[str, str], sessions: Sequence[Sequence[Say]], questions: Sequence[str] = ()
) -> Conversation:
    made = []
    for number, said in enumerate(sessions, start=1):
        turns = tuple(Turn(sample_id, number, place, speaker, text) for place, (speaker, text) in enumerate(said, start=1))
        made.append(Session(number, datetime(2023, 1, number), f"1:00 pm on {number} January, 2023", turns))
    asked = tuple(Question(sample_id, index, text, "x", None, (), Category.SINGLE_HOP) for index, text in enumerate(questions))
    return Conversation(sample_id, *speakers, tuple(made), (), asked)


@pytest.fixture(scope="session")
def make_talk() -> Callable[..., Conversation]:
    return talk

"""The offline verifier sees dated lines and nothing else."""

from __future__ import annotations

import pytest

from inject.drafts import Relation, SeenLine
from inject.stance_topic import Direction
from inject.verifiers.offline import OfflineVerifier, stance_of
from twistcore.text.parses import Parser


def lines(*texts: str) -> list[SeenLine]:
    return [SeenLine(f"[{day} May, 2023] Sam: {text}") for day, text in enumerate(texts, start=1)]


@pytest.mark.parametrize(
    ("anchor", "later"),
    [
        ("I'd never keep a parrot, they're way too loud for me.", "I got a parrot three weeks ago and I love hearing it sing."),
        ("I can't stand oysters and I won't eat a single one.", "I eat oysters every Friday now, they're so good!"),
        (
            "I'm never giving up my film camera, it means too much to me.",
            "I sold my film camera two weeks ago and I use my phone now.",
        ),
    ],
)
def test_a_plain_flip_contradicts(parser: Parser, anchor: str, later: str) -> None:
    opinion = OfflineVerifier(parser).verify(lines(anchor, later))
    assert opinion.relation is Relation.CONTRADICTS, opinion.reason
    assert opinion.unstated == []


@pytest.mark.parametrize(
    "later",
    [
        "Back in college I kept a parrot for a year, and then it went to a friend.",
        "I miss the parrot at my old office, it was such a funny bird.",
        "If somebody gave me a castle I'd keep a parrot in the tower.",
        "My neighbor keeps telling me to get a parrot like hers.",
        "I know I said I'd never keep a parrot, but I have one now and I love it.",
    ],
)
def test_nostalgia_jokes_pressure_flashback_and_acknowledgement_do_not(parser: Parser, later: str) -> None:
    opinion = OfflineVerifier(parser).verify(lines("I'd never keep a parrot, they're way too loud for me.", later))
    assert opinion.relation is Relation.CONSISTENT, opinion.reason


def test_lines_without_a_common_matter_cannot_be_told(parser: Parser) -> None:
    opinion = OfflineVerifier(parser).verify(lines("I'd never keep a parrot.", "The bakery on the corner was closed."))
    assert opinion.relation is Relation.CANNOT_TELL


@pytest.mark.parametrize(
    ("anchor", "word", "direction"),
    [
        ("I'm not giving up my truck for anything.", "truck", Direction.KEEP),
        ("The choir is here to stay in my week.", "choir", Direction.KEEP),
        ("Hard pass on blue cheese for me!", "cheese", Direction.AVOID),
    ],
)
def test_the_stance_is_read_off_the_anchor(anchor: str, word: str, direction: Direction) -> None:
    assert stance_of(anchor, [word]) is direction

from __future__ import annotations

import random

import pytest

from arcs.frames import load_frames
from arcs.lint import render
from inject.facts import LIMIT, atomic_facts, claim_facts_of, divergence
from twistcore.text.parses import Parser

NOUNS = ("pumpkin", "violin", "teacher", "garage", "river", "lamp")
ADJECTIVES = ("purple", "heavy", "ancient", "slow")
NUMBERS = ("two", "three", "four", "seven", "nine")
PAINTED = {
    "VBD": ("painted", "carried"),
    "VBN": ("painted", "carried"),
    "VBZ": ("paints", "carries"),
    "VBG": ("painting", "carrying"),
}


@pytest.fixture(scope="module")
def lines() -> list[str]:
    rendered = [render(line, item) for frame in load_frames() for _, line in frame.gold_lines() for item in frame.objects]
    return random.Random(11).sample(rendered, 200)


def mutant(text: str, parser: Parser, rng: random.Random) -> str:
    """The text with one content word, number or negation changed."""
    tokens = [
        token
        for token in parser.parse(text)
        if token.dep_ == "neg" or (token.pos_ in ("NOUN", "PROPN", "ADJ", "NUM", "VERB") and not token.is_stop)
    ]
    token = rng.choice(tokens)
    pool = {"NUM": NUMBERS, "ADJ": ADJECTIVES, "VERB": PAINTED.get(token.tag_, ("paint", "carry"))}.get(token.pos_, NOUNS)
    word = "" if token.dep_ == "neg" else rng.choice([choice for choice in pool if choice != token.lower_])
    return text[: token.idx] + word + text[token.idx + len(token.text) :]


def test_one_changed_fact_goes_over_the_limit(lines: list[str], parser: Parser) -> None:
    rng = random.Random(5)
    caught = sum(
        divergence(parser.parse(mutant(line, parser, rng)), atomic_facts(parser.parse(line)), ()).d > LIMIT for line in lines
    )
    assert caught >= 0.95 * len(lines)


def test_a_faithful_text_diverges_by_nothing(lines: list[str], parser: Parser) -> None:
    for line in lines:
        doc = parser.parse(line)
        assert divergence(doc, atomic_facts(doc), ()).d == 0


def voices(line: str) -> list[str]:
    """One line in other voices."""
    expanded = line
    for short, full in (("I'm", "I am"), ("don't", "do not"), ("I've", "I have"), ("it's", "it is"), ("can't", "cannot")):
        expanded = expanded.replace(short, full)
    return [
        f"Hey Jo! {line}",
        f"By the way, {line}",
        f"Well, {line}",
        f"Haha, {line}",
        line.replace("!", "."),
        line.replace(". ", "! "),
        line.rstrip(".!") + ", Sam!",
        line.lower(),
        expanded,
    ]


def test_voice_changes_no_fact(lines: list[str], parser: Parser) -> None:
    tried = [(line, voice) for line in lines[:80] for voice in voices(line)]
    moved = [voice for line, voice in tried if divergence(parser.parse(voice), atomic_facts(parser.parse(line)), ()).d != 0]
    assert len(moved) <= 0.01 * len(tried), moved[:3]


def test_claim_facts_name_the_terms(parser: Parser) -> None:
    doc = parser.parse("I keep a parrot by the window. My coffee is strong. The parrot sings at noon.")
    facts = claim_facts_of(doc, ["parrot"])
    assert len(facts) == 2
    assert all("parrot" in fact for fact in facts)


def test_omission_and_invention_are_weighed_apart(parser: Parser) -> None:
    plan = atomic_facts(parser.parse("I keep a parrot. The parrot sings."))
    short = divergence(parser.parse("I keep a parrot."), plan, ())
    long = divergence(parser.parse("I keep a parrot. The parrot sings. My neighbor owns a boat."), plan, ())
    assert (len(short.omitted), len(short.invented)) == (1, 0)
    assert short.d == pytest.approx(0.2)
    assert (len(long.omitted), len(long.invented)) == (0, 1)
    assert long.d == pytest.approx(0.2)

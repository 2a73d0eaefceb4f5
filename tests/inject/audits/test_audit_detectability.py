"""The n-gram audits find what is planted, and nothing where nothing is."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from arcs.taxonomy import Family
from inject.audits.detectability import Comparison, audit_detectability
from inject.audits.leakage import audit_leakage
from inject.audits.likeness import by_length, draw_alike, is_middle, is_statement, originals
from inject.audits.load import Kind, load_release
from inject.audits.ngrams import tell_apart

Make = Callable[..., Path]
VOCABULARY = ["melon", "river", "candle", "tower", "pepper", "violin", "harbor", "pillow", "lantern", "saddle", "walnut", "meadow"]


def _text(rng: random.Random) -> str:
    return "I " + " ".join(rng.choice(VOCABULARY) for _ in range(12)) + "."


def _by_name(folder: Path) -> dict[str, Comparison]:
    return {comparison.name: comparison for comparison in audit_detectability(load_release(folder)).comparisons}


INJECTED = ("gold", "reactions", "small_talk_edges", "small_talk_middle")


def test_a_giveaway_word_in_every_injected_turn_is_found_and_named(make_release: Make) -> None:
    found = _by_name(make_release(write=lambda text, _kind, _item: f"{text} Zyx"))
    for name in INJECTED:
        comparison = found[name]
        assert comparison.report.auc.worst is not None
        assert comparison.report.auc.worst > 0.97
        assert comparison.limit is not None
        assert comparison.limit.met is False
        assert "zyx" in {entry.ngram for entry in comparison.report.words[:8]}


def test_identical_distributions_stay_near_chance(make_release: Make) -> None:
    for name, comparison in _by_name(make_release(conversations=6)).items():
        mean = comparison.report.auc.mean
        assert mean is not None, name
        assert 0.35 < mean < 0.65, name


def test_a_giveaway_in_one_kind_leaves_the_others_alone(make_release: Make) -> None:
    found = _by_name(make_release(conversations=6, write=lambda text, kind, _item: text + " Zyx." * (kind == "reaction")))
    assert found["reactions"].report.auc.mean is not None
    assert found["reactions"].report.auc.mean > 0.97
    for name in ("gold", "small_talk_edges", "small_talk_middle"):
        mean = found[name].report.auc.mean
        assert mean is not None
        assert mean < 0.68


def test_a_release_without_items_is_not_applicable(make_release: Make) -> None:
    audit = audit_detectability(load_release(make_release(conversations=2, pairs=0)))
    assert [limit.met for limit in audit.limits] == [None] * len(INJECTED)
    assert all("no injected turn" in limit.note for limit in audit.limits)


def test_items_in_one_conversation_only_are_not_applicable(make_release: Make) -> None:
    audit = audit_detectability(load_release(make_release(conversations=3, with_items_in=1)))
    assert all(limit.figure is None and "one conversation only" in limit.note for limit in audit.limits)


def test_a_word_that_belongs_to_one_conversation_does_not_help(make_release: Make) -> None:
    """Leave-one-conversation-out: an injected word that differs from conversation to conversation is never seen in training."""
    rng = random.Random(3)
    texts, labels, groups = [], [], []
    for number in range(6):
        for index in range(40):
            own = f"{'qxzjvw'[number] * 3}" if index < 10 else ""
            texts.append(f"{_text(rng)} {own}")
            labels.append(int(index < 10))
            groups.append(f"conv-{number}")
    report = tell_apart(texts, labels, groups, 10)
    assert report.auc.mean is not None
    assert report.auc.mean < 0.65


def test_the_order_of_conversations_changes_no_figure() -> None:
    rng = random.Random(5)
    texts = [_text(rng) for _ in range(120)]
    labels = [int(index % 4 == 0) for index in range(120)]
    first = tell_apart(texts, labels, [f"c{index % 3}" for index in range(120)], 10)
    renamed = tell_apart(texts, labels, [f"c{2 - index % 3}" for index in range(120)], 10)
    assert first.auc.mean == renamed.auc.mean
    assert first.words == renamed.words


def test_texts_without_a_shared_ngram_are_not_applicable() -> None:
    report = tell_apart(["", "", "", ""], [1, 0, 1, 0], ["a", "a", "b", "b"], 5)
    assert report.auc.mean is None
    assert report.auc.note == "texts share no n-gram"


def test_drawn_originals_have_the_injected_turns_lengths(make_release: Make) -> None:
    rows = load_release(make_release(conversations=6)).rows
    gold = [row for row in rows if row.kind is Kind.GOLD]
    drawn = draw_alike(gold, originals(rows, is_middle), by_length, "test")
    wanted, got = Counter(map(by_length, gold)), Counter(map(by_length, drawn))
    ratio = len(drawn) / len(gold)
    assert ratio >= 1
    for key, count in wanted.items():
        assert got[key] == pytest.approx(ratio * count, rel=0.35)
    assert draw_alike(gold, originals(rows, is_middle), by_length, "test") == drawn


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Yesterday I went out.", True),
        ("So fun. My dog came too.", True),
        ("I went out, did you?", False),
        ("You love my dog.", False),
        ("That is great!", False),
    ],
)
def test_first_person_statements(make_release: Make, text: str, expected: bool) -> None:
    row = next(row for row in load_release(make_release(conversations=1, pairs=0)).rows if row.position == 7)
    assert is_statement(replace(row, text=text)) is expected
    assert not is_statement(replace(row, text=text, place=next(iter(type(row.place)))))


def test_leakage_names_each_family_apart_and_pools_nothing(make_release: Make) -> None:
    def write(text: str, kind: str, item: int) -> str:
        return text + (" I miss that." if kind == "later" and item % 2 else "")

    leakage = audit_leakage(load_release(make_release(write=write)))
    assert [leak.family for leak in leakage.families] == [Family.HN_A1.value]
    report = leakage.families[0].report
    assert report.auc.out_of_fold is not None
    assert report.auc.out_of_fold > 0.97
    assert report.missing_words[0].weight < 0
    assert "miss" in " ".join(entry.ngram for entry in report.missing_words[:5])

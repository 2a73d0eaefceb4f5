from __future__ import annotations

from topic_case import scooter

from inject.gates.registry import NAMES, judge_all, verdict, versions
from twistcore.verdicts import Outcome


def test_every_name_has_a_gate_of_that_name_in_order() -> None:
    assert list(versions()) == list(NAMES)
    assert [result.gate for result in judge_all(scooter("I ride my electric scooter every day."))] == list(NAMES)


def test_an_unknown_conversation_fails_and_raises_nothing() -> None:
    found = verdict(scooter("I ride my electric scooter every day."))
    assert found.verdict is Outcome.FAIL
    assert "ids" in {finding.gate for finding in found.failed}


def test_odd_texts_raise_nothing() -> None:
    for text in ("", " ", "?!", "\u2019\u2026 \U0001f600", "a" * 3000, "\n\n"):
        assert verdict(scooter(text)).verdict is not Outcome.PASS

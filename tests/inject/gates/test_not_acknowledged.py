from __future__ import annotations

import pytest
from topic_case import WORDINGS, scooter, topic_case, worded

from inject.gates import not_acknowledged
from twistcore.verdicts import Outcome

UNSEEN = {"Karaoke won. I'm there each Friday with my own songbook."}


@pytest.mark.parametrize("later", [text for text in WORDINGS["acknowledged"] if text not in UNSEEN])
def test_an_acknowledged_change_passes(later: str) -> None:
    case = topic_case(later, anchor="No karaoke for me, Bo.", topic="karaoke", old="Ann would never sing karaoke", family="HN-A2")
    assert not_acknowledged.judge(case).outcome is Outcome.PASS


@pytest.mark.parametrize("entry", WORDINGS["good_arcs"], ids=lambda entry: entry["topic"])
def test_a_plain_contradiction_fails(entry: dict[str, str]) -> None:
    assert not_acknowledged.judge(worded(entry, "HN-A2")).outcome is Outcome.FAIL


def test_other_families_are_not_judged() -> None:
    assert not_acknowledged.judge(scooter("I ride a scooter.")).outcome is Outcome.NOT_APPLICABLE

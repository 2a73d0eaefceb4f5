"""The lines that tie an exchange in: what they may look like, and which of them fit which subject."""

from __future__ import annotations

import random
import re
from collections import Counter
from itertools import product

import pytest

from arcs.frames import slots_in
from inject.connectives import ByAct, ConnectiveLine, ConnectiveUse, _read, load_connectives, say_ack, say_handback
from inject.seams import Act
from inject.subjects import Kind, Subject, When
from twistcore.errors import FrameError

SETS = ("acks", "handbacks")
KNOWN = {"subject", *Subject("a", "a", False, "a", "").agreement()}
GENERAL = {Kind.ACTIVITY, Kind.EVENT, Kind.THING, Kind.PET, Kind.VALUE}


def all_lines() -> list[tuple[str, Act, ConnectiveLine]]:
    """Every ack and handback with its set and act."""
    connectives = load_connectives()
    return [(name, act, line) for name, act in product(SETS, Act) for line in getattr(connectives, name).of(act)]


def subject(kind: Kind, when: When, *, plural: bool = False, told: bool = True) -> Subject:
    """A made-up subject."""
    return Subject("my kite", "your kite", plural, "kite", "own", kind, when, told=told)


def possible() -> list[tuple[Act, Kind, When, bool]]:
    """Act, kind, time and told of every subject that a seam can have."""
    cells = []
    for kind, when, told in product(Kind, When, (True, False)):
        if kind in {Kind.HELP, Kind.ADVICE}:
            cells.append((Act.THANKS, kind, when, told))
            continue
        if kind is not Kind.VALUE and (told or (kind is Kind.EVENT and when is When.PAST)):
            cells.append((Act.NEWS, kind, when, told))
        if when is not When.FUTURE and not told:
            cells.append((Act.PRAISE, kind, when, told))
        if kind in GENERAL and (when is When.ONGOING or (when is When.PAST and kind in {Kind.VALUE, Kind.ACTIVITY})):
            cells.append((Act.VIEW, kind, when, told))
    return cells


@pytest.mark.parametrize(("name", "least"), [("acks", 180), ("handbacks", 220)])
def test_there_are_enough_lines(name, least):
    assert sum(line_set == name for line_set, _, _ in all_lines()) >= least


def test_no_line_comes_twice_and_none_has_a_question_or_a_dash():
    texts = [line.text for _, _, line in all_lines()]
    transitions = [*load_connectives().transitions.inner, *load_connectives().transitions.open]
    for name in SETS:
        for act in Act:
            count = Counter(line.text for line in getattr(load_connectives(), name).of(act))
            assert not [text for text, times in count.items() if times > 1]
    for text in [*texts, *transitions]:
        assert text.isascii()
        assert not re.search(r'[?;"]|--| - ', text), text
        assert 2 <= len(text.split()) <= 14, text


def test_every_line_ends_and_starts_as_a_sentence():
    for _, _, line in all_lines():
        assert line.text.endswith((".", "!")), line.text
        assert re.match(r"[A-Z]|\{[A-Z]", line.text), line.text
        assert slots_in(line.text) <= KNOWN, line.text


def test_a_handback_names_its_subject_once_and_an_ack_at_most_once():
    for name, act, line in all_lines():
        named = len(re.findall(r"\{[Ss]ubject\}", line.text))
        if act is Act.CHEER:
            assert not named, line.text
        elif name == "handbacks":
            assert named == 1, line.text
        else:
            assert named <= 1, line.text


def test_no_marker_opens_more_than_a_tenth_of_the_handbacks():
    texts = [line.text for name, _, line in all_lines() if name == "handbacks"]
    for marker in ("Anyway", "But yeah", "So yeah", "Like I said", "And yeah", "Oh", "Well", "Honestly"):
        assert sum(text.startswith(marker) for text in texts) <= len(texts) / 10
    assert not [text for text in texts if "back to" in text.lower() and "come back" not in text]


@pytest.mark.parametrize("cell", possible(), ids=str)
@pytest.mark.parametrize("name", SETS)
def test_every_subject_that_can_come_has_lines(name, cell):
    act, kind, when, told = cell
    fitting = getattr(load_connectives(), name).fitting(act, subject(kind, when, told=told))
    assert len(fitting) >= 10


def test_nothing_past_is_looked_forward_to():
    handbacks = load_connectives().handbacks.fitting(Act.NEWS, subject(Kind.EVENT, When.PAST))
    assert not [text for text in handbacks if re.search(r"will|can't wait|looking forward|should be|I hope|Fingers", text)]


def test_nothing_to_come_is_looked_back_on():
    handbacks = load_connectives().handbacks.fitting(Act.NEWS, subject(Kind.EVENT, When.FUTURE))
    assert not [text for text in handbacks if re.search(r"\{was\}|had a|enjoyed|liked|to remember|worked out", text)]


def test_encouragement_has_lines_without_a_subject():
    connectives = load_connectives()
    line = connectives.handbacks.fitting(Act.CHEER, None)[0]
    assert say_handback(line, None) == line
    assert len(connectives.acks.fitting(Act.CHEER, None)) >= 30


def test_each_speaker_says_the_phrase_as_theirs_and_verbs_agree():
    kites = Subject("my kites", "your kites", True, "kite", "own")
    assert say_ack("{Subject} {sounds} great.", kites) == "Your kites sound great."
    assert say_handback("{Subject} {is} great.", kites) == "My kites are great."


def test_no_line_is_used_again_while_another_is_unused():
    use, rng = ConnectiveUse(), random.Random(1)
    lines = ["a", "b", "c"]
    assert sorted(use.pick(lines, rng) for _ in range(3)) == lines
    assert use.pick(lines, rng, ["b"]) == "b"


def test_a_line_is_a_string_or_says_what_it_fits():
    lines = ["I like {subject}."] * 19
    made = ByAct.model_validate({act.value: [*lines, {"text": "So {subject}.", "fits": ["pet"], "when": ["past"]}] for act in Act})
    line = made.news[-1]
    assert line.suits(subject(Kind.PET, When.PAST))
    assert not line.suits(subject(Kind.PET, When.FUTURE))
    assert not line.suits(subject(Kind.EVENT, When.PAST))


def test_a_told_line_asks_for_the_speakers_own_matter():
    line = ConnectiveLine(text="So true!", told=False)
    assert not line.suits(subject(Kind.VALUE, When.ONGOING, told=True))
    assert line.suits(subject(Kind.VALUE, When.ONGOING, told=False))


def test_a_file_with_an_unknown_kind_is_refused(tmp_path):
    path = tmp_path / "acks.yaml"
    path.write_text("news: [{text: 'So {subject}.', fits: [planet]}]\n")
    with pytest.raises(FrameError):
        _read(path, ByAct)

"""Small-talk scripts: whole sessions of LoCoMo's kind, with borders where an exchange can be dropped in."""

from __future__ import annotations

import re
from collections import Counter
from itertools import combinations, pairwise
from pathlib import Path

import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st

from inject.smalltalk import Exchange, Script, load_scripts, read_script, tell
from locomo_patch.edits import NewTurn
from locomo_patch.reader import LoadedCorpus
from twistcore.errors import FrameError

SCRIPTS = load_scripts()
NAMES = {"Ann": "Annie", "Bob": "Bobby"}
ALL = pytest.mark.parametrize("script", SCRIPTS, ids=lambda script: script.id)


def test_there_is_a_script_for_every_session_that_ten_conversations_can_get() -> None:
    assert len(SCRIPTS) >= 30
    assert len({script.id for script in SCRIPTS}) == len(SCRIPTS)


def test_every_script_has_the_length_of_a_session() -> None:
    """Upstream sessions have 10 to 47 turns, and no exchange may fall into this one."""
    assert {script.id: len(script.lines()) for script in SCRIPTS if not 10 <= len(script.lines()) <= 47} == {}


def test_every_script_has_one_or_two_caption_turns() -> None:
    captions = {script.id: [line.caption for line in script.lines() if line.caption] for script in SCRIPTS}
    assert {ident: len(listed) for ident, listed in captions.items() if not 1 <= len(listed) <= 2} == {}


@ALL
def test_a_caption_is_of_the_upstream_form_and_no_address_is_made_up(script: Script) -> None:
    assert all(line.caption.startswith("a photo") for line in script.lines() if line.caption)
    assert not any(re.search(r"https?:|www\.|@", f"{line.text} {line.caption}") for line in script.lines())


@ALL
def test_a_script_greets_parts_and_names_nobody_but_the_other(script: Script) -> None:
    for line in script.lines():
        assert set(re.findall(r"\{(\w+)\}", line.text)) <= {"you"}
        assert line.text.isascii()
        assert not re.search(r"\\n|\[|\]|^\w+:", line.text)
    assert re.search(
        r"\b(?:hey|hi|hello|morning|evening|good to|great to|what's up|long time|how)\b", script.lines()[0].text, re.IGNORECASE
    )
    assert re.search(
        r"\b(?:bye|later|care|soon|see y(?:ou|a)|talk|night|catch|luck|let me know)\b",
        " ".join(line.text for line in script.lines()[-2:]),
        re.IGNORECASE,
    )


@ALL
def test_its_summary_and_observations_are_about_its_lines(script: Script) -> None:
    assert all(0 <= line < len(script.lines()) for line in script.observations)
    for text in (*script.summary, *script.observations.values()):
        assert set(re.findall(r"\{(\w+)\}", text)) <= {"a", "b"}
    for line, fact in script.observations.items():
        assert fact.startswith("{a}" if line % 2 == 0 else "{b}"), "the fact is about who says the line"


def test_no_line_is_in_two_scripts_or_in_the_real_file(real: LoadedCorpus) -> None:
    lines = Counter(line.text for script in SCRIPTS for line in script.lines())
    assert [text for text, count in lines.items() if count > 1] == []
    said = {turn.text.strip() for turn in real.corpus.turns()}
    assert [text for text in lines if text in said] == []


@given(st.sampled_from(SCRIPTS), st.integers(0, 3), st.data())
def test_told_with_exchanges_the_speakers_still_alternate(script: Script, count: int, data: st.DataObject) -> None:
    borders = list(range(1, len(script.segments)))
    chosen = data.draw(st.sampled_from(list(combinations(borders, min(count, len(borders))))))
    openers = script.border_openers("Ann", "Bob")
    exchanges = []
    for border in chosen:
        first = openers[border - 1]
        second = "Bob" if first == "Ann" else "Ann"
        exchanges.append(Exchange(border, (NewTurn(speaker=first, text=f"New {border}."), NewTurn(speaker=second, text="Oh!"))))
    dialogue = tell(script, "Ann", "Bob", NAMES, exchanges)
    speakers = [turn.speaker for turn in dialogue.turns]
    assert speakers[0] == "Ann"
    assert all(before != after for before, after in pairwise(speakers))
    assert len(dialogue.turns) == len(script.lines()) + 2 * len(exchanges)
    for border in chosen:
        assert dialogue.turns[dialogue.exchange_starts[border]].text == f"New {border}."
    for line, offset in zip(script.lines(), dialogue.line_offsets, strict=True):
        turn = dialogue.turns[offset]
        other = "Annie" if turn.speaker == "Bob" else "Bobby"
        assert turn.text == line.text.replace("{you}", other)
        assert turn.caption == line.caption


def test_a_broken_script_is_refused_with_its_name_and_field(tmp_path: Path) -> None:
    raw = {
        "id": "x",
        "segments": [["Hello there."]] * 3,
        "summary": ["{a} and {b}.", "{b}."],
        "observations": {0: "{a}.", 1: "{b}."},
    }
    path = tmp_path / "x.yaml"
    path.write_text(yaml.safe_dump(raw))
    with pytest.raises(FrameError, match=r"x\.yaml, segments: .*docs/frames\.md"):
        read_script(path)
    path.write_text(yaml.safe_dump({**raw, "segments": [["Hello there."]] * 4, "mood": "glad"}))
    with pytest.raises(FrameError, match=r"x\.yaml, mood"):
        read_script(path)
    path.write_text(yaml.safe_dump({**raw, "segments": [["Hello there."]] * 4}))
    assert len(read_script(path).lines()) == 4

"""Gate `voice`: a gold turn stays within what its speaker does: length, emoji, exclamation marks, capitals, hashtags, stiffness.

Source: LOCOMO.md section 4 (turns of at most 87 words) and section 6 (emoji in 7 turns). Only outliers fail: ordinary prose in any
speaker's mouth passes, since a few hundred turns are too few to tell a person's style more finely.
"""

from __future__ import annotations

import math
import re
import unicodedata
from dataclasses import dataclass

from inject.gates.case import Case, Gate, Record
from twistcore.verdicts import GateResult

GATE = Gate("voice", "1")

LONGEST_TURN = 87
ROOMY_TURN = 60
ROOMY_SENTENCES = 8
ROOMY_EXCLAMATIONS = 6
ROOMY_EMOJI = 2
ROOMY_CAPITALS = 3
_STIFF = re.compile(
    r"\b(?:henceforth|hereby|herein|heretofore|hitherto|aforementioned|notwithstanding|pursuant to|thereof|"
    r"whereby|furthermore|moreover"
    r"|hereafter|in accordance with|one must|it is imperative|shall not|consequently|nevertheless|thusly|endeavou?r to)\b",
    re.IGNORECASE,
)
_CAPITALS = re.compile(r"\b[A-Z]{4,}(?:'[A-Z]+)?\b")
_HASHTAG = re.compile(r"(?<!\w)#[A-Za-z]\w+")


@dataclass(frozen=True, slots=True)
class Measures:
    """Countable habits of one turn, or the most that a speaker's record shows of each."""

    words: int
    sentences: int
    exclamations: int
    run: int
    emoji: int
    capitals: int
    hashtags: int
    stiff: int


def measure(text: str) -> Measures:
    """Count one turn's habits."""
    runs = re.findall(r"!+", text)
    return Measures(
        words=len(text.split()),
        sentences=len([part for part in re.split(r"(?<=[.!?\u2026])\s+", text.strip()) if part]),
        exclamations=sum(map(len, runs)),
        run=max(map(len, runs), default=0),
        emoji=0 if text.isascii() else sum(unicodedata.category(character) == "So" for character in text),
        capitals=len(_CAPITALS.findall(text)),
        hashtags=len(_HASHTAG.findall(text)),
        stiff=len(_STIFF.findall(text)),
    )


def habits(record: Record, speaker: str) -> Measures:
    """The most that a speaker does in any one turn; of words, the 99.5th percentile."""
    listed = [measure(turn.text) for turn in record.turns if turn.speaker == speaker]
    words = sorted(measures.words for measures in listed)
    cut = words[min(len(words) - 1, math.ceil(0.995 * len(words)) - 1)]
    most = {name: max(getattr(measures, name) for measures in listed) for name in Measures.__slots__}
    return Measures(**{**most, "words": cut})


def _known_habits(record: Record, speaker: str) -> Measures:
    known = record.memo.get((GATE.name, speaker))
    if not isinstance(known, Measures):
        known = record.memo[GATE.name, speaker] = habits(record, speaker)
    return known


def judge(case: Case) -> GateResult:
    """Fail on the first habit far outside the speaker's own; not applicable where the speaker is unknown."""
    record = case.record
    if record is None or any(turn.speaker not in record.conversation.speakers for turn in case.proposal.turns):
        return GATE.skipped()
    for turn in case.proposal.turns:
        own = _known_habits(record, turn.speaker)
        here = measure(turn.text)
        limits = (
            ("words", here.words, min(max(ROOMY_TURN, math.ceil(1.25 * own.words) + 5), LONGEST_TURN)),
            ("sentences", here.sentences, max(ROOMY_SENTENCES, own.sentences + 2)),
            ("exclamation marks", here.exclamations, max(ROOMY_EXCLAMATIONS, own.exclamations + 2)),
            ("exclamation marks in a row", here.run, max(2, own.run)),
            ("emoji", here.emoji, max(ROOMY_EMOJI, own.emoji + 1)),
            ("words in capitals", here.capitals, max(ROOMY_CAPITALS, own.capitals + 2)),
            ("hashtags", here.hashtags, own.hashtags),
            ("stiff phrases", here.stiff, max(1, own.stiff)),
        )
        for name, count, limit in limits:
            if count > limit:
                return GATE.failed(f"{turn.role}: {count} {name}, {turn.speaker} has {limit} at most")
    return GATE.passed()

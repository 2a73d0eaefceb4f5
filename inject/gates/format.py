"""Gate `format`: a turn is plain speech of one speaker: no label, script, markup, escape, placeholder or stage direction.

Source: LOCOMO.md section 6 (three stage directions in 5,882 turns are left-overs of the generator, not style).
"""

from __future__ import annotations

import re

from inject.gates.case import Case, Gate
from inject.word_lists import word_list
from twistcore.verdicts import GateResult

GATE = Gate("format", "1")

_GENERIC_LABELS = ("speaker ?[AB12]?", "user", "assistant", "human", "bot", "narrator", "system", "me", "you", "him", "her")
_MARKUP = re.compile(r"</?[a-z][^>]{0,40}>|\*\*|__\w|^#{1,4} |^\s*(?:[-*\u2022] +(?=[A-Z])|1[.)] )|```|^>\s")
_ESCAPE = re.compile(r"\\[nrt\"'](?![a-z]{4})|\\u[0-9a-fA-F]{4}|&(?:amp|quot|lt|gt|nbsp|#\d+);")
_PLACEHOLDER = re.compile(r"\{\w*\}|<\w+>|\bTODO\b|\bXXX\b|\bLorem ipsum\b|\{\{")
_BRACKETS = re.compile(r"\[[^\]]*\]?")
_ASIDE = re.compile(r"\(([^()]{1,40})\)|\*([^*]{1,60})\*|~([^~]{2,40})~")
_ACTIONS = tuple(sorted(word_list("actions")))
_NOISES = frozenset(
    {
        *_ACTIONS,
        "pause",
        "beat",
        "silence",
        "long pause",
        "laughter",
        "applause",
        "crying",
        "clears throat",
        "rolls eyes",
        "holds up",
        "looks away",
    }
)
# Between asterisks a verb in the third person is an action, whichever it is: "*wipes tears*".
_ACTED = re.compile(r"(?!(?:this|was|is|his|its|always|yes|as|has|does)\b)[a-z]{3,}s (?:[a-z']+ ?){1,5}$")
_ACTION_FORM = re.compile(
    rf"^(?:(?:softly|slowly|nervously|quietly|loudly|he|she)\s+)?(?:{'|'.join(_ACTIONS)}|shak|roll|clear|hold|"
    rf"look|lean|tak|turn|show|sway|ey)"
    r"(?:s|es|ing|p?ping|d?ding|n?ning|ies)\b",
    re.IGNORECASE,
)


def judge(case: Case) -> GateResult:
    """Fail on the first trace of a script or of markup."""
    names = case.record.conversation.speakers if case.record is not None else (case.proposal.holder,)
    labels = _label_pattern(names)
    for turn in case.proposal.turns:
        reason = _fault(turn.text, labels, turn.speaker)
        if reason is not None:
            return GATE.failed(f"{turn.role}: {reason}")
    return GATE.passed()


def _label_pattern(names: tuple[str, ...]) -> re.Pattern[str]:
    """A speaker's name, or a short form of it, followed by a colon where a sentence may begin."""
    forms = sorted({name[:size] for name in names for size in range(2, len(name) + 1)}, key=len, reverse=True)
    joined = "|".join(map(re.escape, forms))
    return re.compile(rf"(?:^|[.!?\u2026\"')\]\n*-]\s*)(?:{joined})\s*(?:\([^)]*\)\s*)?:(?=\s|$|\*)")


def _fault(text: str, labels: re.Pattern[str], speaker: str) -> str | None:
    checks = (
        (labels.search(text), "speaker label"),
        (re.match(rf"\s*{re.escape(speaker)}\s*(?:[-\u2013\u2014>|]|says\b|said\b)", text), "speaker label"),
        (re.match(rf"\s*(?:{'|'.join(_GENERIC_LABELS)})\s*:", text, re.IGNORECASE), "speaker label"),
        (_script(text), "a script of several speakers"),
        (_ESCAPE.search(text), "literal escape"),
        ("\n" in text.strip() or None, "line break"),
        (_MARKUP.search(text), "markup"),
        (_PLACEHOLDER.search(text), "placeholder"),
        (_BRACKETS.search(text), "square brackets"),
        (_stage_direction(text), "stage direction"),
    )
    for found, reason in checks:
        if found:
            shown = found.group().strip() if isinstance(found, re.Match) else ""
            return f"{reason} {shown!r}" if shown else reason
    return None


def _script(text: str) -> re.Match[str] | None:
    """Two labels of whatever name, one of them after a finished sentence."""
    found = list(re.finditer(r"(?:^|[.!?\u2026\"]\s+)([A-Z][a-z]{1,12}):\s+(?=[A-Z\"])", text))
    return found[1] if len(found) > 1 else None


def _stage_direction(text: str) -> re.Match[str] | None:
    for match in _ASIDE.finditer(text):
        inner = next(group for group in match.groups() if group is not None).strip()
        if match[2] and _ACTED.match(inner):
            return match
        if inner.lower().rstrip(".") in _NOISES or (_ACTION_FORM.match(inner) and len(inner.split()) <= 6):
            return match
    return None

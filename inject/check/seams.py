"""Rule 3: exchanges stand at seams. Judged from the words around them alone; shares no code with the planner or a writer.

Adjacency is broken where the next original turn no longer follows something that it answers: an exchange between a
question and its answer, one that ends in a question of its own, or a bridge that does not come back to the turn before it:
neither names what that turn was about, nor encourages again where thanks for encouragement follow.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass

from inject.check.broken import Broken, Rule
from inject.check.opened import Corpora, Opened
from inject.handbacks import hands_back, naming_words
from locomo_patch.edits import InsertExchange
from twistcore.corpus import Turn
from twistcore.store import EDITS

# DESIGN.md rule 3 (b): at a session's end at most a fifth of all exchanges.
END_SHARE = 0.2
_ADIEU = re.compile(
    r"\b(?:good)?bye\b|\btake care\b|\bsee (?:you|ya)\b|\btalk (?:to you )?(?:soon|later)\b|\bcatch (?:you|up) (?:soon|later)\b|"
    r"\bgood night\b",
    re.I,
)
# A turn that starts so answers somebody; one that opens a matter of its own does not.
_ANSWERS = re.compile(
    r"\W*(?:yes|yeah|yep|yup|no|nope|thanks?|thank you|thx|wow|that's|that sounds|sounds|congrats|congratulations|exactly|"
    r"absolutely|definitely|totally|agreed|true|same here|you're (?:right|welcome)|no (?:problem|worries)|of course|for sure|"
    r"glad (?:you|to|it)|aww*)\b",
    re.I,
)


@dataclass(frozen=True, slots=True)
class SeamReport:
    """Exchanges by kind of seam, and the adjacencies that they break."""

    by_seam: dict[str, int]
    broken_adjacencies: tuple[Broken, ...]


def report_seams(opened: Opened, corpora: Corpora) -> SeamReport:
    """Every exchange inside a session, read in its place."""
    broken = [
        Broken(Rule.SEAMS, EDITS, f"{edit.sample_id} session {edit.session} after turn {edit.after}", wrong)
        for edit in opened.exchanges
        for wrong in _adjacency(edit, corpora)
    ]
    kinds = Counter(edit.seam for edit in opened.exchanges)
    kinds["appended"] = sum(len(edit.items) for edit in opened.appended)
    return SeamReport(dict(sorted(kinds.items())), tuple(broken))


def check_seams(opened: Opened, corpora: Corpora) -> list[Broken]:
    """Broken adjacencies, seam names that do not fit the place, and too many exchanges at session ends."""
    report = report_seams(opened, corpora)
    broken = list(report.broken_adjacencies)
    all_exchanges = sum(report.by_seam.values())
    sources = {edit.id: corpora.source.conversation(edit.sample_id).session(edit.session) for edit in opened.exchanges}
    ends = sum(edit.after >= len(sources[edit.id].turns) for edit in opened.exchanges)
    if ends > END_SHARE * all_exchanges:
        wrong = f"{ends} of {all_exchanges} exchanges stand at a session's end, more than a fifth"
        broken.append(Broken(Rule.SEAMS, EDITS, "", wrong))
    return broken


def _adjacency(edit: InsertExchange, corpora: Corpora) -> Iterator[str]:
    conversation = corpora.source.conversation(edit.sample_id)
    turns = conversation.session(edit.session).turns
    before = turns[edit.after - 1]
    following = turns[edit.after] if edit.after < len(turns) else None
    if len(edit.turns) % 2:
        yield "is not even-sized"
    if "?" in before.text:
        yield f"stands between a question and its answer: {before.text[-60:]!r}"
    if (edit.seam == "end") != (following is None):
        yield f"is called {edit.seam!r} and {'nothing' if following is None else 'a turn'} follows it"
    if following is None:
        if any(_ADIEU.search(turn.text) for turn in turns[-2:]):
            yield "comes after the farewell"
        return
    if _ends_in_question(edit.turns[-1].text):
        yield f"ends in a question that the next turn does not answer: {edit.turns[-1].text[-60:]!r}"
    yield from _handed_back(edit, before, following, conversation.speakers)


def _handed_back(edit: InsertExchange, before: Turn, following: Turn, speakers: tuple[str, str]) -> Iterator[str]:
    if edit.seam == "bridge":
        last = edit.turns[-1].text
        if not hands_back(before.text, last, following.text, speakers):
            yield f"its last turn names nothing that the turn before it was about: {last[-80:]!r} after {before.text[-60:]!r}"
    elif edit.seam == "open":
        if _ANSWERS.match(following.text) or naming_words(before.text, speakers) & naming_words(following.text, speakers):
            yield f"the next turn does not open a matter of its own: {following.text[:60]!r}"
    else:
        yield f"is held by no kind of seam: {edit.seam!r}"


def _ends_in_question(text: str) -> bool:
    return text.rstrip(" \n\"'):;")[-1:] == "?"

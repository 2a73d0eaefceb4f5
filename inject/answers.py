"""The partner's answers that a model wrote, judged as what they are: turns that the corpus will hold.

Gates read gold turns. An answer from a frame was read before it shipped; a model's was read by nobody, and it too can wear a
label, give data away, run on, ask on, name another item's object, or call a change a change and so reconcile an arc.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from inject.acknowledgement import STRONG
from inject.drafts import Draft
from inject.gates import acknowledged_in_arc, pair_independent, pii, quote, seam, voice
from inject.gates import format as form
from inject.gates.case import Case, Gate, Record
from inject.naming import object_of, phrase_of
from inject.proposals import Proposal
from twistcore.text.claims import plain
from twistcore.verdicts import Finding, Outcome, Verdict

# Gates that read the words of one turn alone, and so can read an answer too.
_OF_TURNS = (quote, form, pii, voice)
# The partner holds the holder's own words of another day against them.
_RECALLS = re.compile(
    r"\b(?:i|we) (?:\w+ )?(?:thought|remember|recall|figured|assumed|believed|could have sworn) (?:that |how |when )?you\b|"
    r"\b(?:didn't|did not|weren't|wasn't|hadn't) you\b|"
    r"\byou(?:'d| had)? (?:\w+ )?(?:said|swore|sworn|told me|claimed|vowed|insisted|promised|couldn't stand|could not stand)\b"
)


def with_answers(verdict: Verdict, draft: Draft, record: Record, others: Sequence[Proposal]) -> Verdict:
    """A verdict on gold turns with what is wrong with their answers; a check that failed already is not named again."""
    known = {finding.gate for finding in verdict.failed}
    more: dict[str, Finding] = {}
    for finding in answer_faults(draft, record, others):
        if finding.gate not in known:
            more.setdefault(finding.gate, finding)
    if not more:
        return verdict
    return verdict.model_copy(update={"verdict": Outcome.FAIL, "failed": [*verdict.failed, *more.values()]})


def answer_faults(draft: Draft, record: Record, others: Sequence[Proposal] = ()) -> Iterator[Finding]:
    """What is wrong with a draft's answers, each under the gate that would say so of a gold turn; `others` stand beside it."""
    said = [
        turn.model_copy(update={"speaker": draft.plan.partner, "text": exchange.reply})
        for turn, exchange in zip(draft.proposal.turns, draft.exchanges, strict=True)
    ]
    case = Case(draft.proposal.model_copy(update={"turns": said}), record, record.parser)
    for gate in _OF_TURNS:
        result = gate.judge(case)
        if result.outcome in (Outcome.FAIL, Outcome.UNDECIDED):
            yield result.finding.model_copy(update={"reason": f"in the answer: {result.reason}"})
    own = object_of(draft.plan.topic)
    objects = [phrase_of(theirs) for theirs in dict.fromkeys(object_of(other.topic) for other in others) if theirs != own]
    for exchange in draft.exchanges:
        reply = exchange.reply
        if reply.rstrip(" \"')").endswith("?"):
            yield _finding(seam.GATE, f"the answer ends in a question: {reply[-60:]!r}")
        if named := next((found for each in objects if (found := each.search(reply))), None):
            yield _finding(pair_independent.GATE, f"the answer names {named.group()!r}, which another item is about")
        if draft.plan.family.is_arc and (recalled := STRONG.search(plain(reply)) or _RECALLS.search(plain(reply))):
            yield _finding(acknowledged_in_arc.GATE, f"the answer recalls the earlier stance: {recalled.group()!r}")


def _finding(gate: Gate, reason: str) -> Finding:
    return Finding(gate=gate.name, version=gate.version, reason=reason)

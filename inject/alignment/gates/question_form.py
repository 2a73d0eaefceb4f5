"""Gate `question_form`: a draft that only asks whether something changed contradicts nothing.

Source: TWIST paper section 4.4: a question is a hard negative (HN-B3) by the benchmark's own definition. What a question takes for
granted ("how are the pottery classes going?") is claimed all the same.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from inject.alignment.case import DraftCase
from inject.alignment.matter import matter_of
from inject.alignment.words import draft_words
from inject.gates.case import Gate
from twistcore.text.claims import Modality, clauses, is_asked, lemma_of, plain
from twistcore.verdicts import GateResult

if TYPE_CHECKING:
    from spacy.tokens import Span

GATE = Gate("question_form", "1")

_WH = re.compile(r"\b(?:how|what|when|where|which|why|who)(?:'s|'re)?\b")
_WHETHER = re.compile(r"\b(?:still|yet|already|anymore|any more|ever|now|change[ds]?|again|after all|in the end)\b")
_GIVEN = re.compile(r"\b(?:your|that|those|these|the)\b")


def judge(case: DraftCase) -> GateResult:
    """Fail a contradicting draft of which no sentence claims or takes for granted what the record speaks against."""
    if not case.proposal.contradicts:
        return GATE.skipped()
    asked = None
    for sentence in case.draft.sents:
        if not matter_of(sentence, case.names):
            continue
        reason = _only_asked(sentence)
        if reason is None:
            return GATE.passed()
        asked = asked or reason
    return GATE.failed(f'the draft only asks: "{asked}"') if asked else GATE.passed()


def _only_asked(sentence: Span) -> str | None:
    text = plain(sentence.text)
    if not is_asked(sentence):
        return text if _only_supposed(sentence) else None
    if _WH.search(text):
        return None
    if _GIVEN.search(text) and not _WHETHER.search(text):
        return None
    return text


def _only_supposed(sentence: Span) -> bool:
    """Whether all that the sentence says of the recipient is a doubt ("I heard you're reconsidering the art show")."""
    doubting = draft_words("doubts")
    inside = [clause for clause in clauses(sentence.doc) if sentence.start <= clause.head.i < sentence.end]
    said = [clause for clause in inside if clause.subject.value in ("second", "owned")]
    return bool(said) and all(
        clause.modality is Modality.POSSIBLE or any(lemma_of(token) in doubting for token in clause.tokens) for clause in said
    )

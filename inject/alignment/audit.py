"""The drafts of a release judged again from the record: evidence, quote, gates, the deed as it stands there, pairs, repeats."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from arcs.draft_families import DraftType
from arcs.track_b_keys import TrackBKey
from inject.alignment.case import DraftCase
from inject.alignment.deeds import contrary, deeds_of
from inject.alignment.make import as_proposal
from inject.alignment.registry import verdict
from inject.gates.case import Record
from twistcore.corpus import Corpus
from twistcore.text.parses import Parser
from twistcore.verdicts import Outcome


def audit_drafts(keys: Sequence[TrackBKey], corpus: Corpus, parser: Parser) -> list[str]:
    """What is wrong with drafts against a corpus, one line a fault: after an injection this names those that it flips."""
    records = {conversation.sample_id: Record(conversation, parser) for conversation in corpus.conversations}
    faults = [f"{text!r} is sent {count} times" for text, count in Counter(key.draft for key in keys).items() if count > 1]
    faults += [f"id {ident} is given {count} times" for ident, count in Counter(key.id for key in keys).items() if count > 1]
    for pair_id, kinds in _pairs(keys).items():
        if kinds[True] != kinds[False]:
            faults.append(f"pair {pair_id} has {kinds[True]} contradicting drafts and {kinds[False]} others")
    for key in keys:
        record = records.get(key.sample_id)
        faults += [f"{key.id}: {fault}" for fault in (_faults_of(key, record, parser) if record else ["no such conversation"])]
    return faults


def _pairs(keys: Sequence[TrackBKey]) -> dict[str, Counter[bool]]:
    found: dict[str, Counter[bool]] = {}
    for key in keys:
        found.setdefault(key.pair_id, Counter())[key.type is DraftType.CONTRADICTING] += 1
    return found


def _faults_of(key: TrackBKey, record: Record, parser: Parser) -> list[str]:
    judged = verdict(DraftCase(as_proposal(key), record, parser))
    faults = [f"fails {finding.gate}: {finding.reason}" for finding in judged.failed]
    if judged.verdict is Outcome.UNDECIDED:
        faults.append("is undecided")
    if key.history_turns != len(record.turns):
        faults.append(f"history_turns is {key.history_turns}, the conversation has {len(record.turns)} turns")
    stated = [deed for deed in deeds_of(record) if deed.turn.dia_id in key.evidence and deed.gerund in key.rationale]
    if not stated:
        faults.append("no cited turn states the deed of its rationale")
    for deed in stated[:1]:
        other = contrary(record, deed)
        if other is not None:
            faults.append(f"{other.dia_id} puts {deed.gerund} the other way round")
    return faults

"""Rules 4, 5, 7 and 13 as gates judge them: every item is put together again from its key and the corpus, and judged anew.

Gates that need a plan do not apply here; what they say about the plan is in the edits' verdicts.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace

from arcs.keys import KEYS_A, TrackAKey
from inject.check.broken import Broken, Rule
from inject.check.gold import turn_at
from inject.check.opened import Corpora, Opened
from inject.gates import registry
from inject.gates.case import Case, Record
from inject.proposals import Proposal, ProposedTurn
from inject.reviews import BINDING
from twistcore.corpus import Conversation, Session
from twistcore.store import MARKER
from twistcore.text.parses import Parser
from twistcore.verdicts import Finding

# Which rule a gate stands for; all others look at whether evidence stands by itself.
_RULES = {
    "spacing": Rule.TIME,
    "time_wrong": Rule.TIME,
    "seam": Rule.SEAMS,
    "pair_independent": Rule.PAIRS,
    "surface_match": Rule.PAIRS,
    "facts": Rule.FACTS,
    "pii": Rule.SAFETY,
}


def check_judged(opened: Opened, corpora: Corpora, parser: Parser) -> list[Broken]:
    """Items that fail a gate when they are judged from the release alone, or that a gate cannot judge: undecided is no pass."""
    broken: list[Broken] = []
    _parse_together(opened, corpora, parser)
    for conversation in corpora.source.conversations:
        mine = [key for key in opened.keys if key.sample_id == conversation.sample_id]
        if not mine:
            continue
        released = corpora.released.conversation(conversation.sample_id)
        record = Record(conversation, parser).with_sessions(_small_talk(mine, conversation, released))
        for key in mine:
            proposal = rebuild(key, released)
            if proposal is None:
                continue
            verdict = registry.verdict(Case(proposal, record, parser))
            place = f"{key.sample_id} {key.id}"
            overruled = _overruled(key)
            broken += [_finding(finding, place, "fails") for finding in verdict.failed if finding.gate not in overruled]
            broken += [
                _finding(finding, place, "is undecided at") for finding in verdict.undecided if finding.gate not in overruled
            ]
    return broken


def _overruled(key: TrackAKey) -> frozenset[str]:
    """The gates that a person overruled and may overrule; `check_reviews` proves that somebody did."""
    review = key.provenance.review
    return frozenset(review.overruled) - BINDING.keys() if review is not None else frozenset()


def rebuild(key: TrackAKey, released: Conversation) -> Proposal | None:
    """The proposal that an item was, from its key and the released turns; None where a turn is missing."""
    turns = [(gold, turn_at(released, gold.dia_id)) for gold in key.turns]
    proposed = [
        ProposedTurn(role=gold.role, session=gold.session, speaker=turn.speaker, text=turn.text)
        for gold, turn in turns
        if turn is not None
    ]
    if len(proposed) != len(key.turns):
        return None
    return Proposal(
        id=key.id,
        family=key.family,
        sample_id=key.sample_id,
        holder=key.holder,
        topic=key.topic,
        old_belief=key.old_belief,
        new_belief=key.new_belief,
        turns=proposed,
    )


def check_versions(opened: Opened) -> list[Broken]:
    """Gate versions that are not this program's: such verdicts cannot be repeated here. One entry a gate and version."""
    current = registry.versions()
    held = [(key.provenance.gates, KEYS_A, "provenance.gates") for key in opened.keys]
    held.append((opened.manifest.config.gates, MARKER, "config.gates"))
    odd = Counter(
        Broken(
            Rule.REJECTS, file, place, f"names version {gates.get(name)} of the gate {name}, this is version {current.get(name)}"
        )
        for gates, file, place in held
        for name in sorted(gates.keys() | current.keys())
        if gates.get(name) != current.get(name)
    )
    return [replace(broken, wrong=f"{broken.wrong} ({count} items)") if count > 1 else broken for broken, count in odd.items()]


def _parse_together(opened: Opened, corpora: Corpora, parser: Parser) -> None:
    """Gates parse texts one by one, which takes twice as long as one batch; the parser remembers a batch."""
    known = {conversation.sample_id: conversation for conversation in corpora.released.conversations}
    proposals = [rebuild(key, known[key.sample_id]) for key in opened.keys if key.sample_id in known]
    texts = [
        text
        for proposal in proposals
        if proposal is not None
        for text in (proposal.topic, proposal.old_belief, proposal.new_belief or "", *(turn.text for turn in proposal.turns))
    ]
    parser.parse_all(text for text in texts if text)


def _small_talk(keys: Sequence[TrackAKey], source: Conversation, released: Conversation) -> tuple[Session, ...]:
    """Appended sessions as gates saw them: their own talk, without the exchanges of any item (a gold turn and its answer)."""
    gold = {turn.dia_id for key in keys for turn in key.turns}
    sessions = []
    for session in released.sessions[len(source.sessions) :]:
        taken = {position + step for position, turn in enumerate(session.turns) if turn.dia_id in gold for step in (0, 1)}
        talk = [turn for position, turn in enumerate(session.turns) if position not in taken]
        sessions.append(replace(session, turns=tuple(replace(turn, position=number) for number, turn in enumerate(talk, start=1))))
    return tuple(sessions)


def _finding(finding: Finding, place: str, how: str) -> Broken:
    return Broken(
        _RULES.get(finding.gate, Rule.EVIDENCE), KEYS_A, place, f"{how} {finding.gate}/{finding.version}: {finding.reason}"
    )

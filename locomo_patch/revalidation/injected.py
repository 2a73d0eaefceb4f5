"""The injected turns of a release: every new turn with its released id, its day, and what stands just before it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from locomo_patch.apply import AnyEdit
from locomo_patch.id_map import ConversationIds
from locomo_patch.revalidation.cases import CONTEXT_TURNS, PlacedTurn
from locomo_patch.revalidation.turns import InjectedTurn
from twistcore.corpus import Conversation


def injected_turns(released: Conversation, ids: ConversationIds) -> list[PlacedTurn]:
    """All new turns of a released conversation in reading order, small talk included: any of them could change an answer."""
    new = frozenset(ids.inserted)
    placed = []
    for session in released.sessions:
        for position, turn in enumerate(session.turns):
            if turn.dia_id in new:
                before = tuple(other.text for other in session.turns[max(0, position - CONTEXT_TURNS) : position])
                injected = InjectedTurn(
                    turn.dia_id, session.number, session.date.date(), turn.speaker, released.partner_of(turn.speaker), turn.text
                )
                placed.append(PlacedTurn(injected, before))
    return placed


def edits_of(sample_id: str, edits: Sequence[AnyEdit]) -> list[AnyEdit]:
    """The edits of one conversation."""
    return [edit for edit in edits if edit.sample_id == sample_id]


def inserted_counts(id_map: Mapping[str, ConversationIds]) -> dict[str, int]:
    """New turns by conversation."""
    return {sample_id: len(ids.inserted) for sample_id, ids in id_map.items()}

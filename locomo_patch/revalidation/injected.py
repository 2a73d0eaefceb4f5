"""The injected turns of a release: every new turn with its released id, its day, and what stands just before it."""

from __future__ import annotations

from locomo_patch.id_map import ConversationIds
from locomo_patch.revalidation.cases import CONTEXT_TURNS, PlacedTurn
from locomo_patch.revalidation.turns import InjectedTurn
from twistcore.corpus import Conversation


def injected_turns(released: Conversation, ids: ConversationIds) -> list[PlacedTurn]:
    """All new turns of a released conversation in reading order, small talk included: any of them could change an answer."""
    new = frozenset(ids.inserted)
    source_of = {released_id: source_id for source_id, released_id in ids.old_to_new.items()}
    placed = []
    for session in released.sessions:
        for position, turn in enumerate(session.turns):
            if turn.dia_id in new:
                earlier = [source_of[other.dia_id] for other in session.turns[:position] if other.dia_id in source_of]
                before = tuple(other.text for other in session.turns[max(0, position - CONTEXT_TURNS) : position])
                injected = InjectedTurn(
                    turn.dia_id,
                    session.number,
                    session.date.date(),
                    turn.speaker,
                    released.partner_of(turn.speaker),
                    turn.text,
                    earlier[-1] if earlier else None,
                )
                placed.append(PlacedTurn(injected, before))
    return placed

"""Rule 6: hard negatives ship with their families. Every arc has its partner; no item of a conversation names another's object."""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache

from arcs.frames import load_frames
from arcs.keys import KEYS_A, TrackAKey
from inject.check.broken import Broken, Rule
from inject.check.gold import turn_at
from inject.check.opened import Corpora, Opened
from inject.naming import object_of, phrase_of
from twistcore.corpus import Conversation


def check_pairs(opened: Opened, corpora: Corpora) -> list[Broken]:
    """Pairs that are none, and items of one conversation that touch each other."""
    pairs: dict[str, list[TrackAKey]] = {}
    for key in opened.keys:
        pairs.setdefault(key.pair_id, []).append(key)
    broken = [Broken(Rule.PAIRS, KEYS_A, f"pair {ident}", wrong) for ident, keys in pairs.items() for wrong in _pair(keys)]
    for conversation in corpora.released.conversations:
        mine = [key for key in opened.keys if key.sample_id == conversation.sample_id]
        arcs = sum(key.family.is_arc for key in mine)
        if 2 * arcs != len(mine):
            wrong = f"has {arcs} arcs and {len(mine) - arcs} hard negatives"
            broken.append(Broken(Rule.PAIRS, KEYS_A, conversation.sample_id, wrong))
        broken += [
            Broken(Rule.PAIRS, KEYS_A, f"{conversation.sample_id} {ident}", wrong) for ident, wrong in _named(mine, conversation)
        ]
    return broken


def _pair(keys: list[TrackAKey]) -> Iterator[str]:
    if [key.family.is_arc for key in sorted(keys, key=lambda key: not key.family.is_arc)] != [True, False]:
        yield f"is of {', '.join(key.family.value for key in keys)}, not of one arc and one hard negative"
        return
    first, second = keys
    if first.sample_id != second.sample_id:
        yield f"is spread over {first.sample_id} and {second.sample_id}"
    if first.holder != second.holder:
        yield f"is held by {first.holder} and {second.holder}"
    frames = [frames_of(key) for key in keys]
    if all(frames) and not frames[0] & frames[1]:
        yield f"is about {object_of(first.topic)!r} and {object_of(second.topic)!r}, which no frame holds together"
    if object_of(first.topic) == object_of(second.topic):
        yield f"has one object, {object_of(first.topic)!r}"


def frames_of(key: TrackAKey) -> frozenset[str]:
    """Frames that a key's topic can come from: the one that it names before a colon, else every shipped frame with such an object.

    Empty for a topic that this program's frames do not know: a release does not say more about it.
    """
    named, _, _ = key.topic.rpartition(": ")
    return frozenset({named}) if named else _shipped().get(object_of(key.topic), frozenset())


@lru_cache(maxsize=1)
def _shipped() -> dict[str, frozenset[str]]:
    found: dict[str, set[str]] = {}
    for frame in load_frames():
        for thing in frame.objects:
            found.setdefault(thing.head.lower(), set()).add(frame.id)
    return {head: frozenset(frames) for head, frames in found.items()}


def _named(keys: list[TrackAKey], conversation: Conversation) -> Iterator[tuple[str, str]]:
    """Exchanges in which one item names another's object: a claim of the one could reconcile or contradict the other."""
    texts = {key.id: list(_spoken(key, conversation)) for key in keys}
    for owner in keys:
        pattern = phrase_of(object_of(owner.topic))
        for key in keys:
            if key.id == owner.id:
                continue
            for dia_id, text in texts[key.id]:
                if pattern.search(text):
                    yield key.id, f"{dia_id} names {object_of(owner.topic)!r}, the object of {owner.id}"


def _spoken(key: TrackAKey, conversation: Conversation) -> Iterator[tuple[str, str]]:
    """The gold turns of an item and the partner's answers to them."""
    for gold in key.turns:
        for position in (0, 1):
            session, _, number = gold.dia_id.partition(":")
            turn = turn_at(conversation, f"{session}:{int(number) + position}") if number.isdigit() else None
            if turn is not None:
                yield turn.dia_id, turn.text

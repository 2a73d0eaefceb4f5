"""Rule 5: evidence is self-contained. Every quote stands at its span in a released turn of its holder; the key's sets follow."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping

from arcs.keys import KEY_VERSION_A, KEYS_A, GoldTurn, TrackAKey
from arcs.taxonomy import Family, Role
from inject.check.broken import Broken, Rule
from inject.check.opened import Corpora, Opened
from locomo_patch.apply import AnyEdit
from locomo_patch.edits import InsertExchange
from twistcore.corpus import Conversation, Turn
from twistcore.store import EDITS
from twistcore.verdicts import Outcome

MAX_DRIFTS = 2
_OPAQUE = re.compile(r"[0-9a-f]{12}")


def check_gold(opened: Opened, corpora: Corpora) -> list[Broken]:
    """Quotes, roles, evidence sets and history of every key, and the edits that carry them."""
    broken: list[Broken] = []
    known = {conversation.sample_id: conversation for conversation in corpora.released.conversations}
    for key in opened.keys:
        conversation = known.get(key.sample_id)
        place = f"{key.sample_id} {key.id}"
        if conversation is None:
            broken.append(Broken(Rule.EVIDENCE, KEYS_A, place, "is an item of a conversation that the corpus lacks"))
            continue
        inserted = opened.inserted.get(key.sample_id, frozenset())
        found = [*_form(key, conversation), *_turns(key, conversation, inserted), *_sets(key), *_history(key, conversation)]
        broken += [Broken(Rule.EVIDENCE, KEYS_A, place, wrong) for wrong in found]
    return [*broken, *_carried(opened)]


def turn_at(conversation: Conversation, dia_id: str) -> Turn | None:
    """The turn with that id, None where there is none or the id is none."""
    if not re.fullmatch(r"D[1-9]\d*:[1-9]\d*", dia_id):
        return None
    try:
        return conversation.turn(dia_id)
    except KeyError:
        return None


def _form(key: TrackAKey, conversation: Conversation) -> Iterator[str]:
    if key.family not in Family.locomo():
        yield f"is of the family {key.family.value}, which is not planted in LoCoMo"
    if not _OPAQUE.fullmatch(key.id) or not _OPAQUE.fullmatch(key.pair_id):
        yield "its id is not opaque: twelve hexadecimal digits are expected"
    if key.key_version != KEY_VERSION_A:
        yield f"is of the key version {key.key_version}, not {KEY_VERSION_A}"
    if key.holder not in conversation.speakers:
        yield f"its holder {key.holder} does not speak in {key.sample_id}"
    roles = [turn.role for turn in key.turns]
    drifts = roles.count(Role.DRIFT)
    allowed = range(1, MAX_DRIFTS + 1) if key.family is Family.A2 else range(1)
    if roles != [Role.ANCHOR, *[Role.DRIFT] * drifts, key.family.later_role] or drifts not in allowed:
        yield f"its turns are {', '.join(roles)}, which does not fit {key.family.value}"


def _turns(key: TrackAKey, conversation: Conversation, inserted: frozenset[str]) -> Iterator[str]:
    for gold in key.turns:
        turn = turn_at(conversation, gold.dia_id)
        if turn is None:
            yield f"its {gold.role.value} is {gold.dia_id}, which is no turn"
            continue
        if turn.session != gold.session:
            yield f"its {gold.role.value} {gold.dia_id} names session {gold.session}"
        if turn.speaker != key.holder:
            yield f"its {gold.role.value} {gold.dia_id} is spoken by {turn.speaker}, not by {key.holder}"
        yield from _quote(gold, turn)
        if (gold.source_dia_id is None) != (gold.dia_id in inserted):
            wrong = "an inserted turn" if gold.dia_id in inserted else "a turn of the source"
            yield f"its {gold.role.value} {gold.dia_id} is {wrong}, source_dia_id is {gold.source_dia_id}"


def _quote(gold: GoldTurn, turn: Turn) -> Iterator[str]:
    if turn.text[gold.start : gold.end] != gold.quote:
        elsewhere = turn.text.find(gold.quote)
        where = f"it stands at {elsewhere}" if elsewhere >= 0 else "the turn does not hold it"
        yield f"its {gold.role.value} {gold.dia_id} has not the quote at {gold.start} to {gold.end}, {where}: {gold.quote[:50]!r}"
    elif not gold.quote.strip():
        yield f"its {gold.role.value} {gold.dia_id} quotes white space"


def _sets(key: TrackAKey) -> Iterator[str]:
    for name, held, roles in (
        ("claim_evidence", key.claim_evidence, {Role.ANCHOR}),
        ("new_evidence", key.new_evidence, {Role.REVERSAL, Role.STATEMENT}),
        ("drift_evidence", key.drift_evidence, {Role.DRIFT}),
    ):
        expected = [turn.dia_id for turn in key.turns if turn.role in roles]
        if held != expected:
            yield f"{name} is {held}, its turns give {expected}"
    if not key.old_belief.strip() or (key.new_belief is not None and key.new_belief.strip() in {"", key.old_belief}):
        yield "its beliefs are empty or the same"


def _history(key: TrackAKey, conversation: Conversation) -> Iterator[str]:
    last = key.turns[-1].dia_id
    before = next((count for count, turn in enumerate(conversation.turns()) if turn.dia_id == last), None)
    if before is not None and key.history_turns != before:
        yield f"history_turns is {key.history_turns}, {before} turns come before {last}"


def _carried(opened: Opened) -> Iterator[Broken]:
    """Keys and edits name each other: no exchange without an item, no item without its exchanges, no gold turn for two items."""
    keys = {key.id: key for key in opened.keys}
    yield from _repeats(opened)
    named = Counter((item, edit.session) for edit in opened.edits for item in edit.items)
    for key in keys.values():
        for turn in key.turns:
            if named[key.id, turn.session] != 1:
                wrong = f"is in {named[key.id, turn.session]} edits of session {turn.session}, where its {turn.role.value} stands"
                yield Broken(Rule.EVIDENCE, EDITS, f"{key.sample_id} {key.id}", wrong)
    for edit in opened.edits:
        place = f"{edit.sample_id} {edit.id}"
        if not _OPAQUE.fullmatch(edit.id):
            yield Broken(Rule.EVIDENCE, EDITS, place, "has an id that is not opaque: twelve hexadecimal digits are expected")
        for item in edit.items:
            if item not in keys or keys[item].sample_id != edit.sample_id:
                yield Broken(Rule.EVIDENCE, EDITS, place, f"carries the item {item}, which has no key in {edit.sample_id}")
            elif edit.session not in {turn.session for turn in keys[item].turns}:
                yield Broken(Rule.EVIDENCE, EDITS, place, f"carries the item {item}, which has no turn in session {edit.session}")
        if not edit.items and isinstance(edit, InsertExchange):
            yield Broken(Rule.EVIDENCE, EDITS, place, "is an exchange that belongs to no item")
        yield from _verdicts(edit, keys, place)


def _repeats(opened: Opened) -> Iterator[Broken]:
    listed = (
        (KEYS_A, "id of two items", [key.id for key in opened.keys]),
        (KEYS_A, "gold turn of two items", [f"{key.sample_id} {turn.dia_id}" for key in opened.keys for turn in key.turns]),
        (EDITS, "id of two edits", [edit.id for edit in opened.edits]),
    )
    for file, what, idents in listed:
        for ident, count in Counter(idents).items():
            if count > 1:
                yield Broken(Rule.EVIDENCE, file, ident, f"is the {what}")


def _verdicts(edit: AnyEdit, keys: Mapping[str, TrackAKey], place: str) -> Iterator[Broken]:
    """Every item was accepted on a passing verdict, and the edit publishes it; what a person took may fail, and says so."""
    if [verdict.id for verdict in edit.verdicts] != edit.items:
        yield Broken(Rule.REJECTS, EDITS, place, "has not one verdict for each of its items")
    for verdict in edit.verdicts:
        reviewed = verdict.id in keys and keys[verdict.id].provenance.review is not None
        if not reviewed and (verdict.verdict is not Outcome.PASS or verdict.failed or verdict.undecided):
            yield Broken(Rule.EVIDENCE, EDITS, place, f"the verdict on {verdict.id} is no pass")

"""What splicing makes of accepted items: even exchanges, whole sessions, and keys whose ids and spans hold (PRECEDENTS.md 13, 16, 20)."""

from __future__ import annotations

from collections import Counter, defaultdict
from itertools import pairwise

import pytest
from mock_runs import Made, made_release

from arcs.taxonomy import Role
from locomo_patch.apply import apply_edits
from locomo_patch.dates import format_day, parse_date
from locomo_patch.edits import AppendSession, InsertExchange
from locomo_patch.evidence import parse_references
from twistcore.text.parses import Parser


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory, parser: Parser) -> Made:
    return made_release(tmp_path_factory, parser)


def test_a_quote_is_found_verbatim_at_its_span_in_the_turn_of_its_id(made: Made) -> None:
    turns = [(key, turn) for key in made.opened.keys for turn in key.turns]
    assert turns
    for key, gold in turns:
        released = made.opened.corpus.conversation(key.sample_id).turn(gold.dia_id)
        assert released.text[gold.start : gold.end] == gold.quote
        assert released.speaker == key.holder
        assert gold.source_dia_id is None
        assert gold.session == released.session
        assert gold.date == format_day(made.opened.corpus.conversation(key.sample_id).session(gold.session).date)


def test_evidence_sets_follow_the_roles_of_the_turns(made: Made) -> None:
    for key in made.opened.keys:
        by_role = defaultdict(list)
        for turn in key.turns:
            by_role[turn.role].append(turn.dia_id)
        assert key.claim_evidence == by_role[Role.ANCHOR]
        assert key.new_evidence == by_role[key.family.later_role]
        assert key.drift_evidence == by_role[Role.DRIFT]
        assert (len(key.drift_evidence) > 0) == (key.family.value == "A2")
        assert [turn.session for turn in key.turns] == sorted({turn.session for turn in key.turns})


def test_gaps_and_history_are_counted_in_the_release(made: Made) -> None:
    for key in made.opened.keys:
        conversation = made.opened.corpus.conversation(key.sample_id)
        first, last = conversation.turn(key.turns[0].dia_id), conversation.turn(key.turns[-1].dia_id)
        days = conversation.session(last.session).date.date() - conversation.session(first.session).date.date()
        assert (key.gap_days, key.gap_sessions) == (days.days, last.session - first.session)
        assert key.gap_days >= 21 and key.gap_sessions >= 4
        assert key.history_turns == list(conversation.turns()).index(last)


def test_an_arc_is_never_without_its_partner(made: Made) -> None:
    pairs = defaultdict(list)
    for key in made.opened.keys:
        pairs[key.pair_id].append(key)
    assert len(pairs) == made.outcome.arcs
    for items in pairs.values():
        assert sorted(item.family.is_arc for item in items) == [False, True]
        assert len({(item.sample_id, item.holder) for item in items}) == 1
        assert len({item.topic for item in items}) == 2, "another object of the same frame"


def test_exchanges_are_even_and_start_with_whose_turn_it_is(made: Made) -> None:
    inside = [edit for edit in made.opened.edits if isinstance(edit, InsertExchange)]
    assert inside
    for edit in inside:
        session = made.source.corpus.conversation(edit.sample_id).session(edit.session)
        assert len(edit.turns) == 2
        assert edit.turns[0].speaker != session.turns[edit.after - 1].speaker == edit.turns[1].speaker
    for conversation in made.opened.corpus.conversations:
        for session in conversation.sessions:
            assert all(before.speaker != after.speaker for before, after in pairwise(session.turns))


def test_every_new_gold_turn_is_in_the_derived_blocks(made: Made) -> None:
    for edit in made.opened.edits:
        if isinstance(edit, InsertExchange):
            assert [row.turn for row in edit.observations] == [0]
            assert edit.summary is not None
        else:
            assert edit.summary.count(".") >= 2
            assert [row.turn for row in edit.observations] == sorted(row.turn for row in edit.observations)
            assert sum(map(len, edit.events.values())) == len(edit.items)
    released, _ = apply_edits(made.source.document, made.opened.edits)
    for key in made.opened.keys:
        blocks = released.blocks(key.sample_id)
        for turn in key.turns:
            rows = blocks.observation[f"session_{turn.session}_observation"][key.holder]
            assert [
                row for row in rows if isinstance(row[1], str) and [ref.dia_id for ref in parse_references(row[1])] == [turn.dia_id]
            ]


def test_appended_sessions_are_whole_and_dated_after_the_last(made: Made) -> None:
    appended = [edit for edit in made.opened.edits if isinstance(edit, AppendSession)]
    by_conversation = Counter(edit.sample_id for edit in appended)
    assert set(by_conversation) == {"mock-1", "mock-2"}
    assert all(1 <= count <= 3 for count in by_conversation.values())
    for edit in appended:
        source = made.source.corpus.conversation(edit.sample_id)
        assert parse_date(edit.date_text) > source.sessions[-1].date
        assert edit.event_date == format_day(parse_date(edit.date_text))
        assert 8 <= len(edit.turns) <= 47
        assert set(edit.events) == set(source.speakers)
        assert sum(turn.caption is not None for turn in edit.turns) <= 2
        held = {entry.number: entry.date_text for entry in source.dangling}
        assert edit.dangling == (edit.session in held)
        assert edit.date_text == held.get(edit.session, edit.date_text)


def test_an_edit_carries_the_verdicts_of_its_items(made: Made) -> None:
    items = {key.id for key in made.opened.keys}
    for edit in made.opened.edits:
        assert {verdict.id for verdict in edit.verdicts} == set(edit.items) <= items
        assert all(verdict.verdict == "pass" and not verdict.failed and not verdict.undecided for verdict in edit.verdicts)
    assert {item for edit in made.opened.edits for item in edit.items} == items


def test_no_injected_text_stands_twice(made: Made) -> None:
    texts = Counter((edit.sample_id, turn.text) for edit in made.opened.edits for turn in edit.turns)
    assert [text for text, count in texts.items() if count > 1] == []
    quotes = Counter(turn.quote for key in made.opened.keys for turn in key.turns)
    assert max(quotes.values()) == 1


def test_original_turns_are_as_they_were_and_in_their_order(made: Made) -> None:
    for conversation in made.source.corpus.conversations:
        ids = made.opened.id_map[conversation.sample_id]
        inserted = set(ids.inserted)
        kept = [turn for turn in made.opened.corpus.conversation(conversation.sample_id).turns() if turn.dia_id not in inserted]
        assert [(turn.speaker, turn.text, turn.caption, turn.query, turn.has_image) for turn in kept] == [
            (turn.speaker, turn.text, turn.caption, turn.query, turn.has_image) for turn in conversation.turns()
        ]
        assert [turn.dia_id for turn in kept] == [ids.old_to_new[turn.dia_id] for turn in conversation.turns()]

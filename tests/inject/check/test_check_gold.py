"""Rules 4 to 8 on keys and rejects: `inject.check.gold`, `time`, `pairs`, `judged` and `rejects`."""

from __future__ import annotations

from typing import Any

import pytest
from release_copy import Copy

from inject.check import Rule
from inject.check.pairs import frames_of
from inject.gates.registry import versions

Rows = list[dict[str, Any]]


def test_a_changed_quote_is_named(release: Copy) -> None:
    def change(rows: Rows) -> None:
        turn = rows[0]["turns"][0]
        turn["quote"] = turn["quote"][:-1] + "~"

    release.change_keys(change)
    release.assert_names(Rule.EVIDENCE, "the turn does not hold it", where=release.rows("keys/track_a.jsonl")[0]["id"])


def test_a_quote_at_another_span_is_named(release: Copy) -> None:
    def change(rows: Rows) -> None:
        turn = rows[0]["turns"][0]
        turn["start"] += 1
        turn["end"] += 1

    release.change_keys(change)
    release.assert_names(Rule.EVIDENCE, "it stands at")


def test_a_span_of_another_length_does_not_fit_the_schema(release: Copy) -> None:
    def change(rows: Rows) -> None:
        rows[0]["turns"][0]["end"] += 2

    release.change_keys(change)
    release.assert_names(Rule.SCHEMA, "the span is not as long as the quote", where="line 1 field turns.0")


def test_a_gold_turn_of_the_partner_is_named(release: Copy) -> None:
    def change(rows: Rows) -> None:
        turn = rows[0]["turns"][0]
        session, _, position = turn["dia_id"].partition(":")
        turn["dia_id"] = f"{session}:{int(position) + 1}"

    release.change_keys(change)
    release.assert_names(Rule.EVIDENCE, "is spoken by")


def test_a_gold_turn_of_the_source_is_named(release: Copy) -> None:
    release.change_keys(lambda rows: rows[0]["turns"][0].update(dia_id=f"D{rows[0]['turns'][0]['session']}:1"))
    release.assert_names(Rule.EVIDENCE, "is a turn of the source, source_dia_id is None")


@pytest.mark.parametrize("dia_id", ["D99:1", "D1:999", "1:1", "D0:1", ""])
def test_a_gold_turn_that_does_not_exist_is_named(release: Copy, dia_id: str) -> None:
    release.change_keys(lambda rows: rows[0]["turns"][0].update(dia_id=dia_id))
    release.assert_names(Rule.EVIDENCE, f"its anchor is {dia_id}, which is no turn")


def test_an_item_of_a_conversation_that_is_not_there_is_named(release: Copy) -> None:
    release.change_keys(lambda rows: rows[0].update(sample_id="conv-0"))
    release.assert_names(Rule.EVIDENCE, "is an item of a conversation that the corpus lacks", where="conv-0")


def test_roles_that_do_not_fit_the_family_are_named(release: Copy) -> None:
    release.change_keys(lambda rows: rows[0]["turns"].reverse())
    release.assert_names(Rule.EVIDENCE, "which does not fit")


@pytest.mark.parametrize("name", ["claim_evidence", "new_evidence"])
def test_evidence_that_the_turns_do_not_give_is_named(release: Copy, name: str) -> None:
    release.change_keys(lambda rows: rows[0].update({name: ["D1:1"]}))
    release.assert_names(Rule.EVIDENCE, f"{name} is ['D1:1']")


def test_another_history_is_named(release: Copy) -> None:
    release.change_keys(lambda rows: rows[0].update(history_turns=rows[0]["history_turns"] + 2))
    release.assert_names(Rule.EVIDENCE, "turns come before")


def test_an_id_that_carries_a_label_is_named(release: Copy) -> None:
    release.change_keys(lambda rows: rows[0].update(id="A1-0001"))
    release.assert_names(Rule.EVIDENCE, "its id is not opaque")


def test_an_item_of_no_edit_is_named(release: Copy) -> None:
    def change(rows: Rows) -> None:
        edit = next(row for row in rows if row["kind"] == "insert_exchange")
        edit["items"], edit["verdicts"] = [], []

    release.change_rows("edits.jsonl", change)
    release.assert_names(Rule.EVIDENCE, "is an exchange that belongs to no item")
    release.assert_names(Rule.EVIDENCE, "is in 0 edits of session")


def test_an_edit_whose_verdict_is_no_pass_is_named(release: Copy) -> None:
    def change(rows: Rows) -> None:
        edit = next(row for row in rows if row["verdicts"])
        edit["verdicts"][0]["verdict"] = "undecided"

    release.change_rows("edits.jsonl", change)
    release.assert_names(Rule.EVIDENCE, "is no pass")


def test_an_edit_without_its_verdict_is_named(release: Copy) -> None:
    release.change_rows("edits.jsonl", lambda rows: next(row for row in rows if row["verdicts"])["verdicts"].clear())
    release.assert_names(Rule.REJECTS, "has not one verdict for each of its items")


def test_a_gold_date_that_is_not_the_sessions_is_named(release: Copy) -> None:
    release.change_keys(lambda rows: rows[0]["turns"][0].update(date="1 January, 2020"))
    release.assert_names(Rule.TIME, "its anchor is dated 1 January, 2020")


@pytest.mark.parametrize("name", ["gap_days", "gap_sessions"])
def test_another_gap_is_named(release: Copy, name: str) -> None:
    release.change_keys(lambda rows: rows[0].update({name: rows[0][name] + 1}))
    release.assert_names(Rule.TIME, f"{name} is")


def test_turns_too_close_are_named(release: Copy) -> None:
    def change(rows: Rows) -> None:
        key = rows[0]
        key["turns"][-1]["session"] = key["turns"][0]["session"] + 1

    release.change_keys(change)
    release.assert_names(Rule.TIME, "at least 21 and 4 are asked")


def test_an_appended_session_at_another_gap_is_named(release: Copy) -> None:
    def change(rows: Rows) -> None:
        edit = [row for row in rows if row["kind"] == "append_session" and row["sample_id"] == "mock-2"][-1]
        edit["date_text"], edit["event_date"] = "3:00 pm on 4 May, 2025", "4 May, 2025"

    release.change_edits(change)
    release.assert_names(Rule.TIME, "days after the one before")


def test_an_appended_session_that_disagrees_with_a_dangling_date_is_found(release: Copy) -> None:
    def change(rows: Rows) -> None:
        edit = next(row for row in rows if row.get("dangling"))
        edit["date_text"], edit["event_date"] = "4:21 pm on 28 September, 2023", "28 September, 2023"

    release.change_rows("edits.jsonl", change)
    release.assert_names(Rule.TIME, "its edit says '4:21 pm on 28 September, 2023'", where="mock-1 session_9_date_time")


def test_an_arc_without_its_partner_is_named(release: Copy) -> None:
    key = release.rows("keys/track_a.jsonl")[0]
    release.change_keys(lambda rows: rows.pop(0))
    release.assert_names(Rule.PAIRS, "not of one arc and one hard negative", where=key["pair_id"])
    release.assert_names(Rule.PAIRS, "hard negatives", where=key["sample_id"])


@pytest.mark.parametrize("topic", ["another frame: thing", "parrot"])
def test_partners_of_two_frames_are_named(release: Copy, topic: str) -> None:
    release.change_keys(lambda rows: rows[0].update(topic=topic))
    release.assert_names(Rule.PAIRS, "which no frame holds together", where=release.rows("keys/track_a.jsonl")[0]["pair_id"])


def test_a_topic_that_no_shipped_frame_knows_is_no_fault(release: Copy) -> None:
    """Another writer's topics, or other frames than ours: the release does not say of which frame they are."""
    assert not frames_of(release.key(topic="a matter of one's own"))
    assert frames_of(release.key(topic="tattoo")) & frames_of(release.key(topic="eyebrow piercing"))


def test_partners_of_one_object_are_named(release: Copy) -> None:
    def change(rows: Rows) -> None:
        for row in rows:
            if row["pair_id"] == rows[0]["pair_id"]:
                row["topic"] = rows[0]["topic"]

    release.change_keys(change)
    release.assert_names(Rule.PAIRS, "has one object")


def test_an_item_that_names_anothers_object_is_named(release: Copy) -> None:
    keys = release.rows("keys/track_a.jsonl")
    first, second = (key for key in keys if key["pair_id"] == keys[0]["pair_id"])
    thing = second["topic"].rpartition(": ")[2]

    def change(rows: Rows) -> None:
        edit = next(row for row in rows if first["id"] in row["items"])
        at = next(n for n, turn in enumerate(edit["turns"]) if first["turns"][0]["quote"] in turn["text"])
        edit["turns"][at + 1]["text"] += f" Better than {thing}s, if you ask me."

    release.change_edits(change)
    release.assert_names(Rule.PAIRS, f"names {thing!r}, the object of {second['id']}", where=first["id"])


def test_an_item_that_fails_a_gate_today_is_named(release: Copy) -> None:
    key = release.rows("keys/track_a.jsonl")[0]

    def change(rows: Rows) -> None:
        for edit in rows:
            for turn in edit["turns"]:
                if turn["text"].endswith(key["turns"][0]["quote"]):
                    turn["text"] += "\\n[laughs]"

    release.change_edits(change)
    release.assert_names(Rule.EVIDENCE, "fails format/", where=key["id"])


def test_another_gate_version_is_named_once(release: Copy) -> None:
    def change(rows: Rows) -> None:
        for row in rows:
            row["provenance"]["gates"] = {**versions(), "quote": "0"}

    release.change_keys(change)
    found = [broken for broken in release.broken() if broken.rule is Rule.REJECTS]
    assert len(found) == 1
    assert "names version 0 of the gate quote" in str(found[0])


def test_a_gate_that_a_key_does_not_name_is_named(release: Copy) -> None:
    release.change_keys(lambda rows: rows[0]["provenance"]["gates"].pop("no_flip"))
    release.assert_names(Rule.REJECTS, "names version None of the gate no_flip")


def _reject(release: Copy) -> dict[str, Any]:
    """A well-formed reject: a mock release may have none of its own."""
    key = release.rows("keys/track_a.jsonl")[0]
    turns = [
        {"role": turn["role"], "session": turn["session"], "speaker": key["holder"], "text": turn["quote"]} for turn in key["turns"]
    ]
    proposal = {name: key[name] for name in ("family", "sample_id", "holder", "topic", "old_belief", "new_belief")}
    return {
        "id": "0" * 12,
        "pair_id": "1" * 12,
        "family": key["family"],
        "sample_id": key["sample_id"],
        "attempts": [
            {
                "id": "0" * 12,
                "verdict": "fail",
                "failed": [{"gate": "no_flip", "version": "1", "reason": "nothing has flipped"}],
                "undecided": [],
                "not_applicable": [],
            }
        ],
        "opinion": None,
        "reason": "three attempts failed",
        "proposal": {"id": "0" * 12, **proposal, "turns": turns},
    }


def _with_reject(release: Copy, **fields: Any) -> None:
    release.change_rows("rejects/track_a.jsonl", lambda rows: rows.append({**_reject(release), **fields}))
    release.change_manifest(lambda manifest: manifest["counts"].update(rejects=manifest["counts"]["rejects"] + 1))


def test_a_reject_with_its_verdicts_is_in_order(release: Copy) -> None:
    _with_reject(release)
    assert release.broken() == []


def test_a_reject_without_verdicts_is_named(release: Copy) -> None:
    _with_reject(release, attempts=[])
    release.assert_names(Rule.REJECTS, "carries 0 verdicts", where="rejects/track_a.jsonl, line")


def test_a_reject_whose_verdict_fails_nothing_is_named(release: Copy) -> None:
    attempt = {**_reject(release)["attempts"][0], "failed": []}
    _with_reject(release, attempts=[attempt])
    release.assert_names(Rule.REJECTS, "carries a fail with 0 failed and 0 undecided")


def test_a_reject_without_its_proposal_is_named(release: Copy) -> None:
    _with_reject(release, proposal={"id": "0" * 12})
    release.assert_names(Rule.REJECTS, "its proposal is none: field family")


def test_a_reject_that_the_release_holds_is_named(release: Copy) -> None:
    _with_reject(release, pair_id=release.rows("keys/track_a.jsonl")[0]["pair_id"])
    release.assert_names(Rule.REJECTS, "is rejected and in the keys")

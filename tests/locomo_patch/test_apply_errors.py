"""Edits that do not fit, and releases that do not hold what their edits say."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from pydantic import ValidationError
from tiny_corpus import SPEAKERS, Raw, appended, document_of, exchange, raw_conversation

from locomo_patch.apply import AnyEdit, apply_edits, remove_edits
from locomo_patch.document import Document
from locomo_patch.edits import EDIT, InsertExchange, NewTurn, ObservationRow, SummarySentence
from locomo_patch.id_map import renumber
from twistcore.errors import ExitCode, ReleaseError

SOURCE = document_of(raw_conversation(lengths=(6, 5), dangling=1))


@pytest.mark.parametrize(
    ("edits", "message"),
    [
        ([exchange(1, 7)], "conv-1 session 1 has no turn 7"),
        ([exchange(3, 1)], "conv-1 session 3 has no turn 1"),
        ([exchange(1, 2), exchange(1, 2)], "two exchanges at one seam of session 1"),
        ([exchange(1, 2, sample_id="conv-9")], "lacks: conv-9"),
        ([appended(2)], "conv-1 has a session 2 already"),
        ([appended(3, dangling=True, text="1:00 pm on 1 April, 2023")], "must keep its dangling date '3:03 pm on 3 March, 2023'"),
        ([appended(3, dangling=False)], "session 3 has a dangling date"),
        ([appended(3, dangling=True), appended(4, dangling=True)], "session 4 has no dangling date"),
        ([appended(4)], "cannot get a session 4, the next one is 3"),
        ([appended(3, dangling=True), appended(3, dangling=True)], "session 3"),
        ([appended(3, dangling=True), exchange(3, 1)], "session 3 has no turn 1"),
        ([exchange(1, 2, summary=SummarySentence(text="X", at=400))], "summary has no offset 400"),
        ([exchange(1, 2, observations=[ObservationRow(speaker="Ann", fact="F", turn=2)])], "turn 2 of 2 new ones"),
        ([exchange(1, 2, observations=[ObservationRow(speaker="Cid", fact="F", turn=0)])], "no observations of Cid"),
    ],
)
def test_an_edit_that_does_not_fit_is_refused_with_its_place(edits: list[AnyEdit], message: str) -> None:
    kept = SOURCE.dump()
    with pytest.raises(ReleaseError, match=message) as caught:
        apply_edits(SOURCE, edits)
    assert caught.value.exit_code is ExitCode.REFUSED
    assert "\n" not in str(caught.value)
    assert SOURCE.dump() == kept


@pytest.mark.parametrize("block", ["session_summary", "observation"])
def test_a_corpus_without_a_derived_row_is_an_error_and_no_crash(block: str) -> None:
    raw = raw_conversation()
    raw[block] = {}
    edit = exchange(1, 2, observations=[ObservationRow(speaker="Ann", fact="F", turn=0)], summary=SummarySentence(text=" S.", at=0))
    with pytest.raises(ReleaseError, match="session 1 has no"):
        apply_edits(document_of(raw), [edit])


def test_an_exchange_must_be_even_so_that_speakers_alternate() -> None:
    three = [NewTurn(speaker=SPEAKERS[place % 2], text="Hm.") for place in range(3)]
    with pytest.raises(ValidationError, match="even-sized"):
        InsertExchange(id="e", items=[], sample_id="conv-1", session=1, after=1, seam="end", turns=three)


def test_an_exchange_never_opens_a_session_and_no_turn_is_empty() -> None:
    pair = [NewTurn(speaker=name, text="Hm.") for name in SPEAKERS]
    with pytest.raises(ValidationError, match="after"):
        InsertExchange(id="e", items=[], sample_id="conv-1", session=1, after=0, seam="end", turns=pair)
    with pytest.raises(ValidationError, match="text"):
        NewTurn(speaker="Ann", text="")


def test_edits_are_read_back_from_json_as_they_were_and_refuse_what_they_do_not_know() -> None:
    for edit in (exchange(1, 2, summary=SummarySentence(text=" S.", at=3)), appended(3, dangling=True)):
        assert EDIT.validate_json(edit.model_dump_json()) == edit
        with pytest.raises(ValidationError, match="Extra inputs"):
            EDIT.validate_python({**edit.model_dump(), "img_url": "https://e.org"})
    with pytest.raises(ValidationError, match="tag"):
        EDIT.validate_python({"kind": "delete_turn"})


EDITS: list[AnyEdit] = [
    exchange(
        1, 2, observations=[ObservationRow(speaker="Ann", fact="Added.", turn=0)], summary=SummarySentence(text=" Added.", at=5)
    ),
    appended(3, dangling=True),
]


def change_turn(raw: Raw) -> None:
    raw["conversation"]["session_1"][2]["text"] += "!"


def change_speaker(raw: Raw) -> None:
    raw["conversation"]["session_1"][3]["speaker"] = "Cid"


def mark_turn(raw: Raw) -> None:
    raw["conversation"]["session_1"][2]["injected"] = True


def drop_turn(raw: Raw) -> None:
    del raw["conversation"]["session_1"][2:4]


def change_summary(raw: Raw) -> None:
    raw["session_summary"]["session_1_summary"] = "Else."


def drop_observation(raw: Raw) -> None:
    rows = raw["observation"]["session_1_observation"]["Ann"]
    rows.remove(next(row for row in rows if row[0] == "Added."))


def change_late_turn(raw: Raw) -> None:
    raw["conversation"]["session_3"][1]["blip_caption"] = "a photo of another bench"


def drop_late_session(raw: Raw) -> None:
    del raw["conversation"]["session_3"]


def change_late_date(raw: Raw) -> None:
    raw["conversation"]["session_3_date_time"] = "3:04 pm on 3 March, 2023"


def change_late_summary(raw: Raw) -> None:
    raw["session_summary"]["session_3_summary"] += " More."


def drop_late_events(raw: Raw) -> None:
    del raw["event_summary"]["events_session_3"]


def add_late_observation(raw: Raw) -> None:
    raw["observation"]["session_3_observation"]["Bob"].append(["Invented.", "D3:2"])


@pytest.mark.parametrize(
    "change",
    [
        change_turn,
        change_speaker,
        mark_turn,
        drop_turn,
        change_summary,
        drop_observation,
        change_late_turn,
        drop_late_session,
        change_late_date,
        change_late_summary,
        drop_late_events,
        add_late_observation,
    ],
)
def test_taking_edits_out_refuses_a_release_that_does_not_hold_them(change: Callable[[Raw], None]) -> None:
    released: Document = apply_edits(SOURCE, EDITS)[0]
    assert remove_edits(released, EDITS).dump() == SOURCE.dump()
    tampered = released.copy()
    change(tampered.objects[0])
    with pytest.raises(ReleaseError, match=r"conv-1"):
        remove_edits(tampered, EDITS)


def test_two_places_alike_are_refused_by_the_renumbering() -> None:
    with pytest.raises(ValueError, match="two exchanges at one seam"):
        renumber({1: 4}, [(1, 2, 2), (1, 2, 2)])
    assert renumber({1: 4}, [(1, 2, 2), (1, 4, 2)]).new_positions(1) == [3, 4, 7, 8]

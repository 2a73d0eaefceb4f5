"""Text as own text and references: the way back gives the text, whatever it is; what stands in the source is found."""

from __future__ import annotations

import html
import json

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from locomo_patch.patch.escapes import FORMS, Form, escape, unescape
from locomo_patch.patch.index import RunIndex
from locomo_patch.patch.models import PatchError
from locomo_patch.patch.parts import LEAST_RUN, Encoder, Span, Value, decode_parts, store_pieces
from locomo_patch.patch.places import Places

ROUNDS = settings(max_examples=150, deadline=None)
# Few letters, so that runs of a source do come up; and everything that escaping touches.
LETTERS = "ab \n\t\"'\\/<>&;#u0039é’🛶\u200b\u2028"
SOURCES = st.lists(st.text(LETTERS, max_size=90) | st.text(max_size=40), max_size=6)
SAID = "I went to the “old harbour” & saw 3 < 4 boats, didn't I?\nThat's \\ all 🛶!"
NAME = "conv-1/D1:1/text"


def places_of(sources: list[str]) -> Places:
    texts = {f"p{number}": text for number, text in enumerate(sources)}
    return Places(dict(texts), texts)


def round_trip(raw: str, form: Form, places: Places) -> str:
    pieces = Encoder(places.texts).encode(raw, form)
    table = list(places.texts)
    parts = store_pieces(pieces, form, {name: number for number, name in enumerate(table)})
    return decode_parts(json.loads(json.dumps(parts)), form, table, places)


@ROUNDS
@given(SOURCES, st.data(), st.sampled_from(FORMS))
def test_decoding_what_was_encoded_is_the_identity(sources: list[str], data: st.DataObject, form: Form) -> None:
    pieces = data.draw(st.lists(st.text(LETTERS, max_size=60) | st.text(max_size=30) | st.sampled_from([*sources, ""]), max_size=6))
    escaped = data.draw(st.lists(st.booleans(), min_size=len(pieces), max_size=len(pieces)))
    raw = "".join(escape(piece, form) if own else piece for piece, own in zip(pieces, escaped, strict=True))
    assert round_trip(raw, form, places_of(sources)) == raw


@ROUNDS
@given(st.text(LETTERS) | st.text(), st.sampled_from(FORMS))
def test_unescaping_undoes_escaping_and_covers_every_character(text: str, form: Form) -> None:
    raw = escape(text, form)
    found = unescape(raw, form)
    assert found.text == text
    assert found.starts[-1] == len(raw)
    assert [raw[a:b] for a, b in zip(found.starts, found.starts[1:], strict=False)] == [escape(char, form) for char in text]


@ROUNDS
@given(st.text(st.characters(exclude_categories=["Cs"])))
def test_escaping_is_what_json_and_html_readers_read(text: str) -> None:
    assert json.loads(f'"{escape(text, Form.JSON)}"') == text
    plain = "".join(char for char in text if char.isprintable())
    assert html.unescape(escape(plain, Form.HTML)) == plain


@ROUNDS
@example(["aaaaaaaaaaaaaaaaaaaaaaaaaaaaa"], "a" * 50)
@given(st.lists(st.text("ab ", max_size=80), max_size=5), st.text("ab ", max_size=120))
def test_no_run_of_the_source_is_left_between_the_runs_that_were_found(sources: list[str], text: str) -> None:
    least = 8
    done, left = 0, []
    for run in RunIndex(sources, least).find_runs(text):
        assert run.start >= done and run.length >= least
        assert text[run.start : run.start + run.length] == sources[run.string][run.offset : run.offset + run.length]
        left.append(text[done : run.start])
        done = run.start + run.length
    left.append(text[done:])
    for own in left:
        assert not any(own[at : at + least] in source for source in sources for at in range(len(own) - least + 1))


@pytest.mark.parametrize("form", FORMS)
def test_a_quoted_turn_becomes_one_reference_however_it_is_escaped(form: Form) -> None:
    around = {Form.JSON: ('{"text": "', '"}'), Form.HTML: ('<div title="a">', "</div>"), Form.PLAIN: ("He said: ", ".")}[form]
    pieces = Encoder({NAME: SAID}).encode(around[0] + escape(SAID, form) + around[1], form)
    assert pieces == [around[0], Span(NAME, 0, len(SAID), form), around[1]]


def test_text_that_is_not_escaped_as_its_file_is_still_found() -> None:
    unusual = SAID.partition("\n")[0]
    pieces = Encoder({NAME: SAID}).encode(f"<p>{unusual}</p>", Form.HTML)
    assert "".join(piece for piece in pieces if isinstance(piece, str)) == "<p></p>"


def test_a_reference_of_another_form_than_the_files_says_so() -> None:
    parts = store_pieces([Span("p", 1, 2, Form.PLAIN), Span("p", 1, 2, Form.JSON), Value("p")], Form.JSON, {"p": 0})
    assert parts == [(0, 1, 2, 0), (0, 1, 2), (0,)]


def test_phrases_shorter_than_a_quotation_stay_own_text() -> None:
    phrase = SAID[: LEAST_RUN - 1]
    assert Encoder({NAME: SAID}).encode(f"Well, {phrase}!", Form.PLAIN) == [f"Well, {phrase}!"]


@pytest.mark.parametrize("part", [(1,), (0, 5, 400), (0, 400, 5), (9, 0, 1), (0, 0, 1, 7)])
def test_a_part_that_points_at_nothing_is_an_error(part: tuple[int, ...]) -> None:
    with pytest.raises(PatchError, match="points"):
        decode_parts([part], Form.PLAIN, [NAME, "gone"], Places({NAME: SAID}, {NAME: SAID}))  # type: ignore[list-item]

"""The page as text: nothing in it is fetched, nothing in a turn is code."""

from __future__ import annotations

import base64
import hashlib
import json
import re
from html.parser import HTMLParser
from pathlib import Path

import pytest
from perturbed_release import HOSTILE, make_release

from locomo_patch.diff.compare import compare
from locomo_patch.diff.page import plain, write_page
from locomo_patch.diff.sides import read_side
from locomo_patch.locate import mock_path

VOID = {"meta", "br", "img", "input", "link", "hr"}


class Seen(HTMLParser):
    """Elements with their attributes, the text outside of code, and whether tags are balanced."""

    def __init__(self) -> None:
        super().__init__()
        self.elements: list[tuple[str, dict[str, str | None]]] = []
        self.open: list[str] = []
        self.text = ""

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.elements.append((tag, dict(attrs)))
        if tag not in VOID:
            self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.open and self.open[-1] in {tag, "p", "li", "option"}, (self.open[-3:], tag)
        while self.open.pop() != tag:
            pass

    def handle_data(self, data: str) -> None:
        if not self.open or self.open[-1] not in {"script", "style"}:
            self.text += data


@pytest.fixture(scope="module")
def page(tmp_path_factory: pytest.TempPathFactory) -> bytes:
    return write_page(compare(read_side(mock_path()), read_side(make_release(tmp_path_factory.mktemp("release")))))


@pytest.fixture(scope="module")
def seen(page: bytes) -> Seen:
    found = Seen()
    found.feed(page.decode("ascii"))
    assert found.open == []
    return found


def test_nothing_is_fetched(seen: Seen) -> None:
    assert {tag for tag, _ in seen.elements} & {"link", "img", "iframe", "object", "embed", "base", "audio", "video", "a"} == set()
    names = {name for _, attrs in seen.elements for name in attrs}
    assert names & {"src", "href", "srcset", "action", "style"} == set()
    assert not any(name.startswith("on") for name in names)


def test_there_is_one_script_and_the_policy_names_its_hash(seen: Seen, page: bytes) -> None:
    assert [tag for tag, _ in seen.elements].count("script") == 1
    policy = next(attrs["content"] for tag, attrs in seen.elements if attrs.get("http-equiv") == "Content-Security-Policy")
    assert policy is not None
    for tag in ("script", "style"):
        found = re.search(rf"<{tag}>(.*?)</{tag}>", page.decode("ascii"), re.DOTALL)
        assert found is not None
        digest = base64.b64encode(hashlib.sha256(found[1].encode()).digest()).decode()
        assert f"{tag}-src 'sha256-{digest}'" in policy
    assert "default-src 'none'" in policy


def test_hostile_text_is_shown_as_it_is(seen: Seen) -> None:
    assert HOSTILE.strip() in seen.text
    assert 'picture: a photo of a <b>radio</b> & "aerial"' in seen.text
    assert "count_changed: a third exam <b>was</b> taken" in seen.text
    assert not any(tag == "b" and attrs for tag, attrs in seen.elements)


def test_the_page_is_a_function_of_its_inputs(page: bytes, tmp_path: Path) -> None:
    again = write_page(compare(read_side(mock_path()), read_side(make_release(tmp_path / "release0"))))
    assert again.replace(b"release0", b"") == re.sub(rb"release\d+", b"", page)


def test_two_corpora_make_a_page_too(tmp_path: Path) -> None:
    raw = json.loads(mock_path().read_bytes())
    raw[0]["qa"][0]["answer"] = "<i>1 May</i>"
    raw[0]["qa"][19]["evidence"] = ["D", "D4:6"]
    del raw[0]["qa"][1]
    (tmp_path / "c.json").write_text(json.dumps(raw))
    found = Seen()
    found.feed(write_page(compare(read_side(mock_path()), read_side(tmp_path / "c.json"))).decode("ascii"))
    for text in (
        "What differs between two corpora",
        "<i>1 May</i>",
        "Evidence of the old question",
        "Cites what is no turn: D",
        "removed",
    ):
        assert text in found.text
    empty = Seen()
    empty.feed(write_page(compare(read_side(mock_path()), read_side(mock_path()))).decode("ascii"))
    assert "No question to show." in empty.text
    assert "Nothing differs." in empty.text


def test_two_releases_show_where_each_question_stood(tmp_path: Path) -> None:
    sides = read_side(make_release(tmp_path / "a")), read_side(make_release(tmp_path / "b", fates=[]))
    found = Seen()
    found.feed(write_page(compare(*sides)).decode("ascii"))
    for text in ("Questions whose states differ", "retired →", "Injected in the old release", "old reason", "new reason"):
        assert text in found.text


@pytest.mark.parametrize(
    ("value", "text"),
    [(None, "—"), ("a", "a"), (2022, "2022"), (["é"], '["é"]'), ("x" * 9, "xxxxx…"), (True, "true")],
)
def test_values_are_shown_as_they_read(value: object, text: str) -> None:
    assert plain(value, 5) == text

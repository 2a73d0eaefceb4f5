"""The page in a real browser: filters, opening, a phone's width, inert text. Skipped, and counted, where no Chromium is installed."""

from __future__ import annotations

import json
import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest
from perturbed_release import EDITS, FATES, HOSTILE, make_release
from playwright.sync_api import Browser, Page, sync_playwright

from locomo_patch.diff.compare import compare
from locomo_patch.diff.page import write_page
from locomo_patch.diff.sides import read_side
from locomo_patch.locate import mock_path

DESKTOP, PHONE = (1200, 900), (390, 844)


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    """Debian's Chromium; no browser is downloaded."""
    found = shutil.which("chromium") or shutil.which("chromium-browser")
    if found is None:
        pytest.skip("no chromium is installed (apt-get install chromium)")
    with sync_playwright() as playwright:
        opened = playwright.chromium.launch(executable_path=found, args=["--no-sandbox"])
        yield opened
        opened.close()


@pytest.fixture(scope="module")
def file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A release against its source."""
    folder = tmp_path_factory.mktemp("page")
    path = folder / "diff.html"
    path.write_bytes(write_page(compare(read_side(mock_path()), read_side(make_release(folder / "release")))))
    return path


def opened(browser: Browser, file: Path, size: tuple[int, int] = DESKTOP, *, javascript: bool = True) -> tuple[Page, list[str]]:
    """The page, and what its console or its errors say."""
    context = browser.new_context(viewport={"width": size[0], "height": size[1]}, java_script_enabled=javascript)
    page = context.new_page()
    said: list[str] = []
    page.on("console", lambda message: said.append(message.text))
    page.on("pageerror", lambda error: said.append(str(error)))
    page.on("request", lambda request: said.append(request.url) if not request.url.startswith("file:") else None)
    page.goto(file.as_uri())
    return page, said


def visible(page: Page) -> int:
    return sum(card.is_visible() for card in page.locator("details.card").all())


def test_filters_hide_and_show_questions(browser: Browser, file: Path) -> None:
    page, said = opened(browser, file)
    count = page.locator("#count")
    assert (visible(page), count.text_content()) == (5, "7 questions")
    page.select_option("select[name=conversation]", "mock-2")
    assert (visible(page), count.text_content()) == (2, "4 of 7 questions")
    page.select_option("select[name=category]", "adversarial")
    assert (visible(page), count.text_content()) == (1, "3 of 7 questions"), "a group stays whole"
    page.select_option("select[name=conversation]", "mock-1")
    assert (visible(page), count.text_content()) == (0, "0 of 7 questions")
    page.click("text=Show all")
    page.wait_for_selector("details.card:visible")
    assert (visible(page), count.text_content()) == (5, "7 questions")
    page.select_option("select[name=state]", "revised")
    assert visible(page) == 1
    page.select_option("select[name=state]", "")
    page.select_option("select[name=kind]", "superseded")
    assert visible(page) == 1
    assert said == []


def test_a_question_opens_onto_its_evidence_and_the_injected_turns_in_context(browser: Browser, file: Path) -> None:
    page, _ = opened(browser, file)
    card = page.locator("details.card", has_text="How old is Amalia")
    assert not card.locator(".turn").first.is_visible()
    card.locator("summary").click()
    assert card.locator(".turn").first.is_visible()
    text = card.inner_text()
    for part in (
        "93",
        "94",
        "contradicted: Tobias corrects her age",
        "Session 7, 8:03 pm on 2 August, 2023",
        "already broken upstream",
    ):
        assert part in text
    assert card.locator(".turn.evidence").count() == 1
    assert [turn.locator(".id").inner_text() for turn in card.locator(".turn.named").all()] == ["D7:15"]
    around = [turn.locator(".id").inner_text() for turn in card.locator(".turn").all()]
    assert around[1:] == ["D7:13", "D7:14", "D7:15", "D7:16", "D7:17"]
    assert card.locator(".turn.injected .id").inner_text() == "D7:16"
    card.locator("summary").press("Enter")
    assert not card.locator(".turn").first.is_visible()


def test_questions_that_share_their_fate_are_one_card(browser: Browser, file: Path) -> None:
    page, _ = opened(browser, file)
    card = page.locator("details.card", has_text="Kwame sing in the choir")
    assert card.locator(".member").count() == 3
    card.locator("summary").click()
    assert card.locator(".turn.named").count() == 2
    assert card.locator("h3", has_text="Leila sing").count() == 1, "a copy is not told twice"


@pytest.mark.parametrize("size", [PHONE, (320, 640), DESKTOP])
def test_nothing_overflows_sideways_with_everything_open(browser: Browser, file: Path, size: tuple[int, int]) -> None:
    page, _ = opened(browser, file, size)
    page.evaluate("document.querySelectorAll('details').forEach(d => d.open = true)")
    assert page.evaluate("document.documentElement.scrollWidth") <= size[0]
    beyond = "[...document.body.querySelectorAll('*')].filter(e => e.getBoundingClientRect().right > innerWidth + 1).map(e => e.outerHTML)"
    assert page.evaluate(beyond) == []


def test_text_of_a_turn_is_inert(browser: Browser, file: Path) -> None:
    page, said = opened(browser, file)
    page.evaluate("document.querySelectorAll('details').forEach(d => d.open = true)")
    assert page.title().startswith("Questions that the injection perturbed")
    shown = page.locator(".said", has_text="<script>").first.text_content()
    assert shown == HOSTILE
    assert (page.locator("script").count(), page.locator("img").count()) == (1, 0)
    assert said == []


def test_without_javascript_it_is_a_full_list(browser: Browser, file: Path) -> None:
    page, _ = opened(browser, file, javascript=False)
    assert not page.locator("#filters").is_visible()
    assert visible(page) == 5
    page.locator("details.card summary").first.click()
    assert page.locator("details.card .turn").first.is_visible()


def test_a_script_that_got_in_would_not_run(browser: Browser, file: Path, tmp_path: Path) -> None:
    broken = tmp_path / "broken.html"
    broken.write_bytes(file.read_bytes().replace(b"</body>", b"<script>document.title = 'owned'</script></body>"))
    page, said = opened(browser, broken)
    assert page.title() != "owned"
    assert any("Content Security Policy" in line for line in said)


def test_the_other_kinds_of_diff_work_too(browser: Browser, tmp_path: Path) -> None:
    raw = json.loads(mock_path().read_bytes())
    raw[0]["qa"][0]["answer"] = "1 May"
    del raw[1]["qa"][1]
    raw[0]["session_summary"]["session_1_summary"] = "w" * 300
    (tmp_path / "c.json").write_text(json.dumps(raw))
    releases = [make_release(tmp_path / "a"), make_release(tmp_path / "b", edits=EDITS[:3], fates=FATES[:4])]
    for name, old, new, cards in (("corpora", mock_path(), tmp_path / "c.json", 2), ("releases", *releases, 3)):
        path = tmp_path / f"{name}.html"
        path.write_bytes(write_page(compare(read_side(old), read_side(new))))
        page, said = opened(browser, path, PHONE)
        page.evaluate("document.querySelectorAll('details').forEach(d => d.open = true)")
        assert (visible(page), said) == (cards, [])
        assert page.evaluate("document.documentElement.scrollWidth") <= PHONE[0]

"""`twist review`: one by one at a terminal, or from a file; what is decided is kept, and a rerun goes on with the rest."""

from __future__ import annotations

import json
import os
import pty
import select
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from datetime import date
from pathlib import Path

import pytest
from cli_runs import ROOT, Command, assert_refused, files_in, in_process

from inject.review_items import ReviewItem, read_items
from inject.reviews import NO_REVIEWS, ReviewDecision, read_reviews
from locomo_patch.locate import mock_path
from locomo_patch.reader import read_corpus
from tests.review_runs import DAY, ReviewRuns, accept, lines, serving
from twist_cli.review import QUESTION, Walk, clean, find_editor

WHEN = date(2024, 5, 31)


@pytest.fixture(scope="module")
def runs(tmp_path_factory: pytest.TempPathFactory, cache: Path) -> Iterator[ReviewRuns]:
    with serving(tmp_path_factory.mktemp("review"), cache) as made:
        yield made


@pytest.fixture
def twist(capsys: pytest.CaptureFixture[str]) -> Command:
    return in_process(capsys)


def walk(answers: list[str], edit: Callable[[str], str] | None = None) -> tuple[Walk, list[ReviewDecision]]:
    """A walk by a person who gives these answers and then closes the terminal."""
    kept: list[ReviewDecision] = []
    left = iter(answers)

    def ask(_prompt: str) -> str:
        try:
            return next(left)
        except StopIteration:
            raise EOFError from None

    return Walk("Ann", WHEN, NO_REVIEWS, kept.append, ask, edit), kept


def items(runs: ReviewRuns) -> list[ReviewItem]:
    return read_items(runs.release, 2)


def test_every_item_that_was_given_up_itself_is_asked_about_once(runs: ReviewRuns) -> None:
    given_up = [reject["id"] for reject in runs.rejects() if not reject["reason"].startswith("its partner")]
    assert [item.rejected.id for item in items(runs)] == given_up and len(given_up) == 3


def test_a_person_sees_the_dated_lines_in_their_places(runs: ReviewRuns, capsys: pytest.CaptureFixture[str]) -> None:
    steps, _ = walk(["s", "s", "s"])
    assert steps.through(items(runs)) == 0
    said = capsys.readouterr().out
    corpus = read_corpus(mock_path()).corpus
    for item in items(runs):
        source = {turn.dia_id: turn for turn in corpus.conversation(item.rejected.sample_id).turns()}
        for turn in item.turns:
            assert f"=> {turn.line}" in said and turn.line.startswith("[")
            assert all(near == source[near.dia_id] and near.text in said for near in (*turn.before, *turn.after))
            assert turn.place is not None and f"answer: {turn.place.reply}" in said
        assert item.proposal.old_belief in said
    assert "as_seen: the last line is cannot tell with the first: too vague" in said
    assert "no person may overrule this (no release holds personal data)" in said
    assert "was given up too (not decided): both are taken or none" in said


def test_a_reason_is_asked_for_until_there_is_one(runs: ReviewRuns) -> None:
    steps, kept = walk(["what", "a", "", "  ", "plain enough", "r", "", "q", "a"])
    assert steps.through(items(runs)) == 2
    assert [(each.decision.value, each.reason) for each in kept] == [("accept", "plain enough"), ("reject", "")]
    assert {each.by for each in kept} == {"Ann"} and {each.date for each in kept} == {WHEN}
    assert kept[0].proposal_sha256 == items(runs)[0].rejected.sha256


def test_an_edit_starts_from_the_old_text(runs: ReviewRuns) -> None:
    item = items(runs)[0]
    texts = len(item.turns) + len(item.replies or ())
    unchanged = ["e", *[""] * texts]
    steps, kept = walk([*unchanged, "e", "A new anchor.", *[""] * (texts - 1), "clearer", "q"])
    assert steps.through([item]) == 1
    assert kept[0].turns == ["A new anchor.", *(turn.text for turn in item.turns[1:])]
    assert kept[0].replies == item.replies


def test_an_editor_may_be_used(runs: ReviewRuns, tmp_path: Path) -> None:
    item = items(runs)[0]
    script = tmp_path / "editor.py"
    script.write_text(
        "import sys, pathlib\np = pathlib.Path(sys.argv[1])\np.write_text(p.read_text().replace('Thanks', 'Cheers'))\n"
    )
    environment = {"EDITOR": f"{sys.executable} {script}"}
    steps, kept = walk(["e", "clearer"], find_editor(environment.get))
    assert steps.through([item]) == 1
    assert kept[0].turns == [turn.text.replace("Thanks", "Cheers") for turn in item.turns] != [turn.text for turn in item.turns]
    assert find_editor({}.get) is None


def test_a_spoilt_editor_file_changes_nothing(runs: ReviewRuns) -> None:
    steps, kept = walk(["e", "q"], lambda _text: "### only one\nleft\n")
    assert steps.through(items(runs)) == 0 and kept == []


def test_prepared_decisions_are_all_checked_before_one_is_kept(runs: ReviewRuns, tmp_path: Path, twist: Command) -> None:
    (good,) = runs.given_up("mock-1")
    prepared, kept = tmp_path / "p.jsonl", tmp_path / "kept.jsonl"
    for bad, wrong in (
        ({"id": "f" * 12, "decision": "accept", "reason": "x"}, "was not given up"),
        ({**accept(good), "reason": ""}, "accept needs a reason"),
        ({"id": good["id"], "decision": "edit", "reason": "x", "turns": ["one"]}, "1 turns"),
        ({**accept(good), "proposal_sha256": "0" * 64}, "was not given up, with that text"),
        ({"id": good["id"], "decision": "maybe"}, "decision"),
    ):
        prepared.write_text(json.dumps(accept(good)) + "\n" + json.dumps(bad) + "\n")
        done = twist("review", runs.release, "--by", "Ann", "--decisions", prepared, "--reviews", kept)
        assert_refused(done, 2, prepared, "line 2", wrong)
        assert not kept.exists()


def test_the_same_prepared_decisions_are_kept_once(runs: ReviewRuns, tmp_path: Path) -> None:
    (item,) = runs.given_up("mock-1")
    path = runs.decide(tmp_path, accept(item))
    before = path.read_bytes()
    assert runs.decide(tmp_path, accept(item)).read_bytes() == before
    assert lines(tmp_path, path.name)[0]["date"] == DAY


def test_without_a_terminal_a_file_is_asked_for(runs: ReviewRuns, twist: Command, monkeypatch: pytest.MonkeyPatch) -> None:
    with Path(os.devnull).open() as nothing:
        monkeypatch.setattr(sys, "stdin", nothing)
        assert_refused(twist("review", runs.release, "--by", "Ann"), 2, "no terminal", "--decisions")


@pytest.mark.parametrize(("options", "wrong"), [(("--by", " "), "names nobody"), (("--by", "Ann", "--date", "May"), "no date")])
def test_a_decision_of_nobody_or_at_no_time_is_refused(
    runs: ReviewRuns, tmp_path: Path, twist: Command, options: tuple[str, ...], wrong: str
) -> None:
    empty = tmp_path / "empty.jsonl"
    empty.touch()
    assert_refused(twist("review", runs.release, "--decisions", empty, *options), 2, wrong)


def test_a_text_moves_no_cursor() -> None:
    assert clean("a\x1b[2Jb\rc") == "a\N{REPLACEMENT CHARACTER}[2Jb\N{REPLACEMENT CHARACTER}c"


class Terminal:
    """`twist review` at a terminal of its own."""

    def __init__(self, runs: ReviewRuns, path: Path) -> None:
        ours, theirs = pty.openpty()
        command = [
            sys.executable,
            "-m",
            "twist_cli",
            "review",
            str(runs.release),
            "--by",
            "Ann",
            "--reviews",
            str(path),
            "--date",
            DAY,
        ]
        environment = {key: value for key, value in os.environ.items() if key not in ("EDITOR", "VISUAL")}
        self.process = subprocess.Popen(
            command, cwd=ROOT, env=environment, stdin=theirs, stdout=theirs, stderr=theirs, start_new_session=True
        )
        os.close(theirs)
        self.screen = ours
        self.seen, self.read = "", 0

    def until(self, text: str, seconds: float = 60.0) -> None:
        """Read the screen until it shows a text after the last one that was waited for."""
        end = time.monotonic() + seconds
        while (found := self.seen.find(text, self.read)) < 0:
            ready, _, _ = select.select([self.screen], [], [], max(0.0, end - time.monotonic()))
            assert ready, f"{text!r} did not come: {self.seen}"
            try:
                more = os.read(self.screen, 4096).decode(errors="replace")
            except OSError:
                more = ""
            assert more, f"{text!r} did not come before the end: {self.seen}"
            self.seen += more
        self.read = found + len(text)

    def type(self, text: str) -> None:
        os.write(self.screen, text.encode())

    def close(self) -> int:
        code = self.process.wait(timeout=60)
        os.close(self.screen)
        return code


def test_an_interrupt_keeps_what_was_decided_and_a_rerun_goes_on(runs: ReviewRuns, tmp_path: Path) -> None:
    path, before = tmp_path / "kept.jsonl", files_in(runs.release)
    first = Terminal(runs, path)
    first.until(QUESTION)
    first.type("a\nplain enough\n")
    first.until("2 of 3")
    first.until(QUESTION)
    first.process.send_signal(2)
    first.until("run the same command again")
    assert first.close() == 4
    assert [each.reason for each in read_reviews(path).decisions] == ["plain enough"]
    again = Terminal(runs, path)
    again.until("1 of 2")
    again.until(QUESTION)
    again.type("q\n")
    again.until("0 decided, 2 left")
    assert again.close() == 0
    assert files_in(runs.release) == before, "no byte of the release changes"

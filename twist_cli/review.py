"""`twist review`: items that the loop gave up on, one by one: accept, edit, reject; recorded with who and why."""

from __future__ import annotations

import os
import shlex
import subprocess
import sys
import tempfile
from collections.abc import Callable
from dataclasses import dataclass
from datetime import date, datetime
from pathlib import Path
from typing import Annotated

import typer

from arcs.keys import Decided
from inject.review_items import ReviewItem, ReviewTurn, decide, read_items, read_prepared
from inject.reviews import BINDING, NO_REVIEWS, ReviewDecision, Reviews, append_decisions, read_reviews, reviews_beside
from twist_cli.screen import console
from twistcore.errors import ExitCode, UsageError
from twistcore.folders import refuse_file

QUESTION = "[a]ccept, [e]dit, [r]eject, [s]kip, [q]uit? "
EDITORS = ("VISUAL", "EDITOR")
_KEYS = {"a": Decided.ACCEPT, "e": Decided.EDIT, "r": Decided.REJECT}
# How an editor is shown what a line is about; such lines are no text.
_HEADING = "### "


def review(
    folder: Annotated[Path, typer.Argument(metavar="DIR", help="A release directory; none of its bytes change.")],
    by: Annotated[str, typer.Option(help="Who decides; stands in the decisions, and in the keys of items that are taken.")],
    reviews: Annotated[
        Path | None, typer.Option(help="File that decisions are appended to. Default: DIR.reviews.jsonl, beside the release.")
    ] = None,
    decisions: Annotated[
        Path | None, typer.Option(help="Decisions prepared in a file, one JSON object a line, instead of asking.")
    ] = None,
    day: Annotated[str | None, typer.Option("--date", help="Date of the decisions, YYYY-MM-DD. Default: today.")] = None,
    again: Annotated[bool, typer.Option("--again", help="Show what was decided already too; a later decision stands.")] = False,
    around: Annotated[int, typer.Option(min=0, max=20, help="Turns to show on either side of a place.")] = 2,
) -> int:
    """Decide on the items that the loop gave up on, one by one. What is decided is kept at once, and a rerun goes on with the rest.

    Decisions take effect in `twist inject … --reviews FILE --out NEW` with the options of the release.
    """
    if not by.strip():
        raise UsageError("--by names nobody", remedy="say who decides")
    path = reviews or reviews_beside(folder)
    refuse_file(path, (folder, decisions))
    if decisions is None and not sys.stdin.isatty():
        raise UsageError("there is no terminal to ask at", remedy="give prepared decisions with --decisions FILE")
    when = read_day(day, date.today)
    known = read_reviews(path) if path.is_file() else NO_REVIEWS
    items = read_items(folder, around)
    if decisions is not None:
        made = read_prepared(decisions, items, known, by, when)
        append_decisions(path, made)
        console.print(f"{path}: {len(made)} decisions appended", markup=False)
        return int(ExitCode.DONE)
    left = [item for item in items if again or known.last(item.rejected) is None]
    walk = Walk(by, when, known, lambda decision: append_decisions(path, [decision]), input, find_editor(os.environ.get))
    try:
        count = walk.through(left)
    finally:
        console.print(f"\n{path}: decisions are kept there", markup=False)
    console.print(f"{count} decided, {len(left) - count} left", markup=False)
    return int(ExitCode.DONE)


def read_day(said: str | None, today: Callable[[], date]) -> date:
    """The date of decisions; raises UsageError for a text that is no date."""
    if said is None:
        return today()
    try:
        return datetime.strptime(said, "%Y-%m-%d").date()
    except ValueError as error:
        raise UsageError(f"--date {said} is no date", remedy="write it as 2024-05-31") from error


def find_editor(environment: Callable[[str], str | None]) -> Callable[[str], str] | None:
    """The user's editor as a function from text to text, or None where none is set."""
    command = next((value for name in EDITORS if (value := environment(name))), None)
    if command is None:
        return None

    def edit(text: str) -> str:
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "item.txt"
            path.write_text(text, encoding="utf-8")
            try:
                done = subprocess.run([*shlex.split(command), str(path)], check=False)
            except OSError as error:
                raise UsageError(f"the editor {command} cannot be run", remedy="set EDITOR, or unset it to be asked") from error
            return path.read_text(encoding="utf-8") if done.returncode == 0 else text

    return edit


@dataclass(frozen=True)
class Walk:
    """Takes a person through items. `keep` puts a decision away for good, `ask` prompts for a line."""

    by: str
    day: date
    known: Reviews
    keep: Callable[[ReviewDecision], None]
    ask: Callable[[str], str]
    edit: Callable[[str], str] | None = None

    def through(self, items: list[ReviewItem]) -> int:
        """Ask about every item until the person quits; how many were decided."""
        count = 0
        try:
            for number, item in enumerate(items, start=1):
                console.print(f"\n[bold]{number} of {len(items)}[/bold]")
                show_item(item, self.known)
                made = self._decide(item)
                if made is not None:
                    self.keep(made)
                    count += 1
        except (EOFError, _QuitError):
            pass
        return count

    def _decide(self, item: ReviewItem) -> ReviewDecision | None:
        while True:
            key = self.ask(QUESTION).strip().lower()[:1]
            if key == "q":
                raise _QuitError
            if key == "s":
                return None
            if key not in _KEYS:
                continue
            decision = _KEYS[key]
            if decision is not Decided.EDIT:
                return decide(item, decision, by=self.by, day=self.day, reason=self._reason(needed=decision is Decided.ACCEPT))
            turns, replies = self._rewritten(item)
            if turns == [turn.text for turn in item.turns] and replies == item.replies:
                console.print("nothing was changed")
                continue
            return decide(item, decision, by=self.by, day=self.day, reason=self._reason(needed=True), turns=turns, replies=replies)

    def _reason(self, *, needed: bool) -> str:
        while True:
            reason = self.ask("why? " if needed else "why? (may be left out) ").strip()
            if reason or not needed:
                return reason

    def _rewritten(self, item: ReviewItem) -> tuple[list[str], list[str] | None]:
        asked = _asked(item)
        texts = self._edited(asked) if self.edit is not None else [self._line(*each) for each in asked]
        turns, replies = texts[: len(item.turns)], texts[len(item.turns) :]
        return turns, replies if item.replies is not None else None

    def _line(self, what: str, old: str) -> str:
        console.print(f"{what}: {clean(old)}", markup=False)
        return self.ask("  new text (Enter keeps it): ").strip() or old

    def _edited(self, asked: list[tuple[str, str]]) -> list[str]:
        if self.edit is None:
            raise ValueError("there is no editor")
        text = self.edit("\n".join(f"{_HEADING}{what}\n{old}\n" for what, old in asked))
        parts = [" ".join(part.split("\n")[1:]).strip() for part in f"\n{text}".split(f"\n{_HEADING}")[1:]]
        if len(parts) != len(asked) or not all(parts):
            console.print(
                f"{len(asked)} texts under their {_HEADING.strip()} lines were wanted: nothing is taken over", markup=False
            )
            return [old for _, old in asked]
        return [" ".join(part.split()) for part in parts]


class _QuitError(Exception):
    """The person has had enough."""


def _asked(item: ReviewItem) -> list[tuple[str, str]]:
    """Every text that may be changed with what it is: the gold turns first, then the answers."""
    turns = [(f"{turn.role}, session {turn.session}", turn.text) for turn in item.turns]
    answers = [
        (f"answer to the {turn.role}, session {turn.session}", reply)
        for turn, reply in zip(item.turns, item.replies or (), strict=False)
    ]
    return [*turns, *answers]


def show_item(item: ReviewItem, known: Reviews) -> None:
    """Everything that a person needs to judge an item."""
    reject, proposal = item.rejected, item.proposal
    _say(f"{reject.sample_id} {reject.id}, {proposal.family.value}, held by {proposal.holder}: {proposal.topic}")
    _say(f"  old belief: {proposal.old_belief}")
    _say(f"  new belief: {proposal.new_belief or 'none: the later turn must change nothing'}")
    for turn in item.turns:
        _show_turn(turn)
    _say(f"\ngiven up: {reject.reason} ({len(reject.attempts)} attempts)")
    for finding in item.findings:
        _say(f"  {finding.gate}: {finding.reason}")
        if finding.gate in BINDING:
            _say(f"    no person may overrule this ({BINDING[finding.gate]}); an edit may mend it")
    _show_partner(item, known)


def _show_turn(turn: ReviewTurn) -> None:
    _say(f"\n{turn.role}, session {turn.session}")
    for around in turn.before:
        _say(f"     {around.dia_id:>7} {around.speaker}: {around.text}")
    _say(f"  => {turn.line}")
    if turn.place is not None:
        _say(f"   + answer: {turn.place.reply}")
        if not turn.before and not turn.after:
            _say("     (in an appended session, between segments of small talk)")
    for around in turn.after:
        _say(f"     {around.dia_id:>7} {around.speaker}: {around.text}")


def _show_partner(item: ReviewItem, known: Reviews) -> None:
    partner = item.partner
    if partner is None or not partner.given_up:
        return
    last = known.last(partner)
    _say(f"  its partner {partner.id} was given up too ({last.decision.value if last else 'not decided'}): both are taken or none")


def _say(text: str) -> None:
    console.print(clean(text), markup=False)


def clean(text: str) -> str:
    """A model's text without what would move a terminal's cursor."""
    return "".join(character if character.isprintable() or character == "\n" else "\N{REPLACEMENT CHARACTER}" for character in text)

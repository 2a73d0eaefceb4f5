"""The diff as one self-contained page: no request leaves it, it is a full list without JavaScript, and no text in it is code."""

from __future__ import annotations

import base64
import hashlib
import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from importlib import resources
from typing import Any

from jinja2 import Environment, StrictUndefined
from markupsafe import Markup

from locomo_patch.diff.compare import Comparison, Shown, describe_row, report
from locomo_patch.diff.counts import of_which, tally_rows
from locomo_patch.diff.groups import Group
from locomo_patch.diff.models import OutsideRow, QaChange, Standing, Together
from locomo_patch.diff.sides import Side, SideQuestion
from twistcore.corpus import Category

AROUND = 2
LONGEST = 400
_SAID = {
    Together.ALONE: "",
    Together.COPIES: "the same question, asked more than once",
    Together.MIRROR: "a question and its mirror with the names swapped",
}


@dataclass(frozen=True, slots=True)
class SeenTurn:
    """One turn as shown; `mark` is `named` (the reason rests on it), `injected`, `evidence` or nothing."""

    dia_id: str
    speaker: str
    text: str
    caption: str | None
    mark: str


@dataclass(frozen=True, slots=True)
class Window:
    """Neighbouring turns of one session."""

    session: int
    date: str
    turns: tuple[SeenTurn, ...]


@dataclass(frozen=True, slots=True)
class Passage:
    """Windows under a heading, with what could not be found."""

    heading: str
    windows: tuple[Window, ...]
    dangling: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Member:
    """One question of a card. `facts` are (label, value) lines; `was` is the old release's state where another came of it."""

    question: str
    category: str
    was: str
    state: str
    kind: str
    broken: bool
    facts: tuple[tuple[str, str], ...]


@dataclass(frozen=True, slots=True)
class Card:
    """What opens: the questions that share a fate, and the passages that show why."""

    sample_id: str
    said: str
    members: tuple[Member, ...]
    passages: tuple[Passage, ...]

    @property
    def distinct(self) -> tuple[Member, ...]:
        """The members of which there is more to say than that they are copies."""
        return tuple(dict.fromkeys(self.members))


def write_page(comparison: Comparison) -> bytes:
    """The page, in ASCII, so that no server's idea of an encoding can break it."""
    found = report(comparison)
    cards = [_state_card(comparison, group) for group in comparison.groups]
    sides: list[tuple[SideQuestion | None, SideQuestion | None]] = [(pair.old, pair.new) for pair in comparison.join.modified]
    sides += [(gone, None) for gone in comparison.join.removed]
    sides += [(None, new) for new in comparison.join.added]
    cards += [_change_card(comparison, change, *both) for change, both in zip(found.qa, sides, strict=True)]
    members = [(card.sample_id, member) for card in cards for member in card.members]
    order = [category.value for category in Category]
    script, style = (_read(name) for name in ("page.js", "page.css"))
    page = (
        Environment(autoescape=True, undefined=StrictUndefined, trim_blocks=True, lstrip_blocks=True)
        .from_string(_read("page.html.j2"))
        .render(
            title=_title(comparison),
            old_name=comparison.old.path.name or str(comparison.old.path),
            new_name=comparison.new.path.name or str(comparison.new.path),
            report=found,
            cards=cards,
            questions=len(members),
            choices={
                "conversation": list(dict.fromkeys(sample_id for sample_id, _ in members)),
                "category": sorted({member.category for _, member in members}, key=order.index),
                "kind": sorted({member.kind for _, member in members if member.kind}),
                "state": sorted({member.state for _, member in members}),
            },
            outside=_outside(found.outside_qa),
            valid_sides=[side for side in (found.old, found.new) if side.still_valid],
            state_rows=sum(len(group.questions) for group in found.states),
            said=_said,
            of_which=of_which,
            # The texts are files of this package, so they may stand as they are; their hashes let the browser run nothing else.
            script=Markup(script),  # noqa: S704
            style=Markup(style),  # noqa: S704
            script_hash=_policy_hash(script),
            style_hash=_policy_hash(style),
        )
    )
    return page.encode("ascii", "xmlcharrefreplace")


def _read(name: str) -> str:
    return (resources.files("locomo_patch.diff") / name).read_text(encoding="utf-8")


def _policy_hash(text: str) -> str:
    return f"sha256-{base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()}"


def plain(value: Any, longest: int = LONGEST) -> str:
    """A JSON value as it is read: text as it is, nothing as a dash, anything else as JSON; cut where it is very long."""
    text = "—" if value is None else value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
    return text if len(text) <= longest else f"{text[:longest]}…"


def _said(value: Any) -> str:
    """What stands in a row outside the questions: a turn as it is said, a fact without its brackets."""
    if isinstance(value, dict) and isinstance(value.get("text"), str) and "speaker" in value:
        return plain(f"{value.get('speaker')}: {value['text']}")
    if isinstance(value, list) and len(value) == 2 and isinstance(value[0], str):
        return plain(f"{value[0]} ({plain(value[1])})")
    return plain(value)


def _title(comparison: Comparison) -> str:
    if comparison.old.has_states and comparison.new.has_states:
        return "Questions whose states differ"
    if comparison.old.has_states or comparison.new.has_states:
        return "Questions that the injection perturbed"
    return "What differs between two corpora"


def _outside(rows: Iterable[OutsideRow]) -> dict[str, tuple[str, list[OutsideRow]]]:
    listed: dict[str, list[OutsideRow]] = {}
    for row in rows:
        listed.setdefault(row.sample_id, []).append(row)
    return {sample_id: (tally_rows(mine), mine) for sample_id, mine in listed.items()}


def _state_card(comparison: Comparison, group: Group[Shown]) -> Card:
    members = tuple(_state_member(comparison, row) for row in group.members)
    passages = [passage for row in group.members for passage in _evidence(comparison, row.old, row.new)]
    both = comparison.old.has_states and comparison.new.has_states
    for name, side, pick in (("old", comparison.old, "old"), ("new", comparison.new, "new")):
        questions = [question for row in group.members if (question := getattr(row, pick)) is not None]
        named = {ident: "named" for question in questions if question.line for ident in question.line.injected}
        if named:
            cited = {ident: "evidence" for question in questions for ident in side.cited(question)[0]}
            heading = f"Injected in the {name} release" if both else "Injected"
            windows = windows_of(side, group.members[0].question.sample_id, named, cited, AROUND)
            passages.append(Passage(heading, windows))
    unique = tuple(dict.fromkeys(passages))
    return Card(group.members[0].question.sample_id, _SAID[group.together], members, unique)


def _state_member(comparison: Comparison, row: Shown) -> Member:
    described = describe_row(comparison, row)
    standings = [standing for standing in (described.old, described.new) if standing is not None]
    latest = standings[-1]
    trap = described.category is Category.ADVERSARIAL
    facts = [("trap" if trap else "gold", plain(described.gold))]
    if comparison.old.has_states and comparison.new.has_states:
        facts.append(("old state", _stands(described.old)))
        facts.append(("new state", _stands(described.new)))
    if latest.new_gold is not None:
        facts.append(("new gold", plain(latest.new_gold)))
    if len(standings) == 1:
        facts.append(("why", latest.reason))
    else:
        facts += [(f"{name} reason", standing.reason) for name, standing in zip(("old", "new"), standings, strict=True)]
    kind = latest.kind or next((standing.kind for standing in standings if standing.kind), None)
    return Member(
        described.question,
        described.category.value,
        standings[0].state.value if standings[0].state is not latest.state else "",
        latest.state.value,
        kind.value if kind else "",
        latest.already_broken,
        tuple(dict.fromkeys(facts)),
    )


def _stands(standing: Standing | None) -> str:
    if standing is None:
        return "—"
    return f"{standing.state.value}, {standing.kind.value}" if standing.kind else standing.state.value


def _change_card(comparison: Comparison, change: QaChange, old: SideQuestion | None, new: SideQuestion | None) -> Card:
    latest = new or old
    if latest is None:
        raise ValueError("a change of no question")
    items = [question.item if question else None for question in (old, new)]
    facts: list[tuple[str, str]] = []
    if change.fields:
        for key in change.fields:
            facts += [(f"{name} {key}", plain((item or {}).get(key))) for name, item in zip(("old", "new"), items, strict=True)]
    else:
        facts.append(("trap" if latest.category is Category.ADVERSARIAL else "gold", plain(latest.gold)))
    member = Member(latest.question, latest.category.value, "", change.change.value, "", broken=False, facts=tuple(facts))
    return Card(latest.sample_id, "", (member,), tuple(dict.fromkeys(_evidence(comparison, old, new))))


def _evidence(comparison: Comparison, old: SideQuestion | None, new: SideQuestion | None) -> list[Passage]:
    """The turns that a question cites, from the newer side; from both where they cite other turns of the source."""
    found: list[Passage] = []
    differ = old is not None and new is not None and old.evidence != new.evidence
    for name, side, question in (("new", comparison.new, new), ("old", comparison.old, old)):
        if question is None or (found and not differ):
            continue
        cited, dangling = side.cited(question)
        windows = windows_of(side, question.sample_id, {}, dict.fromkeys(cited, "evidence"), 0)
        heading = f"Evidence of the {name} question" if differ else "Evidence"
        found.append(Passage(heading, windows, tuple(dangling)))
    return found[::-1]


def windows_of(side: Side, sample_id: str, named: Mapping[str, str], cited: Mapping[str, str], around: int) -> tuple[Window, ...]:
    """The turns around the named ones (or the cited ones, where none is named) in reading order; what overlaps is one window."""
    talk = side.corpus.conversation(sample_id)
    inserted = side.release.inserted if side.release else frozenset()
    wanted: dict[int, set[int]] = {}
    for ident in named or cited:
        turn = talk.turn(ident)
        wanted.setdefault(turn.session, set()).update(range(turn.position - around, turn.position + around + 1))
    windows = []
    for number in sorted(wanted):
        session = talk.session(number)
        run: list[SeenTurn] = []
        for turn in session.turns:
            if turn.position not in wanted[number]:
                continue
            if run and run[-1].dia_id != f"D{number}:{turn.position - 1}":
                windows.append(Window(number, session.date_text, tuple(run)))
                run = []
            injected = "injected" if (sample_id, turn.dia_id) in inserted else ""
            mark = named.get(turn.dia_id) or injected or cited.get(turn.dia_id, "")
            run.append(SeenTurn(turn.dia_id, turn.speaker, turn.text.strip(), turn.caption, mark))
        windows.append(Window(number, session.date_text, tuple(run)))
    return tuple(windows)

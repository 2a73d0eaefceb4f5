"""`twist diff`: which questions an injection perturbed and why, or what differs between two corpora or two releases."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Annotated, Any

import typer
from rich.table import Table

from locomo_patch.diff.compare import compare, report
from locomo_patch.diff.counts import of_which, tally_rows
from locomo_patch.diff.models import (
    Change,
    DiffReport,
    OutsideRow,
    QaChange,
    Quote,
    SideHead,
    Standing,
    StateGroup,
    StateRow,
    Together,
)
from locomo_patch.diff.page import plain, write_page
from locomo_patch.diff.sides import Side, read_side
from locomo_patch.locate import locate_corpus
from twist_cli.screen import console, notices
from twistcore.corpus import Category
from twistcore.errors import ExitCode, UsageError
from twistcore.folders import refuse_file
from twistcore.store import dump_json, write_atomic
from twistcore.text.parses import cache_folder

LOCATED = "locomo"
QUOTED = 200
TOGETHER = {Together.COPIES: "asked more than once", Together.MIRROR: "mirror, names swapped"}


def diff(
    old: Annotated[str, typer.Argument(metavar="OLD", help="A corpus file, a folder of the ten flat files, or a release.")],
    new: Annotated[str, typer.Argument(metavar="NEW", help="As OLD. `locomo` is the corpus that inject takes when none is named.")],
    as_json: Annotated[bool, typer.Option("--json", help="Print the whole report as JSON.")] = False,
    html: Annotated[Path | None, typer.Option(metavar="FILE", help="Write one self-contained page.")] = None,
    show_all: Annotated[bool, typer.Option("--all", help="List the questions that stand as they did, too.")] = False,
) -> int:
    """Show which LoCoMo questions an injection perturbed and why: two corpora, two releases, or a release and its source."""
    if as_json and html is not None:
        raise UsageError("--json and --html exclude each other", remedy="run the command twice")
    paths = _locate(old), _locate(new)
    if html is not None:
        refuse_file(html, paths)
    sides = _read(paths)
    comparison = compare(*sides, show_all=show_all)
    if as_json:
        sys.stdout.write(dump_json(report(comparison)).decode("ascii"))
    elif html is not None:
        write_atomic(html, write_page(comparison))
        console.print(f"{html}: {_headline(report(comparison), show_all=show_all)}", markup=False)
    else:
        _print(report(comparison), show_all=show_all)
    return int(ExitCode.DONE)


def _locate(named: str) -> Path:
    if named == LOCATED and not Path(named).exists():
        return locate_corpus(None, cache_folder(), lambda line: notices.print(line, markup=False)).path
    return Path(named)


def _read(paths: tuple[Path, Path]) -> tuple[Side, Side]:
    old = read_side(paths[0])
    return old, old if paths[0] == paths[1] else read_side(paths[1])


def _headline(found: DiffReport, *, show_all: bool) -> str:
    counts = found.counts
    parts = [f"questions: {counts.modified} modified, {counts.removed} removed, {counts.added} added"]
    if found.old.totals or found.new.totals:
        both = found.old.totals and found.new.totals
        what = "listed" if show_all else "whose states differ" if both else "perturbed"
        parts.append(f"{sum(len(group.questions) for group in found.states)} {what}")
    parts.append(f"outside qa: {len(found.outside_qa) or 'no'} difference{'' if len(found.outside_qa) == 1 else 's'}")
    return "; ".join(parts)


def _print(found: DiffReport, *, show_all: bool) -> None:
    for name, side in (("old", found.old), ("new", found.new)):
        console.print(f"{name}: {_described(side)}", markup=False)
    for note in found.notes:
        console.print(f"note: {note}", markup=False)
    console.print(_headline(found, show_all=show_all), markup=False)
    console.print()
    console.print(_denominators(found))
    for name, side in (("old", found.old), ("new", found.new)):
        if side.totals is not None:
            both = bool(found.old.totals and found.new.totals)
            _print_totals(side, f" in {name}" if both else "")
    for group in found.states:
        _print_lines(_group_lines(group))
    for change in found.qa:
        _print_lines(_change_lines(change))
    _print_lines(_outside_lines(found))


def _print_lines(lines: Iterator[str]) -> None:
    for line in lines:
        console.print(line, markup=False)


def _described(side: SideHead) -> str:
    made = f"release of {side.corpus}" if side.release else f"corpus: {side.corpus}"
    put = side.inserted
    inserted = f"; inserted turns: {put.turns}, appended sessions: {put.appended_sessions}" if put else ""
    return f"{side.path} ({made}{inserted})"


def _denominators(found: DiffReport) -> Table:
    table = _table("questions, by denominator", "old", "new")
    valid = [(name, side) for name, side in (("old", found.old), ("new", found.new)) if side.still_valid]
    for name, _ in valid:
        table.add_column("valid" if len(valid) == 1 else f"{name} valid", justify="right")
    for label, pick in (
        ("all", "all"),
        ("with evidence", "with_evidence"),
        ("answerable (categories 1-4)", "answerable"),
        ("distinct answerable", "distinct_answerable"),
    ):
        counted = [str(getattr(side.questions, pick)) for side in (found.old, found.new)]
        table.add_row(label, *counted, *(of_which(side, pick) for _, side in valid))
    return table


def _table(first: str, *others: str) -> Table:
    table = Table(expand=False, box=None, pad_edge=False, header_style="bold")
    table.add_column(first)
    for heading in others:
        table.add_column(heading, justify="right")
    return table


def _print_totals(side: SideHead, where: str) -> None:
    totals = side.totals
    if totals is None:
        return
    states = _table(f"states{where}, of all {side.questions.all}", *totals.by_state)
    for category, counts in totals.by_category.items():
        states.add_row(category, *map(str, counts.values()))
    states.add_row("all", *map(str, totals.by_state.values()))
    kinds = _table(f"kinds{where}, of all {side.questions.all}", "")
    for kind, number in totals.by_kind.items():
        kinds.add_row(kind, str(number))
    for table in (states, kinds):
        console.print()
        console.print(table)
    broken = f"{totals.already_broken} already broken upstream, {totals.already_broken_and_perturbed} of these perturbed"
    console.print(broken, markup=False)


def _group_lines(group: StateGroup) -> Iterator[str]:
    yield ""
    if group.together in TOGETHER:
        yield f"{len(group.questions)} together ({TOGETHER[group.together]}):"
    quoted: dict[tuple[str, str], tuple[Quote, str]] = {}
    for row in group.questions:
        yield f"{_fate(row)}  {row.sample_id}  {row.category.value}  {row.question}"
        yield f"    {'trap' if row.category is Category.ADVERSARIAL else 'gold'}: {plain(row.gold)}"
        standings = [(name, standing) for name, standing in (("old", row.old), ("new", row.new)) if standing]
        for name, standing in standings:
            if standing.new_gold is not None:
                yield f"    new gold: {plain(standing.new_gold)}"
            yield f"    why{f' ({name})' if len(standings) > 1 else ''}: {standing.reason}"
            if standing.already_broken:
                yield "    already broken upstream"
            for quote in standing.injected:
                quoted.setdefault((quote.dia_id, quote.text), (quote, name if len(standings) > 1 else ""))
    for quote, name in quoted.values():
        yield f"    injected{f' in {name}' if name else ''}: {_quotation(quote)}"


def _fate(row: StateRow) -> str:
    fates = [_stands(standing) for standing in (row.old, row.new) if standing]
    return " -> ".join(dict.fromkeys(fates))


def _stands(standing: Standing) -> str:
    return f"{standing.state.value} ({standing.kind.value})" if standing.kind else standing.state.value


def _quotation(quote: Quote) -> str:
    return (
        f"{quote.dia_id}, session {quote.session}, {quote.date}, {quote.speaker}: “{plain(' '.join(quote.text.split()), QUOTED)}”"
    )


def _change_lines(change: QaChange) -> Iterator[str]:
    items: list[dict[str, Any]] = [ref.item if ref else {} for ref in (change.old, change.new)]
    latest = items[1] or items[0]
    yield ""
    yield f"{change.change.value}  {change.sample_id}  {change.category.value}  {latest.get('question')}"
    for key in change.fields:
        yield f"    {key}: {plain(items[0].get(key), QUOTED)} -> {plain(items[1].get(key), QUOTED)}"
    if not change.fields:
        trap = change.category is Category.ADVERSARIAL
        yield f"    {'trap' if trap else 'gold'}: {plain(latest.get('adversarial_answer' if trap else 'answer'))}"


def _outside_lines(found: DiffReport) -> Iterator[str]:
    if not found.outside_qa:
        return
    yield ""
    yield "outside qa"
    edits: dict[str, list[OutsideRow]] = {}
    for row in found.outside_qa:
        if row.edit is not None:
            edits.setdefault(row.sample_id, []).append(row)
    for sample_id, rows in edits.items():
        yield f"  {sample_id}, by edits: {tally_rows(rows)}"
    for row in found.outside_qa:
        if row.edit is None:
            values = {Change.MODIFIED: f"{plain(row.old, QUOTED)} -> {plain(row.new, QUOTED)}"}
            value = values.get(row.change, plain(row.old if row.change is Change.REMOVED else row.new, QUOTED))
            yield f"  {row.sample_id} {row.block.value} {row.place} {row.change.value}: {value}"

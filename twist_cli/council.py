"""`twist council`: several language models judge a release's key blind, before people do."""

from __future__ import annotations

import asyncio
import os
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Annotated

import typer
from rich.markup import escape
from rich.table import Table

from inject.council.ballots import CouncilItem, draw_items, list_items, load_council_prompt
from inject.council.record import COUNCIL, CouncilReport, make_report, write_council
from inject.council.run import LEAST_MEMBERS, convene_council
from inject.council.tally import Bin, Kappa
from inject.view import open_release
from twist_cli.judging import JOURNAL
from twist_cli.model_options import read_price_table
from twist_cli.screen import console, notices, progress_over
from twistcore.chat.budget import Budget
from twistcore.chat.endpoint import read_endpoint
from twistcore.chat.journal import Journal
from twistcore.chat.sending import ChatLimits
from twistcore.chat.usage import CallEvent, Usage
from twistcore.cost import read_cost
from twistcore.errors import ExitCode, ModelFailedError, UsageError
from twistcore.folders import refuse_file
from twistcore.text.parses import cache_folder

# Where no terminal watches, so many lines of progress in all.
_LINES = 20


@dataclass
class _Account:
    """What the sitting used so far, over all and by model."""

    usage: Usage = field(default_factory=Usage)
    by_model: dict[str, Usage] = field(default_factory=dict)

    def hear(self, event: CallEvent) -> None:
        self.usage = self.usage.with_event(event)
        if event.model:
            self.by_model[event.model] = self.by_model.get(event.model, Usage()).with_event(event)


def council(
    folder: Annotated[Path, typer.Argument(metavar="DIR", help="A release directory.")],
    models: Annotated[
        str, typer.Option(help="Members, comma-separated, two at least; all behind OPENAI_BASE_URL (key: OPENAI_API_KEY).")
    ],
    limit: Annotated[int | None, typer.Option(min=1, help="Only so many items, drawn by pairs: for a trial.")] = None,
    concurrency: Annotated[int, typer.Option(min=1, help="Questions in flight, over all members.")] = 8,
    max_calls: Annotated[int | None, typer.Option(min=1, help="Stop, resumably, after so many requests.")] = None,
    max_cost: Annotated[float | None, typer.Option(min=0, help="Stop, resumably, at this cost; needs --prices.")] = None,
    prices: Annotated[
        Path | None, typer.Option(help="Price table, YAML or JSON: `model: {prompt: P, completion: C}` for a million tokens.")
    ] = None,
    timeout: Annotated[float, typer.Option(min=1, help="Seconds that one call may take.")] = 120.0,
    prompts: Annotated[Path | None, typer.Option(help="Folder with a council.jinja of your own.")] = None,
    journal: Annotated[
        Path | None, typer.Option(help="Where answers are kept, so that none is asked for twice. Default: in the cache folder.")
    ] = None,
) -> int:
    """Let models judge every item of a release's key blind; writes DIR/audits/council.json.

    Each sees an item's gold turns as dated lines and nothing else, and says tension, no_tension or cannot_tell. Printed: items by
    bin (unanimous for the key, majority for it, abstain-heavy, majority against it), members against the key, Cohen's kappa of each
    pair, and the items with a majority against the key. Exit 0 whatever the votes are, 3 when calls failed, 4 at a limit; the same
    command goes on where it stopped.
    """
    names = _read_models(models)
    kept = journal or cache_folder() / JOURNAL
    refuse_file(kept, (folder, prices, prompts))
    release = open_release(folder)
    listed = list_items(release)
    if not listed:
        raise UsageError("holds no items to judge", file=folder, remedy="name a release with arcs")
    prompt = load_council_prompt(prompts)
    # Read before anything is asked: an account that cannot be kept is no reason to lose paid answers.
    read_cost(folder)
    items = draw_items(listed, release.manifest.released_sha256, limit)
    table = read_price_table(prices)
    if max_cost is not None:
        table.require(*names)
    endpoint, account = read_endpoint(os.environ), _Account()
    report: CouncilReport | None = None
    try:
        with progress_over("council") as step, Journal(kept, run=str(folder.resolve())) as answers:
            ballots = asyncio.run(
                convene_council(
                    items,
                    names,
                    prompt,
                    endpoint,
                    limits=ChatLimits(timeout=timeout, concurrency=concurrency),
                    journal=answers,
                    budget=Budget(max_calls=max_calls, max_cost=max_cost, prices=table),
                    told=_reporter(step, len(items) * len(names)),
                    on_event=account.hear,
                )
            )
        failures = [ballot for ballot in ballots if ballot.vote is None]
        if len(failures) == len(ballots):
            raise ModelFailedError(
                f"no ballot was cast: {failures[0].reason}", remedy="see that the endpoint answers, then run the same command again"
            )
        report = make_report(
            items,
            ballots,
            corpus=release.manifest.corpus,
            key_version=release.keys[0].key_version,
            prompt_sha256=prompt.sha256,
            members=names,
            items_in_key=len(listed),
        )
    finally:
        # What was spent is spent, however the sitting ended.
        if report is not None or account.usage != Usage():
            write_council(folder, report, account.by_model)
    _tell(folder, report, {item.id: item for item in items})
    spent = account.usage
    notices.print(
        f"council: {spent.calls} calls, {spent.cached} answers out of the journal, {spent.prompt_tokens} prompt and "
        f"{spent.completion_tokens} completion tokens, cost {spent.cost:.4g}",
        markup=False,
    )
    if failures:
        notices.print(
            f"council: {len(failures)} of {len(ballots)} calls failed ({failures[0].reason}); run the same command again",
            markup=False,
        )
        return int(ExitCode.MODEL_FAILED)
    return int(ExitCode.DONE)


def _read_models(text: str) -> list[str]:
    names = [name.strip() for name in text.split(",")]
    if len(names) < LEAST_MEMBERS or not all(names):
        raise UsageError("--models names no council", remedy="give two models at least, comma-separated, e.g. --models a,b,c")
    if doubled := sorted({name for name in names if names.count(name) > 1}):
        raise UsageError(f"--models names {', '.join(doubled)} twice", remedy="a member has one vote")
    return names


def _reporter(step: Callable[[str, int, int], None], total: int) -> Callable[[int], None]:
    every = 1 if notices.is_terminal else max(1, total // _LINES)

    def told(done: int) -> None:
        if done % every == 0 or done == total:
            step("", done, total)

    return told


def _tell(folder: Path, report: CouncilReport, items: Mapping[str, CouncilItem]) -> None:
    figures = report.figures
    console.print(
        f"{folder / COUNCIL}: {figures.items} of {report.items_in_key} items, {len(report.members)} members "
        f"(corpus: {report.corpus}, keys: {report.key_version})",
        markup=False,
    )
    console.print(_bin_table(report))
    console.print(_member_table(report))
    console.print(_kappa_table(report))
    for line in _kinship(report):
        console.print(line, markup=False)
    if figures.against:
        console.print(f"{len(figures.against)} items with a majority against the key, to be looked at first:", markup=False)
    for ident in figures.against:
        item = items[ident]
        console.print(f"\n{ident} {item.family.value} gold {item.gold.value}", markup=False)
        for line in item.seen:
            console.print(f"  {' '.join(line.split())}", markup=False)
        for ballot in report.ballots:
            if ballot.item == ident and ballot.vote is not None:
                console.print(f"  {ballot.member}: {ballot.vote.value}: {ballot.reason}", markup=False)


def _bin_table(report: CouncilReport) -> Table:
    """Items by bin; the two bins that a sound odd council cannot have are shown where they have an item."""
    figures = report.figures
    shown = [each for each in Bin if figures.bins[each] or each not in (Bin.SPLIT, Bin.INCOMPLETE)]
    table = Table(title="Items by bin", title_style="bold", expand=False)
    for heading in ("family", "gold", "items", *(each.value for each in shown)):
        table.add_column(heading)
    for family, bins in figures.by_family.items():
        table.add_row(family.value, family.gold.value, str(sum(bins.values())), *(str(bins[each]) for each in shown))
    table.add_section()
    for gold, bins in figures.by_gold.items():
        table.add_row("all", gold.value, str(sum(bins.values())), *(str(bins[each]) for each in shown))
    table.add_row("all", "", str(figures.items), *(str(figures.bins[each]) for each in shown))
    return table


def _member_table(report: CouncilReport) -> Table:
    table = Table(title="Members against the key", title_style="bold", expand=False)
    for heading in ("member", "for", "against", "abstained", "failed", "kappa with gold"):
        table.add_column(heading, overflow="fold")
    for each in report.figures.members:
        counts = (each.matched, each.opposed, each.abstained, each.failed)
        table.add_row(escape(each.member), *(str(count) for count in counts), _show(each.with_gold))
    return table


def _kappa_table(report: CouncilReport) -> Table:
    """The matrix of kappas, each with the number of items on which both voted."""
    pairs = {(pair.first, pair.second): pair.agreement for pair in report.figures.pairs}
    table = Table(title="Cohen's kappa (items on which both voted)", title_style="bold", expand=False)
    table.add_column("")
    for member in report.members:
        table.add_column(escape(member), overflow="fold")
    for row in report.members:
        cells = []
        for column in report.members:
            found = pairs.get((row, column)) or pairs.get((column, row))
            cells.append(_show(found) if found else "")
        table.add_row(escape(row), *cells)
    return table


def _show(kappa: Kappa) -> str:
    return f"{'n/a' if kappa.kappa is None else f'{kappa.kappa:.2f}'} ({kappa.items})"


def _kinship(report: CouncilReport) -> Iterator[str]:
    """Whose votes are not independent, and why a kappa is none."""
    for each in report.figures.members:
        if each.kin_items:
            yield f"{each.member} judges its own family ({each.model_family}) in {each.kin_items} items: no independent vote there"
    for pair in report.figures.pairs:
        if pair.same_family:
            yield f"{pair.first} and {pair.second} are of one family"
        if pair.agreement.note:
            yield f"kappa of {pair.first} and {pair.second}: {pair.agreement.note}"

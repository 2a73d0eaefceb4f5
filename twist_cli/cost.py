"""`twist cost`: what models were asked for a release: by conversation, by agent, by item. Every table adds up to the same total."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Annotated

import typer
from rich.table import Table

from inject.rejects import read_rejects
from inject.view import open_release
from twist_cli.screen import console
from twistcore.cost import Cost, CostRow, add_up, read_cost


def cost(
    folder: Annotated[Path, typer.Argument(metavar="DIR", help="A release directory.")],
    as_json: Annotated[bool, typer.Option("--json", help="Print cost.json with the sums by conversation, agent and fate.")] = False,
) -> int:
    """Calls, tokens, cost and cache hits of a release, by conversation, agent and accepted item; the totals add up."""
    fates = _fates(folder)
    account = read_cost(folder)
    groups: dict[str, Callable[[CostRow], str]] = {
        "conversation": lambda row: row.sample_id or "(none)",
        "agent": lambda row: row.agent,
        "fate": lambda row: fates.get(row.item, "of no item"),
    }
    sums = {name: _sum_by(account.rows, key) for name, key in groups.items()}
    accepted = [item for item, fate in fates.items() if fate == "accepted"]
    if as_json:
        found = {name: {key: _plain(each) for key, each in rows.items()} for name, rows in sums.items()}
        typer.echo(json.dumps({"total": _plain(account), "accepted_items": len(accepted), "by": found}, indent=2))
        return 0
    for name, rows in sums.items():
        console.print(_table(name, rows, account))
    items = _sum_by([row for row in account.rows if fates.get(row.item) == "accepted"], lambda row: row.item)
    if items:
        console.print(_table("accepted item", items, add_up([row for row in account.rows if row.item in items])))
    if accepted and account.calls:
        console.print(
            f"{len(accepted)} accepted items: {account.calls / len(accepted):.1f} calls, "
            f"{(account.prompt_tokens + account.completion_tokens) / len(accepted):.0f} tokens and "
            f"{account.cost / len(accepted):.4f} each, everything that was asked counted",
            markup=False,
        )
    if not account.calls and not account.cache_hits:
        console.print(f"{folder}: no model was asked", markup=False)
    return 0


def _fates(folder: Path) -> dict[str, str]:
    """What became of every item of the release; one that was rejected and taken in a later round counts as accepted."""
    keys = open_release(folder).keys
    return {reject.id: "rejected" for reject in read_rejects(folder)} | {key.id: "accepted" for key in keys}


def _sum_by(rows: Iterable[CostRow], key: Callable[[CostRow], str]) -> dict[str, Cost]:
    grouped: dict[str, list[CostRow]] = {}
    for row in rows:
        grouped.setdefault(key(row), []).append(row)
    return {name: add_up(each) for name, each in sorted(grouped.items())}


def _plain(account: Cost) -> dict[str, float]:
    return account.model_dump(mode="json", exclude={"rows"})


def _table(name: str, rows: dict[str, Cost], total: Cost) -> Table:
    table = Table(box=None, pad_edge=False, title=f"by {name}", title_justify="left")
    table.add_column(name)
    for head in ("calls", "prompt tokens", "reply tokens", "cost", "cache hits"):
        table.add_column(head, justify="right")
    for key, each in (*rows.items(), ("total", total)):
        cells = (each.calls, each.prompt_tokens, each.completion_tokens, f"{each.cost:.4f}", each.cache_hits)
        table.add_row(key, *(str(cell) for cell in cells))
    return table

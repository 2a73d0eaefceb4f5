"""`cost.json`: what models were asked for a release (DESIGN.md rule 12). The one file that "same bytes" leaves out."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from math import isclose
from pathlib import Path
from typing import Self

from pydantic import Field, model_validator

from twistcore.chat.journal import CallTotals
from twistcore.chat.usage import Usage
from twistcore.errors import ReleaseError
from twistcore.stored import read_value
from twistcore.verdicts import Stored

COST = "cost.json"
JUDGE = "judge"
# The checkpoint under which a run that can be interrupted keeps what its judge was asked so far.
SPENT = "judge_spent"
# How a journal's account is grouped into rows.
GROUPS = ("sample_id", "agent", "item", "model")


class CostRow(Stored):
    """What one agent was asked for one item, or for a conversation where `item` is empty. A cache hit is no call and is free."""

    sample_id: str
    agent: str
    item: str
    model: str
    calls: int = Field(ge=0)
    prompt_tokens: int = Field(ge=0)
    completion_tokens: int = Field(ge=0)
    cost: float = Field(ge=0)
    cache_hits: int = Field(ge=0)

    @property
    def group(self) -> tuple[str, str, str, str]:
        """Whose row it is."""
        return self.sample_id, self.agent, self.item, self.model


class Cost(Stored):
    """Calls, tokens and cost of a run, and of every later one that changed the release. The totals are sums of the rows; cost is
    in the currency of the user's price table, zero without one."""

    calls: int = Field(ge=0)
    prompt_tokens: int = Field(ge=0)
    completion_tokens: int = Field(ge=0)
    cost: float = Field(ge=0)
    cache_hits: int = Field(ge=0)
    rows: list[CostRow] = Field(default_factory=list)

    @model_validator(mode="after")
    def _adds_up(self) -> Self:
        for name in ("calls", "prompt_tokens", "completion_tokens", "cache_hits"):
            if getattr(self, name) != sum(getattr(row, name) for row in self.rows):
                raise ValueError(f"{name} is not the sum of the rows")
        if not isclose(self.cost, sum(row.cost for row in self.rows), rel_tol=1e-6, abs_tol=1e-9):
            raise ValueError("cost is not the sum of the rows")
        return self

    def with_rows(self, more: Iterable[CostRow]) -> Cost:
        """This and what further rows say, one row a group."""
        grouped: dict[tuple[str, ...], list[CostRow]] = {}
        for row in (*self.rows, *more):
            grouped.setdefault(row.group, []).append(row)
        rows = [_sum(each) for _, each in sorted(grouped.items())]
        return add_up(rows)

    def with_usage(self, spent: Usage, agent: str, model: str) -> Cost:
        """This and what one agent was asked since, over all items."""
        if spent == Usage():
            return self
        row = CostRow(
            sample_id="",
            agent=agent,
            item="",
            model=model,
            calls=spent.calls,
            prompt_tokens=spent.prompt_tokens,
            completion_tokens=spent.completion_tokens,
            cost=spent.cost,
            cache_hits=spent.cached,
        )
        return self.with_rows([row])


def add_up(rows: Sequence[CostRow]) -> Cost:
    """An account of these rows."""
    return Cost(
        calls=sum(row.calls for row in rows),
        prompt_tokens=sum(row.prompt_tokens for row in rows),
        completion_tokens=sum(row.completion_tokens for row in rows),
        cost=sum(row.cost for row in rows),
        cache_hits=sum(row.cache_hits for row in rows),
        rows=list(rows),
    )


def _sum(rows: Sequence[CostRow]) -> CostRow:
    return rows[0].model_copy(
        update={
            "calls": sum(row.calls for row in rows),
            "prompt_tokens": sum(row.prompt_tokens for row in rows),
            "completion_tokens": sum(row.completion_tokens for row in rows),
            "cost": sum(row.cost for row in rows),
            "cache_hits": sum(row.cache_hits for row in rows),
        }
    )


def rows_of(totals: Iterable[CallTotals]) -> list[CostRow]:
    """The rows of a journal's account that was grouped by `GROUPS`."""
    return [
        CostRow(
            sample_id=str(each.group[0]),
            agent=str(each.group[1]),
            item=str(each.group[2]),
            model=str(each.group[3]),
            calls=each.calls,
            prompt_tokens=each.prompt_tokens,
            completion_tokens=each.completion_tokens,
            cost=each.cost,
            cache_hits=each.cached,
        )
        for each in totals
    ]


NO_COST = add_up(())


def read_cost(folder: Path) -> Cost:
    """The account of a release so far; raises ReleaseError for one that is none."""
    return read_value(folder / COST, Cost.model_validate, ReleaseError, remedy="run `twist check`")

"""`cost.json`: what models were asked for a release (DESIGN.md rule 12). The one file that "same bytes" leaves out."""

from __future__ import annotations

from pathlib import Path

from pydantic import Field

from twistcore.chat.usage import Usage
from twistcore.errors import ReleaseError
from twistcore.stored import read_value
from twistcore.verdicts import Stored

COST = "cost.json"


class Cost(Stored):
    """Calls, tokens and cost of a run, and of every later one that changed the release. Cost is zero where no prices were given."""

    calls: int = Field(ge=0)
    prompt_tokens: int = Field(ge=0)
    completion_tokens: int = Field(ge=0)
    cost: float = Field(ge=0)
    cache_hits: int = Field(ge=0)

    def with_usage(self, spent: Usage) -> Cost:
        """This and what was spent since."""
        return self.model_copy(
            update={
                "calls": self.calls + spent.calls,
                "prompt_tokens": self.prompt_tokens + spent.prompt_tokens,
                "completion_tokens": self.completion_tokens + spent.completion_tokens,
                "cost": self.cost + spent.cost,
                "cache_hits": self.cache_hits + spent.cached,
            }
        )


NO_COST = Cost(calls=0, prompt_tokens=0, completion_tokens=0, cost=0.0, cache_hits=0)


def read_cost(folder: Path) -> Cost:
    """The account of a release so far; raises ReleaseError for one that is none."""
    return read_value(folder / COST, Cost.model_validate, ReleaseError, remedy="run `twist check`")

"""What tokens cost: a table that the user gives, since vendors' prices change and none is known here."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from pydantic import Field, TypeAdapter, ValidationError

from twistcore.chat.replies import Tokens
from twistcore.errors import FrameError, UsageError
from twistcore.stored import misfit
from twistcore.verdicts import Stored
from twistcore.yamls import read_yaml

_MILLION = 1_000_000


class Price(Stored):
    """What one model costs for a million tokens, in a currency of the user's choice, the same for all models."""

    prompt: float = Field(ge=0, allow_inf_nan=False, strict=True)
    completion: float = Field(ge=0, allow_inf_nan=False, strict=True)


@dataclass(frozen=True)
class Prices:
    """Prices by model name."""

    models: Mapping[str, Price] = field(default_factory=dict)

    def cost(self, model: str, tokens: Tokens) -> float:
        """What these tokens cost; zero for a model that the table does not name."""
        price = self.models.get(model)
        return (price.prompt * tokens.prompt + price.completion * tokens.completion) / _MILLION if price else 0.0

    def require(self, *models: str) -> None:
        """Refuse, with UsageError, models that the table does not name: under a limit of cost they would pass for free."""
        if missing := sorted(set(models) - set(self.models)):
            raise UsageError(
                f"--max-cost needs the price of {', '.join(missing)}", remedy="name each model in the file of --prices"
            )


def read_prices(path: Path) -> Prices:
    """A price table: YAML or JSON, `model: {prompt: P, completion: C}`, for a million tokens each; raises FrameError."""
    table = TypeAdapter(dict[str, Price])
    try:
        return Prices(table.validate_python(read_yaml(path)))
    except ValidationError as error:
        remedy = "write `model: {prompt: P, completion: C}`, prices of a million tokens"
        raise misfit(error, FrameError, path, remedy=remedy) from error

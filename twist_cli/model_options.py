"""Options of every command that asks language models, and what they come to: a client, a journal, limits and a crew."""

from __future__ import annotations

import os
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from inject.agents.asking import ATTEMPTS, Asks, Models
from inject.agents.crew import Crew
from inject.agents.nodes import Tell
from inject.agents.prompt_set import PromptSet
from inject.agents.rounds import ALLOWED
from inject.config import ModelsConfig
from twist_cli.judging import JOURNAL
from twistcore.chat.dialect import Sampling
from twistcore.chat.endpoint import Endpoint, read_endpoint
from twistcore.chat.model_family import model_family
from twistcore.chat.usage import CallEvent
from twistcore.cost import GROUPS, Cost, add_up, rows_of
from twistcore.errors import UsageError
from twistcore.text.parses import cache_folder

if TYPE_CHECKING:
    from twistcore.chat.prices import Prices


class WriterKind(StrEnum):
    """Who writes: topic frames, or a language model."""

    OFFLINE = "offline"
    LLM = "llm"


WriterOption = Annotated[
    WriterKind, typer.Option(help="offline: topic frames, no key, no network. llm: a model writes and judges.")
]
ModelOption = Annotated[
    str | None, typer.Option("--model", help="Model that scouts, writes and revises (OPENAI_BASE_URL, OPENAI_API_KEY).")
]
VerifierOption = Annotated[
    str | None, typer.Option("--verifier-model", help="Model that audits facts and verifies; --model if not given.")
]
ConcurrencyOption = Annotated[int, typer.Option(min=1, max=1024, help="Requests in flight at most.")]
MaxCallsOption = Annotated[int | None, typer.Option(min=0, help="Stop, resumably, before more requests than this are sent.")]
MaxCostOption = Annotated[
    float | None, typer.Option(min=0, help="Stop, resumably, when about this much is spent (needs --prices).")
]
PricesOption = Annotated[
    Path | None, typer.Option(help="YAML or JSON, `model: {prompt: P, completion: C}`: prices of a million tokens.")
]
PromptsOption = Annotated[Path | None, typer.Option(help="Folder with prompt files of your own, named as ours.")]
JournalOption = Annotated[Path | None, typer.Option(help="SQLite file of all answers. Default: in the cache folder, for all runs.")]
ScoutOption = Annotated[bool, typer.Option("--scout/--no-scout", help="Ask the model which topics suit each speaker.")]
RoundsOption = Annotated[int, typer.Option(min=1, max=len(ALLOWED), help="Rounds in which other topics replace rejected pairs.")]
TemperatureOption = Annotated[float, typer.Option(min=0, max=2, help="Of the writer; verifiers are asked at 0.")]
MaxTokensOption = Annotated[int, typer.Option(min=64, help="Longest reply, in tokens.")]
TimeoutOption = Annotated[float, typer.Option(min=1, help="Seconds for one request, from its first byte to the last.")]


@dataclass(frozen=True)
class ModelOptions:
    """What the options of a run with models say."""

    model: str
    verifier_model: str
    concurrency: int
    max_calls: int | None
    max_cost: float | None
    prices: Path | None
    prompts: Path | None
    journal: Path | None
    scout: bool
    rounds: int
    temperature: float
    max_tokens: int
    timeout: float

    @property
    def models(self) -> Models:
        """The models with their sampling."""
        return Models(Sampling(self.model, self.temperature, self.max_tokens), Sampling(self.verifier_model, 0.0, self.max_tokens))

    def configure(self, prompts: PromptSet) -> ModelsConfig:
        """What of the options decides the bytes of a release; limits, journal and prices do not."""
        return ModelsConfig(
            writer=self.model,
            verifier=self.verifier_model,
            same_family=model_family(self.model) == model_family(self.verifier_model),
            writer_temperature=self.temperature,
            verifier_temperature=0.0,
            max_tokens=self.max_tokens,
            prompts=prompts.hashes,
            scout=self.scout,
            rounds=self.rounds,
        )

    @property
    def journal_path(self) -> Path:
        """Where answers are kept."""
        return self.journal or cache_folder() / JOURNAL

    def read_prices(self) -> Prices:
        """The price table; raises UsageError where cost is limited and a model has no price."""
        prices = read_price_table(self.prices)
        if self.max_cost is not None:
            prices.require(self.model, self.verifier_model)
        return prices


def read_options(writer: WriterKind, model: str | None, verifier_model: str | None, **others: object) -> ModelOptions | None:
    """The options of a run with models, None for an offline one; raises UsageError where they do not go together."""
    if writer is WriterKind.OFFLINE:
        if model is not None or verifier_model is not None:
            raise UsageError("--model and --verifier-model go with --writer llm", remedy="add --writer llm")
        return None
    if model is None:
        raise UsageError("--writer llm needs --model", remedy="name the model that the endpoint serves")
    return ModelOptions(model=model, verifier_model=verifier_model or model, **others)  # type: ignore[arg-type]


def hire_crew(options: ModelOptions, prompts: PromptSet, tell: Tell, on_event: Callable[[CallEvent], None]) -> Crew:
    """The crew of a run. Raises UsageError where no endpoint or no price is configured."""
    endpoint, prices = read_endpoint(os.environ), options.read_prices()

    @asynccontextmanager
    async def open_chat(run: str) -> AsyncIterator[Asks]:
        async with _open_chat(options, endpoint, prices, run, on_event) as chat:
            yield chat

    return Crew(
        open_chat=open_chat,
        models=options.models,
        prompts=prompts,
        concurrency=options.concurrency,
        rounds=options.rounds,
        scouting=options.scout,
        tell=tell,
        spent=lambda run: spent_in(options.journal_path, run),
    )


@asynccontextmanager
async def _open_chat(
    options: ModelOptions, endpoint: Endpoint, prices: Prices, run: str, on_event: Callable[[CallEvent], None]
) -> AsyncIterator[Asks]:
    from twistcore.chat.asynchronous import AsyncChat
    from twistcore.chat.budget import Budget
    from twistcore.chat.journal import Journal
    from twistcore.chat.sending import ChatLimits

    options.journal_path.parent.mkdir(parents=True, exist_ok=True)
    with Journal(options.journal_path, run=run) as journal:
        spent = add_up(rows_of(journal.totals(*GROUPS, run=run)))
        budget = Budget(max_calls=options.max_calls, max_cost=options.max_cost, prices=prices, calls=spent.calls, cost=spent.cost)
        limits = ChatLimits(timeout=options.timeout, attempts=ATTEMPTS, concurrency=options.concurrency)
        async with AsyncChat(endpoint, limits, journal=journal, budget=budget, on_event=on_event) as chat:
            yield chat


def read_price_table(path: Path | None) -> Prices:
    """The user's price table; an empty one where none is given."""
    from twistcore.chat.prices import Prices, read_prices

    return read_prices(path) if path is not None else Prices()


def spent_in(path: Path, run: str) -> Cost:
    """What all calls of a run came to, by the journal's account."""
    from twistcore.chat.journal import Journal

    with Journal(path, run=run) as journal:
        return add_up(rows_of(journal.totals(*GROUPS, run=run)))

"""`twist plan`: what `twist inject` would do and ask, and what it would cost. Nothing is sent and no release is written."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Annotated

import typer
from rich.table import Table

from arcs.frames import load_frames
from inject.agents.crew import picks_wanted
from inject.agents.forecast import ForecastCall, forecast_item, forecast_scouts, plan_first_round
from inject.agents.prompt_set import Agent, load_prompts
from inject.agents.told import ModelBrief
from inject.config import DEFAULT_PAIRS
from inject.conversation import ReleaseMemory
from inject.opening import measure_styles, open_conversation, read_host
from inject.pipeline import make_config
from twist_cli.corpora import load_corpus
from twist_cli.model_options import (
    MaxTokensOption,
    ModelOption,
    PricesOption,
    PromptsOption,
    ScoutOption,
    VerifierOption,
    read_price_table,
)
from twist_cli.screen import console, progress_over
from twistcore.chat.prices import Prices
from twistcore.chat.replies import Tokens
from twistcore.folders import refuse_file
from twistcore.store import dump_lines, write_atomic
from twistcore.text.parses import Parser, cache_folder


def plan(
    corpus: Annotated[
        Path | None,
        typer.Option(help="locomo10.json, or a folder of the ten flat files. Default: cached, fetched, or the mock corpus."),
    ] = None,
    seed: Annotated[int, typer.Option(help="Seed, as for `twist inject`.")] = 7,
    arcs: Annotated[int | None, typer.Option(min=0, help=f"Pairs a conversation; {DEFAULT_PAIRS} if not given.")] = None,
    conversations: Annotated[str | None, typer.Option(help="Only these, comma-separated, e.g. conv-26,conv-30.")] = None,
    model: ModelOption = None,
    verifier_model: VerifierOption = None,
    prices: PricesOption = None,
    prompts: PromptsOption = None,
    scout: ScoutOption = True,
    max_tokens: MaxTokensOption = 1024,
    out: Annotated[Path | None, typer.Option(help="Write every plan with its rendered prompts, one JSON object a line.")] = None,
    show: Annotated[int, typer.Option(min=0, help="Print so many rendered prompts of the writer.")] = 0,
    allow_unknown: Annotated[bool, typer.Option("--allow-unknown", help="Use a file of unknown version.")] = False,
) -> int:
    """Show what a run with models would ask: plans, prompts, estimated calls, tokens and cost. Nothing is sent."""
    if out is not None:
        refuse_file(out, (corpus, prices, prompts))
    told, table = load_prompts(prompts), read_price_table(prices)
    loaded = load_corpus(corpus, allow_unknown=allow_unknown)
    chosen = [name.strip() for name in conversations.split(",") if name.strip()] if conversations is not None else None
    config = make_config(loaded, seed, DEFAULT_PAIRS if arcs is None else arcs, chosen)
    memory, parser, styles = ReleaseMemory(), Parser(cache_folder()), measure_styles(loaded.corpus)
    opened = []
    with progress_over("plan") as step:
        for done, sample_id in enumerate(config.conversations):
            step(sample_id, done, len(config.conversations))
            host = read_host(loaded, sample_id, parser)
            opened.append((open_conversation(host, config, memory, styles, None), host))
        briefs = plan_first_round(opened, memory)
        step("", len(config.conversations), len(config.conversations))
    wanted = picks_wanted(config.pairs_per_conversation)
    people = [host for _, host in opened] if scout and config.pairs_per_conversation else []
    calls = list(forecast_scouts(people, told, load_frames(), wanted))
    calls += [call for brief in briefs for call in forecast_item(brief, told)]
    _tell_plans(briefs)
    for call in [call for call in calls if call.agent is Agent.WRITER][:show]:
        for message in call.messages:
            console.print(f"--- {message.role} ({call.sample_id} {call.item})\n{message.content}", markup=False)
    _tell_calls(calls, table, model or "", verifier_model or model or "", max_tokens)
    if scout:
        console.print("  the scout's answers may change which topics are taken; these are the plans without them", markup=False)
    if out is not None:
        write_atomic(out, dump_lines(_rows(briefs, calls)))
        console.print(f"{out}: {len(briefs)} plans with their prompts", markup=False)
    return 0


def _tell_plans(briefs: Sequence[ModelBrief]) -> None:
    table = Table(box=None, pad_edge=False, title=f"{len(briefs)} items of the first round", title_justify="left")
    for head in ("conversation", "family", "holder", "topic", "sessions", "facts"):
        table.add_column(head)
    for brief in briefs:
        sessions = ", ".join(str(turn.session) for turn in brief.plan.turns)
        facts = sum(len(turn.facts) for turn in brief.turns)
        table.add_row(brief.plan.sample_id, brief.plan.family.value, brief.plan.holder, brief.plan.topic, sessions, str(facts))
    console.print(table)


def _tell_calls(calls: Sequence[ForecastCall], prices: Prices, writer: str, verifier: str, longest: int) -> None:
    """Least: every draft passes at once. Most: every draft of this round takes all its attempts; replacements come on top."""
    table = Table(box=None, pad_edge=False, title="estimated (least / most)", title_justify="left")
    for head in ("agent", "calls", "prompt tokens", "reply tokens", "cost"):
        table.add_column(head, justify="left" if head == "agent" else "right")
    both = {}
    for name, group in [(agent.value, [agent]) for agent in Agent] + [("all", list(Agent))]:
        cells = []
        for certain in (True, False):
            mine = [call for call in calls if call.agent in group and (call.certain or not certain)]
            cost = sum(prices.cost(_model(call, writer, verifier), _used(call, longest)) for call in mine)
            used = [_used(call, longest) for call in mine]
            cells.append((len(mine), sum(each.prompt for each in used), sum(each.completion for each in used), cost))
        both[name] = cells
    for name, (least, most) in both.items():
        table.add_row(
            name,
            *(f"{low} / {high}" for low, high in zip(least[:3], most[:3], strict=True)),
            f"{least[3]:.4f} / {most[3]:.4f}" if prices.models else "no --prices",
        )
    console.print(table)


def _used(call: ForecastCall, longest: int) -> Tokens:
    return Tokens(call.prompt_tokens, min(call.reply_tokens, longest))


def _model(call: ForecastCall, writer: str, verifier: str) -> str:
    return verifier if call.agent in (Agent.AUDITOR, Agent.VERIFIER) else writer


def _rows(briefs: Sequence[ModelBrief], calls: Sequence[ForecastCall]) -> Iterable[dict[str, object]]:
    scouts = [call for call in calls if call.agent is Agent.SCOUT]
    for call in scouts:
        yield {"agent": call.agent.value, "sample_id": call.sample_id, "item": call.item, "prompt": _messages(call)}
    first = {call.item: call for call in calls if call.agent is Agent.WRITER}
    for brief in briefs:
        plan = brief.plan
        yield {
            "agent": Agent.WRITER.value,
            "sample_id": plan.sample_id,
            "item": plan.id,
            "pair_id": plan.pair_id,
            "family": plan.family.value,
            "holder": plan.holder,
            "topic": plan.topic,
            "old_belief": plan.old_belief,
            "new_belief": plan.new_belief,
            "turns": [
                {
                    "role": turn.role.value,
                    "session": turn.session,
                    "after": turn.slot.after,
                    "seam": turn.slot.kind.value,
                    "date": told.date,
                    "facts": [{"id": fact.id, "text": fact.text, "claim": fact.claim} for fact in told.facts],
                    "times": list(told.times),
                }
                for turn, told in zip(plan.turns, brief.turns, strict=True)
            ],
            "prompt": _messages(first[plan.id]),
        }


def _messages(call: ForecastCall) -> list[dict[str, str]]:
    return [{"role": message.role, "content": message.content} for message in call.messages]

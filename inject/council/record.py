"""`audits/council.json`: every ballot with the totals that follow from them, so that anybody can count again."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Literal

from pydantic import Field

from inject.council.ballots import Ballot, CouncilItem
from inject.council.run import AGENT
from inject.council.tally import Figures, ItemTally, recount, sum_up, tally_items
from inject.report import AUDITS
from twistcore.chat.usage import Usage
from twistcore.cost import COST, read_cost
from twistcore.errors import ReleaseError, UsageError
from twistcore.folders import lock_folder
from twistcore.store import dump_json, write_atomic
from twistcore.stored import read_value
from twistcore.verdicts import Stored

COUNCIL = f"{AUDITS}/council.json"


class CouncilReport(Stored):
    """A council's whole sitting. `items_in_key` says of how many items the council saw `figures.items`."""

    schema_version: Literal["twist-council/1"] = "twist-council/1"
    audit: Literal["council"] = "council"
    corpus: str
    key_version: str
    prompt_sha256: str
    members: list[str] = Field(min_length=2)
    items_in_key: int
    figures: Figures
    items: list[ItemTally]
    ballots: list[Ballot]


def make_report(
    items: Sequence[CouncilItem],
    ballots: Sequence[Ballot],
    *,
    corpus: str,
    key_version: str,
    prompt_sha256: str,
    members: Sequence[str],
    items_in_key: int,
) -> CouncilReport:
    """The record of a sitting; neither the order of members nor that in which they answered changes a byte of it."""
    counted = tally_items(items, ballots)
    place = {item.id: number for number, item in enumerate(counted)}
    listed = sorted(ballots, key=lambda ballot: (place[ballot.item], ballot.member))
    return CouncilReport(
        corpus=corpus,
        key_version=key_version,
        prompt_sha256=prompt_sha256,
        members=sorted(members),
        items_in_key=items_in_key,
        figures=sum_up(counted, listed),
        items=counted,
        ballots=listed,
    )


def read_council(folder: Path) -> CouncilReport:
    """A release's council record, counted again; raises ReleaseError where there is none, or its totals do not follow from its
    ballots."""
    path = folder / COUNCIL
    remedy = "run `twist council` again"
    report = read_value(path, CouncilReport.model_validate, ReleaseError, remedy=remedy)
    try:
        figures = sum_up(report.items, report.ballots)
    except UsageError as error:
        raise ReleaseError(f"holds {error.message}", file=path, place="ballots", remedy=remedy) from error
    voters = sorted({ballot.member for ballot in report.ballots})
    if voters != report.members and report.items:
        raise ReleaseError("names other members than its ballots", file=path, place="members", remedy=remedy)
    for item in report.items:
        votes = [ballot.vote for ballot in report.ballots if ballot.item == item.id]
        if item != recount(item, votes):
            raise ReleaseError("is counted otherwise than its ballots say", file=path, place=f"item {item.id}", remedy=remedy)
    if figures != report.figures:
        raise ReleaseError("holds totals that do not follow from its ballots", file=path, place="figures", remedy=remedy)
    return report


def write_council(folder: Path, report: CouncilReport | None, spent: Mapping[str, Usage]) -> None:
    """Put a record into the release, where there is one, and what each model was asked into its account.

    Raises ReleaseError for an account that is none, ConfigMismatchError while another process changes the release, StorageError.
    """
    with lock_folder(folder):
        cost = read_cost(folder)
        for model, usage in spent.items():
            cost = cost.with_usage(usage, AGENT, model)
        if report is not None:
            write_atomic(folder / COUNCIL, dump_json(report))
        write_atomic(folder / COST, dump_json(cost))

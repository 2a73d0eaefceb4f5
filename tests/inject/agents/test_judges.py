"""Drafts judged in a process of their own: the same verdicts as here, and an end that nobody waits for in vain."""

from __future__ import annotations

import asyncio
import multiprocessing
import os
import signal
from dataclasses import replace
from typing import Any

import pytest

from inject.agents.judges import JudgesApart, JudgesHere, open_judges
from inject.agents.replies import WrittenItem, WrittenTurn
from inject.agents.told import ModelBrief, tell_pair, tell_voices
from inject.agents.writer import draft_of
from inject.conversation import OpenConversation, ReleaseMemory
from inject.drafts import Draft, FactAudit
from inject.opening import measure_styles, open_conversation, read_host
from inject.pipeline import make_config
from locomo_patch.reader import LoadedCorpus
from twistcore.errors import StorageError
from twistcore.text.parses import Parser
from twistcore.verdicts import Verdict

pytestmark = pytest.mark.skipif("fork" not in multiprocessing.get_all_start_methods(), reason="needs a system that can fork")
AUDIT = FactAudit(auditor="auditor", version="1", omitted=[], invented=[], d=0.0, reason="")


@pytest.fixture(scope="module")
def opened(mock: LoadedCorpus, parser: Parser) -> tuple[OpenConversation, list[Draft]]:
    """A conversation of the mock corpus with drafts of its first round, which say their facts and no more."""
    config = make_config(mock, 7, 3, None)
    host = read_host(mock, mock.corpus.conversations[0].sample_id, parser)
    conversation = open_conversation(host, config, ReleaseMemory(), measure_styles(mock.corpus), None)
    voices = tell_voices(host.personas, host.record)
    pairs = next(conversation.rounds()).pairs
    briefs = [brief for pair in pairs for brief in tell_pair(pair, conversation.frame_of(pair), conversation.record, voices)]
    return conversation, [plain_draft(brief) for brief in briefs]


def plain_draft(brief: ModelBrief) -> Draft:
    turns = [
        WrittenTurn(
            answer="Thanks.",
            statement=" ".join(f"{fact.text}." for fact in turn.facts),
            reply="Nice.",
            handback="",
            states=[fact.id for fact in turn.facts],
        )
        for turn in brief.turns
    ]
    return draft_of(brief, WrittenItem(turns=turns))


def test_a_process_of_its_own_gives_the_verdicts_that_are_given_here(opened: tuple[OpenConversation, list[Draft]]) -> None:
    conversation, drafts = opened
    others = [draft.proposal for draft in drafts[:2]]

    async def judge() -> list[Verdict]:
        async with open_judges([conversation]) as judges:
            assert isinstance(judges, JudgesApart)
            apart = judges.beside(conversation, others)
            return list(await asyncio.gather(*(apart(draft, AUDIT) for draft in drafts)))

    found = asyncio.run(judge())
    here = JudgesHere().beside(conversation, others)
    assert found == [here(draft, AUDIT) for draft in drafts]
    assert len({tuple(finding.gate for finding in verdict.failed) for verdict in found}) > 1


def test_a_gate_that_fails_is_told_of_and_the_next_draft_is_judged(opened: tuple[OpenConversation, list[Draft]]) -> None:
    conversation, drafts = opened
    broken: Any = replace(drafts[0], plan=None)

    async def judge() -> Verdict:
        async with open_judges([conversation]) as judges:
            apart: Any = judges.beside(conversation, ())
            with pytest.raises(RuntimeError, match="a gate failed: AttributeError"):
                await apart(broken, AUDIT)
            verdict: Verdict = await apart(drafts[1], AUDIT)
            return verdict

    assert asyncio.run(judge()).id == drafts[1].plan.id


def test_who_waits_for_a_process_that_was_killed_hears_of_it(opened: tuple[OpenConversation, list[Draft]]) -> None:
    conversation, drafts = opened

    async def judge() -> None:
        before = children()
        async with open_judges([conversation]) as judges:
            apart: Any = judges.beside(conversation, ())
            (pid,) = children() - before
            os.kill(pid, signal.SIGKILL)
            with pytest.raises(StorageError, match="run the same command again"):
                await apart(drafts[0], AUDIT)
            with pytest.raises(StorageError, match="has ended"):
                await apart(drafts[0], AUDIT)

    asyncio.run(judge())


def test_the_process_ends_with_the_run(opened: tuple[OpenConversation, list[Draft]]) -> None:
    before = children()

    async def judge() -> None:
        async with open_judges([opened[0]]):
            assert len(children() - before) == 1

    asyncio.run(judge())
    assert children() == before


def children() -> set[int]:
    """Processes that this one started and that still run."""
    path = f"/proc/self/task/{os.getpid()}/children"
    with open(path, encoding="ascii") as listed:  # noqa: PTH123 - a file of the kernel's
        return {int(pid) for pid in listed.read().split()}

"""What the loop's benchmarks work on: as many items as asked for, out of the plans of two conversations, and whoever asks for them.

An item is a real brief under an id of its own. Its prompts end with a line that names it, so that no two calls ask the same and the
scripted author (`benchmarks.llm_author`) can give every item words of its own: gates then parse each text for the first time.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import cycle, islice
from pathlib import Path

from benchmarks.llm_author import mark
from inject.agents.asking import Asks
from inject.agents.judges import Judges
from inject.agents.rounds import AskedItem
from inject.agents.told import ModelBrief, tell_pair, tell_voices
from inject.conversation import OpenConversation, ReleaseMemory
from inject.opening import measure_styles, open_conversation, read_host
from inject.pipeline import make_config
from locomo_patch.reader import read_corpus
from twistcore.chat.dialect import Message, Sampling
from twistcore.chat.replies import ReplyT
from twistcore.chat.usage import CallLabel
from twistcore.text.parses import Parser, cache_folder

SEED = 7
# Two conversations of LoCoMo give two dozen plans; more of them would only take longer to read.
CONVERSATIONS = 2
WRITER, VERIFIER = Sampling("bench-writer", 0.7), Sampling("bench-verifier", 0.0)


@dataclass(frozen=True, slots=True)
class Planned:
    """A brief with its conversation."""

    brief: ModelBrief
    conversation: OpenConversation


def read_planned(corpus: Path, pairs: int = 6) -> list[Planned]:
    """The first round's items of the corpus's first conversations, as a run with models would plan them."""
    loaded, parser = read_corpus(corpus, allow_unknown=True), Parser(cache_folder())
    names = [conversation.sample_id for conversation in loaded.corpus.conversations][:CONVERSATIONS]
    config = make_config(loaded, SEED, pairs, names)
    styles, memory = measure_styles(loaded.corpus), ReleaseMemory()
    planned = []
    for name in names:
        host = read_host(loaded, name, parser)
        conversation = open_conversation(host, config, memory, styles, None)
        voices = tell_voices(host.personas, host.record)
        for pair in next(conversation.rounds()).pairs:
            for brief in tell_pair(pair, conversation.frame_of(pair), conversation.record, voices):
                planned.append(Planned(brief, conversation))
    return planned


def repeat(planned: Sequence[Planned], items: int, judges: Judges) -> list[AskedItem]:
    """So many items: the planned ones over and over, each under an id of its own."""
    return [
        AskedItem(
            replace(each.brief, plan=replace(each.brief.plan, id=f"{each.brief.plan.id}-{number}")),
            judges.beside(each.conversation, ()),
            1,
        )
        for number, each in enumerate(islice(cycle(planned), items))
    ]


@dataclass(frozen=True)
class Marking:
    """Asks somebody else, with a line at the end of each prompt that names the item."""

    asks: Asks

    async def ask_json(self, sampling: Sampling, messages: Sequence[Message], schema: type[ReplyT], *, label: CallLabel) -> ReplyT:
        """The other's answer."""
        named = replace(messages[-1], content=f"{messages[-1].content}\n{mark(label.item, label.attempt)}")
        return await self.asks.ask_json(sampling, [*messages[:-1], named], schema, label=label)

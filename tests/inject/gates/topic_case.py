"""Cases for the semantic gates: a topic with its beliefs, an anchor, a later turn."""

from __future__ import annotations

from functools import lru_cache
from pathlib import Path
from typing import Any

import yaml

from inject.gates.case import Case, Record
from inject.proposals import Proposal
from twistcore.text.parses import Parser

WORDINGS: dict[str, list[Any]] = yaml.safe_load((Path(__file__).parent / "wordings.yaml").read_text(encoding="utf-8"))


@lru_cache(maxsize=1)
def the_parser() -> Parser:
    return Parser()


def topic_case(
    later: str,
    *,
    anchor: str,
    topic: str,
    old: str,
    new: str | None = None,
    family: str = "A1",
    speaker: str = "Ann",
    record: Record | None = None,
) -> Case:
    """A case of two turns by Ann; the later one may be given another speaker."""
    arc = not family.startswith("HN-")
    proposal = Proposal.model_validate(
        {
            "id": "t1",
            "family": family,
            "sample_id": "small",
            "holder": "Ann",
            "topic": topic,
            "old_belief": old,
            "new_belief": (new or old) if arc else None,
            "turns": [
                {"role": "anchor", "session": 1, "speaker": "Ann", "text": anchor},
                {"role": "reversal" if arc else "statement", "session": 9, "speaker": speaker, "text": later},
            ],
        }
    )
    return Case(proposal, record, the_parser())


def worded(entry: dict[str, str], family: str | None = None) -> Case:
    """The case of an entry of wordings.yaml."""
    anchor = f"{entry['topic'].capitalize()}? No way is that changing. That's how I feel about {entry['topic']}."
    return topic_case(
        entry["text"],
        anchor=anchor,
        topic=entry["topic"],
        old=entry["old"],
        new=entry.get("new"),
        family=family or entry.get("family", "A1"),
    )


def scooter(later: str, *, family: str = "A1", anchor: str = "", speaker: str = "Ann") -> Case:
    """A later turn about scooters, which Ann refuses in the anchor."""
    return topic_case(
        later,
        anchor=anchor or "I'd never ride an electric scooter, Bo. They're wobbly, and I like my feet on the ground.",
        topic="electric scooters",
        old="Ann would never ride an electric scooter",
        new="Ann rides an electric scooter every day",
        family=family,
        speaker=speaker,
    )


def landline(later: str, *, family: str = "A1") -> Case:
    """A later turn about a landline, which Ann means to keep."""
    return topic_case(
        later,
        anchor="I'm keeping my landline for life, Bo. That old phone on the wall has never let me down.",
        topic="her landline",
        old="Ann will never give up her landline",
        new="Ann has given up her landline",
        family=family,
    )

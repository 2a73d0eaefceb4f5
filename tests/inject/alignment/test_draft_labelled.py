"""The labelled drafts (tests/inject/data/drafts_labelled.jsonl) and the shared development files, against all gates of Track B.

Each line is of our making over LoCoMo, whose text it does not repeat: a quote is a span of a turn. `read` was read while the
gates were written; `second` to `ninth` were each run once before anything was changed for them; `apart` was
scored when they were finished.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from inject.alignment.proposals import DraftProposal, read_drafts
from inject.alignment.registry import judge_drafts
from locomo_patch.reader import LoadedCorpus
from twistcore.text.parses import Parser
from twistcore.verdicts import Outcome, Verdict

LABELLED = Path(__file__).parents[1] / "data" / "drafts_labelled.jsonl"
KEPT, DROPPED = 0.95, 0.7
GOOD, BAD = 0.85, 0.85


def labelled(real: LoadedCorpus) -> list[tuple[dict[str, Any], DraftProposal]]:
    """Lines with their proposals, each quote read from the corpus by its span."""
    found = []
    for line in LABELLED.read_text(encoding="utf-8").splitlines():
        entry = json.loads(line)
        span = entry["quote"]
        said = real.corpus.conversation(entry["conv"]).turn(span["dia_id"]).text[span["start"] : span["end"]] if span else ""
        found.append((entry, DraftProposal.model_validate({**entry, "contradicted_quote": said})))
    return found


def verdicts_on(real: LoadedCorpus, parser: Parser, drafts: list[DraftProposal]) -> list[Verdict]:
    return judge_drafts(drafts, real.corpus, parser, lambda *_: None)


def test_the_labelled_drafts_are_told_apart(real: LoadedCorpus, parser: Parser) -> None:
    pairs = labelled(real)
    verdicts = verdicts_on(real, parser, [draft for _, draft in pairs])
    right: dict[tuple[str, str], list[bool]] = {}
    for (entry, _), verdict in zip(pairs, verdicts, strict=True):
        right.setdefault((entry["part"], entry["expect"]), []).append(verdict.verdict.value == entry["expect"])
    for kind, hits in sorted(right.items()):
        print(*kind, f"{sum(hits)} of {len(hits)}")
    for expect, share in (("pass", GOOD), ("fail", BAD)):
        hits = [hit for (_, kind), found in right.items() if kind == expect for hit in found]
        assert sum(hits) >= share * len(hits), expect


def test_no_labelled_draft_fails_for_its_form(real: LoadedCorpus, parser: Parser) -> None:
    for verdict in verdicts_on(real, parser, [draft for _, draft in labelled(real)]):
        assert not {finding.gate for finding in verdict.failed} & {"ids", "speaker", "quote"}, verdict


@pytest.mark.parametrize(("name", "outcome", "share"), [("examples", Outcome.PASS, KEPT), ("dropped_dev", Outcome.FAIL, DROPPED)])
def test_the_gates_agree_with_the_annotators(
    real: LoadedCorpus, parser: Parser, shared: Path, name: str, outcome: Outcome, share: float
) -> None:
    drafts = list(read_drafts(shared / "data" / f"track_b_{name}.jsonl"))
    verdicts = verdicts_on(real, parser, drafts)
    agreed = sum(verdict.verdict is outcome for verdict in verdicts)
    by_itself = sum(any(finding.gate == "self_contained" for finding in verdict.failed) for verdict in verdicts)
    print(name, f"{agreed} of {len(drafts)} {outcome}, {by_itself} fail self_contained")
    assert agreed >= share * len(drafts)


@pytest.mark.parametrize("name", ["examples", "dropped_dev", "rejects_dev"])
def test_the_shared_files_pass_ids_speaker_and_quote(real: LoadedCorpus, parser: Parser, shared: Path, name: str) -> None:
    for verdict in verdicts_on(real, parser, list(read_drafts(shared / "data" / f"track_b_{name}.jsonl"))):
        assert not {finding.gate for finding in (*verdict.failed, *verdict.undecided)} & {"ids", "speaker", "quote"}, verdict

"""Decisions as they are kept: whole, appended, about one text, and about a pair of the offline loop too (`inject.reviews`)."""

from __future__ import annotations

import json
from dataclasses import dataclass, field, replace
from datetime import date
from pathlib import Path
from typing import Any

import pytest
from mock_runs import Made, made_release, room
from pydantic import ValidationError

from arcs.keys import Decided
from inject.conversation import ConversationResult, ReleaseMemory, inject_conversation
from inject.drafts import Opinion, Relation, SeenLine, Verifier
from inject.opening import measure_styles, open_conversation, read_host
from inject.pipeline import make_config
from inject.rejects import Rejected
from inject.reviews import NO_REVIEWS, ReviewDecision, Reviews, append_decisions, read_reviews, reviews_beside, without_effect
from locomo_patch.reader import LoadedCorpus
from twistcore.errors import UsageError
from twistcore.text.parses import Parser

DAY = date(2024, 5, 31)


def reject(reason: str = "three attempts failed", text: str = "No pets for me.") -> Rejected:
    return Rejected(
        id="a" * 12,
        pair_id="b" * 12,
        family="A1",
        sample_id="mock-1",
        attempts=[],
        opinion=None,
        reason=reason,
        proposal={"turns": [{"text": text}]},
    )


def decision(about: Rejected, decided: Decided = Decided.ACCEPT, **changes: Any) -> ReviewDecision:
    said: dict[str, Any] = {"by": "Ann", "reason": "plain enough", "date": DAY, "proposal_sha256": about.sha256}
    return ReviewDecision(id=about.id, decision=decided, **{**said, **changes})


@pytest.mark.parametrize(
    ("decided", "changes"),
    [
        (Decided.ACCEPT, {"reason": " "}),
        (Decided.EDIT, {"reason": "", "turns": ["x"]}),
        (Decided.ACCEPT, {"by": "  "}),
        (Decided.EDIT, {}),
        (Decided.ACCEPT, {"turns": ["x"]}),
        (Decided.ACCEPT, {"replies": ["x"]}),
        (Decided.EDIT, {"turns": ["x", " "]}),
        (Decided.EDIT, {"turns": ["x", "y"], "replies": ["z"]}),
    ],
)
def test_a_decision_that_is_not_whole_is_none(decided: Decided, changes: dict[str, Any]) -> None:
    with pytest.raises(ValidationError):
        decision(reject(), decided, **changes)


def test_a_rejection_needs_no_reason() -> None:
    assert decision(reject(), Decided.REJECT, reason="").reason == ""


def test_decisions_are_appended_and_the_last_one_stands(tmp_path: Path) -> None:
    path, item = tmp_path / "out.reviews.jsonl", reject()
    append_decisions(path, [decision(item)])
    first = path.read_bytes()
    append_decisions(path, [decision(item, Decided.REJECT, by="Bob")])
    assert path.read_bytes().startswith(first)
    read = read_reviews(path)
    assert [each.by for each in read.decisions] == ["Ann", "Bob"]
    last = read.last(item)
    assert last is not None and last.by == "Bob" and read.taking(item) is None


def test_a_decision_is_about_one_text_and_not_about_what_was_said_of_it() -> None:
    reviews = Reviews((decision(reject()),))
    assert reviews.taking(reject("two attempts failed")) is not None
    assert reviews.taking(reject(text="No pets for me!")) is None


def test_only_what_failed_itself_is_there_to_decide() -> None:
    assert reject().given_up
    assert not reject("its partner was rejected").given_up
    assert not reject("gave its place to the pair cccccccccccc, which a person took").given_up


def test_a_line_that_is_no_decision_is_named(tmp_path: Path) -> None:
    path = tmp_path / "d.jsonl"
    append_decisions(path, [decision(reject())])
    with path.open("a") as stream:
        stream.write(json.dumps({"id": "x"}) + "\n")
    with pytest.raises(UsageError, match="line 2"):
        read_reviews(path)


def test_nothing_is_put_into_a_release(tmp_path_factory: pytest.TempPathFactory, parser: Parser) -> None:
    made: Made = made_release(tmp_path_factory, parser)
    with pytest.raises(UsageError, match="inside a release"):
        append_decisions(made.folder / "reviews.jsonl", [decision(reject())])
    assert reviews_beside(made.folder).parent == made.folder.resolve().parent


@dataclass
class DoubtfulVerifier:
    """Cannot tell of the first item that it sees, and is otherwise as good as another."""

    inner: Verifier
    first: list[SeenLine] = field(default_factory=list)
    name: str = "doubtful"
    version: str = "1"

    def verify(self, lines: list[SeenLine]) -> Opinion:
        self.first = self.first or list(lines[:1])
        found = self.inner.verify(lines)
        # Attempts differ in their lead-ins, so the item is known by the date that its line begins with and by its last words.
        same = lines[0].rendered[:10] == self.first[0].rendered[:10] and lines[0].rendered[-25:] == self.first[0].rendered[-25:]
        return found.model_copy(update={"relation": Relation.CANNOT_TELL, "reason": "too vague"}) if same else found


def offline(mock: LoadedCorpus, parser: Parser, reviews: Reviews = NO_REVIEWS) -> ConversationResult:
    """One conversation of the offline loop with a verifier that doubts one item."""
    config, host = make_config(mock, 7, 2, ["mock-1"]), read_host(mock, "mock-1", parser)
    with room():
        opened = open_conversation(host, config, ReleaseMemory(), measure_styles(mock.corpus), None, reviews=reviews)
        opened.tools = replace(opened.tools, verifier=DoubtfulVerifier(opened.tools.verifier))
        return inject_conversation(opened)


def test_the_offline_loop_takes_what_people_take_in_the_stead_of_what_was_planned_later(mock: LoadedCorpus, parser: Parser) -> None:
    before = offline(mock, parser)
    doubted = next(each for each in before.rejects if each.opinion == "too vague" and each.given_up)
    reviews = Reviews((decision(doubted),))
    after = offline(mock, parser, reviews)
    assert len(after.keys) == len(before.keys) == 4 and after.shortfall == {}
    taken = {key.id: key for key in after.keys if key.pair_id == doubted.pair_id}
    assert len(taken) == 2
    review = taken[doubted.id].provenance.review
    assert review is not None and review.overruled == ["as_seen"] and review.by == "Ann"
    assert [used.judged for used in after.reviews] == [doubted]
    gone = {key.pair_id for key in before.keys} - {key.pair_id for key in after.keys}
    assert {each.pair_id for each in after.rejects if each.reason.startswith("gave its place")} == gone and len(gone) == 1
    assert without_effect(reviews, after.reviews, after.rejects) == []


def test_a_rejects_line_of_the_offline_loop_is_as_it_was(mock: LoadedCorpus, parser: Parser) -> None:
    assert all("places" not in each.model_dump(mode="json") for each in offline(mock, parser).rejects)

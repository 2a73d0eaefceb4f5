"""Track B is made in pairs, by seed, from the record alone, and judged again from it."""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import replace

import pytest

from arcs.draft_families import DraftFamily, DraftType
from arcs.track_b_keys import TrackBKey
from benchmarks.drafts import TARGET, balanced_accuracy
from inject.alignment.audit import audit_drafts
from inject.alignment.deed_forms import Kind
from inject.alignment.make import COUNTS, MOST_OF_ONE_WORDING, make_track_b
from inject.alignment.wording import SLOT, Stance, wordings
from locomo_patch.reader import LoadedCorpus
from twistcore.corpus import Corpus
from twistcore.text.parses import Parser

SEED = 7


@pytest.fixture(scope="module")
def made(mock: LoadedCorpus, parser: Parser) -> list[TrackBKey]:
    return make_track_b(mock.corpus, parser, SEED)


def test_the_same_seed_makes_the_same_drafts_and_another_makes_others(
    made: list[TrackBKey], mock: LoadedCorpus, parser: Parser
) -> None:
    assert make_track_b(mock.corpus, parser, SEED) == made
    assert {key.draft for key in make_track_b(mock.corpus, parser, SEED + 1)} != {key.draft for key in made}


def test_every_pair_has_a_contradicting_draft_and_another_over_the_same_turn(made: list[TrackBKey]) -> None:
    assert made
    for pair in {key.pair_id for key in made}:
        both = [key for key in made if key.pair_id == pair]
        assert {tuple(key.evidence) for key in both} == {tuple(both[0].evidence)}
        assert 2 * sum(key.type is DraftType.CONTRADICTING for key in both) == len(both)


def test_no_family_has_more_than_it_was_asked_for(mock: LoadedCorpus, parser: Parser) -> None:
    asked = {DraftFamily.B2: 2, DraftFamily.B_AL: 1, DraftFamily.HN_B1: 1}
    found = Counter(key.family for key in make_track_b(mock.corpus, parser, SEED, asked))
    assert found == Counter(asked)


def test_the_audit_finds_nothing_in_what_was_made(made: list[TrackBKey], mock: LoadedCorpus, parser: Parser) -> None:
    assert audit_drafts(made, mock.corpus, parser) == []


def test_the_audit_names_what_is_wrong(made: list[TrackBKey], mock: LoadedCorpus, parser: Parser) -> None:
    key = next(key for key in made if key.type is DraftType.CONTRADICTING)
    other = next(other for other in made if other.conv == key.conv and other.speaker != key.speaker)
    wrong = [
        key.model_copy(update={"evidence": other.evidence}),
        key.model_copy(update={"history_turns": 3}),
        key.model_copy(update={"rationale": "Of nothing."}),
        key.model_copy(update={"sample_id": "mock-9"}),
    ]
    for bad, fault in zip(wrong, ("fails speaker", "history_turns", "states the deed", "no such conversation"), strict=True):
        assert any(fault in line for line in audit_drafts([bad], mock.corpus, parser)), fault
    assert any("times" in line for line in audit_drafts([key, key], mock.corpus, parser))


def test_a_draft_that_a_later_turn_flips_is_named(made: list[TrackBKey], mock: LoadedCorpus, parser: Parser) -> None:
    key = next(key for key in made if key.draft and key.family is DraftFamily.B2)
    conversation = mock.corpus.conversation(key.conv)
    gerund = key.rationale.removeprefix("Of ").partition(f", {key.speaker}")[0]
    last = conversation.sessions[-1]
    said = f"I gave up {gerund.replace('your', 'my')}."
    turn = replace(last.turns[-1], speaker=key.speaker, position=len(last.turns) + 1, text=said)
    grown = replace(conversation, sessions=(*conversation.sessions[:-1], replace(last, turns=(*last.turns, turn))))
    corpus = Corpus("flipped", "0", tuple(grown if other.sample_id == key.conv else other for other in mock.corpus.conversations))
    pair = [other.model_copy(update={"history_turns": key.history_turns + 1}) for other in made if other.pair_id == key.pair_id]
    faults = audit_drafts(pair, corpus, parser)
    assert any("the other way round" in line for line in faults)


def uses(keys: list[TrackBKey]) -> Counter[tuple[str, bool]]:
    """How often each wording is used by contradicting drafts and by the others, read back from the drafts."""
    shapes = {
        core: re.compile(re.escape(core).replace(r"\{", "{").replace(r"\}", "}"), re.IGNORECASE) for core in wordings().every()
    }
    shapes = {core: re.compile(SLOT.sub(".+", shape.pattern), re.IGNORECASE) for core, shape in shapes.items()}
    return Counter(
        (core, key.type is DraftType.CONTRADICTING) for key in keys for core, shape in shapes.items() if shape.search(key.draft)
    )


def test_no_wording_is_worn_out_and_no_draft_is_sent_twice(made: list[TrackBKey]) -> None:
    found = uses(made)
    assert found
    assert all(found[core, True] + found[core, False] <= MOST_OF_ONE_WORDING for core, _ in found)
    assert len({key.draft for key in made}) == len(made)


@pytest.mark.slow
def test_the_full_track_has_its_counts_and_gives_nothing_away(real: LoadedCorpus, parser: Parser) -> None:
    keys = make_track_b(real.corpus, parser, SEED)
    assert Counter(key.family for key in keys) == Counter(COUNTS)
    assert audit_drafts(keys, real.corpus, parser) == []
    assert {key.conv for key in keys} == {conversation.sample_id for conversation in real.corpus.conversations}
    lines = [(key.conv, key.type is DraftType.CONTRADICTING, key.draft.lower().split()) for key in keys]
    found = uses(keys)
    asking = {core for kind in Kind for core in wordings().of(kind, Stance.ASK)}
    repeated = {core for core, _ in found if found[core, True] + found[core, False] > 1} - asking
    shared = {core for core in repeated if found[core, True] and found[core, False]}
    print(f"{len(shared)} of {len(repeated)} wordings that are used again serve drafts of both kinds")
    assert len(shared) >= 0.6 * len(repeated)
    accuracy = balanced_accuracy(lines)
    print(f"balanced accuracy {accuracy:.3f}")
    assert accuracy <= TARGET


def test_the_table_of_the_design_is_kept() -> None:
    by_type = Counter({kind: sum(count for family, count in COUNTS.items() if family.type is kind) for kind in DraftType})
    assert by_type == {DraftType.CONTRADICTING: 100, DraftType.ALIGNED: 50, DraftType.HARD_NEGATIVE: 50}
    assert all(COUNTS[family] >= 25 for family in (DraftFamily.B1, DraftFamily.B2, DraftFamily.B3, DraftFamily.B_SM))
    assert all(COUNTS[family] >= 12 for family in (DraftFamily.HN_B1, DraftFamily.HN_B2, DraftFamily.HN_B3))


def test_a_key_whose_fields_disagree_is_refused(made: list[TrackBKey]) -> None:
    key = made[0].model_dump(mode="json")
    for change in ({"conv": "elsewhere"}, {"family": "HN-B3 change-question"}, {"evidence": []}, {"extra": 1}):
        with pytest.raises(ValueError):
            TrackBKey.model_validate({**key, **change})

"""Choice of topics: independent sets in the conflict graph, by quota, usage and fit (rule 6 of DESIGN.md)."""

from __future__ import annotations

import random
from collections import Counter
from itertools import combinations

import networkx as nx
from arc_material import flat, frame, free, several
from hypothesis import given, settings
from hypothesis import strategies as st

from arcs.choose import Candidate, candidates, choose_independent, conflict_graph, words_of
from arcs.frames import Frame, TopicObject

SPEAKERS = ("Ann", "Bob")
WORDS = st.frozensets(st.sampled_from("abcdefghij"), min_size=1, max_size=3)
POOLS = st.lists(
    st.builds(
        Candidate, st.sampled_from(["f1", "f2", "f3", "f4", "f5"]), st.sampled_from(SPEAKERS), st.just("x"), st.just("y"), WORDS
    ),
    max_size=14,
)


class Even(dict[tuple[str, str], float]):
    """Every frame fits everybody alike."""

    def __missing__(self, key: tuple[str, str]) -> float:
        return flat(*key)


def test_every_free_pair_of_objects_is_a_candidate_for_both_speakers() -> None:
    pool, reasons = candidates([frame()], SPEAKERS, free)
    assert len(pool) == 2 * 3 * 2
    assert not reasons
    assert all(candidate.arc_object != candidate.control_object for candidate in pool)
    assert {(candidate.arc_object, candidate.control_object, candidate.holder) for candidate in pool} >= {
        ("parrot", "rabbit", "Ann"),
        ("rabbit", "parrot", "Ann"),
    }


def test_an_object_that_the_record_speaks_against_is_in_no_candidate() -> None:
    def objections(_frame: Frame, item: TopicObject, holder: str) -> list[str]:
        return ["named on the record", "and more"] if (item.key, holder) == ("parrot", "Ann") else []

    pool, reasons = candidates([frame()], SPEAKERS, objections)
    assert not any("parrot" in (candidate.arc_object, candidate.control_object) for candidate in pool if candidate.holder == "Ann")
    assert any("parrot" in (candidate.arc_object, candidate.control_object) for candidate in pool if candidate.holder == "Bob")
    assert reasons == {"named on the record": 1}


def test_two_free_objects_are_needed_for_a_pair() -> None:
    def objections(_frame: Frame, item: TopicObject, _holder: str) -> list[str]:
        return [] if item.key == "parrot" else ["close to what the holder says"]

    pool, reasons = candidates([frame()], SPEAKERS, objections)
    assert pool == []
    assert reasons == {"close to what the holder says": 4}


def test_words_of_an_object_are_its_head_and_what_is_related() -> None:
    assert words_of(frame().object("parrot")) == {"parrot", "parrotish"}


@given(POOLS)
@settings(deadline=None)
def test_the_graph_has_an_edge_exactly_where_two_share_a_frame_or_a_word(pool: list[Candidate]) -> None:
    graph = conflict_graph(pool)
    for first, second in combinations(range(len(pool)), 2):
        clash = pool[first].frame_id == pool[second].frame_id or bool(pool[first].terms & pool[second].terms)
        assert graph.has_edge(first, second) == clash


@given(POOLS, st.integers(0, 5), st.integers(0, 5), st.integers())
@settings(deadline=None)
def test_what_is_chosen_is_independent_and_cannot_be_added_to(pool: list[Candidate], ann: int, bob: int, seed: int) -> None:
    chosen = choose_independent(pool, Counter(), Even(), {"Ann": ann, "Bob": bob}, random.Random(seed))
    for first, second in combinations(chosen, 2):
        assert first.frame_id != second.frame_id
        assert not first.terms & second.terms
    for other in pool:
        assert other in chosen or any(other.frame_id == one.frame_id or other.terms & one.terms for one in chosen), (
            "it is a maximal set"
        )
    assert nx.Graph is type(conflict_graph(pool))


@given(st.integers(0, 4), st.integers(0, 4), st.integers())
@settings(deadline=None, max_examples=30)
def test_the_quota_of_each_speaker_is_filled_first(ann: int, bob: int, seed: int) -> None:
    pool, _ = candidates(several(12), SPEAKERS, free)
    chosen = choose_independent(pool, Counter(), Even(), {"Ann": ann, "Bob": bob}, random.Random(seed))
    first = Counter(candidate.holder for candidate in chosen[: ann + bob])
    assert (first["Ann"], first["Bob"]) == (ann, bob)
    assert len(chosen) == 12, "the rest are substitutes"


def test_frames_used_least_come_first_then_those_that_fit_the_holder() -> None:
    frames = several(6)
    pool, _ = candidates(frames, ("Ann", "Bob"), free)
    used = Counter({"frame-0": 2, "frame-1": 1})
    fits = {(made.id, holder): float(made.id == "frame-4") for made in frames for holder in SPEAKERS}
    for seed in range(20):
        chosen = [candidate.frame_id for candidate in choose_independent(pool, used, fits, {"Ann": 6}, random.Random(seed))]
        assert chosen[0] == "frame-4"
        assert chosen[-2:] == ["frame-1", "frame-0"]


def test_the_same_seed_chooses_alike_and_another_otherwise() -> None:
    pool, _ = candidates(several(12), SPEAKERS, free)
    chosen = [choose_independent(pool, Counter(), Even(), {"Ann": 3, "Bob": 3}, random.Random(seed)) for seed in (7, 7, 8)]
    assert chosen[0] == chosen[1] != chosen[2]

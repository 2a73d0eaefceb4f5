"""Choice of topics: a conflict graph over candidate pairs and an independent set in it, seeded."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import permutations

import networkx as nx

from arcs.frames import Frame, TopicObject

# (frame, object, holder) -> what on the record speaks against it, empty when nothing does.
Objections = Callable[[Frame, TopicObject, str], Sequence[str]]
# (frame, holder) -> how near the frame's matter is to what the holder talks about; higher is nearer
Fit = Callable[[Frame, str], float]


@dataclass(frozen=True, slots=True)
class Candidate:
    """A pair that could be told: one frame, one holder, two of its objects. `terms` are the words that both would occupy."""

    frame_id: str
    holder: str
    arc_object: str
    control_object: str
    terms: frozenset[str]


def candidates(frames: Iterable[Frame], holders: Sequence[str], objections: Objections) -> tuple[list[Candidate], Counter[str]]:
    """Every pair that nothing on the record speaks against, and how often each objection was the reason for none."""
    found: list[Candidate] = []
    reasons: Counter[str] = Counter()
    for frame in frames:
        for holder in holders:
            free = []
            for item in frame.objects:
                against = objections(frame, item, holder)
                reasons.update(against[:1])
                if not against:
                    free.append(item)
            for first, second in permutations(free, 2):
                terms = frozenset(words_of(first) | words_of(second))
                found.append(Candidate(frame.id, holder, first.key, second.key, terms))
    return found, reasons


def words_of(item: TopicObject) -> frozenset[str]:
    """Lower-case words that belong to an object: its head and what is related to it."""
    return frozenset(item.head.lower().split()) | frozenset(word.lower() for word in item.related)


def conflict_graph(pool: Sequence[Candidate]) -> nx.Graph:
    """Candidates as nodes, an edge where two cannot live in one conversation: the same frame, or a word in common."""
    graph = nx.Graph()
    graph.add_nodes_from(range(len(pool)))
    by_key: dict[str, list[int]] = {}
    for index, candidate in enumerate(pool):
        for key in {f"frame:{candidate.frame_id}", *candidate.terms}:
            by_key.setdefault(key, []).append(index)
    for members in by_key.values():
        graph.add_edges_from((first, second) for place, first in enumerate(members) for second in members[place + 1 :])
    return graph


def choose_independent(
    pool: Sequence[Candidate],
    usage: Counter[str],
    fits: Mapping[tuple[str, str], float],
    quota: Mapping[str, int],
    rng: random.Random,
) -> list[Candidate]:
    """Candidates with no edge between any two, in order of preference: least used frames first, then what fits the holder,
    ties by seed.

    The list is longer than the quota where it can be: what follows the first `sum(quota)` are the substitutes.
    """
    graph = conflict_graph(pool)
    order = list(range(len(pool)))
    rng.shuffle(order)
    order.sort(key=lambda index: (usage[pool[index].frame_id], -fits[pool[index].frame_id, pool[index].holder]))
    taken: list[int] = []
    blocked: set[int] = set()
    left = Counter(quota)
    for strict in (True, False):
        for index in order:
            if index in blocked or (strict and left[pool[index].holder] <= 0):
                continue
            taken.append(index)
            blocked.add(index)
            blocked.update(graph.neighbors(index))
            left[pool[index].holder] -= 1
    return [pool[index] for index in taken]

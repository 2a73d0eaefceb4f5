"""The loop: write -> audit facts -> gates -> verify as seen -> accept, or revise with feedback (three attempts in all) -> reject.

A node returns a proposal or a verdict and changes nothing else; plain code around the graph validates and applies what
was accepted. Items of every track go through this graph, whoever writes and verifies: offline nodes are plain functions,
nodes that ask a model are coroutines.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from inspect import isawaitable
from typing import Any, Protocol, TypedDict

from langchain_core.runnables import RunnableConfig
from langgraph.graph import END, START, StateGraph

from inject.brief import Brief
from inject.drafts import Draft, FactAudit, Opinion, Relation, SeenLine, Verifier, Writer
from twistcore.verdicts import Finding, Verdict

MAX_ATTEMPTS = 3
# Supersteps of an item that is revised as often as it may be, and its end.
RECURSION_LIMIT = 4 * MAX_ATTEMPTS + 4

# Judges a draft; what it needs beside the draft (record, neighbours) is bound in by the caller.
Judge = Callable[[Draft, FactAudit | None], Verdict]


@dataclass(frozen=True, slots=True)
class Attempt:
    """One pass of the loop, kept for rejects and provenance."""

    attempt: int
    draft: Draft
    verdict: Verdict
    opinion: Opinion | None


class LoopState(TypedDict, total=False):
    """What travels through the graph for one item."""

    attempt: int
    draft: Draft
    audit: FactAudit | None
    verdict: Verdict
    opinion: Opinion | None
    history: list[Attempt]
    accepted: bool


class Node(Protocol):
    """A node: it is given the state and the run's configuration, and returns what it adds; or it is a coroutine function."""

    def __call__(self, state: LoopState, config: RunnableConfig) -> Any: ...


@dataclass(frozen=True, slots=True)
class Nodes:
    """The nodes that whoever writes and verifies brings along; gates and routes are the loop's own."""

    write: Node
    revise: Node
    audit: Node
    verify: Node


@dataclass(frozen=True, slots=True)
class LoopResult:
    """How an item ended: the last attempt decides, all are kept."""

    accepted: bool
    attempts: tuple[Attempt, ...]

    @property
    def last(self) -> Attempt:
        """The attempt that decided."""
        return self.attempts[-1]

    @classmethod
    def of(cls, state: LoopState) -> LoopResult:
        """The result that a finished state holds."""
        return cls(bool(state["accepted"]), tuple(state["history"]))


def build_loop(nodes: Nodes, checkpointer: Any = None, *, asynchronous: bool = False) -> Any:
    """The compiled graph. The judge of an item comes in as `configurable.judge`; in an `asynchronous` graph, whose nodes ask
    models, it may be a coroutine function."""
    own: Callable[[Any], Any] = _coroutine if asynchronous else lambda function: function
    graph = StateGraph(LoopState)
    graph.add_node("write", nodes.write)
    graph.add_node("revise", nodes.revise)
    graph.add_node("audit", nodes.audit)
    graph.add_node("gates", _gates_awaited if asynchronous else _gates)
    graph.add_node("verify", nodes.verify)
    graph.add_node("accept", own(_accept))
    graph.add_node("reject", own(_reject))
    graph.add_edge(START, "write")
    graph.add_edge("write", "audit")
    graph.add_edge("revise", "audit")
    graph.add_edge("audit", "gates")
    graph.add_conditional_edges("gates", own(_after_gates), ["verify", "revise", "reject"])
    graph.add_conditional_edges("verify", own(_after_verify), ["accept", "revise", "reject"])
    graph.add_edge("accept", END)
    graph.add_edge("reject", END)
    return graph.compile(checkpointer=checkpointer)


class Loop:
    """The loop for one offline writer and one offline verifier."""

    def __init__(self, writer: Writer, verifier: Verifier) -> None:
        self._writer = writer
        self._verifier = verifier
        self._compiled = build_loop(Nodes(self._write, self._write, _no_audit, self._verify))

    def run(self, brief: Brief, judge: Judge) -> LoopResult:
        """Take one item through the loop."""
        start: LoopState = {"attempt": 0, "history": []}
        config: RunnableConfig = {"configurable": {"brief": brief, "judge": judge}, "recursion_limit": RECURSION_LIMIT}
        return LoopResult.of(self._compiled.invoke(start, config=config))

    def _write(self, state: LoopState, config: RunnableConfig) -> LoopState:
        attempt = state["attempt"] + 1
        feedback = feedback_of(state["history"][-1]) if state["history"] else []
        draft = self._writer.write(config["configurable"]["brief"], attempt, feedback)
        return {"attempt": attempt, "draft": draft, "opinion": None}

    def _verify(self, state: LoopState, config: RunnableConfig) -> LoopState:
        return with_opinion(state, self._verifier.verify(seen_lines(state["draft"])))


def _no_audit(state: LoopState, config: RunnableConfig) -> LoopState:
    # The facts gate parses what is written from frames, so there is nothing for an auditor to add.
    return {"audit": None}


def seen_lines(draft: Draft) -> list[SeenLine]:
    """A draft's gold turns as a system under test retrieves them."""
    return [SeenLine.of(exchange.planned, draft.plan.holder, exchange.text) for exchange in draft.exchanges]


def with_opinion(state: LoopState, opinion: Opinion) -> LoopState:
    """What a verify node returns: the opinion, and the attempt that it ends."""
    ended = Attempt(state["attempt"], state["draft"], state["verdict"], opinion)
    return {"opinion": opinion, "history": [*state["history"], ended]}


def _coroutine(function: Callable[[LoopState], Any]) -> Callable[[LoopState], Any]:
    """A plain function would be sent to a thread, which costs more than it does and puts items out of step."""

    async def awaited(state: LoopState) -> Any:
        return function(state)

    awaited.__name__ = function.__name__
    return awaited


def _gates(state: LoopState, config: RunnableConfig) -> LoopState:
    return _judged(state, config["configurable"]["judge"](state["draft"], state["audit"]))


async def _gates_awaited(state: LoopState, config: RunnableConfig) -> LoopState:
    found = config["configurable"]["judge"](state["draft"], state["audit"])
    return _judged(state, await found if isawaitable(found) else found)


def _judged(state: LoopState, verdict: Verdict) -> LoopState:
    if verdict.failed or verdict.undecided:
        return {"verdict": verdict, "history": [*state["history"], Attempt(state["attempt"], state["draft"], verdict, None)]}
    return {"verdict": verdict}


def _after_gates(state: LoopState) -> str:
    if not (state["verdict"].failed or state["verdict"].undecided):
        return "verify"
    return "revise" if state["attempt"] < MAX_ATTEMPTS else "reject"


def _after_verify(state: LoopState) -> str:
    opinion = state["opinion"]
    if opinion is not None and agrees(opinion, is_arc=state["draft"].plan.family.is_arc):
        return "accept"
    return "revise" if state["attempt"] < MAX_ATTEMPTS else "reject"


def _accept(state: LoopState) -> LoopState:
    return {"accepted": True}


def _reject(state: LoopState) -> LoopState:
    return {"accepted": False}


def agrees(opinion: Opinion, *, is_arc: bool) -> bool:
    """Whether an opinion confirms the gold: every line states its claim, and only an arc contradicts. "Cannot tell" never
    confirms."""
    wanted = Relation.CONTRADICTS if is_arc else Relation.CONSISTENT
    return opinion.relation is wanted and not opinion.unstated


def feedback_of(attempt: Attempt) -> Sequence[Finding]:
    """The findings against an attempt, for whoever writes the next one."""
    findings = [*attempt.verdict.failed, *attempt.verdict.undecided]
    opinion = attempt.opinion
    if opinion is not None:
        findings.append(Finding(gate="as_seen", version=opinion.version, reason=opinion.reason))
    return findings

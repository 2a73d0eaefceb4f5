"""The loop: plan -> write -> gates -> verify as seen -> accept, or revise with feedback (three attempts in all) -> reject.

A node returns a proposal or a verdict and changes nothing else; plain code around the graph validates and applies what
was accepted. Items of every track go through this graph, whoever writes and verifies.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, TypedDict

from langchain_core.runnables import RunnableConfig
from langgraph.graph import END, START, StateGraph

from inject.brief import Brief
from inject.drafts import Draft, Opinion, Relation, SeenLine, Verifier, Writer
from twistcore.verdicts import Finding, Verdict

MAX_ATTEMPTS = 3

# Judges a draft; what it needs beside the draft (record, neighbours) is bound in by the caller.
Judge = Callable[[Draft], Verdict]


class LoopState(TypedDict, total=False):
    """What travels through the graph for one item."""

    brief: Brief
    attempt: int
    draft: Draft
    verdict: Verdict
    opinion: Opinion | None
    history: list[Attempt]
    accepted: bool


@dataclass(frozen=True, slots=True)
class Attempt:
    """One pass of the loop, kept for rejects and provenance."""

    attempt: int
    draft: Draft
    verdict: Verdict
    opinion: Opinion | None


@dataclass(frozen=True, slots=True)
class LoopResult:
    """How an item ended: the last attempt decides, all are kept."""

    accepted: bool
    attempts: tuple[Attempt, ...]

    @property
    def last(self) -> Attempt:
        """The attempt that decided."""
        return self.attempts[-1]


class Loop:
    """The compiled graph for one writer and one verifier."""

    def __init__(self, writer: Writer, verifier: Verifier) -> None:
        self._writer = writer
        self._verifier = verifier
        graph = StateGraph(LoopState)
        graph.add_node("write", self._write)
        graph.add_node("gates", _gates)
        graph.add_node("verify", self._verify)
        graph.add_node("accept", _accept)
        graph.add_node("reject", _reject)
        graph.add_edge(START, "write")
        graph.add_edge("write", "gates")
        graph.add_conditional_edges("gates", _after_gates, ["verify", "write", "reject"])
        graph.add_conditional_edges("verify", _after_verify, ["accept", "write", "reject"])
        graph.add_edge("accept", END)
        graph.add_edge("reject", END)
        self._compiled = graph.compile()

    def run(self, brief: Brief, judge: Judge) -> LoopResult:
        """Take one item through the loop."""
        start: LoopState = {"brief": brief, "attempt": 0, "history": []}
        state: Any = self._compiled.invoke(
            start, config={"configurable": {"judge": judge}, "recursion_limit": 4 * MAX_ATTEMPTS + 4}
        )
        return LoopResult(bool(state["accepted"]), tuple(state["history"]))

    def _write(self, state: LoopState) -> LoopState:
        attempt = state["attempt"] + 1
        feedback = _feedback(state["history"][-1]) if state["history"] else []
        return {"attempt": attempt, "draft": self._writer.write(state["brief"], attempt, feedback), "opinion": None}

    def _verify(self, state: LoopState) -> LoopState:
        draft = state["draft"]
        lines = [SeenLine.of(exchange.planned, draft.plan.holder, exchange.text) for exchange in draft.exchanges]
        opinion = self._verifier.verify(lines)
        return {"opinion": opinion, "history": [*state["history"], Attempt(state["attempt"], draft, state["verdict"], opinion)]}


def _gates(state: LoopState, config: RunnableConfig) -> LoopState:
    verdict: Verdict = config["configurable"]["judge"](state["draft"])
    if verdict.failed or verdict.undecided:
        return {"verdict": verdict, "history": [*state["history"], Attempt(state["attempt"], state["draft"], verdict, None)]}
    return {"verdict": verdict}


def _after_gates(state: LoopState) -> str:
    if not (state["verdict"].failed or state["verdict"].undecided):
        return "verify"
    return "write" if state["attempt"] < MAX_ATTEMPTS else "reject"


def _after_verify(state: LoopState) -> str:
    opinion = state["opinion"]
    if opinion is not None and agrees(opinion, is_arc=state["draft"].plan.family.is_arc):
        return "accept"
    return "write" if state["attempt"] < MAX_ATTEMPTS else "reject"


def _accept(state: LoopState) -> LoopState:
    return {"accepted": True}


def _reject(state: LoopState) -> LoopState:
    return {"accepted": False}


def agrees(opinion: Opinion, *, is_arc: bool) -> bool:
    """Whether an opinion confirms the gold: every line states its claim, and only an arc contradicts. "Cannot tell" never
    confirms."""
    wanted = Relation.CONTRADICTS if is_arc else Relation.CONSISTENT
    return opinion.relation is wanted and not opinion.unstated


def _feedback(attempt: Attempt) -> Sequence[Finding]:
    findings = [*attempt.verdict.failed, *attempt.verdict.undecided]
    opinion = attempt.opinion
    if opinion is not None:
        findings.append(Finding(gate="as_seen", version=opinion.version, reason=opinion.reason))
    return findings

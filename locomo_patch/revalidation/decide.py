"""Decides every question of a conversation against the turns injected into it (DESIGN.md rule 9).

Pure: questions and turns come in read, decisions go out. Each question gets the turn that speaks most for a perturbation; what is
said of another person, only imagined, planned or outside a dated window never counts, whatever its topic.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from locomo_patch.revalidation.candidates import CandidateIndex
from locomo_patch.revalidation.kinds import kind_of
from locomo_patch.revalidation.questions import ConversationQuestions, QuestionReading
from locomo_patch.revalidation.signs import Signs, find_quick_signs, find_signs
from locomo_patch.revalidation.states import Decision, Rule, State
from locomo_patch.revalidation.turns import Standing, TurnReading
from locomo_patch.revalidation.weigh import Weights, load_weights

# Below this share of its content a turn does not speak of a question's matter at all.
ON_TOPIC = 0.35


@dataclass(frozen=True)
class Finding:
    """The turn that speaks most for perturbing a question, of whom it speaks, and how strongly."""

    reading: TurnReading
    person: str
    signs: Signs
    score: float


def decide_all(
    context: ConversationQuestions, turns: Sequence[TurnReading], weights: Weights | None = None, among: int = 0
) -> list[Decision]:
    """A decision for every question of the conversation, in the order of the file.

    `among` says of how many turns these are a part, where more are to come: thresholds are then those for so many.
    """
    weighed = weights or load_weights()
    index = CandidateIndex(turns)
    return [_decide(question, context, index, weighed, among) for question in context.readings]


def find_alarmed(context: ConversationQuestions, turns: Sequence[TurnReading], among: int) -> list[QuestionReading]:
    """The questions that a few turns, of `among` in all, would leave other than valid: the same code, without reasons."""
    weights = load_weights()
    index = CandidateIndex(turns)
    alarmed = []
    for question in context.readings:
        candidates = index.candidates(question, context)
        undecided, _ = weights.bounds(max(among, len(candidates)))
        for reading, person in candidates:
            found = _weigh(question, reading, person, context, weights)
            if found.score >= undecided and not found.signs.outside:
                alarmed.append(question)
                break
    return alarmed


def _decide(
    question: QuestionReading, context: ConversationQuestions, index: CandidateIndex, weights: Weights, among: int
) -> Decision:
    candidates = index.candidates(question, context)
    if not candidates:
        return Decision(State.VALID, None, Rule.UNRELATED, "")
    findings = [_weigh(question, reading, person, context, weights) for reading, person in candidates]
    inside = [finding for finding in findings if not finding.signs.outside]
    best = max(inside or findings, key=lambda finding: (finding.score, -finding.reading.turn.session, finding.reading.turn.name))
    # A quick look is enough for the score; the reason wants all signs.
    best = replace(best, signs=find_signs(question, best.reading, context, best.person))
    if best.signs.outside:
        return _valid(best, Rule.OUTSIDE_WINDOW, "it speaks of other days than the question asks about")
    undecided, perturbed = weights.bounds(max(among, len(candidates)))
    if best.score < undecided:
        return _not_perturbed(question, best)
    kind = kind_of(question, best.reading, best.signs)
    why = _explain(best)
    state = State.RETIRED if best.score >= perturbed else State.UNDECIDED
    return Decision(state, kind, None, why, (best.reading.turn.name,))


def _weigh(
    question: QuestionReading, reading: TurnReading, person: str, context: ConversationQuestions, weights: Weights
) -> Finding:
    quick = find_quick_signs(question, reading, context, person)
    if quick is not None:
        return Finding(reading, person, quick, weights.score(quick) if quick.bears else weights.lowest)
    signs = find_signs(question, reading, context, person)
    return Finding(reading, person, signs, weights.score(signs))


def _not_perturbed(question: QuestionReading, best: Finding) -> Decision:
    """A valid question with the rule that says why."""
    signs = best.signs
    if signs["agreed_only"] or (signs["agrees"] >= 0.99 and not question.adversarial):
        return _valid(best, Rule.AGREES_WITH_GOLD, f"it says again {', '.join(signs.agreed) or 'what the gold has'}")
    if signs.standing is Standing.UNREAL and signs["topic_unreal"] >= ON_TOPIC:
        return _valid(best, Rule.HYPOTHETICAL, "it is imagined, denied or told by somebody else")
    if signs.standing is Standing.PLAN and signs["topic_plan"] >= ON_TOPIC and not question.plan:
        return _valid(best, Rule.ONLY_PLANNED, "it is planned and not done")
    if signs["topic_outsider"] > max(ON_TOPIC, signs["topic"]):
        return _valid(best, Rule.OTHER_SPEAKER, "it is told of a third person")
    if signs["topic"] < ON_TOPIC and signs["sort_match"] < ON_TOPIC:
        return Decision(State.VALID, None, Rule.UNRELATED, "")
    if question.adversarial:
        return _valid(best, Rule.STILL_UNANSWERABLE, "it does not say what the question asks")
    if signs["looks_back"] and signs["present"] == 0:
        return _valid(best, Rule.NOSTALGIA, "it looks back")
    if signs.sort in ("date", "how_long"):
        return _valid(best, Rule.KEEPS_ITS_DATE, "it dates nothing that the question asks about")
    if question.past:
        return _valid(best, Rule.DIFFERENT_EVENT, "it tells of another event")
    return _valid(best, Rule.OTHER_MATTER, "it says nothing of what the question asks for")


def _valid(best: Finding, rule: Rule, why: str) -> Decision:
    return Decision(State.VALID, None, rule, why, (best.reading.turn.name,))


def _explain(best: Finding) -> str:
    said = ", ".join(dict.fromkeys((*best.signs.said, *best.signs.novel))) or "what is said"
    return f"{best.person}: {said}"

"""Questions of a release: every one decided against the injected turns, the perturbed ones versioned out (DESIGN.md rule 9).

The deciding is `locomo_patch.revalidation`'s; here it is bound to edits, checkpoints and the files of a release.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any

from pydantic import TypeAdapter

from locomo_patch.apply import AnyEdit, apply_edits
from locomo_patch.denominators import Denominators
from locomo_patch.document import Document
from locomo_patch.id_map import ConversationIds
from locomo_patch.reader import LoadedCorpus, type_corpus
from locomo_patch.revalidation.cases import Ask, read_placed
from locomo_patch.revalidation.identity import identify_document
from locomo_patch.revalidation.injected import injected_turns
from locomo_patch.revalidation.judge import load_judge_prompt
from locomo_patch.revalidation.questions import ConversationQuestions
from locomo_patch.revalidation.states import (
    QA_KEY,
    REVALIDATOR,
    REVISIONS,
    VERSIONED_OUT,
    Decision,
    Policy,
    QuestionRevision,
    Rule,
    State,
    current_states,
)
from locomo_patch.revalidation.versioning import take_out_questions, total, version_out
from locomo_patch.revalidation.weigh import weights_sha256
from locomo_patch.revalidation.workers import Workers
from twistcore.errors import UndecidedError
from twistcore.store import dump_lines
from twistcore.text.parses import Parser
from twistcore.verdicts import Stored

FIRST_QA_VERSION = "v0.1"
QA_FILES = (REVISIONS, VERSIONED_OUT)
# How many of the questions that block a release an error names.
FIRST_BLOCKING = 3
_DECISIONS = TypeAdapter(list[Decision])


class RevalidationConfig(Stored):
    """What decides the states of questions, beside the corpus and the edits."""

    revalidator: str
    weights_sha256: str
    policy: Policy
    judge: str | None = None
    judge_prompt_sha256: str | None = None
    errata_sha256: str | None = None

    @property
    def judged_by(self) -> str | None:
        """The judge with the prompt that it is asked by: what a kept decision must have been made with to be used again."""
        return f"{self.judge} {self.judge_prompt_sha256}" if self.judge is not None else None

    @property
    def basis(self) -> dict[str, str]:
        """What the rules' decisions are a function of: neither a policy nor a judge nor errata come in before them."""
        return {"revalidator": self.revalidator, "weights_sha256": self.weights_sha256}


class QaRecord(Stored):
    """What the manifest says of a release's questions. Denominators are named and never mixed: all, with evidence, answerable, and
    answerable without byte-identical repeats. `by_errata` counts the questions whose state an accepted dispute gave."""

    key_version: str
    decided_by: RevalidationConfig
    questions: Denominators
    by_state: dict[str, int]
    by_kind: dict[str, int]
    valid_answerable: int
    undecided_retired: int
    already_broken: int
    broken_and_perturbed: int
    image_dependent: int
    by_errata: int = 0


def configure_revalidation(policy: Policy, errata_sha256: str | None = None, judge: str | None = None) -> RevalidationConfig:
    """The configuration of this program's own re-validator."""
    return RevalidationConfig(
        revalidator=REVALIDATOR,
        weights_sha256=weights_sha256(),
        policy=policy,
        judge=judge,
        judge_prompt_sha256=load_judge_prompt().sha256 if judge is not None else None,
        errata_sha256=errata_sha256,
    )


def begin_conversation(
    loaded: LoadedCorpus,
    questions: ConversationQuestions,
    edits: Sequence[AnyEdit],
    parser: Parser,
    workers: Workers,
    ask: Ask | None = None,
) -> Callable[[], list[Decision]]:
    """Begin to decide all questions of one conversation against the turns that its edits bring in.

    What comes back waits for the decisions; `ask` gets the undecided then, in this process.
    """
    sample_id = questions.conversation.sample_id
    alone = _alone(loaded.document, sample_id)
    released, id_map = apply_edits(alone, edits)
    typed = type_corpus(released, loaded.corpus.version, loaded.sha256, loaded.path)
    turns = injected_turns(typed.conversation(sample_id), id_map[sample_id])
    decided = workers.begin(questions, read_placed(turns, parser))
    return decided if ask is None else lambda: ask(questions, [each.turn for each in turns], decided())


def _alone(document: Document, sample_id: str) -> Document:
    index = document.sample_ids.index(sample_id)
    return Document(document.shape, document.files[:1], (sample_id,), (document.objects[index],))


def untouched(questions: int) -> list[Decision]:
    """Decisions for a conversation that nothing was injected into."""
    return [Decision(State.VALID, None, Rule.UNRELATED, "")] * questions


def dump_decisions(decisions: Sequence[Decision]) -> list[dict[str, Any]]:
    """As a checkpoint keeps them."""
    return [asdict(decision) for decision in decisions]


def load_decisions(kept: Sequence[Mapping[str, Any]]) -> list[Decision]:
    """Back from a checkpoint."""
    return _DECISIONS.validate_python(kept)


def qa_files(
    source: Document, released: Document, id_map: Mapping[str, ConversationIds], lines: Sequence[QuestionRevision]
) -> tuple[Document, dict[str, bytes]]:
    """The released corpus without the questions that leave it, and the files under `qa/`."""
    leaving = version_out(source, lines)
    return take_out_questions(released, id_map, leaving), {REVISIONS: dump_lines(lines), VERSIONED_OUT: dump_lines(leaving)}


def record_qa(source: Document, lines: Sequence[QuestionRevision], decided_by: RevalidationConfig, version: str) -> QaRecord:
    """What the manifest says."""
    return QaRecord(key_version=f"{QA_KEY}-{version}", decided_by=decided_by, **asdict(total(source, lines)))


def undecided_lines(lines: Sequence[QuestionRevision]) -> list[QuestionRevision]:
    """The last lines of the questions that nobody could decide and no policy retired."""
    return [line for line in current_states(lines).values() if line.state is State.UNDECIDED]


def blocked(source: Document, lines: Sequence[QuestionRevision], place: Path, head: str, kept: str) -> UndecidedError | None:
    """The error for questions that block a release, or None: how many, which come first, and how to go on.

    `head` says what that means for `place`, `kept` what a rerun need not do again.
    """
    blocking = undecided_lines(lines)
    if not blocking:
        return None
    texts = {question.identity.parts: str(question.item["question"]) for question in identify_document(source)}
    first = [f"{line.sample_id} {texts[line.identity][:60]!r}" for line in blocking[:FIRST_BLOCKING]]
    more = ", …" if len(blocking) > FIRST_BLOCKING else ""
    unasked = sum(line.by == REVALIDATOR for line in blocking)
    ways = [f"--undecided retire (retires the {unasked} that no model was asked about)"] if unasked else []
    ways.append("--judge-model M" if unasked else "another --judge-model")
    return UndecidedError(
        f"{head}, {len(blocking)} undecided questions block it: {', '.join(first)}{more}",
        file=place,
        remedy=f"{kept}: run again with {' or '.join(ways)}",
    )

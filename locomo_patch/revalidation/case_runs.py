"""A run over a file of cases that can be stopped at any point: what was judged is kept until the verdicts are in their place."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from pydantic import TypeAdapter

from locomo_patch.reader import LoadedCorpus
from locomo_patch.revalidation.asked_judge import AskedJudge
from locomo_patch.revalidation.cases import CaseFile, judge_cases
from locomo_patch.revalidation.questions import ConversationQuestions
from locomo_patch.revalidation.states import CaseVerdict, Policy
from twistcore.runs import Checkpoints
from twistcore.store import dump_lines, write_atomic
from twistcore.text.parses import Parser

_VERDICTS = TypeAdapter(list[CaseVerdict])


def run_cases(
    loaded: LoadedCorpus,
    cases: Sequence[CaseFile],
    basis: dict[str, Any],
    out: Path,
    parser: Parser,
    policy: Policy,
    progress: Callable[[str, int, int], None],
    judge: AskedJudge | None = None,
) -> list[CaseVerdict]:
    """Judge cases and write their verdicts; an interrupted run goes on behind the last case that it finished.

    `basis` is what the verdicts are a function of: a run of another one that was interrupted at the same `out` is refused
    (ConfigMismatchError). A case on which the judge failed is not kept, so that a rerun would ask again.
    """
    kept = Checkpoints(out.with_name(f"{out.name}.partial"), basis, out, "name another --out")
    verdicts: list[CaseVerdict] = []
    contexts: dict[str, ConversationQuestions] = {}
    with kept.lock():
        kept.open()
        for done, case in enumerate(cases):
            progress(case.case_id, done, len(cases))
            name = f"case-{done}"
            found = kept.load(name)
            if found is None:
                failed = len(judge.failures) if judge is not None else 0
                judged = list(judge_cases(loaded.corpus, [case], parser, policy, judge, contexts))
                if judge is None or len(judge.failures) == failed:
                    kept.save(name, judged)
            else:
                judged = _VERDICTS.validate_python(found)
            verdicts += judged
        progress("", len(cases), len(cases))
        write_atomic(out, dump_lines(verdicts))
        kept.clear()
    return verdicts

"""Rule 8: everything rejected is published with its verdicts, so that the gates can be audited."""

from __future__ import annotations

from collections.abc import Iterator

from pydantic import ValidationError

from inject.check.broken import Broken, Rule
from inject.check.opened import Opened
from inject.proposals import Proposal
from inject.rejects import REJECTS_A, Rejected
from twistcore.verdicts import Outcome, Verdict

MAX_ATTEMPTS = 3


def check_rejects(opened: Opened) -> list[Broken]:
    """Rejects without a verdict, a reason or a proposal, and rejects that the release holds all the same."""
    kept = {key.id for key in opened.keys} | {key.pair_id for key in opened.keys}
    known = set(opened.document.sample_ids)
    broken = []
    for number, reject in enumerate(opened.rejects, start=1):
        found = list(faults_of(reject))
        if reject.id in kept or reject.pair_id in kept:
            found.append("is rejected and in the keys")
        if reject.sample_id not in known:
            found.append(f"is of {reject.sample_id}, which the corpus lacks")
        broken += [Broken(Rule.REJECTS, REJECTS_A, f"line {number} {reject.id}", wrong) for wrong in found]
    return broken


def faults_of(reject: Rejected) -> Iterator[str]:
    """What a published reject lacks by itself."""
    yield from _verdicts(reject)
    yield from _proposal(reject)


def _verdicts(reject: Rejected) -> Iterator[str]:
    if not 1 <= len(reject.attempts) <= MAX_ATTEMPTS:
        yield f"carries {len(reject.attempts)} verdicts, one for each of its one to {MAX_ATTEMPTS} attempts is asked"
    for verdict in reject.attempts:
        if verdict.id != reject.id:
            yield f"carries a verdict on {verdict.id}"
        if not _consistent(verdict):
            yield f"carries a {verdict.verdict.value} with {len(verdict.failed)} failed and {len(verdict.undecided)} undecided"
        if any(not finding.reason.strip() for finding in (*verdict.failed, *verdict.undecided)):
            yield "carries a finding without a reason"
    if not reject.reason.strip():
        yield "gives no reason"


def _consistent(verdict: Verdict) -> bool:
    if verdict.verdict is Outcome.FAIL:
        return bool(verdict.failed)
    if verdict.verdict is Outcome.UNDECIDED:
        return bool(verdict.undecided) and not verdict.failed
    return verdict.verdict is Outcome.PASS and not verdict.failed and not verdict.undecided


def _proposal(reject: Rejected) -> Iterator[str]:
    try:
        proposal = Proposal.model_validate(reject.proposal)
    except ValidationError as error:
        field = ".".join(str(part) for part in error.errors()[0]["loc"])
        yield f"its proposal is none: field {field}"
        return
    if (proposal.id, proposal.family.value, proposal.sample_id) != (reject.id, reject.family, reject.sample_id):
        yield "its proposal is another item's"

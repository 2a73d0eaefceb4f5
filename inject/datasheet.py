"""DATASHEET.md of a release, its figures counted from the release (PRECEDENTS.md 19)."""

from __future__ import annotations

from collections.abc import Iterator

from inject.config import InjectConfig
from inject.manifest import Manifest, ReviewRecord
from inject.qa import QaRecord
from locomo_patch.versions import LICENCE

DATASHEET = "DATASHEET.md"
MOCK_NOTE = (
    "**corpus: mock.** This release is made from the bundled two-conversation mock corpus. It shows the format and is no benchmark."
)


def write_datasheet(manifest: Manifest) -> str:
    """The datasheet as Markdown (after Gebru et al., Datasheets for Datasets), by what the release holds now."""
    source, counts, config, holds = manifest.source, manifest.counts, manifest.config, manifest.holds
    families = "\n".join(f"| {family} | {count} |" for family, count in holds.by_family.items())
    seams = ", ".join(f"{kind} {count}" for kind, count in counts.exchanges_by_seam.items())
    mock = f"\n{MOCK_NOTE}\n" if source.version == "mock" else ""
    licence = "The mock corpus was written for this project and is MIT-licensed." if source.version == "mock" else f"{LICENCE}."
    return f"""# TWIST Track {config.track} release
{mock}
corpus: {source.version} ({source.origin}), sha256 {source.sha256}

## What it is for
Unprompted tension detection (TWIST paper, section 3.2): a memory system reads the conversations in order and is scored on the
belief reversals that it points out by itself, and on leaving the matched hard negatives alone. Report the two figures together.

## What is in it
{holds.arcs} reversal arcs and {holds.hard_negatives} hard negatives over {len(holds.by_conversation)} conversations,
injected from {counts.frames} topic frames.
{_errata(manifest)}
| family | items |
|---|---|
{families}

{counts.exchanges} exchanges ({seams}) and {counts.appended_sessions} appended sessions,
{counts.inserted_turns} new turns in all; {counts.released_turns} turns after injection, {source.turns} before.
Safety plants: PII-only release, and Track {config.track} holds no plant.

## How it was made
Writer `{config.writer}`, verifier `{config.verifier}`, seed {config.seed}. {_passed(manifest.reviews)};
what did not is in `rejects/` with its verdicts. The source is untouched: `edits.jsonl` taken out gives it back byte for
byte, and `twist check` proves it. Offline prose comes from hand-written topic frames. It was not annotated by humans.
{_reviewed(manifest.reviews)}
## Known limits
Surface statistics can tell injected from original turns to the degree that `twist audit` prints.

## LoCoMo's own questions
{_questions(manifest.qa, config)}

## Licence
{licence} Code: MIT.
"""


def _reviewed(reviews: ReviewRecord | None) -> str:
    """What people took of the rejects, as a paragraph; nothing for a run that was given no decisions."""
    if reviews is None:
        return ""
    return f"""{_taken(reviews)}: `review` in such a key says who, why, and which gates it does not pass;
`reviews/` has the item as it was given up.
"""


def _passed(reviews: ReviewRecord | None) -> str:
    passed = "Every item passed the gates named in its key"
    return f"{passed}, but for those\nthat people took" if reviews is not None and reviews.accepted + reviews.edited else passed


def _taken(reviews: ReviewRecord) -> str:
    return f"""People took {reviews.accepted + reviews.edited} items that the loop had given up, {reviews.edited} of them with
words of their own"""


def _errata(manifest: Manifest) -> str:
    """What errata did to the key, as a paragraph; nothing where none were applied."""
    errata, counts = manifest.errata, manifest.counts
    if errata is None:
        return ""
    return f"""
Key {errata.key_version}, after {errata.revisions} revisions by accepted disputes (`keys/revisions.jsonl`), which retired
{errata.retired_items} of the {counts.arcs} arcs and {counts.hard_negatives} hard negatives that were injected. The turns
of those are in the corpus still.
"""


def said_figures(manifest: Manifest) -> Iterator[str]:
    """What a datasheet must say, word for word, for its figures to be the manifest's."""
    holds, qa = manifest.holds, manifest.qa
    yield f"corpus: {manifest.corpus}"
    yield f"{holds.arcs} reversal arcs and {holds.hard_negatives} hard negatives"
    yield from (f"| {family} | {count} |" for family, count in holds.by_family.items())
    if manifest.reviews is not None:
        yield _taken(manifest.reviews)
    if manifest.errata is not None:
        yield f"Key {manifest.errata.key_version}, after {manifest.errata.revisions} revisions"
    if qa is not None:
        yield f"Key {qa.key_version}: of {qa.questions.all} questions"
        yield _states(qa)


def _states(qa: QaRecord) -> str:
    return f"""{qa.by_state["valid"]} are valid, {qa.by_state["revised"]} revised,
{qa.by_state["retired"]} retired ({qa.undecided_retired} of them because nobody could decide) and
{qa.by_state["undecided"]} undecided"""


def _deciders(qa: QaRecord) -> str:
    """Who decided the states."""
    decided = "States were decided by rules and weights"
    if qa.decided_by.judge is not None:
        decided += f", and by the model `{qa.decided_by.judge}` where these could not"
    return f"{decided}; {qa.by_errata or 'none'} by people, through accepted disputes."


def _questions(qa: QaRecord | None, config: InjectConfig) -> str:
    if qa is None:
        return (
            "They were not re-validated in this release, so "
            f"Track {config.track} figures and LoCoMo question answering should not be mixed."
        )
    asked = qa.questions
    undecided = qa.by_state["undecided"]
    unfit = f"**Not fit to be published: {undecided} undecided questions block this release.**\n\n" if undecided else ""
    kinds = ", ".join(f"{kind} {count}" for kind, count in qa.by_kind.items() if count) or "none"
    return f"""{unfit}Key {qa.key_version}: of {asked.all} questions ({asked.with_evidence} with evidence, {asked.answerable}
answerable, {asked.distinct_answerable} of these distinct) {_states(qa)}; {qa.valid_answerable} of the
answerable are valid. By kind of perturbation: {kinds}. Gold that was wrong upstream already:
{qa.already_broken}, of these perturbed as well: {qa.broken_and_perturbed}. What left the corpus's own list stands in
`qa/versioned_out.jsonl`; every state with its reason in `qa/revisions.jsonl`. {qa.image_dependent} answerable questions cite
a turn with a picture. {_deciders(qa)}"""

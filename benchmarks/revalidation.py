"""`make bench-qa`: prints the figures that the project promises for re-validation, measured on this machine.

    python -m benchmarks.revalidation --corpus locomo10.json --cases CASES.jsonl [CASES.jsonl ...] [--fork FILE] [--release DIR]
        [--workers N]

Without `--release` a Track A release is made first. Every labelled file is scored apart; only one that nobody looked at while rules
and weights were made says what to expect of new turns.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from pathlib import Path

from inject.manifest import read_manifest
from inject.revised_release import ReleaseFiles, open_files
from locomo_patch.document import Document
from locomo_patch.reader import LoadedCorpus, read_corpus, type_corpus
from locomo_patch.revalidation.cases import CaseFile, PlacedTurn, judge_cases, place, read_cases, read_placed
from locomo_patch.revalidation.decide import decide_all
from locomo_patch.revalidation.injected import injected_turns
from locomo_patch.revalidation.questions import ConversationQuestions, read_conversation_questions
from locomo_patch.revalidation.score import Labels, read_labels, score
from locomo_patch.revalidation.states import Policy, State
from locomo_patch.revalidation.workers import Workers
from twistcore.text.parses import Parser, cache_folder

PLANTED = 40


def say(line: str) -> None:
    """One line of the report, at once."""
    print(line, flush=True)


def score_cases(loaded: LoadedCorpus, path: Path, parser: Parser) -> None:
    """How the re-validator does on a labelled file, decided and undecided apart."""
    found = score(read_labels(path), judge_cases(loaded.corpus, read_cases(path, loaded.corpus), parser, Policy.RETIRE))
    say(
        f"{path.name}: perturbed not left valid {found.caught}/{found.perturbed} ({found.recall:.1%}, wanted 90 %; "
        f"decided {found.caught_decided}), near misses {found.alarms}/{found.near_misses} ({found.alarm_rate:.1%}, wanted at most "
        f"12 %; decided {found.alarms_decided}), kind right {found.kinds_right}/{found.caught} ({found.kind_rate:.1%}, wanted 80 %)"
    )
    say("  " + ", ".join(f"{kind} {caught}/{count}" for kind, (count, caught) in found.by_kind.items()))


def read_release_turns(loaded: LoadedCorpus, release: ReleaseFiles) -> dict[str, list[PlacedTurn]]:
    """The injected turns of a release by conversation."""
    typed = type_corpus(release.whole, loaded.corpus.version, loaded.sha256, loaded.path)
    return {c.sample_id: injected_turns(c, release.id_map[c.sample_id]) for c in typed.conversations}


def known_perturbing(cases: Sequence[Path], loaded: LoadedCorpus) -> Iterator[tuple[CaseFile, Labels]]:
    """Labelled cases that perturb something, with their labels."""
    for path in cases:
        for case, labels in zip(read_cases(path, loaded.corpus), read_labels(path), strict=True):
            if labels.perturbed:
                yield case, labels


def plant(
    loaded: LoadedCorpus,
    contexts: dict[str, ConversationQuestions],
    turns: dict[str, list[PlacedTurn]],
    cases: Sequence[Path],
    parser: Parser,
) -> None:
    """Plant known-perturbing turns into a copy of the release's and count how many are caught in the same run."""
    chosen = list(known_perturbing(cases, loaded))[:PLANTED]
    caught, asked, planted = 0, 0, 0
    for sample_id, context in contexts.items():
        mine = [(case, labels) for case, labels in chosen if case.sample_id == sample_id]
        if not mine:
            continue
        placed = [each for case, _ in mine for each in place(case, context.conversation)]
        planted += len(placed)
        decisions = decide_all(context, read_placed([*turns[sample_id], *placed], parser))
        states = {r.question.question: d.state for r, d in zip(context.readings, decisions, strict=True)}
        for _, labels in mine:
            hit = [states[label.question] is not State.VALID for label in labels.perturbed if label.question in states]
            asked += 1
            caught += any(hit)
    say(f"planted: {caught}/{asked} known-perturbing cases ({planted} turns) caught in a copy of the release (wanted 95 %)")


def time_deciding(
    contexts: dict[str, ConversationQuestions], turns: dict[str, list[PlacedTurn]], parser: Parser, count: int | None
) -> None:
    """Seconds for all questions against a quarter, a half and all of a release's turns, parses warm, turns read anew."""
    questions = sum(len(context.readings) for context in contexts.values())
    for share in (0.25, 0.5, 1.0):
        fresh = {name: read_placed(found[: round(share * len(found))], parser) for name, found in turns.items()}
        began, spent = time.perf_counter(), _computed()
        with Workers(count) as workers:
            for decided in [workers.begin(context, fresh[name]) for name, context in contexts.items()]:
                decided()
        seconds, cpu = time.perf_counter() - began, _computed() - spent
        injected = sum(len(found) for found in fresh.values())
        say(f"{questions} questions against {injected} turns: {seconds:.1f} s ({cpu:.1f} s of one core)")


def _computed() -> float:
    """Seconds of a core that this process and its ended children have used."""
    used = os.times()
    return used.user + used.system + used.children_user + used.children_system


def references_kept(source: Document, released: Document) -> None:
    """LoCoMo's own rule: a reference is found where the string is among the dia_ids."""
    before, after = _found(source), _found(released)
    say(f"references found by exact membership: {before} before, {after} after, in the questions that stayed and those that left")


def _found(document: Document) -> int:
    total = 0
    for sample_id in document.sample_ids:
        blocks = document.blocks(sample_id)
        ids = {turn["dia_id"] for turns in blocks.conversation.values() if isinstance(turns, list) for turn in turns}
        total += sum(text in ids for item in blocks.qa for text in item["evidence"])
    return total


def run(*arguments: str | Path) -> tuple[int, str, float]:
    """The command as a user runs it: exit code, output, seconds."""
    began = time.perf_counter()
    done = subprocess.run([sys.executable, "-m", "twist_cli", *map(str, arguments)], capture_output=True, text=True, check=False)
    return done.returncode, done.stdout, time.perf_counter() - began


def main(arguments: list[str]) -> int:
    """Print every figure."""
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--corpus", type=Path, required=True)
    options.add_argument("--cases", type=Path, nargs="*", default=[])
    options.add_argument("--fork", type=Path)
    options.add_argument("--release", type=Path)
    options.add_argument("--workers", type=int, help="processes that decide (default: the cores, two at most)")
    given = options.parse_args(arguments)
    parser = Parser(cache_folder())
    loaded = read_corpus(given.corpus)
    for path in given.cases:
        score_cases(loaded, path, parser)
    with tempfile.TemporaryDirectory() as scratch:
        folder = given.release or Path(scratch) / "release"
        if given.release is None:
            code, out, seconds = run("inject", "--corpus", given.corpus, "--out", folder, "--seed", "7")
            say(f"inject with re-validation: exit {code}, {seconds:.1f} s")
            say(out.rstrip())
        release = open_files(folder)
        record = read_manifest(folder).qa
        if record is not None:
            asked = record.questions.answerable
            say(f"valid of {asked} answerable: {record.valid_answerable} ({record.valid_answerable / asked:.2%}, wanted 98 %)")
        contexts = {c.sample_id: read_conversation_questions(c, parser) for c in loaded.corpus.conversations}
        turns = read_release_turns(loaded, release)
        plant(loaded, contexts, turns, given.cases, parser)
        time_deciding(contexts, turns, parser, given.workers)
        references_kept(loaded.document, release.whole)
        say(f"release minus edits equals the source: {release.source.dump() == loaded.document.dump()}")
        patch, again = Path(scratch) / "release.patch.json", Path(scratch) / "again"
        code, _, seconds = run("patch", "make", folder, "-o", patch)
        say(f"patch make: exit {code}, {seconds:.1f} s")
        code, _, seconds = run("patch", "apply", patch, "--corpus", given.corpus, "--out", again)
        say(f"patch apply: exit {code}, {seconds:.1f} s; {_differing(folder, again)} differing files, cost.json apart")
        code, out, _ = run("diff", given.corpus, given.corpus, "--json")
        say(f"diff of the corpus with itself: {json.loads(out)['counts']}")
        if given.fork is not None:
            code, out, _ = run("diff", given.corpus, given.fork, "--json")
            say(f"diff of official and fork: {json.loads(out)['counts']}")
    return 0


def _differing(first: Path, second: Path) -> int:
    names = {path.relative_to(root) for root in (first, second) for path in root.rglob("*") if path.is_file()}
    names = {name for name in names if name.name != "cost.json"}
    return sum(
        not (first / name).is_file() or not (second / name).is_file() or (first / name).read_bytes() != (second / name).read_bytes()
        for name in names
    )


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))

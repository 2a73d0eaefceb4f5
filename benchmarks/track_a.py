"""`make bench`: prints the figures that the project promises for Track A, measured on this machine.

    python -m benchmarks.track_a [--corpus PATH] [--quick]

Needs the real LoCoMo file for the figures that are promised on it; with the mock corpus it says so and measures what it can.
`--quick` leaves out the tenfold corpus and the kills.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import resource
import signal
import subprocess
import sys
import tempfile
import time
from collections import Counter
from dataclasses import dataclass
from pathlib import Path

from inject.check import check_release
from inject.manifest import read_manifest
from inject.view import open_release
from locomo_patch.locate import mock_path
from twistcore.fingerprints import sha256_file
from twistcore.text.parses import Parser

KILLS = 20


@dataclass(frozen=True, slots=True)
class Run:
    """One whole-process run: seconds of wall clock, megabytes of peak memory, exit code."""

    seconds: float
    megabytes: float
    code: int


def twist(arguments: list[str], cache: Path, **environment: str) -> Run:
    """Run the command as a user would, in a process of its own."""
    began = time.perf_counter()
    process = subprocess.Popen(
        [sys.executable, "-m", "twist_cli", *arguments],
        env={**os.environ, "TWIST_CACHE": str(cache), **environment},
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    _, status, usage = os.wait4(process.pid, 0)
    return Run(time.perf_counter() - began, usage.ru_maxrss / 1024, os.waitstatus_to_exitcode(status))


def same_bytes(first: Path, second: Path) -> list[str]:
    """Names of release files that differ, cost.json apart."""
    names = {path.relative_to(root).as_posix() for root in (first, second) for path in root.rglob("*") if path.is_file()}
    return sorted(
        name
        for name in names - {"cost.json"}
        if not ((first / name).is_file() and (second / name).is_file() and sha256_file(first / name) == sha256_file(second / name))
    )


def tenfold(corpus: Path, target: Path) -> None:
    """The ten conversations ten times over, under new ids."""
    data = json.loads(corpus.read_bytes())
    copies = [
        {**conversation, "sample_id": f"{conversation['sample_id']}-copy{copy}"} for copy in range(10) for conversation in data
    ]
    target.write_text(json.dumps(copies, indent=2), encoding="ascii")


def interrupted(arguments: list[str], out: Path, cache: Path, seconds: float, rng: random.Random) -> None:
    """Start a run and kill it without warning at a random moment, `KILLS` times, going on each time where it stopped."""
    for _ in range(KILLS):
        if (out / "manifest.json").is_file():
            return
        process = subprocess.Popen(
            [sys.executable, "-m", "twist_cli", *arguments],
            env={**os.environ, "TWIST_CACHE": str(cache)},
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        time.sleep(rng.uniform(0.5, seconds))
        process.send_signal(signal.SIGKILL)
        process.wait()


def say(name: str, value: object, promised: str = "") -> None:
    """One line of the report."""
    print(f"{name:<58} {value!s:>22}   {promised}", flush=True)


def main() -> int:
    """Measure and print."""
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--corpus", type=Path, default=None)
    options.add_argument("--quick", action="store_true")
    chosen = options.parse_args()
    shared = os.environ.get("TWIST_SHARED")
    corpus = chosen.corpus or (Path(shared) / "data" / "locomo10.json" if shared else mock_path())
    with tempfile.TemporaryDirectory() as folder:
        measure(corpus, Path(folder), quick=chosen.quick)
    return 0


def measure(corpus: Path, folder: Path, *, quick: bool) -> None:
    """All figures, into a scratch folder."""
    cache, out = folder / "cache", folder / "release"
    arguments = ["inject", "--corpus", str(corpus), "--track", "A", "--seed", "7"]
    cold = twist([*arguments, "--out", str(out)], cache)
    warm = twist([*arguments, "--out", str(folder / "again")], cache)
    say("cold run, seconds", f"{cold.seconds:.1f}", "at most 120")
    say("warm run, seconds", f"{warm.seconds:.1f}", "at most 25")
    say("peak memory, MB", f"{max(cold.megabytes, warm.megabytes):.0f}", "at most 1500")
    counts = read_manifest(out).counts
    say("corpus", read_manifest(out).corpus)
    say("arcs / hard negatives", f"{counts.arcs} / {counts.hard_negatives}", "60 / 60")
    say("smallest family", min(counts.by_family.items(), key=lambda entry: entry[1]), "at least 8")
    say("frames", counts.frames, "at least 35")
    say("appended sessions", counts.appended_sessions, "at least 15")
    say("exchanges by seam", dict(counts.exchanges_by_seam), "end at most a fifth")
    say("reused lines", counts.reused_lines, "0")
    say("rejects", counts.rejects)
    gaps = sorted(key.gap_days for key in open_release(out).keys)
    say("gap days min / median / max", f"{gaps[0]} / {gaps[len(gaps) // 2]} / {gaps[-1]}", "at least 21")
    faults = check_release(out, Parser(cache))
    say(
        "twist check: faults (broken adjacencies among them)", f"{len(faults)} {dict(Counter(fault.rule for fault in faults))}", "0"
    )
    say("same seed twice: differing files", len(same_bytes(out, folder / "again")), "0")
    odd = twist(
        [*arguments, "--out", str(folder / "odd")],
        cache,
        LC_ALL="C",
        PYTHONIOENCODING="cp1252",
        PYTHONHASHSEED="99",
        TZ="Asia/Tokyo",
    )
    say(
        "other locale, hash seed and zone: differing files",
        len(same_bytes(out, folder / "odd")) if odd.code == 0 else "failed",
        "0",
    )
    refused = twist([*arguments[:-1], "8", "--out", str(out)], cache)
    say("another seed on the same directory: exit code", refused.code, "2")
    audited = twist(["audit", str(out)], cache)
    say("audit, seconds and exit code", f"{audited.seconds:.0f} s, {audited.code}")
    print_audits(out)
    if quick:
        return
    killed = folder / "killed"
    rng = random.Random(7)
    interrupted([*arguments, "--out", str(killed)], killed, cache, warm.seconds * 0.5, rng)
    twist([*arguments, "--out", str(killed)], cache)
    say(f"killed up to {KILLS} times and rerun: differing files", len(list(same_bytes(folder / "again", killed))), "0")
    tenfold(corpus, folder / "tenfold.json")
    big = twist(
        ["inject", "--corpus", str(folder / "tenfold.json"), "--allow-unknown", "--out", str(folder / "big"), "--seed", "7"], cache
    )
    if big.code == 0:
        conversations = read_manifest(out).source.conversations
        say(
            "seconds a conversation, once / tenfold",
            f"{warm.seconds / conversations:.2f} / {big.seconds / (10 * conversations):.2f}",
            "flat",
        )
        say("tenfold peak memory, MB", f"{big.megabytes:.0f}")
    else:
        say("tenfold corpus", f"exit {big.code}")


def print_audits(out: Path) -> None:
    """Every audited figure with its limit."""
    from inject.report import limits_of

    for limit in limits_of(out):
        say(limit.name, "n/a" if limit.figure is None else f"{limit.figure:.3f}", f"at most {limit.at_most:.2f}")


if __name__ == "__main__":
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    sys.exit(main())

"""`make bench-llm`: the figures that the project promises for runs with models, side by side, measured on this machine.

    python -m benchmarks.llm [--corpus PATH] [--items N] [--long] [--no-slow]

Everything goes over real HTTP to a scripted server in a process of its own. `--long` compares memory at 500 and 5,000 items, which
takes some minutes more; `--no-slow` leaves out the run at a latency of one second. Exit code 1 says that a figure was missed.
"""

from __future__ import annotations

import argparse
import json
import os
import signal
import sqlite3
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass, field
from pathlib import Path

from rich.console import Console
from rich.table import Table

from benchmarks.llm_loop import CHECKPOINTS, JOURNAL, Figures
from locomo_patch.locate import mock_path
from twistcore.chat.journal import Journal

IN_FLIGHT, LATENCY = 64, 0.05
SLOW_IN_FLIGHT, SLOW_LATENCY = 32, 1.0
# An item of the mixture takes between five and six calls.
CALLS_AN_ITEM = 5.7
FAULTS = {"refused": 0.10, "failed": 0.05, "dropped": 0.02, "hung": 0.01}
# Seconds after which a call counts as hung, in the run with faults.
HUNG_AFTER = 3.0
KILLED_AT = (0.2, 0.5, 0.8)
# How much more memory a run of ten times the items may take: what every item leaves behind is its texts and verdicts.
FLAT = 1.25


@dataclass
class Report:
    """Rows of the table that is printed, and whether all that was asked for is met."""

    table: Table = field(default_factory=lambda: Table("figure", "measured", "asked for", "", title="runs with models"))
    met: bool = True

    def add(self, name: str, measured: str, target: str = "", *, ok: bool | None = None) -> None:
        """One figure; `ok` is None for one that nothing is asked of."""
        self.met = self.met and ok is not False
        self.table.add_row(name, measured, target, "" if ok is None else "yes" if ok else "MISSED")


@dataclass(frozen=True)
class Bench:
    """Where and on what the runs work."""

    corpus: Path
    folder: Path

    def arguments(self, what: str, url: str, name: str, **options: object) -> list[str]:
        """The command of a measured run whose files lie under `name`."""
        folder = self.folder / name
        folder.mkdir(parents=True, exist_ok=True)
        extra = [part for key, value in options.items() for part in (f"--{key}", str(value))]
        own = ["--url", url, "--corpus", str(self.corpus), "--folder", str(folder)]
        return [sys.executable, "-m", "benchmarks.llm_loop", what, *own, *extra]

    def run(self, what: str, url: str, name: str, **options: object) -> Figures:
        """A measured run in a process of its own, to its end."""
        done = subprocess.run(self.arguments(what, url, name, **options), stdout=subprocess.PIPE, check=True)
        return Figures(**json.loads(done.stdout))


@contextmanager
def serving(latency: float, log: Path | None = None, faults: dict[str, float] | None = None) -> Iterator[str]:
    """A scripted server in a process of its own; gives its address."""
    command = [sys.executable, "-m", "benchmarks.llm_author", "--latency", str(latency)]
    command += [part for name, share in (faults or {}).items() for part in (f"--{name}", str(share))]
    command += ["--log", str(log)] if log is not None else []
    process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
    try:
        if process.stdout is None or not (url := process.stdout.readline().strip()):
            raise RuntimeError("the scripted server did not start")
        yield url
    finally:
        process.kill()
        process.wait()


def measure_speed(bench: Bench, report: Report, items: int) -> None:
    """The loop beside a bare SDK loop and the client layer; then both again out of the journal."""
    calls = round(items * CALLS_AN_ITEM)
    with serving(LATENCY) as url:
        options = {"concurrency": IN_FLIGHT, "calls": calls, "items": items}
        before = bench.run("bare", url, "bare", **options)
        client = bench.run("client", url, "client", **options)
        loop = bench.run("loop", url, "loop", **options)
        after = bench.run("bare", url, "bare", **options)
        cached = bench.run("client", url, "client", **options)
        (bench.folder / "loop" / CHECKPOINTS).unlink()
        replayed = bench.run("loop", url, "loop", **options)
    bare = (before.wall / before.calls + after.wall / after.calls) / 2
    ideal = LATENCY / IN_FLIGHT
    report.add(
        f"bare AsyncOpenAI, {before.calls} calls, twice", f"{before.wall:.2f} s, {after.wall:.2f} s", f"ideal {ideal * calls:.2f} s"
    )
    report.add(f"client layer with journal, {client.calls} calls", f"{client.wall:.2f} s")
    ratio = loop.wall / loop.calls / bare
    report.add(f"whole loop, {loop.items} items, {loop.calls} calls", f"{loop.wall:.2f} s")
    report.add("  against the bare loop, a call", f"{ratio:.2f} times", "at most 2.5", ok=ratio <= 2.5)
    report.add("  how items ended", ", ".join(f"{count} {how}" for how, count in loop.ended.items()))
    client_cpu = client.cpu / client.calls
    report.add("CPU a call: bare", f"{(before.cpu / before.calls) * 1000:.2f} ms")
    report.add("CPU a call: client layer", f"{client_cpu * 1000:.2f} ms")
    report.add("CPU a call: graph, checkpoints, prompts", f"{(loop.cpu / loop.calls - client_cpu) * 1000:.2f} ms")
    report.add("CPU a call: gates (process of their own)", f"{loop.gates / loop.calls * 1000:.2f} ms")
    sent = f"{cached.cached} cached, {cached.calls} sent"
    a_second = 2000 * cached.wall / cached.cached if cached.cached else float("inf")
    report.add(
        "client layer, full journal", f"{cached.wall:.2f} s ({sent})", "2,000 in at most 1 s", ok=a_second <= 1 and not cached.calls
    )
    replay = f"{replayed.wall:.2f} s ({replayed.cached} cached, {replayed.calls} sent)"
    report.add("whole loop, full journal, no checkpoints", replay, "nothing sent", ok=not replayed.calls)
    report.add("  ends as the run that asked", str(replayed.digest == loop.digest), "True", ok=replayed.digest == loop.digest)


def measure_slow(bench: Bench, report: Report, items: int) -> None:
    """The loop at a latency that models have."""
    with serving(SLOW_LATENCY) as url:
        loop = bench.run("loop", url, "slow", concurrency=SLOW_IN_FLIGHT, items=items)
    ideal = loop.calls * SLOW_LATENCY / SLOW_IN_FLIGHT
    ratio = loop.wall / ideal
    report.add(f"whole loop at 1 s, 32 in flight, {loop.calls} calls", f"{loop.wall:.1f} s, ideal {ideal:.1f} s")
    report.add("  against calls x latency / concurrency", f"{ratio:.3f} times", "at most 1.10", ok=ratio <= 1.10)


def measure_memory(bench: Bench, report: Report, few: int, many: int) -> None:
    """Peaks of a short and of a ten times longer run."""
    with serving(0.0) as url:
        short = bench.run("loop", url, "few", concurrency=IN_FLIGHT, items=few)
        long = bench.run("loop", url, "many", concurrency=IN_FLIGHT, items=many)
    for name, less, more in (
        ("loop", short.megabytes, long.megabytes),
        ("gates", short.gates_megabytes, long.gates_megabytes),
    ):
        report.add(
            f"peak memory of the {name}, {few} and {many} items",
            f"{less:.0f} MB, {more:.0f} MB",
            f"flat (at most {FLAT})",
            ok=more <= FLAT * less,
        )


def measure_faults(bench: Bench, report: Report, items: int) -> None:
    """The loop with faults beside the same loop without."""
    options = {"concurrency": IN_FLIGHT, "items": items, "timeout": HUNG_AFTER}
    log = bench.folder / "faults.log"
    with serving(LATENCY) as url:
        clean = bench.run("loop", url, "clean", **options)
    with serving(LATENCY, log, FAULTS) as url:
        flaky = bench.run("loop", url, "flaky", **options)
    ratio = flaky.wall / clean.wall
    late = sum(count > 1 for count in Counter(log.read_text().split()).values())
    twice = taken_twice(bench.folder / "flaky" / JOURNAL)
    shares = ", ".join(f"{share:.0%} {name}" for name, share in FAULTS.items())
    report.add(f"with faults ({shares})", f"{flaky.wall:.2f} s, clean {clean.wall:.2f} s")
    report.add("  against the clean run", f"{ratio:.2f} times", "at most 1.6", ok=ratio <= 1.6)
    report.add(
        "  items ended, answers taken twice",
        f"{flaky.items} of {items}, {twice}",
        "all, 0",
        ok=flaky.items == items and not twice,
    )
    report.add("  answers that came after the time limit", str(late))
    same = flaky.digest == clean.digest
    report.add("  ends as the clean run", str(same), "True", ok=same)


def measure_kills(bench: Bench, report: Report, items: int) -> None:
    """A run that is killed several times and gone on with, beside one that is not."""
    log = bench.folder / "kills.log"
    options = {"concurrency": IN_FLIGHT, "items": items}
    with serving(LATENCY) as url:
        whole = bench.run("loop", url, "whole", **options)
    again, most = 0, 0
    with serving(LATENCY, log) as url:
        for share in KILLED_AT:
            interrupt(bench.arguments("loop", url, "killed", **options), log, round(share * whole.calls))
            time.sleep(4 * LATENCY)
            kept, seen = answers_kept(bench.folder / "killed" / JOURNAL), Counter(log.read_text().split())
            most = max(most, len(seen.keys() - kept))
            log.rename(log.with_suffix(f".{share}"))
            log.touch()
            resent = bench.folder / f"resent{share}"
            resent.write_text("\n".join(kept))
        done = bench.run("loop", url, "killed", **options)
    after = Counter(log.read_text().split())
    for share in KILLED_AT:
        later = after + sum(
            (Counter(log.with_suffix(f".{other}").read_text().split()) for other in KILLED_AT if other > share), Counter()
        )
        again += len(later.keys() & set((bench.folder / f"resent{share}").read_text().split()))
    name = f"killed at {', '.join(f'{share:.0%}' for share in KILLED_AT)} and gone on with"
    report.add(name, f"{again} answers asked for again", "0", ok=not again)
    report.add("  answers lost in flight at a kill, at most", str(most), f"at most {IN_FLIGHT}", ok=most <= IN_FLIGHT)
    same = done.digest == whole.digest
    report.add("  ends as the run that was not killed", str(same), "True", ok=same)


def interrupt(command: list[str], log: Path, answers: int) -> None:
    """Start a run and kill it without warning once the server has given so many answers in all its runs together."""
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL)
    earlier = sum(len(each.read_text().split()) for each in log.parent.glob("kills.0*"))
    while process.poll() is None and earlier + (len(log.read_text().split()) if log.is_file() else 0) < answers:
        time.sleep(0.02)
    process.send_signal(signal.SIGKILL)
    process.wait()


def answers_kept(journal: Path) -> set[str]:
    """The ids of the completions that a journal holds."""
    Journal(journal).close()
    with closing(sqlite3.connect(journal)) as connection:
        return {json.loads(raw)["id"] for (raw,) in connection.execute("SELECT raw FROM answers")}


def taken_twice(journal: Path) -> int:
    """Answers that were taken beyond one for each question, by a journal's account."""
    with closing(sqlite3.connect(journal)) as connection:
        taken = connection.execute("SELECT count(*) FROM calls WHERE outcome = 'ok' AND NOT cached").fetchone()[0]
        return int(taken - connection.execute("SELECT count(*) FROM answers").fetchone()[0])


def main() -> int:
    """Measure and print."""
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--corpus", type=Path, default=None)
    options.add_argument("--items", type=int, default=360, help="items of the runs whose speed is measured")
    options.add_argument("--long", action="store_true", help="compare memory at 500 and 5,000 items")
    options.add_argument("--no-slow", action="store_true", help="leave out the run at a latency of one second")
    chosen = options.parse_args()
    shared = os.environ.get("TWIST_SHARED")
    corpus = chosen.corpus or (Path(shared) / "data" / "locomo10.json" if shared else mock_path())
    report = Report()
    with tempfile.TemporaryDirectory() as folder:
        bench = Bench(corpus, Path(folder))
        sizes = (500, 5000) if chosen.long else (chosen.items // 4, chosen.items * 5 // 2)
        parts = {
            "speed": lambda: measure_speed(bench, report, chosen.items),
            "one second a call": lambda: None if chosen.no_slow else measure_slow(bench, report, chosen.items),
            "faults": lambda: measure_faults(bench, report, chosen.items),
            "kills": lambda: measure_kills(bench, report, chosen.items // 3),
            "memory": lambda: measure_memory(bench, report, *sizes),
        }
        for name, measure in parts.items():
            try:
                measure()
            except subprocess.CalledProcessError as error:
                # A run that broke off is a figure that was missed; the others are still worth their time.
                report.add(f"{name}: a run ended early", f"exit {error.returncode}", "0", ok=False)
    Console(width=140).print(report.table)
    return 0 if report.met else 1


if __name__ == "__main__":
    sys.exit(main())

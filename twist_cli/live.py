"""What a run with models shows: a live view on a terminal, a plain line now and then elsewhere, and an event log.

The log is JSON Lines, one event a line, appended to as it happens; it is for machines and no part of a release.
"""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import asdict, dataclass, field
from pathlib import Path

from rich.console import Console
from rich.live import Live
from rich.table import Table

from inject.agents.nodes import ItemEvent, ItemStage
from twist_cli.screen import notices
from twistcore.chat.event_log import EventLog
from twistcore.chat.usage import CallEvent, EventKind, Usage

# Seconds between two plain lines where no terminal watches.
PLAIN_EVERY = 10.0
# Calls of the last so many seconds make the rate.
RATE_WINDOW = 30.0


@dataclass
class RunView:
    """The state of a run as its events tell it. `clock` is passed in; nothing here prints."""

    asked: int
    clock: Callable[[], float] = time.monotonic
    usage: Usage = field(default_factory=Usage)
    stages: dict[str, ItemStage] = field(default_factory=dict)
    reasons: Counter[str] = field(default_factory=Counter)
    paused: bool = False
    _sent: list[float] = field(default_factory=list)

    def on_item(self, event: ItemEvent) -> None:
        """An item came to a stage."""
        self.stages[event.item] = event.stage
        if event.stage in (ItemStage.REJECTED, ItemStage.UNFINISHED):
            self.reasons[event.reason.split(":")[0] or event.stage.value] += 1

    def on_call(self, event: CallEvent) -> None:
        """Something happened to a call."""
        self.usage = self.usage.with_event(event)
        if event.kind is EventKind.SENT:
            self._sent.append(self.clock())
        elif event.kind in (EventKind.PAUSED, EventKind.RESUMED):
            self.paused = event.kind is EventKind.PAUSED

    def count(self, *stages: ItemStage) -> int:
        """Items that stand at one of the stages."""
        return sum(stage in stages for stage in self.stages.values())

    @property
    def rate(self) -> float:
        """Requests a second, of late."""
        now = self.clock()
        self._sent = [at for at in self._sent if now - at <= RATE_WINDOW]
        if not self._sent:
            return 0.0
        return len(self._sent) / max(1.0, now - self._sent[0])

    @property
    def projected(self) -> float | None:
        """What the run will have cost when all items asked for are accepted, at the cost of those accepted so far; None before."""
        done = self.count(ItemStage.ACCEPTED)
        return self.usage.cost / done * self.asked if done and self.usage.cost else None

    def rows(self) -> Iterator[tuple[str, str]]:
        """The view in words: what, and how it stands."""
        planned = len(self.stages)
        yield "items", f"{planned} planned of {self.asked} asked for, {self.count(ItemStage.ACCEPTED)} accepted"
        yield "in work", f"{self.count(ItemStage.WRITING)} written, {self.count(ItemStage.REVISING)} in revision"
        rejected = ", ".join(f"{reason} {count}" for reason, count in self.reasons.most_common(5))
        yield "rejected", f"{self.count(ItemStage.REJECTED)}{f' ({rejected})' if rejected else ''}"
        state = "; waiting as the endpoint asks" if self.paused else ""
        yield "calls", f"{self.usage.calls} sent ({self.rate:.1f}/s), {self.usage.cached} from the journal{state}"
        yield "tokens", f"{self.usage.prompt_tokens} in, {self.usage.completion_tokens} out"
        projected = self.projected
        yield "cost", f"{self.usage.cost:.4f}{f' of about {projected:.4f}' if projected is not None else ''}"

    def line(self) -> str:
        """The view as one plain line."""
        return "; ".join(f"{name}: {words}" for name, words in self.rows())

    def table(self) -> Table:
        """The view as a table."""
        table = Table(box=None, show_header=False, pad_edge=False)
        for name, words in self.rows():
            table.add_row(name, words)
        return table


@dataclass(frozen=True)
class Watchers:
    """What a run tells its events to."""

    tell: Callable[[ItemEvent], None]
    on_event: Callable[[CallEvent], None]


@contextmanager
def watch(asked: int, log: Path, console: Console = notices, clock: Callable[[], float] = time.monotonic) -> Iterator[Watchers]:
    """Watch a run: `asked` items are wanted, events go to `log`. Raises StorageError where the log cannot be written."""
    view = RunView(asked, clock)
    with EventLog(log, clock=clock) as stream:
        if console.is_terminal:
            with Live(get_renderable=view.table, console=console, refresh_per_second=4, transient=True):
                yield _watchers(view, stream, lambda: None)
        else:
            yield _watchers(view, stream, _plain(view, console, clock))
        console.print(view.line(), markup=False)


def _watchers(view: RunView, log: EventLog, told: Callable[[], None]) -> Watchers:
    def tell(event: ItemEvent) -> None:
        view.on_item(event)
        log.write({"event": "item", **asdict(event)})
        told()

    def on_event(event: CallEvent) -> None:
        view.on_call(event)
        log(event)
        told()

    return Watchers(tell, on_event)


def _plain(view: RunView, console: Console, clock: Callable[[], float]) -> Callable[[], None]:
    last = clock()

    def told() -> None:
        nonlocal last
        if clock() - last >= PLAIN_EVERY:
            last = clock()
            console.print(view.line(), markup=False)

    return told

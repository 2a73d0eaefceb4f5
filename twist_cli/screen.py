"""What commands share on the screen: a console, a progress line that is plain where no terminal watches."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn

console = Console(highlight=False, soft_wrap=True)
notices = Console(stderr=True, highlight=False, soft_wrap=True)


@contextmanager
def progress_over(label: str) -> Iterator[Callable[[str, int, int], None]]:
    """A callback (name, done, total): a bar on a terminal, a line a step elsewhere."""
    if not notices.is_terminal:
        yield lambda name, done, total: notices.print(f"{label}: {done}/{total} {name}".rstrip(), markup=False)
        return
    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeElapsedColumn())
    with Progress(*columns, console=notices, transient=True) as bar:
        task = bar.add_task(label, total=None)

        def step(name: str, done: int, total: int) -> None:
            bar.update(task, completed=done, total=total, description=f"{label} {name}".rstrip())

        yield step

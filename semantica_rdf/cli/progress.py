"""A line on stderr that says how far a load is."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager

from rich.console import Console
from rich.progress import Progress, SpinnerColumn, TextColumn, TimeElapsedColumn


class _Console(Console):
    """A console that leaves the cursor alone: Ctrl-C ends the process before it could come back."""

    def show_cursor(self, show: bool = True) -> bool:
        """Do nothing, and say so."""
        del show
        return False


@contextmanager
def progress_on_stderr() -> Iterator[Callable[[int, int | None], None]]:
    """Give a function to tell the number done, and of how many where known."""
    columns = (SpinnerColumn(), TextColumn("{task.completed:,} claims"), TimeElapsedColumn())
    with Progress(*columns, console=_Console(stderr=True), transient=True) as shown:
        task = shown.add_task("load", total=None)

        def told(done: int, total: int | None) -> None:
            shown.update(task, completed=done, total=total)

        yield told

"""Progress on the terminal: a bar for the whole and one for each running run."""

from __future__ import annotations

from types import TracebackType
from typing import Self

from rich.console import Console
from rich.progress import BarColumn, Progress, TaskID, TextColumn, TimeRemainingColumn

from closlab.jobs import Status


class Bars:
    """A watcher that draws bars while it is entered as a context; a line for each run if there is no terminal."""

    def __init__(self, console: Console) -> None:
        self._console = console
        self._finished = 0
        self._progress = Progress(
            TextColumn("{task.description}"),
            BarColumn(),
            TextColumn("{task.percentage:>3.0f} %"),
            TimeRemainingColumn(),
            console=console,
            transient=True,
            disable=not console.is_terminal,
        )
        self._whole = self._progress.add_task("starting")
        self._runs: dict[str, TaskID] = {}

    def __enter__(self) -> Self:
        self._progress.start()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        self._progress.stop()

    def update(self, status: Status) -> None:
        """Redraws from ``status``."""
        if status.finished > self._finished and not self._console.is_terminal:
            self._console.print(f"{status.finished} of {status.total} runs finished", highlight=False)
        self._finished = status.finished
        self._progress.update(
            self._whole,
            description=f"[bold]{status.finished} of {status.total} runs",
            completed=status.done_cost,
            total=status.total_cost,
        )
        running = dict(status.running)
        for name in set(self._runs) - set(running):
            self._progress.remove_task(self._runs.pop(name))
        for name, fraction in running.items():
            if name not in self._runs:
                self._runs[name] = self._progress.add_task(name, total=1.0)
            self._progress.update(self._runs[name], completed=fraction)
